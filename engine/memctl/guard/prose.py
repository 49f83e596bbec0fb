# ruff: noqa: RUF001 - other scripts and their punctuation are what is searched
"""Passwords that are told in prose: judged by the oddest word near what they open.

No pattern of the sentence is asked for. A word that stands out (`oddness`) is taken for the
password where the sentence names one, or something that is opened with one, unless its place says
that it is the name of somebody or something. Pairs of a user and a password, and pass phrases in
quotes, are told the same way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memctl.base.pattern import Pattern
from memctl.guard.assignments import is_no_password, is_of_story
from memctl.guard.credential_nouns import name_at, names_a_thing, spots
from memctl.guard.decoding import SecretSpan
from memctl.guard.oddness import MARKED, ONE_DIGIT, oddness
from memctl.guard.tables.rule_tables import patterns, words
from memctl.guard.value_shapes import is_placeholder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.decoding import TextView

__all__ = ["told_spans"]

_SAYS = patterns("prose")

_RULE = "password-in-prose"
_ENOUGH = 38  # points beside the name of a password
_ENOUGH_OPENED = 56  # beside what is only opened with one
_NEAR = 110  # characters on either side of the name
_LONGEST_WORD = 64
_TABLE = 400  # characters of a table below the name of a column
_LEAD = 20  # right behind a verb that passwords follow
_QUOTED = 20
_BESIDE = 24  # right behind the name or right before "is the password"
_SIGN = 14
_OWNED = 10
_END = 10
_NAMED = -24
_GENERAL = -24
_CODE = -30
_DENIED = -50  # "is not Welcome1!"

_OPENING = "\"'`“”„«»‘’‹›「『《【([*"
_CLOSING = "\"'`“”«»‘’›」』》】)]"
_DENIALS = {"not", "isn't", "wasn't", "nicht", "kein", "pas", "nunca", "non", "não", "не"}
_TO = {"to", "auf", "a", "à", "en", "por", "para", "in", "zu", "em", "til", "naar", "na", "на"}
_WITH = {"with", "mit", "con", "avec", "com", "using"}
# A user and a password: behind a mail address, behind a role, in one piece or after a sign
_PAIRS = (
    Pattern(
        r"(?<![\w.%/-])[\w.+-]{1,64}@(?!\d+\.\d+\.\d+\s)[\w-]{1,60}(?:\.[\w-]{2,40}){1,4}"
        r"(?P<between>\s?[:|/,;\t]\s?|\s[-–—]{1,2}\s|\sand\sthen\s|\s)(?P<value>[^\s\"'`<>|]{5,64})"
    ),
    Pattern(
        r"(?i)(?<![\w./@:*+(-])(?:root|admin(?:istrator)?|postgres|sa|pi|ubuntu|guest|sysadmin|oracle"
        r"|jenkins|deploy)(?P<between>\s?:\s?|\s[/–—-]\s|/)(?P<value>[^\s\"'`<>,;|]{4,64})(?=$|[\s\"'`<>,;|])"
    ),
    Pattern(
        r"(?i)(?<!\w)u(?:ser)?:\s?\S{2,40}(?P<between>[\s,;/]{1,3})p(?:w|ass)?:\s?(?P<value>\S{5,64})"
    ),
    # jonas:Orch@rd_63 alone on its line; instagram: jonas / Orch@rd_63
    Pattern(
        r"(?m)^\s{0,4}[a-z][\w.-]{1,30}:(?P<between>)(?![^\s@]*@[\w-]+\.)(?=\w*[!#$%^&*~_@])"
        r"(?P<value>[^\s\"'`<>:/=]{6,64})$"
    ),
    Pattern(r"(?<=:\s)[\w.@-]{2,40}\s/(?P<between>\s)(?P<value>[^\s\"'`<>:/]{6,64})(?=\s|$)"),
    Pattern(
        r"(?i)(?:log[\s-]?ins?|sign[\s-]?in|credentials?|creds?|zugang(?:sdaten)?|anmeldung|acceso|accès"
        r"|accesso|identifiants?|账号|帐号|账户|ログイン|계정|логин)[^\n:=]{0,40}?(?:[:=→]|->|\s[-–—]\s|\swith"
        r"|\sas|\sis|\sare|\smit|\scon|\savec)\s{0,3}[\w.@+-]{2,64}(?P<between>\s{0,2}[/|:,]\s{0,2}"
        r"|\s(?:and|und|y|et|e)\s)[\"'`]?(?P<value>[^\s\"'`<>,;|]{5,64})"
    ),
)
_FEWEST_WORDS, _MOST_WORDS = 3, 12
_MESSAGE = {"is", "are", "was", "has", "too", "must", "invalid", "wrong", "enter", "forgot", "your"}


class _Line(NamedTuple):
    """A line that names a password: its text, the span of the name, and its offset."""

    text: str
    name_start: int
    name_end: int
    offset: int


def told_spans(view: TextView) -> Iterator[SecretSpan]:
    """Yield passwords that a sentence tells."""
    yield from _pairs(view.text)
    yield from _quoted_phrases(view)
    for line, enough in _lines(view):
        about = None
        of_thing = names_a_thing(line.text, line.name_start, line.name_end)
        of_thing = of_thing and not _SAYS.typed.search(line.text)
        for start, end, points in _odd_words(line):
            if of_thing and not _SAYS.gives.search(
                line.text, line.name_end, max(start, line.name_end)
            ):
                continue  # a password reset of somebody, not a password
            if about is None:
                about = _points_of_line(line)
            if points + about + _points_of_place(line, start, end) >= enough:
                yield SecretSpan(_RULE, line.offset + start, line.offset + end)


def _pairs(text: str) -> Iterator[SecretSpan]:
    for pattern in _PAIRS:
        for found in pattern.finditer(text):
            word = found["value"].rstrip(".,;)")
            between = found["between"].strip()
            least = {":": ONE_DIGIT, "": MARKED}.get(between, ONE_DIGIT + 1)
            if oddness(word) >= least:
                yield SecretSpan(_RULE, found.start("value"), found.start("value") + len(word))


def _quoted_phrases(view: TextView) -> Iterator[SecretSpan]:
    """Yield several words in quotes behind the name of a pass phrase."""
    if not any(mark in view.text for mark in '"“„«「『'):
        return
    for name in _SAYS.phrase_name.finditer(view.text):
        if not view.is_new("phrase", name.start()):
            continue
        if names_a_thing(view.text, *name.span()):
            continue
        found = _SAYS.quoted_behind.match(view.text, name.end())
        if found and _is_phrase(found[1], view.text[name.end() : found.start(1)]):
            yield SecretSpan("pass-phrase", *found.span(1))


def _is_phrase(quoted: str, between: str) -> bool:
    parts = quoted.lower().split()
    general = {*between.lower().split(), *parts} & words("of-passwords-in-general")
    return (
        _FEWEST_WORDS <= len(parts) <= _MOST_WORDS
        and parts[0] not in _MESSAGE
        and not is_placeholder(quoted)
        and not general
        and _SAYS.phrase_name.search(quoted) is None
        and "(" not in between
        and all(part.strip(",.!?'’-").replace("'", "").isalnum() for part in parts)
    )


def _lines(view: TextView) -> Iterator[tuple[_Line, int]]:
    """Yield the lines that name a password or what is opened with one, and the points asked."""
    text = view.text
    for at in spots(view, "password"):
        if not view.is_new("told", at) or (name := name_at(text, at, "password")) is None:
            continue
        if name[0].lower() != "pass" and not is_no_password(text, name[0], at):
            yield _line(text, at, name.end()), _ENOUGH
    for name in _SAYS.opened.finditer(text):
        if view.is_new("opened", name.start()):
            yield _line(text, *name.span()), _ENOUGH_OPENED


def _line(text: str, at: int, name_end: int) -> _Line:
    """Return the line around a name, cut at words; with the next one where it asks."""
    start = max(text.rfind("\n", 0, at) + 1, at - _NEAR)
    last = min(len(text), at + _NEAR)
    end = text.find("\n", at, last)
    if end > 0 and _SAYS.asked.search(text, max(0, end - 8), end):
        end = text.find("\n", end + 1, last)
    elif end > 0 and _SAYS.heading.match(text, start, end):
        end = text.find("\n\n", end, end + _TABLE)
        last = end if end > 0 else min(len(text), at + _TABLE)
    end = last if end < 0 else end
    while start > max(0, at - _NEAR - _LONGEST_WORD) and not text[start - 1].isspace():
        start -= 1
    while end < min(len(text), at + _NEAR + _LONGEST_WORD) and not text[end].isspace():
        end += 1
    return _Line(text[start:end], at - start, name_end - start, start)


def _odd_words(line: _Line) -> Iterator[tuple[int, int, int]]:
    """Yield the span and the points of each odd word but the name itself."""
    for found in _SAYS.word.finditer(line.text):
        said = found.group().rstrip(".,:;!?)")
        if said.isalpha() and said[1:].islower():
            continue
        start, end = found.span()
        while start < end and line.text[start] in _OPENING:
            start += 1
        while end > start and line.text[end - 1] in _CLOSING + ".,:;":
            end -= 1
        apart = end <= line.name_start or start >= line.name_end
        if apart and (points := oddness(line.text[start:end])):
            yield start, end, points


def _points_of_line(line: _Line) -> int:
    """Return points for the whole line: whose password, of passwords in general, of code."""
    text = line.text
    points = (_OWNED if _SAYS.owner.search(text) else 0) + (
        _CODE if _SAYS.code_line.search(text) else 0
    )
    said = text.lower().replace(",", " ").split()
    points += _GENERAL if _SAYS.how.match(text) or is_of_story(text) else 0
    return points + (0 if words("of-passwords-in-general").isdisjoint(said) else _GENERAL)


def _points_of_place(line: _Line, start: int, end: int) -> int:
    """Return points for the place of a word in its line."""
    before = line.text[:start].rstrip()
    points = _QUOTED if before[-1:] in set(_OPENING) - set("([*") and before else 0
    before = before.rstrip(_OPENING)
    points += _led_to(line.text, before) + (_SIGN if _SAYS.sign_before.search(before) else 0)
    points += _END if _SAYS.ends.match(line.text, end) else 0
    if end <= line.name_start:
        between = line.text[end : line.name_start]
        points += _BESIDE + (0 if before.strip() else _LEAD) if _SAYS.link.match(between) else 0
    else:
        between = line.text[line.name_end : start]
        points += _BESIDE if _SAYS.behind.match(between) else 0
        points += _BESIDE if _SAYS.asked.search(before) else 0
    return points


def _led_to(text: str, before: str) -> int:
    """Judge the last word before: a verb that a password follows, or a noun that has names."""
    last = _SAYS.last_word.search(before)
    word = last[1].lower().strip("\"'`“”«»(,") if last else ""
    if word in _DENIALS:
        return _DENIED
    if _SAYS.record.search(before):
        return _NAMED
    if word in words("leads-to-password") | _WITH or (word in _TO and _SAYS.changed.search(text)):
        return _LEAD
    return _NAMED if word.rstrip(":") in words("leads-to-name") else 0
