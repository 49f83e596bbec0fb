"""The layouts: each page with how its deed is shown once, and what the deed makes of the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from playwright.sync_api import Locator, Page

    from benchmarks.acts.people import Row
    from memctl.drivers.demonstration import Demonstration

__all__ = ["LAYOUTS", "Layout", "Values"]

Values = dict[str, str]
_PAUSE = 0.7  # seconds for which a person looks at what came
_NEW = ("Mona Dahl", "Ragnhild Aas", "Theo Brandt", "Iris Falk")


def _who(row: Row, _: int) -> Values:
    return {"who": row["name"]}


def _removed(rows: Sequence[Row], row: Row, _: Values) -> list[Row]:
    return [one for one in rows if one is not row]


def _set(name: str, value: object) -> Callable[[Sequence[Row], Row, Values], list[Row]]:
    return lambda rows, row, _: [{**one, name: value} if one is row else one for one in rows]


@dataclass(frozen=True, slots=True)
class Layout:
    """A page, and a deed on one of its rows.

    Parameters
    ----------
    name
        The page's name, that of its file.
    what
        What is told apart from the other layouts, for people.
    show
        Does the deed on a row, as a person would.
    control
        What the deed is done with, as a CSS selector: it can be made dead, or ask first.
    deed
        Returns the rows after the deed, by the rows, the row and the values.
    values
        Returns the parameters of the deed on a row; the number varies what is typed.
    kind
        The list of names that its rows have.
    count, many
        Rows of the page, and where the right one is far below.
    refusal
        The HTTP status with which it refuses.
    client
        Whether the rows are in the page alone: the page tells what was done.
    adds
        Whether the deed makes a row.
    toggles
        The field that is set, where doing it twice would undo it.
    """

    name: str
    what: str
    show: Callable[[Page, Demonstration, Row, Values], None]
    control: str
    deed: Callable[[Sequence[Row], Row, Values], list[Row]] = _removed
    values: Callable[[Row, int], Values] = _who
    kind: str = "en"
    count: int = 8
    many: int = 60
    refusal: int = 409
    client: bool = False
    adds: bool = False
    toggles: str = ""


def _pressed(*places: Callable[[Page, Row], Locator]) -> Callable[..., None]:
    """Return how places are pressed, one after the other."""

    def show(page: Page, shown: Demonstration, row: Row, _: Values) -> None:
        for place in places:
            place(page, row).click()
            shown.wait(_PAUSE)

    return show


def _in(row: str, button: str) -> Callable[[Page, Row], Locator]:
    """Return where a button is in the row that has the name, both by CSS."""
    return lambda page, one: page.locator(row, has_text=one["name"]).locator(button)


def _at(selector: str) -> Callable[[Page, Row], Locator]:
    return lambda page, _: page.locator(selector)


LAYOUTS: Mapping[str, Layout] = {
    layout.name: layout
    for layout in (
        Layout("ids", "table, id first", _pressed(_in("tr", "a")), "a.drop"),
        Layout(
            "plain", "table, no id, forms", _pressed(_in("tr", "button")), "td form", refusal=200
        ),
        Layout(
            "cards", "cards, chips first", _pressed(_in(".card", ".away"), _at(".yes")), ".away",
            kind="titles",
        ),
        Layout(
            "switches", "sections of switches",
            _pressed(_in("fieldset", "[role=switch][aria-label=Light]")), "[role=switch]",
            deed=_set("light", value=True), kind="rooms", many=40, toggles="light",
        ),
    )
}  # fmt: skip
