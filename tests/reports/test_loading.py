"""Loading: the columns that are needed, of one moment, with no network."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import duckdb
import pytest

import memctl
from memctl.base.errors import MemctlError, UsageError
from memctl.reports import loading
from memctl.reports.loading import engine, load
from memctl.reports.report import make_reports
from memctl.reports.sources import store_at, stores_at
from tests.processes import python
from tests.reports.conftest import NOW
from tests.reports.stored import component, insert
from tests.test_offline import FORBID

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_only_the_columns_that_are_wanted_are_there_the_stores_name_first(
    write: Callable[..., None], duck: duckdb.DuckDBPyConnection, home: Path
) -> None:
    write(component(7))
    load(duck, [store_at("harbor", home)], {"component": ("id", "learned_at")})
    described = duck.execute("describe component").fetchall()
    assert [row[:2] for row in described] == [
        ("store", "VARCHAR"),
        ("id", "BIGINT"),
        ("learned_at", "TIMESTAMP"),
    ]
    assert duck.execute("select store, id from component").fetchall() == [("harbor", 7)]


def test_rows_come_in_batches_and_nothing_is_written_to_the_store(
    write: Callable[..., None],
    duck: duckdb.DuckDBPyConnection,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write("".join(map(component, range(1, 8))))
    before = (home / "apps" / "harbor.db").read_bytes()
    monkeypatch.setattr(loading, "BATCH", 3)
    load(duck, [store_at("harbor", home)], {"component": ("id",)})
    assert (home / "apps" / "harbor.db").read_bytes() == before
    assert duck.execute("select sum(id), count(*) from component").fetchone() == (28, 7)


def test_what_is_written_between_two_tables_is_not_seen(
    write: Callable[..., None],
    duck: duckdb.DuckDBPyConnection,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Another connection commits right before the second table is read."""
    write(component(1))
    chosen = loading._selection

    def selection(name: str, columns: tuple[str, ...]) -> str:
        if name == "guard_refusal":
            refusal = {"rule": "x", "tier": "y", "day": "2026-11-02", "refusals": 3}
            with closing(sqlite3.connect(home / "apps" / "harbor.db")) as other:
                other.executescript(component(2) + insert("guard_refusal", refusal))
        return chosen(name, columns)

    monkeypatch.setattr(loading, "_selection", selection)
    load(duck, [store_at("harbor", home)], {"component": ("id",), "guard_refusal": ("refusals",)})
    assert duck.execute("select count(*) from component").fetchone() == (1,)
    assert duck.execute("select count(*) from guard_refusal").fetchone() == (0,)


def test_numeric_settings_are_loaded_as_they_are_in_force(
    write: Callable[..., None],
    duck: duckdb.DuckDBPyConnection,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    write()
    with memctl.open("harbor", home) as memory:
        memory.settings.set("context_rows", "7")
    monkeypatch.setenv("MEMCTL_MAX_BATCH", "8")
    source = store_at("harbor", home)
    load(duck, [source], {"setting_in_force": ("key", "value")}, settings={"forget_threshold": "9"})
    found = dict(duck.execute("select key, value from setting_in_force").fetchall())
    names = ("context_rows", "max_batch", "forget_threshold", "log_archive_days")
    assert [found[name] for name in names] == [7, 8, 9, 90]
    assert "fallback" not in found


def test_duckdb_is_told_to_fetch_no_extension() -> None:
    with engine() as duck:
        for setting in ("autoinstall_known_extensions", "autoload_known_extensions"):
            assert duck.execute(f"select current_setting('{setting}')").fetchone() == (False,)
        with pytest.raises(duckdb.Error):
            duck.execute("select * from sqlite_scan('x.db', 'component')")


def test_reports_open_no_socket_start_no_program_and_leave_no_file(
    write: Callable[..., None], home: Path, tmp_path: Path
) -> None:
    write(component(1))
    printed = python(
        f"""{FORBID}
    import os
    from memctl.reports.questions import REPORTS
    from memctl.reports.report import make_reports
    from memctl.reports.sources import stores_at

    os.chdir(sys.argv[2])
    before = sorted(os.listdir("."))
    made = make_reports(REPORTS, stores_at(sys.argv[1]))
    print(len(made), sum(len(one.answers) for one in made) > 20)
    print(sorted(os.listdir(".")) == before)
    """,
        home,
        tmp_path,
    )
    assert printed.split() == ["6", "True", "True"]


_MANY_SIGHTINGS = """
    insert into observation (
        id, kind, img_sha256, img_w, img_h, observed_at, found, absent, duration_ms, scale
    )
    with recursive number (id) as (
        select 1 union all select id + 1 from number where id < 3000
    )
    select id, 'match', '', 9, 9, '2026-11-01T00:00:00Z', 100, 0, 12.5, 1 from number;
    insert into sighting (observation_id, component_id, found, x, y, w, h, score)
    select
        observation.id,
        component.id,
        1,
        (observation.id * 7919 + component.id * 31) % 1000,
        (observation.id * 104729) % 1000,
        10,
        10,
        0.85
    from observation cross join component
"""


def test_what_does_not_fit_into_the_memory_allowed_is_answered_all_the_same(
    write: Callable[..., None], home: Path
) -> None:
    write("".join(component(number) for number in range(1, 101)) + _MANY_SIGHTINGS)
    limited, free = (
        make_reports(["matching"], stores_at(home), now=NOW, memory_limit=limit)[0]
        for limit in ("40MB", None)
    )
    assert len(free.answer("suspects").rows) == 100
    assert limited.answers == free.answers
    with pytest.raises(MemctlError, match="need more memory"):
        make_reports(["matching"], stores_at(home), now=NOW, memory_limit="2MB")


def test_no_amount_of_memory_is_refused(write: Callable[..., None], home: Path) -> None:
    write()
    with pytest.raises(UsageError, match='"plenty" is no amount of memory'):
        make_reports(["health"], stores_at(home), memory_limit="plenty")
