"""The layouts of ``pages/layouts.toml``: how each deed is shown, and what it makes of the rows."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from benchmarks.acts.people import PAGES, Row

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from playwright.sync_api import Page

    from memctl.drivers.demonstration import Demonstration

__all__ = ["LAYOUTS", "Layout", "Values"]

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
