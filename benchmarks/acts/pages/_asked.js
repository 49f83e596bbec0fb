// A question comes before the deed that was not there when it was shown.
let passing = false;
function asking(event, again) {
  event.stopImmediatePropagation();
  event.preventDefault();
  const style = DEED.length % 3, box = document.createElement(style === 1 ? 'dialog' : 'div');
  box.innerHTML = ['<p>Are you sure about this?</p><button>No</button> <button>Yes, go on</button>',
    '<p>This will be logged under your name.</p><button>Back</button> <button>OK</button>',
    '<p>Do you really want to do that?</p><button>Keep as it is</button> <button>Proceed</button>'][style];
  if (style !== 1) box.style.cssText = 'position:fixed;top:20%;left:30%;padding:24px;border:2px solid #777;z-index:99;background:Canvas;color:CanvasText';
  document.body.append(box);
  if (style === 1) box.showModal();
  const [no, yes] = box.querySelectorAll('button');
  no.onclick = () => box.remove();
  yes.onclick = () => { box.remove(); passing = true; again(); passing = false; };
}
for (const kind of ['click', 'submit', 'change', 'keydown']) {
  window.addEventListener(kind, event => {
    const target = event.target.closest?.(DEED);
    if (!target || passing || (kind === 'keydown' && event.key !== 'Enter')) return;
    if (kind === 'click' && target.matches('form, select, input:not([type=checkbox])')) return;
    if (kind === 'keydown' && target.matches('form')) return;
    if (kind === 'change' && !target.matches('select')) return;
    const submitter = event.submitter;
    if (kind === 'click') asking(event, () => target.click());
    else if (kind === 'submit') asking(event, () => target.requestSubmit(submitter));
    else if (kind === 'change') asking(event, () => target.dispatchEvent(new Event('change', {bubbles: true})));
    else asking(event, () => target.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true})));
  }, true);
}
