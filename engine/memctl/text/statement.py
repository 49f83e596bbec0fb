"""Statements: the subject of a plain sentence, the values it gives, and whether it is of a change.

A statement is read once, by tables of words (``relation_words.txt``), and compared with others by
`memctl.text.relation`. Nothing here decides; it only reads.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.pattern import Pattern, patterns_in
from memctl.text.closed_words import STOP_WORDS
from memctl.text.relation_words import CJK_SIGN, TABLES, stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

OUTRIGHT = 2
"""`PlainStatement.change` of what tells of a change in so many words."""
VALUE_MARK = "\x00"
"""What stands around the number of a value among the words."""


_LONGEST = 2_000  # characters of a statement that are read

_WORD = Pattern(r"[#@/~]?[^\W_](?:[\w'\u2019.@/:+-]*[^\W_])?%?")


class StatementValue(NamedTuple):
    """A value that a statement gives: its kind (date, clock, amount, ...), its text, its unit."""

    kind: str
    said: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class PlainStatement:
    """What was read of one plain statement."""

    text: str
    words: tuple[str, ...]  # those that mean something, in their order, each as its topic or stem
    values: tuple[StatementValue, ...]  # dates, times, amounts and others
    names: frozenset[str]  # stems of names of people, places and things
    later: frozenset[str]  # stems of its words but the first, which has a capital whatever it is
    topics: frozenset[str]  # what it is about, as far as the tables know
    sides: Mapping[str, int]  # by question (allowed, liked, going ...): 1 for yes, -1 for no
    denies: bool
    change: int  # how plainly it tells of a change: 0 (not), 1 (perhaps), 2 (outright)
    done: bool  # something is over
    leaving: bool  # somebody leaves
    passing: bool  # for a short while alone
    several: bool  # one of several
    hedged: bool  # it may be, or is so at times
    within: frozenset[str]  # what narrows it: for (children), on (Fridays), without (milk)
    past: bool
    content: frozenset[str]  # its words without values
    subject: str  # its first word where a verb follows that
    gone: frozenset[str]  # stems of what it says is no more

    def of_kind(self, kind: str) -> list[StatementValue]:
        """Return the values of one kind."""
        return [value for value in self.values if value.kind == kind]


# -- values ------------------------------------------------------------------------------

_SHAPES = patterns_in("memctl.text", "statement.txt")
_ONE = Pattern(r".*(?<!no )(?<!the )(?<!new )(?<!any )(?<!this )\bone [a-z]")
_HAN_DIGITS = {digit: n for n, digit in enumerate("零一二三四五六七八九")} | {"两": 2}


def _values_in(text: str) -> tuple[list[StatementValue], str]:
    """Return the values in a text, and the text without them."""
    result: list[StatementValue] = []

    def take(match: re.Match[str]) -> str:
        value = _value(match, text)
        if value is None:
            return match[0]
        result.append(value)
        return f" \x00{len(result) - 1}\x00 "

    rest = _SHAPES["values"].compiled.sub(take, text)

    def word(match: re.Match[str]) -> str:
        number = TABLES.numbers.get(match[0].lower())
        if match[0] == "one" and _ONE.match(rest[max(0, match.start() - 6) : match.end() + 3]):
            number = "1"
        if number is None:
            return match[0]
        result.append(StatementValue("amount", number, _unit("", rest[match.end() :])))
        return f" \x00{len(result) - 1}\x00 "

    return result, re.sub(r"[A-Za-zäöüÄÖÜß]+", word, rest)


# Asked one by one, which costs less than a pattern.
_MONTHS = (
    *("月", "jan", "feb", "mar", "mär", "apr", "may", "mai", "jun", "jul", "aug", "sep"),
    *("oct", "okt", "nov", "dec", "dez"),
)
_JOINED = Pattern(r"\d-\d")


def dates_in(text: str) -> Iterator[str]:
    """Yield the dates of a statement as `StatementValue` has them: ``2-30``; costs less than `read`."""
    plain = text.casefold()
    if any(map(plain.__contains__, _MONTHS)) or ("-" in text and _JOINED.search(text)):
        for match in _SHAPES["values"].finditer(
            _without_preface(_DAY_BESIDE.sub("", text[:_LONGEST]))
        ):
            if match.lastgroup == "date":
                yield _date(match[0].strip().lower())


def _value(match: re.Match[str], text: str) -> StatementValue | None:
    """Return the value of a place in a text, in the shape in which values are compared."""
    kind, said, unit = match.lastgroup or "", match[0].strip().lower(), ""
    behind = text[match.end() :]
    if kind == "han":
        return StatementValue("amount", _han(said), TABLES.units.get(behind[:1], ""))
    if kind == "amount":
        unit = _unit(said, behind)
        if unit[:1] in {"", "="}:
            unit = _counted(text[: match.start()]) or unit
        said = said.strip("$€£¥% ").rstrip(".,").replace(",", "")
    elif kind == "date":
        said = _date(said)
    elif kind == "clock":
        hour = _HOUR.sub("", said)
        said = f"{_han(hour)}:00" if hour != said else _HALF_DAY.sub(_full_hour, said)
    elif kind == "weekday":
        unit = "each" if said.endswith("s") else ""
        said = said[:3] if said.isascii() else said[-1]
    elif kind == "daypart":
        said = next((part for part, words in _DAYPARTS.items() if said.rstrip("s") in words), said)
    elif kind == "month":
        said = said.split()[-1][:3]
    return StatementValue(kind, said, unit) if said else None


_DAYPARTS = {
    "morning": ("morning", "morgen", "早上", "上午"),
    "evening": ("evening", "night", "abend", "nacht", "晚上", "夜里"),
}
_HALF_DAY = Pattern(r"\A(\d{1,2})(?:[:.](\d{2}))?\s*([ap])\.?m\.?\Z")
_HOUR = Pattern(r"\s*(?:uhr|o'clock|点)\Z")


def _full_hour(match: re.Match[str]) -> str:
    return f"{match[1]}:{match[2] or '00'} {match[3]}m"


def _unit(said: str, behind: str) -> str:
    for sign in "$€£¥%":
        if sign in said:
            return TABLES.units.get(sign, sign)
    following = _WORD.match(behind.lstrip()) if behind else None
    if following is None:
        return TABLES.units.get(behind.strip()[:1], "")
    word = following[0]
    return (
        TABLES.units.get(stem(word))
        or TABLES.units.get(word[0], "")
        or ("=" + stem(word) if word[0].islower() and word not in STOP_WORDS else "")
    )


_BEFORE = Pattern(r"([A-Za-zÀ-ɏ]{3,})\s\Z")


def _counted(before: str) -> str:
    """Return the word before a number that belongs to it: room 3, port 8080."""
    match = _BEFORE.search(before[-30:])
    if not match or match[1].lower() in TABLES.grammar:
        return ""
    return "#" + stem(match[1])


def _han(said: str) -> str:
    if said.isdigit():
        return said
    tens, ten, ones = said.rpartition("十")
    if not ten:
        return "".join(str(_HAN_DIGITS.get(digit, digit)) for digit in said)
    return str(
        10 * (_HAN_DIGITS.get(tens, 1) if tens else 1) + (_HAN_DIGITS.get(ones, 0) if ones else 0)
    )


def _date(said: str) -> str:
    if "月" in said:
        month, _, day = said.partition("月")
        return f"{_han(month)}-{_han(day.strip('初号日'))}"
    numbers = re.findall(r"\d+", said)
    if re.match(r"\d{4}-", said):
        return f"{int(said[5:7])}-{int(said[8:10])}"
    name = re.search(r"[a-zä]{3}", re.sub(r"\d+(?:st|nd|rd|th)|\bof\b|\bthe\b", "", said))
    rows = [row.split() for row in TABLES.told["grammar"]["months"].split("|")]
    month = next((str(row.index(name[0]) + 1) for row in rows if name and name[0] in row), "")
    return f"{month}-{numbers[0]}" if numbers else said


# -- reading -----------------------------------------------------------------------------

_PREFACE = Pattern(r"\A\s*([^.:;,!?\n]{2,40})[:.!,;]\s+(?=\S)")
_PAST = Pattern(
    r"\b(?:was|were|took place|had|did|paid|said|opened|ticked|carried|first|founded|built|yesterday|last (?:week|year|night|month)|ago|according to|says|per the|war|waren|gestern)\b"
    r"|昨天|去年|写的是|第[一二三四五六七八九十]+条",
    re.IGNORECASE,
)


# The day of "next Wednesday", as facts have it behind the words: no value of its own.
_DAY_BESIDE = Pattern(r" \(\d{4}-\d\d-\d\d\)")


@lru_cache(maxsize=4096)
def read(text: str) -> PlainStatement:
    """Return the reading of a statement; the latest are kept."""
    whole = _DAY_BESIDE.sub("", text[:_LONGEST])
    said = _without_preface(whole)
    cjk = CJK_SIGN.search(said) is not None
    values, rest = _values_in(said)
    tokens = _tokens(rest)
    plain = [token.lower().replace("\u2019", "'") for token in tokens]
    stems = [stem(token) for token in plain]
    joined = f" {' '.join(stems)} "
    with_all = f" {' '.join(stem(token) for token in _WORD.findall(whole))} "
    exact = [*stems, *(f"={token}" for token in plain)]
    topics = TABLES.phrases("topics").found(exact, joined, said, cjk=cjk)
    changes = TABLES.phrases("changes").found(with_all.split(), with_all, whole, cjk=cjk)
    denies = bool(TABLES.phrases("denials").found(exact, joined, said, cjk=cjk))
    sides = _sides_of(TABLES.sides.found(stems, joined, said, cjk=cjk), denies=denies)
    words = _words(tokens, stems, cjk=cjk)
    names = {stem(token) for token in tokens if _is_name(token)}
    if not TABLES.words("grammar", "first_person").isdisjoint(plain):
        names.add("user")
    return PlainStatement(
        text=text,
        words=words,
        values=tuple(values),
        names=frozenset(names),
        later=frozenset(stem(token) for token in tokens[1:]),
        topics=frozenset(topics),
        sides=sides,
        denies=denies,
        change=2 if "strong" in changes else 1 if "weak" in changes else 0,
        done="done" in changes,
        leaving="leaving" in changes,
        passing="passing" in changes,
        several=_of_several(rest),
        hedged=bool(TABLES.phrases("hedges").found(stems, joined, said, cjk=cjk)),
        within=TABLES.words("grammar", "within").intersection(plain)
        | TABLES.words("grammar", "seasons").intersection(stems),
        past=_PAST.search(whole) is not None,
        content=frozenset(word for word in words if not word.startswith("\x00")),
        subject=_subject(said),
        gone=_gone(whole),
    )


def _without_preface(text: str) -> str:
    match = _PREFACE.match(text)
    if match and all(word in TABLES.words("prefaces") for word in match[1].lower().split()):
        return text[match.end() :]
    return text


_CLAUSE = Pattern(r"[,;.:\uff0c\u3002](?=\s|\Z|[\u3400-\u9fff])")
_FEW_WORDS = 3


def _of_several(said: str) -> bool:
    """Return whether the first clause is about one of several; what follows it comes besides."""
    first = _CLAUSE.compiled.split(said.strip(), maxsplit=1)[0]
    tokens = _tokens(first)
    if len(tokens) < _FEW_WORDS and not CJK_SIGN.search(first):
        tokens, first = _tokens(said), said
    stems = [stem(token) for token in tokens]
    cjk = CJK_SIGN.search(first) is not None
    return bool(TABLES.phrases("several").found(stems, f" {' '.join(stems)} ", first, cjk=cjk))


# The first word where a verb follows it, or what it owns: it can be told from another by its letters.
_SUBJECT = Pattern(
    r"(?:The\s+|My\s+|Our\s+)?([^\W\d_a-z][\w-]+)(?:['\u2019]s\b|\s+(?:(?:now|also)\s+)?(?:is|has|was|will|had|\w{2,}[^s\W]s)\b)"
)


def _subject(said: str) -> str:
    match = _SUBJECT.match(said.strip())
    word = stem(match[1]) if match else ""
    return "" if not match or match[1].lower() in TABLES.grammar or word in TABLES.unsaid else word


_GONE = Pattern(
    r"\b(?:instead of|rather than|(?:has |have |had )?(?:replaced|replaces|dropped)|over from)\s+(?P<one>[^,.;]{2,60}?)(?=\s+(?:as|with|and|in|by|for|to)\b|[,.;]|$)"
    r"|\bfrom\s+(?!now\b|here\b|next\b|this\b)(?P<other>[^,.;]{1,60}?)\s+to\s+\S",
    re.IGNORECASE,
)


def _gone(text: str) -> frozenset[str]:
    """Return the words of what is no more, as a text has it: from these, instead of these."""
    match = _GONE.search(text)
    words = (match["one"] or match["other"]) if match else ""
    return frozenset(
        stem(word) for word in _WORD.findall(words) if word.lower() not in TABLES.grammar
    )


def _tokens(text: str) -> list[str]:
    result: list[str] = []
    for match in re.finditer(r"\x00\d+\x00|[^\s\x00]+", text):
        piece = match[0]
        if piece.startswith("\x00"):
            result.append(piece)
        else:
            result += _WORD.findall(piece)
    return result


def _sides_of(entries: Iterable[str], *, denies: bool) -> dict[str, int]:
    sides: dict[str, int] = {}
    for entry in entries:
        name, side = entry.split()
        sides[name] = -1 if side == "no" else sides.get(name, 1)
    if denies:
        for name in [
            name
            for name, side in sides.items()
            if side == 1 and name in {"allowed", "required", "liked", "going"}
        ]:
            sides[name] = -1
    return sides


def _words(tokens: list[str], stems: list[str], *, cjk: bool) -> tuple[str, ...]:
    result: list[str] = []
    grammar, unsaid = TABLES.grammar, TABLES.unsaid
    for token, word_stem in zip(tokens, stems, strict=True):
        low = token.lower().replace("\u2019", "'").removesuffix("'s")
        if token.startswith("\x00"):
            result.append(token)
        elif cjk and CJK_SIGN.search(token):
            result += _cjk_words(token)
        elif low not in grammar and not low.endswith("n't") and word_stem not in unsaid:
            result.append(word_stem)
    return tuple(result)


def _cjk_words(token: str) -> list[str]:
    """Return the words of topics in a Chinese or Japanese text, and pairs of its other characters."""
    result: list[str] = []
    for run in filter(None, TABLES.cjk_cut.split(token)):
        if run in TABLES.phrases("topics").of_word:
            result.append(run)
            continue
        for part in re.findall(r"[A-Za-z0-9]+|[^A-Za-z0-9\W]+", run):
            result += (
                [part.lower()]
                if part.isascii() or len(part) == 1
                else [part[i : i + 2] for i in range(len(part) - 1)]
            )
    return result


def _is_name(token: str) -> bool:
    return token[:1].isupper() and token.lower() not in TABLES.grammar


# What one used to do; not what one is used to, nor what something is used to do.
_USED_TO = Pattern(
    r"(?<!\b(?:am|is|be)\s)(?<!\b(?:are|was|get|got)\s)(?<!\b(?:were|been|gets)\s)(?<!'[ms]\s)(?<!'re\s)\bused\s+to\b",
    re.IGNORECASE,
)
_TURNED = ("allowed", "liked", "going")  # sides of which "no" turns round what a text says


def denies(text: str) -> bool:
    """Return whether a text negates its statement: not, never, hates, stopped, used to."""
    statement = read(text)
    turned = any(statement.sides.get(side) == -1 for side in _TURNED)
    return statement.denies or turned or _USED_TO.search(text) is not None


_FIGURES = Pattern(r"\d[\d.,:-]*\d|\d")
_NAMES = Pattern(r"(?<=[\w,;:)\"] )[A-Z][\w-]*[a-z\d][\w-]*")
_NO_NAMES = frozenset(["User", "Assistant"])


def figures_in(text: str) -> frozenset[str]:
    """Return the figures of a text: numbers, dates, times and versions, as written, and number words."""
    words = {word.lower() for word in _WORD.findall(text)}
    return frozenset(_FIGURES.findall(text)) | words.intersection(TABLES.numbers)


def names_in(text: str) -> frozenset[str]:
    """Return the words of a text with a capital inside a sentence: names, weekdays, products."""
    return frozenset(_NAMES.findall(text)) - _NO_NAMES
