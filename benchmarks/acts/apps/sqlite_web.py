"""sqlite-web on a table of guests: a row is deleted, a row is inserted."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.acts.apps.deeds import PAUSE, App, Deed, Record, Situation
from benchmarks.acts.apps.guests import (
    GUESTS,
    MANY,
    NAMESAKES,
    deletions,
    put_guests,
    read_guests,
)
from benchmarks.realapp.environment import installed
from benchmarks.realapp.serving import free_port, running

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from playwright.sync_api import Page

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.drivers.demonstration import Demonstration

__all__ = ["SQLITE_WEB"]

_REQUIREMENT = "sqlite-web==0.8.2"
_TABLE = (
    "create table guest (id integer primary key, name text not null check (name <> ''),"
    " city text not null, room text not null unique)"
)


@dataclass(frozen=True, slots=True)
class _Guests:
    root: str
    file: Path

    def put(self, records: Sequence[Record]) -> None:
        put_guests(self.file, "guest", records)

    def read(self) -> Sequence[Record]:
        return read_guests(self.file, "guest")

    def enter(self, driver: BrowserDriver) -> None:
        """Nobody signs in here."""


@contextmanager
def _served(cache: Path) -> Iterator[_Guests]:
    python = installed(_REQUIREMENT, cache=cache)
    with tempfile.TemporaryDirectory(prefix="memctl-acts-", ignore_cleanup_errors=True) as scratch:
        folder, port = Path(scratch), free_port()
        app = _Guests(f"http://127.0.0.1:{port}", folder / "hotel.db")
        with closing(sqlite3.connect(app.file)) as db, db:
            db.execute(_TABLE)
        command = [str(python), "-m", "sqlite_web.sqlite_web", "-p", str(port), "-x", str(app.file)]
        with running(command, app.root, folder, cwd=folder, env=dict(os.environ)):
            yield app


def _delete(page: Page, shown: Demonstration, values: Mapping[str, str]) -> None:
    row = page.get_by_role("row").filter(has_text=values["who"])
    row.get_by_role("link", name="Delete").click()
    shown.wait(PAUSE)
    page.get_by_role("button", name="Delete").click()
    shown.wait(PAUSE)


def _insert(page: Page, shown: Demonstration, values: Mapping[str, str]) -> None:
    page.get_by_role("link", name="Insert", exact=True).click()
    shown.wait(PAUSE)
    for name in ("name", "city", "room"):
        page.get_by_label(name, exact=True).click()
        page.keyboard.type(values[name])
        shown.wait(PAUSE)
    page.get_by_role("button", name="Insert").click()
    shown.wait(PAUSE)


def _with(name: str, before: Sequence[Record], guest: str, city: str, room: str) -> Situation:
    """Return a situation in which a guest is added; a room that is taken is refused by the app."""
    taken = any(row[3] == room for row in before) or not guest
    last = max((int(row[0]) for row in before), default=0)
    after = None if taken else [*before, (last + 1, guest, city, room)]
    return Situation(name, before, {"name": guest, "city": city, "room": room}, after)


_SHOWN = _with("shown", GUESTS, "Finn Gade", "Bergen", "330")
_INSERTS = (
    _with("another guest", GUESTS, "Gus Hale", "Ulm", "331"),
    _with("a room that is taken", GUESTS, "Gus Hale", "Ulm", "312"),
    _with("more rows", MANY, "Hal Ipsen", "Nice", "332"),
    _with("longer namesake", GUESTS, "Ann Bergman", "Turin", "118"),
    _with("namesake", GUESTS, "Ann Berg", "Ulm", "333"),
    _with("unusual letters", GUESTS, "Zoë O'Neill-Ås", "Łódź", "334"),
    _with("no name", GUESTS, "", "Ulm", "335"),
    _with("empty table", (), "Ivo Juul", "Oslo", "336"),
    _with("other order", NAMESAKES[::-1], "Jan Kos", "Dora Ek", "337"),
    _with("as shown", GUESTS, "Finn Gade", "Bergen", "330"),
)
_TABLE_PAGE = "/guest/content/"
SQLITE_WEB = App(
    "sqlite-web",
    _REQUIREMENT,
    _served,
    "table",
    (
        Deed(
            "delete-guest",
            _TABLE_PAGE,
            _delete,
            Situation("shown", GUESTS, {"who": "Ann Berg"}, GUESTS[1:]),
            deletions(),
            destructive=True,
        ),
        Deed("add-guest", _TABLE_PAGE, _insert, _SHOWN, _INSERTS),
    ),
)
