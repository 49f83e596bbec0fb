"""Counts records of a source that are equal and have no key of their own."""

from __future__ import annotations

import sqlite3

from memctl.store import statements

__all__ = ["EqualRecords"]

SQL = statements.load("store/porting")


class EqualRecords:
    """How often each record was met: in a file of its own, which goes, so that memory stays flat."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect("", isolation_level=None)
        for statement in (SQL.keep_no_journal, SQL.make_equal, "begin"):
            self._connection.execute(statement)

    def count(self, place: bytes) -> int:
        """Count a record, by eight bytes of its digest; return how often it was met, from 1."""
        told = {"place": int.from_bytes(place, "big", signed=True)}
        return int(self._connection.execute(SQL.count_equal, told).fetchone()[0])

    def close(self) -> None:
        """Let the file go."""
        self._connection.close()
