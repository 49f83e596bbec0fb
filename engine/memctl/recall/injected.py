"""Rows that were put into prompts: which a session knows already, and which were of use."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memctl.base import clock
from memctl.base.errors import BusyError
from memctl.store import statements
from memctl.store.sqlite_errors import UNWRITABLE
from memctl.text.closed_words import word_heads

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.store.store import Store

SQL = statements.load("store/injected")

# The share of a row's new words that a reply says where it uses the row.
_SAID_AGAIN = 1 / 3


def record_injected(
    store: Store, session: str, hook: str, rows: Iterable[str], tokens: int
) -> bool:
    """Record a block that was put into a prompt; return whether it could be.

    A prompt does not wait for its record: where another process writes, or the store cannot be
    written, there is none.

    Parameters
    ----------
    session
        The session whose prompt it was.
    hook
        What put it there: ``prompt``, ``start``, ``context``, ...
    rows
        Names of the rows in it, as `feedback` takes them: ``turn:12``, or the id of a fact. Others
        may be named in the same way (``journal:3``): they count as given.
    tokens
        Estimated tokens of the block.
    """
    if store.readonly or not store.exists:
        return False
    injection = {
        "session": session,
        "hook": hook,
        "tokens": tokens,
        "injected_at": clock.now(),
        **store.owner,
    }
    names = list(dict.fromkeys(rows))
    try:
        with store.at_once(), store.transaction(activity=True):
            number = store.insert(SQL.record, injection)
            store.execute(SQL.record_rows, {"injection": number, "names": json.dumps(names)})
    except (BusyError, *UNWRITABLE):
        return False
    return True


def told_in(store: Store, session: str, *, hook: str | None = None) -> set[str]:
    """Return the names of the rows that are in a session's prompts.

    Parameters
    ----------
    session
        Its name.
    hook
        Only what this one put there; any by default.
    """
    if not store.exists:
        return set()
    asked = {**_whose(store, session), "hook": hook}
    return {row["name"] for row in store.rows(SQL.told, asked)}


def forget_told(store: Store, session: str) -> None:
    """Forget what a session's prompts were given: a compaction has taken it out of them."""
    if store.exists:
        with store.transaction(activity=True):
            store.execute(SQL.forget, {**_whose(store, session), "now": clock.now()})


def mark_used(store: Store, session: str, reply: str) -> int:
    """Mark the injected rows that a reply uses; return how many.

    A reply uses a row where it repeats a third of the words that the row adds to the prompt.
    """
    rows = store.rows(SQL.unused, {"session": session}) if store.exists else []
    if not rows:
        return 0
    prompt = word_heads(store.value(SQL.last_prompt, {"session": session}) or "")
    said = word_heads(reply) - prompt
    used = [row for row in rows if _uses(said, word_heads(row["text"]) - prompt)]
    if used:
        now = clock.now()
        with store.transaction(activity=True):
            for row in used:
                marked = {"injection": row["injection_id"], "name": row["name"], "now": now}
                store.execute(SQL.mark_used, marked)
    return len(used)


def _uses(said: set[str], added: set[str]) -> bool:
    return bool(added) and len(said & added) >= _SAID_AGAIN * len(added)


def _whose(store: Store, session: str) -> dict[str, str]:
    owner = store.owner
    return {"session": session, "user_id": owner["user_id"], "agent_id": owner["agent_id"]}
