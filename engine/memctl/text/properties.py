# ruff: noqa: RUF001 - other scripts and their punctuation are what is read
"""Properties in plain sentences: Falcon's deadline is 1 December.

Only forms that name both a thing and one of its properties are read: ``User is a vegetarian`` leaves room
for ``User is in Berlin`` and stays free text. Of two values of one property the later takes the place of
the older where both are of one kind: a talk is 20 minutes long, and it is on 5 May.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from memctl.base.pattern import Pattern
from memctl.text.normal import equal_key, name_key, without_opening, without_reason
from memctl.text.relation_words import is_role_of_several, stem
from memctl.text.statement import read


class PropertyStatement(NamedTuple):
    """A property of a thing, and its value."""

    subject: str
    attribute: str
    value: str

    @property
    def slot(self) -> tuple[str | None, str | None]:
        """The keys of thing and property, whichever of their names were given."""
        return name_key(self.subject), attribute_key(self.attribute)


_LONGEST = 400  # characters; a plain statement is short
_FROM = r"(?:from\s+[^:;.!?\n]{1,40}?\s+)?"
_WHO = r"(?P<subject>[^:;.!?\n]{1,60}?)"
_ATTRIBUTE = r"(?P<attribute>[^:;.!?\n]{1,50}?)"
_IS = (
    r"(?:(?:is\s+now|is|are|will\s+be|=)\s+(?!not\b|no\s+longer\b)|"
    r"(?P<became>(?:has\s+|have\s+|had\s+|was\s+|were\s+|has\s+been\s+|have\s+been\s+)?(?:moved|changed|"
    r"shifted|postponed|rescheduled|extended|renamed|raised|lowered|increased|reduced|cut|"
    rf"(?:pushed|put|brought)(?:\s+(?:back|forward|out))?)\s+{_FROM}to\s+))(?P<value>.+)\Z"
)
# Whose it is and what: Falcon's deadline, James' email; my time zone; the deadline of Falcon.
_ENGLISH = tuple(
    Pattern(rf"\A{owner}\s+{_IS}", re.IGNORECASE | re.DOTALL)
    for owner in (
        rf"(?:the\s+)?{_WHO}(?:['’]s|(?<=s)['’])\s+(?!not\b|a\b|an\b|the\b){_ATTRIBUTE}",
        rf"my\s+{_ATTRIBUTE}",
        rf"the\s+(?P<attribute>(?:[\w-]+\s+){{0,3}}?[\w-]+)\s+(?:of|for)\s+{_WHO}",
    )
)
_GERMAN = Pattern(
    rf"\A(?:der|die|das)\s+{_ATTRIBUTE}\s+(?:von|für|des|der)\s+{_WHO}\s+(?:ist|sind|lautet)\s+"
    r"(?!nicht\b)(?P<value>.+)\Z",
    re.IGNORECASE | re.DOTALL,
)
_ZH_ATTRIBUTE = "时区|邮箱|电话|生日|地址|名字|姓名|职位|公司|城市|截止日期|负责人|经理|预算|价格|版本|编辑器|数据库|状态|主题"
_UNSPACED = tuple(
    map(
        Pattern,
        (
            (
                rf"\A(?P<subject>[^的，。]{{1,40}}?)的?(?P<attribute>{_ZH_ATTRIBUTE})(?:现在)?已?"
                r"(?:是|为|改为|改成|改到|推迟到)了?(?P<value>[^，。]+)。?\Z"
            ),
            r"\A(?P<subject>[^的，。]{1,40})的(?P<attribute>[^是，。]{1,20})是(?P<value>[^，。]+)。?\Z",
            r"\A(?P<subject>[^の、。]{1,40})の(?P<attribute>[^は、。]{1,20})は(?P<value>[^、。]+?)(?:です|だ)?。?\Z",
        ),
    )
)
# "- John: john@example.com" tells whose address it is, and what kind of one.
_CONTACT = Pattern(
    r"\A(?:[-*•]\s+)?(?P<subject>[^\W\d_][^:\n]{0,40}?)\s*:\s*"
    r"(?:(?P<email>[^\s@]+@[^\s@]+\.\w+)|(?P<phone>\+?\d[\d ()/-]{5,}\d)|(?P<url>https?://\S+))\s*\Z"
)
_POSSESSIVE = Pattern(r"\A(?:the|our|their|his|her|my|your|its)\s+", re.IGNORECASE)
_NO_SUBJECT = frozenset(
    "it this that there here what who which he she they we i you one some many most all".split()  # noqa: SIM905
)
_SAME_NAME = {
    "time zone": "timezone",
    **dict.fromkeys(("e-mail", "email address", "e-mail address", "mail address"), "email"),
    **dict.fromkeys(("phone number", "telephone", "telephone number"), "phone"),
}
# A property that has one of a few states at a time, which are no names.
_STATES = frozenset({"status", "state", "stage", "phase", "priority", "mode", "tier", "状态"})


@lru_cache(maxsize=4096)
def property_of(text: str) -> PropertyStatement | None:
    """Return the property that a text states; ``None`` for free text, and what one may have several of."""
    if len(text) > _LONGEST:
        return None
    plain = without_opening(text.strip())
    for form in _forms_for(plain):
        match = form.match(plain)
        if match and (statement := _told(match)):
            return statement
    match = _CONTACT.match(plain) if ":" in plain else None
    if match is None:
        return None
    kind = next(name for name in ("email", "phone", "url") if match[name])
    attribute = "phone number" if kind == "phone" else kind
    return PropertyStatement(match["subject"], attribute, match[kind])


def _forms_for(plain: str) -> list[Pattern]:
    """Return the forms that a text may have, by what is cheap to see; mostly none."""
    result: list[Pattern] = []
    if "'" in plain or "’" in plain:
        result.append(_ENGLISH[0])
    first = plain[:1].lower()
    if first == "m":
        result.append(_ENGLISH[1])
    elif first == "t":
        result.append(_ENGLISH[2])
    elif first == "d":
        result.append(_GERMAN)
    return result if plain.isascii() else [*result, *_UNSPACED]


def _told(match: re.Match[str]) -> PropertyStatement | None:
    parts = match.groupdict()
    subject = _POSSESSIVE.sub("", parts.get("subject", "User").strip())
    attribute = _POSSESSIVE.sub("", parts["attribute"].strip())
    value = without_reason(parts["value"].strip()).rstrip(".。")
    if not (subject and attribute and value) or subject.casefold() in _NO_SUBJECT:
        return None
    if may_be_several(attribute):
        return None
    # The end of a move is no value of every property: a team's new town.
    if parts.get("became") and not (read(attribute).topics or read(value).values):
        return None
    return PropertyStatement(subject, attribute, value)


@lru_cache(maxsize=1024)
def attribute_key(name: str | None) -> str | None:
    """Return the form under which a property is looked up, whichever of its names is given."""
    key = name_key(name)
    return _SAME_NAME.get(key, key) if key else key


def may_be_several(attribute: str) -> bool:
    """Return whether one may have several of a property, and a second does not contradict the first."""
    return is_role_of_several(stem(attribute.rsplit(maxsplit=1)[-1]))


def same_value(value: str, other: str) -> bool:
    """Return whether two values are one, whatever their reasons."""
    return name_key(without_reason(value)) == name_key(without_reason(other))


def reason_of(text: str) -> str:
    """Return why something is so, as a text gives it, normalised; empty where it does not."""
    plain = without_opening(text.strip()).rstrip(" .!。！")
    return equal_key(plain[len(without_reason(plain)) :])


_FEW_WORDS = 4
_HEAD = Pattern(r"[^,;(，、\n]+")


def takes_its_place(attribute: str, new: str, old: str) -> bool:
    """Return whether a value of a property takes the place of another: both are of one kind.

    Dates, times, amounts of one unit, addresses; names; and the states of what has one state. In doubt
    both stay.
    """
    mine, its = (read(_head(value)) for value in (new, old))
    if mine.denies or its.denies:
        return False
    if mine.values or its.values:
        return any(
            one.kind == other.kind and (one.unit == other.unit or not (one.unit and other.unit))
            for one in mine.values
            for other in its.values
        )
    if attribute_key(attribute) in _STATES:
        return True
    return _is_name(_head(new)) and _is_name(_head(old))


def _head(value: str) -> str:
    match = _HEAD.match(value.strip())
    return match[0].strip() if match else ""


def _is_name(value: str) -> bool:
    """Return whether a value is a name: each of its few words has a capital, or is no word of a language."""
    words = [word for word in value.split() if word.lower() not in {"the", "a", "an", "of", "and"}]
    if not words or len(words) > _FEW_WORDS:
        return False
    return all(not word[0].islower() or not word.isalpha() for word in words)
