"""Updates."""

from __future__ import annotations

import os
import re
from math import sqrt
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.consolidation.changes.slots import Slot

OFF = set(os.environ.get("OFF", "").split(","))
MUL = {}


def m(name, value):
    return 1.0 if name in OFF else value


_MOVE = Pattern(
    r"\b(?:moved?|extended?|postponed|pushed|rescheduled|delayed|shifted|new|now|changed|updated?)\b",
    re.IGNORECASE,
)
_CHANGE = Pattern(
    r"\b(?:now|new|newly|recent(?:ly)?|updated?|improv\w+|increas\w+|decreas\w+|reduc\w+|rais\w+|"
    r"lower\w*|gr[eo]wn?|growth|reached|chang\w+|mov\w+|extend\w+|expand\w+|drop\w*|up to|total|boost\w+|"
    r"rescheduled|postponed|push\w+|already|further|added|additional|extra|more)\b",
    re.IGNORECASE,
)
_OWN = Pattern(r"\b(?:I've|I\u2019ve|I have|we've|my|our|has|have|reached)\b", re.IGNORECASE)
_GOAL = Pattern(r"\b(?:goals?|target\w*|aim\w*|want|plan\w*|hop\w+|at least|should|achiev\w+|need)\b", re.IGNORECASE)
_NAME = Pattern(r"(?<=[^\s.!?] )[A-Z][a-z]\w*")
_GENERIC = frozenset("problems problem items item times time total hours days weeks using completed per day week".split())


def names(text):
    return frozenset(_NAME.findall(text))


def score(slot: Slot, new_text: str, old: Slot, old_text: str, idf: Callable[[str], float], newvals, nn, on) -> float:
    units = 1.0
    if slot.kind == "count":
        shared = set(slot.unit) & set(old.unit)
        if not shared:
            return 0.0
        units = m("units", min(2.0, 1 + 0.25 * len(shared)))
        if shared <= _GENERIC:
            units *= m("generic", 0.7)
    elif slot.kind in ("money", "percent") and not set(slot.unit) & set(old.unit):
        units = m("following", 0.8)
    s = sum(idf(w) * min(v, old.weights[w]) for w, v in slot.weights.items() if w in old.weights)
    if not s:
        return 0.0
    n1 = sum(idf(w) * v for w, v in slot.weights.items())
    n2 = sum(idf(w) * v for w, v in old.weights.items())
    value = s * sqrt(s / sqrt(n1 * n2)) * units
    before = new_text[max(0, slot.start - 70) : slot.start]
    if slot.kind == "date":
        if not _MOVE.search(before[-55:]):
            value *= m("move", 0.25)
    elif not _CHANGE.search(before) and not _CHANGE.search(new_text[slot.end : slot.end + 45]):
        value *= m("change", 0.3)
    if not _OWN.search(before[-60:]):
        value *= m("own", 0.4)
    if bool(_GOAL.search(before[-40:])) != bool(_GOAL.search(old_text[max(0, old.start - 40) : old.start])):
        value *= m("goal", 0.6)
    if nn and on and not nn & on:
        value *= m("names", 0.6)
    if slot.before and slot.before == old.value:
        value *= m("from", 1.5)
    elif (old.kind, old.value) in newvals:
        value *= m("restates", 0.5)
    return value
