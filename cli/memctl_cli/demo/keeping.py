"""Where the demo is kept: a home with the store ``harbor``, and files to try memctl on."""

from __future__ import annotations

import json
import shlex
import tempfile
from dataclasses import dataclass
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from memctl.base import clock
from memctl.base.errors import UsageError
from memctl.base.home import Address
from memctl_cli.demo import bundle

APP = "harbor"
_TOLD = "told.json"
_QUESTION = "select name, health, forgotten_why from component_health limit 8"


@dataclass(frozen=True, slots=True)
class DemoHome:
    """A home for the demo's story.

    Beside its stores is the folder ``demo``, with ``screens``, the bundled screenshots and their
    boxes; ``app`` a page to be served; ``add-a-guest.json`` a skill for that page.
    """

    path: Path

    @classmethod
    def chosen(cls, home: Path | None) -> DemoHome:
        """Return the home that was asked for, or a fresh one in the platform's temporary folder.

        Raises
        ------
        UsageError
            When a story told there would spoil something.
        """
        if home is None:
            return cls(Path(tempfile.mkdtemp(prefix="memctl-demo-")))
        asked = cls(home)
        if home.exists() and not home.is_dir():
            raise UsageError(f'"{home}" is not a folder', hint="name one that does not exist")
        if asked.told_at is None and any(one.exists() for one in (asked.store, asked.folder)):
            raise UsageError(
                f'"{home}" holds something called {APP} or demo that is not the demo\'s',
                hint="name a folder that does not exist",
            )
        return asked

    @property
    def store(self) -> Path:
        """The file of the story's store."""
        return Address(APP).path(self.path)

    @property
    def folder(self) -> Path:
        """The folder of the files to try memctl on."""
        return self.path / "demo"

    @property
    def told_at(self) -> str | None:
        """When the story was finished here; ``None`` where it was not, or is gone."""
        if not self.store.exists():
            return None
        try:
            loads: dict[str, Any] = json.loads((self.folder / _TOLD).read_text("utf-8"))
            return str(loads["told_at"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def lay_out(self) -> None:
        """Write the files to try memctl on."""
        screens, app = self.folder / "screens", self.folder / "app"
        for made in (screens, app):
            made.mkdir(parents=True)
        for shot in bundle.shots():
            (screens / f"{shot.name}.png").write_bytes(shot.png)
            boxes = json.dumps(shot.boxes_file(), ensure_ascii=False)
            (screens / f"{shot.name}.json").write_text(boxes, "utf-8")
        bundled = files("memctl_cli.demo.app")
        (app / "index.html").write_bytes(bundled.joinpath("guests.html").read_bytes())
        skill = "add-a-guest.json"
        (self.folder / skill).write_bytes(bundled.joinpath(skill).read_bytes())

    def sign(self) -> None:
        """Note that the story was finished here."""
        (self.folder / _TOLD).write_text(json.dumps({"told_at": clock.now()}) + "\n", "utf-8")

    def next_lines(self) -> dict[str, list[str]]:
        """Return commands to type next, in this home and for an app of one's own."""
        missing = find_spec("playwright") is None  # it drives the browser
        return {
            "here": [
                f"export MEMCTL_HOME={shlex.quote(str(self.path.absolute()))}",
                f"memctl --app {APP} states list",
                f"memctl --app {APP} report health",
                f'sqlite3 -box "$MEMCTL_HOME/apps/{APP}.db" "{_QUESTION}"',
            ],
            "own": [
                *(["pip install 'memctl-engine[browser]'"] if missing else []),
                'python3 -m http.server 8000 --directory "$MEMCTL_HOME/demo/app" 2>/dev/null &',
                "memctl learn http://localhost:8000/",
                "memctl locate Add_guest http://localhost:8000/",
                "memctl skills record delete-a-guest --url http://localhost:8000/",
                'memctl log "Ann wants a table by the window" --speaker Ann',
                'memctl memory store "Ann\'s table is number 4"',
                'memctl recall "which table does Ann want?"',
            ],
        }
