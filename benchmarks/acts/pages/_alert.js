// The browser shows a message after the deed.
addEventListener('click', event => { if (event.target.closest?.(DEED)) setTimeout(() => alert('Thank you'), 400); }, true);
