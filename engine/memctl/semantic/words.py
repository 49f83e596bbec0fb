"""The words of a query, cut as the index cuts them."""

from __future__ import annotations

import unicodedata

from memctl.pattern import Pattern

__all__ = ["index_words", "is_cjk", "query_words"]

_WORD = Pattern(r"[^\W_]+")
_CJK = Pattern("[\u3005\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U000323af]+")
# Words that carry grammar, not meaning, and the words that make a question of a statement.
_CLOSED = frozenset(
    """a about after again all also am an and any are as at be because been before being but by can
    could d did do does doing don for from had has have having he her hers him his how i if in into is
    it its just ll m may me might mine my no nor not of off on or our ours out over own re s shall she
    should so some such t than that the their theirs them then there these they this those to too under
    until up us ve very was we were what when where which while who whom whose why will with would you
    your yours kind type many much tell know please remember remind does""".split()  # noqa: SIM905  (a list of words reads best as words)
)
_MAX_WORDS = 32


def query_words(text: str) -> list[str]:
    """Return the words of `text` that can find something, in order, each once.

    Chinese, Japanese and Korean come as pairs of characters, as the index has them.
    Words of grammar are left out unless nothing else is there.
    """
    # As the index folds: one character for one ("\u00df" stays), and the dot that a lowered
    # "\u0130" keeps goes with the other marks.
    plain = unicodedata.normalize("NFKC", text).lower().replace("i\u0307", "i")
    words = [piece for word in _WORD.findall(plain) for piece in _pieces(word)]
    telling = [word for word in words if word not in _CLOSED]
    return list(dict.fromkeys(telling or words))[:_MAX_WORDS]


def index_words(text: str) -> str:
    """Return what the view ``fact_words`` makes of a text, as far as a query can tell.

    Characters and pairs of scripts without spaces stand apart behind the text.
    """
    if not is_cjk(text):
        return text
    apart = _CJK.sub(lambda run: f" {' '.join([*run[0], *_pairs(run[0])])} ", text)
    return f"{text} {apart}"


def is_cjk(text: str) -> bool:
    """Whether `text` holds Chinese, Japanese or Korean."""
    return bool(_CJK.search(text))


def _pieces(word: str) -> list[str]:
    found: list[str] = []
    at = 0
    for run in _CJK.finditer(word):
        found += [word[at : run.start()], *_pairs(run[0])]
        at = run.end()
    return [piece for piece in [*found, word[at:]] if piece]


def _pairs(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]
