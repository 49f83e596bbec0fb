"""Updates: how much speaks for it that a value replaces an earlier one of the same kind.

With weights w of the words around both values (1 beside it, .1 far away) and their rareness r:
shared = sum r min(w, w'), all = sum r w, likeness = shared / sqrt(all all'), and score = shared
sqrt(likeness). It is multiplied by what follows; the constants are measured on BEAM's development half.
"""

from __future__ import annotations

import re
from math import sqrt
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memctl.consolidation.changes.slots import Slot

__all__ = ["MOST_UNIT", "RESTATED", "UPDATE", "comparable", "tells_change", "update_score"]

UPDATE = 3.0
"""From so much on an earlier statement is named; nothing is superseded for it alone."""

MOST_UNIT = 2.0
"""The largest factor of a count, which grows with the words that both units share."""
_PER_UNIT_WORD = 0.25
_OTHER_UNIT = 0.8  # of money and percentages that different words follow
_NO_CHANGE, _NOT_OWN = 0.25, 0.4
RESTATED = 0.5
"""The factor where a statement tells the old value, too, and not that it went from it."""
# Characters before and behind the value in which the words stand.
_CHANGE_BEFORE, _CHANGE_BEHIND, _OWN_BEFORE = 70, 45, 60
_CHANGE_WORD = Pattern(
    r"\b(?:now|new|newly|recent|recently|already|instead|no longer|updated|growth|reached|up to|improved"
    r"|increased|decreased|reduced|raised|lowered|grown|grew|changed|moved|extended|expanded|dropped"
    r"|boosted|rescheduled|postponed|pushed|shortened|cut|adjusted|revised|switched|rose|risen|went|gone"
    r"|fell|fallen|doubled|tripled|bumped|upgraded|brought|jumped|climbed|shifted|slipped|delayed)\b",
    re.IGNORECASE,
)
_OWN_WORD = Pattern(
    r"\b(?:I['\u2019]ve|have|we['\u2019]ve|recently|my|our|has|reached)\b", re.IGNORECASE
)


def comparable(one: Slot, other: Slot) -> bool:
    """Return whether two values are of one kind, and counts of things that share a word."""
    return one.kind == other.kind and (one.kind != "count" or not one.unit.isdisjoint(other.unit))


def tells_change(text: str, slot: Slot) -> float:
    """Return how surely a text tells that the value of a slot changed, from .1 to 1.

    A word of change near it does, and one that tells of one's own: "I've", "my", "has reached".
    """
    start, end = slot.start, slot.end
    changed = _CHANGE_WORD.search(
        text, max(0, start - _CHANGE_BEFORE), start
    ) or _CHANGE_WORD.search(text, end, end + _CHANGE_BEHIND)
    own = _OWN_WORD.search(text, max(0, start - _OWN_BEFORE), start)
    return (1.0 if changed else _NO_CHANGE) * (1.0 if own else _NOT_OWN)


def update_score(
    new: Slot,
    weights: Mapping[str, float],
    old: Slot,
    old_weights: Mapping[str, float],
    rareness: Callable[[str], float],
) -> float:
    """Return the score of two `comparable` values, 0 or more, without what `tells_change` says.

    `weights` are those of the words around each.
    """
    unit = 1.0
    if new.kind == "count":
        unit = min(MOST_UNIT, 1 + _PER_UNIT_WORD * len(new.unit & old.unit))
    elif new.kind in ("money", "percent") and new.unit.isdisjoint(old.unit):
        unit = _OTHER_UNIT
    shared = sum(
        rareness(word) * min(weight, old_weights[word])
        for word, weight in weights.items()
        if word in old_weights
    )
    if not shared:
        return 0.0
    mine, theirs = (
        sum(rareness(word) * weight for word, weight in each.items())
        for each in (weights, old_weights)
    )
    return unit * shared * sqrt(shared / sqrt(mine * theirs))
