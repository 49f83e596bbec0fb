// Of a closed shadow root, which nobody but the browser knows: tells its host, under a symbol.
function() {
  Object.defineProperty(this.host, Symbol.for("memctl.closed"), { value: this, configurable: true });
  this.addEventListener("memctl-onclick", memctlHear, true);
}
