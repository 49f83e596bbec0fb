// Marks what stands for a hidden text input: an editor that draws its text elsewhere.
() => {
  const visit = (root) => {
    for (const el of root.querySelectorAll("*")) {
      if (el.shadowRoot) visit(el.shadowRoot);
      const typed = el.localName === "textarea"
        || (el.localName === "input" && ["text", "search", "email", "tel", "url", "number",
          "password"].includes(el.type));
      if (!typed || el.tabIndex < 0 || el.getAttribute("aria-hidden") === "true") continue;
      if (!el.checkVisibility({ visibilityProperty: true })) continue;
      const own = el.getBoundingClientRect();
      let opacity = 1;
      for (let at = el; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
      if (own.width >= 8 && own.height >= 8 && opacity >= 0.05) continue;
      let box = el.parentElement;
      const small = (r) => r.width < 40 || r.height < 16;
      while (box && small(box.getBoundingClientRect())) box = box.parentElement;
      if (box && box !== document.body && box !== document.documentElement && box.localName !== "form") {
        box.setAttribute("data-memctl-field", "");
      }
    }
  };
  visit(document);
}
