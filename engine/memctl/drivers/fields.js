// Blanks the contents of fields in a document and all of its shadow roots, or undoes that; tells
// whether they were blank until now.
({ css, on }) => {
  const key = Symbol.for("memctl.fields");
  const roots = [];
  const mark = (el) => {
    const typed = el.localName === "textarea"
      || (el.localName === "input" && ["text", "search", "email", "tel", "url", "number",
        "password"].includes(el.type));
    if (!typed || el.tabIndex < 0 || el.getAttribute("aria-hidden") === "true") return;
    if (!el.checkVisibility({ visibilityProperty: true })) return;
    const own = el.getBoundingClientRect();
    let opacity = 1;
    for (let at = el; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
    if (own.width >= 8 && own.height >= 8 && opacity >= 0.05) return;
    // A hidden text input: an editor draws what is typed elsewhere.
    let box = el.parentElement;
    const small = (r) => r.width < 40 || r.height < 16;
    while (box && small(box.getBoundingClientRect())) box = box.parentElement;
    if (box && box !== document.body && box !== document.documentElement && box.localName !== "form") {
      box.setAttribute("data-memctl-field", "");
    }
  };
  const visit = (root) => {
    roots.push(root);
    for (const el of root.querySelectorAll("*")) {
      const inner = el.shadowRoot ?? el[Symbol.for("memctl.closed")];
      if (inner) visit(inner);
      if (on) mark(el);
    }
  };
  visit(document);
  const sheet = document[key];
  const blank = Boolean(sheet) && roots.every((root) => root.adoptedStyleSheets.includes(sheet));
  for (const root of roots) {
    root.adoptedStyleSheets = [...root.adoptedStyleSheets].filter((one) => one !== sheet);
  }
  delete document[key];
  if (on) {
    const added = new CSSStyleSheet();
    added.replaceSync(css);
    for (const root of roots) root.adoptedStyleSheets = [...root.adoptedStyleSheets, added];
    Object.defineProperty(document, key, { value: added, configurable: true });
  }
  return { blank };
}
