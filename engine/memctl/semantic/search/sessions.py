"""Facts of an open session beside those of the long term, in an answer.

The rule, of facts of one owner:

- A session's fact that says otherwise than a long-term one overrides it: it answers alone
  within that session, and the long-term one stays as it is for all others.
- A fact that both say is told once, as long-term.
- A fact that is then stored for the long term, in the same session, ends the session's own
  (`memctl.semantic.fact_writing`), so that the newer holds.

Whoever asks for long-term memory alone gets it as it is; whoever has no session open sees
what each session says, beside what is long-term.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memctl.search.fact_scope import Condition
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from memctl.store.store import Store

__all__ = ["hidden_by_session"]

SQL = statements.load("store/fact_read")


def hidden_by_session(
    store: Store,
    rows: Sequence[sqlite3.Row],
    answering: Iterable[int],
    parameters: Mapping[str, Any],
) -> frozenset[int]:
    """Return the facts of an answer that do not answer: overridden, or told twice.

    Parameters
    ----------
    rows
        Facts that hold.
    answering
        The numbers of all facts that could answer, `rows` among them.
    parameters
        The scope's, the filter's and the time's, as `fact_read.sql` names them.
    """
    session = parameters["scope_session"]
    if parameters["scope_reach"] != "all" or not (session or any(r["session_id"] for r in rows)):
        return frozenset()
    by_number = {row["number"]: row for row in rows}
    wanted = {"numbers": json.dumps(list(by_number)), "scope_session": session}
    pairs = [(by_number[row["told_number"]], row) for row in store.rows(SQL.session_pairs, wanted)]
    if not pairs:
        return frozenset()
    current = _current(store, [other["number"] for _, other in pairs], parameters)
    able = frozenset(answering)
    return frozenset(
        row["number"]
        for row, other in pairs
        if other["number"] in current and _yields(row, other, able, session)
    )


def _yields(
    row: sqlite3.Row, other: sqlite3.Row, answering: Collection[int], session: str | None
) -> bool:
    """Return whether a fact gives way to another of which one is a session's, one long-term."""
    # Read only here: most answers hold no two facts that could.
    from memctl.semantic.conflicts import SAME, as_draft, relation

    if row["session_id"]:
        return other["number"] in answering and relation(as_draft(row), other) in SAME
    found = relation(as_draft(other), row) if session else None
    return found is not None and found not in SAME


def _current(store: Store, numbers: Sequence[int], parameters: Mapping[str, Any]) -> frozenset[int]:
    """Return those of some facts that hold within the scope, whatever filter is asked for."""
    wanted = {**parameters, "numbers": json.dumps(numbers)}
    return frozenset(row["number"] for row in store.rows(Condition().bound(SQL.valid), wanted))
