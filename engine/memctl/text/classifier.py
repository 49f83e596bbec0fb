"""The keyword classifier: the category that the words of a text speak for, and how surely.

Whole words and stems count, each once, with the weights of ``kind_words.txt``: no part of a word
does, and no pronoun, so that an English text drifts nowhere. Words of English, German, Spanish,
French, Chinese and Japanese are known; a text of another language stays without a category.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from memctl.base.categories import KINDS
from memctl.base.errors import UsageError
from memctl.base.packaged import table_in
from memctl.base.pattern import Pattern
from memctl.text.splitting import is_unspaced

if TYPE_CHECKING:
    from memctl.base.categories import Tag

MIN_CONFIDENCE = 0.30
# What speaks against every category: one ordinary word alone makes a confidence of a half.
_DOUBT = 1.0
_DIGITS = 2
_JOKERS = (
    (r"\*", r"\w*"),
    (r"\#", r"\d[\d.,:]*"),
    ("_", r"\S+"),
    (r"\ ", r"\s+"),
    (r"\^", r"(?:\A|(?<=[.!?:;]\s))(?<!\w)"),
)


@dataclass(frozen=True, slots=True)
class Classified:
    """The category of a text, and its tag: ``None`` where it is not sure."""

    category: str | None
    tag: Tag | None
    confidence: float  # 0 to 1: the share of the best category, doubt counted in
    words: tuple[str, ...]  # those of the text that spoke for it, the weightiest first
    why: str = ""  # why it is not sure


def classify(text: str, *, min_confidence: float = MIN_CONFIDENCE) -> Classified:
    """Return the category that the words of a sentence or two speak for; below a confidence, none.

    Raises
    ------
    UsageError
        When the least confidence is out of range.
    """
    if not 0 <= min_confidence <= 1:
        raise UsageError(f"confidence {min_confidence:g} is out of range", hint="0 to 1")
    plain = text.casefold().replace("\u2019", "'")
    of_category = {category: _words(plain, category) for category in KINDS}
    scores = {category: sum(words.values()) for category, words in of_category.items()}
    first, second = sorted(scores, key=lambda category: -scores[category])[:2]
    confidence = round(scores[first] / (sum(scores.values()) + _DOUBT), _DIGITS)
    words = tuple(sorted(of_category[first], key=lambda word: -of_category[first][word]))
    if not scores[first]:
        why = "no word speaks for a category"
    elif scores[first] == scores[second]:
        why = f"as much speaks for {first} as for {second}"
    elif confidence < min_confidence:
        why = f"{first} at {confidence:.2f} is below {min_confidence:g}"
    else:
        return Classified(first, KINDS[first].tag, confidence, words)
    return Classified(None, None, confidence, words, why)


def _words(text: str, category: str) -> dict[str, float]:
    """Return the words of a text that speak for a category, with their weights."""
    result: dict[str, float] = {}
    taken: list[tuple[int, int]] = []
    for weight, shape in _shapes()[category]:
        for match in shape.finditer(text):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue  # a part of what counted already
            taken.append(match.span())
            result.setdefault(match[0].strip(), weight)
    return result


@cache
def _shapes() -> dict[str, list[tuple[float, Pattern]]]:
    """Return one expression for each weight of each category, the heaviest first."""
    words: dict[tuple[str, float], list[str]] = defaultdict(list)
    for category, lines in table_in("memctl.text", "kind_words.txt").items():
        for number, listed in lines.items():
            words[category, float(number)] += map(_expression, listed.rstrip(",").split(", "))
    shapes: dict[str, list[tuple[float, Pattern]]] = {category: [] for category in KINDS}
    for (category, weight), expressions in sorted(words.items(), key=lambda word: -word[0][1]):
        longest = sorted(expressions, key=len, reverse=True)
        shapes[category].append((weight, Pattern("|".join(longest))))
    return shapes


def _expression(word: str) -> str:
    if is_unspaced(word[0]):
        return re.escape(word)
    shape = re.escape(word)
    for joker, expression in _JOKERS:
        shape = shape.replace(joker, expression)
    return shape + r"(?!\w)" if word.startswith("^") else rf"(?<!\w){shape}(?!\w)"
