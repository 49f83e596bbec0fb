"""Tables of a scoped connection: a store that was opened for somebody reads their rows alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3

    from memctl.base.scope import Scope

SQL = statements.load("store/scope")

# Tables that say themselves whose a row is, and those whose rows are their session's.
_OWNED = ("log", "episode", "session", "recall", "injection", "candidate")
_OF_SESSIONS = ("journal", "journal_snapshot", "cache", "tool_call")


def scope_tables(connection: sqlite3.Connection, scope: Scope) -> None:
    """Let a connection read the rows of one scope alone, whatever a statement asks for."""
    if not scope.narrows:
        return
    whose = {"user": scope.user, "agent": scope.agent, "project": scope.project}
    connection.execute(SQL.scope, whose)
    for table in _OWNED:
        connection.execute(SQL.log.replace("log", table))
    for table in _OF_SESSIONS:
        connection.execute(SQL.journal.replace("journal", table))
    connection.execute(SQL.knowledge)


def lift_scope(connection: sqlite3.Connection) -> None:
    """Let a scoped connection read the rows of everybody again."""
    for table in (*_OWNED, *_OF_SESSIONS, "knowledge"):
        connection.execute(SQL.lifted.replace("log", table))
