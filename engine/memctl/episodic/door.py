"""The door that every text of episodic memory passes before it is written."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from memctl import clock, guard, queries
from memctl.errors import SecretRefusedError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.store import Store

__all__ = ["refuse_secrets"]

SQL = queries.load("store/store")


def refuse_secrets(
    store: Store, tier: str, texts: Iterable[str | None], names: Iterable[str | None] = ()
) -> None:
    """Refuse texts that hold a secret; only the rule's name and a count are kept.

    Parameters
    ----------
    store
        Where the refusal is counted.
    tier
        What is written, for the message and the count.
    texts
        Looked at in one piece: a label in one may give away the value in another.
    names
        Looked at one by one; the same names come again and again, and are remembered.

    Raises
    ------
    SecretRefusedError
        When one does. The message names the rule, never the text.
    """
    found = [guard.secret_rule("\n".join(text for text in texts if text))]
    found += [_rule_of_name(name) for name in names if name]
    rule = next((rule for rule in found if rule), None)
    if rule is None:
        return
    with store.transaction():
        store.execute(SQL.count_refusal, {"rule": rule, "tier": tier, "day": clock.now()[:10]})
    raise SecretRefusedError(
        f'the {tier} looks like a secret ("{rule}"); nothing was written',
        hint="leave the secret out, or say where it is kept",
    )


@lru_cache(maxsize=1024)
def _rule_of_name(name: str) -> str | None:
    return guard.secret_rule(name)
