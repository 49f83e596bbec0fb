"""Evidence of a candidate: everything that a score reads of it, as it stood at one moment."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["STATED", "Evidence", "Signal", "days_between", "distinct_days", "span_of"]

STATED = frozenset({"session", "daily", "grounded"})
"""Kinds of signals that say it; the others, ``recall`` and ``feedback``, are people who used it."""


class Signal(NamedTuple):
    """One thing that speaks for a candidate: a row of ``dream_signal``.

    Parameters
    ----------
    kind
        ``session``, ``daily``, ``grounded``, ``recall`` or ``feedback``.
    day
        Its day, ``2026-11-20``.
    query
        12 hex digits of the question; empty for none.
    rank
        Among the recall's hits, from 1; None for what is no recall.
    score
        From 0 to 1.
    at
        Its time, in the store's one shape.
    cover
        Share of a recall's words that the candidate holds, by rareness, 0 to 1.
    """

    kind: str
    day: str
    query: str
    rank: int | None
    score: float
    at: str
    cover: float = 1.0


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that a score reads of one candidate.

    Parameters
    ----------
    text
        The statement, as it would be kept.
    keep_score
        Points of the best time it was said.
    standing_order
        Whether it says what is to be done from now on.
    grounded
        Whether a source row says it.
    stands_alone
        Whether it tells who and what it is about.
    own
        Whether memctl, a cron job or the system alone said it.
    rival
        What was said otherwise since; empty for nothing.
    boot_overlap
        Share of its words that the boot text holds, 0 to 1.
    tags
        Its concepts.
    first_said_at, last_said_at
        When it was said first and last.
    signals
        What speaks for it.
    light_hits, rem_hits
        How often Light staged it, and REM took it up.
    light_at, rem_at
        When they did last; None for never.
    promoted
        Whether it became a fact already.
    category
        The kind that its words speak for; ``None`` for none.
    """

    text: str
    keep_score: float = 0.0
    standing_order: bool = False
    grounded: bool = True
    stands_alone: bool = True
    own: bool = False
    rival: str = ""
    boot_overlap: float = 0.0
    tags: tuple[str, ...] = ()
    first_said_at: str = ""
    last_said_at: str = ""
    signals: tuple[Signal, ...] = ()
    light_hits: int = 0
    light_at: str | None = None
    rem_hits: int = 0
    rem_at: str | None = None
    promoted: bool = False
    category: str | None = None

    def until(self, as_of: str) -> Evidence:
        """Return the evidence that there was at a moment: what is dated later does not count yet."""
        known = tuple(one for one in self.signals if one.at <= as_of)
        return self if len(known) == len(self.signals) else replace(self, signals=known)


def distinct_days(signals: Iterable[Signal]) -> tuple[date, ...]:
    """Return the days of signals, each once, in order."""
    return tuple(sorted({date.fromisoformat(one.day) for one in signals}))


def span_of(days: tuple[date, ...]) -> int:
    """Return the days from the first to the last of `days`; 0 for none."""
    return (days[-1] - days[0]).days if days else 0


def days_between(earlier: str, later: str) -> float:
    """Return the days from a time to another; 0 where the other one is earlier."""
    passed = datetime.fromisoformat(later) - datetime.fromisoformat(earlier)
    return max(0.0, passed.total_seconds() / 86_400)
