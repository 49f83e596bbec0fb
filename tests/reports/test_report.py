"""Making reports: which, over what time, from which stores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import UsageError
from memctl.reports.questions import REPORTS
from memctl.reports.report import make_report, make_reports
from memctl.reports.sources import store_at, stores_at
from tests.each import each
from tests.reports.conftest import NOW
from tests.reports.stored import component, fact

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl.reports.answers import Report


def test_an_unknown_report_is_a_clear_error(report: Callable[..., Report]) -> None:
    with pytest.raises(UsageError, match='no report "weather"') as raised:
        report("weather")
    assert "health" in raised.value.hint


@each(("since", "until"), [("2026-11-02", "2026-11-01"), ("2026-11-02", "2026-11-02T00:00:00Z")])
def test_a_time_that_runs_backwards_or_not_at_all_is_refused(
    since: str, until: str, report: Callable[..., Report]
) -> None:
    with pytest.raises(UsageError, match=r"since .* is not before until"):
        report("health", since=since, until=until)


def test_a_time_that_is_none_is_refused(report: Callable[..., Report]) -> None:
    with pytest.raises(UsageError, match='until "tomorrow"'):
        report("health", until="tomorrow")


def test_a_report_says_what_it_is_of(
    write: Callable[..., None], report: Callable[..., Report]
) -> None:
    write()
    made = report("growth", since="2026-11-01", until="2026-11-05T10:00:00+02:00")
    assert (made.name, made.made_at, made.stores, made.skipped) == ("growth", NOW, ("harbor",), ())
    assert (made.since, made.until) == ("2026-11-01T00:00:00Z", "2026-11-05T08:00:00Z")
    assert set(made.ms) == {"load", *(answer.name for answer in made.answers)}


def test_an_answer_is_found_by_its_name_and_no_other(
    write: Callable[..., None], report: Callable[..., Report]
) -> None:
    write()
    made = report("growth")
    assert made.answer("totals").name == "totals"
    with pytest.raises(KeyError, match='"growth" has no answer "total"'):
        made.answer("total")


def test_several_stores_are_told_apart_by_their_names(
    write: Callable[..., None], home: Path
) -> None:
    write(component(1), app="harbor")
    write(component(1) + component(2), app="quay")
    made = make_report("health", stores_at(home), now=NOW)
    assert made.stores == ("harbor", "quay")
    found = {
        row["store"]: row["count"]
        for row in made.answer("summary").records()
        if row["what"] == "components"
    }
    assert found == {"harbor": 1, "quay": 2}


def test_all_stores_together_have_one_curve(write: Callable[..., None], home: Path) -> None:
    write(component(1), app="harbor")
    write(component(1), app="quay")
    rows = make_report("decay", stores_at(home), now=NOW).answer("survival").records()
    assert [row["at_risk"] for row in rows if row["grouping"] == "all"] == [2]
    assert {row["store"] for row in rows if row["grouping"] == "all"} == {None}
    assert [row["at_risk"] for row in rows if row["grouping"] == "app"] == [1, 1]


def test_loading_once_for_several_reports_changes_none(
    write: Callable[..., None], home: Path
) -> None:
    write(component(1, consecutive_misses=3) + fact("one"))
    source = store_at("harbor", home)
    together = make_reports(REPORTS, source, now=NOW)
    for name, made in zip(REPORTS, together, strict=True):
        assert made.answers == make_report(name, source, now=NOW).answers


def test_stores_are_counted_as_they_are_read(write: Callable[..., None], home: Path) -> None:
    for app in ("one", "two", "three"):
        write(app=app)
    (home / "apps" / "two.db").write_text("no store")
    steps: list[str] = []
    make_reports(["growth"], stores_at(home), progress=steps.append)
    assert steps == ["reading one", "reading three", "reading two", "asking for growth"]


def test_an_open_memory_reports_on_itself(
    write: Callable[..., None], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(component(1, consecutive_misses=2))
    monkeypatch.setenv("MEMCTL_NOW", NOW)
    with memctl.open("harbor", home, settings={"forget_threshold": "3"}) as memory:
        (row,) = memory.report("decay").answer("next_forgotten").records()
        assert memory.report("growth", until="2026-10-01").answer("rows_per_day").rows == ()
    assert row["misses_left"] == 1


def test_python_reports_on_a_home_or_a_folder(write: Callable[..., None], home: Path) -> None:
    write(app="harbor")
    assert memctl.report("growth", home).stores == ("harbor",)
    assert memctl.report("growth", folder=home).stores == ("apps/harbor",)


def test_the_clock_is_memctls(
    write: Callable[..., None], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(fact("one", expires_at="2026-11-20T00:00:00Z", expires_by="given"))
    for moment, left in (("2026-11-18T00:00:00Z", [2]), ("2026-11-21T00:00:00Z", [])):
        monkeypatch.setenv("MEMCTL_NOW", moment)
        rows = make_report("decay", store_at("harbor", home)).answer("next_expired").records()
        assert [row["days_left"] for row in rows] == left
