"""Finds the few forms that a sentence may have, by the words in it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from memctl.semantic.sentences.claim_forms import APART, TOGETHER
from memctl.semantic.sentences.datum_forms import CJK_DATA, DATA
from memctl.semantic.sentences.datum_words import ends_in_count, ends_in_datum
from memctl.semantic.sentences.state_forms import STATES
from memctl.semantic.sentences.states_of_life import is_state

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from memctl.semantic.sentences.claim_forms import Form

__all__ = ["forms_for", "signs_in"]

# A datum, or a state that excludes others, says more than that something is so: tried first.
_FORMS = (*DATA, *STATES, *APART)
_TOGETHER = (*CJK_DATA, *TOGETHER)
_BY_SIGN: defaultdict[str, list[int]] = defaultdict(list)
# Those are only asked where the last word may end what they say.
_DATA_BY_SIGN: defaultdict[str, list[int]] = defaultdict(list)
_STATES_BY_SIGN: defaultdict[str, list[int]] = defaultdict(list)
_COUNTS_BY_SIGN: defaultdict[str, list[int]] = defaultdict(list)
_BY_GATE = {
    "": _BY_SIGN,
    "datum": _DATA_BY_SIGN,
    "state": _STATES_BY_SIGN,
    "count": _COUNTS_BY_SIGN,
}
for _number, _one in enumerate(_FORMS):
    for _sign in _one.signs:
        _BY_GATE[_one.gate][_sign].append(_number)
_GATED = frozenset().union(_DATA_BY_SIGN, _STATES_BY_SIGN, _COUNTS_BY_SIGN)
_SIGNS = frozenset().union(*_BY_GATE.values())
# Where words are not written apart, by the first character of a sign.
_BY_CHARACTER: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
for _number, _one in enumerate(_TOGETHER):
    for _sign in _one.signs:
        _BY_CHARACTER[_sign[0]].append((_sign, _number))


def signs_in(text: str) -> AbstractSet[str]:
    """Return what shows which forms `text` may have: few words, and mostly none."""
    signs = _SIGNS & set(text.lower().split())
    return signs if text.isascii() else signs | (_BY_CHARACTER.keys() & set(text))


def forms_for(signs: AbstractSet[str], text: str) -> list[Form]:
    """Return the forms that `text`, without its reason, may have by the signs that were in it."""
    numbers = {number for sign in signs if sign in _BY_SIGN for number in _BY_SIGN[sign]}
    if not signs.isdisjoint(_GATED):
        numbers |= _gated(signs, text)
    found = [_FORMS[number] for number in sorted(numbers)] if numbers else []
    if text.isascii():
        return found
    pairs = (pair for sign in signs for pair in _BY_CHARACTER.get(sign, ()))
    return found + [_TOGETHER[n] for n in sorted({n for sign, n in pairs if sign in text})]


def _gated(signs: AbstractSet[str], text: str) -> set[int]:
    """Return the numbers of the forms that the last words of `text` do not rule out."""
    numbers: set[int] = set()
    if not signs.isdisjoint(_COUNTS_BY_SIGN) and ends_in_count(text):
        numbers |= {number for sign in signs for number in _COUNTS_BY_SIGN.get(sign, ())}
    if ends_in_datum(text):
        # The sign may have been in the reason.
        told = [sign for sign in signs if sign in text.lower()]
        numbers |= {number for sign in told for number in _DATA_BY_SIGN.get(sign, ())}
    elif is_state(text[text.rfind(" ") + 1 :]):
        numbers |= {number for sign in signs for number in _STATES_BY_SIGN.get(sign, ())}
    return numbers
