// Resolves when a page has settled, with true; with false where the time is over.
async ({ quiet, timeout }) => {
  const end = performance.now() + timeout;
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  const documents = [];
  let last = performance.now();
  const watcher = new MutationObserver(() => { last = performance.now(); });
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
  const spinners = '[role=progressbar]:not([aria-valuenow]), progress:not([value]), [aria-busy=true]';
  const busy = () => documents.some((one) => one.fonts.status === "loading"
    || one.getAnimations().some((each) => each.playState === "running"
      && Number.isFinite(each.effect?.getComputedTiming().endTime))
    || [...one.querySelectorAll(spinners)].some((el) => el.getClientRects().length
      && el.checkVisibility({ visibilityProperty: true, opacityProperty: true })));
  while (performance.now() < end) {
    if (performance.now() - last >= quiet && !busy()) {
      watcher.disconnect();
      return { settled: true };
    }
    await sleep(25);
  }
  watcher.disconnect();
  return { settled: false };
}
