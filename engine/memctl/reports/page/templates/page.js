"use strict";
(() => {
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const root = document.documentElement;
  for (const control of all(".filter, #theme, .copy, .zoom, .open-all")) control.hidden = false;

  // Theme: the system's until the reader chooses.
  const theme = document.getElementById("theme");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const kept = (change) => {
    try { return change(localStorage); } catch { return null; } // a page from a file may have none
  };
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
  const name = () => { theme.textContent = isDark() ? "Light theme" : "Dark theme"; };
  const chosen = kept((storage) => storage.getItem("memctl-theme"));
  if (chosen === "dark" || chosen === "light") root.dataset.theme = chosen;
  theme.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    kept((storage) => storage.setItem("memctl-theme", root.dataset.theme));
    name();
  });
  system.addEventListener("change", name);
  name();

  // Filter: every word must occur in a row, a finding, a component or a screen.
  const box = document.getElementById("filter");
  const matches = document.getElementById("matches");
  const text = (node) => `${node.textContent} ${node.getAttribute("aria-label") ?? ""}`.toLowerCase();
  const items = all("[data-filter]").map((node) => ({ node, text: text(node) }));
  const nodes = all("[data-filter-dim]").map((node) => ({ node, text: text(node) }));
  const within = (node) => all("[data-filter]", node);
  const groups = all("[data-group]").map((node) => ({ node, items: within(node) }));
  const notes = all("[data-none]").map((node) => ({ node, items: within(node.parentElement) }));
  const opened = new Set();
  const apply = () => {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (item) => words.every((word) => item.text.includes(word));
    let count = 0;
    for (const item of items) {
      const shown = fits(item);
      item.node.hidden = !shown;
      count += shown;
    }
    for (const item of nodes) item.node.classList.toggle("dim", !fits(item));
    const any = (within) => within.some((node) => !node.hidden);
    for (const group of groups) {
      const wanted = words.length > 0 && any(group.items);
      group.node.hidden = words.length > 0 && !wanted;
      if (group.node.tagName === "DETAILS") show(group.node, wanted);
    }
    for (const note of notes) {
      note.node.hidden = !words.length || !note.items.length || any(note.items);
    }
    matches.textContent = words.length ? `${count} of ${items.length} shown` : "";
  };
  const show = (details, wanted) => {
    if (wanted && !details.open) {
      details.open = true;
      opened.add(details);
    } else if (!wanted && opened.delete(details)) {
      details.open = false;
    }
  };
  box.addEventListener("input", apply);
  box.form.addEventListener("submit", (event) => { event.preventDefault(); apply(); });
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      box.focus();
    }
  });
  if (box.value) apply();

  // Tables: a click on a column's name sorts by it, a second one the other way round.
  const value = (row, index) => {
    const cell = row.cells[index];
    return cell.dataset.value ?? cell.textContent;
  };
  const compare = (one, other) => {
    const [left, right] = [Number(one), Number(other)];
    if (one !== "" && other !== "" && !Number.isNaN(left) && !Number.isNaN(right)) return left - right;
    return one.localeCompare(other);
  };
  const sort = (head) => {
    const table = head.closest("table");
    const down = head.getAttribute("aria-sort") === "ascending";
    for (const other of all("thead th", table)) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = table.tBodies[0];
    const empty = (row) => row.cells[head.cellIndex].dataset.value === "";
    const rows = [...body.rows].sort((one, other) =>
      empty(one) - empty(other) // what is not known stands last either way
      || (down ? -1 : 1) * compare(value(one, head.cellIndex), value(other, head.cellIndex)));
    body.append(...rows);
  };
  for (const head of all("thead th")) head.querySelector("button").addEventListener("click", () => sort(head));

  for (const button of all(".open-all")) {
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-expanded") !== "true";
      for (const one of all("details.answer", button.closest("section"))) one.open = open;
      button.setAttribute("aria-expanded", String(open));
      button.firstChild.textContent = open ? "Close all tables" : "Open all tables";
    });
  }
  const follow = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (target && target.tagName === "DETAILS") target.open = true;
  };
  addEventListener("hashchange", follow);
  follow();
  addEventListener("beforeprint", () => { for (const one of all("details.answer")) one.open = true; });

  // Graph: the ways of the screen that is pointed at.
  for (const graph of all(".states")) {
    const ways = all(".arrow, .label", graph);
    for (const node of all(".node", graph)) {
      const light = (on) => {
        graph.classList.toggle("lighting", on);
        for (const way of ways) {
          const touches = way.dataset.from === node.dataset.node || way.dataset.to === node.dataset.node;
          way.classList.toggle("lit", on && touches);
        }
      };
      for (const [event, on] of [["mouseenter", true], ["mouseleave", false], ["focus", true], ["blur", false]]) {
        node.addEventListener(event, () => light(on));
      }
    }
  }
  for (const button of all(".zoom")) {
    button.addEventListener("click", () => {
      const full = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(full));
      button.closest(".graph").classList.toggle("full", full);
    });
  }
  for (const button of all(".copy")) {
    button.addEventListener("click", async () => {
      const code = button.parentElement.querySelector("code");
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(code); // then the reader's own copy takes it
      }
    });
  }
})();
