"""The words of a query, cut as the index cuts them."""

from __future__ import annotations

import unicodedata
from itertools import pairwise, product

from memctl.base.pattern import Pattern

__all__ = [
    "GRAMMAR",
    "characters",
    "content_words",
    "dotless",
    "index_words",
    "is_cjk",
    "neighbours",
    "query_words",
    "signs",
]

_WORD = Pattern(r"[^\W_]+")
_CJK = Pattern("[\u3005\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U000323af]+")
# Words that carry grammar, not meaning, and the words that make a question of a statement.
GRAMMAR = frozenset(
    """a about after again all also am an and any are as at be because been before being but by can
    could d did do does doing don for from had has have having he her hers him his how i if in into is
    it its just ll m may me might mine my no nor not of off on or our ours out over own re s shall she
    should so some such t than that the their theirs them then there these they this those to too under
    until up us ve very was we were what when where which while who whom whose why will with would you
    your yours kind type many much tell know please remember remind does""".split()  # noqa: SIM905  (a list of words reads best as words)
)
_SIGN = Pattern("[\u2190-\u2bff\U0001f000-\U0001faff]")
_MAX_SIGNS = 8
_PARTICLES = frozenset({"in", "off", "on", "out", "over", "up"})
_MAX_WORDS = 32
_MAX_NEIGHBOURS = 100
_PAIR = 2
_HAN = Pattern("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U000323af]")
# Characters of particles, pronouns and question words.
_GRAMMAR = frozenset(
    "\u7684\u4e86\u662f\u5417\u5462\u5427\u554a\u4e48\u9ebc\u4ec0\u751a\u600e\u54ea\u8fd9\u9019\u90a3\u4e2a\u500b\u6211\u4f60\u60a8\u4ed6\u5979\u5b83\u4eec\u5011\u5728\u6709\u548c\u4e0e\u4e5f\u90fd\u5c31\u5f88\u88ab\u628a\u4f55\u8ab0\u8c01"
)
# A word of more letters i than these is spelt one way.
_MAX_DOTS = 4


def query_words(text: str) -> list[str]:
    """Return the words of `text` that can find something, in order, each once.

    Chinese, Japanese and Korean come as pairs of characters, as the index has them.
    Words of grammar are left out unless nothing else is there.
    """
    return list(dict.fromkeys(content_words(text) or _words(text)))[:_MAX_WORDS]


def signs(text: str) -> list[str]:
    """Return the emoji and other pictures in `text`, each once; no index holds them."""
    return [] if text.isascii() else list(dict.fromkeys(_SIGN.findall(text)))[:_MAX_SIGNS]


def content_words(text: str) -> list[str]:
    """Return all words of `text` but those of grammar, as `query_words` cuts them."""
    return [word for word in _words(text) if word not in GRAMMAR]


def neighbours(text: str) -> list[tuple[str, str]]:
    """Return the words of `text` that stand next to each other and may be written as one.

    Words of grammar are none, but what a verb is followed by: "log in". Scripts without spaces
    have no such words.
    """
    words = _WORD.findall(_folded(text))[:_MAX_NEIGHBOURS]
    return [
        (one, next_one)
        for one, next_one in pairwise(words)
        if one not in GRAMMAR
        and (next_one not in GRAMMAR or next_one in _PARTICLES)
        and not is_cjk(one + next_one)
    ]


def characters(pair: str) -> list[str]:
    """Return the characters of a Chinese or Japanese pair that mean something by themselves."""
    return [one for one in pair if len(pair) == _PAIR and _HAN.match(one) and one not in _GRAMMAR]


def dotless(word: str) -> list[str]:
    """Return how else the index may hold a word with an i: Turkish has one with and one without.

    The index takes "I" for "i", and keeps "\u0131": it has "I\u015f\u0131k" and "\u0131\u015f\u0131k" as two words.
    """
    parts = word.replace("\u0131", "i").split("i")
    if not 1 < len(parts) <= _MAX_DOTS + 1:
        return []
    return [
        "".join(letter + part for letter, part in zip(("", *letters), parts, strict=True))
        for letters in product("i\u0131", repeat=len(parts) - 1)
    ]


def index_words(text: str) -> str:
    """Return a text as the view ``fact_words`` cuts it, as far as a query can tell.

    Characters and pairs of scripts without spaces stand apart behind the text.
    """
    if not is_cjk(text):
        return text
    apart = _CJK.sub(lambda run: f" {' '.join([*run[0], *_pairs(run[0])])} ", text)
    return f"{text} {apart}"


def is_cjk(text: str) -> bool:
    """Return whether `text` holds Chinese, Japanese or Korean."""
    return bool(_CJK.search(text))


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
