// Helpers on elements: style, fields, the composed tree, text and names.
const NOT_TYPED = new Set(
  ["button", "submit", "reset", "image", "checkbox", "radio", "hidden", "range"]);
const FIELD_ROLES = new Set(["textbox", "searchbox", "spinbutton", "combobox"]);
const CONTROL_ROLES = new Set(["button", "link", "checkbox", "radio", "switch", "tab", "option",
  "menuitem", "menuitemcheckbox", "menuitemradio", "treeitem", "slider", ...FIELD_ROLES]);
const UNSEEN = new Set(["script", "style", "noscript", "template", "head", "title"]);

const styles = new Map();
const styleOf = (el) => {
  if (!styles.has(el)) styles.set(el, el.ownerDocument.defaultView.getComputedStyle(el));
  return styles.get(el);
};
const roleOf = (el) => (el.getAttribute("role") || "").trim().split(/\s+/)[0].toLowerCase();
const isInline = (style) => style.display === "inline" || style.display === "contents";
const classOf = (el) => el.getAttribute("class") || "";

// A frame's document where it is of the same origin, else null.
const documentIn = (el) => {
  if (el.localName !== "iframe" && el.localName !== "frame") return null;
  try { return el.contentDocument; } catch { return null; }
};

// A form calls its fields by their names, in every world, and hides its own parts behind such a name.
const PARTS = ["assignedSlot", "checkVisibility", "childElementCount", "childNodes", "clientHeight",
  "clientLeft", "clientTop", "clientWidth", "getAttribute", "getBoundingClientRect", "getClientRects",
  "getRootNode", "hasAttribute", "isContentEditable", "labels", "localName", "matches", "nodeType",
  "offsetHeight", "offsetWidth", "ownerDocument", "parentElement", "parentNode", "querySelector",
  "querySelectorAll", "scrollHeight", "scrollTop", "shadowRoot", "textContent"];
const refuseHidden = (root) => {
  for (const form of root.querySelectorAll("form")) {
    const name = PARTS.find((one) => Object.hasOwn(form, one));
    if (name) throw new Error(`a field of a form is called "${name}", which hides that part of the form`);
  }
};
const partOf = (type, name) => {
  const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
  return (el) => get.call(el);
};
const elementsIn = partOf(Element, "children"), classNameOf = partOf(Element, "className");

// The parent as it is drawn: through slots, shadow roots and frames.
const parentOf = (node) => {
  if (node.assignedSlot) return node.assignedSlot;
  const parent = node.parentNode;
  if (parent?.nodeType === 11 && parent.host) return parent.host;
  if (parent?.nodeType === 9) return parent.defaultView?.frameElement ?? null;
  return parent;
};
const holds = (outer, node) => {
  for (let at = node; at; at = parentOf(at)) if (at === outer) return true;
  return false;
};
// A closed root is told to its host while a look is taken.
const rootIn = (el) => el.shadowRoot ?? el[Symbol.for("memctl.closed")];
const childrenOf = (el) => {
  const root = rootIn(el);
  if (root) return root.childNodes;
  if (el.localName === "slot") {
    const given = el.assignedNodes({ flatten: true });
    if (given.length) return given;
  }
  return el.childNodes;
};

const isField = (el) => {
  if (el.localName === "textarea" || el.localName === "select") return true;
  if (el.localName === "input") return !NOT_TYPED.has(el.type);
  return el.isContentEditable || FIELD_ROLES.has(roleOf(el))
    || el.getAttribute("aria-haspopup") === "listbox"
    || el.hasAttribute("data-memctl-field");
};

// Whether nothing is seen of what was typed.
const isBlank = (el) => el.matches("input:placeholder-shown, textarea:placeholder-shown")
  || styleOf(el).webkitTextFillColor === "rgba(0, 0, 0, 0)";

// Private-use characters are glyphs of icon fonts. Inline spans add no blanks.
const tidy = (text) => (text || "").replace(/[\uE000-\uF8FF]|(?!\s)\p{Cc}/gu, "").replace(/\s+/g, " ")
  .trim().slice(0, 200);
// A word that its font draws as one sign ("more_vert") is a picture and no text.
const ICON_FONT = /material[ -]?(icons|symbols)|(^|[\s"'-])icons?\b|awesome|glyph|icomoon/i;
const isGlyph = (node) => {
  const text = node.data.trim(), style = node.parentElement && styleOf(node.parentElement);
  if (!style || !/^[a-z][a-z0-9_ ]{1,39}$/.test(text)) return false;
  if (ICON_FONT.test(style.fontFamily)) return true;
  if (text.length < 5 || text.includes(" ") || node.parentElement.childNodes.length > 1) return false;
  const range = node.ownerDocument.createRange();
  range.selectNodeContents(node);
  const { width } = range.getBoundingClientRect();
  return width > 0 && width <= 1.2 * parseFloat(style.fontSize);
};
const textOf = (root, skipped) => {
  let said = "";
  const visit = (node) => {
    if (node.nodeType === 3) { if (!isGlyph(node)) said += node.data; return; }
    if (node.nodeType !== 1 || UNSEEN.has(node.localName) || isField(node)) return;
    if (node !== root && skipped?.has(node)) return;
    const style = styleOf(node);
    if (node !== root && (style.display === "none" || style.visibility === "hidden")) return;
    const blank = isInline(style) && node.localName !== "br" ? "" : " ";
    said += blank;
    for (const child of childrenOf(node)) visit(child);
    said += blank;
  };
  visit(root);
  return tidy(said);
};

// What a swatch is called ("#ff0000") is its value.
const SWATCH = /^(#[0-9a-f]{3,8}|(rgb|hsl)a?\([^)]*\))$/i;
const attribute = (el, name) => tidy(el?.getAttribute?.(name)).replace(SWATCH, "");
const labelledBy = (el) => {
  const ids = (el.getAttribute("aria-labelledby") || "").split(/\s+/).filter(Boolean);
  const root = el.getRootNode();
  return tidy(ids.map((id) => {
    const other = root.getElementById?.(id);
    // A list box that is named by itself as well is named by what is chosen.
    if (other && el.contains(other) && isField(el)) return "";
    return other ? attribute(other, "aria-label") || textOf(other) : "";
  }).join(" "));
};
const ariaName = (el) => attribute(el, "aria-label") || labelledBy(el);
const pictureName = (el) => attribute(el, "alt") || attribute(el, "title")
  || tidy(el.querySelector?.(":scope > title")?.textContent) || attribute(el, "data-icon");

// The name of a control; what is typed into a field is none.
const nameOf = (el, skipped) => {
  const field = isField(el);
  const pressed = el.localName === "input" && ["button", "submit", "reset"].includes(el.type);
  const host = el.getRootNode().host;
  const name = ariaName(el)
    || tidy([...(el.labels || [])].map((one) => textOf(one)).join(" "))
    || (pressed ? tidy(el.value) : "")
    || (field ? "" : textOf(el, skipped))
    || attribute(el, "alt") || attribute(el, "title") || attribute(el, "placeholder")
    || attribute(el, "aria-placeholder")
    || (field ? "" : [...el.querySelectorAll("img, svg, [data-icon]")].map((one) =>
      ariaName(one) || pictureName(one)).find(Boolean))
    || (host ? ariaName(host) || attribute(host, "title") : "")
    || attribute(el, "data-icon") || "";
  return field && el.value && name === tidy(el.value) ? "" : name;
};

// What kind of control an element is, and how surely: 4 by its tag, 0 by being draggable, -1 none.
const KINDS = { a: "link", summary: "button", link: "link", checkbox: "checkbox",
  switch: "checkbox", radio: "radio", tab: "tab", option: "option", treeitem: "option",
  menuitem: "menuitem", menuitemcheckbox: "menuitem", menuitemradio: "menuitem",
  slider: "slider" };
const rankOf = (el, style, at) => {
  const role = roleOf(el);
  if (role === "separator") return -1;
  if (el.hasAttribute("data-memctl-field")) return 4;
  if (el.localName === "a" && el.hasAttribute("href")) return 4;
  if (["button", "select", "textarea", "summary"].includes(el.localName)) return 4;
  if (el.localName === "input") return el.type === "hidden" ? -1 : 4;
  if (el.isContentEditable && !parentOf(el)?.isContentEditable) return 4;
  if (CONTROL_ROLES.has(role)) return 3;
  if ((role === "presentation" || role === "none") && !el.childNodes.length) return -1;
  if (el.hasAttribute("onclick") || globalThis.memctlClicked?.has(el)) return 2;
  if (el.hasAttribute("tabindex")) return 1;
  if (style.cursor === "pointer" && !at.pointer) return 1;
  return el.getAttribute("draggable") === "true" ? 0 : -1;
};
const kindOf = (el, rank) => {
  if (isField(el)) return "input";
  if (el.localName === "input") return KINDS[el.type] || (el.type === "range" ? "slider" : "button");
  return KINDS[roleOf(el)] || KINDS[el.localName] || (rank === 0 ? "element" : "button");
};
const isHeading = (el) => /^h[1-6]$/.test(el.localName) || roleOf(el) === "heading";

// The innermost element at a point of the viewport, through frames and shadow roots.
const topAt = (x, y) => {
  let root = document, top = null, dx = 0, dy = 0;
  for (let depth = 0; depth < 30; depth += 1) {
    const hit = root.elementFromPoint(x - dx, y - dy);
    if (!hit || hit === top) return top;
    top = hit;
    const within = documentIn(hit);
    if (within) {
      const r = hit.getBoundingClientRect(), style = styleOf(hit);
      dx += r.left + hit.clientLeft + parseFloat(style.paddingLeft);
      dy += r.top + hit.clientTop + parseFloat(style.paddingTop);
      root = within;
    } else if (rootIn(hit)) root = rootIn(hit);
    else return top;
  }
  return top;
};
