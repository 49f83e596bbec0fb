"""The forms of sentences that say in which of several states somebody or something is."""

from __future__ import annotations

from memctl.base.pattern import Pattern
from memctl.semantic.sentences.claim_forms import Form
from memctl.semantic.sentences.subjects import THING_DE, THING_EN, THING_ES, THING_FR

__all__ = ["STATES"]

_WORD = r"(?P<value>[\w-]+)\Z"


def _form(signs: str, *parts: str) -> Form:
    return Form("be", Pattern("".join((*parts, _WORD))), tuple(signs.split()), gate="state")


STATES = (
    _form(
        "is are am i'm isn't aren't",
        *(THING_EN, r"(?:'m(?=\s)|\s+(?:am|is|are)(?=\s|n't))\s*"),
        r"(?:(?P<change>now)\s+|(?:currently|still)\s+)?",
        r"(?:(?P<negation>n't|not|no longer)\s+)?(?:an?\s+)?",
    ),
    _form(
        "ist sind bin",
        *(THING_DE, r"\s+(?:ist|sind|bin)\s+"),
        r"(?:(?P<change>jetzt|nun|inzwischen|wieder)\s+|(?:derzeit|noch|immer noch)\s+)?",
        r"(?:(?P<negation>nicht mehr|nicht|keine?)\s+)?(?:eine?\s+)?",
    ),
    _form(
        "soy estoy",
        r"(?:[Yy]o\s+)?(?:(?P<change>[Aa]hora)\s+)?(?:(?P<negation>[Yy]a no|[Nn]o)\s+)?",
        r"(?:[Ss]oy|[Ee]stoy)\s+",
    ),
    _form(
        "es est\u00e1 son est\u00e1n",
        *(THING_ES, r"\s+(?:(?P<change>ahora)\s+)?(?:(?P<negation>ya no|no)\s+)?"),
        r"(?:es|son|est\u00e1n?)\s+",
    ),
    _form(
        "est sont suis n'est",
        *(THING_FR, r"\s+(?:(?:ne\s+|n')(?:est|sont|suis)\s+(?P<negation>pas|plus)|est|sont|suis)"),
        r"\s+(?:(?P<change>d\u00e9sormais|maintenant)\s+)?",
    ),
)
