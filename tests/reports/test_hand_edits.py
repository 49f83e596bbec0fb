"""What hands may type into a store breaks no report, and no JSON that it is printed as."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import StoreDamagedError
from memctl.reports.questions import REPORTS
from memctl.reports.report import make_reports
from memctl.reports.sources import store_at, stores_at
from tests.reports.rich import NOW

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.reports.answers import Report

TYPED = (
    "update recall set unknown_words = '{\"a\": [1, null]}'",
    "update recall set unknown_words = 'null', duration_ms = 9e999",
    "update observation set stages = '[1, {\"a\": 2}]', duration_ms = -9e999",
    'update observation set stages = \'{"a.b": 1, "c\\"d": "x"}\', observed_at = \'infinity\'',
    "update component set learned_at = 'yesterday', last_seen_at = '-infinity'",
    "update component set name = name || char(0) || char(0x202e) || char(0x1f4a5)",
    "update sighting set x = 9223372036854775807, score = 9e999 where observation_id % 3 = 0",
    "update fact set category = 'mine', text = printf('%.*c', 300000, 'x') where number < 9",
    "update state set merged_into = (select min(id) from state), merged_at = '' where id > (select min(id) from state)",
    "delete from component; delete from observation; delete from store",
)


def edit(rich_home: Path, home: Path, script: str, app: str = "harbor") -> None:
    """Copy the rich store, which has rows in every table, and edit the copy."""
    path = home / "apps" / f"{app}.db"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes((rich_home / "apps" / "harbor.db").read_bytes())
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


def edited(rich_home: Path, home: Path, script: str) -> tuple[Report, ...]:
    """Return every report on a store that somebody edited."""
    edit(rich_home, home, script)
    return make_reports(REPORTS, store_at("harbor", home), now=NOW)


def test_every_report_is_made_and_can_be_printed(rich_home: Path, home: Path) -> None:
    for number, script in enumerate(TYPED):
        edit(rich_home, home, script, f"app-{number}")
    for report in make_reports(REPORTS, stores_at(home), now=NOW):
        assert report.skipped == ()
        assert len(report.stores) == len(TYPED)
        for answer in report.answers:
            json.dumps(answer.records(), allow_nan=False)


def test_a_time_that_is_none_is_not_known(rich_home: Path, home: Path) -> None:
    reports = edited(rich_home, home, "update component set last_seen_at = 'infinity'")
    stale = next(one for report in reports for one in report.answers if one.name == "stale")
    assert {row["last_seen_at"] for row in stale.records()} == {None}


def test_numbers_that_cannot_be_added_up_are_damage(rich_home: Path, home: Path) -> None:
    with pytest.raises(StoreDamagedError, match="too large"):
        edited(rich_home, home, "update guard_refusal set refusals = 9223372036854775807")


def test_a_text_in_a_column_of_numbers_is_damage(rich_home: Path, home: Path) -> None:
    with pytest.raises(StoreDamagedError, match="is damaged"):
        edited(
            rich_home,
            home,
            """
            pragma writable_schema = on;
            update sqlite_schema
            set sql = replace(sql, 'refusals integer', 'refusals text') where name = 'guard_refusal';
            pragma writable_schema = reset;
            update guard_refusal set refusals = 'of no number';
            pragma writable_schema = on;
            update sqlite_schema
            set sql = replace(sql, 'refusals text', 'refusals integer') where name = 'guard_refusal';
            pragma writable_schema = reset;
            """,
        )
