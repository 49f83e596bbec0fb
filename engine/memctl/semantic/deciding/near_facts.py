"""Facts that are nearest to a text which was just stored, and whether it may replace one of them.

The forms of plain sentences settle few changes; whoever stores a text knows more, and decides.
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.semantic.drafts import claim_of
from memctl.semantic.records import NearFact
from memctl.semantic.sentences.normal import equal_key, name_key, without_opening
from memctl.semantic.sentences.properties import attribute_key
from memctl.text.content_words import query_words

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from memctl.semantic.drafts import Draft
    from memctl.semantic.records import Fact
    from memctl.semantic.search.fact_reading import FactReading

__all__ = ["near_facts", "opening_agrees"]

# Share of a text's idf that a fact holds from where on it is named: in a week of 60 statements,
# all but 1 of 25 changes share as much (`python -m benchmarks.facts.deciding`).
_LEAST = 0.15
# What a standing order opens with: "Always answer me in German", "From now on, answer me in English".
_ORDER = Pattern(
    r"\A(?:(?:please|always|from now on|going forward|by default),?\s+)+", re.IGNORECASE
)
# Words that two openings share at least; one of them says more than who it is about.
_OPENING = 2


def near_facts(
    reading: FactReading,
    draft: Draft,
    owner: Mapping[str, str],
    *,
    since: str,
    besides: Collection[str],
    most: int,
) -> tuple[NearFact, ...]:
    """Return the facts that hold and are nearest to a stored text, the nearest first.

    Parameters
    ----------
    draft
        The text; it is stored by now.
    owner
        ``user_id``, ``agent_id`` and ``project`` of the text: nobody else's facts are named.
    since
        When the text begins to hold: it replaces nothing that began later.
    besides
        Ids that are not named: the text's own, and what it replaced.
    most
        Most facts.
    """
    found = reading.nearest(draft.text, least=_LEAST)
    whose = (owner["user_id"], owner["agent_id"], owner["project"])
    others = [
        (fact, likeness)
        for fact, likeness in found
        if fact.id not in besides and (fact.user_id, fact.agent_id, fact.project) == whose
    ]
    session = owner["session_id"]
    return tuple(
        _near(draft, fact, round(likeness, 2), newer=_newer(fact, session, since))
        for fact, likeness in others[:most]
    )


def opening_agrees(text: str, other: str) -> bool:
    """Return whether two texts begin alike, with more than who it is about, and go on otherwise."""
    words, others = (
        equal_key(_ORDER.sub("", without_opening(one))).split() for one in (text, other)
    )
    pairs = zip(words, others, strict=False)
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    if shared < _OPENING or shared in {len(words), len(others)}:
        return False
    return len(set(query_words(" ".join(words[:shared]))) - {"user"}) >= 1


def _newer(fact: Fact, session: str, since: str) -> bool:
    """Return whether a text could be a newer statement than a fact.

    What only a session says, ends nothing that is long-term, or another session's. What was
    written under a clock that is ahead is no news of tomorrow.
    """
    return fact.session_id == session and min(fact.valid_from, fact.created_at) <= since


def _near(draft: Draft, fact: Fact, likeness: float, *, newer: bool) -> NearFact:
    same_slot = _same_slot(draft, fact)
    may_replace = newer and (same_slot or opening_agrees(draft.text, fact.text))
    return NearFact(fact.id, fact.text, likeness, same_slot, may_replace)


def _same_slot(draft: Draft, fact: Fact) -> bool:
    """Return whether both are about one property of one thing, or are claims of one key."""
    if draft.subject_key is not None:
        slot = (name_key(fact.subject or ""), attribute_key(fact.attribute or ""))
        return slot == (draft.subject_key, draft.attribute_key)
    claim = claim_of(fact.text, fact.subject)
    return draft.claim is not None and claim is not None and draft.claim.key == claim.key
