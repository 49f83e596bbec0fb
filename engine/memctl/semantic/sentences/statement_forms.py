# ruff: noqa: RUF001 - other scripts and their punctuation are what is read
"""The forms of sentences that say what a property of a thing is, has become, or is no longer.

Most open with any words: which of them a text may have is told by the words in it first,
because looking for those is cheaper than trying the forms.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from memctl.base.pattern import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["Form", "How", "forms_for"]

How = Literal["is", "became", "ended", "chosen", "placed", "picked", "used"]


class Form(NamedTuple):
    """One form of sentence, and how it tells of the property.

    ``is``, ``became`` another, ``ended`` being one; ``chosen`` for a role, or as the place for
    what is done there (``placed``), or ``picked`` where only the tool itself tells the role;
    ``used`` in a role, which may be one of several.
    """

    how: How
    pattern: Pattern


def _form(how: How, *parts: str) -> Form:
    return Form(how, Pattern("^" + "".join(parts), re.IGNORECASE | re.DOTALL))


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
_OPENING: dict[str, tuple[Form, ...]] = {
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
_TELLING = _CHOICE_VERBS | _USE_VERBS | _CHANGE_VERBS | _ENDING_WORDS


def forms_for(text: str) -> Iterator[Form]:
    """Yield the forms that a plain text may have, those that tell most first."""
    words = text.lower().split()
    if not _TELLING.isdisjoint(words):
        yield from _telling(words)
    if "'" in text or "\u2019" in text:
        yield from _POSSESSIVES
    yield from _OPENING.get(text[:1].lower(), ())
    if not text.isascii():
        yield from _APART


def _telling(words: list[str]) -> Iterator[Form]:
    for signs, forms in (
        (_ENDING_WORDS, _ENDINGS),
        (_CHANGE_VERBS, _CHANGES),
        (_CHOICE_VERBS, _CHOICES),
        (_USE_VERBS, _USES),
    ):
        if not signs.isdisjoint(words):
            yield from forms
