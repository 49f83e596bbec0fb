"""The schema grows by whole steps, to the same schema from wherever it starts."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from memctl.base.packaged import text_in
from memctl.store import migrations
from memctl.store.migrations import (
    Migration,
    apply,
    digest_of,
    expected_schema,
    schema_of,
    split_script,
    without_comments,
)
from tests.processes import start_python

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

STEPS = migrations.migrations()


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    opened = sqlite3.connect(tmp_path / "x.db", isolation_level=None)
    yield opened
    opened.close()


def version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("pragma user_version").fetchone()[0])


def recorded(connection: sqlite3.Connection) -> list[tuple[int, str]]:
    return connection.execute("select number, name from migration order by number").fetchall()


def with_steps(monkeypatch: pytest.MonkeyPatch, *steps: Migration) -> None:
    monkeypatch.setattr(migrations, "migrations", lambda: (*STEPS, *steps))


def following(sql: str, after: int = 0) -> Migration:
    number = len(STEPS) + 1 + after
    return Migration(number, f"{number:04}_of_a_test", sql)


def test_steps_are_numbered_from_one_without_gaps_and_say_what_they_change() -> None:
    assert [step.number for step in STEPS] == list(range(1, len(STEPS) + 1))
    assert all(step.name == f"{step.number:04}_{step.name[5:]}" for step in STEPS)
    assert all(step.name[5:] for step in STEPS)


def test_step_by_step_or_all_at_once_the_schema_is_the_same(
    connection: sqlite3.Connection,
) -> None:
    for step in STEPS:
        apply(connection, upto=step.number)
        assert version(connection) == step.number
    assert schema_of(connection) == expected_schema(len(STEPS))
    assert recorded(connection) == [(step.number, step.name) for step in STEPS]


def test_a_store_of_any_older_version_grows_by_the_steps_that_it_lacks(
    connection: sqlite3.Connection,
) -> None:
    half = len(STEPS) // 2
    apply(connection, upto=half)
    assert schema_of(connection) == expected_schema(half)
    apply(connection)
    assert schema_of(connection) == expected_schema(len(STEPS))
    assert recorded(connection) == [(step.number, step.name) for step in STEPS]


def test_the_digest_is_that_of_the_latest_schema() -> None:
    written = text_in("memctl.schema", "digest.txt").split()
    latest = expected_schema(len(STEPS))
    assert digest_of(without_comments(latest)) == written[-1]
    if sqlite3.sqlite_version_info < (3, 53):  # it drops other comments with a column
        assert digest_of(latest) == written[0]


def test_no_text_in_the_schema_holds_what_begins_a_comment() -> None:
    for sql in expected_schema(len(STEPS)).values():
        for line in sql.split("\n"):
            assert line.partition("--")[0].count("'") % 2 == 0


def test_a_second_run_changes_nothing(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    apply(connection)
    before = list(connection.iterdump())
    monkeypatch.setenv("MEMCTL_NOW", "2030-01-01")
    apply(connection)
    assert list(connection.iterdump()) == before


def test_each_step_is_recorded_with_the_time_it_was_taken(
    connection: sqlite3.Connection, fixed_clock: str
) -> None:
    apply(connection)
    times = connection.execute("select distinct applied_at from migration").fetchall()
    assert times == [(fixed_clock,)]


def test_the_migrated_file_has_no_broken_references(connection: sqlite3.Connection) -> None:
    apply(connection)
    assert connection.execute("pragma foreign_key_check").fetchall() == []
    assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize(
    "bad",
    ["create table half (x); create table store (x);", "create table half (x);\nselect nonsense;"],
)
def test_a_bad_step_is_rolled_back_with_its_record(
    bad: str, connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    apply(connection)
    with_steps(monkeypatch, following("create table good (x);"), following(bad, after=1))
    with pytest.raises(sqlite3.Error):
        apply(connection)
    assert not connection.in_transaction
    assert version(connection) == len(STEPS) + 1
    assert recorded(connection)[-1][0] == len(STEPS) + 1
    assert "table good" in schema_of(connection)
    assert "table half" not in schema_of(connection)


def test_a_new_store_takes_all_steps_or_none(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_steps(monkeypatch, following("select nonsense;"))
    with pytest.raises(sqlite3.Error):
        apply(connection)
    assert not connection.in_transaction
    assert (version(connection), schema_of(connection)) == (0, {})


def test_what_is_done_along_with_a_step_is_rolled_back_with_it(
    connection: sqlite3.Connection,
) -> None:
    def fail() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        apply(connection, within=fail)
    assert version(connection) == 0
    assert schema_of(connection) == {}


def test_several_processes_that_make_one_store_at_once_make_one(home: Path) -> None:
    script = """
        import sys
        from pathlib import Path
        import memctl

        print("ready", flush=True)
        sys.stdin.readline()
        for name in ("a", "b", "c", "d", "e"):
            with memctl.open(name, sys.argv[1]) as memory, memory.store.transaction():
                memory.store.execute("update store set learn_count = learn_count + 1")
        print("done")
    """
    processes = [start_python(script, home) for _ in range(4)]
    for process in processes:
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    assert [process.communicate(timeout=60) for process in processes] == [("done\n", "")] * 4
    for name in "abcde":
        with sqlite3.connect(home / "apps" / f"{name}.db") as made:
            assert recorded(made) == [(step.number, step.name) for step in STEPS]
            assert made.execute("select id, learn_count from store").fetchall() == [(1, 4)]
            assert made.execute("select own, count(*) from origin").fetchall() == [(1, 1)]
        made.close()


TRIGGER = """
create trigger keep after insert on a
begin
    -- a comment; with a semicolon
    delete from b where text = 'x; end;';
    insert into b values (case when new.x = 1 then 'one' end);
end;
"""


def test_a_trigger_is_one_statement() -> None:
    script = f"create table a (x);\n{TRIGGER}\ncreate table b (text);"
    assert split_script(script) == [
        "create table a (x);",
        TRIGGER.strip(),
        "create table b (text);",
    ]


def test_semicolons_in_texts_and_comments_end_no_statement() -> None:
    script = "-- first; of all\nselect 'a;b', \"c;d\" /* e;\nf; */ from x; -- after\n\nselect 2;\n"
    assert len(split_script(script)) == 2


def test_comments_and_empty_lines_alone_are_no_statement() -> None:
    assert split_script("\n-- nothing; here\n\n   \n") == []


def test_two_statements_on_one_line_are_two() -> None:
    assert split_script("create table a (x); create table b (x);") == [
        "create table a (x);",
        "create table b (x);",
    ]


def test_a_script_that_ends_inside_a_statement_is_refused() -> None:
    with pytest.raises(ValueError, match="middle of a statement: 'create table b"):
        split_script("create table a (x);\ncreate table b (")


def test_every_step_splits_into_statements_that_sqlite_runs_one_by_one() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    for step in STEPS:
        for statement in split_script(step.sql):
            connection.execute(statement)
    connection.close()
