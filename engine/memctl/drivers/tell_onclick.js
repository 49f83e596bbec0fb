// In the page's own world: tells by that event which elements below a root have an onclick.
function(root) {
  const composed = root === document, documentIn = (el) => {
    try { return el.contentDocument; } catch { return null; }
  };
  const visit = (node) => {
    for (let el = node.firstElementChild; el; el = el.nextElementSibling) {
      if (!el.hasAttribute("onclick") && typeof el.onclick === "function") el.dispatchEvent(new Event("memctl-onclick", { composed }));
      if (el.shadowRoot) visit(el.shadowRoot);
      const inner = documentIn(el);
      if (inner) visit(inner);
      visit(el);
    }
  };
  visit(root);
}
