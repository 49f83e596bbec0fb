"""Content words of a text: those that can find something, pairs of characters among them."""

from __future__ import annotations

import unicodedata

from memctl.base.pattern import Pattern
from memctl.text.closed_words import QUESTION_WORDS, STOP_WORDS

_WORD = Pattern(r"[^\W_]+")
_CJK = Pattern("[\u3005\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U000323af]+")
_GRAMMAR = STOP_WORDS | QUESTION_WORDS
_MAX_WORDS = 32


def query_words(text: str) -> list[str]:
    """Return the words of `text` that can find something, in order, each once.

    Chinese, Japanese and Korean come as pairs of characters, as the index has them.
    Words of grammar are left out unless nothing else is there.
    """
    return list(dict.fromkeys(content_words(text) or _words(text)))[:_MAX_WORDS]


def content_words(text: str) -> list[str]:
    """Return all words of `text` but those of grammar, as `query_words` cuts them."""
    return [word for word in _words(text) if word not in _GRAMMAR]


def word_heads(text: str, letters: int = 5) -> set[str]:
    """Return the first letters of the content words: forms of one word mostly share five."""
    return {word[:letters] for word in content_words(text)}


def _folded(text: str) -> str:
    # As the index folds: one character for one ("\u00df" stays), and the dot that a lowered
    # "\u0130" keeps goes with the other marks.
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", text).lower().replace("i\u0307", "i")


def _words(text: str) -> list[str]:
    return [piece for word in _WORD.findall(_folded(text)) for piece in _pieces(word)]


def _pieces(word: str) -> list[str]:
    found: list[str] = []
    at = 0
    for run in _CJK.finditer(word):
        found += [word[at : run.start()], *_pairs(run[0])]
        at = run.end()
    return [piece for piece in [*found, word[at:]] if piece]


def _pairs(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]
