"""A store that cannot be read is named and left out; the others are reported all the same."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import ForeignStoreError, NewerStoreError, NotFoundError, StoreDamagedError
from memctl.reports.report import make_report
from memctl.reports.sources import files_in, store_at, stores_at
from tests.cli.calling import memctl_process
from tests.processes import as_another_user

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl.reports.answers import Report


def remember(home: Path, app: str, *, turns: int = 1) -> Path:
    """Make a store with some turns; return its file, closed."""
    with memctl.open(app, home) as memory:
        with memory.store.transaction():
            for number in range(turns):
                memory.log(f"turn {number} " + "and so on " * 20, session="one")
        return memory.store.path


def damage(path: Path) -> None:
    """Overwrite the pages that hold the turns; the head and the schema stay whole."""
    content = path.read_bytes()
    at = content.rindex(b"and so on")
    first = content.index(b"and so on")
    path.write_bytes(content[:first] + b"\xff" * (at - first) + content[at:])


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("pragma user_version = 9999")


def foreign(path: Path) -> None:
    path.write_bytes(b"my notes\n" * 1000)


def turns_by_store(report: Report) -> dict[object, object]:
    totals = next(answer for answer in report.answers if answer.name == "totals")
    return {row["store"]: row["rows"] for row in totals.records() if row["table"] == "log"}


@pytest.mark.parametrize(
    ("spoil", "code", "error"),
    [
        (damage, "store_damaged", StoreDamagedError),
        (newer, "store_newer", NewerStoreError),
        (foreign, "store_foreign", ForeignStoreError),
    ],
    ids=["damaged", "newer", "foreign"],
)
def test_a_bad_store_among_good_ones_is_left_out_and_alone_is_one_clear_error(
    spoil: Callable[[Path], None], code: str, error: type[memctl.MemctlError], home: Path
) -> None:
    for app in ("before", "later"):
        remember(home, app, turns=3)
    path = remember(home, "middle", turns=400)
    spoil(path)
    report = make_report("growth", stores_at(home))
    assert report.stores == ("before", "later")
    assert turns_by_store(report) == {"before": 3, "later": 3}
    (skipped,) = report.skipped
    assert (skipped.path, skipped.code) == (str(path), code)
    assert "middle.db" in skipped.why
    with pytest.raises(error, match=r"middle\.db") as raised:
        make_report("growth", store_at("middle", home))
    assert raised.value.exit_code == 5


def test_a_store_that_does_not_exist_is_not_found_and_not_made(home: Path) -> None:
    with pytest.raises(NotFoundError, match="harbor") as raised:
        make_report("growth", store_at("harbor", home))
    assert raised.value.exit_code == 4
    assert not home.exists()


def test_a_store_that_nobody_may_read_is_named_and_left_out(shared: Path) -> None:
    for app in ("harbor", "hidden"):
        remember(shared, app).chmod(0o644)
    for folder in (shared / "apps",):
        folder.chmod(0o755)
    (shared / "apps" / "hidden.db").chmod(0)
    report = as_another_user(lambda: make_report("growth", stores_at(shared)))
    assert report.stores == ("harbor",)
    assert [os.path.basename(one.path) for one in report.skipped] == ["hidden.db"]  # noqa: PTH119


def test_a_store_in_a_read_only_folder_is_reported_and_nothing_is_left_beside_it(
    shared: Path,
) -> None:
    path = remember(shared, "harbor", turns=5)
    path.chmod(0o444)
    path.parent.chmod(0o555)
    report = as_another_user(lambda: make_report("growth", store_at("harbor", shared)))
    assert turns_by_store(report) == {"harbor": 5}
    assert [each.name for each in path.parent.iterdir()] == ["harbor.db"]


def test_every_file_of_a_folder_is_reported_under_its_path(tmp_path: Path) -> None:
    remember(tmp_path / "one", "harbor")
    remember(tmp_path / "two", "harbor", turns=2)
    (tmp_path / "two" / "notes.db").write_text("not a store, and called like one")
    report = make_report("growth", files_in(tmp_path))
    assert turns_by_store(report) == {"one/apps/harbor": 1, "two/apps/harbor": 2}
    assert [one.code for one in report.skipped] == ["store_foreign"]


def test_the_damaged_store_is_named_and_the_others_are_reported_and_shown(
    home: Path, tmp_path: Path
) -> None:
    good = {"one", "two", "three"}
    for app in good:
        remember(home, app)
    path = remember(home, "spoiled", turns=400)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(
            "insert into recall (asked_at, question, hits, duration_ms)"
            " select logged_at, text, 1, 1 from log"
        )
        connection.commit()
        leaf = "select max(pageno) from dbstat where name = ? and pagetype = 'leaf'"
        (page,) = connection.execute(leaf, ["recall"]).fetchone()
    content = bytearray(path.read_bytes())
    content[(page - 1) * 4096 : page * 4096] = b"\xff" * 4096
    path.write_bytes(content)
    written = tmp_path / "report.html"
    answer = memctl_process(
        "--home", home, "--json", "report", "all", "--all-stores", "--html", written
    )
    assert answer.code == 5
    reports = answer.data if isinstance(answer.data, list) else answer.data["reports"]
    for report in reports:
        assert set(report["stores"]) == good
        assert [one["path"] for one in report["skipped"]] == [str(path)]
    told = {row[0] for report in reports for one in report["answers"] for row in one["rows"]}
    assert told - {None} == good
    shown = written.read_text()
    assert shown.count(str(path)) == 1
    assert "3 stores" in shown
    assert "4 stores" not in shown
