"""Rows of the pages, generated from a seed."""

from __future__ import annotations

import json
import random
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["PAGES", "Row", "longer_names", "nobody", "rows_of"]

PAGES = Path(__file__).with_name("pages")
Row = dict[str, Any]
_FIRST_DAY = date(2019, 1, 7)
_LINES = 3  # of an order


def rows_of(kind: str, count: int, seed: int = 33) -> list[Row]:
    """Return rows with names that differ and none that begins another.

    Parameters
    ----------
    kind
        A list of names in ``pages/names.json``. Rows of ``items`` are the lines of orders: each
        order has three, and its neighbours have some of the same items.
    """
    words, chance = _words()[kind], random.Random(seed)
    names = [f"{one}{words['join']}{other}" for one in words["first"] for other in words["last"]]
    chance.shuffle(names)
    rows = [_row(words, chance, number, names[number % len(names)]) for number in range(count)]
    if kind != "items" and count > len(names):
        raise ValueError(f"{kind} has {len(names)} names, not {count}")
    if kind == "items":
        for number, row in enumerate(rows):
            order, line = divmod(number, _LINES)
            row |= {
                "order": f"A-{1041 + 7 * order}",
                "name": names[(2 * order + line) % len(names)],
            }
    return rows


def nobody(kind: str) -> str:
    """Return a name that no row ever has."""
    return str(_words()[kind]["nobody"])


def longer_names(kind: str, name: str) -> list[str]:
    """Return names that begin with a name: by another word, and by a longer last word."""
    return [pattern.replace("{}", name) for pattern in _words()[kind]["longer"]]


def _row(words: dict[str, Any], chance: random.Random, number: int, name: str) -> Row:
    return {
        "key": 101 + 3 * number,
        "name": name,
        "city": chance.choice(words["city"]),
        "state": chance.choice(words["state"]),
        "since": (_FIRST_DAY + timedelta(days=chance.randrange(2500))).isoformat(),
        "amount": chance.randrange(4, 900),
        "mail": f"box{1000 + 17 * number}@example.org",
        "note": "",
    }


@cache
def _words() -> dict[str, dict[str, Any]]:
    words: dict[str, dict[str, Any]] = json.loads((PAGES / "names.json").read_text("utf-8"))
    return words
