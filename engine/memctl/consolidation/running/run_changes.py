"""Changes of a run, row by row: recorded by triggers while it works, and taken back by a rollback.

The triggers live in the connection alone (``temp``), so they see whatever the run writes, what other
triggers do for it included, and nothing that anybody else writes.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memctl.base.errors import UnusableInputError
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

    from memctl.store.store import Store

__all__ = ["drop_recorder", "put_back", "record_changes"]

SQL = statements.load("store/dream_runs")

# Tables that a run may change. Of those that people edit, too, a new row is kept as the run wrote
# it: what has been changed since is not taken back.
_SHARED = ("fact", "fact_support", "fact_history", "log", "episode", "participant")
_OWN = (
    "row_change",
    "episode_source",
    "dream_failure",
    "dream_mark",
    "dream_signal",
    "candidate",
    "candidate_word",
    "candidate_source",
    "candidate_near",
    "turn_change",
    "promotion",
    "knowledge",
    "knowledge_source",
)
# Where a trigger tells of a row that is deleted or edited: but what is put back never was.
_ECHOES = ("fact_history", "row_change")
_TRIGGER = "dream_recorder_{table}_{event}"


def record_changes(store: Store, run: int) -> None:
    """Let this thread's connection record what it changes from now on as a run's; idempotent."""
    connection = store.connection()
    (made,) = connection.execute(
        "select count(*) from sqlite_temp_master where name like 'dream_recorder_%' and sql like ?",
        (f"%/* run {run} */%",),
    ).fetchone()
    tables = [*_SHARED, *_OWN]
    if made == 3 * len(tables):
        return
    drop_recorder(store)
    for table in tables:
        for trigger in _triggers(connection, table, run):
            connection.execute(trigger)


def drop_recorder(store: Store) -> None:
    """Let this thread's connection record no more."""
    connection = store.connection()
    named = connection.execute(
        "select name from sqlite_temp_master where name like 'dream_recorder_%'"
    )
    for (name,) in named.fetchall():
        connection.execute(f'drop trigger temp."{name}"')


def put_back(store: Store, run: int) -> int:
    """Take the changes of a run back, the last first, inside the caller's transaction.

    Returns
    -------
    int
        Rows that were put back.

    Raises
    ------
    UnusableInputError
        When somebody has changed one of the rows since.
    """
    connection = store.connection()
    connection.execute("pragma defer_foreign_keys = on")
    count = 0
    for relation, key, before, after in store.rows(SQL.changes, {"run": run}):
        marks = {table: _last(connection, table) for table in _ECHOES if table != relation}
        _put_back(
            connection,
            relation,
            json.loads(key),
            before and json.loads(before),
            after and json.loads(after),
        )
        for table, last in marks.items():
            connection.execute(f"delete from {table} where id > ?", (last,))
        count += 1
    return count


def _last(connection: sqlite3.Connection, table: str) -> int:
    (found,) = connection.execute(f"select coalesce(max(id), 0) from {table}").fetchone()
    return int(found)


def _triggers(connection: sqlite3.Connection, table: str, run: int) -> Iterable[str]:
    columns, keys = _columns(connection, table)
    key = _array(keys, "{row}")
    whole = _object(columns, "new") if table in _SHARED else "'{}'"
    insert = "insert into dream_change (run_id, relation, row_key, old_values, new_values) select"
    values = {
        "insert": f"{run}, '{table}', {key.format(row='new')}, null, {whole}",
        "delete": f"{run}, '{table}', {key.format(row='old')}, {_object(columns, 'old')}, null",
        "update": (
            f"{run}, '{table}', {key.format(row='new')},"
            f" {_changed(columns, 'old')}, {_changed(columns, 'new')}"
        ),
    }
    differs = " or ".join(f'new."{c}" is not old."{c}"' for c in columns)
    for event, value in values.items():
        when = f"when {differs}" if event == "update" else ""
        yield (
            f"create temp trigger {_TRIGGER.format(table=table, event=event)}"
            f" after {event} on main.{table} {when} begin"
            f" {insert} /* run {run} */ {value}; end"
        )


def _columns(connection: sqlite3.Connection, table: str) -> tuple[list[str], list[str]]:
    """Return the columns of a table, and those of its primary key in order."""
    info = connection.execute(f"pragma table_info({table})").fetchall()
    keys = sorted((row["pk"], row["name"]) for row in info if row["pk"])
    return [row["name"] for row in info], [name for _, name in keys]


def _array(columns: Sequence[str], row: str) -> str:
    return "json_array(" + ", ".join(f'{row}."{column}"' for column in columns) + ")"


def _object(columns: Sequence[str], row: str) -> str:
    return "json_object(" + ", ".join(f"'{c}', {row}.\"{c}\"" for c in columns) + ")"


def _changed(columns: Sequence[str], row: str) -> str:
    """Return an expression for the columns that an update changes, as a JSON object."""
    pairs = " union all ".join(
        f'select \'{c}\' as name, {row}."{c}" as value where new."{c}" is not old."{c}"'
        for c in columns
    )
    return f"(select json_group_object(name, value) from ({pairs}))"


def _put_back(
    connection: sqlite3.Connection,
    table: str,
    key: Sequence[Any],
    before: Mapping[str, Any] | None,
    after: Mapping[str, Any] | None,
) -> None:
    _, keys = _columns(connection, table)
    where = " and ".join(f'"{name}" is ?' for name in keys)
    if after is None and before is not None:
        names = ", ".join(f'"{name}"' for name in before)
        marks = ", ".join("?" for _ in before)
        connection.execute(
            f"insert into {table} ({names}) values ({marks})", tuple(before.values())
        )
        return
    row = connection.execute(f"select * from {table} where {where}", key).fetchone()
    if row is None:
        return  # somebody erased it since: it stays erased
    if any(row[name] != value for name, value in (after or {}).items()):
        raise _changed_since(table, row["id"] if "id" in row.keys() else key[0])  # noqa: SIM118
    if before is None:
        connection.execute(f"delete from {table} where {where}", key)
    else:
        wanted = ", ".join(f'"{name}" = ?' for name in before)
        connection.execute(f"update {table} set {wanted} where {where}", (*before.values(), *key))


def _changed_since(table: str, name: object) -> UnusableInputError:
    return UnusableInputError(
        f"the {table} {name} was changed since: the run cannot be taken back without losing that",
        hint="nothing was changed; forget the facts that are wrong one by one",
    )
