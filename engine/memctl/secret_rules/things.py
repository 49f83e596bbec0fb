"""Whether a password is only named for what it has: its reset, its policy, the field it is typed in."""

from __future__ import annotations

from memctl.pattern import Pattern
from memctl.secret_rules.sayings import Saying

__all__ = ["gives_behind", "is_named_for_thing"]

_BEFORE = 40  # characters
_BEHIND = Saying(r"(?:s?[\s_-]{1,2}|(?<![s])['’]s\s|wort|の|)(?:<password-thing>)")
_OF = Saying(r"(?<!\w)<thing-of-password>$")
# "password change: Rain1951!", "the reset mail says"
_GIVES = Pattern(
    r"(?i)(?:[:=→>]|\b(?:to|is|was|be|says?|reads?|now|it['’]?s|c['’]est|lautet|ist|auf|es|est|a|à|é|è|era|su|para|em|на)|[为為成是は])\s?[\"'`“„«‘『「(\[*]{0,3}\s?$"
)


def is_named_for_thing(text: str, start: int, end: int) -> bool:
    """Whether the name of a password is part of another: "password reset", "cambio de contraseña".

    Parameters
    ----------
    text
        The line that is judged.
    start, end
        Span of the name.
    """
    if _BEHIND.match(text, end) is not None:
        return True
    return _OF.search(text, max(0, start - _BEFORE), start) is not None


def gives_behind(before: str) -> bool:
    """Whether a sign or a verb leads to what stands behind it: "password reset to Rain1951"."""
    return _GIVES.search(before) is not None
