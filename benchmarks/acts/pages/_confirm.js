// The browser asks before the deed.
addEventListener('click', event => {
  if (!event.target.closest?.(DEED) || confirm('Are you sure?')) return;
  event.stopImmediatePropagation();
  event.preventDefault();
}, true);
