"""Where a report is written: nothing is overwritten unasked, and a full disk leaves no halves."""

from __future__ import annotations

import csv
import os
from typing import TYPE_CHECKING

import duckdb
import pytest

import memctl
from memctl.base.errors import MemctlError, RefusedError, UsageError
from memctl.reports.output_files import check_output, write_tables
from memctl.reports.report import make_report
from memctl.reports.sources import store_at
from tests.cli.calling import memctl_process
from tests.each import each
from tests.processes import as_another_user, python

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.reports.answers import Report


@pytest.fixture
def report(home: Path) -> Report:
    """The growth of a store of one turn."""
    with memctl.open("harbor", home) as memory:
        memory.log('it\'s the only thing, "quoted", that was\never said')
    return make_report("growth", store_at("harbor", home))


def everything_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_every_answer_is_a_file_with_the_same_rows(
    form: str, report: Report, tmp_path: Path
) -> None:
    assert form in {"parquet", "csv"}
    files = write_tables([report], tmp_path / "it's new" / "out", form)  # type: ignore[arg-type]
    assert {path.stem for path in files} == {
        "growth_findings",
        *(f"growth_{answer.name}" for answer in report.answers),
    }
    for answer in report.answers:
        (path,) = (file for file in files if file.stem == f"growth_{answer.name}")
        with duckdb.connect() as connection:
            found = connection.sql(f"from '{str(path).replace(chr(39), chr(39) * 2)}'")
            assert found.columns == [column.name for column in answer.columns]
            assert len(found.fetchall()) == len(answer.rows)


def test_csv_can_be_read_without_duckdb(report: Report, tmp_path: Path) -> None:
    write_tables([report], tmp_path / "out", "csv")
    with (tmp_path / "out" / "growth_totals.csv").open(newline="") as file:
        (row, *rest) = csv.DictReader(file)
    assert [one["table"] for one in rest] == ["other tables", "free pages"]
    assert (row["store"], row["table"], row["rows"]) == ("harbor", "log", "1")


def test_a_folder_with_something_in_it_is_refused_and_left_alone(
    report: Report, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "growth_totals.csv").write_text("mine")
    with pytest.raises(RefusedError, match="exists") as raised:
        write_tables([report], tmp_path / "out", "csv")
    assert "--force" in raised.value.hint
    assert everything_in(tmp_path / "out") == {"growth_totals.csv": b"mine"}


def test_force_replaces_the_answers_and_leaves_the_rest(report: Report, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "growth_totals.csv").write_text("old")
    (tmp_path / "out" / "notes.txt").write_text("mine")
    write_tables([report], tmp_path / "out", "csv", force=True)
    found = everything_in(tmp_path / "out")
    assert found["notes.txt"] == b"mine"
    assert found["growth_totals.csv"].startswith(b"store,table")


def test_an_empty_folder_is_filled(report: Report, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert write_tables([report], tmp_path / "out", "csv")


@pytest.mark.parametrize("force", [True, False])
def test_a_file_in_place_of_a_folder_is_never_replaced(
    force: bool, report: Report, tmp_path: Path
) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(RefusedError, match="is a file"):
        write_tables([report], tmp_path / "out", "csv", force=force)
    assert (tmp_path / "out").read_text() == "mine"


def test_a_place_that_may_not_be_written_is_one_clear_error(report: Report, shared: Path) -> None:
    shared.chmod(0o755)
    with pytest.raises(MemctlError, match="cannot be written") as raised:
        as_another_user(lambda: write_tables([report], shared / "out", "parquet"))
    assert raised.value.exit_code == 1
    assert list(shared.iterdir()) == []


def test_a_place_that_may_not_be_reached_is_one_clear_error(shared: Path) -> None:
    (shared / "closed").mkdir(mode=0o700)
    with pytest.raises(MemctlError, match="Permission denied"):
        as_another_user(lambda: check_output(shared / "closed" / "out", force=False, folder=True))


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_a_full_disk_leaves_what_was_there_and_nothing_half(
    form: str, report: Report, home: Path, tmp_path: Path
) -> None:
    del report  # the store is there
    out = tmp_path / "out"
    out.mkdir()
    (out / "growth_totals.csv").write_text("old")
    printed = python(
        """
        import resource, sys
        import memctl
        from memctl.reports.report import make_report
        from memctl.reports.sources import store_at
        from memctl.reports.output_files import write_tables

        report = make_report("growth", store_at("harbor", sys.argv[1]))
        limit = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
        resource.setrlimit(resource.RLIMIT_FSIZE, (20, limit))
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
    assert everything_in(out) == {"growth_totals.csv": b"old"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "out"]


@each(("since", "until"), [("2026-11-02", "2026-11-01"), ("2026-11-01", "2026-11-01")])
def test_a_range_without_a_moment_in_it_is_wrong_usage(
    since: str, until: str, report: Report, home: Path
) -> None:
    del report  # the store is there
    with pytest.raises(UsageError, match="not before") as raised:
        make_report("growth", store_at("harbor", home), since=since, until=until)
    assert raised.value.exit_code == 2


def test_a_range_that_is_no_time_is_wrong_usage(home: Path) -> None:
    with pytest.raises(UsageError, match="ISO-8601"):
        make_report("growth", store_at("harbor", home), since="last week")


def test_the_command_reports_the_good_stores_and_ends_with_5(home: Path, report: Report) -> None:
    del report  # the store is there
    (home / "apps" / "broken.db").write_bytes(b"SQLite format 3\x00 and no more")
    answer = memctl_process("--home", home, "--json", "report", "growth", "--all-stores")
    assert answer.code == 5
    assert answer.data["stores"] == ["harbor"]
    assert [os.path.basename(one["path"]) for one in answer.data["skipped"]] == ["broken.db"]  # noqa: PTH119


def test_the_command_refuses_before_it_works(home: Path, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("mine")
    answer = memctl_process(
        "--home", home, "--json", "report", "health", "--html", tmp_path / "page.html"
    )
    assert answer.code == 3  # and not 4, for the store that is not there
    assert (tmp_path / "page.html").read_text() == "mine"
