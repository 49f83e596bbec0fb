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
from memctl.semantic.sentences.claim_forms import without_reason
from memctl.semantic.sentences.normal import equal_key, name_key, without_opening
from memctl.semantic.sentences.properties import (
    SURE,
    kind_of,
    may_be_several,
    measures,
    role_of,
    same_amount,
    sort_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.semantic.sentences.properties import ValueKind

__all__ = ["PropertyStatement", "read_statement", "reason_of", "replaces", "same_value"]

How = Literal["is", "became", "ended", "chosen", "placed", "picked", "used"]


class StatementForm(NamedTuple):
    """One form of sentence, and how it tells of the property.

    ``is``, ``became`` another, ``ended`` being one; ``chosen`` for a role, or as the place for
    what is done there (``placed``), or ``picked`` where only the tool itself tells the role;
    ``used`` in a role, which may be one of several.
    """

    how: How
    pattern: Pattern


def _form(how: How, *parts: str) -> StatementForm:
    return StatementForm(how, Pattern("^" + "".join(parts), re.IGNORECASE | re.DOTALL))


_CHOSE = (
    r"(?:has\s+|have\s+)?(?:decided\s+(?:to\s+|on\s+)|chose\s+(?:to\s+)?|switched\s+|(?P<moved>moved)\s+|"
    r"migrated\s+|picked\s+|selected\s+|settled\s+on\s+|(?P<went>went)\s+with\s+)"
)
_HOW = (
    r"(?:(?:use|adopt|keep|choose|pick|using|go\s+with|going\s+with)\s+|"
    r"(?:switch|switching|move|moving|migrate|migrating|change|changing)\s+)?"
)
_WHY = r"(?:\s*(?:[,;.(]|\b(?:because|since|due\s+to|so\s+that|after|instead\s+of)\b).*)?$"
_WHO = r"(?P<subject>[^:;.!?\n]{1,60}?)"
_FROM = r"(?:from\s+[^:;.!?\n]{1,40}?\s+)?"
_CHOICES = (
    # User decided to host the blog on Netlify because ...
    _form(
        "placed",
        rf"{_WHO}\s+(?:has\s+|have\s+)?(?:decided|chose)\s+to\s+"
        r"(?P<deed>host|deploy|run|publish|build|serve|store|keep|manage|track|write|send|test|train|"
        r"backup|monitor)\s+(?:(?:the|our|their|his|her|my|all)\s+)?(?P<what>[\w-]+(?:\s+[\w-]+){0,3}?)\s+"
        r"(?P<where>on|with|in|at|via|to)\s+",
        rf"(?P<value>[^:;!?\n]{{1,60}}?)(?:\s+(?:over|instead\s+of|for)\s+[^:;!?\n]{{1,40}}?)?{_WHY}",
    ),
    # User decided to switch from MySQL to PostgreSQL for the billing database because ...
    _form(
        "chosen",
        rf"{_WHO}\s+{_CHOSE}{_HOW}{_FROM}(?:to\s+)?",
        r"(?P<value>[^:;!?\n]{1,60}?)(?:\s+(?:over|instead\s+of)\s+[^:;!?\n]{1,40}?)?",
        rf"\s+(?:for|as)\s+(?P<attribute>[^:;.!?,\n]{{1,60}}?){_WHY}",
    ),
    # User decided to switch the billing database from MySQL to PostgreSQL because ...
    _form(
        "chosen",
        rf"{_WHO}\s+{_CHOSE}{_HOW}(?P<attribute>(?:the|our|their|his|her)\s+",
        rf"[^:;.!?,\n]{{1,60}}?)\s+{_FROM}to\s+(?P<value>[^:;!?\n]{{1,60}}?){_WHY}",
    ),
    # User decided to use pnpm because ...
    _form("picked", rf"{_WHO}\s+{_CHOSE}{_HOW}{_FROM}(?:to\s+)?(?P<value>[\w+#.-]{{1,20}}?){_WHY}"),
)
# We use MySQL for billing
_USES = (
    _form(
        "used",
        rf"{_WHO}\s+(?:(?:is|are|am)\s+using|uses?)\s+(?P<value>[^:;!?\n]{{1,60}}?)\s+(?:for|as)\s+",
        rf"(?P<attribute>[^:;.!?,\n]{{1,60}}?){_WHY}",
    ),
)

# Whose it is and what: Falcon's deadline, James' email; my time zone; the deadline of Falcon.
_POSSESSED = (
    rf"(?:the\s+)?{_WHO}(?:['’]s|(?<=s)['’])\s+(?P<attribute>(?!not\b|a\b|an\b|the\b)"
    r"[^:;.!?\n]{1,50}?)\s+"
)
_MINE = r"my\s+(?P<attribute>[^:;.!?\n]{1,50}?)\s+"
_OF = rf"the\s+(?P<attribute>(?:[\w-]+\s+){{0,3}}?[\w-]+)\s+(?:of|for)\s+{_WHO}\s+"
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
_ANY_OWNER = (_POSSESSED, _MINE, _OF)
_CHANGES = tuple(_form("became", owner, _BECAME) for owner in _ANY_OWNER)
_ENDINGS = tuple(_form("ended", owner, _ENDED) for owner in _ANY_OWNER)

_POSSESSIVES = (_form("is", _POSSESSED, _IS),)
_OPENING: dict[str, tuple[StatementForm, ...]] = {
    "m": (_form("is", _MINE, _IS),),
    "t": (_form("is", _OF, _IS),),
    # El plazo de Falcon es ..., Le delai de Falcon est ..., Die Frist von Falcon ist ...
    "e": (
        _form(
            "is",
            r"(?:el|la|los|las)\s+(?P<attribute>[^:;.!?\n]{1,50}?)\s+(?:de|del)\s+",
            rf"{_WHO}\s+(?:es|son|est\u00e1)\s+(?!no\b)(?P<value>.+)$",
        ),
    ),
    "l": (
        _form(
            "is",
            r"(?:le|la|les|l['’])\s*(?P<attribute>[^:;.!?\n]{1,50}?)\s+(?:de|du|d['’])\s*",
            rf"{_WHO}\s+(?:est|sont)\s+(?!pas\b)(?P<value>.+)$",
        ),
    ),
    "d": (
        _form(
            "is",
            r"(?:der|die|das)\s+(?P<attribute>[^:;.!?\n]{1,50}?)\s+(?:von|f\u00fcr|des|der)\s+",
            rf"{_WHO}\s+(?:ist|sind|lautet)\s+(?!nicht\b)(?P<value>.+)$",
        ),
    ),
}
_OPENING["l"] = (*_OPENING["e"], *_OPENING["l"])

# Chinese and Japanese: X de Y shi Z, X no Y wa Z; and Y bare where it is plain.
_ZH_ATTRIBUTE = "时区|邮箱|电话|生日|地址|名字|姓名|职位|公司|城市|截止日期|负责人|经理|预算|价格|版本|编辑器|数据库|状态|主题"
_APART = (
    _form(
        "became",
        r"(?P<subject>[^的，。]{1,40}?)(?:的(?P<attribute>[^是，。]{1,20}?)|"
        rf"(?P<known>{_ZH_ATTRIBUTE}))(?:现在)?(?:已经?)?(?:改为|改成|变成|变为|换成|改到|推迟到|提前到)了?"
        r"(?P<value>[^，。]+)。?$",
    ),
    _form(
        "ended",
        r"(?P<subject>[^的，。]{1,40})的(?P<attribute>[^是，。]{1,20}?)不再是(?P<value>[^，。]+)。?$",
    ),
    _form(
        "is",
        r"(?P<subject>[^的，。]{1,40})的(?P<attribute>[^是，。]{1,20})是(?P<value>[^，。]+)。?$",
    ),
    _form(
        "is",
        r"(?P<subject>用户|使用者|我们?|[A-Za-z][\w-]{0,30}\s?|[一-鿿]{2,6}?)"
        rf"(?P<attribute>{_ZH_ATTRIBUTE})(?:现在)?[是为](?P<value>[^，。]+)。?$",
    ),
    _form(
        "is",
        r"(?P<subject>[^の、。]{1,40})の(?P<attribute>[^は、。]{1,20})は(?P<value>[^、。]+?)(?:です|だ)?。?$",
    ),
)

_CHOICE_VERBS = frozenset(
    ["decided", "chose", "switched", "moved", "migrated", "picked", "selected", "settled", "went"]
)
_USE_VERBS = frozenset({"use", "uses", "using"})
_CHANGE_VERBS = frozenset(
    """moved changed shifted postponed rescheduled extended renamed raised lowered increased reduced cut
    pushed put brought""".split()  # noqa: SIM905  (a list of words reads best as words)
)
_ENDING_WORDS = frozenset({"longer", "anymore", "more", "longer.", "anymore.", "more."})
_SIGNS = _CHOICE_VERBS | _USE_VERBS | _CHANGE_VERBS | _ENDING_WORDS


def forms_for(text: str) -> Iterator[StatementForm]:
    """Yield the forms that a plain text may have, those that tell most first."""
    words = text.lower().split()
    if not _SIGNS.isdisjoint(words):
        yield from _by_signs(words)
    if "'" in text or "\u2019" in text:
        yield from _POSSESSIVES
    yield from _OPENING.get(text[:1].lower(), ())
    if not text.isascii():
        yield from _APART


def _by_signs(words: list[str]) -> Iterator[StatementForm]:
    for signs, forms in (
        (_ENDING_WORDS, _ENDINGS),
        (_CHANGE_VERBS, _CHANGES),
        (_CHOICE_VERBS, _CHOICES),
        (_USE_VERBS, _USES),
    ):
        if not signs.isdisjoint(words):
            yield from forms


class PropertyStatement(NamedTuple):
    """A property of a thing, and what it is; how that was said (`statement_forms.StatementForm`)."""

    subject: str
    attribute: str
    value: str
    how: How = "is"


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
# "It is the best of breed" names no thing; neither do questions' words and pronouns.
_NO_SUBJECT = frozenset(
    "it this that there here what who which he she they we i you one some many most all".split()  # noqa: SIM905  (a list of words reads best as words)
)
# Who chooses or uses something may speak for himself.
_SPEAKERS = {"i": "User", "we": "We"}
# "Moved to Berlin for work" and "went with Ann for lunch" tell of no role.
_NO_ROLE = frozenset(
    "work school love family fun good lunch dinner breakfast coffee free study studies now health".split()  # noqa: SIM905
)
_DEEDS = frozenset({"chosen", "placed", "picked", "used"})
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
    return None


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
    one, other = _sorts(new.attribute, new.value, old.removeprefix(_NO_LONGER))
    if new.how in {"chosen", "picked"}:
        return one == other or not (measures(one) or measures(other))
    return _are_alike(kind_of(new.attribute), one, other)


def same_value(one: str, other: str) -> bool:
    """Return whether two values are one, whatever is said of why."""
    return name_key(without_reason(one)) == name_key(without_reason(other))


def reason_of(text: str) -> str:
    """Return why something is so, as `text` gives it, normalised; empty where it does not."""
    plain = without_opening(text.strip()).rstrip(" .!\u3002\uff01")
    return equal_key(plain[len(without_reason(plain)) :])


def _sorts(attribute: str, *values: str) -> list[str | None]:
    timed = kind_of(attribute) != "person" and not attribute.casefold().endswith("name")
    return [sort_of(value, timed=timed) for value in values]


def _are_alike(kind: ValueKind | None, one: str | None, other: str | None) -> bool:
    """Return whether a property of a kind is replaced where its values are of these sorts."""
    if one is None or other is None:
        return False
    if one == other and (one in SURE or same_amount(one, other)):
        return True
    return {one, other} <= _SORTS_OF.get(kind, set()) or (
        kind == "amount" and same_amount(one, other)
    )


def _statement(found: re.Match[str], form: StatementForm) -> PropertyStatement | None:
    parts = form.pattern.compiled.groupindex
    how = form.how
    subject = _subject(found["subject"], how) if "subject" in parts else "User"
    value = without_reason(found["value" if how != "ended" or found["value"] else "former"].strip())
    value = value.rstrip(".\u3002")
    attribute = _attribute(found, value)
    if not (subject and attribute and value) or may_be_several(attribute):
        return None
    if how == "became" and not _is_told(attribute, value):
        return None
    if how == "chosen" and attribute.casefold() in _NO_ROLE and (found["moved"] or found["went"]):
        return None
    return PropertyStatement(
        subject, attribute, _NO_LONGER + value if how == "ended" else value, how
    )


def _subject(written: str, how: How) -> str | None:
    """Return the subject of a statement; ``None`` for words that name nothing."""
    subject = _without(_POSSESSIVE, written.strip())
    known = subject.casefold()
    if known not in _NO_SUBJECT:
        return subject
    return _SPEAKERS.get(known) if how in _DEEDS else None


def _attribute(found: re.Match[str], value: str) -> str:
    parts = found.re.groupindex
    if "deed" in parts:
        return f"{found['deed']} {found['what']} {found['where']}"
    if "attribute" not in parts:
        return role_of(value) or ""
    given = found["attribute"] or found["known"]
    return _without(_POSSESSIVE, given.strip())


def _is_told(attribute: str, value: str) -> bool:
    """Return whether the end of a move or change is the property's value: no team's new town."""
    return kind_of(attribute) is not None or measures(sort_of(value))


def _without(opening: Pattern, text: str) -> str:
    """Return `text` without what it opens with; `sub` would look at every place of it."""
    found = opening.match(text)
    return text[found.end() :] if found else text
