// Tells what is done in this document, one event at a time, to the binding that is called TELL.
// It stands behind dom.js, in a world of its own: the page neither sees it nor speaks for a person.
const SOON = 60, QUIET = 300, LONGEST = 1000, NEAR = 48, LOG = 300;
const MODIFIERS = new Set(["Control", "Shift", "Alt", "Meta", "AltGraph", "CapsLock", "NumLock",
  "Dead", "Process", "Unidentified"]);
const UNTOLD = new Set(["date", "time", "month", "week", "datetime-local", "color"]);
for (let view = window; view !== top; view = view.parent) {
  if (!view.frameElement) return; // in a frame of another origin no place is known
}

const stop = new AbortController();
const tell = (kind, more) => {
  try { globalThis[TELL](JSON.stringify({ kind, at: Date.now(), ...more })); } catch { stop.abort(); }
};
const ids = new WeakMap(), run = Math.random().toString(36).slice(2);
let told = 0;
// The page as it was just before an act, and the number of what the act was done to.
const sceneWith = (el, opened) => {
  styles.clear();
  const scene = sceneOf();
  if (opened) { // what it has just opened does not say what it is
    scene.els.forEach((one, i) => {
      if (scene.nodes[i].x !== undefined && el.contains(one) && opened(one)) scene.nodes[i].x = "";
    });
  }
  return { scene: plain(scene), node: el ? numberOf(scene, el) : -1 };
};
const idOf = (el) => {
  if (!ids.has(el)) ids.set(el, `${run}-${told += 1}`);
  return ids.get(el);
};
const onTop = ({ clientX: x, clientY: y }) => {
  for (let view = window; view.frameElement; view = view.parent) {
    const el = view.frameElement, rect = el.getBoundingClientRect(), style = styleOf(el);
    const scale = el.offsetWidth ? rect.width / el.offsetWidth : 1;
    x = rect.left + (el.clientLeft + parseFloat(style.paddingLeft) + x) * scale;
    y = rect.top + (el.clientTop + parseFloat(style.paddingTop) + y) * scale;
  }
  return { x, y };
};

// What is pointed at or typed into, and its name.
const targetOf = (event) => event.composedPath().find((node) => node.nodeType === 1) ?? document.body;
const isControl = (el) => isField(el) || CONTROL_ROLES.has(roleOf(el))
  || el.matches("a[href], button, summary, label, input");
const controlOf = (el) => {
  for (let at = el; at?.nodeType === 1 && !documentIn(at); at = parentOf(at)) if (isControl(at)) return at;
  return null;
};
const labelOf = (el, skipped) => {
  const control = controlOf(el);
  if (control) return nameOf(control, skipped);
  const name = el.matches("html, body") ? "" : nameOf(el, skipped);
  return name.length <= 80 ? name : "";
};
const fieldOf = (el) => {
  if (el.isContentEditable) {
    while (el.parentElement?.isContentEditable) el = el.parentElement;
    return el;
  }
  return isField(el) || el.editContext ? el : null;
};
// Whether the browser itself types into a field, and tells what by beforeinput.
const isNative = (el) => el.isContentEditable || (el.localName === "textarea" && !el.readOnly)
  || (el.localName === "input" && !el.readOnly && !UNTOLD.has(el.type));
const passwords = new WeakSet(); // also those that a button shows meanwhile
const isSecret = (el) => {
  if (el.type === "password") passwords.add(el);
  const names = [el.name, el.id, el.getAttribute("autocomplete"), nameOf(el)].join(" ");
  return passwords.has(el) || SECRET_FIELD.test(names)
    || !["none", undefined].includes(styleOf(el).webkitTextSecurity);
};
let written = null; // the field that was typed into last: its scene is told once
const typed = (el, text, more) => {
  const secret = isSecret(el), seen = written === el ? {} : sceneWith(el);
  written = el;
  tell("type", { ...seen, text: secret ? "" : text, secret, field: nameOf(el), target: idOf(el), ...more });
};
const keyName = ({ key, ctrlKey, altKey, metaKey, shiftKey }) => {
  const held = [ctrlKey && "Control", altKey && "Alt", metaKey && "Meta"].filter(Boolean);
  if (shiftKey && (held.length || key.length > 1)) held.push("Shift");
  return [...held, key === " " ? "Space" : key].join("+");
};

// What can be seen, to know what a resting pointer made appear: many menus change their style only.
// An element that a page draws anew, in its place and with its text, is no other one.
const placeOf = (el, r) => [el.localName, ...[r.left, r.top, r.right, r.bottom].map(Math.round),
  el.childElementCount ? "" : el.textContent.slice(0, 80)].join();
const seeAll = () => {
  const elements = new Map(), places = new Set();
  const visit = (root) => {
    watcher.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    for (const el of root.querySelectorAll("*")) {
      if (el.type === "password") passwords.add(el);
      if (el.shadowRoot) visit(el.shadowRoot);
      const r = el.getBoundingClientRect();
      if (r.width < 4 || r.height < 4 || r.right < 0 || r.bottom < 0 || r.left > innerWidth
        || r.top > innerHeight) continue;
      if (!el.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const place = placeOf(el, r);
      elements.set(el, place);
      places.add(place);
    }
  };
  visit(document);
  return { elements, places };
};
// Whether an element belongs to what the pointer is on: beside it, or in a part of the page with it.
const isNear = (el, { el: on }) => {
  const a = el.getBoundingClientRect(), b = on.getBoundingClientRect();
  let part = el.parentElement;
  while (part && !part.contains(on)) part = part.parentElement;
  const { width, height } = (part ?? document.documentElement).getBoundingClientRect();
  return width * height < innerWidth * innerHeight / 4
    || Math.max(a.left - b.right, b.left - a.right, a.top - b.bottom, b.top - a.bottom) <= NEAR;
};
let seen = { elements: new Map(), places: new Set() };
let calm = false;                 // the document has loaded
let timer = 0, since = 0, stirred = 0, done = 0;
let pointer = null, held = null;  // where the pointer is, and what the last act was done to
let moved = null, log = [];       // where it went from there, and what changed meanwhile
const ownerOf = (el) => controlOf(el) ?? el;
const hovered = ({ el, x, y }) => {
  held = ownerOf(el);
  const skipped = { has: (one) => !seen.elements.has(one) }; // what it opened is not its name
  tell("hover", { ...sceneWith(held, skipped.has), x, y, label: labelOf(el, skipped), target: idOf(held) });
};
const check = () => {
  since = 0;
  const now = performance.now();
  if (stop.signal.aborted) { watcher.disconnect(); return; }
  if (moved && now - moved.at < QUIET - 20) { stir(); return; }
  const next = seeAll();
  const fresh = [...next.elements].filter(([el, place]) => !seen.elements.has(el) && !seen.places.has(place));
  if (fresh.length || [...seen.places].some((place) => !next.places.has(place))) {
    tell("changed", { at: stirred });
  }
  const opened = moved && fresh.some(([el]) => isNear(el, moved));
  if (opened) hovered(moved);
  if (moved && !opened && now - moved.at < LONGEST) stir();
  else moved = null;
  seen = next;
  log = [];
  calm = true;
  styles.clear();
};
const stir = () => {
  const now = performance.now();
  stirred = Date.now();
  since ||= now;
  if (now - since > LONGEST) return;
  clearTimeout(timer);
  // What an act opened is seen before the pointer gets there.
  timer = setTimeout(check, calm && !moved && now - done < LONGEST ? SOON : QUIET);
};
const watcher = new MutationObserver((records) => {
  const real = records.filter((one) => one.attributeName !== "data-memctl-field");
  if (!real.length) return;
  if (moved) {
    const nodes = real.flatMap((one) => (one.type === "childList" ? [...one.addedNodes] : [one.target]));
    log = [...log, ...nodes.map((node) => ({ node, ...pointer }))].slice(-LOG);
  }
  stir();
});
const acted = (typing) => {
  if (!typing) written = null;
  held = pointer && ownerOf(pointer.el);
  [moved, log, done] = [null, [], performance.now()];
  stir();
};
// Of a submenu that opened while the pointer passed, the place where it was then.
const openedBy = (el) => !seen.elements.has(el) && log.find((one) => one.node.nodeType === 1
  && !seen.elements.has(one.node) && one.node.contains(el) && !one.node.contains(one.el)
  && isNear(one.node, one));

const on = (name, does) => addEventListener(name, (event) => {
  if (event.isTrusted) does(event, targetOf(event));
}, { capture: true, passive: true, signal: stop.signal });
const went = (event, el) => {
  pointer = { el, ...onTop(event), at: performance.now() };
  if (!calm || event.type !== "pointermove") return;
  moved = ownerOf(el) === held ? null : pointer;
  stir();
};
// What a drag was let go over: what lies under the pointer, and is neither what is dragged, which
// may have moved there already, nor what was around it.
const letGo = (event) => {
  const { clientX: x, clientY: y } = event, apart = dragged && Math.hypot(x - dragged.x, y - dragged.y) > 8;
  const under = apart && document.elementsFromPoint(x, y).find((el) => !dragged.el.contains(el)
    && !dragged.around.has(el));
  tell("up", { ...onTop(event), ...(under ? { over: sceneWith(under) } : {}) });
  acted();
};
let dragged = null;
on("pointerover", went);
on("pointermove", went);
on("pointerdown", (event, el) => {
  const opener = openedBy(el);
  if (opener) hovered(opener);
  dragged = { el, x: event.clientX, y: event.clientY, around: new Set() };
  for (let at = el; at; at = at.parentNode) dragged.around.add(at);
  tell("down", { ...sceneWith(el), ...onTop(event), button: event.button, label: labelOf(el),
    target: idOf(ownerOf(el)) });
  acted();
});
on("pointerup", letGo);
on("drop", letGo);
on("dragend", letGo); // a drag that the browser does itself ends with no pointerup
on("wheel", (event, el) => {
  if (event.ctrlKey) return; // the zoom of the browser
  tell("wheel", { ...onTop(event), dx: event.deltaX, dy: event.deltaY, label: labelOf(el) });
  acted();
});
on("keydown", (event, el) => {
  const { key } = event, field = fieldOf(el), at = Date.now();
  if (event.isComposing || MODIFIERS.has(key)) return;
  const command = event.ctrlKey || event.metaKey || event.altKey;
  const letter = key.length === 1 && (!command || event.getModifierState("AltGraph"));
  if (!(field && letter) && key !== "Backspace") acted();
  if (field && letter) {
    if (field.localName === "select") return; // it tells what was chosen
    if (!isNative(field)) typed(field, key);
    // An editor that types by itself lets no beforeinput follow.
    else setTimeout(() => { if (event.defaultPrevented) typed(field, key, { at }); });
  } else if (!(field && isNative(field) && command && key.toLowerCase() === "v")) {
    const quiet = key === "Backspace" && written === field;
    tell("key", { ...(quiet ? {} : sceneWith(field ?? document.activeElement)), text: keyName(event), label: labelOf(el), target: field ? idOf(field) : "" });
  }
});
on("beforeinput", (event, el) => {
  const field = fieldOf(el);
  if (!field || !["insertText", "insertFromPaste"].includes(event.inputType)) return;
  typed(field, event.data ?? event.dataTransfer?.getData("text/plain") ?? "");
  acted(true);
});
on("compositionend", (event, el) => { if (fieldOf(el)) { typed(fieldOf(el), event.data); acted(true); } });
// What was chosen in a list, or set in a field that takes no letters. A script that sets it for a
// person, as a driver does, is told by its change alone.
const set = new WeakMap();
const changed = (event, el) => {
  const whole = el.localName === "select" || (el.localName === "input" && UNTOLD.has(el.type));
  if (!whole || el.multiple) return;
  const value = el.localName === "select" ? tidy(el.selectedOptions[0]?.label) : el.value;
  if (set.get(el) === value) return;
  set.set(el, value);
  written = null;
  typed(el, value, { whole: true });
  acted();
};
addEventListener("change", (event) => changed(event, targetOf(event)),
  { capture: true, passive: true, signal: stop.signal });
stir();
