"""Rules that skip a sentence: what passes, what nobody asked to keep, what stands elsewhere.

The reasons and their expressions are data: ``passing.txt``. A standing order is no command of the
moment, and may name a file.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.extraction.cutting import LONGEST_SENTENCE, expressions, sentences_of
from memctl.semantic.noise import asks_to_forget, noise
from memctl.text.closed_words import content_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.extraction.cutting import Sentence

_LEAST_LETTERS = 8
_BARE = 2  # words of a request that tells nothing itself: "don't save that to memory"
_OF_RULES = frozenset(["standing", "decision", "remember"])  # kinds of statements
_OF_WORK = ("what the code or git says", "the talk itself")
_QUESTION = Pattern(r"[?\uff1f\u061f]\s*[\"')\u201d]*\s*\Z")
_CODE = Pattern(
    r"\w+\([^)]*\)|[{}<>=;]{2,}|=>|</?\w+>|^\s*(?:\$|>>>|#!)\s|\b(?:def|class|import|return|const)\s+\w+[(:=]|\w+_\w+\s*="
)


def passing(text: str, kind: str = "") -> str:
    """Return why a sentence, or a statement of some kind, is no fact to keep; empty where it may be one."""
    plain = text.replace("\u2019", "'")
    if _QUESTION.search(plain):
        return "a question"
    if sum(map(str.isalnum, plain)) < (_LEAST_LETTERS if plain.isascii() else _LEAST_LETTERS // 2):
        return "too short to stand alone"
    if why := noise(plain):
        return why
    if _CODE.search(plain):
        return "code"
    for why, shape in expressions("passing.txt"):
        if not (kind in _OF_RULES and why in _OF_WORK) and (found := shape.search(plain)):
            return f'{why}: "{found[0].strip():.40}"'
    return ""


def not_to_be_kept(sentences: Sequence[Sentence]) -> frozenset[int]:
    """Return the numbers of the sentences that ask not to be remembered, and of those they mean.

    Such a request means its whole paragraph; where it stands alone there, the one before too,
    and the one behind it where it announces something.
    """
    asking = [
        sentence for sentence in sentences if _asks_to_forget(sentence.text[:LONGEST_SENTENCE])
    ]
    counts = Counter(sentence.paragraph for sentence in sentences)
    paragraphs = list(counts)
    places = {paragraph: place for place, paragraph in enumerate(paragraphs)}
    meant: set[int] = set()
    for request in asking:
        meant.add(request.paragraph)
        alone = counts[request.paragraph] == 1 and len(content_words(request.text)) <= _BARE
        place = places[request.paragraph]
        if alone and place:
            meant.add(paragraphs[place - 1])
        if alone and (place == 0 or "following" in request.text or request.text.endswith(":")):
            meant.update(paragraphs[place + 1 : place + 2])
    return frozenset(n for n, one in enumerate(sentences) if one.paragraph in meant)


def withdraws(text: str) -> bool:
    """Return whether all that a turn says is that what was said before is not to be remembered."""
    sentences = sentences_of(text)[0]
    return bool(sentences) and all(
        _asks_to_forget(one.text[:LONGEST_SENTENCE]) and len(content_words(one.text)) <= _BARE
        for one in sentences
    )


def _asks_to_forget(text: str) -> bool:
    plain = text.replace("\u2019", "'")
    return asks_to_forget(plain) or _FORGET_MORE.search(plain) is not None


_FORGET_MORE = Pattern(
    r"\b(?:don't|do not|never)\s+(?:remember|store|save|keep|note|log|record|memori[sz]e)\s+(?:any of\s+)?"
    r"(?:this|that|it|the following|what i)\b(?!\s+(?:to|in|under|on|as)\b)|\bforget (?:this|that|what i)\b|"
    r"\b(?:strictly )?between (?:us|you and me)\b|\bkeep (?:this|that|it) (?:between us|secret|to yourself|private)\b",
    re.IGNORECASE,
)
