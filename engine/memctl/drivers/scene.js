// The page as a tree of what can be read and acted on: elements, their texts, places and states.
// Stands behind dom.js; `sceneOf()` returns {nodes, els, ...}: nodes are plain data, els their elements.
const TOP = (() => { try { return window.top.document ? window.top : window; } catch { return window; } })();
const MOST_NODES = 15000, MOST_TEXT = 300;
const SKIPPED = new Set([...UNSEEN, "br", "wbr", "source", "track", "param", "link", "meta", "option",
  "optgroup", "datalist"]);
const SECRET_FIELD = new RegExp("passw|passcode|passphrase|pwd|secret|token|one.?time|api.?key|cc-csc|"
  + "security.?code|(^|[^a-z])(pin|otp|cvv|cvc|csc)([^a-z]|$)", "i");
const TOAST = /(^|[\s_-])(toast|snackbar|notification|notice|flash|alert|messagelist)([\s_-]|$)/i;
const SPINNER = /(^|[\s_-])(spinner|spinning|loading|loader|skeleton)([\s_-]|$)/i;

const isSecretField = (el) => el.type === "password" || SECRET_FIELD.test(
  [el.name, el.id, el.getAttribute("autocomplete"), nameOf(el)].join(" "));
const valueOf = (el) => {
  if (el.localName === "select") return [...el.selectedOptions].map((one) => tidy(one.label)).join(", ");
  if (el.isContentEditable) return tidy(el.innerText);
  return typeof el.value === "string" ? tidy(el.value) : tidy(el.textContent);
};
const truth = (el, name) => {
  const told = el.getAttribute(name);
  return told === null || told === "undefined" ? null : told;
};
// What an act may change about an element: whether it is ticked, pressed, open, chosen, off, wrong.
const stateOf = (el, field) => {
  const state = {};
  const box = el.localName === "input" && ["checkbox", "radio"].includes(el.type);
  if (box) state.checked = String(el.checked);
  for (const one of ["checked", "pressed", "expanded", "selected", "current"]) {
    const told = truth(el, `aria-${one}`);
    if (told !== null && !(one === "checked" && box)) state[one] = told;
  }
  if (el.localName === "details") state.expanded = String(el.open);
  if (el.localName === "summary" && el.parentElement?.localName === "details") {
    state.expanded = String(el.parentElement.open);
  }
  if (el.matches(":disabled") || el.getAttribute("aria-disabled") === "true" || el.closest("[inert]")) {
    state.disabled = "true";
  }
  if (["true", "grammar", "spelling"].includes(el.getAttribute("aria-invalid"))) state.invalid = "true";
  if (field && !isSecretField(el)) state.value = valueOf(el);
  if (field && el.readOnly) state.readonly = "true";
  if (el.localName === "select") {
    state.choices = [...el.options].slice(0, 300).map((one) => tidy(one.label)).join("\n");
  }
  return state;
};
const isOverlay = (el, style, r) => style.position === "fixed" && r.width * r.height
  > 0.6 * TOP.innerWidth * TOP.innerHeight && style.pointerEvents !== "none";
const isDialog = (el, role) => ["dialog", "alertdialog", "menu", "listbox"].includes(role)
  || el.matches("dialog[open], :modal, :popover-open");

// An outline in eight letters: by FNV-1a, to be told from others and to look like no secret.
const markOf = (text) => {
  let mark = 2166136261;
  for (const one of text) mark = Math.imul(mark ^ one.codePointAt(0), 16777619);
  return (mark >>> 0).toString(16).padStart(8, "0").replace(/\d/g, (digit) => "ghijklmnop"[digit]);
};

const sceneOf = () => {
  // An answer of which nothing has arrived yet; whoever asks waits as for a page that goes on.
  if (!TOP.document.documentElement) throw new Error("the document has no element yet");
  const nodes = [], els = [];
  const round = (r, dx, dy) => [Math.round(r.left + dx), Math.round(r.top + dy), Math.round(r.width),
    Math.round(r.height)];
  let cut = false, busy = false, invalid = 0;
  const add = (node, el) => {
    if (nodes.length >= MOST_NODES) { cut = true; return -1; }
    els.push(el);
    return nodes.push(node) - 1;
  };
  const addText = (node, parent, at) => {
    const text = node.data.replace(/[\uE000-\uF8FF]/g, "").replace(/\s+/g, " ");
    if (!text.trim()) {
      if (nodes.length && nodes.at(-1).x !== undefined) nodes.at(-1).x += " ";
      return;
    }
    const range = node.ownerDocument.createRange();
    range.selectNodeContents(node);
    const r = range.getBoundingClientRect();
    if (r.width < 2 || r.height < 2) return;
    add({ p: parent, x: text.slice(0, MOST_TEXT), b: round(r, at.dx, at.dy) }, node.parentElement);
  };
  const walk = (el, parent, at) => {
    if (SKIPPED.has(el.localName) || cut) return;
    const style = styleOf(el);
    if (style.display === "none") return;
    const r = el.getBoundingClientRect();
    const role = roleOf(el), known = role && role !== "none" && role !== "presentation" ? role : "";
    const seen = el.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const rank = at.field ? -1 : rankOf(el, style, at);
    const field = rank >= 0 && isField(el);
    const ticked = el.localName === "input" && ["checkbox", "radio"].includes(el.type);
    const flags = [], classes = classOf(el).slice(0, 120), node = { p: parent, t: el.localName };
    if (known) node.r = known;
    if (classes) node.c = classes;
    if (isInline(style)) flags.push("i");
    let place = r;
    if (!seen || r.width < 2 || r.height < 2) {
      const label = ticked ? [...(el.labels || [])].find((one) => one.checkVisibility()) : null;
      if (label) place = label.getBoundingClientRect();
      else if (rank >= 0) flags.push("h");
    }
    node.b = round(place, at.dx, at.dy);
    if (rank >= 0) {
      node.k = kindOf(el, rank);
      node.n = nameOf(el) || (field ? "" : tidy(el.textContent).slice(0, 40));
      const state = stateOf(el, field);
      if (Object.keys(state).length) node.s = state;
      if (state.invalid && seen) invalid += 1;
    } else {
      const chosen = truth(el, "aria-selected") ?? truth(el, "aria-current");
      if (chosen) node.s = { selected: chosen };
    }
    if (isHeading(el)) node.l = Number(el.localName[1]) || Number(el.getAttribute("aria-level")) || 2;
    if (["img", "svg"].includes(el.localName)) {
      const name = ariaName(el) || pictureName(el);
      if (name) node.n = name;
      const drawn = el.querySelector?.("path[d]")?.getAttribute("d") ?? el.querySelector?.("use")?.getAttribute("href");
      if (drawn) node.g = markOf(drawn);
    } else if (rank < 0) {
      const name = ariaName(el) || attribute(el.localName === "fieldset"
        ? { getAttribute: () => textOf(el.querySelector(":scope > legend") ?? el.ownerDocument.createElement("i")) } : el, "title");
      if (name) node.n = name;
    }
    const live = el.getAttribute("aria-live");
    if (role === "alert") flags.push("a");
    else if (["status", "log"].includes(role) || ["polite", "assertive"].includes(live)
      || TOAST.test(classes) || TOAST.test(el.id)) flags.push("s");
    if (isDialog(el, role)) flags.push("d");
    else if (isOverlay(el, style, r)) flags.push("o");
    if (seen && r.width > 1 && (el.getAttribute("aria-busy") === "true" || SPINNER.test(classes)
      || (role === "progressbar" && !el.hasAttribute("aria-valuenow"))
      || el.matches("progress:not([value])"))) busy = true;
    if (el.getRootNode().activeElement === el && el !== el.ownerDocument.body) flags.push("F");
    if (el.scrollHeight > el.clientHeight + 8 && el.clientHeight > 40
      && (/auto|scroll|overlay/.test(style.overflowY) || el === el.ownerDocument.scrollingElement)) {
      node.sc = [Math.round(el.scrollTop), el.scrollHeight, el.clientHeight];
    }
    if (flags.length) node.f = flags.join("");
    const me = add(node, el);
    if (me < 0) return;
    const within = documentIn(el);
    if (within) refuseHidden(within);
    const inside = { ...at, pointer: style.cursor === "pointer", field: at.field || field };
    if (within?.body) {
      walk(within.body, me, { ...inside, pointer: false,
        dx: at.dx + r.left + el.clientLeft + parseFloat(style.paddingLeft),
        dy: at.dy + r.top + el.clientTop + parseFloat(style.paddingTop) });
    } else if (!["svg", "select", "textarea", "canvas", "video", "input"].includes(el.localName)) {
      for (const child of childrenOf(el)) {
        if (child.nodeType === 3 && seen && !inside.field) addText(child, me, inside);
        else if (child.nodeType === 1) walk(child, me, inside);
      }
    }
    const empty = nodes.length - 1 === me;
    const kept = rank >= 0 || node.n || node.sc || (r.width >= 8 && r.height >= 8 && seen);
    if (empty && !kept) { nodes.pop(); els.pop(); }
  };
  refuseHidden(TOP.document);
  const root = TOP.document.body;
  if (root) walk(root, -1, { dx: 0, dy: 0, pointer: false, field: false });
  const page = TOP.document.scrollingElement ?? TOP.document.documentElement;
  return { nodes, els, cut, busy, invalid, url: TOP.location.href, title: TOP.document.title,
    size: [TOP.innerWidth, TOP.innerHeight], scroll: [Math.round(page.scrollTop), page.scrollHeight, page.clientHeight],
    loading: TOP.document.readyState !== "complete" };
};
const plain = ({ els, ...rest }) => rest;
// The number of an element in a scene, or of what it stands in; of a label that of its control.
const numberOf = (scene, el) => {
  for (let at = el; at; at = parentOf(at)) {
    const own = at.localName === "label" && at.control ? scene.els.indexOf(at.control) : -1;
    if (own >= 0 && scene.nodes[own].k) return own;
    const found = scene.els.findIndex((one, i) => one === at && scene.nodes[i].x === undefined);
    if (found >= 0) return found;
  }
  return -1;
};
