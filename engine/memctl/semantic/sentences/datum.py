"""A datum of one kind in a few words: a time of day, a weekday, a date, a version, an amount.

``at 9:00``, ``at 9`` and ``um 9 Uhr`` say the same; ``in May`` and ``on 8 May`` can both be said,
``at 9:00`` and ``at 10:00`` of one meeting cannot. A value is made of parts, with a star for what
is not told: nine in the morning or in the evening, the year of a day.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memctl.base.pattern import Pattern
from memctl.semantic.sentences.word_tables import lines_in, numbers_in, words_in

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable

__all__ = [
    "MONTHS",
    "UNITS",
    "WEEKDAYS",
    "Datum",
    "either",
    "ends_in_datum",
    "may_be_one",
    "read_datum",
]

WEEKDAYS = numbers_in("weekdays")
MONTHS = numbers_in("months", start=1)
UNITS = {name: line.split()[0] for line in lines_in("units") for name in line.split()}
_ENDS = words_in("ends of data").union(WEEKDAYS, MONTHS, UNITS)
_SIGNS_OR_DIGITS = frozenset("0123456789€$£")


class Datum(NamedTuple):
    """A kind of datum (of an amount with its unit, of a version with what has it) and its value."""

    kind: str
    value: str


def ends_in_datum(text: str) -> bool:
    """Return whether the last word of `text` may end a datum: cheap, and mostly not so."""
    last = text[text.rfind(" ") + 1 :].lower()
    return last in _ENDS or last[-1:].isdigit() or last[:1] in _SIGNS_OR_DIGITS


def may_be_one(one: str, other: str) -> bool:
    """Return whether two values of one kind may both be said of one thing."""
    told = zip(one.split(), other.split(), strict=False)
    return all(a == b or "*" in {a, b} for a, b in told)


def either(words: Iterable[str]) -> str:
    """Return the regular expression of any of some words, the longest first."""
    return f"(?:{'|'.join(sorted(words, key=len, reverse=True))})".replace("$", r"\$")


_NOON, _HOUR, _MONTHS_A_YEAR, _DAYS_A_MONTH = 12, 60, 12, 31
_MONTH = rf"(?P<month>{either(MONTHS)})\.?"
_YEAR = r"(?P<year>1\d{3}|20\d{2}|21\d{2})"
_DAY = r"(?P<day>[0-3]?\d)"
_ON = r"(?:(?:on|for|to|by|am|den)\s+(?:the\s+)?)?"
_RELEASE = r"(?P<number>\d+(?:\.\d+)*)"
_NUMBER = r"(?P<number>\d+(?:[.,]\d+)*)"
_EACH = r"\s+(?:an?|per|each|every)\s+(?:hour|day|night|week|month|year|person)"
_THOUSANDS = Pattern(r"[1-9]\d{0,2}(?:,\d{3})+\Z|[1-9]\d{0,2}(?:\.\d{3})+\Z")


def _clock(found: re.Match[str]) -> Datum | None:
    """Return hour, minute and half of the day."""
    parts = found.groupdict()
    told, hour, minute = parts.get("half"), int(parts["hour"]), int(parts.get("minute") or 0)
    if hour > (_NOON if told else 2 * _NOON) or minute >= _HOUR:
        return None
    half = f"{told[0]}m" if told else "pm" if _NOON <= hour < 2 * _NOON else "am"
    if not told and 0 < hour < _NOON and not parts["hour"].startswith("0"):
        half = "*"
    return Datum("clock", f"{hour % _NOON} {minute} {half}")


def _calendar(found: re.Match[str]) -> Datum | None:
    """Return year, month and day."""
    parts = found.groupdict()
    written = parts.get("month") or ""
    month, day = MONTHS.get(written) or int(written or 0), int(parts.get("day") or 0)
    if month > _MONTHS_A_YEAR or day > _DAYS_A_MONTH:
        return None
    return Datum("calendar", f"{parts.get('year') or '*'} {month or '*'} {day or '*'}")


def _version(found: re.Match[str]) -> Datum:
    return Datum(f"version {found['what'].lower()}".strip(), found["number"].replace(".", " "))


def _weekday(found: re.Match[str]) -> Datum:
    return Datum("weekday", str(WEEKDAYS[found["day"]]))


def _port(found: re.Match[str]) -> Datum:
    return Datum("port", found["number"])


def _number(found: re.Match[str]) -> Datum:
    return Datum("number", _plain(found["number"]))


def _amount(found: re.Match[str]) -> Datum:
    parts = found.groupdict()
    unit = UNITS[parts["sign"] or parts["unit"]]
    return Datum(f"amount {unit}{parts['how'] or ''}", _plain(parts["number"]))


def _plain(number: str) -> str:
    """Return a number without what sets thousands apart, with a point before fractions."""
    if _THOUSANDS.match(number):
        return number.replace(",", "").replace(".", "")
    whole, _, rest = number.replace(",", ".").partition(".")
    rest = rest.rstrip("0")
    return f"{whole}.{rest}" if rest else whole


_TIME = r"(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))?"
_RELEASED = r"[a-z][\w.+-]*(?=\s+v?\d+\.\d)"
_DAY_OF_MONTH = rf"{_DAY}(?:\.|st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}"
_HALF = r"(?:\s*(?P<half>[ap]\.?m\.?)|\s+o'clock|\s+uhr)?"
_HOW = rf"(?P<how>\s+(?:tall|high|long|wide|deep|thick|old|alt)|{_EACH})?"
# A reader and the texts of its kind; "on page 3" is no version, which is of a thing that is named.
_READERS: tuple[tuple[Callable[[re.Match[str]], Datum | None], Pattern], ...] = tuple(
    (reader, Pattern(source))
    for reader, source in (
        (_clock, rf"(?:at|for|to|from|until|till|um|ab|bis)\s+{_TIME}{_HALF}"),
        (_clock, r"(?P<hour>\d{1,2}):(?P<minute>\d{2})"),
        (_weekday, rf"(?:(?:on|for|to|every|each|am|jeden)\s+)?(?P<day>{either(WEEKDAYS)})"),
        (_calendar, rf"{_ON}{_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)"),
        (_calendar, rf"{_ON}{_DAY}\.\s?(?P<month>\d\d?)\.\s?{_YEAR}"),
        (_calendar, rf"{_ON}{_DAY_OF_MONTH}(?:,?\s+{_YEAR})?"),
        (_calendar, rf"{_ON}{_MONTH}\s+{_DAY}(?:st|nd|rd|th)?(?:,?\s+{_YEAR})?"),
        (_calendar, rf"on\s+the\s+{_DAY}(?:st|nd|rd|th)"),
        (_calendar, rf"(?:in|for|to|im)\s+{_MONTH}(?:\s+{_YEAR})?"),
        (_calendar, rf"(?:in|for|to|im jahr)\s+{_YEAR}"),
        (_version, rf"(?:(?:on|at|to|auf)\s+)?(?P<what>)(?:[Vv]ersion|[Vv]\.?)\s?{_RELEASE}"),
        (_version, rf"(?:on|auf)\s+(?P<what>[A-Z][\w.+-]*|{_RELEASED})\s+v?{_RELEASE}"),
        (_port, r"(?:on|auf)\s+(?:the\s+)?port\s+(?P<number>\d+)"),
        (_amount, rf"(?P<sign>[€$£])\s?{_NUMBER}(?P<unit>)(?P<how>{_EACH})?"),
        (_amount, rf"(?P<sign>){_NUMBER}\s?(?P<unit>{either(UNITS)}){_HOW}"),
        (_number, _NUMBER),
    )
)


def read_datum(text: str, kinds: frozenset[str]) -> Datum | None:
    """Return the datum that `text` is, or ``None`` where it is none of the kinds asked for.

    A text is a few words with the preposition before them: ``at 9:00``, ``on 8 May``, ``20 euros``;
    kinds are ``clock``, ``weekday``, ``calendar``, ``version``, ``port``, ``amount`` and ``number``.
    """
    named = " ".join(text.split())
    plain = named.lower()
    for reader, pattern in _READERS:
        if found := pattern.fullmatch(named if reader is _version else plain):
            datum = reader(found)
            if datum and datum.kind.split()[0] in kinds:
                return datum
    return None
