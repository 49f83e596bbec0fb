// Resolves when a page has settled, with an empty text; with what still moves where the time is over.
async ({ quiet, timeout }) => {
  const end = performance.now() + timeout;
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  const documents = [];
  let last = performance.now();
  // A caret or a dot that a script blinks for ever is no change of the page.
  const isTiny = (el) => {
    const { width, height } = el.getBoundingClientRect?.() ?? {};
    return width * height > 0 && width <= 24 && height <= 24;
  };
  const watcher = new MutationObserver((changes) => {
    if (changes.some((one) => one.type !== "attributes" || !isTiny(one.target))) last = performance.now();
  });
  const visit = (root) => {
    watcher.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    if (root.nodeType === 9) documents.push(root);
    for (const el of root.querySelectorAll("*")) {
      if (el.shadowRoot) visit(el.shadowRoot);
      if (el.localName !== "iframe") continue;
      try { if (el.contentDocument) visit(el.contentDocument); } catch { /* another origin */ }
    }
  };
  visit(document);
  const isSeen = (el) => el.getClientRects().length
    && el.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const spinners = "[role=progressbar]:not([aria-valuenow]), progress:not([value]), [aria-busy=true]";
  const turning = /(^|[\s_-])(spinner|spinning|loading|loader|skeleton)([\s_-]|$)/i;
  const waiting = /^(running|loading|connecting|working|processing|saving|starting|please wait)\s*(\u2026|\.{3})$/i;
  const saidIn = (one) => {
    const texts = one.createTreeWalker(one.body ?? one, 4);
    while (texts.nextNode()) {
      const text = texts.currentNode.data;
      if (text.length < 40 && waiting.test(text.trim()) && isSeen(texts.currentNode.parentElement)) return text.trim();
    }
    return "";
  };
  const movingIn = (one) => {
    if (one.fonts.status === "loading") return "fonts are loaded";
    for (const each of one.getAnimations()) {
      const el = each.effect?.target;
      if (each.playState !== "running" || !el) continue;
      if (Number.isFinite(each.effect.getComputedTiming().endTime)) return "an animation runs";
      if (turning.test(`${el.getAttribute("class")} ${el.parentElement?.getAttribute("class")}`) && isSeen(el)) return "a spinner turns";
    }
    if ([...one.querySelectorAll(spinners)].some(isSeen)) return "it is marked as busy";
    const said = saidIn(one);
    return said && `it says "${said}"`;
  };
  let moving = "";
  while (performance.now() < end) {
    moving = performance.now() - last < quiet ? "its document changes" : "";
    for (const one of documents) moving = moving || movingIn(one);
    if (!moving) break;
    await sleep(25);
  }
  watcher.disconnect();
  return { moving };
}
