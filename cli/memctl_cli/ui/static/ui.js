// Sends forms without leaving the page: the answer's main part and notice take the place of these,
// and the focus stays where the act was. Without scripts the same forms load the same pages.
"use strict";

const here = () => location.pathname + location.search;
let shown = here();
const rows = () => [...document.querySelectorAll("[data-row]")];
const rowOf = (element) => rows().indexOf(element?.closest?.("[data-row]"));
const focusable = (element) => element?.querySelector("a, button");

async function swap(url, options) {
  const was = document.activeElement;
  const [id, row] = [was?.id, rowOf(was)];
  document.body.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(url, options);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const part of ["main", "notices"])
      document.getElementById(part).replaceChildren(...page.getElementById(part).childNodes);
    document.title = page.title;
    if (response.url !== location.href) history.pushState(null, "", response.url);
    shown = here();
    const now = rows();
    const next = [
      document.querySelector("[data-focus]"),
      id && document.getElementById(id),
      row >= 0 && focusable(now[Math.min(row, now.length - 1)]),
      document.querySelector("#notices button"),
      document.getElementById("main"),
    ].find(Boolean);
    next.focus();
  } catch {
    const lost = Object.assign(document.createElement("p"), { className: "notice" });
    lost.textContent = "memctl ui does not answer: is it still running?";
    document.getElementById("notices").replaceChildren(lost);
  } finally {
    document.body.removeAttribute("aria-busy");
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented) return;
  const typed = new URLSearchParams(new FormData(form, event.submitter));
  event.preventDefault();
  if (form.method === "get") {
    for (const [name, value] of [...typed]) if (!value) typed.delete(name);
    swap(`${form.action.split("?")[0]}?${typed}`);
  } else swap(form.action, { method: "POST", body: typed });
});

// A jump inside of the page is told as well, and loads nothing.
addEventListener("popstate", () => here() !== shown && location.reload());

document.addEventListener("keydown", (event) => {
  const searching = event.target.id === "search" && event.key === "ArrowDown";
  const typing = event.target.matches("input, select, textarea") && !searching;
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = searching ? 1 : { j: 1, k: -1 }[event.key];
  if (event.key === "/" && document.getElementById("search")) {
    event.preventDefault();
    document.getElementById("search").focus();
  } else if (step) {
    const all = rows();
    const at = rowOf(document.activeElement);
    focusable(all[at < 0 ? 0 : Math.min(Math.max(at + step, 0), all.length - 1)])?.focus();
  }
});
