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
    tables
        Whether a name may stand in another table of the page as well.
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
    tables: bool = False


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


def _typed(page: Page, shown: Demonstration, *texts: str) -> None:
    for text in texts:
        page.keyboard.type(text, delay=20)
        shown.wait(_PAUSE)


def _rename(page: Page, shown: Demonstration, row: Row, values: Values) -> None:
    article = page.locator("article", has_text=row["name"])
    for place in ("a", ".re"):
        article.locator(place).click()
        shown.wait(_PAUSE)
    _typed(page, shown, values["name"])
    page.keyboard.press("Enter")
    shown.wait(_PAUSE)


def _fill(page: Page, shown: Demonstration, _: Row, values: Values) -> None:
    for field, name in (("#n", "who"), ("#c", "city")):
        page.locator(field).click()
        _typed(page, shown, values[name])
    page.locator("#add").click()
    shown.wait(_PAUSE)


def _enter(page: Page, shown: Demonstration, _: Row, values: Values) -> None:
    page.locator("#new").click()
    _typed(page, shown, values["task"])
    page.keyboard.press("Enter")
    shown.wait(_PAUSE)


def _choose(page: Page, shown: Demonstration, row: Row, values: Values) -> None:
    chosen = page.locator("li", has_text=row["name"]).locator("select")
    chosen.select_option(values["to"])
    shown.wait(_PAUSE)


def _hover(page: Page, shown: Demonstration, row: Row, _: Values) -> None:
    line = page.locator(".m", has_text=row["name"])
    line.hover()
    shown.wait(_PAUSE)
    line.locator(".arc").click()
    shown.wait(_PAUSE)


def _added(rows: Sequence[Row], _: Row, values: Values) -> list[Row]:
    name = values.get("who") or values["task"]
    return [*rows, {"key": -1, "name": name, "city": values.get("city", "")}]


_TOWNS = ("Bergen", "Malmo", "Ghent", "Faro")
_TASKS = ("Water the plants", "Call the dentist", "Book a table", "Fix the tap")
_STATES = ("Closed", "Waiting", "Rejected", "Closed")

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
            "orders", "lines in orders",
            _pressed(
                lambda page, row: page.locator(".order", has_text=row["order"])
                .locator(".line", has_text=row["name"]).locator("button")
            ),
            ".line button", kind="items", count=12, refusal=422,
            values=lambda row, _: {"order": row["order"], "item": row["name"]},
        ),
        Layout("divgrid", "grid of divs", _pressed(_in(".g", ".bin")), ".bin", kind="en"),
        Layout(
            "flat", "cells without rows",
            _pressed(lambda page, row: page.locator(f"[data-k='{row['key']}']")), "#cells i",
            client=True,
        ),
        Layout(
            "switches", "sections of switches",
            _pressed(_in("fieldset", "[role=switch][aria-label=Light]")), "[role=switch]",
            deed=_set("light", value=True), kind="rooms", many=40, toggles="light",
        ),
        Layout(
            "boxes", "checkboxes in a list", _pressed(_in("li", "input")), "input",
            deed=_set("may", value=True), count=10, toggles="may",
        ),
        Layout(
            "menus", "a menu a row, dialog",
            _pressed(_in("li", ".dots"), _at(".pop .del"), _at("dialog [value=yes]")), ".del",
            kind="titles",
        ),
        Layout(
            "rename", "a menu, typed name", _rename, "form",
            deed=lambda rows, row, values: _set("name", values["name"])(rows, row, values),
            values=lambda row, number: {"who": row["name"], "name": _TASKS[number]}, refusal=200,
            kind="titles", count=9,
        ),
        Layout(
            "endless", "loads while scrolling", _pressed(_in(".row", "button")), ".row button",
            deed=_set("muted", value=True), count=120, many=120, toggles="muted",
        ),
        Layout(
            "virtual", "500, draws the visible", _pressed(_in(".it", ".x")), ".it .x",
            count=500, many=500,
        ),
        Layout(
            "twotables", "two tables alike", _pressed(_in("tr", ".Remove")), "input.Remove",
            count=10, refusal=200, tables=True,
        ),
        Layout(
            "german", "German, asks in a bar", _pressed(_in("tr", ".weg"), _at("#ja")), ".weg",
            kind="de",
        ),
        Layout(
            "chinese", "Chinese, asks on a page",
            _pressed(_in(".r", ".rm"), _at("[type=submit]")), "a.rm", kind="zh",
        ),
        Layout("arabic", "Arabic, right to left", _pressed(_in("[role=row]", ".del")), ".del", kind="ar"),
        Layout(
            "form", "a form with a button", _fill, "#add", deed=_added, adds=True,
            values=lambda _, number: {"who": _NEW[number], "city": _TOWNS[number]},
        ),
        Layout(
            "enter", "a field, Enter", _enter, "#new", deed=_added, adds=True, kind="titles",
            values=lambda _, number: {"task": _TASKS[number]},
        ),
        Layout(
            "tickets", "a choice in a list", _choose, "select",
            deed=lambda rows, row, values: _set("progress", values["to"])(rows, row, values),
            values=lambda row, number: {"who": row["name"], "to": _STATES[number]}, kind="titles",
            toggles="progress",
        ),
        Layout("mail", "buttons while pointing", _hover, ".arc"),
    )
}  # fmt: skip
