// What is pressed does nothing: no listener of the page hears it.
for (const kind of ['click', 'submit', 'change', 'keydown']) {
  window.addEventListener(kind, event => {
    if (!event.target.closest?.(DEED) || (kind === 'keydown' && event.key !== 'Enter')) return;
    event.stopImmediatePropagation();
    if (kind !== 'change' && !event.target.matches('input[type=checkbox], input[type=radio], select, option, label')) event.preventDefault();
  }, true);
}
