"""Erased texts: rows that a person erased are known again by keyed digests, and stay erased."""

from __future__ import annotations

import hmac
import json
import os
from typing import TYPE_CHECKING, Any

from memctl.base.clock import now
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Mapping

    from memctl.store.store import Store

SQL = statements.load("store/erased_text")

_KEY_BYTES = 32

IDENTITY: Mapping[str, tuple[str, ...]] = {
    "turn": ("session", "role", "speaker", "text", "details", "logged_at"),
    "episode": ("summary", "details", "tags", "participants", "thread", "happened_at"),
    "fact": ("text", "user_id", "agent_id", "session_id"),
}
"""Columns by which a row is the same in every store."""


def identity_of(kind: str, row: sqlite3.Row | Mapping[str, Any]) -> bytes:
    """Return the digest of a row that is the same in every store."""
    result = [kind, *(row[column] for column in IDENTITY[kind])]
    return json.dumps(result, ensure_ascii=False).encode()


def note_erased(store: Store, kind: str, rows: Iterable[sqlite3.Row]) -> None:
    """Keep keyed digests of rows that are about to be erased. In a transaction."""
    found = list(rows)
    if not found:
        return
    key = store.value(SQL.key)
    if key is None:
        key = os.urandom(_KEY_BYTES)
        store.execute(SQL.set_key, {"key": key})
    digests = [{"digest": _digest(key, identity_of(kind, row)), "now": now()} for row in found]
    store.execute_many(SQL.note, digests)


def erased_test(store: Store) -> Callable[[bytes], bool]:
    """Return the test whether a row of this identity was erased from a store."""
    digests = {row[0] for row in store.rows(SQL.digests)}
    if not digests:
        return lambda _: False
    key = store.value(SQL.key)
    return lambda identity: _digest(key, identity) in digests


def _digest(key: bytes, identity: bytes) -> bytes:
    return hmac.digest(key, identity, "sha256")
