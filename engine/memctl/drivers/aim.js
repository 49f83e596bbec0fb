// How an element of a scene is acted on: brought into view, at rest, with nothing before it, and
// guarded while the pointer is pressed. Stands behind dom.js; `handed` is what a scene left here.
const frameOf = (el) => {
  let dx = 0, dy = 0;
  for (let view = el.ownerDocument.defaultView; view?.frameElement; view = view.parent) {
    const frame = view.frameElement, r = frame.getBoundingClientRect(), style = styleOf(frame);
    dx += r.left + frame.clientLeft + parseFloat(style.paddingLeft);
    dy += r.top + frame.clientTop + parseFloat(style.paddingTop);
  }
  return { dx, dy };
};
// What is pressed for an element: of a hidden tick box its label.
const pressedFor = (el) => {
  const r = el.getBoundingClientRect();
  const shown = r.width > 1 && r.height > 1
    && el.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  return shown ? el : [...(el.labels || [])].find((one) => one.checkVisibility()) ?? el;
};
const belongs = (el, top) => holds(el, top) || [...(el.labels || [])].some((one) => holds(one, top))
  || (styleOf(el).pointerEvents === "none" && holds(top, el));
const placesOf = (el) => {
  const { dx, dy } = frameOf(el);
  const rects = [...el.getClientRects()].filter((r) => r.width > 1 && r.height > 1).slice(0, 4);
  const shares = [[0.5, 0.5], [0.5, 0.25], [0.5, 0.75], [0.2, 0.5], [0.8, 0.5], [0.05, 0.5]];
  return shares.flatMap(([sx, sy]) => rects.map((r) => (
    { x: r.left + dx + sx * r.width, y: r.top + dy + sy * r.height })));
};
const frames = (longest = 100) => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(done));
  setTimeout(done, longest);
});
const hitOf = (el) => {
  let covered = null;
  for (const { x, y } of placesOf(el)) {
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) continue;
    const top = topAt(x, y);
    if (top && belongs(el, top)) return { x, y };
    covered ??= top;
  }
  return covered ? { covered } : {};
};
const namedFor = (el) => {
  for (let at = el; at && at.nodeType === 1; at = parentOf(at)) {
    const name = ariaName(at) || textOf(at);
    if (name) return name.slice(0, 80);
  }
  return el.localName;
};
const boxOf = (el) => { const r = el.getBoundingClientRect(); return [r.left, r.top, r.width, r.height].map(Math.round).join(); };
// Returns the point where an element takes an act, or why it takes none.
const aimAt = async (el, still) => {
  if (!el.isConnected) return { why: "it is gone" };
  const on = pressedFor(el);
  let scrolled = false, hit = hitOf(on);
  for (const block of ["center", "start", "end"]) {
    if (hit.x !== undefined) break;
    on.scrollIntoView({ block, inline: "nearest", behavior: "instant" });
    scrolled = true;
    await frames();
    hit = hitOf(on);
  }
  if (hit.x === undefined) {
    return { scrolled, why: hit.covered ? `"${namedFor(hit.covered)}" lies over it` : "it cannot be seen" };
  }
  const end = performance.now() + still;
  for (let box = boxOf(on); ; ) {
    await frames(600); // what moves does so from frame to frame: a busy machine draws few
    const now = boxOf(on);
    if (now === box) break;
    if (performance.now() > end) return { scrolled, why: "it does not stand still" };
    box = now;
  }
  hit = hitOf(on);
  if (hit.x === undefined) return { scrolled, why: "it moved away" };
  return { scrolled, x: hit.x, y: hit.y };
};
const HOLDS_VALUE = new Set(["input", "textarea", "select"]); // a button has a value, too: an empty one
// Lets no press through that would hit another element, or one whose row says something else by now.
// A text without its blanks: where elements meet, a page writes none and a reader sees one.
const dense = (text) => (text || "").normalize("NFKC").replace(/\s+/g, "");
const guardOf = (els, at, watched) => {
  const el = els[at], on = pressedFor(el), names = ["pointerdown", "mousedown", "pointerup", "mouseup",
    "click", "dblclick", "auxclick", "contextmenu", "dragstart"];
  const told = { hit: false, why: "" };
  const check = (event) => {
    if (event.type === "pointerdown" || (!told.hit && !told.why)) {
      const path = event.composedPath();
      const same = watched.every(([one, text]) => els[one].isConnected
        && dense(HOLDS_VALUE.has(els[one].localName) ? valueOf(els[one]) : els[one].textContent)
          .includes(dense(text)));
      if (!path.includes(on) && !path.includes(el)) told.why ||= `"${namedFor(path[0])}" came in its place`;
      else if (!el.isConnected || !same) told.why ||= "its row says something else by now";
      else told.hit = true;
    }
    if (told.why) { event.stopImmediatePropagation(); event.preventDefault(); }
  };
  const views = new Set([window, el.ownerDocument.defaultView]);
  for (const view of views) for (const name of names) view.addEventListener(name, check, { capture: true });
  return { end: () => {
    for (const view of views) for (const name of names) view.removeEventListener(name, check, { capture: true });
    return told;
  } };
};
