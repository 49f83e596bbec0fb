"""Reports on nothing, on one row, on more stores than files may be open."""

from __future__ import annotations

import os
import resource
from typing import TYPE_CHECKING

import memctl
from memctl.reports.questions import REPORTS
from memctl.reports.report import make_report, make_reports
from memctl.reports.sources import store_at, stores_at

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

STORES, FILES = 120, 100


def test_nothing_and_a_store_in_which_nothing_was_written_have_every_report(
    write: Callable[..., None], home: Path
) -> None:
    for stores in ((), ("harbor",)):
        for report in make_reports(REPORTS, stores_at(home)):
            assert (report.stores, report.skipped) == (stores, ())
            assert report.answers
        write()


def test_a_store_of_one_row_has_one_row_in_its_growth(home: Path) -> None:
    with memctl.open("harbor", home) as memory:
        memory.log("the only thing that was ever said")
    report = make_report("growth", store_at("harbor", home))
    rows = {answer.name: answer.records() for answer in report.answers}
    assert [(row["table"], row["rows"]) for row in rows["totals"] if row["rows"]] == [("log", 1)]
    assert [(row["table"], row["rows"]) for row in rows["rows_per_day"]] == [("log", 1)]


def test_more_stores_than_files_may_be_open_are_reported_at_once(
    write: Callable[..., None], home: Path
) -> None:
    write(app="app000")
    first = home / "apps" / "app000.db"
    for number in range(1, STORES):
        os.link(first, first.with_name(f"app{number:03}.db"))
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, hard))
    try:
        report = make_report("health", stores_at(home))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert (len(report.stores), report.skipped) == (STORES, ())
    assert {row["store"] for row in report.answer("summary").records()} == set(report.stores)
