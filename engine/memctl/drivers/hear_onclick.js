// Lets memctl's world hear, by an event, what the page's own world gave an onclick.
() => {
  globalThis.memctlClicked = new WeakSet();
  globalThis.memctlHear ??= (event) => globalThis.memctlClicked.add(event.composedPath()[0]);
  const listen = (view) => {
    try { view.document.addEventListener("memctl-onclick", memctlHear, true); } catch { return; }
    for (let at = 0; at < view.length; at += 1) listen(view[at]);
  };
  listen(window);
}
