"""Changes of a run, row by row: recorded by triggers while it works, and taken back by a rollback.

The triggers live in the connection alone (``temp``), so they see whatever the run writes, what other
triggers do for it included, and nothing that anybody else writes.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.base.errors import UnusableInputError
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

    from memctl.store.store import Store

__all__ = ["drop_recorder", "record_changes", "take_back"]

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
# Columns that name another row, which is left together with theirs.
_NAMING = {
    "fact": {"superseded_by": "fact", "conflicts_with": "fact", "may_replace": "fact"},
    "fact_history": {"fact_id": "fact"},
    "fact_support": {"fact_id": "fact"},
    "episode": {},
    "episode_source": {"episode_id": "episode"},
}
# What is part of another row, and is not named beside it.
_PARTS = ("fact_history", "fact_support", "episode_source")
_CALLED = {"log": "turn"}
_SHOWN = 5  # names
# Where a trigger tells of a row that is deleted or edited: but what is put back never was.
_ECHOES = ("fact_history", "row_change")
RowKey = tuple[str, tuple[Any, ...]]  # a table, and the primary key in it
_TRIGGER = "dream_recorder_{table}_{event}"


class RowChange(NamedTuple):
    """One change of a row: its columns before, ``None`` for a new row; and after it."""

    row: RowKey
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None


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


def take_back(store: Store, runs: Sequence[int], *, keep_changed: bool) -> Sequence[str]:
    """Take the changes of runs back, the last first, inside the caller's transaction.

    Parameters
    ----------
    runs
        Their numbers, the newest first.
    keep_changed
        Leave what somebody has changed since as it is, and what belongs to it: its history, what it
        replaced or contradicts.

    Returns
    -------
    list of str
        What was left, such as ``fact f_3921fa271ecc``.

    Raises
    ------
    UnusableInputError
        When somebody has changed one of the rows since, and they are not to be kept.
    """
    connection = store.connection()
    connection.execute("pragma defer_foreign_keys = on")
    connection.execute("savepoint taking_back")
    changed = _put_back_all(store, runs, frozenset())
    if not changed:
        return []
    connection.execute("rollback to taking_back")
    if not keep_changed:
        raise _changed_since([_name(store, row) for row in changed])
    left = _with_what_belongs(store, runs, changed)
    _put_back_all(store, runs, frozenset(left))
    return [_name(store, row) for row in left if row[0] not in _PARTS]


def _put_back_all(
    store: Store, runs: Sequence[int], leaving: frozenset[RowKey]
) -> Sequence[RowKey]:
    """Put back what runs changed, but for some rows; return those that somebody changed since."""
    changed: dict[RowKey, None] = {}
    for run in runs:
        for change in _changes(store, run):
            if change.row not in leaving and not _put_back(store.connection(), change):
                changed[change.row] = None
    return list(changed)


def _with_what_belongs(
    store: Store, runs: Sequence[int], rows: Iterable[RowKey]
) -> Sequence[RowKey]:
    """Return rows with those changed rows that name them, or that they name, however far."""
    named: dict[RowKey, set[tuple[str, Any]]] = {}
    for run in runs:
        for change in _changes(store, run):
            named.setdefault(change.row, set()).update(_named(store, change))
    left = dict.fromkeys(rows)
    while True:
        reached = set().union(*(named[row] for row in left))
        more = [row for row, names in named.items() if row not in left and names & reached]
        if not more:
            return list(left)
        left.update(dict.fromkeys(more))


def _named(store: Store, change: RowChange) -> Iterable[tuple[str, Any]]:
    """Yield what a change is about: its own row, and the rows that its values name."""
    table, key = change.row
    if table in _NAMING:
        yield table, _id(store, change.row)
    keys = _columns(store.connection(), table)[1]
    for values in (dict(zip(keys, key, strict=True)), change.before or {}, change.after or {}):
        for column, other in _NAMING.get(table, {}).items():
            if values.get(column) is not None:
                yield other, values[column]


def _changes(store: Store, run: int) -> Iterable[RowChange]:
    for table, key, before, after in store.rows(SQL.changes, {"run": run}):
        old, new = (value and json.loads(value) for value in (before, after))
        yield RowChange((table, tuple(json.loads(key))), old, new)


def _last(connection: sqlite3.Connection, table: str) -> int:
    (found,) = connection.execute(f"select coalesce(max(id), 0) from main.{table}").fetchone()
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
    info = connection.execute(f"pragma main.table_info({table})").fetchall()
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


def _put_back(connection: sqlite3.Connection, change: RowChange) -> bool:
    """Put one change back; return whether nobody has changed the row since."""
    marks = {table: _last(connection, table) for table in _ECHOES if table != change.row[0]}
    (table, key), before, after = change
    _, keys = _columns(connection, table)
    where = " and ".join(f'"{name}" is ?' for name in keys)
    row = connection.execute(f"select * from main.{table} where {where}", key).fetchone()
    if after is None and before is not None:
        names = ", ".join(f'"{name}"' for name in before)
        values = ", ".join("?" for _ in before)
        connection.execute(
            f"insert into main.{table} ({names}) values ({values})", tuple(before.values())
        )
    elif row is None:
        return True  # somebody erased it since: it stays erased
    elif any(row[name] != value for name, value in (after or {}).items()):
        return False
    elif before is None:
        connection.execute(f"delete from main.{table} where {where}", key)
    else:
        wanted = ", ".join(f'"{name}" = ?' for name in before)
        connection.execute(
            f"update main.{table} set {wanted} where {where}", (*before.values(), *key)
        )
    for echo, last in marks.items():
        connection.execute(f"delete from main.{echo} where id > ?", (last,))
    return True


def _id(store: Store, row: RowKey) -> Any:
    """Return the id by which others name a row: of a fact that is not its number."""
    table, (key, *_) = row
    found = store.value(SQL.fact_id, {"number": key}) if table == "fact" else key
    return key if found is None else found


def _name(store: Store, row: RowKey) -> str:
    return f"{_CALLED.get(row[0], row[0])} {_id(store, row)}"


def _changed_since(names: Sequence[str]) -> UnusableInputError:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    told = f"{', '.join(names[:_SHOWN])}{more} {'was' if len(names) == 1 else 'were'}"
    return UnusableInputError(
        f"{told} changed since: the run cannot be taken back without losing that",
        hint="nothing was changed; with --keep-changed the rest is taken back",
    )
