"""Every figure of every report is the one that another SQL finds, asked of SQLite itself."""

from __future__ import annotations

import math
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from memctl.base.tokens import estimate_tokens
from memctl.reports.questions import REPORTS, questions_of
from memctl.reports.report import make_reports
from memctl.reports.sources import store_at
from tests.each import each
from tests.reports.rich import NOW

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.reports.answers import Answer

    Rows = list[dict[str, Any]]

WRITTEN = Path(__file__).with_name("figures")
EVER = ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z")
WEEK = ("2026-11-06T09:30:00Z", "2026-11-16T08:30:00Z")
TOLERANCE = 1e-9
# Their quantile is computed by a formula, and printed in tables with three digits.
ROUGHLY = {"low_s": 1e-3, "high_s": 1e-3}
ASKED = [(report, one.name) for report in REPORTS for one in questions_of(report)]


def independent(report: str) -> dict[str, str]:
    """The questions that were written for the tests alone, by name."""
    parts = re.split(
        r"^-- name: (\w+)\n", (WRITTEN / f"{report}.sql").read_text(), flags=re.MULTILINE
    )
    return dict(zip(parts[1::2], parts[2::2], strict=True))


class Quantile:
    """The quantile of what SQLite hands over, interpolated between neighbours."""

    def __init__(self) -> None:
        self.values: list[float] = []
        self.share = 0.0

    def step(self, value: float, share: float) -> None:
        self.values.append(value)
        self.share = share

    def finalize(self) -> float:
        return float(np.quantile(self.values, self.share))


@pytest.fixture(scope="module", params=[EVER, WEEK], ids=["ever", "a week"])
def window(request: pytest.FixtureRequest) -> tuple[str, str]:
    """The time that is asked for."""
    begins, ends = request.param
    return begins, ends


@pytest.fixture(scope="module")
def answers(rich_home: Path, window: tuple[str, str]) -> dict[tuple[str, str], Answer]:
    """What the reports say."""
    since, until = window if window != EVER else (None, None)
    made = make_reports(REPORTS, store_at("harbor", rich_home), since=since, until=until, now=NOW)
    return {(report.name, answer.name): answer for report in made for answer in report.answers}


@pytest.fixture(scope="module")
def sqlite(rich_home: Path, window: tuple[str, str]) -> Iterator[sqlite3.Connection]:
    """The store as sqlite3 opens it, with the views of the independent questions."""
    file = rich_home / "apps" / "harbor.db"
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        connection.create_function("tokens_of", 1, estimate_tokens)
        connection.create_function("octets", 1, _octets)
        connection.create_aggregate("quantile", 2, Quantile)  # type: ignore[arg-type]
        connection.execute("create temp table asked as select ? as now, ? as since, ? as until",
                           (NOW, *window))  # fmt: skip
        connection.executescript((WRITTEN / "views.sql").read_text())
        yield connection


def _octets(value: object) -> int:
    if isinstance(value, str):
        return len(value.encode())
    return len(value) if isinstance(value, bytes) else 0


def test_every_answer_is_recomputed() -> None:
    written = {
        (path.stem, name) for path in WRITTEN.glob("*.sql") for name in independent(path.stem)
    }
    assert written == set(ASKED)


@each(("report", "name"), ASKED)
def test_every_figure_is_the_one_that_another_sql_finds(
    report: str, name: str, answers: dict[tuple[str, str], Answer], sqlite: sqlite3.Connection
) -> None:
    found = sqlite.execute(independent(report)[name])
    columns = [column[0] for column in found.description]
    wanted = [dict(row) for row in found]
    said = [
        {key: row[key] for key in row if key != "store"} for row in answers[report, name].records()
    ]
    assert columns == [one.name for one in answers[report, name].columns if one.name != "store"]
    assert said, "the rich store has something for every question"
    assert len(said) == len(wanted)
    assert [
        (column, mine, theirs)
        for mine, theirs in zip(_sorted(said), _sorted(wanted), strict=True)
        for column in columns
        if not _equal(mine[column], theirs[column], ROUGHLY.get(column, TOLERANCE))
    ] == []


def _equal(one: object, other: object, tolerance: float) -> bool:
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return math.isclose(one, other, rel_tol=tolerance, abs_tol=TOLERANCE)
    return one == other


def _sorted(rows: Rows) -> Rows:
    return sorted(rows, key=lambda row: [_rounded(value) for value in row.values()])


def _rounded(value: object) -> str:
    """A key to sort by that the last digit does not change."""
    return f"{value:.6g}" if isinstance(value, (int, float)) else str(value)
