"""A datum of one kind in a few words: a time of day, a weekday, a date, a version, an amount.

``at 9:00``, ``at 9 am`` and ``um 9 Uhr`` say the same; ``in May`` and ``on 8 May`` can both be
said, ``at 9:00`` and ``at 10:00`` of one meeting cannot. What is told in part, or in a way that
leaves room (nine in the morning or in the evening), excludes only what it leaves no room for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memctl.base.pattern import Pattern
from memctl.semantic.sentences.word_tables import lines_in, numbers_in

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

__all__ = ["Datum", "ends_in_count", "ends_in_datum", "may_be_one", "read_datum"]


WEEKDAYS = numbers_in("weekdays")
MONTHS = numbers_in("months", start=1)
COUNTS = {
    word: n
    for n, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
    )
}
HAN = {"两": 2} | {digit: n for n, digit in enumerate("〇一二三四五六七八九")}
UNITS = {name: line.split()[0] for line in lines_in("units") for name in line.split()}
OFTEN = {
    "hourly": "1 hour", "daily": "1 day", "nightly": "1 night", "weekly": "1 week", "fortnightly": "2 week",
    "monthly": "1 month", "quarterly": "3 month", "yearly": "1 year", "annually": "1 year",
}  # fmt: skip
TIMES = {"once": 1, "twice": 2} | {f"{word} times": n for word, n in COUNTS.items()}
_FURTHER_ENDS = frozenset(
    """% am pm a.m p.m noon midnight o'clock uhr heures statt geboren tall high long wide deep thick
    heavy""".split()  # noqa: SIM905  (a list of words reads best as words)
)
_ENDS = _FURTHER_ENDS | WEEKDAYS.keys() | MONTHS.keys() | OFTEN.keys()
_PERIODS = frozenset("minute hour day night week month quarter year person".split())  # noqa: SIM905
# "20 euros" may be an amount, "every day" how often, "in euros" or "that day" are neither.
_AFTER_NUMBER = UNITS.keys() | _PERIODS | {f"{period}s" for period in _PERIODS}
_BEFORE_PERIOD = frozenset({"every", "each", "a", "an", "per", "other"}) | COUNTS.keys()


_CHANGED = frozenset({"now", "again", "jetzt", "wieder", "ahora", "maintenant"})
_SIGNS_OR_DIGITS = frozenset("0123456789€$£")


def ends_in_datum(text: str) -> bool:
    """Return whether the last word of `text` may end a datum: cheap, and mostly not so."""
    last = text[text.rfind(" ") + 1 :].lower()
    if last in _ENDS or last[-1:].isdigit() or last[:1] in _SIGNS_OR_DIGITS:
        return True
    if last in _AFTER_NUMBER:
        before = text.lower().split()[-2:][0]
        return before[-1:].isdigit() or before in _BEFORE_PERIOD
    return last in _CHANGED and ends_in_datum(text[: text.rfind(" ")])


def ends_in_count(text: str) -> bool:
    """Return whether one of the words before the last of `text` may be a count: two dogs, 3 red bikes."""
    return any(word.isdigit() or word in COUNTS for word in text.lower().split()[-3:-1])


class Datum(NamedTuple):
    """A kind of datum (of an amount with its unit, of a version with what has it) and its value."""

    kind: str
    value: str


def _any(words: dict[str, int] | dict[str, str]) -> str:
    return f"(?:{'|'.join(sorted(words, key=len, reverse=True))})".replace("$", r"\$")


_AFTERNOON = ("p", "下午", "晚上", "午後")
_NOON, _HOUR, _MONTHS_A_YEAR, _DAYS_A_MONTH = 12, 60, 12, 31
_MONTH = rf"(?P<month>{_any(MONTHS)})\.?"
_YEAR = r"(?P<year>1\d{3}|20\d{2}|21\d{2})"
_DAY = r"(?P<day>[0-3]?\d)"
_ON = r"(?:(?:on|for|to|by|am|den|el|le)\s+(?:the\s+)?)?"
_IN = r"(?:in|for|to|im|en|im jahr|en el año)\s+(?:de\s+)?"
_RELEASE = r"(?P<number>\d+(?:\.\d+)*)"
_NUMBER = r"(?P<number>\d+(?:[.,]\d+)*)"
_FEW = r"(?P<number>\d{1,4}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_EACH = r"\s+(?:an?|per|each|every)\s+(?:hour|day|night|week|month|year|person)"
_PERIOD = r"(?P<period>minute|hour|day|night|week|month|quarter|year)"


# -- what each kind is read with -------------------------------------------------------------


def _clock(found: re.Match[str]) -> Datum | None:
    """Return hour and minute; with a question mark where morning and evening are both left open."""
    parts = found.groupdict()
    if word := parts.get("word"):
        return Datum("clock", "12:00" if word in {"noon", "midday", "mittag"} else "00:00")
    told, number = parts.get("half") or "", _han(parts["hour"])
    minute = 30 if parts.get("past") else int(parts.get("minute") or 0)
    if number > (_NOON if told else 2 * _NOON) or minute >= _HOUR:
        return None
    if told:
        number = number % _NOON + _NOON * told.startswith(_AFTERNOON)
    left_open = not told and 0 < number < _NOON and not parts["hour"].startswith("0")
    return Datum("clock", f"{number % (2 * _NOON):02}:{minute:02}{'?' * left_open}")


def _han(written: str) -> int:
    """Return an hour in digits or in Chinese numerals: ``十一`` is 11."""
    if written.isdecimal():
        return int(written)
    tens, ten, ones = written.rpartition("十")
    return (HAN.get(tens, 1) * 10 if ten else 0) + (HAN.get(ones, 0) if ones else 0)


def _weekday(found: re.Match[str]) -> Datum:
    return Datum("weekday", str(WEEKDAYS[found["day"]]))


def _calendar(found: re.Match[str]) -> Datum | None:
    """Return year, month and day, with a star for what is not told."""
    parts = found.groupdict()
    written = parts.get("month") or ""
    month = MONTHS.get(written) or int(written or 0)
    day = int(parts.get("day") or 0)
    if month > _MONTHS_A_YEAR or day > _DAYS_A_MONTH:
        return None
    year = parts.get("year") or "*"
    return Datum("calendar", f"{year}-{month or '*'}-{day or '*'}")


def _version(found: re.Match[str]) -> Datum:
    return Datum(f"version {found['what'].lower()}".strip(), found["number"])


def _port(found: re.Match[str]) -> Datum:
    return Datum("port", found["number"])


def _often(found: re.Match[str]) -> Datum:
    parts = found.groupdict()
    if word := parts.get("word"):
        return Datum("often", OFTEN[word])
    period = parts["period"]
    times = TIMES.get(parts.get("times") or "", 1)
    if times != 1:
        return Datum("often", f"{times} a {period}")
    number = "2" if parts.get("other") else parts.get("number") or "1"
    return Datum("often", f"{COUNTS.get(number, number)} {period}")


def _amount(found: re.Match[str]) -> Datum:
    parts = found.groupdict()
    unit = UNITS[parts["sign"] or parts["unit"]]
    number = str(COUNTS[parts["few"]]) if parts.get("few") else _plain(parts["number"])
    return Datum(f"amount {unit}{parts['how'] or ''}", number)


def _number(found: re.Match[str]) -> Datum:
    return Datum("number", _plain(found["number"]))


def _count(found: re.Match[str]) -> Datum | None:
    number = found["number"]
    if found["what"] in UNITS:
        return None
    return Datum(f"count {found['what']}", str(COUNTS.get(number, number)))


def _plain(number: str) -> str:
    """Return a number without what sets thousands apart, with a point before fractions."""
    if _THOUSANDS.match(number):
        return number.replace(",", "").replace(".", "")
    whole, _, rest = number.replace(",", ".").partition(".")
    rest = rest.rstrip("0")
    return f"{whole}.{rest}" if rest else whole


_THOUSANDS = Pattern(r"[1-9]\d{0,2}(?:,\d{3})+\Z|[1-9]\d{0,2}(?:\.\d{3})+\Z")


def _kind(
    reader: Callable[[re.Match[str]], Datum | None], *parts: str
) -> tuple[Pattern, Callable[[re.Match[str]], Datum | None]]:
    return Pattern("".join(parts)), reader


_READERS = (
    _kind(_clock, r"(?:at|for|to|um|ab)\s+(?P<word>noon|midday|midnight|mittag|mitternacht)"),
    _kind(
        _clock,
        r"(?:at|for|to|from|until|till|um|ab|bis|a las?|à)\s+",
        r"(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))?",
        r"(?:\s*(?P<half>[ap]\.?m\.?)|\s+o'clock|\s+uhr)?",
    ),
    _kind(_clock, r"à\s+(?P<hour>\d{1,2})\s?(?:h|heures)\s?(?P<minute>\d{2})?"),
    _kind(
        _clock,
        r"(?P<half>上午|早上|午前|下午|晚上|午後)?(?P<hour>\d{1,2}|[一二两三四五六七八九十]{1,3})",
        r"[点時](?:(?P<minute>\d{1,2})分|(?P<past>半))?",
    ),
    _kind(_clock, r"(?P<hour>\d{1,2}):(?P<minute>\d{2})"),
    _kind(
        _weekday,
        r"(?:(?:on|for|to|every|each|am|jeden|el|los|todos los|cada|le|les|tous les|chaque)\s+)?",
        rf"(?P<day>{_any({word: n for word, n in WEEKDAYS.items() if len(word) > 1})})",
    ),
    _kind(_weekday, r"每?(?:周|星期|礼拜)(?P<day>[一二三四五六日天])"),
    _kind(_weekday, r"(?:毎週)?(?P<day>[月火水木金土日])曜日?"),
    _kind(_calendar, rf"{_ON}{_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)"),
    _kind(_calendar, rf"{_ON}{_DAY}\.\s?(?P<month>\d\d?)\.\s?{_YEAR}"),
    _kind(
        _calendar,
        rf"{_ON}{_DAY}(?:\.|st|nd|rd|th|er)?\s+(?:of\s+|de\s+)?{_MONTH}",
        rf"(?:,?\s+(?:del?\s+)?{_YEAR})?",
    ),
    _kind(_calendar, rf"{_ON}{_MONTH}\s+{_DAY}(?:st|nd|rd|th)?(?:,?\s+{_YEAR})?"),
    _kind(_calendar, rf"on\s+the\s+{_DAY}(?:st|nd|rd|th)"),
    _kind(_calendar, rf"{_IN}{_MONTH}(?:\s+(?:de\s+)?{_YEAR})?"),
    _kind(_calendar, rf"{_IN}{_YEAR}"),
    _kind(_calendar, rf"{_YEAR}年(?:(?P<month>\d\d?)月(?:(?P<day>\d\d?)日)?)?"),
    _kind(
        _version,
        r"(?:(?:on|at|to|auf|en|sur)\s+)?(?:la\s+)?(?P<what>)",
        rf"(?:[Vv]ersion|[Vv]ersión|[Vv]\.?)\s?{_RELEASE}",
    ),
    # Of a thing that is named: "on page 3" is no version.
    _kind(
        _version,
        r"(?:on|auf|sur|en)\s+(?P<what>[A-Z][\w.+-]*|[a-z][\w.+-]*(?=\s+v?\d+\.\d))",
        rf"\s+v?{_RELEASE}",
    ),
    _kind(_port, r"(?:on|auf|en|sur)\s+(?:the\s+|el\s+|le\s+)?(?:port|puerto)\s+(?P<number>\d+)"),
    _kind(_often, rf"(?P<word>{_any(OFTEN)})"),
    _kind(_often, rf"every\s+(?:(?P<other>other)\s+|{_FEW}\s+)?{_PERIOD}s?"),
    _kind(_often, rf"(?P<times>{_any(TIMES)})\s+(?:a|per|every)\s+{_PERIOD}"),
    _kind(_amount, rf"(?P<sign>[€$£])\s?{_NUMBER}(?P<unit>)(?P<how>{_EACH})?"),
    _kind(
        _amount,
        rf"(?P<sign>)(?:{_NUMBER}\s?|(?P<few>{_any(COUNTS)})\s+)(?P<unit>{_any(UNITS)})",
        rf"(?P<how>\s+(?:tall|high|long|wide|deep|thick)|{_EACH})?",
    ),
    _kind(_number, _NUMBER),
    _kind(_count, rf"{_FEW}\s+(?P<what>[^\W\d_]+(?:\s+[^\W\d_]+)?)"),
)


def read_datum(text: str, kinds: frozenset[str]) -> Datum | None:
    """Return the datum that `text` is, or ``None`` where it is none of the kinds asked for.

    A text is a few words with the preposition before them: ``at 9:00``, ``on 8 May``, ``20 euros``;
    kinds are ``clock``, ``weekday``, ``calendar``, ``version``, ``port``, ``often``, ``amount``,
    ``number`` and ``count``.
    """
    named = " ".join(text.split())
    plain = named.lower()
    for pattern, reader in _READERS:
        if found := pattern.fullmatch(named if reader is _version else plain):
            datum = reader(found)
            if datum and datum.kind.split()[0] in kinds:
                return datum
    return None


def may_be_one(kind: str, one: str, other: str) -> bool:
    """Return whether two values of one kind, in the form of `Datum`, may both be said of one thing."""
    if kind == "clock" and "?" in one + other:
        return _in_half_day(one) == _in_half_day(other)
    if kind == "calendar":
        told = zip(one.split("-"), other.split("-"), strict=True)
        return all(a == b or "*" in {a, b} for a, b in told)
    if kind.startswith("version"):
        return all(a == b for a, b in zip(one.split("."), other.split("."), strict=False))
    # What is done every night is done every day.
    return one == other or (
        kind == "often" and one.replace("night", "day") == other.replace("night", "day")
    )


def _in_half_day(clock: str) -> int:
    hour, minute = clock.rstrip("?").split(":")
    return int(hour) % _NOON * _HOUR + int(minute)
