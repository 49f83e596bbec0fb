"""Records the skill that the demo lays beside its page of guests, as a person would show it.

Run ``python -m tests.docs.demo.recording`` after a change to ``app/guests.html`` of
``memctl_cli.demo`` or to what a skill holds. It needs an installed Chromium, and writes
``app/add-a-guest.json``.
"""

from __future__ import annotations

import json
import sys
import tempfile
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import memctl

if TYPE_CHECKING:
    from collections.abc import Iterator

APP = Path(__file__).parents[3] / "cli" / "memctl_cli" / "demo" / "app"
_NAME, _GUEST = "add-a-guest", "Eve Hall"
_URL = "http://localhost:8000/"  # where README serves the page
# What holds here alone: the states of this store, and how quick this machine is.
_OWN = ("from_state", "to_state", "mean_ms")


@contextmanager
def _served(page: bytes) -> Iterator[str]:
    """Serve one page on a free port while the block lasts; yield its URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(page)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


def recorded() -> dict[str, Any]:
    """Return the skill as its file has it: a guest is added, once, to the page in a browser."""
    from memctl.drivers.demonstration import Demonstration

    with (
        tempfile.TemporaryDirectory(prefix="memctl-demo-") as folder,
        _served((APP / "guests.html").read_bytes()) as url,
        memctl.open("guests", folder) as memory,
    ):
        with memory.browser() as driver:
            driver.goto(url)
            with Demonstration(driver) as shown:
                driver.page.get_by_label("Name").click()
                driver.page.keyboard.type(_GUEST)
                driver.page.get_by_role("button", name="Add guest").click()
                shown.wait(0.5)
        memory.skills.record(
            _NAME,
            shown.acts,
            url=_URL,
            description="Adds a guest to the list",
            parameters={"who": _GUEST},
        )
        made = memory.skills.export(_NAME, folder)
        told: dict[str, Any] = json.loads((made / "skill.json").read_text("utf-8"))
    del told["proof"]
    for step in told["steps"]:
        for own in _OWN:
            step.pop(own, None)
    return told


def main() -> int:
    """Write the file anew."""
    text = json.dumps(recorded(), indent=1, ensure_ascii=False)
    (APP / f"{_NAME}.json").write_text(text + "\n", encoding="utf-8")
    sys.stdout.write(text + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
