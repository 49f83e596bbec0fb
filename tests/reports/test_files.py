"""Reports in files: typed as what they hold, whole or not at all, and never over something else."""

from __future__ import annotations

import csv
import os
import re
from typing import TYPE_CHECKING, Literal

import duckdb
import pytest

import memctl
from memctl.base.errors import MemctlError, RefusedError
from memctl.reports.output_files import check_output, write_tables
from memctl.reports.page.page import write_page
from memctl.reports.questions import REPORTS
from memctl.reports.report import make_report, make_reports
from memctl.reports.sources import store_at
from tests.cli.calling import memctl_process
from tests.processes import as_another_user, python
from tests.reports.rich import NOW

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from memctl.memory import Memory
    from memctl.reports.answers import Report

    Form = Literal["parquet", "csv"]

FORMS = pytest.mark.parametrize("form", ["parquet", "csv"])
TIME = re.compile(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?")


@pytest.fixture(scope="module")
def reports(rich_home: Path) -> tuple[Report, ...]:
    """Every report on the rich store."""
    return make_reports(REPORTS, store_at("harbor", rich_home), now=NOW)


@pytest.fixture(scope="module")
def health(reports: tuple[Report, ...]) -> Report:
    """The one on health."""
    return next(report for report in reports if report.name == "health")


@pytest.fixture
def memory(rich_home: Path) -> Iterator[Memory]:
    """The rich store, opened."""
    with memctl.open("harbor", rich_home, readonly=True) as opened:
        yield opened


def test_parquet_holds_the_answers_cell_for_cell_by_their_types(
    reports: tuple[Report, ...], tmp_path: Path
) -> None:
    files = write_tables(reports, tmp_path / "it's new" / "out", "parquet")
    assert {path.name for path in (tmp_path / "it's new").iterdir()} == {"out"}
    assert {path.stem for path in files} == {
        f"{report.name}_{name}"
        for report in reports
        for name in ("findings", *(answer.name for answer in report.answers))
    }
    types = {"varchar": "VARCHAR", "bigint": "BIGINT", "double": "DOUBLE", "date": "DATE"}
    with duckdb.connect() as connection:
        # A time is the same moment wherever it is read.
        connection.execute("set timezone = 'Asia/Tokyo'")
        for report in reports:
            for answer in report.answers:
                path = tmp_path / "it's new" / "out" / f"{report.name}_{answer.name}.parquet"
                columns = connection.execute("describe from read_parquet(?)", [str(path)])
                assert [row[:2] for row in columns.fetchall()] == [
                    (one.name, types.get(one.sql_type, "TIMESTAMP WITH TIME ZONE"))
                    for one in answer.columns
                ]
                told = ", ".join(
                    f"strftime(\"{one.name}\" at time zone 'UTC', '%Y-%m-%dT%H:%M:%SZ')"
                    if one.sql_type == "timestamp"
                    else f'"{one.name}"' + "::varchar" * (one.sql_type == "date")
                    for one in answer.columns
                )
                rows = connection.execute(f"select {told} from read_parquet(?)", [str(path)])
                assert rows.fetchall() == list(answer.rows)


def test_csv_writes_ids_as_whole_numbers_and_times_with_their_z(
    reports: tuple[Report, ...], tmp_path: Path
) -> None:
    write_tables(reports, tmp_path / "out", "csv")
    kinds = set()
    for report in reports:
        for answer in report.answers:
            of = {column.name: column.kind for column in answer.columns}
            with (tmp_path / "out" / f"{report.name}_{answer.name}.csv").open(newline="") as file:
                rows = list(csv.DictReader(file))
            assert len(rows) == len(answer.rows)
            for name, cell in (pair for row in rows for pair in row.items() if pair[1]):
                assert of[name] != "at" or TIME.fullmatch(cell), (answer.name, name, cell)
                assert of[name] != "id" or cell.isdecimal(), (answer.name, name, cell)
                kinds.add(of[name])
    assert {"at", "id"} <= kinds


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
    named = {
        (kind, str(one))
        for report in reports
        for answer in report.answers
        for row in answer.records()
        for kind, ids in _ids(row)
        for one in ids
    }
    assert {kind for kind, _ in named} == set(get)
    for kind, key in named:
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


def test_the_page_and_the_guide_count_what_the_health_report_counts(
    reports: tuple[Report, ...],
    health: Report,
    rich_home: Path,
    memory: Memory,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MEMCTL_NOW", NOW)
    counts = {row["what"]: row["count"] for row in health.answer("summary").records()}
    page = write_page(reports, [store_at("harbor", rich_home)], tmp_path / "page.html").read_text()
    header = dict(re.findall(r"<dt>(\w+)</dt><dd>(\d+)", page))
    assert {name: int(header[name]) for name in ("Screens", "Transitions", "Turns", "Facts")} == {
        "Screens": counts["states"],
        "Transitions": counts["transitions between states"],
        "Turns": counts["turns"],
        "Facts": counts["facts that hold"],
    }
    (guide,) = re.findall(r"Facts that hold: (.*)\.", memory.facts.guide())
    rules = [row for row in health.answer("facts_by_kind").records() if row["category"] == "rule"]
    assert int(dict(re.findall(r"(\w+) (\d+)", guide))["rule"]) == rules[0]["held"]


@FORMS
def test_a_folder_with_something_in_it_is_left_alone_and_force_leaves_the_rest(
    form: Form, health: Report, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / f"health_stale.{form}").write_text("mine")
    with pytest.raises(RefusedError, match="exists") as raised:
        write_tables([health], out, form)
    assert raised.value.hint == "add --force to replace it"
    assert [path.read_text() for path in out.iterdir()] == ["mine"]
    # Answers of other reports would look as new; what is no answer in this form is somebody's.
    other = "csv" if form == "parquet" else "parquet"
    kept = {"notes.txt", f"decay_of_my_teeth.{form}", f"decay_findings.{other}"}
    for name in (*kept, f"decay_survival.{form}"):
        (out / name).write_text("mine too")
    written = write_tables([health], out, form, force=True)
    assert (out / f"health_stale.{form}").read_bytes() != b"mine"
    assert {path.name for path in set(out.iterdir()) - set(written)} == kept


def test_an_empty_folder_is_filled_and_a_file_in_its_place_is_never_replaced(
    health: Report, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    assert write_tables([health], tmp_path / "out", "csv")
    (tmp_path / "file").write_text("mine")
    for force in (True, False):
        with pytest.raises(RefusedError, match="is a file"):
            write_tables([health], tmp_path / "file", "csv", force=force)
    assert (tmp_path / "file").read_text() == "mine"


def test_a_place_that_may_not_be_written_or_reached_is_one_clear_error(
    health: Report, shared: Path
) -> None:
    (shared / "closed").mkdir(mode=0o700)
    shared.chmod(0o755)
    with pytest.raises(MemctlError, match="cannot be written") as raised:
        as_another_user(lambda: write_tables([health], shared / "out", "parquet"))
    assert raised.value.exit_code == 1
    assert [path.name for path in shared.iterdir()] == ["closed"]
    with pytest.raises(MemctlError, match="Permission denied"):
        as_another_user(lambda: check_output(shared / "closed" / "out", force=False, folder=True))


@FORMS
def test_a_full_disk_leaves_what_was_there_and_nothing_half_written(
    form: Form, write: Callable[..., None], home: Path, tmp_path: Path
) -> None:
    write()
    out = tmp_path / "out"
    out.mkdir()
    (out / "growth_totals.csv").write_text("old")
    printed = python(
        """
        import resource, signal, sys
        import memctl
        from memctl.reports.output_files import write_tables
        from memctl.reports.report import make_report
        from memctl.reports.sources import store_at

        report = make_report("growth", store_at("harbor", sys.argv[1]))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20, 20))
        try:
            write_tables([report], sys.argv[2], sys.argv[3], force=True)
            print("written")
        except memctl.MemctlError as error:
            print(error.exit_code, "cannot be written" in error.message, bool(error.hint))
        """,
        home,
        out,
        form,
    )
    assert printed == "1 True True"
    assert {path.name: path.read_text() for path in out.iterdir()} == {"growth_totals.csv": "old"}
    assert {path.name for path in tmp_path.iterdir()} == {"home", "out"}


def test_the_command_reports_the_good_stores_ends_with_5_and_refuses_before_it_works(
    write: Callable[..., None], home: Path, tmp_path: Path
) -> None:
    write()
    (home / "apps" / "broken.db").write_bytes(b"SQLite format 3\x00 and no more")
    command = ("--home", home, "--json", "report", "growth")
    answer = memctl_process(*command, "--all-stores")
    assert answer.code == 5
    assert answer.data["stores"] == ["harbor"]
    assert [os.path.basename(one["path"]) for one in answer.data["skipped"]] == ["broken.db"]  # noqa: PTH119
    (tmp_path / "page.html").write_text("mine")
    answer = memctl_process(*command, "--app", "nowhere", "--html", tmp_path / "page.html")
    assert answer.code == 3  # and not 4, for the store that is not there
    assert (tmp_path / "page.html").read_text() == "mine"


def test_one_report_alone_can_be_written(write: Callable[..., None], home: Path) -> None:
    write()
    files = write_tables([make_report("growth", store_at("harbor", home))], home / "out", "csv")
    with next(file for file in files if file.stem == "growth_findings").open(newline="") as file:
        assert next(csv.reader(file))[:3] == ["store", "subject", "severity"]
