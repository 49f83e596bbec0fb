"""Recall before a turn without being asked: when, how much, and why not."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from memctl.base.errors import UsageError
from memctl.base.near_words import one_of
from memctl.base.pattern import Pattern
from memctl.semantic.fact_lines import fenced
from memctl.semantic.sentences.normal import same_key
from memctl.text.own_words import without_host_blocks
from memctl.text.splitting import is_unspaced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.base.scope import Reach
    from memctl.config.settings import Settings
    from memctl.semantic.records import Hit, Hits

__all__ = ["TurnRecall", "recall_for_turn"]

Strategy = Literal["smart", "always", "manual", "off"]
STRATEGIES = ("smart", "always", "manual", "off")

# Letters of a prompt that could mean a fact; what a character of Chinese, Japanese or Korean
# says takes so many letters more.
_SHORT = 5
_MORE_LETTERS = 2
_QUERY_CHARACTERS = 2_000
_MACHINE = Pattern(r"(?:^|:)(?:cron|heartbeat|automation|schedule)(?:$|:)", re.IGNORECASE)
_BOOTSTRAP = Pattern(
    r"\A\s*(?:/new|/reset)\b|\bnew session (?:was |has been )?started\b|\bstartup sequence\b|"
    r"\bsession (?:was |has been )?(?:started|reset) via\b",
    re.IGNORECASE,
)
_ALWAYS_CATEGORIES = ("identity", "configuration")


class _FactSearch(Protocol):
    """The two searches of `memctl.semantic.fact_finder.FactFinder` that a turn needs."""

    def search(self, query: str, *, limit: int, scope: Reach, threshold: float) -> Hits: ...

    def standing(self, categories: Sequence[str], *, limit: int, scope: Reach) -> list[Hit]: ...


@dataclass(frozen=True, slots=True)
class TurnRecall:
    """The recalled facts for the prompt of a turn."""

    text: str  # the fenced block; empty where nothing is recalled
    hits: tuple[Hit, ...]  # the facts in it, in its order
    skipped: str = ""  # why nothing was looked for


def recall_for_turn(
    facts: _FactSearch,
    settings: Settings,
    prompt: str,
    *,
    strategy: str | None = None,
    trigger: str = "",
    max_tokens: int | None = None,
) -> TurnRecall:
    """Return the facts that a prompt should be answered with.

    ``smart`` looks through long-term memory, ``always`` through the session's too, which
    answers alone where it says otherwise, and tells nothing twice (`memctl.semantic.search.sessions`);
    ``manual`` and ``off`` look for nothing. Relevant facts come first, in the order of
    their relevance; what room is left goes to who the user is and how things are set.

    Parameters
    ----------
    trigger
        What started the turn: a session key or a word such as ``cron``; empty for a person.
    max_tokens
        A hard cap, fence included, instead of the setting's.
    """
    found = settings.several(
        "recall_strategy", "recall_max_tokens", "recall_max_facts", "recall_threshold"
    )
    chosen = strategy or str(found["recall_strategy"])
    query = without_host_blocks(prompt).strip()
    skipped = _skipped(query, chosen, trigger)
    if skipped:
        return TurnRecall("", (), skipped)
    most = int(found["recall_max_facts"])
    reach: Reach = "all" if chosen == "always" else "long-term"
    hits = facts.search(
        query[:_QUERY_CHARACTERS],
        limit=max(most, 1),
        scope=reach,
        threshold=float(found["recall_threshold"]),
    )
    # What only a repaired word brought is a guess, and nobody asked for it.
    sure = [hit for hit in hits if not hits.corrected.keys() >= set(hit.matched)]
    known = {_what_it_says(hit) for hit in sure}
    standing = facts.standing(_ALWAYS_CATEGORIES, limit=most, scope=reach)
    block, taken = fenced(
        [*sure, *(hit for hit in standing if _what_it_says(hit) not in known)],
        max_tokens=int(found["recall_max_tokens"]) if max_tokens is None else max_tokens,
        max_facts=most,
    )
    return TurnRecall(block, tuple(taken))


def _what_it_says(hit: Hit) -> tuple[str, str, str]:
    return (hit.fact.user_id, hit.fact.agent_id, same_key(hit.fact.text))


def _length(query: str) -> int:
    """Return how many letters a prompt has, or would have: a Chinese character is a word."""
    return len(query) + _MORE_LETTERS * sum(map(is_unspaced, query[:_SHORT]))


def _skipped(query: str, strategy: str, trigger: str) -> str:
    if strategy not in STRATEGIES:
        raise UsageError(f'strategy "{strategy}" is unknown', hint=one_of(strategy, STRATEGIES))
    if strategy == "off":
        return "recall is off"
    if strategy == "manual":
        return "recall is manual: search when it is needed"
    if _MACHINE.search(trigger):
        return f'no person started this turn: "{trigger}"'
    if _length(query) < _SHORT:
        return "the prompt is too short to mean a fact"
    if _BOOTSTRAP.search(query):
        return "the prompt starts a session"
    return ""
