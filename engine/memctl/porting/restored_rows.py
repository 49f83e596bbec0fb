"""Rows of an export as a store takes them: each value checked, each row whole."""

from __future__ import annotations

import json
import sqlite3
from functools import cached_property
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.errors import UsageError
from memctl.base.near_words import one_of
from memctl.guard import door
from memctl.porting.exports.kept_items import COLUMNS
from memctl.semantic.conflicts import as_draft
from memctl.store import statements
from memctl.store.erased_texts import erased_test, identity_of
from memctl.store.schema_text import change, columns, insertion, travelling
from memctl.text.cleaning import cleaned

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memctl.porting.exports.kept_items import KeptColumn
    from memctl.store.store import Store

SQL = statements.load("store/restoring")

_HIGHEST_ID = 2**48 - 1  # as the index numbers rows
_DAY_MINUTES = 24 * 60
_CHANGE = frozenset(travelling("fact_history", "export")) - {"fact_id"}
_LISTS = frozenset({"names", "object"})


def insert_row(store: Store, table: str, row: Mapping[str, Any]) -> int:
    """Insert a row, of its columns that the table has; return its number."""
    names = tuple(
        name
        for name, column in columns()[table].items()
        if name in row and (column.nullable or row[name] is not None)
    )
    return store.insert(insertion(table, names), row)


def change_row(store: Store, table: str, key: str, row: Mapping[str, Any]) -> None:
    """Change the row that has this value in the column `key`, in the columns that are given."""
    names = tuple(name for name in columns()[table] if name in row)
    store.execute(change(table, key, names), row)


class RestoredRows:
    """Writes rows with their ids, inside the caller's transaction."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def was_erased(self, kind: str, key: str) -> bool:
        """Return whether somebody erased what this names."""
        if not key or not self._store.exists or kind not in {"fact", "turn", "episode"}:
            return False
        sql = SQL.erased_fact if kind == "fact" else SQL.erased_row
        asked = key if kind == "fact" else int(key)
        return bool(self._store.value(sql, {"kind": kind, "id": asked}))

    @cached_property
    def _erased(self) -> Callable[[bytes], bool]:
        return erased_test(self._store)

    def erased_equal(self, kind: str, item: Mapping[str, Any]) -> bool:
        """Return whether somebody erased an equal turn or episode."""
        return kind in {"turn", "episode"} and self._erased(identity_of(kind, _row(kind, item)))

    def like(self, kind: str, item: Mapping[str, Any]) -> list[int]:
        """Return the turns or episodes at the place of this one."""
        sql = SQL.like_turn if kind == "turn" else SQL.like_episode
        return [row["id"] for row in self._store.rows(sql, _row(kind, item))]

    def says_same(self, fact: Mapping[str, Any]) -> bool:
        """Return whether another valid fact equals one that would be valid."""
        if fact.get("status", "active") != "active":
            return False
        return bool(self._store.value(SQL.says_same, fact_row(fact)))

    def add(self, kind: str, item: Mapping[str, Any]) -> int:
        """Add an item; return the number of its row.

        Raises
        ------
        UsageError
            When its values do not fit together.
        """
        try:
            if kind == "fact":
                return self._fact(item)
            row = _row(kind, item)
            if kind == "alias":
                return insert_row(self._store, "alias", row)
            if kind == "knowledge":
                return self._knowledge(item, {**row, "kind": row["about"]})
            row["id"] = self._store.value(SQL.free_id, {"id": row["id"]})
            if kind == "turn":
                return insert_row(self._store, "log", {**row, "later": 2})
            episode = insert_row(self._store, "episode", row)
            for turn in item.get("turns", ()):
                self._store.execute(_LINK, {"episode_id": episode, "log_id": turn})
        except sqlite3.IntegrityError as error:
            raise UsageError(
                f"the {kind} does not fit: {error}", hint="correct it, or export it anew"
            ) from error
        return episode

    def _fact(self, item: Mapping[str, Any]) -> int:
        number = insert_row(self._store, "fact", fact_row(item))
        for event in item.get("history", ()):
            insert_row(self._store, "fact_history", {**event, "fact_id": item["id"]})
        for source, when in item.get("support", ()):
            told = {"fact_id": item["id"], "source": source, "supported_at": when}
            insert_row(self._store, "fact_support", told)
        return number

    def _knowledge(self, item: Mapping[str, Any], row: Mapping[str, Any]) -> int:
        number = insert_row(self._store, "knowledge", row)
        for fact in item.get("sources", ()):
            insert_row(self._store, "knowledge_source", {"knowledge_id": number, "fact_id": fact})
        return number


_LINK = statements.load("store/episodic").link_turn


def checked_item(kind: str, item: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item of known keys, its values checked, without what is usual.

    Raises
    ------
    UsageError
        When there is no such kind or key, or a value cannot be.
    """
    if kind not in COLUMNS:
        raise UsageError(f'there is no kind "{kind:.40}"', hint=one_of(kind, COLUMNS))
    known = {column.name: column for column in COLUMNS[kind]}
    for key in item:
        if key not in known:
            raise UsageError(f'a {kind} has no "{key:.40}"', hint=one_of(key, known))
    result = {}
    for name, column in known.items():
        value = item.get(name)
        checked = None if value is None else _checked(kind, column, value)
        if checked is not None and checked != column.usual:
            result[name] = checked
    return result


def texts_in(kind: str, item: Mapping[str, Any]) -> list[str]:
    """Return every text of a checked item that somebody has written."""
    result: list[str] = []
    for column in COLUMNS[kind]:
        value = item.get(column.name)
        if column.holds == "text" and value is not None:
            result.append(value)
        elif column.holds == "names":
            result += value or ()
        elif column.holds == "object":
            result += [f"{key}: {_plain(told)}" for key, told in (value or {}).items()]
        elif column.holds == "history":
            result += [told for one in value or () for told in one.values()]
        elif column.holds == "support":
            result += [source for source, _ in value or ()]
    return result


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _checked(kind: str, column: KeptColumn, value: Any) -> Any:
    shape, check = _SHAPES[column.holds]
    if not isinstance(value, shape) or (isinstance(value, bool) and shape is not bool):
        raise UsageError(f'"{column.name}" of a {kind} cannot be of type {type(value).__name__}')
    return check(kind, column.name, value)


def _text(kind: str, name: str, value: str) -> str:
    if kind in {"turn", "episode", "alias"}:
        return cleaned(value, what=name)
    return door.clean(value, what=name)


def _time(kind: str, name: str, value: str) -> str:
    return clock.parse_time(value, what=f"{name} of a {kind}")


def _whole(kind: str, name: str, value: int) -> int:
    if not 0 <= value <= _HIGHEST_ID:
        raise UsageError(f'"{name}" of a {kind} cannot be {value}', hint="1 or more")
    return value


def _offset(kind: str, name: str, value: int) -> int:
    if abs(value) >= _DAY_MINUTES:
        raise UsageError(f'"{name}" of a {kind} cannot be {value}', hint="-1439 to 1439 minutes")
    return value


def _object(kind: str, name: str, value: dict[str, Any]) -> dict[str, Any]:
    del kind, name
    return value


def _names(kind: str, name: str, value: list[Any]) -> list[str]:
    if not all(isinstance(one, str) for one in value):
        raise UsageError(f'"{name}" of a {kind} is a list of texts')
    return [_text(kind, name, one) for one in value]


def _ids(kind: str, name: str, value: list[Any]) -> list[int]:
    if not all(type(one) is int for one in value):
        raise UsageError(f'"{name}" of a {kind} is a list of ids')
    return value


def _history(kind: str, name: str, value: list[Any]) -> list[dict[str, str]]:
    for one in value:
        if not isinstance(one, dict) or not one.keys() <= _CHANGE:
            raise UsageError(f'"{name}" of a {kind} is not of its shape')
        if not all(isinstance(told, str) for told in one.values()):
            raise UsageError(f'"{name}" of a {kind} holds texts')
    return [{key: door.clean(told, what=name) for key, told in one.items()} for one in value]


def _support(kind: str, name: str, value: list[Any]) -> list[list[str]]:
    for one in value:
        if not (isinstance(one, list) and [*map(type, one)] == [str, str]):
            raise UsageError(f'"{name}" of a {kind} is not of its shape')
    return value


_SHAPES: Mapping[str, tuple[Any, Callable[[str, str, Any], Any]]] = {
    "text": (str, _text),
    "time": (str, _time),
    "number": ((int, float), lambda _, __, value: float(value)),
    "whole": (int, _whole),
    "offset": (int, _offset),
    "flag": (bool, _object),
    "object": (dict, _object),
    "names": (list, _names),
    "ids": (list, _ids),
    "history": (list, _history),
    "support": (list, _support),
}


def _row(kind: str, item: Mapping[str, Any]) -> dict[str, Any]:
    row = {}
    for column in COLUMNS[kind]:
        value = item.get(column.name, column.usual)
        row[column.name] = (
            json.dumps(value, ensure_ascii=False) if column.holds in _LISTS else value
        )
    return row


def fact_row(fact: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of a fact of checked values, with what is derived of them."""
    row = _row("fact", fact)
    keys = as_draft(row).columns
    derived = {
        name: keys[name] or None
        for name, column in columns()["fact"].items()
        if column.reach == "derived"
    }
    metadata = json.dumps(fact.get("metadata", {}), ensure_ascii=False, sort_keys=True)
    return {**row, **derived, "metadata": metadata}
