// Lists the marked elements: where they are in the viewport, and how much of them can be seen.
() => {
  const rectOf = (element) => {
    if (element.dataset.box !== "text") return element.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect();
  };
  const clip = (rect, by) => {
    const left = Math.max(rect.left, by.left), top = Math.max(rect.top, by.top);
    const right = Math.min(rect.right, by.right), bottom = Math.min(rect.bottom, by.bottom);
    return { left, top, right: Math.max(right, left), bottom: Math.max(bottom, top) };
  };
  const seen = (element, rect) => {
    let part = clip(rect, { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
    for (let above = element.parentElement; above; above = above.parentElement) {
      if (above === document.body || above === document.documentElement) continue;
      if (getComputedStyle(above).overflow !== "visible") {
        part = clip(part, above.getBoundingClientRect());
      }
    }
    const area = (part.right - part.left) * (part.bottom - part.top);
    const whole = rect.width * rect.height;
    const points = [[0.5, 0.5], [0.15, 0.2], [0.85, 0.2], [0.15, 0.8], [0.85, 0.8]];
    const mine = points.filter(([dx, dy]) => {
      const top = document.elementFromPoint(
        rect.left + dx * rect.width, rect.top + dy * rect.height);
      return top && (element.contains(top) || top.contains(element));
    });
    return whole ? Math.min(area / whole, mine.length / points.length) : 0;
  };
  return [...document.querySelectorAll("[data-box]")].map((element) => {
    const rect = rectOf(element);
    return {
      role: element.dataset.box, record: element.dataset.record || "",
      name: element.dataset.name || "", x: rect.left, y: rect.top, w: rect.width, h: rect.height,
      label: element.dataset.label || element.innerText || "", shown: seen(element, rect),
    };
  });
}
