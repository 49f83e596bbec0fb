"""Key figures and the score: what they are made of, and when there are too few data."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.reports.answers import Answer, Column, Report
from memctl.reports.key_figures import ENOUGH, key_figures, score_of
from memctl.reports.questions import REPORTS
from memctl.reports.report import make_reports
from memctl.reports.sources import store_at

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

NOW = "2026-11-20T12:00:00Z"
HIT_RATE = ("store", "grouping", "looks", "matches", "matches_recognised", "found", "absent")


def report(name: str, answer: str, columns: tuple[str, ...], *rows: tuple[object, ...]) -> Report:
    described = tuple(Column(column, "number", "") for column in columns)
    made = Answer(answer, "", "", described, rows)  # type: ignore[arg-type]
    return Report(name, NOW, None, None, ("harbor",), (), (made,))


def matching(*rows: tuple[object, ...]) -> Report:
    return report("matching", "hit_rate", HIT_RATE, *rows)


def test_every_figure_is_found_in_the_answers_that_there_are(
    write: Callable[..., None], home: Path
) -> None:
    write()
    made = make_reports(REPORTS, store_at("harbor", home), now=NOW)
    score = score_of(made)
    assert [part.name for part in score.parts] == [
        *("recognised", "found", "fresh", "answered", "settled", "done")
    ]
    assert score.value is None
    names = {one.name: one.value for one in key_figures(made)}
    assert {"screens", "components", "facts", "recalls", "saved_s", "findings"} <= names.keys()
    assert names["bytes"] == (home / "apps" / "harbor.db").stat().st_size


def test_the_score_is_the_mean_of_its_shares_over_all_stores() -> None:
    made = matching(
        ("one", "all", 15, 10, 9, 30, 10),
        ("one", "day", 15, 10, 9, 30, 10),
        ("two", "all", 15, 10, 3, 40, 0),
    )
    score = score_of([made])
    assert [(part.good, part.of) for part in score.parts] == [(12, 20), (70, 80)]
    assert score.value == pytest.approx(100 * (0.6 + 0.875) / 2)
    assert score.about.startswith("The mean of 2 shares")


def test_a_share_of_few_cases_does_not_count_and_one_alone_makes_no_score() -> None:
    made = matching(("one", "all", 30, ENOUGH - 1, 1, 99, 1))
    score = score_of([made])
    assert [part.share for part in score.parts] == [None, 0.99]
    assert score.value is None
    assert "1 of 2 has as many" in score.about
    assert "score" not in {one.name for one in key_figures([made])}


def test_what_was_not_asked_for_is_no_part() -> None:
    assert score_of([]).parts == ()
    assert [one.name for one in key_figures([])] == ["findings"]
