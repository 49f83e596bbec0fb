// The same list stands in a frame of another origin as well.
if (self === top) {
  const frame = document.createElement('iframe');
  frame.src = location.href.replace('127.0.0.1', 'localhost');
  frame.style.cssText = 'width:900px;height:380px';
  document.body.append(frame);
}
