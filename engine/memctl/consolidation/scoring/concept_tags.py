"""Concept tags of a text: at most eight words that say what it is about, in any script.

After OpenClaw's tags: compound tokens (``app.py``, ``a/b``, ``co-op``), then single words, each once.
"""

from __future__ import annotations

import unicodedata

from memctl.base.pattern import Pattern
from memctl.text.closed_words import QUESTION_WORDS, STOP_WORDS
from memctl.text.content_words import content_words
from memctl.text.sentence_kinds import is_verb
from memctl.text.splitting import is_unspaced

__all__ = ["concept_tags"]

_MOST = 8
_LONGEST = 32
_COMPOUND = Pattern(r"[^\W_]+(?:[._/-][^\W_]+)+")
# Kanji and Hanzi, kana, hangul, and words of everything that is written with spaces.
_SEGMENT = Pattern(
    "[\u3005\u3007\u3400-\u9fff\U00020000-\U000323af]+|[\u3041-\u309f]+|[\u30a0-\u30ff]+|[\uac00-\ud7a3]+"
    "|(?:(?![\u3005\u3007\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3\U00020000-\U000323af])[^\\W_])+"
)
_KANA = Pattern("[\u3041-\u30ff]+")
_LETTER = Pattern(r"[^\W\d_]{2}")  # dates and numbers have no two: "2026-11-20", "10:30", "5e"
_PHRASE = 4  # characters without a space that are a word still; more are taken in pairs
# Those who speak are named in every statement.
_NO_CONCEPT = STOP_WORDS | QUESTION_WORDS | {"user", "assistant", "system", "today", "always"}


def concept_tags(text: str) -> tuple[str, ...]:
    """Return the tags of a text, compounds first, in the order in which they stand."""
    plain = unicodedata.normalize("NFKC", text).lower()
    found = [
        *_COMPOUND.findall(plain),
        *(tag for run in _SEGMENT.findall(plain) for tag in _words(run)),
    ]
    return tuple(dict.fromkeys(tag for tag in found if _is_concept(tag)))[:_MOST]


def _words(run: str) -> list[str]:
    """Return a run of one script as words: a long one without spaces in pairs of characters."""
    unspaced = is_unspaced(run) and not _KANA.fullmatch(run)
    return content_words(run) if unspaced and len(run) > _PHRASE else [run]


def _is_concept(tag: str) -> bool:
    if tag in _NO_CONCEPT or len(tag) > _LONGEST or is_verb(tag):
        return False
    if _KANA.fullmatch(tag):
        return len(tag) >= 3  # noqa: PLR2004  (fewer are grammar)
    least = 2 if is_unspaced(tag) else 3
    return len(tag) >= least and _LETTER.search(tag) is not None
