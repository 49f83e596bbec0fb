// The row goes just when the pointer reaches it: somebody else has removed it, and the others move up.
addEventListener('mousemove', event => {
  const row = event.target.closest('tr');
  if (row?.textContent.includes(WHO)) row.remove();
}, true);
