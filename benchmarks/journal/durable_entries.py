"""Durable entries of the journal, against bare commits of the same row, batch by batch."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from typing import TYPE_CHECKING

import memctl

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["durable_entries"]

_BATCH = 20
# As a store's connection has them while an entry is written.
_PRAGMAS = (
    "journal_mode = wal",
    "synchronous = full",
    "secure_delete = on",
    "foreign_keys = on",
    "mmap_size = 1073741824",
)
_COLUMNS = "session text, channel text, kind text, name text, text text, written_at text, done_at"
_INSERT = "insert into journal values (null, 's1', '', :kind, '', :text, '2026-11-20', null)"
_KINDS = ("observe", "decide", "pending", "blocker")


def durable_entries(folder: Path, count: int) -> dict[str, list[float]]:
    """Return the milliseconds of each entry of memctl, and of each bare commit."""
    folder.mkdir()
    ours: list[float] = []
    bare: list[float] = []
    with (
        memctl.open("agent", folder, session="s1") as memory,
        closing(sqlite3.connect(folder / "bare.db", isolation_level=None)) as connection,
    ):
        for pragma in _PRAGMAS:
            connection.execute(f"pragma {pragma}")
        connection.execute(f"create table journal (id integer primary key, {_COLUMNS})")
        connection.execute("create index journal_session on journal (session, channel, id)")
        memory.journal.task("Book the ferry")  # makes the file
        writers = [getattr(memory.journal, kind) for kind in _KINDS]

        def entry(number: int) -> None:
            writers[number % len(_KINDS)](_text(number))

        def row(number: int) -> None:
            kept = {"kind": _KINDS[number % len(_KINDS)], "text": _text(number)}
            connection.execute("begin immediate")
            connection.execute(_INSERT, kept)
            connection.execute("commit")

        for start in range(0, count, _BATCH):
            numbers = range(start, min(start + _BATCH, count))
            bare += [_timed(row, number) for number in numbers]
            ours += [_timed(entry, number) for number in numbers]
    return {"memctl, one entry a call": ours, "bare SQLite, one row": bare}


def _text(number: int) -> str:
    return f"The ferry of depot {number} leaves at nine, said Ann; the train at {number % 12}."


def _timed(act: Callable[[int], None], number: int) -> float:
    begun = time.perf_counter()
    act(number)
    return (time.perf_counter() - begun) * 1000
