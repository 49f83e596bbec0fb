"""Anything that callers do to facts, in any order: what must never come of it is tested."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from memctl.base.errors import MemctlError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memctl.semantic.facts import Facts

Act = tuple[str, tuple[Any, ...], dict[str, Any]]

TEXTS = st.sampled_from(
    [
        "User does not prefer dark mode",
        "User prefers dark mode",
        "user prefers dark mode.",
        "User prefers dark mode because it is calm",
        "Falcon's deadline is 1 December",
        "Falcon's deadline is 8 December",
        "The deadline of Falcon is 8 December",
        "User owns a red bicycle",
    ]
)
WHICH = st.tuples(st.integers(0, 6))
_MADE_AT = datetime(2026, 11, 20, 12, tzinfo=UTC)


def any_acts(*, long_term: st.SearchStrategy[bool]) -> st.SearchStrategy[list[Act]]:
    """Return what draws a list of acts.

    Parameters
    ----------
    long_term
        Whether a fact is stored for the long term, or under the open session.
    """
    options = st.fixed_dictionaries(
        {
            "confidence": st.sampled_from(["low", "medium", "high"]),
            "source": st.sampled_from(["a", "b"]),
            "category": st.sampled_from([None, None, "operational", "identity"]),
            "long_term": long_term,
        }
    )
    store = _named("store", st.tuples(TEXTS), options)
    changes = [_named(name, WHICH) for name in ("forget", "restore", "approve", "reject", "pin")]
    update = _named("update", st.tuples(st.integers(0, 6), TEXTS))
    renew = _named("update", WHICH, st.just({"expires_at": "never"}))
    later = _named("later", st.just(()))
    return st.lists(
        st.one_of(store, store, *changes, update, renew, later), min_size=2, max_size=14
    )


def _named(name: str, given: Any, options: Any = None) -> st.SearchStrategy[Act]:
    return st.tuples(st.just(name), given, st.just({}) if options is None else options)


def carry_out(acts: Iterable[Act], facts: Facts, clock: Callable[[str], None]) -> None:
    """Do one after the other; what is refused does nothing."""
    ids: list[str] = []
    days = 0
    for name, given, options in acts:
        if name == "later":
            days += 5
        clock(f"{_MADE_AT + timedelta(days=days):%Y-%m-%dT%H:%M:%SZ}")
        if name == "store":
            ids += [one for one in facts.store(*given, **options).ids if one not in ids]
        elif name != "later" and given[0] < len(ids):
            _attempt(facts, name, ids[given[0]], *given[1:], **options)


def _attempt(facts: Facts, name: str, *given: Any, **options: Any) -> None:
    try:
        getattr(facts, name)(*given, **options)
    except MemctlError:
        return
