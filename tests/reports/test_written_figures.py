"""What a report writes can be read by others: types in files, times with their zone, ids."""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING

import duckdb
import pytest

import memctl
from memctl.reports.output_files import write_tables
from memctl.reports.page.page import write_page
from memctl.reports.questions import REPORTS
from memctl.reports.report import make_reports
from memctl.reports.sources import store_at
from tests.reports.rich import NOW

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from memctl.memory import Memory
    from memctl.reports.answers import Report

TIME = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?")
PARQUET = {"varchar": "VARCHAR", "bigint": "BIGINT", "double": "DOUBLE", "date": "DATE"}


@pytest.fixture(scope="module")
def reports(rich_home: Path) -> tuple[Report, ...]:
    """Every report on it."""
    return make_reports(REPORTS, store_at("harbor", rich_home), now=NOW)


@pytest.fixture
def memory(rich_home: Path) -> Iterator[Memory]:
    """The rich store, opened."""
    with memctl.open("harbor", rich_home, readonly=True) as opened:
        yield opened


def test_a_column_of_parquet_has_the_type_of_what_it_holds(
    reports: tuple[Report, ...], tmp_path: Path
) -> None:
    write_tables(reports, tmp_path / "out", "parquet")
    for report in reports:
        for answer in report.answers:
            with duckdb.connect() as connection:
                path = tmp_path / "out" / f"{report.name}_{answer.name}.parquet"
                found = connection.sql(f"describe from '{path}'").fetchall()
            wanted = [
                (one.name, PARQUET.get(one.sql_type, "TIMESTAMP WITH TIME ZONE"))
                for one in answer.columns
            ]
            assert [row[:2] for row in found] == wanted


def test_a_time_in_parquet_is_the_same_moment_wherever_it_is_read(
    reports: tuple[Report, ...], tmp_path: Path
) -> None:
    write_tables(reports, tmp_path / "out", "parquet")
    (health,) = (report for report in reports if report.name == "health")
    with duckdb.connect() as connection:
        connection.execute("set timezone = 'Asia/Tokyo'")
        found = connection.sql(
            "select strftime(last_seen_at at time zone 'UTC', '%Y-%m-%dT%H:%M:%SZ')"
            f" from '{tmp_path / 'out' / 'health_stale.parquet'}'"
        ).fetchall()
    assert [row[0] for row in found] == [
        row["last_seen_at"] for row in health.answer("stale").records()
    ]


def test_csv_writes_ids_as_whole_numbers_and_times_with_their_z(
    reports: tuple[Report, ...], tmp_path: Path
) -> None:
    write_tables(reports, tmp_path / "out", "csv")
    written = set()
    for report in reports:
        for answer in report.answers:
            kinds = {column.name: column.kind for column in answer.columns}
            with (tmp_path / "out" / f"{report.name}_{answer.name}.csv").open(newline="") as file:
                for row in csv.DictReader(file):
                    for name, cell in row.items():
                        if cell and kinds[name] == "at":
                            assert TIME.fullmatch(cell), (answer.name, name, cell)
                        if cell and kinds[name] == "id":
                            assert cell.isdecimal(), (answer.name, name, cell)
                        written.add(kinds[name])
    assert {"at", "id"} <= written


def test_every_id_that_is_told_is_one_that_its_command_takes(
    reports: tuple[Report, ...], memory: Memory
) -> None:
    get: dict[str, Callable[[str], object]] = {
        "component": lambda key: memory.components.get(int(key)),
        "state": memory.states.get,
        "skill": memory.skills.get,
        "fact": memory.facts.get,
        "episode": lambda key: memory.episodes.get(int(key)),
        "turn": lambda key: memory.turns.get(int(key)),
        "act": lambda key: memory.transitions.get(int(key)),
    }
    told = {
        (kind, str(one))
        for report in reports
        for answer in report.answers
        for row in answer.records()
        for kind, ids in _ids(row)
        for one in ids
    }
    assert {kind for kind, _ in told} == set(get)
    for kind, key in told:
        assert get[kind](key), (kind, key)


def _ids(row: Mapping[str, object]) -> Iterator[tuple[str, list[object]]]:
    """What the columns of a row name: what sort of thing, and the ids."""
    kind = str(row.get("kind", "")).removesuffix("s").split()[0:1]
    for name, cell in row.items():
        if cell is None:
            continue
        if found := re.fullmatch(r"(component|state|skill|fact)_id", name):
            yield found[1], [cell]
        elif name in {"id", "item_id"} and kind:
            yield kind[0], [cell]
        elif name == "ids":
            yield (kind or ["component"])[0], list(str(cell).split(", "))
        elif name == "least_id":
            yield "fact", [cell]
        elif name == "first_id" and kind != ["look"]:
            yield kind[0].removesuffix("s"), [cell]


def test_the_header_of_the_page_counts_what_the_health_report_counts(
    reports: tuple[Report, ...], rich_home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", NOW)
    (health,) = (report for report in reports if report.name == "health")
    counts = {row["what"]: row["count"] for row in health.answer("summary").records()}
    sources = [store_at("harbor", rich_home)]
    page = write_page(reports, sources, tmp_path / "page.html").read_text()
    header = dict(re.findall(r"<dt>(\w+)</dt><dd>(\d+)", page))
    assert {name: int(header[name]) for name in ("Screens", "Transitions", "Turns", "Facts")} == {
        "Screens": counts["states"],
        "Transitions": counts["transitions between states"],
        "Turns": counts["turns"],
        "Facts": counts["facts that hold"],
    }


def test_the_guide_counts_the_facts_that_hold(
    reports: tuple[Report, ...], memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", NOW)
    (health,) = (report for report in reports if report.name == "health")
    rows = health.answer("facts_by_kind").records()
    (told,) = re.findall(r"Facts that hold: (.*)\.", memory.facts.guide())
    assert dict(re.findall(r"(\w+) (\d+)", told))["rule"] == str(
        next(row["held"] for row in rows if row["category"] == "rule")
    )
