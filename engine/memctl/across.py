"""Recall over the tiers: turns, episodes and facts in one list.

It stands one floor above the tiers, which do not know each other. Both rank by shares of
the question's weight, so their scores are of one scale: 1 is a row that covers it all.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memctl.episodic.memory import Episodic
    from memctl.episodic.results import Row
    from memctl.semantic import FactReader, Hit

__all__ = ["Found", "recall_across"]


@dataclass(frozen=True, slots=True)
class Found:
    """One row of any tier.

    Parameters
    ----------
    kind
        ``turn``, ``episode`` or ``fact``.
    id
        What the tier knows it by.
    score
        1 covers the whole question; more where its place speaks for it.
    explain
        The named numbers that the score is made of.
    fallback
        Whether it was found without a word in common.
    """

    kind: str
    id: int | str
    text: str
    happened_at: str
    score: float
    matched: tuple[str, ...]
    explain: tuple[dict[str, Any], ...]
    fallback: bool
    tokens: int


def recall_across(
    facts: FactReader,
    episodic: Episodic,
    query: str,
    *,
    limit: int = 5,
    max_tokens: int | None = None,
    as_of: str | None = None,
) -> list[Found]:
    """Return the best rows of all tiers, best first; of equals, facts before the rest.

    Parameters
    ----------
    max_tokens
        A hard cap on what their texts cost together.
    as_of
        What held, and what had happened, then.
    """
    hits = facts.search(query, limit=limit, max_tokens=max_tokens, as_of=as_of)
    rows = episodic.recall(query, limit, max_tokens, as_of)
    found = [*(_of_fact(hit) for hit in hits), *(_of_row(row) for row in rows)]
    # What no word brought stands behind what a word did, whatever its score.
    found.sort(key=lambda one: (one.fallback, -one.score))
    taken: list[Found] = []
    for one in found:
        spent = sum(before.tokens for before in taken)
        if len(taken) < limit and (max_tokens is None or spent + one.tokens <= max_tokens):
            taken.append(one)
    return taken


def _of_fact(hit: Hit) -> Found:
    return Found(
        "fact",
        hit.fact.id,
        hit.fact.text,
        hit.fact.valid_from,
        hit.score,
        hit.matched,
        tuple(asdict(term) for term in hit.explain),
        fallback=False,
        tokens=hit.tokens,
    )


def _of_row(row: Row) -> Found:
    return Found(
        row.kind,
        row.id,
        row.text,
        row.happened_at,
        row.score,
        row.matched,
        tuple(asdict(term) for term in row.explain),
        fallback=row.fallback,
        tokens=row.tokens,
    )
