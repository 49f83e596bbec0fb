"""Files of reports: whole or not at all, and never over something else."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING, Literal

import pytest

from memctl.base.errors import MemctlError, RefusedError
from memctl.reports.output_files import write_tables
from tests.processes import as_another_user, python
from tests.reports.stored import component, fact

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import duckdb

    from memctl.reports.answers import Report

FORMS = ["parquet", "csv"]
Form = Literal["parquet", "csv"]


@pytest.fixture
def made(write: Callable[..., None], report: Callable[..., Report]) -> Report:
    write(component(1, consecutive_misses=2, name='a "b", c') + fact("one", text="two\nlines"))
    return report("health")


@pytest.mark.parametrize("form", FORMS)
def test_every_answer_is_a_file_and_so_are_the_findings(
    form: Form, made: Report, tmp_path: Path
) -> None:
    written = write_tables([made], tmp_path / "new" / "out", form)
    names = {f"health_{answer.name}.{form}" for answer in made.answers}
    assert {path.name for path in written} == {*names, f"health_findings.{form}"}
    assert {path.name for path in (tmp_path / "new").iterdir()} == {"out"}


def test_parquet_holds_the_answers_cell_for_cell(
    made: Report, tmp_path: Path, duck: duckdb.DuckDBPyConnection
) -> None:
    write_tables([made], tmp_path / "out", "parquet")
    for answer in made.answers:
        path = tmp_path / "out" / f"health_{answer.name}.parquet"
        found = duck.execute("select * from read_parquet(?)", [str(path)])
        assert [column[0] for column in found.description or []] == [
            column.name for column in answer.columns
        ]
        for row, expected in zip(found.fetchall(), answer.rows, strict=True):
            for cell, wanted, column in zip(row, expected, answer.columns, strict=True):
                if column.kind == "at" and cell is not None:
                    assert cell.isoformat().startswith(str(wanted).removesuffix("Z"))
                else:
                    assert cell == wanted


def test_csv_can_be_read_by_anybody(made: Report, tmp_path: Path) -> None:
    write_tables([made], tmp_path / "out", "csv")
    with (tmp_path / "out" / "health_stale.csv").open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert (row["name"], row["misses"], row["page"]) == ('a "b", c', "2", "")


@pytest.mark.parametrize("form", FORMS)
def test_a_folder_with_something_in_it_is_left_alone(
    form: Form, made: Report, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    mine = tmp_path / "out" / f"health_stale.{form}"
    mine.write_text("mine")
    with pytest.raises(RefusedError, match="exists") as raised:
        write_tables([made], tmp_path / "out", form)
    assert raised.value.hint == "add --force to replace it"
    assert mine.read_text() == "mine"
    other = tmp_path / "out" / "notes.txt"
    other.write_text("mine too")
    write_tables([made], tmp_path / "out", form, force=True)
    assert mine.read_bytes() != b"mine"
    assert other.read_text() == "mine too", "what is no report stays"


@pytest.mark.parametrize("form", FORMS)
def test_older_answers_do_not_stay_beside_new_ones(
    form: Form, made: Report, report: Callable[..., Report], tmp_path: Path
) -> None:
    write_tables([made, report("decay")], tmp_path / "out", form)
    other = "csv" if form == "parquet" else "parquet"
    for kept in ("decay_of_my_teeth." + form, "decay_findings." + other):
        (tmp_path / "out" / kept).write_text("mine")
    written = write_tables([made], tmp_path / "out", form, force=True)
    left = set((tmp_path / "out").iterdir()) - set(written)
    assert {path.name for path in left} == {"decay_of_my_teeth." + form, "decay_findings." + other}


def test_an_empty_folder_may_be_filled(made: Report, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert write_tables([made], tmp_path / "out", "csv")


def test_a_file_is_no_folder_whatever_is_forced(made: Report, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    with pytest.raises(RefusedError, match="is a file"):
        write_tables([made], tmp_path / "out", "csv", force=True)
    assert (tmp_path / "out").read_text() == "mine"


def test_a_folder_that_may_not_be_written_is_a_clear_error(made: Report, shared: Path) -> None:
    shared.chmod(0o555)
    with pytest.raises(MemctlError, match="cannot be written") as raised:
        as_another_user(lambda: write_tables([made], shared / "out", "csv"))
    assert raised.value.exit_code == 1


@pytest.mark.usefixtures("made")
@pytest.mark.parametrize("form", FORMS)
def test_a_full_disk_leaves_what_was_there_and_nothing_half_written(
    form: Form, home: Path, tmp_path: Path
) -> None:
    target = tmp_path / "out"
    (target).mkdir()
    (target / f"health_stale.{form}").write_text("mine")
    printed = python(
        """
        import resource, signal, sys
        from pathlib import Path
        import memctl
        from memctl.reports.report import make_report
        from memctl.reports.sources import store_at
        from memctl.reports.output_files import write_tables

        made = make_report("health", store_at("harbor", sys.argv[1]))
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
        try:
            write_tables([made], Path(sys.argv[2]), sys.argv[3], force=True)
            print("written")
        except memctl.MemctlError as error:
            print(error.exit_code, "cannot be written" in error.message, bool(error.hint))
        """,
        home,
        target,
        form,
    )
    assert printed == "1 True True"
    assert [path.name for path in target.iterdir()] == [f"health_stale.{form}"]
    assert (target / f"health_stale.{form}").read_text() == "mine"
    assert {path.name for path in tmp_path.iterdir()} == {"home", "out"}
