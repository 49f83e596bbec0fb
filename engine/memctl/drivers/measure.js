// Returns how many elements a document has, and how many of them are in one another at most.
() => {
  let count = 0, deep = 0, deepest = 0;
  for (let at = document.documentElement; at; count += 1, deepest = Math.max(deepest, deep)) {
    if (at.firstElementChild) { at = at.firstElementChild; deep += 1; continue; }
    while (at && !at.nextElementSibling) { at = at.parentElement; deep -= 1; }
    at = at?.nextElementSibling;
  }
  return [count, deepest];
}
