"""The store that reports are timed on holds what it says, and is sound."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

import memctl
from benchmarks.growing import APP, Size, grow
from memctl.upkeep.doctor import examine

if TYPE_CHECKING:
    from pathlib import Path

SMALL = Size(sightings=8000, recalls=300, facts=200, days=120)


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return grow(tmp_path_factory.mktemp("grown"), SMALL)


def ask(path: Path, question: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(question).fetchall()


def test_it_holds_as_many_rows_as_were_wanted(grown: Path) -> None:
    counts = [
        ask(grown, f"select count(*) from {table}")[0][0]
        for table in ("sighting", "recall", "fact")
    ]
    assert counts == [8000, 300, 200]


def test_the_doctor_finds_nothing_wrong(grown: Path) -> None:
    with memctl.open(APP, grown.parents[1], readonly=True) as memory:
        assert all(finding.ok for finding in examine(memory.store))


def test_the_same_seed_makes_the_same_rows(grown: Path, tmp_path: Path) -> None:
    again, other = grow(tmp_path / "again", SMALL), grow(tmp_path / "other", SMALL, seed=2)
    question = "select * from sighting, observation on observation.id = observation_id"
    assert ask(again, question) == ask(grown, question)
    assert ask(other, question) != ask(grown, question)


def test_counters_are_what_the_rows_add_up_to(grown: Path) -> None:
    wrong = """
        select component.id
        from component inner join sighting on sighting.component_id = component.id
        group by component.id
        having component.seen_count <> sum(sighting.found)
    """
    assert ask(grown, wrong) == []
    miscounted = """
        select recall.id
        from recall left join recall_hit on recall_hit.recall_id = recall.id
        group by recall.id
        having recall.hits <> count(recall_hit.rank)
    """
    assert ask(grown, miscounted) == []


def test_nothing_lies_outside_of_its_days(grown: Path) -> None:
    for table, column in [
        ("observation", "observed_at"),
        ("recall", "asked_at"),
        ("log", "logged_at"),
    ]:
        (span,) = ask(grown, f"select min({column}), max({column}) from {table}")
        assert "2026-07-23" <= str(span[0]) <= str(span[1]) < "2026-11-20T00:00:00Z"


def test_a_history_has_what_reports_look_for(grown: Path) -> None:
    for question in (
        "select 1 from component where forgotten_at is not null",
        "select 1 from recall where hits = 0 and unknown_words <> '[]'",
        "select 1 from recall_hit where used_at is not null",
        "select 1 from fact where status = 'superseded' and valid_to is not null",
        "select 1 from transition where failures > 0",
        "select 1 from template group by sha256 having count(*) > 1",
        "select 1 from sighting where score = 0.81",
    ):
        assert ask(grown, question), question


def test_a_measurement_is_made_in_a_process_of_its_own(grown: Path) -> None:
    command = [sys.executable, "-m", "benchmarks.reports", "--once", "matching"]
    command.append(str(grown.parents[1]))
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    figures = json.loads(done.stdout)
    assert figures["rows"]["matching-hit_rate"] > 100
    assert 0 < figures["load_s"] <= figures["call_s"]
    assert 50e6 < figures["peak_bytes"] < 400e6
