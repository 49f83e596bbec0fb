"""Open the pages of `memctl ui` on a large store in Chromium; print when each is painted first.

    python -m benchmarks.ui

The store holds 100,000 components and 50,000 facts. Each page is opened ten times in a tab of its
own; its time is the browser's, from the click to the first text or picture.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.running import arguments, keep, percentile, print_table
from tests.browsers import chromium
from tests.cli.large_store import make_large_store
from tests.processes import serving

if TYPE_CHECKING:
    from collections.abc import Sequence

PAGES = (
    "", "facts", "facts?q=winch+4711", "waiting", "timeline", "recall?q=winch+4711", "screens",
    "screens/s_000001", "components", "components?q=save+99999", "components/77", "skills", "settings",
)  # fmt: skip
_PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
_FIRST = "() => performance.getEntriesByName('first-contentful-paint').length"


def _times(address: str, times: int) -> dict[str, list[float]]:
    with chromium() as browser:
        context = browser.new_context()
        page = context.new_page()
        page.goto(address)
        root = re.sub(r"(//[^/]+/[^/?]+).*", r"\1", page.url)
        taken: dict[str, list[float]] = {path: [] for path in PAGES}
        for _ in range(times):
            for path in PAGES:
                tab = context.new_page()
                tab.goto(f"{root}/{path}")
                tab.wait_for_function(_FIRST)
                taken[path].append(tab.evaluate(_PAINTED))
                tab.close()
        return taken


def main(words: Sequence[str] | None = None) -> None:
    """Open each page, print its times, and keep them."""
    parser = arguments(__doc__, "ui")
    parser.add_argument("--times", type=int, default=10, help="how often each page is opened")
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="memctl-ui-") as folder:
        home = Path(folder)
        make_large_store(home, 100_000, facts=50_000)
        with serving("--home", home, "--app", "harbor", "ui", "--no-open") as (address, _):
            taken = _times(address, options.times)
    rows = [
        (path or "start", *(f"{percentile(ms, share):.0f} ms" for share in (0.5, 1)))
        for path, ms in taken.items()
    ]
    print_table("First paint, 100,000 components, 50,000 facts", ["page", "median", "worst"], rows)
    keep("ui", taken, options.out)


if __name__ == "__main__":
    main()
