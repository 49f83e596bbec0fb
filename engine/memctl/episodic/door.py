"""The door that every text of episodic memory passes before it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl import clock, guard, queries
from memctl.errors import SecretRefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.store import Store

__all__ = ["refuse_secrets"]

SQL = queries.load("store/store")


def refuse_secrets(store: Store, tier: str, texts: Iterable[str | None]) -> None:
    """Refuse texts that hold a secret; only the rule's name and a count are kept.

    Raises
    ------
    SecretRefusedError
        When one does. The message names the rule, never the text.
    """
    # In one piece: a label in one column may give away the value in another.
    rule = guard.secret_rule("\n".join(text for text in texts if text))
    if rule is None:
        return
    with store.transaction():
        store.execute(SQL.count_refusal, {"rule": rule, "tier": tier, "day": clock.now()[:10]})
    raise SecretRefusedError(
        f'the {tier} looks like a secret ("{rule}"); nothing was written',
        hint="leave the secret out, or say where it is kept",
    )
