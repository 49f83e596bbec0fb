"""The file explains itself and answers plain SQL: no memctl is needed to read it."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import NotFoundError
from memctl.store import schema_text
from memctl.store.migrations import Migration, migrations
from memctl.store.schema_text import SchemaObject, schema_objects
from memctl.store.schema_text import columns as schema_columns
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl_cli.demo.bundle import Shot

OBJECTS = schema_objects()
# A word index is a virtual table: it has neither types nor strictness.
TABLES = [one for one in OBJECTS if one.sql.startswith("create table")]
INDEXED = [one for one in OBJECTS if one.sql.startswith("create virtual table")]
VIEWS = [one for one in schema_objects() if one.type == "view"]

# Columns that say what they are: keys, names, times by their ending, counts, sizes in pixels.
SPEAKING = re.compile(
    r"id|\w+_id|\w+_at|\w+_count|name|address|number|key|value|status|kind|type|text|day|rule"
    r"|description|page|w|h|x|y|img_w|img_h|png|sha256|img_sha256|found|absent|learned|count"
    r"|successes|failures|refusals|merge_similarity|similarity|feature_version|action|consecutive_misses"
    r"|defining|scale|from_state|to_state|merged_into|forgotten_why|duration_ms"
)


def columns(table: SchemaObject) -> dict[str, str]:
    """Return the columns of a table with the comment of each."""
    return {one.name: one.about for one in schema_columns()[table.name].values()}


def test_every_table_and_view_says_what_it_holds() -> None:
    for one in (*TABLES, *INDEXED, *VIEWS):
        assert len(one.comment.split()) >= 3, one.name
        assert one.comment.splitlines()[0][0].isupper(), one.name


def test_what_is_printed_of_a_table_has_the_columns_of_the_file(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path) as memory:
        memory.log("Hello")
        with closing(sqlite3.connect(":memory:")) as printed:
            for table in TABLES:
                printed.execute(table.sql)
                asked = f"select name from pragma_table_info('{table.name}')"
                names = [row[0] for row in memory.store.rows(asked)]
                assert sorted(row[0] for row in printed.execute(asked)) == sorted(names)


def test_every_column_that_does_not_speak_for_itself_has_a_comment() -> None:
    for table in TABLES:
        found = columns(table)
        assert found, table.name
        silent = [name for name, says in found.items() if not says and not SPEAKING.fullmatch(name)]
        assert silent == [], table.name


def test_every_table_is_strict() -> None:
    for table in TABLES:
        assert re.search(r"\) strict(, without rowid)?$", table.sql), table.name


def test_times_are_named_so_and_switches_are_checked() -> None:
    for table in TABLES:
        for name in columns(table):
            assert name not in {"at", "time", "date", "timestamp"}, table.name
        for name in ("pinned", "defining"):
            if name in columns(table):
                assert f"check ({name} in (0, 1))" in table.sql


def test_the_printed_schema_makes_the_same_tables_and_views() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        for one in schema_objects():
            connection.execute(one.sql)
        # FTS5 makes tables of its own, named after the index.
        made = connection.execute(
            "select type, name from sqlite_schema "
            "where name not like 'sqlite%' and name not like '%\\_fts\\_%' escape '\\'"
        ).fetchall()
    assert sorted(made) == sorted((one.type, one.name) for one in schema_objects())


def test_one_table_can_be_asked_for_and_an_unknown_one_lists_them() -> None:
    assert [one.name for one in schema_objects("component")] == ["component"]
    with pytest.raises(NotFoundError, match='no "nothing"') as raised:
        schema_objects("nothing")
    assert "component_health" in raised.value.hint


LATER = """
-- The colour of most of its pixels.
alter table component add column colour text;

-- The language of what was said.
alter table recall add column language text default '';

drop view fact_pending;

-- Facts that nobody has approved.
create view fact_pending as select id from fact;

alter table alias drop column added_at;

drop table act;
"""


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A schema that one more migration changes."""
    steps = (*migrations(), Migration(99, "0099_of_a_test", LATER))
    monkeypatch.setattr(schema_text, "migrations", lambda: steps)
    _forget_schema()
    yield
    _forget_schema()


def _forget_schema() -> None:
    schema_text._all.cache_clear()
    schema_columns.cache_clear()


@pytest.mark.usefixtures("later")
@each(("table", "column"), [("component", "colour"), ("recall", "language")])
def test_a_column_of_a_later_step_stands_in_its_table_with_its_comment(
    table: str, column: str
) -> None:
    (found,) = schema_objects(table)
    assert columns(found)[column]
    assert found.sql.index(f"    {column} ") < found.sql.index("\n    check (")


@pytest.mark.usefixtures("later")
def test_a_column_that_a_later_step_drops_is_not_printed() -> None:
    assert list(columns(schema_objects("alias")[0])) == ["term", "synonym"]


@pytest.mark.usefixtures("later")
@each("name", ["act", "act_order"])
def test_a_table_that_a_later_step_drops_takes_its_indexes_along(name: str) -> None:
    with pytest.raises(NotFoundError):
        schema_objects(name)


@pytest.mark.usefixtures("later")
def test_a_view_that_a_later_step_makes_anew_is_printed_once() -> None:
    assert [one.name for one in schema_objects()].count("fact_pending") == 1
    assert "approved" in schema_objects("fact_pending")[0].comment


def test_an_index_can_be_asked_for_though_it_is_not_listed() -> None:
    (found,) = schema_objects("component_living_name")
    assert found.type == "index"
    assert "component_living_name" not in {one.name for one in schema_objects()}


# -- what people type ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    """A store that has seen three screens of the demo and two clicks, open without memctl."""
    from memctl_cli.demo import bundle

    home = tmp_path_factory.mktemp("home")
    path = learned(home, {shot.name: shot for shot in bundle.shots()})
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
        yield connection


def learned(home: Path, shots: dict[str, Shot]) -> Path:
    with memctl.open("harbor", home, settings={"forget_threshold": "2"}) as memory:
        states = {}
        for name in ("login", "dashboard", "dashboard", "invoices", "invoices", "dashboard-gone"):
            answer = memory.learn(shots[name].png, shots[name].boxes_file())
            assert answer.state is not None
            states[name] = answer.state.id
        for start, action, end, failed in (
            ("login", "click:Sign_in", "dashboard", False),
            ("login", "click:Sign_in", "dashboard", True),
            ("dashboard", "click:Invoices", "invoices", False),
        ):
            memory.transitions.record(states[start], action, states[end], elapsed_ms=300)
            memory.transitions.commit(failed=failed)
        memory.states.rename(states["dashboard"], "Dashboard")
        memory.states.rename(states["invoices"], "Invoices")
        return memory.store.path


def test_which_components_are_stale(shell: sqlite3.Connection) -> None:
    stale = shell.execute(
        "select name, consecutive_misses from component_health where health = 'stale'"
    ).fetchall()
    assert ("Import_statement", 1) in stale
    assert all(misses > 0 for _, misses in stale)


def test_the_stalest_components_come_first(shell: sqlite3.Connection) -> None:
    misses = [row[0] for row in shell.execute("select consecutive_misses from component_health")]
    assert misses == sorted(misses, reverse=True)
    assert misses[0] > 0


def test_which_states_exist_and_what_defines_them(shell: sqlite3.Connection) -> None:
    rows = shell.execute(
        "select name, visit_count, component_count, components from state_summary"
    ).fetchall()
    by_name = {row[0]: row[1:] for row in rows}
    visits, count, components = by_name["Invoices"]
    assert visits == 2
    assert "New_invoice" in components.split(", ")
    assert len(components.split(", ")) == count


def test_the_components_of_a_definition_are_living_ones(shell: sqlite3.Connection) -> None:
    count, missing = shell.execute(
        """
        select count(*), sum(component.id is null or component.forgotten_at is not null)
        from state_definition
        left join component on component.id = component_id
        """
    ).fetchone()
    assert count > 20
    assert missing == 0


def test_where_this_button_leads(shell: sqlite3.Connection) -> None:
    rows = shell.execute(
        """
        select component_name, state.name, count, successes, failures, success_rate, mean_ms
        from state_graph inner join state on state.id = to_state
        where from_state in (select id from state where name = 'Dashboard')
        """
    ).fetchall()
    assert rows == [("Invoices", "Invoices", 1, 1, 0, 1.0, 300.0)]


def test_a_failure_lowers_the_rate_of_its_way(shell: sqlite3.Connection) -> None:
    row = shell.execute(
        "select count, successes, failures, success_rate from state_graph"
        " where component_name = 'Sign_in'"
    ).fetchone()
    assert row == (2, 1, 1, 0.5)


def test_the_picture_of_a_component_is_a_png(shell: sqlite3.Connection) -> None:
    (png,) = shell.execute(
        "select png from template join component on component.id = component_id"
        " where name = 'New_invoice'"
    ).fetchone()
    assert png.startswith(b"\x89PNG")


def test_every_time_in_the_file_is_utc_text(shell: sqlite3.Connection) -> None:
    shape = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]Z"
    for one in (*TABLES, *INDEXED, *VIEWS):
        for _, name, *_ in shell.execute(f"pragma table_info({one.name})").fetchall():
            if name.endswith("_at"):
                odd = f"select {name} from {one.name} where {name} not glob ?"
                assert shell.execute(odd, (shape,)).fetchall() == [], one.name


def test_a_hand_edit_that_makes_no_sense_is_refused_by_the_file_itself(
    shell: sqlite3.Connection, tmp_path: Path
) -> None:
    copy = sqlite3.connect(tmp_path / "copy.db", isolation_level=None)
    shell.backup(copy)
    copy.execute("pragma foreign_keys = on")
    for nonsense in (
        "update component set w = 0",
        "update component set seen_count = 'often'",
        "update component set pinned = 2",
        "update component set forgotten_at = '2026-01-01T00:00:00Z'",
        "update transition set to_state = 's_nowhere'",
        "update state set status = 'maybe'",
        "update observation set stages = '{'",
        "insert into store (id, address, created_at) values (2, 'x', 'y')",
    ):
        with pytest.raises(sqlite3.IntegrityError):
            copy.execute(nonsense)
    copy.close()


def test_deleting_a_component_by_hand_leaves_no_reference_behind(
    shell: sqlite3.Connection, tmp_path: Path
) -> None:
    copy = sqlite3.connect(tmp_path / "copy.db", isolation_level=None)
    shell.backup(copy)
    copy.execute("pragma foreign_keys = on")
    copy.execute("delete from component where name = 'Invoices'")
    assert copy.execute("pragma foreign_key_check").fetchall() == []
    names = {row[0] for row in copy.execute("select component_name from state_definition")}
    assert "Invoices" not in names
    copy.close()
