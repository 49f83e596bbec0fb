# ruff: noqa: RUF001 - other scripts and their punctuation are what is searched
"""Judges a sentence that names a password by the oddest of its other words.

No pattern of the sentence is asked for: what stands out of it (`oddness`) is taken for the password
unless its place says that it is the name of somebody or something. Points add up; the sum at
which a word is refused was chosen on the lists of ``tests/guard``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memctl.pattern import Pattern
from memctl.secret_rules.hit import Hit
from memctl.secret_rules.nouns import PASSWORDS, is_no_password
from memctl.secret_rules.odd_words import OddWords
from memctl.secret_rules.oddness import oddness
from memctl.secret_rules.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.secret_rules.text_view import TextView

__all__ = ["suspect_hits"]

_REFUSED = 50
_NEAR = 110  # characters on either side of the name
_LEAD = 20
_QUOTED = 20
_BESIDE = 24  # right behind the name or right before "is the password"
_OWNED = 10
_VERB = 16  # between the name and the last word of the sentence
_END = 10
_SIGN = 14
_WORD_ALONE = 4
_NAMED = -24
_GENERAL = -24
_THING = -14  # "password manager", "password field": the name is a part of another
_CODE = -30
_OTHER_SENTENCE = -10

_WORD = Pattern(r"[!#-&(-_a-z{-~]{4,72}")
_OPENING = "\"'`“”„«»‘’‹›「『《【([*"
_CLOSING = "\"'`“”«»‘’›」』》】)]"
_QUOTES = frozenset("\"'`“”„«»‘’‹›「『《【[")
# "hunter2 is my password", "hunter2 als Passwort", "hunter2 (root password)", "hunter2  # the password"
_LINK = Pattern(
    r"\s?[\"'`”»」』)\]*.,;]{0,4}\s{0,4}(?:[,;]\s)?(?:(?:is|was|as|ist|als|es|est|é|è|como|comme|come|это|как|for|that's|that\sis|←|<-+|\(|\||—|-|#|//)\s?"
    r"(?!(?:an?|not|no|one|eine?|una?|une|um|uma)\s)(?:\S{1,12}\s){0,5}\S{0,12}|,\s(?:the|my|our|your|das|mein|unser|la|le|el|mi|mon|ma|votre|notre|a|minha|il|o)\s(?:\S{1,12}\s){0,3}\S{0,8}|(?:作为|作為|是我的|是|が|を|을|를|이|가)[^!-~\s]{0,10})$"
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
_ASKED = Pattern(r"(?i)[?？]\s*(?:\w{1,16}[:>])?\s*$")
_QUESTION = Pattern(r"(?i)\b(?:what|which|q|wie|was|cuál|cual|quel|qual)\b")
_THING_BEHIND = Pattern(
    r"(?i)\w{0,4}[\s_-]?(?:manager|policy|policies|hash|hint|reset|field|generator|vault|store|prompt|protect|dialog|screen|page|form|box|input|less|strength|rule|column|length)"
)
_TYPED = Pattern(
    r"(?i)\b(?:typed?|typing|enter(?:ed|ing)?|fill(?:ed|ing)?|past(?:ed|ing)|put|sent|keys)\b"
)
_OWNER = Pattern(
    r"(?i)\b(?:my|our|your|mein\w{0,2}|unser\w{0,2}|mi|nuestr[oa]|mon|notre|meu|minha|nossa|mio|mia|nostra|мой|наш|mijn|ons|moje)\b|我|私の|俺の|僕の|내|제|우리"
)
_LAST_WORD = Pattern(r"(\S+)\s*$")
_CODE_LINE = Pattern(
    r"[;{}]\s*$|\)\s*(?:;|\{|=>)|=>|\w\(|==|\bdef\s|\bconst\s|\breturn\s|</|\$\(|^\s*[#$]\s|--\w"
)
_MUST_CHANGE = Pattern(r"\b(?:must|should)\sbe\s(?:changed|kept|replaced)")
_PLAIN = Pattern(r"[A-Za-z]{4,20}$")
_AS = Pattern(
    r"[\"'`”»]?\s(?:as|als|como|comme|come|for)\s(?:the|my|our|your|mein|das|mi|mon|la|le|a|minha)\s(?:\S{1,12}\s){0,2}$"
)
_SENTENCE_END = Pattern(r"(?<!\.)[.!。！]\s|[。！]")
_SIGN_BEFORE = Pattern(r"(?:[:：=→–—/,?？|>]|\.{3}|->|=>|-)\s?$")
_ENDS = Pattern(
    r"(?:です|だよ?|でした|입니다|이야|이에요|예요|啦|哦|喔)?[\s.!?|。！？）)」』\"'”»`*]*(?:$|\n|[,;]\s)"
)


class _Place(NamedTuple):
    """Where a name stands: its own span, that of its line, and what the line is about."""

    start: int
    end: int
    line: str
    line_start: int
    points: int


def suspect_hits(view: TextView) -> Iterator[Hit]:
    """Yield the odd words of sentences that name a password."""
    text, odd = view.text, OddWords(view.text)
    for at in PASSWORDS.spots(view):
        if not odd.is_near(at - _NEAR, at + _NEAR) or not view.judged.is_new("suspect", at):
            continue
        place = _place(text, at)
        if place is None:
            continue
        for found in _WORD.finditer(place.line):
            start, end = _bare(place.line, *found.span())
            points = oddness(place.line[start:end]) or _plain(place, start, end)
            if points and points + place.points + _context(place, start, end) >= _REFUSED:
                yield Hit("password-in-prose", place.line_start + start, place.line_start + end)


def _place(text: str, at: int) -> _Place | None:
    name = PASSWORDS.match(text, at)
    if (
        name is None
        or name.group().lower().startswith("pin")
        or is_no_password(text, name.group(), at)
    ):
        return None
    start = max(text.rfind("\n", 0, at) + 1, at - _NEAR)
    end = text.find("\n", at, at + _NEAR)
    end = min(len(text), at + _NEAR) if end < 0 else end
    while start and start > at - _NEAR - 64 and not text[start - 1].isspace():
        start -= 1
    while end < len(text) and end < at + _NEAR + 64 and not text[end].isspace():
        end += 1
    line = text[start:end]
    points = (_OWNED if _OWNER.search(line) else 0) + (_CODE if _CODE_LINE.search(line) else 0)
    if _THING_BEHIND.match(text, name.end()):
        points += _END if _TYPED.search(line) else _THING
    if not words("of-passwords-in-general").isdisjoint(
        _MUST_CHANGE.sub("", line.lower()).replace(",", " ").split()
    ):
        points += _GENERAL
    return _Place(at - start, name.end() - start, line, start, points)


def _bare(line: str, start: int, end: int) -> tuple[int, int]:
    while start < end and line[start] in _OPENING:
        start += 1
    closing = _CLOSING + ".,:;" + ("*" if line[start - 1 : start] == "*" else "")
    while end > start and line[end - 1] in closing:
        end -= 1
    return start, end


def _context(place: _Place, start: int, end: int) -> int:
    """Return what the place of a word in its line says for or against a password."""
    line = place.line
    if start < place.end and place.start < end:
        return -_REFUSED * 2  # the name itself
    before = line[:start].rstrip().rstrip(_OPENING)
    points = 0
    if line[:start].rstrip()[-1:] in _QUOTES and start:
        points += _QUOTED
    last = _LAST_WORD.search(before)
    word = last[1].lower().strip("\"'`“”«»(,") if last else ""
    if word in words("leads-to-password"):
        points += _LEAD + (_END if _TYPED.match(word) else 0)
    elif word.rstrip(":") in words("leads-to-name") or before.endswith(_glued_names()):
        points += _NAMED
    if _SIGN_BEFORE.search(before):
        points += _SIGN
        if start > place.end and _TITLE.match(line[place.end : start]):
            points += _END
    if start > place.end and _ASKED.search(before):
        points += _BESIDE if _QUESTION.search(before) else _END
    if start >= place.end and _BEHIND.match(line[place.end : start]):
        points += _BESIDE
    if end <= place.start and _LINK.match(line[end : place.start]):
        points += _BESIDE + (
            _LEAD if not before.strip() or _COMMENT.match(line[end : place.start]) else 0
        )
    if _ENDS.match(line, end):
        points += _END
        if start > place.end and _SAID.match(line[place.end : start]):
            points += _VERB
    if start > place.end and _LIST.match(line[place.end : start]):
        points += _SIGN
    between = line[end : place.start] if end <= place.start else line[place.end : start]
    return points + _OTHER_SENTENCE * len(_SENTENCE_END.findall(between))


def _plain(place: _Place, start: int, end: int) -> int:
    """Judge a word that is none but for its place: "I use walrus as my password"."""
    word = place.line[start:end]
    if not (_PLAIN.match(word) and _AS.match(place.line[end : place.start])):
        return 0
    known = words("predicate") | words("stand-in") | words("code-word") | words("no-password")
    return 0 if word.lower() in known else _WORD_ALONE


def _glued_names() -> tuple[str, ...]:
    return tuple(word for word in words("leads-to-name") if not word.isascii())
