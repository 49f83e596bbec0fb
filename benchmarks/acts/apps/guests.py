"""A table of hotel guests, which two of the apps show, and the situations made of it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from benchmarks.acts.apps.deeds import Record, Situation

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

__all__ = ["GUESTS", "MANY", "NAMESAKES", "deletions", "numbered", "put_guests", "read_guests"]

_FIRST = ("Ida", "Jon", "Kim", "Lea", "Max", "Nia", "Oda", "Per", "Rut", "Sam")
_LAST = ("Alm", "Beck", "Dahl", "Frank")
_CITIES = ("Oslo", "Graz", "Lyon", "Porto", "Turin")


def numbered(*guests: tuple[str, str, str]) -> tuple[Record, ...]:
    """Return rows of guests (name, city, room) with ids from 1."""
    return tuple((at, *guest) for at, guest in enumerate(guests, 1))


_ANN, _BOB, _CY, _DORA, _EVE = (
    ("Ann Berg", "Oslo", "101"),
    ("Bob Cole", "Graz", "204"),
    ("Cy Dunn", "Lyon", "117"),
    ("Dora Ek", "Oslo", "312"),
    ("Eve Falk", "Porto", "205"),
)
_BERGMAN, _ZOE = ("Ann Bergman", "Turin", "118"), ("Zoë O'Neill-Ås", "Lyon", "220")
GUESTS = numbered(_ANN, _BOB, _CY, _DORA, _EVE)
MANY = numbered(
    *(
        (f"{first} {last}", _CITIES[at % 5], str(400 + at))
        for at, (first, last) in enumerate((f, s) for s in _LAST for f in _FIRST)
    )
)
NAMESAKES = numbered(_ANN, _DORA, _BOB, ("Dora Ek", "Lyon", "119"), _CY)
_REVERSED = numbered(_EVE, _DORA, _CY, _BOB, _ANN)
_LONGER = numbered(_BERGMAN, _BOB, _ANN, _EVE)


def deletions() -> tuple[Situation, ...]:
    """Return ten situations in which a guest is to be deleted."""
    return (
        _without("another row", GUESTS, "Cy Dunn"),
        _without("other order", _REVERSED, "Bob Cole"),
        _without("longer namesake", _LONGER, "Ann Berg"),
        _without("gone", GUESTS[1:], "Ann Berg"),
        _without("more rows", MANY, "Kim Dahl"),
        _without("namesakes", NAMESAKES, "Dora Ek"),
        _without("unusual letters", numbered(_ANN, _ZOE, _CY), "Zoë O'Neill-Ås"),
        _without("only a longer namesake", numbered(_BOB, _BERGMAN, _EVE), "Ann Berg"),
        _without("the only row", numbered(_EVE), "Eve Falk"),
        _without("as shown", GUESTS, "Ann Berg"),
    )


def _without(name: str, before: Sequence[Record], who: str) -> Situation:
    """Return a situation in which one guest goes; two of that name, or none, are no order."""
    after = [row for row in before if row[1] != who]
    return Situation(name, before, {"who": who}, after if len(before) - len(after) == 1 else None)


def put_guests(file: Path, table: str, rows: Sequence[Record]) -> None:
    """Write the guests anew into the app's own database."""
    with closing(sqlite3.connect(file, timeout=20)) as db, db:
        db.execute(f"delete from {table}")  # noqa: S608  # a name of our own
        db.executemany(f"insert into {table} (id, name, city, room) values (?, ?, ?, ?)", rows)  # noqa: S608


def read_guests(file: Path, table: str) -> list[Record]:
    """Return the guests from the app's own database."""
    with closing(sqlite3.connect(file, timeout=20)) as db:
        found = db.execute(f"select id, name, city, room from {table} order by id")  # noqa: S608
        return [tuple(row) for row in found]
