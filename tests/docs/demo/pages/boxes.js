// Lists what a person sees: controls and texts, with their boxes in CSS pixels, as JSON in
// <script id="boxes">, where the rendering script finds it in the dumped document.
//   element  which one it is: "scope/type:label" or "scope/row/type:label" (data-el instead of the
//            last part where two would share it)
//   drawn    how it is drawn: two boxes with the same element and the same drawn look the same
const CONTROLS = "[data-type], button, .input, .toggle, .check, .badge, .link, h1, h2";

function kind(node) {
  if (node.dataset.type) return node.dataset.type;
  if (node.matches("h1, h2")) return "heading";
  for (const name of ["input", "toggle", "badge", "tab", "link"]) if (node.classList.contains(name)) return name;
  if (node.matches(".check")) return "checkbox";
  return node.matches(".icon-btn") ? "icon" : "button";
}

function words(text) {
  return text.replace(/\s+/g, " ").trim();
}

function entry(node, type, label) {
  const scope = node.closest("[data-scope]").dataset.scope;
  const row = node.closest("[data-row]");
  const place = row ? `${scope}/${row.dataset.row}` : scope;
  return { node, type, label, element: `${place}/${node.dataset.el || `${type}:${label}`}` };
}

function looseTexts(root) {
  const found = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (words(walker.currentNode.data) && !parent.closest(CONTROLS)) found.push(parent);
  }
  return [...new Set(found)];
}

function labelled() {
  const root = document.getElementById("screen");
  const controls = [...root.querySelectorAll(CONTROLS)]
    .map((node) => entry(node, kind(node), words(node.getAttribute("aria-label") || node.textContent)));
  const texts = looseTexts(root).map((node) => entry(node, "text", words(node.textContent)));
  return [...controls, ...texts];
}

// A text is as wide as its words, not as its paragraph.
function extent({ node, type }) {
  if (type !== "text" && type !== "heading") return node.getBoundingClientRect();
  const range = document.createRange();
  range.selectNodeContents(node);
  return range.getBoundingClientRect();
}

function whole(rect) {
  const x = Math.floor(rect.left), y = Math.floor(rect.top);
  return { x, y, w: Math.ceil(rect.right) - x, h: Math.ceil(rect.bottom) - y };
}

// Completely on the screen and not under anything else: its four corners and its middle are its own.
function visible(node, { x, y, w, h }) {
  const clip = (node.closest("main") || document.getElementById("screen")).getBoundingClientRect();
  if (w < 4 || h < 4 || x < clip.left || y < clip.top || x + w > clip.right || y + h > clip.bottom) return false;
  const inset = Math.min(4, w / 4, h / 4);
  const points = [[x + w / 2, y + h / 2], [x + inset, y + inset], [x + w - inset, y + inset],
    [x + inset, y + h - inset], [x + w - inset, y + h - inset]];
  return points.every(([left, top]) => {
    const hit = document.elementFromPoint(left, top);
    return hit && (node.contains(hit) || hit.contains(node));
  });
}

function ground(node) {
  for (let at = node; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    if (colour !== "rgba(0, 0, 0, 0)") return colour;
  }
  return "none";
}

function look(node, { w, h }) {
  const style = getComputedStyle(node);
  return [ground(node), ground(node.parentElement), style.color, style.borderColor, `${style.fontWeight} ${style.fontSize}`,
    style.textDecorationLine, node.disabled ? "disabled" : "", `${w}x${h}`].join(";");
}

function collect() {
  const seen = new Set(), boxes = [];
  for (const each of labelled()) {
    const box = whole(extent(each));
    if (!visible(each.node, box)) continue;
    if (seen.has(each.element)) throw new Error(`two elements are called "${each.element}"`);
    seen.add(each.element);
    boxes.push({ ...box, type: each.type, label: each.label, element: each.element, drawn: look(each.node, box) });
  }
  return boxes;
}

function publish(result) {
  const out = document.createElement("script");
  out.type = "application/json";
  out.id = "boxes";
  out.textContent = JSON.stringify(result).replace(/</g, "\\u003c");
  document.body.append(out);
}

try {
  build();
  publish({ boxes: collect() });
} catch (error) {
  publish({ error: String(error) });
}
