"""Tables of a scoped connection: a store that was opened for somebody reads their rows alone.

For each table that has owners, a temporary view of the same name stands before it, so that no
statement can forget whose rows it may read. Statements that write name the table itself:
``main.log``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.base.scope import Scope

# Tables with columns of their own that say whose a row is, and those whose rows are a session's.
_OWNED = ("log", "episode", "session", "recall", "candidate")
_OF_SESSIONS = ("journal", "journal_snapshot", "cache", "tool_call")


def scoped_tables(scope: Scope) -> Iterator[str]:
    """Yield the statements that let a connection read the rows of one scope alone."""
    if not scope.narrows:
        return
    own = " and ".join(_conditions(scope))
    for table in _OWNED:
        yield f"create temp view {table} as select * from main.{table} where {own}"  # noqa: S608
    sessions = f"select id from main.session where {own}"  # noqa: S608
    for table in _OF_SESSIONS:
        mine = f"session in ({sessions})"
        yield f"create temp view {table} as select * from main.{table} where {mine}"  # noqa: S608
    # A page that is made of a fact that is out of reach is out of reach itself.
    yield (
        "create temp view knowledge as select * from main.knowledge where not exists ("  # noqa: S608
        "select 1 from main.knowledge_source as source inner join main.fact as fact"
        " on source.fact_id = fact.id"
        f" where source.knowledge_id = knowledge.id and not ({own}))"
    )


def _conditions(scope: Scope) -> Iterator[str]:
    if scope.user is not None:
        yield f"user_id = {_text(scope.user)}"
    if scope.agent is not None:
        yield f"agent_id = {_text(scope.agent)}"
    if scope.project is not None:
        yield f"project in ('', {_text(scope.project)})"


def _text(value: str) -> str:
    """Return a text as SQL writes it: a view takes no parameters."""
    return "'" + value.replace("'", "''") + "'"
