// Boxes of what can be seen on a page. Its rules are told in docs/eyes.md.
const W = innerWidth, H = innerHeight;
const REGIONS = new Set(["section", "aside", "nav", "main", "form", "fieldset", "dialog", "table",
  "details"]);
const LANDMARKS = new Set(["aside", "nav", "main", "banner", "navigation", "complementary", "contentinfo"]);
const isLandmark = (el) => LANDMARKS.has(roleOf(el) || el.localName);
const REGION_ROLES = new Set(["region", "navigation", "toolbar", "dialog", "alertdialog",
  "tabpanel", "menu", "menubar", "tablist", "group", "complementary", "tree", "grid", "form"]);
const ROW_ROLES = new Set(["row", "listitem", "option", "treeitem"]);
const ICON = 48, GAP = 24, SMALLEST = 4;
// Of a page of many elements those far away are passed over; beyond a time or a number it is cut.
const LARGE = 5000, FAR = 2000, LONGEST_MS = 4000, MOST_BOXES = 5000;
const large = document.getElementsByTagName("*").length > LARGE, began = performance.now();
const roots = [document];
let late = false;
const isFar = (r) => r.width && r.height && (r.bottom < -FAR || r.right < -FAR || r.top > H + FAR
  || r.left > W + FAR);

const rectOf = (r, at) => ({ left: r.left + at.dx, top: r.top + at.dy,
  right: r.right + at.dx, bottom: r.bottom + at.dy });
const wide = (r) => Math.max(0, r.right - r.left);
const high = (r) => Math.max(0, r.bottom - r.top);
const area = (r) => wide(r) * high(r);
const meet = (a, b) => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
  right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) });
const join = (a, b) => ({ left: Math.min(a.left, b.left), top: Math.min(a.top, b.top),
  right: Math.max(a.right, b.right), bottom: Math.max(a.bottom, b.bottom) });
const seen = (r) => wide(r) >= SMALLEST && high(r) >= SMALLEST;
const iou = (a, b) => { const both = area(meet(a, b)); return both / (area(a) + area(b) - both); };

// Clips of the children: in the flow, of absolute boxes and of fixed ones.
const clipsIn = (el, style, at, rect, own) => {
  const page = el === el.ownerDocument.body || el === el.ownerDocument.documentElement;
  if (page || isInline(style)) return { flow: own, abs: at.abs, fixed: at.fixed };
  const painted = /paint|strict|content/.test(style.contain);
  const inner = { ...own };
  const sx = el.offsetWidth ? wide(rect) / el.offsetWidth : 1;
  const sy = el.offsetHeight ? high(rect) / el.offsetHeight : 1;
  if (painted || style.overflowX !== "visible") {
    const left = rect.left + (el.clientLeft || 0) * sx;
    inner.left = Math.max(own.left, left);
    inner.right = Math.min(own.right, el.clientWidth ? left + el.clientWidth * sx : rect.right);
  }
  if (painted || style.overflowY !== "visible") {
    const top = rect.top + (el.clientTop || 0) * sy;
    inner.top = Math.max(own.top, top);
    inner.bottom = Math.min(own.bottom, el.clientHeight ? top + el.clientHeight * sy : rect.bottom);
  }
  const moved = style.transform !== "none" || style.filter !== "none" || painted;
  return { flow: inner, abs: moved || style.position !== "static" ? inner : at.abs,
    fixed: moved ? inner : at.fixed };
};

const controls = [], pictures = [], lines = [], fields = [];

const isPicture = (el, style, rect) => {
  if (["img", "svg", "canvas", "video", "object", "embed", "iframe"].includes(el.localName))
    return true;
  if (el.childElementCount || rootIn(el) || textOf(el)) return false;
  if (wide(rect) > ICON || high(rect) > ICON) return false;
  if (/url\(/.test(style.backgroundImage + style.maskImage)) return true;
  const drawn = el.ownerDocument.defaultView.getComputedStyle(el, "::before").content;
  return !["none", "normal", '""'].includes(drawn) || el.textContent.trim() !== "";
};

// Pieces of a text node, one a line or, where it is wrapped, one a word.
const piecesOf = (node) => {
  const range = node.ownerDocument.createRange();
  range.selectNodeContents(node);
  const rects = [...range.getClientRects()].filter((r) => r.width > 0.5 && r.height > 0.5);
  if (rects.length <= 1) return rects.map((rect) => ({ rect, text: node.data }));
  const pieces = [];
  for (const word of node.data.slice(0, 4000).matchAll(/^\s*\S+\s*|\S+\s*/g)) {
    range.setStart(node, word.index + word[0].search(/\S/));
    range.setEnd(node, word.index + word[0].trimEnd().length);
    const rect = range.getClientRects()[0];
    if (rect?.width > 0.5) pieces.push({ rect, text: word[0] });
  }
  return pieces;
};
const addText = (node, at) => {
  let last = lines.at(-1);
  if (isGlyph(node)) return;
  if (!node.data.trim()) {
    if (last?.block === at.block) last.text += " ";
    return;
  }
  for (const piece of piecesOf(node)) {
    const whole = rectOf(piece.rect, at);
    last = lines.at(-1);
    const near = last && last.block === at.block && last.control === at.control
      && Math.min(last.whole.bottom, whole.bottom) - Math.max(last.whole.top, whole.top)
        > Math.min(high(last.whole), high(whole)) / 2
      && Math.max(whole.left - last.whole.right, last.whole.left - whole.right) < GAP;
    const rect = meet(whole, at.flow);
    if (near) {
      last.whole = join(last.whole, whole);
      if (seen(rect)) last.rect = seen(last.rect) ? join(last.rect, rect) : rect;
      last.text += piece.text;
    } else {
      lines.push({ el: at.el, block: at.block, control: at.control, whole, rect,
        text: piece.text, section: at.section, heading: at.heading });
    }
  }
};

const regionName = (el) => {
  const region = REGIONS.has(el.localName) || REGION_ROLES.has(roleOf(el));
  if (!region) return "";
  const legend = el.querySelector(":scope > :is(legend, caption, summary)");
  return ariaName(el) || (legend ? textOf(legend) : "");
};

// Returns the heading that what follows stands under: `el`'s own, or that of its low header.
const walk = (el, at) => {
  if (UNSEEN.has(el.localName) || late) return null;
  if (large && at.el !== el) {
    late = performance.now() - began > LONGEST_MS;
    if (el.ownerDocument === document && isFar(el.getBoundingClientRect())) return null;
  }
  const style = styleOf(el);
  const boxless = style.display === "contents";
  if (!boxless && !el.checkVisibility()) return null;
  const opacity = at.opacity * Number(style.opacity);
  if (opacity < 0.05) return null;
  const rect = rectOf(el.getBoundingClientRect(), at);
  let own = style.position === "fixed" ? at.fixed : style.position === "absolute" ? at.abs : at.flow;
  if (el.matches(":modal, :popover-open")) own = { left: 0, top: 0, right: W, bottom: H };
  const shown = meet(rect, own);
  const visible = style.visibility === "visible" && !boxless;
  const field = at.field || isField(el);
  const heading = isHeading(el);
  const inside = { ...at, ...clipsIn(el, style, at, rect, own), el, opacity, field,
    pointer: style.cursor === "pointer", section: regionName(el) || (isLandmark(el) ? "" : at.section),
    heading: at.heading || heading, block: isInline(style) ? at.block : el };
  if (isField(el)) fields.push({ el, rect: shown });
  if (visible && seen(shown)) {
    const rank = rankOf(el, style, at);
    if (rank >= 0 && (isField(el) || area(shown) <= W * H / 4)) {
      inside.control = { el, rank, rect: shown, whole: rect, parent: at.control,
        section: inside.section, live: true, kind: kindOf(el, rank) };
      controls.push(inside.control);
    }
    if (!at.field && !at.picture && isPicture(el, style, rect)) {
      inside.picture = true;
      if (!documentIn(el)) {
        pictures.push({ el, rect: shown, control: inside.control, section: inside.section,
          parent: at.control });
      }
    }
  }
  const inner = documentIn(el);
  if (inner || rootIn(el)) roots.push(inner || rootIn(el));
  if (inner || rootIn(el)) refuseHidden(roots.at(-1));
  if (inner?.body) {
    const sx = el.offsetWidth ? wide(rect) / el.offsetWidth : 1;
    const dx = rect.left + (el.clientLeft + parseFloat(style.paddingLeft)) * sx;
    const dy = rect.top + (el.clientTop + parseFloat(style.paddingTop)) * sx;
    const view = meet({ left: dx, top: dy, right: dx + el.clientWidth, bottom: dy + el.clientHeight },
      inside.flow);
    walk(inner.body, { ...inside, dx, dy, flow: view, abs: view, fixed: view, picture: false });
    return null;
  }
  if (["select", "textarea", "input", "video", "canvas"].includes(el.localName)) return null;
  if (el.localName === "svg" && Math.max(wide(rect), high(rect)) <= ICON) return null;
  let under = null;
  for (const child of childrenOf(el)) {
    if (child.nodeType === 3 && visible && !field) addText(child, inside);
    if (child.nodeType !== 1) continue;
    const found = walk(child, inside);
    if (found) { inside.section = found.text; under = found; }
  }
  if (heading) return { text: textOf(el), high: high(rect) };
  return under && !isLandmark(el) && high(rect) <= 3 * under.high ? under : null;
};

const everything = { left: 0, top: 0, right: W, bottom: H };
refuseHidden(document);
if (document.body) walk(document.body, { dx: 0, dy: 0, flow: everything, abs: everything, fixed: everything,
  opacity: 1, pointer: false, control: null, field: false, section: "", block: document.body,
  el: document.body, heading: false, picture: false });

// Of two controls that repeat each other one stays; what holds several is a panel.
const filled = new Set([...lines, ...pictures].filter((one) => seen(one.rect)).map((one) => one.control));
const isWrapper = (one) => !filled.has(one);
const inner = new Map(controls.map((one) => [one, []]));
for (const one of [...controls].reverse()) {
  const within = inner.get(one).filter((other) => other.live);
  const only = within.length === 1 ? within[0] : null;
  if (only && (area(only.rect) >= area(one.rect) / 2 || isWrapper(one))) {
    const [loser, winner] = one.rank > only.rank ? [only, one] : [one, only];
    loser.live = false;
    if (loser === one) winner.outer = one.el;
  } else if (within.length && one.rank <= 1) {
    one.live = false;
  }
  for (let up = one.parent; up; up = up.parent) inner.get(up).push(one);
}
const living = (control) => { while (control && !control.live) control = control.parent; return control; };
const isLeaf = (control) => !inner.get(control).some((other) => other.live);

// Rows, cards and items: what is marked as one, or is one of at least three equal siblings.
const cached = (of) => {
  const known = new Map();
  return (el) => { if (!known.has(el)) known.set(el, of(el)); return known.get(el); };
};
const CELLS = new Set(["td", "th"]), CELL_ROLES = new Set(["cell", "gridcell"]);
const kindsIn = cached((parent) => {
  const counts = new Map();
  for (const el of elementsIn(parent)) {
    const kind = `${el.localName} ${classNameOf(el)}`;
    counts.set(kind, (counts.get(kind) || 0) + 1);
  }
  return counts;
});
const isHead = (el) => el.parentElement?.localName === "thead"
  || (el.querySelector(":scope > :is(th, [role=columnheader])")
    && !el.querySelector(":scope > :is(td, [role=cell], [role=gridcell], [role=rowheader])"));
const isRow = cached((el) => {
  if (CELLS.has(el.localName) || CELL_ROLES.has(roleOf(el)) || isLandmark(el)) return false;
  if (el.localName === "tr" || roleOf(el) === "row") return !isHead(el);
  if (ROW_ROLES.has(roleOf(el)) || el.localName === "li") return true;
  const parent = el.parentElement;
  return Boolean(parent && classOf(el)) && kindsIn(parent).get(`${el.localName} ${classNameOf(el)}`) >= 3;
});
const isPressed = (control) => {
  const owner = living(control);
  return owner && owner.rank > 1 && ["button", "checkbox", "radio"].includes(owner.kind);
};
const textsOf = new Map(), rowsIn = new Map();
for (const line of lines) {
  const text = tidy(line.text);
  if (!text) continue;
  for (let el = line.el; el?.nodeType === 1; el = parentOf(el)) {
    if (!isRow(el)) continue;
    if (!textsOf.has(el)) {
      textsOf.set(el, []);
      rowsIn.set(el.parentNode, [...(rowsIn.get(el.parentNode) || []), el]);
    }
    textsOf.get(el).push({ text, pressed: isPressed(line.control) });
  }
}
// The column that names the rows: the first one of words that differ from row to row.
const hasLetter = (text) => /\p{L}/u.test(text || "");
const columnOf = cached((parent) => {
  const rows = rowsIn.get(parent).map((row) => textsOf.get(row));
  return [0, 1, 2, 3, 4, 5].find((at) => rows.every((texts) => hasLetter(texts[at]?.text))
    && new Set(rows.map((texts) => texts[at].text)).size > 0.7 * rows.length);
});
const rowName = cached((row) => {
  const first = row.querySelector("h1,h2,h3,h4,h5,h6,[role=heading],th,[role=rowheader]");
  const name = ariaName(row) || (first && textOf(first));
  if (name || !textsOf.has(row)) return name || "";
  const texts = textsOf.get(row), free = texts.filter((one) => !one.pressed);
  return (texts[columnOf(row.parentNode)] || free.find((one) => hasLetter(one.text)) || free[0])?.text || "";
});
const rowOf = cached((el) => {
  if (!el || el.nodeType !== 1 || el === el.ownerDocument.body) return null;
  return isRow(el) && rowName(el) ? el : rowOf(parentOf(el));
});

// The text next to what has no name, in the same part of the page.
const captions = lines.filter((one) => seen(one.rect) && tidy(one.text) && !living(one.control));
const captionsIn = cached((el) => captions.filter((one) => holds(el, one.el)));
const besideOf = (el, rect) => {
  const away = ({ rect: r }) => Math.max(r.left - rect.right, rect.left - r.right,
    r.top - rect.bottom, rect.top - r.bottom, 0);
  for (let at = parentOf(el); at?.nodeType === 1 && !isLandmark(at); at = parentOf(at)) {
    const [near] = [...captionsIn(at)].sort((a, b) => away(a) - away(b));
    if (near) return away(near) <= ICON ? tidy(near.text) : "";
  }
  return "";
};

// The share of five points at which something painted stands before an element.
const OPAQUE = new Set(["img", "svg", "canvas", "video", "iframe", "input", "textarea", "select"]);
const isFilled = ({ backgroundColor }) => Number((backgroundColor.match(/[\d.]+/g) || [])[3] ?? 1) > 0.05;
const paints = (el) => el.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  && (OPAQUE.has(el.localName) || isFilled(styleOf(el)) || styleOf(el).backgroundImage !== "none");
// What lets clicks through hides as well: while boxes are made, everything takes them.
const sheets = roots.map((root) => {
  const sheet = new (root.ownerDocument ?? root).defaultView.CSSStyleSheet();
  sheet.replaceSync("*, *::before, *::after { pointer-events: auto !important }");
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  return sheet;
});
// An element that is painted paints where its box is, which its children may leave.
const isAt = (el, x, y) => {
  const r = el.getBoundingClientRect();
  return el.ownerDocument !== document
    || (x >= r.left && x <= r.right && y >= r.top && y <= r.bottom);
};
const hides = (top, el, x, y) => {
  if (!top || holds(el, top) || [...(el.labels || [])].some((one) => holds(one, top))) return false;
  for (let at = top; at && !holds(at, el); at = parentOf(at)) {
    if (at.nodeType !== 1) continue;
    if (paints(at) && isAt(at, x, y)) return true;
    if (at.matches(":modal") && isFilled(getComputedStyle(at, "::backdrop"))) return true;
  }
  return false;
};
const coveredOf = (el, rect) => {
  const points = large ? [[0.5, 0.5]] : [[0.5, 0.5], [0.15, 0.2], [0.85, 0.2], [0.15, 0.8], [0.85, 0.8]];
  return points.filter(([px, py]) => {
    const x = rect.left + px * wide(rect), y = rect.top + py * high(rect);
    return hides(topAt(x, y), el, x, y);
  }).length / points.length;
};

const isCut = (one) => wide(one.whole) - wide(one.rect) > 2;
const boxes = [], owners = [];
const add = (el, rect, type, label, more) => {
  const covered = coveredOf(el, rect);
  if (covered === 1) return;
  const rowEl = rowOf(parentOf(el)), row = rowEl ? rowName(rowEl) : "";
  const round = (number) => Math.round(number * 100) / 100;
  const box = { x: round(rect.left), y: round(rect.top), w: round(wide(rect)), h: round(high(rect)),
    label, type, source: "dom", scale: devicePixelRatio };
  if (row && row !== label) box.row = row;
  const beside = label || row ? "" : besideOf(el, rect);
  if (beside) box.beside = beside;
  if (more.section && more.section !== label && more.section !== row) box.section = more.section;
  if (more.cut) box.cut = true;
  if (more.field) box.field = box.emptied = true;
  if (more.dynamic) box.dynamic = true;
  if (covered) box.covered = covered;
  boxes.push(box);
  owners.push({ el, rect });
};

const isFull = () => {
  const full = boxes.length >= MOST_BOXES || performance.now() - began > 2 * LONGEST_MS;
  late = late || full;
  return full;
};
const cutIn = new Set();
try {
for (const line of lines.filter((one) => seen(one.rect) && isCut(one))) {
  cutIn.add(living(line.control));
}
const skipped = new Set(controls.filter((one) => one.live).map((one) => one.el));
for (const one of controls.filter((each) => each.live)) {
  if (isFull()) break;
  let label = nameOf(one.el, skipped) || (one.outer ? nameOf(one.outer, skipped) : "");
  let cut = cutIn.has(one);
  const title = attribute(one.el, "title") || attribute(one.el, "aria-label");
  const stem = label.replace(/\s*(…|\.\.\.)$/, "");
  if (stem !== label && title.length > label.length && title.startsWith(stem)) {
    label = title;
    cut = true;
  }
  const field = isField(one.el);
  add(one.el, one.rect, one.kind, label, { section: one.section, cut: cut && !field, field });
}
for (const one of pictures) {
  if (isFull()) break;
  const owner = living(one.control);
  const small = Math.max(wide(one.rect), high(one.rect)) <= ICON;
  if (owner && owner.el === one.el) continue;
  if (one.el.localName === "canvas" && area(one.rect) > W * H / 4) continue;
  if (owner && isLeaf(owner)) {
    const last = (one.rect.left + one.rect.right) / 2 > owner.rect.right - wide(owner.rect) / 5;
    if (!(small && last && ["tab", "option"].includes(owner.kind))) continue;
  }
  const name = ariaName(one.el) || pictureName(one.el) || attribute(parentOf(one.el), "title");
  add(one.el, one.rect, small ? "icon" : "image", name,
    { section: one.section, dynamic: one.el.localName === "video" });
}
for (const one of lines) {
  if (isFull()) break;
  const owner = living(one.control), label = tidy(one.text);
  if (owner && isLeaf(owner)) continue;
  if (!label || !seen(one.rect) || high(one.rect) < 0.7 * high(one.whole)) continue;
  add(one.el, one.rect, one.heading ? "heading" : "text", label,
    { section: one.section, cut: isCut(one) });
}

} finally {
  roots.forEach((root, at) => {
    root.adoptedStyleSheets = [...root.adoptedStyleSheets].filter((one) => one !== sheets[at]);
  });
}

// Of equal places the first stays: controls come before pictures, these before texts.
const kept = [];
for (let at = 0; at < boxes.length; at += 1) {
  if (!kept.some((other) => iou(owners[other].rect, owners[at].rect) > 0.85)) kept.push(at);
}
// The accessibility tree names what holds a field after what is typed there: never asked.
const isMute = (el) => !el.textContent.trim()
  && !["aria-label", "title", "alt"].some((name) => el.getAttribute(name)?.trim());
const nameless = kept.filter((at) => !boxes[at].label && isMute(owners[at].el)
  && !fields.some((field) => holds(owners[at].el, field.el)));
return {
  late, scale: devicePixelRatio, url: location.href,
  title: partOf(Document, "title")(document).replace(/(?!\s)\p{Cc}/gu, ""),
  boxes: kept.map((at) => boxes[at]),
  nameless: nameless.map((at) => owners[at].el),
  places: nameless.map((at) => kept.indexOf(at)),
  unblanked: fields.filter((one) => area(one.rect) && !isBlank(one.el)).map(({ rect }) =>
    ({ x: rect.left, y: rect.top, width: wide(rect), height: high(rect) })),
};
