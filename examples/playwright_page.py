"""A test of a web page by Playwright, with memctl as its locator: a button is found by how it looks.

Run it: pip install "memctl-engine[browser]", then python playwright_page.py. It takes an installed Chromium,
Chrome or Edge.
"""

from playwright.sync_api import Page, sync_playwright

import memctl
from memctl.drivers.browsers import find_browser

PAGE = """
<style>body { font: 18px sans-serif } button { font: inherit; padding: 8px 20px; margin: 12px }</style>
<h1>Orders</h1>
<button onclick="document.querySelector('#note').textContent = 'Order placed'">Buy</button>
<button>Cancel</button>
<p id="note">Nothing yet</p>
"""


def click(page: Page, memory: memctl.Memory, name: str) -> None:
    """Click a component where memctl sees it; fail with its reason where it is not there."""
    place = memory.locate(name, page)
    assert place.center is not None, f"{name}: {place.how}"
    x, y = place.center
    page.mouse.click(x, y)


def check_orders(page: Page, memory: memctl.Memory) -> None:
    """Learn the page, move its parts, and buy by the same button."""
    page.set_content(PAGE)
    memory.learn(page, page="orders")
    page.add_style_tag(content="h1 { margin: 120px 0 0 90px } button { margin-left: 90px }")
    click(page, memory, "Buy")
    assert page.locator("#note").inner_text() == "Order placed"


def main() -> None:
    """Run the test in a browser of this machine."""
    with memctl.open("chromium/orders") as memory, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"])
        check_orders(browser.new_page(viewport={"width": 800, "height": 600}), memory)
        browser.close()
        print("bought:", [component.name for component in memory.components])


if __name__ == "__main__":
    main()
