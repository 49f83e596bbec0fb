"""Denials: what somebody says they never did, and the sentences that tell of it all the same.

With the rareness r of words: told = (r of the denied words in one sentence + half of r of those
elsewhere in its statement) / r of all denied words, share = r of the denied words in that sentence / r
of all its words, and score = told sqrt(share). The constants are measured on BEAM's development half.
"""

from __future__ import annotations

import re
from math import sqrt
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["CONTRADICTION", "DEED", "LEAST_WORDS", "denial_score", "denied_in", "tells_own"]

CONTRADICTION = 0.30
"""From so much on a denial contradicts what was told before."""
DEED = 0.50
"""From so much on what is told brings an earlier denial up to date."""
LEAST_WORDS = 2  # of a denial, and of those that another statement shares with it

_ELSEWHERE = 0.5
_OWN = 1.3  # the factor of a sentence that tells of the speaker's own
_DENIAL = Pattern(
    r"\b(?:I|we|User)(?:['\u2019]ve|\s+ha(?:ve|s))?\s+never\b(.*?)(?:,|\bbut\b|\bso\b|[.;!?\n]|$)",
    re.IGNORECASE,
)
_OWN_DEED = Pattern(
    r"\b(?:I|we)(?:['\u2019]ve|\s+have)\s+(?!never)\w+|\b(?:I|we)\s+\w+ed\b|\bmy\b", re.IGNORECASE
)


def denied_in(text: str) -> list[str]:
    """Return what follows "I have never" or "we never", each up to the next pause."""
    return [str(match[1]) for match in _DENIAL.finditer(text)]


def tells_own(sentence: str) -> bool:
    """Return whether a sentence tells of the speaker's own: what they did, or what is theirs."""
    return _OWN_DEED.search(sentence) is not None


def denial_score(
    denied: frozenset[str],
    sentence: frozenset[str],
    whole: frozenset[str],
    rareness: Callable[[Iterable[str]], float],
    *,
    own: bool,
) -> float:
    """Return how surely a sentence tells of what is denied: 0 (not at all) to 1.3.

    `whole` are the words of the statement it stands in; `rareness` sums over words; `own` says
    whether it `tells_own`.
    """
    inside = denied & sentence
    if len(inside) < LEAST_WORDS:
        return 0.0
    shared = rareness(inside)
    if not shared:
        return 0.0
    told = (shared + _ELSEWHERE * rareness((denied - inside) & whole)) / rareness(denied)
    return told * sqrt(shared / rareness(sentence)) * (_OWN if own else 1.0)
