"""Tables of a scoped connection: a store that was opened for somebody reads their rows alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3

    from memctl.base.scope import Scope

SQL = statements.load("store/scope")

_VIEWS = (
    *(SQL.log, SQL.episode, SQL.session, SQL.recall, SQL.candidate, SQL.knowledge),
    # Whose these are, their session says.
    *(SQL.journal, SQL.journal_snapshot, SQL.cache, SQL.tool_call),
)


def scope_tables(connection: sqlite3.Connection, scope: Scope) -> None:
    """Let a connection read the rows of one scope alone, whatever a statement asks for."""
    if not scope.narrows:
        return
    whose = {"user": scope.user, "agent": scope.agent, "project": scope.project}
    connection.execute(SQL.scope, whose)
    for view in _VIEWS:
        connection.execute(view)
