"""Tokens of a text in a prompt: one estimate for all that is recalled, with no model."""

from __future__ import annotations

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
