# ruff: noqa: RUF001 - other scripts and their punctuation are what is read
"""Plain statements of a property: subject, attribute and value, where the form of a text is plain.

``Falcon's deadline is 1 December`` says what Falcon's deadline is; a later
``Falcon's deadline is 8 December`` says that it changed, and one about Osprey says
nothing about Falcon. Only forms that name both a thing and one of its properties are
read: ``User is a vegetarian`` leaves room for ``User is in Berlin`` and stays free text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from memctl.base.pattern import Pattern
from memctl.semantic.sentences.normal import equal_key, name_key, without_opening, without_reason
from memctl.semantic.sentences.properties import (
    SURE,
    kind_of,
    may_be_several,
    measures,
    same_amount,
    sort_of,
)
from memctl.semantic.sentences.word_tables import words_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.semantic.sentences.properties import ValueKind

__all__ = ["PropertyStatement", "read_statement", "reason_of", "replaces", "same_value"]

How = Literal["is", "became", "ended", "chosen", "used"]


class StatementForm(NamedTuple):
    """One form of sentence, and how it tells of the property.

    ``is``, ``became`` another, ``ended`` being one; ``chosen`` for a role; ``used`` in one of several.
    """

    how: How
    pattern: Pattern


class PropertyStatement(NamedTuple):
    """A property of a thing, and what it is; how that was said (`StatementForm`)."""

    subject: str
    attribute: str
    value: str
    how: How = "is"


def _form(how: How, *parts: str) -> StatementForm:
    return StatementForm(how, Pattern("^" + "".join(parts), re.IGNORECASE | re.DOTALL))


_WHO = r"(?P<subject>[^:;.!?\n]{1,60}?)"
_FROM = r"(?:from\s+[^:;.!?\n]{1,40}?\s+)?"
_WHAT = r"(?P<value>[^:;!?\n]{1,60}?)"
_ROLE = r"\s+(?:for|as)\s+(?P<attribute>[^:;.!?,\n]{1,60}?)"
_WHY = r"(?:\s*(?:[,;.(]|\b(?:because|since|due\s+to|so\s+that|after|instead\s+of)\b).*)?$"
_CHOSE = (
    rf"{_WHO}\s+(?:has\s+|have\s+)?(?:decided\s+(?:to\s+|on\s+)|chose\s+(?:to\s+)?|switched\s+|"
    r"(?P<moved>moved)\s+|migrated\s+|picked\s+|selected\s+|settled\s+on\s+|(?P<went>went)\s+with\s+)"
    r"(?:(?:use|adopt|keep|choose|pick|using|go\s+with|going\s+with)\s+|"
    r"(?:switch|switching|move|moving|migrate|migrating|change|changing)\s+)?"
)
_CHOICES = (
    # User decided to switch from MySQL to PostgreSQL for the billing database because ...
    _form(
        "chosen",
        rf"{_CHOSE}{_FROM}(?:to\s+)?{_WHAT}",
        rf"(?:\s+(?:over|instead\s+of)\s+[^:;!?\n]{{1,40}}?)?{_ROLE}{_WHY}",
    ),
    # User decided to switch the billing database from MySQL to PostgreSQL because ...
    _form(
        "chosen",
        rf"{_CHOSE}(?P<attribute>(?:the|our|their|his|her)\s+[^:;.!?,\n]{{1,60}}?)",
        rf"\s+{_FROM}to\s+{_WHAT}{_WHY}",
    ),
)
# We use MySQL for billing
_USES = (_form("used", rf"{_WHO}\s+(?:(?:is|are|am)\s+using|uses?)\s+{_WHAT}{_ROLE}{_WHY}"),)

# Whose it is and what: Falcon's deadline, James' email; my time zone; the deadline of Falcon.
_ATTRIBUTE = r"(?P<attribute>[^:;.!?\n]{1,50}?)"
_OWNERS = (
    rf"(?:the\s+)?{_WHO}(?:['’]s|(?<=s)['’])\s+(?!not\b|a\b|an\b|the\b){_ATTRIBUTE}\s+",
    rf"my\s+{_ATTRIBUTE}\s+",
    rf"the\s+(?P<attribute>(?:[\w-]+\s+){{0,3}}?[\w-]+)\s+(?:of|for)\s+{_WHO}\s+",
)
_IS = r"(?:is\s+now|is|are|will\s+be|=)\s+(?!not\b|no\s+longer\b)(?P<value>.+)$"
_BECAME = (
    r"(?:has\s+|have\s+|had\s+|was\s+|were\s+|has\s+been\s+|have\s+been\s+)?(?:moved|changed|shifted|"
    r"postponed|rescheduled|extended|renamed|raised|lowered|increased|reduced|cut|"
    rf"(?:pushed|put|brought)(?:\s+(?:back|forward|out))?)\s+{_FROM}to\s+(?P<value>.+)$"
)
_ENDED = (
    r"(?:(?:is|are)\s+no\s+longer\s+(?P<value>.+)$|(?:is\s+not|are\s+not|isn['’]t|aren['’]t)\s+"
    r"(?P<former>.+?)\s+any\s?(?:more|longer)\.?$)"
)
_POSSESSED, _MINE, _OF = (_form("is", owner, _IS) for owner in _OWNERS)
_GERMAN = _form(
    "is",
    rf"(?:der|die|das)\s+{_ATTRIBUTE}\s+(?:von|für|des|der)\s+{_WHO}\s+(?:ist|sind|lautet)\s+",
    r"(?!nicht\b)(?P<value>.+)$",
)
# By the first letter of the text.
_OPENING = {"m": (_MINE,), "t": (_OF,), "d": (_GERMAN,)}

# Chinese and Japanese: X de Y shi Z, X no Y wa Z; and Y bare where it is plain.
_ZH_ATTRIBUTE = "时区|邮箱|电话|生日|地址|名字|姓名|职位|公司|城市|截止日期|负责人|经理|预算|价格|版本|编辑器|数据库|状态|主题"
_APART = (
    _form(
        "is",
        rf"(?P<subject>[^的，。]{{1,40}}?)的?(?P<attribute>{_ZH_ATTRIBUTE})(?:现在)?已?",
        r"(?:是|为|改为|改成|改到|推迟到)了?(?P<value>[^，。]+)。?$",
    ),
    _form(
        "is",
        r"(?P<subject>[^的，。]{1,40})的(?P<attribute>[^是，。]{1,20})是(?P<value>[^，。]+)。?$",
    ),
    _form(
        "is",
        r"(?P<subject>[^の、。]{1,40})の(?P<attribute>[^は、。]{1,20})は(?P<value>[^、。]+?)(?:です|だ)?。?$",
    ),
)
# The forms that a text may have which holds one of these words, those that tell most first.
_BY_SIGN = (
    (
        frozenset({"longer", "anymore", "more", "longer.", "anymore.", "more."}),
        tuple(_form("ended", owner, _ENDED) for owner in _OWNERS),
    ),
    (words_in("verbs of change"), tuple(_form("became", owner, _BECAME) for owner in _OWNERS)),
    (words_in("verbs of choice"), _CHOICES),
    (frozenset({"use", "uses", "using"}), _USES),
)
_SIGNS = frozenset().union(*(signs for signs, _ in _BY_SIGN))


def forms_for(text: str) -> Iterator[StatementForm]:
    """Yield the forms that a plain text may have, those that tell most first."""
    words = text.lower().split()
    if not _SIGNS.isdisjoint(words):
        yield from (
            form for signs, forms in _BY_SIGN if not signs.isdisjoint(words) for form in forms
        )
    if "'" in text or "\u2019" in text:
        yield _POSSESSED
    yield from _OPENING.get(text[:1].lower(), ())
    if not text.isascii():
        yield from _APART


# Of properties that have one value at a time: the sorts that are one, beside those of `SURE`.
_SORTS_OF: dict[ValueKind | None, set[str]] = {
    "state": {"word", "words", "quality", "name", "state"},
    "tool": {"word", "name"},
    "sure": {"word", "words"},
}
# A plain statement is short; what is longer stays free text.
_LONGEST = 400
# What a value begins with that a property has no longer.
_NO_LONGER = "no longer "
_NO_SUBJECT = words_in("no subjects of properties")
# Who chooses or uses something may speak for himself.
_SPEAKERS = {"i": "User", "we": "We"}
_NO_ROLE = words_in("no roles")
_DEEDS = frozenset({"chosen", "used"})
_POSSESSIVE = Pattern(r"^(?:the|our|their|his|her|my|your|its)\s+", re.IGNORECASE)


def read_statement(text: str) -> PropertyStatement | None:
    """Return the statement of `text` about a property, or ``None`` for free text."""
    if len(text) > _LONGEST:
        return None
    plain = without_opening(text.strip())
    for form in forms_for(plain):
        found = form.pattern.match(plain)
        if found and (statement := _statement(found, form)):
            return statement
    return _contact(plain) if ":" in plain else None


# "- John: john@example.com" tells whom an address is of, and what kind it is.
_CONTACT = Pattern(
    r"^(?:[-*\u2022]\s+)?(?P<subject>[^\W\d_][^:\n]{0,40}?)\s*:\s*"
    r"(?:(?P<email>[^\s@]+@[^\s@]+\.\w+)|(?P<phone>\+?\d[\d ()/-]{5,}\d)|(?P<url>https?://\S+))\s*$"
)


def _contact(plain: str) -> PropertyStatement | None:
    found = _CONTACT.match(plain)
    if not found:
        return None
    kind = next(name for name in ("email", "phone", "url") if found[name])
    attribute = "phone number" if kind == "phone" else kind
    return PropertyStatement(found["subject"], attribute, found[kind])


def replaces(new: PropertyStatement, old_value: str) -> bool:
    """Return whether a statement that was read gives its property another value in place of the old.

    A choice for a role replaces what was in it, and one that is used beside it does not. Else
    a value takes the place of one of its own sort: ``Ann's talk is on 5 May`` says nothing
    against ``Ann's talk is 20 minutes long``. In doubt both stay.
    """
    old = without_reason(old_value)
    if new.how == "ended":
        return same_value(new.value.removeprefix(_NO_LONGER), old)
    if new.how == "used":
        return False
    kind = kind_of(new.attribute)
    timed = kind != "person" and not new.attribute.casefold().endswith("name")
    told = (new.value, old.removeprefix(_NO_LONGER))
    one, other = (sort_of(value, timed=timed) for value in told)
    if new.how == "chosen":
        return one == other or not (measures(one) or measures(other))
    return _are_alike(kind, one, other)


def same_value(one: str, other: str) -> bool:
    """Return whether two values are one, whatever is said of why."""
    return name_key(without_reason(one)) == name_key(without_reason(other))


def reason_of(text: str) -> str:
    """Return why something is so, as `text` gives it, normalised; empty where it does not."""
    plain = without_opening(text.strip()).rstrip(" .!\u3002\uff01")
    return equal_key(plain[len(without_reason(plain)) :])


def _are_alike(kind: ValueKind | None, one: str | None, other: str | None) -> bool:
    """Return whether a property of a kind is replaced where its values are of these sorts."""
    if (one == other and one in SURE) or {one, other} <= _SORTS_OF.get(kind, set()):
        return True
    return same_amount(one, other) and (kind == "amount" or one == other)


def _statement(found: re.Match[str], form: StatementForm) -> PropertyStatement | None:
    parts = form.pattern.compiled.groupindex
    how = form.how
    subject = _subject(found["subject"], how) if "subject" in parts else "User"
    value = without_reason(found["value" if how != "ended" or found["value"] else "former"].strip())
    value = value.rstrip(".\u3002")
    attribute = _POSSESSIVE.sub("", found["attribute"].strip())
    if not (subject and attribute and value) or may_be_several(attribute):
        return None
    # The end of a move is no value of every property: a team's new town.
    if how == "became" and kind_of(attribute) is None and not measures(sort_of(value)):
        return None
    if how == "chosen" and attribute.casefold() in _NO_ROLE and (found["moved"] or found["went"]):
        return None
    return PropertyStatement(
        subject, attribute, _NO_LONGER + value if how == "ended" else value, how
    )


def _subject(written: str, how: How) -> str | None:
    """Return the subject of a statement; ``None`` for words that name nothing."""
    subject = _POSSESSIVE.sub("", written.strip())
    known = subject.casefold()
    if known not in _NO_SUBJECT:
        return subject
    return _SPEAKERS.get(known) if how in _DEEDS else None
