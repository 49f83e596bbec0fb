"""The layouts of ``pages/layouts.toml`` and their rows: how each deed is shown, and what it changes."""

from __future__ import annotations

import json
import random
import tomllib
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from playwright.sync_api import Page

    from memctl.drivers.demonstration import Demonstration


# -- people ------------------------------------------------------

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


# -- layouts -----------------------------------------------------

Values = dict[str, str]
_PAUSE = 0.7  # seconds for which a person looks at what came


@dataclass(frozen=True)
class Layout:
    """A page, and a deed on one of its rows; the file says what each field is."""

    name: str
    what: str
    steps: Sequence[str]
    control: str
    row: Mapping[str, str] = field(default_factory=lambda: {"who": "name"})
    typed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    sets: Mapping[str, Any] = field(default_factory=dict)
    adds: Mapping[str, str] = field(default_factory=dict)
    toggles: str = ""
    names: str = "en"
    count: int = 8
    many: int = 60
    refusal: int = 409
    client: bool = False
    tables: bool = False

    def values(self, row: Row, number: int) -> Values:
        """Return the parameters of the deed on a row; `number` chooses what is typed."""
        of_row = {name: str(row[key]) for name, key in self.row.items()}
        return of_row | {name: texts[number] for name, texts in self.typed.items()}

    def deed(self, rows: Sequence[Row], row: Row, values: Values) -> list[Row]:
        """Return the rows as they are after the deed."""
        if self.adds:
            made = {name: text.format(**values) for name, text in self.adds.items()}
            return [*rows, {"key": -1, **made}]
        given = {
            name: value.format(**values) if isinstance(value, str) else value
            for name, value in self.sets.items()
        }
        if given:
            return [{**one, **given} if one is row else one for one in rows]
        return [one for one in rows if one is not row]

    def show(self, page: Page, shown: Demonstration, row: Row, values: Values) -> None:
        """Do the deed on a row, as a person would."""
        for step in self.steps:
            act, _, what = step.format(**{**row, **values}).partition(" ")
            if act == "type":
                page.keyboard.type(what, delay=20)
            elif act == "press":
                page.keyboard.press(what)
            elif act == "choose":
                place, _, choice = what.partition(" > ")
                page.locator(place).select_option(choice)
            else:
                getattr(page.locator(what), act)()
            shown.wait(_PAUSE)


LAYOUTS: Mapping[str, Layout] = {
    one["name"]: Layout(**one)
    for one in tomllib.loads((PAGES / "layouts.toml").read_text("utf-8"))["layout"]
}
