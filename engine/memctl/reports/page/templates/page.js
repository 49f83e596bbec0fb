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

  // The address keeps what is looked at: #PLACE?q=words&TABLE.COLUMN=text&TABLE.sort=-COLUMN
  let asked = new URLSearchParams();
  const place = () => location.hash.slice(1).split("?")[0];
  const keep = (key, value) => {
    if (value) asked.set(key, value); else asked.delete(key);
    const query = asked.toString();
    history.replaceState(null, "", `#${place()}${query && `?${query}`}`);
  };

  // Filter: every word must occur in a row, a finding, a component or a screen. What there is to
  // find is looked up when the first word is typed: a page opens sooner than it is searched.
  const box = document.getElementById("filter");
  const matches = document.getElementById("matches");
  const text = (node) => `${node.textContent} ${node.getAttribute("aria-label") ?? ""}`.toLowerCase();
  const words = () => box.value.toLowerCase().split(/\s+/).filter(Boolean);
  const THINGS = "[data-filter], .tiles li";
  let found = null;
  const things = () => (found ??= {
    items: all(THINGS).map((node) => ({ node, text: text(node) })),
    nodes: all("[data-filter-dim]").map((node) => ({ node, text: text(node) })),
    groups: all("[data-group]").map((node) => ({ node, items: all(THINGS, node) })),
    notes: all("[data-none]").map((node) => ({ node, items: all(THINGS, node.parentElement) })),
  });
  const opened = new Set();
  const show = (details, wanted) => {
    if (wanted && !details.open) {
      details.open = true;
      opened.add(details);
    } else if (!wanted && opened.delete(details)) {
      details.open = false;
    }
  };
  const keptOut = new WeakMap(); // rows that a column's filter hides
  const apply = () => {
    const { items, nodes, groups, notes } = things();
    const wanted = words();
    const fits = (item) => wanted.every((word) => item.text.includes(word));
    let count = 0;
    for (const item of items) {
      const shown = fits(item) && !keptOut.get(item.node);
      item.node.hidden = !shown;
      count += shown;
    }
    for (const item of nodes) item.node.classList.toggle("dim", !fits(item));
    const any = (within) => within.some((node) => !node.hidden);
    for (const group of groups) {
      const some = wanted.length > 0 && any(group.items);
      group.node.hidden = wanted.length > 0 && !some;
      if (group.node.tagName === "DETAILS") show(group.node, some);
    }
    for (const note of notes) {
      note.node.hidden = !wanted.length || !note.items.length || any(note.items);
    }
    matches.textContent = wanted.length ? `${count} of ${items.length} shown` : "";
  };
  box.addEventListener("input", () => { keep("q", box.value); apply(); });
  box.form.addEventListener("submit", (event) => { event.preventDefault(); apply(); });
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      box.focus();
    }
  });

  // Tables: a click on a column's name sorts by it, a second one the other way round. Below the
  // names stand filters: a part of the text, or <, <=, >, >= and = with a number or a time, which
  // may be a day.
  const value = (cell) => cell.dataset.value ?? cell.textContent;
  const compare = (one, other) => {
    const [left, right] = [Number(one), Number(other)];
    if (one !== "" && other !== "" && !Number.isNaN(left) && !Number.isNaN(right)) return left - right;
    return one.localeCompare(other);
  };
  const heads = (details) => all("thead tr:first-child th button", details);
  const column = (head) => head.textContent.replaceAll(" ", "_");
  const sort = (details, head, down) => {
    const table = head.closest("table");
    const index = head.cellIndex;
    for (const other of all("thead tr:first-child th", table)) other.setAttribute("aria-sort", "none");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const body = table.tBodies[0];
    const empty = (row) => row.cells[index].dataset.value === "";
    const rows = [...body.rows].sort((one, other) =>
      empty(one) - empty(other) // what is not known stands last either way
      || (down ? -1 : 1) * compare(value(one.cells[index]), value(other.cells[index])));
    body.append(...rows);
  };
  const UNITS = { "%": 0.01, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12 };
  const tester = (typed) => {
    const [, sign, rest] = typed.trim().match(/^(<=|>=|<|>|=)?\s*(.*)$/s);
    if (!sign) return (cell) => cell.textContent.toLowerCase().includes(rest.toLowerCase());
    const unit = rest.match(/^([\d.,]+)\s*([a-z%]*)$/i);
    const time = /^\d{4}-\d\d-\d\d/.test(rest);
    const number = () => String(Number(unit[1].replaceAll(",", "")) * (UNITS[unit[2].toLowerCase()] ?? 1));
    const limit = time ? rest.replace(" ", "T") : unit ? number() : rest;
    return (cell) => {
      if (value(cell) === "") return false;
      const by = compare(time ? value(cell).slice(0, limit.length) : value(cell), limit);
      return sign.includes("=") && by === 0 || sign[0] === "<" && by < 0 || sign[0] === ">" && by > 0;
    };
  };
  const narrow = (details) => {
    const inputs = all(".by-column input", details);
    const tests = inputs.map((input) => [input.parentElement.cellIndex, input.value.trim() && tester(input.value)]);
    const rows = [...details.querySelector("table").tBodies[0].rows];
    let count = 0;
    for (const row of rows) {
      const fits = tests.every(([index, test]) => !test || test(row.cells[index]));
      keptOut.set(row, !fits);
      row.hidden = !fits;
      count += fits;
    }
    const number = details.querySelector("summary .n");
    number.dataset.all ??= number.textContent;
    number.textContent = count === rows.length ? number.dataset.all : `${count} of ${number.dataset.all}`;
    if (words().length) apply();
  };
  // What a table needs is made when it is opened.
  const equip = (details) => {
    if (details.dataset.ready || !details.querySelector("table")) return;
    details.dataset.ready = "1";
    const row = document.createElement("tr");
    row.className = "by-column";
    for (const button of heads(details)) {
      const head = button.parentElement;
      const key = `${details.id}.${column(button)}`;
      const input = document.createElement("input");
      input.setAttribute("aria-label", `Only rows whose ${button.textContent} holds`);
      if (head.classList.contains("num")) input.placeholder = ">";
      input.value = asked.get(key) ?? "";
      input.addEventListener("input", () => { keep(key, input.value); narrow(details); });
      const cell = document.createElement("td");
      if (column(button) !== "picture") cell.append(input);
      row.append(cell);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        keep(`${details.id}.sort`, (down ? "-" : "") + column(button));
        sort(details, head, down);
      });
    }
    details.querySelector("thead").append(row);
    const by = asked.get(`${details.id}.sort`) ?? "";
    const head = heads(details).find((button) => column(button) === by.replace(/^-/, ""));
    if (head) sort(details, head.parentElement, by.startsWith("-"));
    if (all(".by-column input", details).some((input) => input.value)) narrow(details);
  };
  document.addEventListener("toggle", (event) => {
    if (event.target.matches?.(".answer") && event.target.open) equip(event.target);
  }, true);

  for (const button of all(".open-all")) {
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-expanded") !== "true";
      const chapter = button.closest("section");
      for (const one of all("details.answer, details.gallery-section", chapter)) one.open = open;
      button.setAttribute("aria-expanded", String(open));
      button.firstChild.textContent = open ? "Close all" : "Open all";
    });
  }

  // A link leads to what may stand in something closed; an address brings its filters along.
  const reveal = (id) => {
    const node = id && document.getElementById(id);
    if (!node) return;
    for (let at = node; at; at = at.parentElement) if (at.tagName === "DETAILS") at.open = true;
    for (const other of all(".target")) other.classList.remove("target");
    if (node.matches("li, details")) node.classList.add("target");
    node.scrollIntoView();
  };
  const follow = () => {
    const query = location.hash.split("?")[1];
    if (query === undefined) {
      if (asked.size) keep("", "");
    } else {
      asked = new URLSearchParams(query);
      box.value = asked.get("q") ?? "";
      for (const key of asked.keys()) {
        const details = document.getElementById(key.split(".")[0]);
        if (!details?.matches(".answer")) continue;
        details.open = true;
        equip(details);
      }
    }
    if (box.value) apply();
    reveal(place());
  };
  addEventListener("hashchange", follow);
  follow();
  addEventListener("beforeprint", () => { for (const one of all("details.answer")) one.open = true; });

  // Plots: what one points at or touches is told at once, not after a second.
  const tip = document.createElement("div");
  tip.className = "tip-box";
  tip.hidden = true;
  tip.setAttribute("aria-hidden", "true"); // the table says the same
  document.body.append(tip);
  const tell = (event) => {
    const hit = event.target.closest?.(".hit");
    tip.hidden = !hit;
    if (!hit) return;
    const title = hit.querySelector("title");
    if (title) {
      hit.dataset.tip = title.textContent;
      title.remove();
    }
    tip.textContent = hit.dataset.tip;
    const [width, height] = [tip.offsetWidth, tip.offsetHeight];
    tip.style.left = `${scrollX + Math.max(4, Math.min(event.clientX - width / 2, root.clientWidth - width - 4))}px`;
    tip.style.top = `${event.clientY > height + 20 ? event.pageY - height - 14 : event.pageY + 20}px`;
  };
  for (const event of ["pointermove", "pointerdown"]) document.addEventListener(event, tell, { passive: true });

  // Graph: the ways of the screen that is pointed at.
  for (const graph of all(".states")) {
    const light = (node, on) => {
      graph.classList.toggle("lighting", on);
      for (const way of all(".arrow, .label", graph)) {
        const touches = way.dataset.from === node.dataset.node || way.dataset.to === node.dataset.node;
        way.classList.toggle("lit", on && touches);
      }
    };
    for (const [event, on] of [["mouseover", true], ["mouseout", false], ["focusin", true], ["focusout", false]]) {
      graph.addEventListener(event, ({ target }) => {
        const node = target.closest(".node");
        if (node) light(node, on);
      });
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
