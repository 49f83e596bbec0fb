"""Words of grammar and of questions, irregular forms, and the content words of a text: all others."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from memctl.base.packaged import table_in
from memctl.base.pattern import Pattern
from memctl.text.splitting import CJK, WORD

if TYPE_CHECKING:
    from collections.abc import Iterable

_LISTS = table_in("memctl.text", "closed_words.txt")
STOP_WORDS = frozenset(" ".join(_LISTS["stop"].values()).split())
_FOREIGN = frozenset(_LISTS["question"]["foreign"].split())
_SHARED = frozenset(_LISTS["question"]["shared"].split())
QUESTION_WORDS = frozenset(_LISTS["question"]["words"].split()) | _FOREIGN
GENERAL_WORDS = frozenset(_LISTS["general"]["words"].split())
_GRAMMAR = STOP_WORDS | QUESTION_WORDS

# Each irregular form to all forms of its word.
FORMS = {
    form: forms
    for forms in (tuple(group.split()) for group in _LISTS["forms"]["words"].split("|"))
    for form in forms
}

_CJK_RUN = Pattern(f"[{CJK}]+")
_MAX_WORDS = 32


def question_words(words: Iterable[str]) -> frozenset[str]:
    """Return the words that the question of some words is made of, whatever it asks for.

    "Die" is one in "wo ist die Miete", and none in "which plants die".
    """
    return QUESTION_WORDS if _FOREIGN.isdisjoint(words) else QUESTION_WORDS | _SHARED


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


def _words(text: str) -> list[str]:
    if text.isascii():
        return WORD.findall(text.lower())
    # As the index folds: one character for one ("\u00df" stays), and the dot that a lowered
    # "\u0130" keeps goes with the other marks.
    folded = unicodedata.normalize("NFKC", text).lower().replace("i\u0307", "i")
    return [piece for word in WORD.findall(folded) for piece in _pieces(word)]


def _pieces(word: str) -> list[str]:
    result: list[str] = []
    at = 0
    for run in _CJK_RUN.finditer(word):
        pairs = [run[0][i : i + 2] for i in range(len(run[0]) - 1)]
        result += [word[at : run.start()], *(pairs or [run[0]])]
        at = run.end()
    return [piece for piece in [*result, word[at:]] if piece]
