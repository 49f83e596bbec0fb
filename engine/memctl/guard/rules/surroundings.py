# ruff: noqa: RUF001 - other scripts and their punctuation are what is searched
"""What the place of a word says for or against its being a password, in points.

The points are those of `oddness`; the sum of both decides (`suspects`). They were chosen on the
eleventh list of ``tests/guard`` and checked on the others.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from memctl.base.pattern import Pattern
from memctl.guard.rules.things import is_named_for_thing
from memctl.guard.rules.words import words

__all__ = ["CLOSING", "OPENING", "Line", "is_how", "is_typed", "points_of_line", "points_of_place"]

_LEAD = 20
_QUOTED = 20
_BESIDE = 24  # right behind the name or right before "is the password"
_VERB = 16  # between the name and the last word of the sentence
_SIGN = 14
_OWNED = 10
_END = 10
_OTHER_SENTENCE = -10
_THING = -14  # "password manager", "password field": the name is a part of another
_NAMED = -24
_GENERAL = -24
_CODE = -30
_DENIED = -50  # "is not Welcome1!"

OPENING = "\"'`“”„«»‘’‹›「『《【([*"
CLOSING = "\"'`“”«»‘’›」』》】)]"
_QUOTES = frozenset("\"'`“”„«»‘’‹›「『《【[")
# The word before its link to the name: "hunter2 is my", "hunter2 als", "hunter2 (root", "hunter2 #".
_LINK = Pattern(
    r"\s?[\"'`”»」』)\]*.,;]{0,4}\s{0,4}(?:[,;]\s)?(?:(?:is|was|as|ist|als|es|est|é|è|como|comme|come|это|как|for|that's|that\sis|←|<-+|\(|\||—|-|#|//)\s?"
    r"(?!(?:an?|not|no|one|eine?|una?|une|um|uma)\s)(?:\S{1,12}\s){0,5}\S{0,12}|,\s(?:the|my|our|your|das|mein|unser|la|le|el|mi|mon|ma|votre|notre|a|minha|il|o)\s(?:\S{1,12}\s){0,3}\S{0,8}|(?:作为|作為|是我的|是|が|を|을|를|이|가)[^,;:\s]{0,14})$"
)
_SAID = Pattern(
    r"(?:は|是|为|が|는|은|이|가)[^。!-~]{0,8}[^。]{0,24}$|[^.!?;:]{0,40}?\s(?:is|was|are|stays|be|ist|lautet|war|es|era|est|était|sera|é|è|är|это)\s[^.!?;:]{0,40}$"
)
_COMMENT = Pattern(r"[\"'`)\];,]{0,4}\s{1,4}(?:#|//|<-+|←)\s")
_LIST = Pattern(r"s?\s?:\s[^.!?:=]{1,60}$")  # "passwords: shop Rain1951, bank Wind1952"
_TITLE = Pattern(r"[^\n.?!,;:=]{0,48}:\s")  # "password for the printer: "
_BEHIND = Pattern(
    r"[\s\"'`”»)\]*]{0,3}(?:[^!-~\s]{1,4}|\.{3}|(?:(?:was|is|has\sbeen|got)\s)?(?:changed|set|reset|rotated|switched|updated)\s(?:from|to)|to|as|a|à|auf|with|mit|con|avec|com|на)?\s{0,2}[\"'`“„«‘『「(\[*]{0,3}\s?$"
)
_ASKED = Pattern(
    r"(?i)(?:[?？]|(?:多少|什么|什麼|啥|几位|何|は|吗|呢)。)\s*(?:\w{1,16}\s?[:：>])?\s*$"
)
_QUESTION = Pattern(r"(?i)\b(?:what|which|q|wie|was|cuál|cual|quel|qual)\b")
_TYPED = Pattern(
    r"(?i)\b(?:typed?|typing|enter(?:ed|ing)?|fill(?:ed|ing)?|past(?:ed|ing)|put|sent|keys)\b"
)
_OWNER = Pattern(
    r"(?i)\b(?:my|our|your|his|her|their|mein\w{0,2}|unser\w{0,2}|mi|nuestr[oa]|mon|notre|meu|minha|nossa|mio|mia|nostra|мой|наш|mijn|ons|moje)\b|我|私の|俺の|僕の|내|제|우리"
)
_LAST_WORD = Pattern(r"(\S+)\s*$")
_CODE_LINE = Pattern(
    r"[;{}]\s*$|\b(?:ssh|scp|rsync)\s(?:-\S+\s)*\w+@|\)\s*(?:;|\{|=>)|=>|\w\(|==|\bdef\s|\bconst\s|\breturn\s|</|\$\(|^\s*[#$]\s|--\w"
)
# What a log or a protocol numbers: "queued as 988EB9", "request 77A1B2".
_OF_RECORD = Pattern(
    r"(?i)(?:\b(?:queued|logged|filed|tracked|recorded|registered)\s(?:as|under)|\b(?:request|message|msg|job|trace|span|correlation|transaction|txn|commit|revision|build|session|event|thread|worker|pid|uid|gid|[a-z]{0,12}[_-]?id))\s?[#:=]?\s?$"
)
_DENIALS = frozenset(
    ("not", "isn't", "wasn't", "nicht", "kein", "pas", "nunca", "non", "não", "не")
)
# "changed it to", "habe ich auf ... geändert"
_TO = frozenset(
    (
        "to",
        "auf",
        "a",
        "à",
        "en",
        "por",
        "para",
        "in",
        "zu",
        "em",
        "til",
        "till",
        "naar",
        "na",
        "на",
    )
)
_CHANGED = Pattern(
    r"(?i)\b(?:chang|switch|set\b|reset|rotat|renamed|updat|änder|geändert|gesetzt|umgestellt|cambi|alter[aeo]|mud(?:ei|ou)|chang|modifi|wijzig|zmien|gestellt|geleg|puest[oa]|remis|remplac|поменял|сменил|изменил)"
)
_MUST_CHANGE = Pattern(
    r"\b(?:must|should)\s(?:be\s(?:changed|kept|replaced)|(?:still\s)?(?:work|do)\b)"
)
_HOW = Pattern(
    r"(?i)\s{0,3}[¿]?(?:how|why|where|when|wie|warum|wo|wann|cómo|como|dónde|cuándo|por\squé|comment|pourquoi|où|quand)\s[^?\n:=]{1,90}\?\s*$"
)
_SENTENCE_END = Pattern(r"(?<!\.)[.!。！]\s|[。！]")
_SIGN_BEFORE = Pattern(r"(?:[:：=→–—/,?？|>]|\.{3}|->|=>|-)\s?$")
_ENDS = Pattern(
    r"(?:です|だよ?|でした|입니다|이야|이에요|예요|啦|哦|喔)?[\s.!?|。！？）)」』\"'”»`*]*(?:$|\n|[,;]\s|\s(?:lol|haha|btw|thx|thanks|pls|please|bitte|danke|gracias|merci|ok|fyi)\b)"
)


class Line(NamedTuple):
    """A line that names a password.

    Attributes
    ----------
    text
        The line, or as much of it as is near the name.
    name_start, name_end
        The span of the name in it.
    offset
        Where the line begins in the text that is searched.
    """

    text: str
    name_start: int
    name_end: int
    offset: int

    def between(self, start: int, end: int) -> str:
        """Return what stands between the name and a word."""
        before = end <= self.name_start
        return self.text[end : self.name_start] if before else self.text[self.name_end : start]


def is_how(text: str) -> bool:
    """Whether a question about passwords, not whether one is right: "How do I reset ...?"."""
    return _HOW.match(text) is not None


def is_typed(text: str) -> bool:
    """Whether somebody types something there: "put Rain1951 into the password field"."""
    return _TYPED.search(text) is not None


def points_of_line(line: Line) -> int:
    """Return what the whole line says: whose password, of passwords in general, a line of code."""
    text = line.text
    points = (_OWNED if _OWNER.search(text) else 0) + (_CODE if _CODE_LINE.search(text) else 0)
    if is_named_for_thing(text, line.name_start, line.name_end):
        points += _END if is_typed(text) else _THING
    said = _MUST_CHANGE.sub("", text.lower()).replace(",", " ").split()
    points += _GENERAL if is_how(text) else 0
    return points + (0 if words("of-passwords-in-general").isdisjoint(said) else _GENERAL)


def points_of_place(line: Line, start: int, end: int) -> int:
    """Return what the place of the word ``line.text[start:end]`` says."""
    before = line.text[:start].rstrip()
    points = _QUOTED if before[-1:] in _QUOTES else 0
    before = before.rstrip(OPENING)
    points += _led_to(line.text, before) + (_SIGN if _SIGN_BEFORE.search(before) else 0)
    ends = _ENDS.match(line.text, end) is not None
    points += _END if ends else 0
    between = line.between(start, end)
    if end <= line.name_start:
        points += _linked(between, first=not before.strip())
    else:
        points += _answered(before, between) + (_VERB if ends and _SAID.match(between) else 0)
    return points + _OTHER_SENTENCE * len(_SENTENCE_END.findall(between))


def _led_to(text: str, before: str) -> int:
    """Judge the last word before: a verb that a password follows, or what has names."""
    last = _LAST_WORD.search(before)
    word = last[1].lower().strip("\"'`“”«»(,") if last else ""
    if word in _DENIALS:
        return _DENIED
    if _OF_RECORD.search(before):
        return _NAMED
    if word in words("leads-to-password"):
        return _LEAD + (_END if _TYPED.match(word) else 0)
    if word in _TO and _CHANGED.search(text):
        return _LEAD
    named = word.rstrip(":") in words("leads-to-name") or before.endswith(_glued_names())
    return _NAMED if named else 0


def _linked(between: str, *, first: bool) -> int:
    """Judge what leads from a word to the name behind it."""
    if not _LINK.match(between):
        return 0
    return _BESIDE + (_LEAD if first or _COMMENT.match(between) else 0)


def _answered(before: str, between: str) -> int:
    """Judge what leads from the name to a word behind it."""
    points = _BESIDE if _BEHIND.match(between) else 0
    if _ASKED.search(before):
        points += _BESIDE if _QUESTION.search(before) else _END
    if _SIGN_BEFORE.search(before) and _TITLE.match(between):
        points += _END
    return points + (_SIGN if _LIST.match(between) else 0)


@cache
def _glued_names() -> tuple[str, ...]:
    return tuple(word for word in words("leads-to-name") if not word.isascii())
