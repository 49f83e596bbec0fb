"""Tables of the page: names instead of ids, links to what rows are about, and its pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.reports.answers import Answer, Column, Report
from memctl.reports.page.graph import Graph
from memctl.reports.page.pictures import Picture, ShownLook
from memctl.reports.page.stores import StoreView
from memctl.reports.page.tables import MOST_ROWS, asked_looks, shown, table_of
from tests.each import each

if TYPE_CHECKING:
    from memctl.reports.answers import Cell, Kind
    from memctl.reports.page.tables import Table

AT = "2026-11-20T16:33:04Z"


def look(when: str) -> ShownLook:
    return ShownLook(Picture("data:,", 9, 9), when, when)


HARBOR = StoreView(
    *("harbor", "store-1", "", Graph((), (), (), {}, 0, 0), None, "", (), ""),
    anchors={"7": "c7", "s_1": "home-section"},
    names={"7": "Save", "s_1": "home"},
    looks={
        "7": (look("first look"), look("last look")),
        "s_1": (look("as learned"), look("as seen last")),
    },
)


def answer_of(columns: str, *rows: tuple[Cell, ...], **kinds: Kind) -> Answer:
    described = tuple(Column(name, kinds.get(name, "text"), "") for name in columns.split())
    return Answer("a", "", "", described, rows)


def made(answer: Answer) -> Table:
    report = Report("health", AT, None, None, ("harbor",), (), (answer,))
    return table_of(report, answer, {"harbor": HARBOR})


def names(table: Table) -> list[str]:
    return [name for name, _, _ in table.columns]


def test_a_component_has_its_name_leads_to_its_place_and_is_shown_before_and_after() -> None:
    answer = answer_of("store component_id name", ("harbor", 7, "Save"), component_id="id")
    assert asked_looks(answer) == [("harbor", "7")]
    table = made(answer)
    assert names(table) == ["picture", "store", "name"]
    ((picture, _, name),) = table.rows
    assert [one.when for one in picture.looks] == ["first look", "last look"]
    assert (name.text, name.target) == ("Save", "c7")


def test_a_component_that_is_not_on_the_page_leads_nowhere() -> None:
    table = made(answer_of("store component_id name", ("quay", 7, "Save"), component_id="id"))
    assert names(table) == ["store", "name"]
    assert [cell.target for cell in table.rows[0]] == ["", ""]


def test_components_of_one_picture_are_shown_once_as_they_look_now() -> None:
    table = made(answer_of("store names ids", ("harbor", "Save, Save_2", "7, 8")))
    ((picture, _, all_names),) = table.rows
    assert [(one.alt, one.when) for one in picture.looks] == [("last look", "")]
    assert (all_names.text, all_names.target) == ("Save, Save_2", "c7")


def test_a_screen_that_left_its_band_is_shown_as_learned_and_as_seen_last() -> None:
    answer = answer_of(
        "store screen alarm state_id",
        ("harbor", "home", None, "s_1"),
        ("harbor", "home", "above", "s_1"),
    )
    assert asked_looks(answer) == [("harbor", "s_1")]
    table = made(answer)
    assert names(table) == ["picture", "store", "screen", "alarm"]
    assert [len(row[0].looks) for row in table.rows] == [0, 2]
    assert [row[2].target for row in table.rows] == ["home-section"] * 2


def test_a_bare_id_becomes_a_name_where_its_row_says_of_what_it_is() -> None:
    table = made(
        answer_of(
            "store kind first_id",
            ("harbor", "states", "s_1"),
            ("harbor", "components in no state", "7"),
            ("harbor", "episodes", "7"),
        )
    )
    assert [(row[2].text, row[2].target) for row in table.rows] == [
        ("home", "home-section"),
        ("Save", "c7"),
        ("7", ""),
    ]


def test_what_is_left_out_is_counted_with_the_command_that_prints_it() -> None:
    table = made(answer_of("store", *[("harbor",)] * 1_234))
    assert len(table.rows) == MOST_ROWS
    assert table.left_out == "1,134 more rows: memctl report health --json"


@each(
    ("cell", "kind", "text", "value"),
    [
        (None, "share", "-", ""),
        (0.1234, "share", "12.3%", "0.1234"),
        (AT, "at", "2026-11-20 16:33", AT),
        ("x" * 400, "text", "x" * 299 + "\N{HORIZONTAL ELLIPSIS}", None),
    ],
)
def test_a_cell_is_read_as_text_and_sorted_by_its_value(
    cell: Cell, kind: Kind, text: str, value: str | None
) -> None:
    assert (shown(cell, kind).text, shown(cell, kind).value) == (text, value)
