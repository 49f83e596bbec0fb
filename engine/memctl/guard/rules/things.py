# ruff: noqa: RUF001 - other scripts and their punctuation are what is searched
"""Whether a password is only named for what it has: its reset, its policy, the field it is typed in."""

from __future__ import annotations

from memctl.base.pattern import Pattern
from memctl.guard.rules.sayings import Saying

__all__ = ["gives_behind", "is_named_for_thing", "is_spoken_of"]

_BEFORE = 40  # characters
_BEHIND = Saying(r"(?:s?[\s_-]{1,2}|(?<![s])['’]s\s|wort|の|)(?:<password-thing>)")
_OF = Saying(r"(?<!\w)<thing-of-password>$")
_CHANGE = Pattern(
    r"(?i)cambi|rest[ae]|chang|réinit|modific|alter|redefin|troca|reimpost|смен|сброс|änder|zurück|reset|rotat"
)
# A change and what it is to: Rain1951, or what a mail says
_GIVES = Pattern(
    r"(?i)(?:[:=→>]|\b(?:is|was|be|says?|reads?|now|it['’]?s|c['’]est|lautet|ist|es|est|é|è|era)|[为為成是は]"
    r"|(?:^|\s)(?:(?:re-?)?set|chang\w{1,2}|updated?|switched|rotated|geändert|gesetzt|cambiad[ao]|changé|modifié|alterad[ao]|cambiata|изменён|сменён)\s(?:to|auf|a|à|en|su|para|em|na|на))\s?[\"'`“„«‘『「(\[*]{0,3}\s?$"
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


def is_spoken_of(text: str, start: int) -> bool:
    """Whether a thing before the name has a password, and is no change of it: "validación de ..."."""
    thing = _OF.search(text, max(0, start - _BEFORE), start)
    return thing is not None and _CHANGE.match(thing.group()) is None


def gives_behind(before: str) -> bool:
    """Whether a sign or a verb leads to what stands behind it: "password reset to Rain1951"."""
    return _GIVES.search(before) is not None
