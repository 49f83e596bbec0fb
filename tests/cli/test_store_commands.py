"""``schema``, ``status``, ``stores`` and ``config``: the store seen from the shell."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import memctl

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

    from tests.cli.calling import Answer

    Run = Callable[..., Answer]


def test_the_printed_schema_is_sql_that_makes_the_tables(run: Run) -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(run("schema").out)
        made = {row[0] for row in connection.execute("select name from sqlite_schema")}
    assert {"component", "state_summary", "setting"} <= made


def test_one_table_of_the_schema_is_printed_with_what_its_columns_mean(run: Run) -> None:
    out = run("schema", "component").out
    assert out.startswith("-- Something that can be seen")
    assert "null: unlabelled" in out
    assert "create table template" not in out


def test_the_schema_is_data_in_json(run: Run) -> None:
    (table,) = run("schema", "setting", "--json").data
    assert set(table) == {"type", "name", "comment", "sql"}


def test_status_says_what_a_store_holds(run: Run, known: Path) -> None:
    data = run("--app", "harbor", "status", "--json").data
    assert data["app"] == "harbor"
    assert data["path"] == str(known / "apps" / "harbor.db")
    assert data["rows"]["component"] == 1
    assert data["rows"]["state"] == 2
    assert data["bytes"] >= (known / "apps" / "harbor.db").stat().st_size


def test_status_prints_the_path_on_one_line(run: Run, known: Path) -> None:
    assert str(known / "apps" / "harbor.db") in run("--app", "harbor", "status").out


def test_stores_are_listed_with_their_sizes_the_last_written_first(run: Run, home: Path) -> None:
    for hour, address in enumerate(("zed", "chromium/united.com"), 1):
        with memctl.open(address, home) as memory:
            memory.settings.set("forgetting", "everywhere")
        os.utime(memory.store.path, (0, 3600 * hour))
    (home / "apps" / "not ours.db").touch()
    data = run("stores", "--json").data
    assert [one["app"] for one in data] == ["chromium/united.com", "zed"]
    assert [one["changed_at"] for one in data] == ["1970-01-01T02:00:00Z", "1970-01-01T01:00:00Z"]
    assert all(one["bytes"] > 0 for one in data)
    assert " kB  1970-01-01T01:00  apps/zed.db" in run("stores").out


def test_no_stores_are_an_empty_list(run: Run, home: Path) -> None:
    assert run("stores", "--json").data == []
    assert not home.exists()


def test_config_sets_gets_lists_and_unsets(run: Run) -> None:
    app = ("--app", "harbor", "config")
    assert run(*app, "set", "forgetting", "everywhere").code == 0
    assert run(*app, "get", "forgetting").out == "everywhere\n"
    listed = {one["key"]: one for one in run(*app, "list", "--json").data}
    assert (listed["forgetting"]["value"], listed["forgetting"]["source"]) == (
        "everywhere",
        "store",
    )
    assert run(*app, "unset", "forgetting", "--json").data["source"] == "default"
    assert run(*app, "get", "forgetting").out == "expected\n"


def test_a_switch_is_shown_as_it_is_written(run: Run) -> None:
    app = ("--app", "harbor", "config")
    assert " true " in run(*app, "set", "dream_auto", "yes").out
    assert run(*app, "get", "dream_auto").out == "true\n"
    assert run(*app, "get", "dream_auto", "--json").data["value"] is True


def test_a_setting_for_one_call_is_not_kept(run: Run) -> None:
    set_once = ("--set", "forgetting=everywhere")
    assert run(*set_once, "config", "get", "forgetting", "--json").data["source"] == "flag"
    assert run("config", "get", "forgetting").out == "expected\n"


def test_the_environment_is_named_as_a_settings_source(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMCTL_FORGETTING", "everywhere")
    assert run("config", "get", "forgetting", "--json").data["source"] == "environment"


def test_reading_the_configuration_makes_no_store(run: Run, home: Path) -> None:
    for words in (["list"], ["get", "forgetting"], ["unset", "forgetting"]):
        assert run("config", *words).code == 0
    assert not home.exists()


def test_times_come_from_the_stopped_clock(run: Run, fixed_clock: str) -> None:
    run("--app", "harbor", "config", "set", "forgetting", "everywhere")
    assert run("--app", "harbor", "status", "--json").data["created_at"] == fixed_clock


def test_a_setting_of_the_home_counts_in_every_store_and_says_where_it_stands(
    run: Run, home: Path
) -> None:
    done = run("--app", "harbor", "config", "set", "forget_threshold", "30", "--home-wide")
    assert done.code == 0
    assert "settings.toml:1" in done.out
    got = run("--app", "other", "config", "get", "forget_threshold")
    assert (got.out, got.error) == ("30\n", f"from: settings.toml, {home / 'settings.toml'}:1\n")
    assert run("config", "get", "domain").error == "from: default\n"
    listed = {one["key"]: one for one in run("config", "list", "--json").data}
    assert listed["forget_threshold"]["source"] == "settings.toml"
    assert not (home / "apps").exists()
    assert run("config", "unset", "forget_threshold", "--home-wide").code == 0
    assert run("config", "get", "forget_threshold").out == "15\n"


def test_a_broken_settings_file_ends_a_command_with_2_and_the_doctor_shows_it(
    run: Run, known: Path
) -> None:
    file = known / "settings.toml"
    file.write_text("forget_threshold = 30\ndomain = \n")
    for words in (["components", "list"], ["config", "list"], ["log", "hello there"], ["context"]):
        done = run("--app", "harbor", *words)
        assert (done.code, done.out) == (2, "")
        assert f'"{file}" is no TOML' in done.error
        assert "line 2, column 10" in done.error
    examined = run("--app", "harbor", "doctor", "--json")
    assert examined.code == 5
    assert [one["check"] for one in examined.data if not one["ok"]] == ["settings"]
    file.write_text("forget_treshold = 30\n")
    assert 'did you mean "forget_threshold"' in run("--app", "harbor", "components", "list").error
    assert run("config", "unset", "forget_treshold", "--home-wide").code == 0
    assert run("--app", "harbor", "components", "list").code == 0
