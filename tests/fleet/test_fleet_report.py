"""Reports over a fleet: as `make_reports` answers, and only what has changed is read again."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

import duckdb
import pytest

import memctl
from memctl.base.errors import UsageError
from memctl.fleet import fleet_report
from memctl.fleet.fleet_report import make_fleet_reports
from memctl.reports.questions import REPORTS
from memctl.reports.report import make_reports
from memctl.reports.sources import stores_at
from tests.fleet.homes import a_home
from tests.reports.conftest import NOW, write_to
from tests.reports.rich import fill
from tests.reports.stored import component, fact, recall, skill, skill_run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any

    from memctl.fleet.fleet_report import FleetReports
    from memctl.reports.answers import Answer

WINDOWS = [(None, None), ("2026-11-06", None), ("2026-11-07T10:00:00Z", "2026-11-14")]


@pytest.fixture(scope="module")
def varied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home of stores with everything, with a zone of its own, with little, with nothing."""
    home = tmp_path_factory.mktemp("varied")
    fill(home)
    a_home(home, "chromium/united.com", "office")
    with memctl.open("atlas", home) as memory:
        memory.settings.set("timezone", "Pacific/Auckland")
        memory.settings.set("forget_threshold", "4")
        memory.log("late in the day there", logged_at="2026-11-08T12:30:00Z")
        memory.remember("Crème brûlée 中文", happened_at="2026-11-09T11:59:59Z")
    write_to(
        home, "skilled", skill("s1") + skill_run("s1", 7) + skill_run("s1", 9, status="failed")
    )
    write_to(home, "worn", component(1, consecutive_misses=4) + fact("F1") + recall(1, hits=0))
    write_to(home, "nothing", "")
    return home


@pytest.fixture
def home(varied: Path, tmp_path: Path) -> Path:
    """Return a copy of that home."""
    return shutil.copytree(varied, tmp_path / "home")


def ask(home: Any, into: Path, *names: str, **more: Any) -> FleetReports:
    return make_fleet_reports(names or REPORTS, home, into=into, now=NOW, **more)


def alike(answer: Answer) -> Answer:
    """Return an answer without the last digits of its numbers: DuckDB sums them in any order."""
    rows = [
        tuple(float(f"{cell:.12g}") if isinstance(cell, float) else cell for cell in row)
        for row in answer.rows
    ]
    return replace(answer, rows=tuple(rows))


def parts_of(into: Path) -> dict[str, bytes]:
    return {str(file.relative_to(into)): file.read_bytes() for file in into.rglob("*.parquet")}


def cells_in(into: Path) -> str:
    """Return every cell of every part."""
    with duckdb.connect() as connection:
        rows = connection.execute(
            f"select cells from read_parquet('{into}/**/*.parquet')"
        ).fetchall()
    return json.dumps(rows, ensure_ascii=False)


@pytest.mark.parametrize("window", WINDOWS)
def test_every_answer_and_finding_is_that_of_one_machine(
    varied: Path, tmp_path_factory: pytest.TempPathFactory, window: tuple[str | None, str | None]
) -> None:
    into = tmp_path_factory.getbasetemp() / "parts-of-varied"  # of the first window, for all
    since, until = window
    made = ask(varied, into, texts=True, since=since, until=until).reports
    sources = sorted(stores_at(varied), key=lambda source: source.name)
    plain = make_reports(REPORTS, sources, since=since, until=until, now=NOW)
    for mine, other in zip(made, plain, strict=True):
        for one, two in zip(mine.answers, other.answers, strict=True):
            assert alike(one) == alike(two), one.name
        assert mine.findings == other.findings
        assert (mine.stores, mine.since, mine.until) == (other.stores, other.since, other.until)


def test_without_texts_numbers_are_the_same_and_words_are_said_to_be_left_out(
    varied: Path, tmp_path: Path
) -> None:
    made = ask(varied, tmp_path / "parts").reports
    plain = make_reports(REPORTS, stores_at(varied), now=NOW)
    for mine, other in zip(made, plain, strict=True):
        for one, two in zip(mine.answers, other.answers, strict=True):
            if one.name == "unknown_words":
                assert two.rows
                assert not one.rows
                assert "--texts" in one.nothing
                continue
            numbers = [column.name for column in one.columns if column.kind != "text"]
            assert sorted(
                str([row[name] for name in numbers]) for row in alike(one).records()
            ) == sorted(str([row[name] for name in numbers]) for row in alike(two).records()), (
                one.name
            )
    assert "(text " in str(made[0].answer("stale").rows)
    assert len(made[0].answer("duplicates").rows) == len(plain[0].answer("duplicates").rows) > 0


def test_only_stores_that_have_changed_are_read_again(home: Path, tmp_path: Path) -> None:
    into = tmp_path / "parts"
    first = ask(home, into, "health")
    assert (first.read, first.kept, first.removed) == (7, 0, 0)
    before = parts_of(into)
    with memctl.open("office", home) as memory:
        memory.facts.store("Bo likes rye bread")
    second = ask(home, into, "growth")
    assert (second.read, second.kept, second.removed) == (1, 6, 1)
    assert len(parts_of(into).keys() & before.keys()) == 6
    assert ask(home, into, "health").read == 0


def test_what_was_erased_or_is_gone_is_in_no_part(home: Path, tmp_path: Path) -> None:
    into = tmp_path / "parts"
    ask(home, into, "health", texts=True)
    assert "office" in cells_in(into)
    assert "Crème brûlée" in cells_in(into)
    with memctl.open("atlas", home) as memory:
        memory.erase(query="brûlée", confirm=True)
    (home / "apps" / "office.db").unlink()
    made = ask(home, into, "health", texts=True)
    assert (made.read, made.removed) == (1, 2)
    assert "Crème brûlée" not in cells_in(into)
    assert "Ann likes office" not in cells_in(into)


def test_parts_of_what_was_erased_go_before_any_store_is_read(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    into = tmp_path / "parts"
    ask(home, into, "health", texts=True)
    with memctl.open("atlas", home) as memory:
        memory.erase(query="brûlée", confirm=True)

    def none_is_read(*_: object, **__: object) -> Iterator[object]:
        raise KeyboardInterrupt

    monkeypatch.setattr(fleet_report, "spread", none_is_read)
    with pytest.raises(KeyboardInterrupt):
        ask(home, into, "health", texts=True)
    assert "Crème brûlée" not in cells_in(into)


def test_parts_of_another_home_stay_unless_their_store_has_changed(
    home: Path, tmp_path: Path
) -> None:
    into, other = tmp_path / "parts", a_home(tmp_path / "other", "harbor", "quay")
    ask(other, into, "health")
    assert ask(home, into, "health").removed == 0
    (other / "apps" / "quay.db").unlink()
    assert ask(home, into, "health").removed == 1


def test_a_report_without_texts_takes_those_of_an_earlier_one_away(
    home: Path, tmp_path: Path
) -> None:
    into = tmp_path / "parts"
    ask(home, into, "health", texts=True)
    made = ask(home, into, "health")
    assert (made.read, made.removed) == (7, 7)
    assert "Crème" not in cells_in(into)


def test_damaged_stores_are_named_and_their_old_parts_are_not_answered_from(
    home: Path, tmp_path: Path
) -> None:
    into = tmp_path / "parts"
    ask(home, into, "health")
    for app in ("office", "harbor", "worn"):
        path = home / "apps" / f"{app}.db"
        content = path.read_bytes()
        path.write_bytes(content[:4096] + b"\x07" * (len(content) - 4096))
    made = ask(home, into, "health")
    assert [skipped.code for skipped in made.skipped] == ["store_damaged"] * 3
    assert [skipped.path for skipped in made.skipped] == [
        str(home / "apps" / f"{app}.db") for app in ("harbor", "office", "worn")
    ]
    assert made.reports[0].stores == ("atlas", "chromium/united.com", "nothing", "skilled")
    assert {row[0] for row in made.reports[0].answer("summary").rows} == set(made.reports[0].stores)
    assert len(parts_of(into)) == 4


def test_two_homes_may_hold_copies_of_one_store(home: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(home, tmp_path / "copy")
    report = memctl.fleet.report("health", [home, copy], into=tmp_path / "parts")
    assert len(report.stores) == len(set(report.stores)) == 14
    assert len(parts_of(tmp_path / "parts")) == 14
    facts = {
        row["store"]: row["count"]
        for row in report.answer("summary").records()
        if row["what"] == "facts that hold" and str(row["store"]).startswith("harbor (")
    }
    assert len(facts) == 2
    assert len(set(facts.values())) == 1


def test_a_pool_of_processes_makes_the_same_parts(home: Path, tmp_path: Path) -> None:
    ask(home, tmp_path / "a", "health")
    ask(home, tmp_path / "b", "health", jobs=2)
    assert parts_of(tmp_path / "a") == parts_of(tmp_path / "b")


def test_parts_may_lie_in_a_bucket(home: Path, bucket: str, tmp_path: Path) -> None:
    first = make_fleet_reports(["health"], home, into=bucket, now=NOW)
    second = make_fleet_reports(["health"], home, into=bucket, now=NOW)
    assert (first.read, second.read, second.kept) == (7, 0, 7)
    plain = ask(home, tmp_path / "parts", "health")
    assert second.reports[0].answers == plain.reports[0].answers


def test_stores_in_a_bucket_answer_and_only_those_that_were_written_are_read_again(
    home: Path, bucket: str, tmp_path: Path
) -> None:
    memctl.fleet.push(home, bucket)
    first = ask(bucket, tmp_path / "parts", "growth")
    assert (first.read, first.skipped) == (len(memctl.stores(home)), ())
    with memctl.open("office", home) as memory:
        memory.facts.store("Ben likes boats")
    memctl.fleet.push(home, bucket)
    again = ask(bucket, tmp_path / "parts", "growth")
    assert (again.read, again.kept) == (1, first.read - 1)
    totals = make_reports(["growth"], stores_at(home), now=NOW)[0].answer("totals")
    assert again.reports[0].answer("totals").rows == totals.rows


def test_settings_of_the_call_win(home: Path, tmp_path: Path) -> None:
    settings = {"forget_threshold": "20", "timezone": "America/New_York"}
    made = ask(home, tmp_path / "parts", "decay", "growth", texts=True, settings=settings).reports
    plain = make_reports(["decay", "growth"], stores_at(home), now=NOW, settings=settings)
    assert [alike(each) for report in made for each in report.answers] == [
        alike(each) for report in plain for each in report.answers
    ]


def test_little_memory_is_enough(varied: Path, tmp_path: Path) -> None:
    limited = ask(varied, tmp_path / "parts", memory_limit="200MB").reports
    for mine, other in zip(limited, ask(varied, tmp_path / "parts").reports, strict=True):
        for one, two in zip(mine.answers, other.answers, strict=True):
            assert alike(one) == alike(two), one.name


def test_a_part_that_cannot_be_read_is_named(home: Path, tmp_path: Path) -> None:
    into = tmp_path / "parts"
    ask(home, into, "health")
    part = next(into.rglob("office.db.*"))
    part.write_bytes(b"PAR1")
    with pytest.raises(memctl.FileAccessError, match=r"office\.db"):
        ask(home, into, "health")
    part.unlink()
    assert ask(home, into, "health").read == 1


def test_no_such_report_is_refused_before_anything_is_read(home: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no report"):
        memctl.fleet.report("helth", home, into=tmp_path / "parts")
    assert not (tmp_path / "parts").exists()
