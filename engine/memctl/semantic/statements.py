"""Reads subject, attribute and value out of a plain statement, where its shape is plain.

``Falcon's deadline is 1 December`` says what Falcon's deadline is; a later
``Falcon's deadline is 8 December`` says that it changed, and one about Osprey says
nothing about Falcon. Only shapes that name both a thing and one of its properties are
read: ``User is a vegetarian`` leaves room for ``User is in Berlin`` and stays free text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

from memctl.pattern import Pattern

__all__ = ["Statement", "read_statement", "replaces"]


class Statement(NamedTuple):
    """A property of a thing, and what it is; whether somebody chose it among others."""

    subject: str
    attribute: str
    value: str
    chosen: bool = False


# A plain statement is short; what is longer stays free text.
_LONGEST = 400
_DATED = Pattern(
    r"^(?:as of|since|stand|desde|a partir de|depuis|seit)\s+\d{4}-\d{2}-\d{2}\s*[,:]?\s+",
    re.IGNORECASE,
)
_CHOSE = (
    r"(?:has\s+|have\s+)?(?:decided\s+(?:to\s+|on\s+)|chose\s+(?:to\s+)?|switched\s+|moved\s+|migrated\s+|"
    r"picked\s+|selected\s+|settled\s+on\s+|went\s+with\s+|is\s+using\s+|uses\s+)"
)
_HOW = (
    r"(?:(?:use|adopt|keep|choose|pick|using|go\s+with|going\s+with)\s+|"
    r"(?:switch|switching|move|moving|migrate|migrating|change|changing)\s+)?"
)
_WHY = r"(?:\s*(?:[,;.(]|\b(?:because|since|due\s+to|so\s+that|after|instead\s+of)\b).*)?$"
_SHAPES = tuple(
    Pattern(shape, re.IGNORECASE | re.DOTALL)
    for shape in (
        # User decided to switch from MySQL to PostgreSQL for the billing database because ...
        (
            rf"^(?P<subject>[^:;.!?\n]{{1,60}}?)\s+{_CHOSE}{_HOW}(?:from\s+[^:;.!?\n]{{1,40}}?\s+)?(?:to\s+)?"
            rf"(?P<value>[^:;!?\n]{{1,60}}?)(?:\s+(?:over|instead\s+of)\s+[^:;!?\n]{{1,40}}?)?"
            rf"\s+(?:for|as)\s+(?P<attribute>[^:;.!?,\n]{{1,60}}?){_WHY}"
        ),
        # User decided to switch the billing database from MySQL to PostgreSQL because ...
        (
            rf"^(?P<subject>[^:;.!?\n]{{1,60}}?)\s+{_CHOSE}{_HOW}(?P<attribute>(?:the|our|their|his|her)\s+"
            rf"[^:;.!?,\n]{{1,60}}?)\s+(?:from\s+[^:;.!?\n]{{1,40}}?\s+)?to\s+(?P<value>[^:;!?\n]{{1,60}}?){_WHY}"
        ),
        # Falcon's deadline is 1 December
        (
            r"^(?:the\s+)?(?P<subject>[^:;.!?\n]{1,60}?)['\u2019]s\s+(?P<attribute>(?!not\b|a\b|an\b|the\b)"
            r"[^:;.!?\n]{1,50}?)\s+(?:is\s+now|is|are|will\s+be|=)\s+(?!not\b)(?P<value>.+)$"
        ),
        # My time zone is Europe/Lisbon: the user's
        (
            r"^my\s+(?P<attribute>[^:;.!?\n]{1,50}?)\s+(?:is\s+now|is|are|=)\s+(?!not\b)(?P<value>.+)$"
        ),
        # The deadline of Falcon is 1 December
        (
            r"^the\s+(?P<attribute>(?:[\w-]+\s+){0,3}?[\w-]+)\s+(?:of|for)\s+(?P<subject>[^:;.!?\n]{1,60}?)\s+"
            r"(?:is\s+now|is|are|will\s+be|=)\s+(?!not\b)(?P<value>.+)$"
        ),
        # El plazo de Falcon es ..., Le delai de Falcon est ..., Die Frist von Falcon ist ...
        (
            r"^(?:el|la|los|las)\s+(?P<attribute>[^:;.!?\n]{1,50}?)\s+(?:de|del)\s+"
            r"(?P<subject>[^:;.!?\n]{1,60}?)\s+(?:es|son|est\u00e1)\s+(?!no\b)(?P<value>.+)$"
        ),
        (
            r"^(?:le|la|les|l['\u2019])\s*(?P<attribute>[^:;.!?\n]{1,50}?)\s+(?:de|du|d['\u2019])\s*"
            r"(?P<subject>[^:;.!?\n]{1,60}?)\s+(?:est|sont)\s+(?!pas\b)(?P<value>.+)$"
        ),
        (
            r"^(?:der|die|das)\s+(?P<attribute>[^:;.!?\n]{1,50}?)\s+(?:von|f\u00fcr|des|der)\s+"
            r"(?P<subject>[^:;.!?\n]{1,60}?)\s+(?:ist|sind|lautet)\s+(?!nicht\b)(?P<value>.+)$"
        ),
        # Chinese and Japanese: X de Y shi Z, X no Y wa Z
        (
            r"^(?P<subject>[^\u7684\uff0c\u3002]{1,40})\u7684(?P<attribute>[^\u662f\uff0c\u3002]{1,20})"
            r"\u662f(?P<value>[^\uff0c\u3002]+)\u3002?$"
        ),
        (
            r"^(?P<subject>[^\u306e\u3001\u3002]{1,40})\u306e(?P<attribute>[^\u306f\u3001\u3002]{1,20})"
            r"\u306f(?P<value>[^\u3001\u3002]+?)(?:\u3067\u3059|\u3060)?\u3002?$"
        ),
    )
)
# Two of them tell of a choice, with one of these verbs; the others open with a word of their
# language, or hold a sign. Looking for that is cheaper than trying what begins with any words.
_CHOICES, _POSSESSED, (_MINE, _OF, _ES, _FR, _DE), _APART = (
    _SHAPES[:2],
    _SHAPES[2:3],
    _SHAPES[3:8],
    _SHAPES[8:],
)
_OPENING = {"m": (_MINE,), "t": (_OF,), "e": (_ES,), "l": (_ES, _FR), "d": (_DE,)}
_CHOICE_VERBS = frozenset(
    "decided chose switched moved migrated picked selected settled went using uses".split()  # noqa: SIM905
)
# "It is the best of breed" names no thing; neither do questions' words and pronouns.
_NO_SUBJECT = frozenset(
    "it this that there here what who which he she they we i you one some many most all".split()  # noqa: SIM905  (a list of words reads best as words)
)
# Properties that one may have several of: another does not replace the first.
_SEVERAL = frozenset(
    """friend colleague coworker sister brother sibling child son daughter cousin neighbour neighbor
    uncle aunt niece nephew pet dog cat hobby hobbies interest language allergy client customer
    competitor partner teammate report goal problem risk issue feature advantage strength weakness
    example part member one""".split()  # noqa: SIM905  (a list of words reads best as words)
)
# Properties that have one value at a time, whatever it looks like.
_ONE_AT_A_TIME = frozenset(
    """deadline date day month year time owner lead leader manager boss ceo cto name email address phone
    number birthday zone timezone age budget price cost region database version port host url capital
    title role job position employer company city country residence status stage priority limit
    timeout theme mode editor format currency unit framework provider tier
    release diet salary height weight
    frist termin datum name chef zeitzone adresse budget preis stadt plazo fecha nombre jefe zona correo
    presupuesto ciudad délai date nom chef fuseau adresse prix ville""".split()  # noqa: SIM905  (a list of words reads best as words)
)
_ONE_OF_ALL = frozenset(
    "favourite favorite default preferred primary main current only first last next".split()  # noqa: SIM905
)
_SORTS = {
    "a number or date": Pattern(r"\d"),
    "a thing": Pattern(r"^(?:an?|the|ein\w*|der|die|das|un[ae]?|el|la|le)\s"),
    # An adjective ends so in Chinese and Japanese.
    "a name": Pattern(r"^[^\W\d_a-z\u00df-\u00f6\u00f8-\u00ff].*(?<![\u7684\u3044])$"),
}
_POSSESSIVE = Pattern(r"^(?:the|our|their|his|her|my|your|its)\s+", re.IGNORECASE)


def read_statement(text: str) -> Statement | None:
    """Return what `text` states of a property, or ``None`` for free text."""
    if len(text) > _LONGEST:
        return None
    plain = _without(_DATED, text.strip())
    for shape in _shapes_for(plain):
        if found := shape.match(plain):
            return _statement(found, chosen=shape in _CHOICES)
    return None


def replaces(new: Statement, old_value: str) -> bool:
    """Whether a statement that was read gives its property another value in place of the old.

    ``Ann's car is fast`` says nothing against ``Ann's car is red``: a property has one value
    at a time where it is known to (a deadline, an owner), or where both values are of one
    sort that names: dates and numbers, names, things with an article.
    """
    words = new.attribute.casefold().split()
    if new.chosen or words[-1] in _ONE_AT_A_TIME or words[0] in _ONE_OF_ALL:
        return True
    sort = _sort(new.value)
    return sort is not None and sort == _sort(old_value)


def _sort(value: str) -> str | None:
    for sort, shape in _SORTS.items():
        if shape.search(value.strip()):
            return sort
    return None


def _shapes_for(text: str) -> Iterator[Pattern]:
    if not _CHOICE_VERBS.isdisjoint(text.lower().split()):
        yield from _CHOICES
    if "'" in text or "\u2019" in text:
        yield from _POSSESSED
    yield from _OPENING.get(text[:1].lower(), ())
    if not text.isascii():
        yield from _APART


def _statement(found: re.Match[str], *, chosen: bool) -> Statement | None:
    named = found["subject"].strip() if "subject" in found.re.groupindex else "User"
    subject = _without(_POSSESSIVE, named)
    attribute = _without(_POSSESSIVE, found["attribute"].strip())
    value = found["value"].strip().rstrip(".\u3002")
    if not (subject and attribute and value) or subject.casefold() in _NO_SUBJECT:
        return None
    if attribute.casefold().split()[-1] in _SEVERAL:
        return None
    return Statement(subject, attribute, value, chosen)


def _without(opening: Pattern, text: str) -> str:
    """Return `text` without what it opens with; `sub` would look at every place of it."""
    found = opening.match(text)
    return text[found.end() :] if found else text
