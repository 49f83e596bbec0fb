"""Tokens of a text in a prompt, estimated without a model, and budgets of them."""

from __future__ import annotations

from math import inf

from memctl.base.pattern import Pattern

# Byte-pair vocabularies hold common words whole, up to some length; three digits; and one
# or two characters of whatever is rarer. Counted a little high: a budget must hold.
_TOKEN = Pattern(r"[A-Z]?[a-z]{1,6}|[A-Z]{1,3}|[0-9]{1,3}|\n|[^\S\n]{2,16}|[^\sA-Za-z0-9]")


def estimate_tokens(text: str) -> int:
    """Return the number of tokens of `text`, estimated rather too high than too low.

    A word of up to six letters is one, further ones every six; capitals and numbers one every
    three; a mark of punctuation, any character beyond ASCII, a line's end and up to sixteen
    blanks in a row one each.
    """
    return len(_TOKEN.findall(text))


class Budget:
    """Room that is given away piece by piece; ``None`` is room for everything."""

    def __init__(self, room: int | None) -> None:
        self.left: float = inf if room is None else room

    def spend(self, cost: int) -> bool:
        """Give away room for one more piece; return whether there was enough."""
        fits = cost <= self.left
        self.left -= cost if fits else 0
        return fits
