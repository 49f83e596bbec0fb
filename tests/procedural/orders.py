"""A small app of orders, and a demonstration in it by scripted hands."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.drivers.browser_body import BrowserBody

if TYPE_CHECKING:
    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.drivers.look import Look

__all__ = ["DELETE", "ORDERS", "SIGN_IN", "Demonstrated", "Shown", "message", "orders"]

_STYLE = """<style>body{font:16px sans-serif;margin:0} header{background:#234;color:#fff;padding:12px}
table{margin:20px;border-collapse:collapse} td{border-bottom:1px solid #ccc;padding:8px 24px}
dialog{padding:20px} button{font-size:15px;padding:4px 14px} #msg,#new,#q{margin:20px}</style>"""
_PAGE = """<!doctype html><meta charset=utf-8><title>Orders</title>{style}
<header>Orders of the harbor</header><button id=new>New order</button>
<input id=q aria-label="Search orders"><table id=t></table><div id=msg></div>
<dialog id=d><p>Delete this order for ever?</p><button id=yes>Yes, delete</button>
<button id=no>Keep it</button></dialog>
<script>
let rows = {rows}, cur = null;
function draw() {{
  t.innerHTML = "";
  for (const r of rows) {{
    const tr = document.createElement("tr");
    tr.innerHTML = `<td>${{r}}</td><td><button>Edit</button></td><td><button class=del>Delete</button></td>`;
    tr.querySelector(".del").onclick = () => {{ cur = r; d.showModal(); }};
    t.append(tr);
  }}
}}
draw();
yes.onclick = () => {{ rows = rows.filter(r => r != cur); d.close(); draw(); msg.textContent = "Deleted " + cur; }};
no.onclick = () => d.close();
q.onkeydown = e => {{ if (e.key == "Enter") msg.textContent = "Searched " + q.value; }};
</script>"""
DELETE = "delete-an-order"
NAMES = ("Ann Berg", "Bob Cole", "Cy Dunn", "Dee Ford")


def message(driver: BrowserDriver) -> str:
    """Return what the page says it has done."""
    return driver.page.inner_text("#msg")


def orders(*names: str) -> str:
    """Return the page with orders of some people."""
    return _PAGE.format(style=_STYLE, rows=list(names or NAMES))


ORDERS = orders()
SIGN_IN = f"""<!doctype html><meta charset=utf-8><title>Sign in</title>{_STYLE}
<h1>Please sign in</h1><input type=password aria-label=Password><button>Sign in</button>"""


@dataclass(frozen=True)
class Shown:
    """One act of a demonstration."""

    kind: str
    x: float | None
    y: float | None
    to: tuple[float, float] | None
    text: str
    secret: bool
    before: Look
    after: Look
    seconds: float


class Demonstrated:
    """Acts by scripted hands, each with the looks before and after it."""

    def __init__(self, driver: BrowserDriver) -> None:
        self._driver = driver
        self._hands = BrowserBody(driver).hands
        self._look = driver.look()
        self.acts: list[Shown] = []

    def click(self, selector: str) -> None:
        box = self._driver.page.locator(selector).bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        began = time.monotonic()
        self._hands.click(x, y)
        self._keep("click", x, y, "", began)

    def type(self, text: str, *, secret: bool = False) -> None:
        began = time.monotonic()
        self._hands.type(text)
        self._keep("type", None, None, text, began, secret=secret)

    def press(self, key: str) -> None:
        began = time.monotonic()
        self._hands.press(key)
        self._keep("key", None, None, key, began)

    def _keep(
        self,
        kind: str,
        x: float | None,
        y: float | None,
        text: str,
        began: float,
        *,
        secret: bool = False,
    ) -> None:
        before, self._look = self._look, self._driver.look()
        seconds = time.monotonic() - began
        self.acts.append(Shown(kind, x, y, None, text, secret, before, self._look, seconds))
