"""Reports on nothing, on one row, on five hundred stores; memory does not grow with the rows."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.reports.questions import REPORTS
from memctl.reports.report import make_report
from memctl.reports.sources import store_at, stores_at
from tests.each import each

if TYPE_CHECKING:
    from pathlib import Path

STORES = 500


@pytest.mark.parametrize("name", REPORTS)
def test_a_store_in_which_nothing_was_written_has_every_report(name: str, home: Path) -> None:
    with memctl.open("harbor", home) as memory, memory.store.transaction():
        pass
    report = make_report(name, store_at("harbor", home))
    assert report.stores == ("harbor",)
    assert report.answers


@each("name", REPORTS)
def test_a_home_without_stores_has_every_report(name: str, home: Path) -> None:
    report = make_report(name, stores_at(home))
    assert (report.stores, report.skipped) == ((), ())
    assert report.answers


def test_a_store_of_one_row_has_one_row_in_its_growth(home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        memory.log("the only thing that was ever said")
    report = make_report("growth", store_at("harbor", home))
    rows = {answer.name: answer.records() for answer in report.answers}
    assert [(row["table"], row["rows"]) for row in rows["totals"] if row["rows"]] == [("log", 1)]
    assert [(row["table"], row["rows"]) for row in rows["rows_per_day"]] == [("log", 1)]


def test_five_hundred_stores_are_reported_at_once(home: Path) -> None:
    with memctl.open("app000", home) as memory:
        memory.log("the same was said everywhere")
        first = memory.store.path
    for number in range(1, STORES):
        os.link(first, first.with_name(f"app{number:03}.db"))
    report = make_report("growth", stores_at(home))
    assert (len(report.stores), report.skipped) == (STORES, ())
    totals = next(answer for answer in report.answers if answer.name == "totals")
    assert {row["store"] for row in totals.records()} == set(report.stores)
