"""The choices of a caller about a text: what it replaces, that both hold, and values that cannot be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.errors import RefusedError, UnusableInputError, UsageError
from memctl.semantic.deciding.value_checks import doubt_about, no_day_in
from memctl.semantic.fact_rows import find_row

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence

    from memctl.semantic.drafts import Draft
    from memctl.store.store import Store

__all__ = ["check_choice", "doubt_of", "replaced_rows"]


def check_choice(batch: Sequence[Draft], replaces: str | None, *, keep_both: bool) -> None:
    """Refuse a choice that cannot be meant.

    Raises
    ------
    UsageError
        When several texts replace one fact, or one is replaced and kept.
    """
    if replaces is not None and len(batch) != 1:
        raise UsageError(
            f"{len(batch)} facts replace one", hint="store the one that replaces it alone"
        )
    if replaces is not None and keep_both:
        raise UsageError("replaces and keep_both exclude each other", hint="give one of them")


def doubt_of(draft: Draft) -> str:
    """Return why the value of a draft cannot be; empty where it may be.

    Raises
    ------
    UnusableInputError
        When the caller named subject, attribute and value: then the call is refused.
    """
    if draft.statement is None:
        return no_day_in(draft.text)
    doubt = doubt_about(draft.statement.attribute, draft.statement.value) or no_day_in(draft.text)
    if doubt and draft.outright:
        raise UnusableInputError(doubt, hint="give the value as it is")
    return doubt


def replaced_rows(
    store: Store, scope: Mapping[str, str | None], owner: Mapping[str, str], replaces: str | None
) -> tuple[sqlite3.Row, ...]:
    """Return the row that a text replaces, where there is one.

    Raises
    ------
    NotFoundError
        When there is no such fact within the scope.
    RefusedError
        When it does not hold, or is of another user, agent or project than the text.
    """
    if replaces is None:
        return ()
    row = find_row(store, scope, replaces)
    if row["status"] != "active":
        by = f" by {row['superseded_by']}" if row["superseded_by"] else ""
        raise RefusedError(
            f'fact "{replaces}" does not hold: it is {row["status"]}{by}',
            hint="name the fact that holds",
        )
    if any(row[name] != owner[name] for name in ("user_id", "agent_id", "project")):
        raise RefusedError(
            f'fact "{replaces}" is of another user, agent or project',
            hint="name the same user_id, agent_id",
        )
    return (row,)
