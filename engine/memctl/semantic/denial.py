"""Whether a text says that something is so, or that it is not."""

from __future__ import annotations

from memctl.base.pattern import Pattern

__all__ = ["denies"]

_WORD = Pattern(r"[^\W_]+(?:['\u2019][^\W_]+)?")
_DENYING = frozenset(
    """no not never none nobody nothing neither nor without cannot cant dont doesnt didnt isnt arent
    wasnt werent wont wouldnt shouldnt hasnt havent anymore stopped stops quit quits avoid avoids
    refuse refuses dislike dislikes disliked hate hates hated detest detests against lacks не нет никогда
    nicht nichts nie niemals kein keine keinen keinem keiner ohne hasst
    nunca jam\u00e1s nada nadie sin odia ning\u00fan ninguna tampoco
    ne pas jamais rien aucun aucune sans d\u00e9teste
    non mai senza nem n\u00e3o sem de\u011fil yok sevmez sevmiyor i\u00e7mez i\u00e7miyor""".split()  # noqa: SIM905  (a list of words reads best as words)
)
# Parts of words, where those are not written apart.
_APART = Pattern(
    "[\u4e0d\u6ca1\u6c92\u7121]|\u8ba8\u538c|\u8a0e\u53ad|\u306a\u3044|"
    "\u306a\u304b\u3063\u305f|\u307e\u305b\u3093|\u5acc\u3044|\uc54a|\uc5c6|\uc544\ub2c8|\uc2eb\uc5b4"
)


def denies(text: str) -> bool:
    """Return whether `text` holds a word that turns what it says round: not, never, hates."""
    words = _WORD.findall(text.casefold().replace("\u2019", "'"))
    if any(word in _DENYING or word.endswith("n't") for word in words):
        return True
    return not text.isascii() and _APART.search(text) is not None
