# ruff: noqa: RUF001 - other scripts and their punctuation are what is read
"""Reads a datum of one kind off a few words: a time of day, a weekday, a date, a version, an amount.

``at 9:00``, ``at 9 am`` and ``um 9 Uhr`` say the same; ``in May`` and ``on 8 May`` can both be
said, ``at 9:00`` and ``at 10:00`` of one meeting cannot. What is told in part, or in a way that
leaves room (nine in the morning or in the evening), excludes only what it leaves no room for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memctl.pattern import Pattern

if TYPE_CHECKING:
    import re
    from collections.abc import Callable

__all__ = ["Datum", "ends_in_datum", "may_be_one", "read_datum"]


class Datum(NamedTuple):
    """A kind of datum (of an amount with its unit, of a version with what has it) and its value."""

    kind: str
    value: str


def _numbered(*lines: str, start: int = 0) -> dict[str, int]:
    return {word: n for n, line in enumerate(lines, start) for word in line.split()}


_WEEKDAYS = _numbered(
    "monday mondays montag montags lunes lundi lundis 一 月",
    "tuesday tuesdays dienstag dienstags martes mardi mardis 二 火",
    "wednesday wednesdays mittwoch mittwochs miércoles mercredi mercredis 三 水",
    "thursday thursdays donnerstag donnerstags jueves jeudi jeudis 四 木",
    "friday fridays freitag freitags viernes vendredi vendredis 五 金",
    "saturday saturdays samstag samstags sonnabend sábado sábados samedi samedis 六 土",
    "sunday sundays sonntag sonntags domingo domingos dimanche dimanches 日 天",
)
_MONTHS = _numbered(
    "january jan januar jänner enero janvier",
    "february feb februar febrero février",
    "march mar märz marzo mars",
    "april apr abril avril",
    "may mai mayo",
    "june jun juni junio juin",
    "july jul juli julio juillet",
    "august aug agosto août",
    "september sep sept septiembre septembre",
    "october oct oktober octubre octobre",
    "november nov noviembre novembre",
    "december dec dezember diciembre décembre",
    start=1,
)
_COUNTS = _numbered(
    *"zero one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
)
_HAN = {"两": 2} | {digit: n for n, digit in enumerate("〇一二三四五六七八九")}
_UNITS = {
    name: line.split()[0]
    for line in """
    € euro euros eur
    $ dollar dollars usd
    £ pound pounds gbp
    yen jpy ¥
    franc francs franken chf
    % percent prozent
    second seconds sec secs s sekunde sekunden segundos secondes
    minute minutes min mins minuten minutos
    hour hours hrs h stunde stunden horas heures
    day days tag tage días jours
    week weeks woche wochen semanas semaines
    month months monat monate meses mois
    year years
    ms milliseconds
    kg kilo kilos kilogram kilograms kilogramm
    g gram grams gramm
    m metre metres meter meters metros mètres
    cm centimetre centimetres centimeter centimeters
    km kilometre kilometres kilometer kilometers
    gb gigabyte gigabytes
    mb megabyte megabytes
    °c celsius
    """.strip().split("\n")
    for name in line.split()
}
_OFTEN = {
    "hourly": "1 hour", "daily": "1 day", "nightly": "1 night", "weekly": "1 week", "fortnightly": "2 week",
    "monthly": "1 month", "quarterly": "3 month", "yearly": "1 year", "annually": "1 year",
}  # fmt: skip
_TIMES = {"once": 1, "twice": 2} | {f"{word} times": n for word, n in _COUNTS.items()}
_FURTHER_ENDS = frozenset(
    """% am pm a.m p.m noon midnight o'clock uhr heures statt geboren tall high long wide deep thick
    heavy""".split()  # noqa: SIM905  (a list of words reads best as words)
)
_ENDS = _FURTHER_ENDS | _WEEKDAYS.keys() | _MONTHS.keys() | _OFTEN.keys()
_PERIODS = frozenset("minute hour day night week month quarter year".split())  # noqa: SIM905
# "20 euros" may be an amount, "every day" how often, "in euros" or "that day" are neither.
_AFTER_NUMBER = _UNITS.keys() | _PERIODS | {f"{period}s" for period in _PERIODS}
_BEFORE_PERIOD = frozenset({"every", "a", "per", "other"}) | _COUNTS.keys()


_CHANGED = frozenset({"now", "again", "jetzt", "wieder", "ahora", "maintenant"})
_SIGNS_OR_DIGITS = frozenset("0123456789€$£")


def _any(words: dict[str, int] | dict[str, str]) -> str:
    return f"(?:{'|'.join(sorted(words, key=len, reverse=True))})".replace("$", r"\$")


_MONTH = rf"(?P<month>{_any(_MONTHS)})\.?"
_YEAR = r"(?P<year>1\d{3}|20\d{2}|21\d{2})"
_DAY = r"(?P<day>[0-3]?\d)"
_ON = r"(?:(?:on|for|to|by|am|den|el|le)\s+(?:the\s+)?)?"
_IN = r"(?:in|for|to|im|en|im jahr|en el año)\s+(?:de\s+)?"
_NUMBER = r"(?P<number>\d+(?:[.,]\d+)*)"
_FEW = r"(?P<number>\d{1,4}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_PERIOD = r"(?P<period>minute|hour|day|night|week|month|quarter|year)"


# -- what each kind is read with -------------------------------------------------------------


def _clock(found: re.Match[str]) -> Datum | None:
    """Return hour and minute; with a question mark where morning and evening are both left open."""
    parts = found.groupdict()
    if word := parts.get("word"):
        return Datum("clock", "12:00" if word in {"noon", "midday", "mittag"} else "00:00")
    hour, half = parts["hour"], (parts.get("half") or "")[:1]
    number, minute = _han(hour), 30 if half in {"半"} else int(parts.get("minute") or 0)
    if number > 24 or minute > 59 or (half in {"a", "p"} and number > 12):
        return None
    if half in {"a", "p"}:
        return Datum("clock", f"{number % 12 + 12 * (half == 'p'):02}:{minute:02}")
    open_ = 0 < number < 12 and not hour.startswith("0")
    return Datum("clock", f"{number % 24:02}:{minute:02}{'?' * open_}")


def _han(written: str) -> int:
    """Return an hour in digits or in Chinese numerals: ``十一`` is 11."""
    if written.isdecimal():
        return int(written)
    tens, ten, ones = written.rpartition("十")
    return (_HAN.get(tens, 1) * 10 if ten else 0) + (_HAN.get(ones, 0) if ones else 0)


def _weekday(found: re.Match[str]) -> Datum:
    return Datum("weekday", str(_WEEKDAYS[found["day"]]))


def _calendar(found: re.Match[str]) -> Datum | None:
    """Return year, month and day, with a star for what is not told."""
    parts = found.groupdict()
    written = parts.get("month") or ""
    month = _MONTHS.get(written) or int(written or 0)
    day = int(parts.get("day") or 0)
    if month > 12 or day > 31:
        return None
    year = parts.get("year") or "*"
    return Datum("calendar", f"{year}-{month or '*'}-{day or '*'}")


def _version(found: re.Match[str]) -> Datum:
    return Datum(f"version {found['what'] or ''}".strip(), found["number"])


def _port(found: re.Match[str]) -> Datum:
    return Datum("port", found["number"])


def _often(found: re.Match[str]) -> Datum:
    parts = found.groupdict()
    if word := parts.get("word"):
        return Datum("often", _OFTEN[word])
    period = parts["period"]
    times = _TIMES.get(parts.get("times") or "", 1)
    if times != 1:
        return Datum("often", f"{times} a {period}")
    number = "2" if parts.get("other") else parts.get("number") or "1"
    return Datum("often", f"{_COUNTS.get(number, number)} {period}")


def _amount(found: re.Match[str]) -> Datum:
    unit = _UNITS[found["sign"] or found["unit"]]
    return Datum(" ".join(("amount", unit, found["how"] or "")).strip(), _plain(found["number"]))


def _number(found: re.Match[str]) -> Datum:
    return Datum("number", _plain(found["number"]))


def _count(found: re.Match[str]) -> Datum | None:
    number = found["number"]
    if found["what"] in _UNITS:
        return None
    return Datum(f"count {found['what']}", str(_COUNTS.get(number, number)))


def _plain(number: str) -> str:
    """Return a number without what sets thousands apart, with a point before fractions."""
    if _THOUSANDS.match(number):
        return number.replace(",", "").replace(".", "")
    whole, _, rest = number.replace(",", ".").partition(".")
    rest = rest.rstrip("0")
    return f"{whole}.{rest}" if rest else whole


_THOUSANDS = Pattern(r"[1-9]\d{0,2}(?:,\d{3})+\Z|[1-9]\d{0,2}(?:\.\d{3})+\Z")
_KINDS: tuple[tuple[str, Callable[[re.Match[str]], Datum | None]], ...] = (
    (r"(?:at|for|to|um|ab)\s+(?P<word>noon|midday|midnight|mittag|mitternacht)", _clock),
    (
        r"(?:at|for|to|um|ab|a las?|à)\s+(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))?"
        r"(?:\s*(?P<half>[ap]\.?m\.?)|\s+o'clock|\s+uhr)?",
        _clock,
    ),
    (r"à\s+(?P<hour>\d{1,2})\s?(?:h|heures)\s?(?P<minute>\d{2})?", _clock),
    (r"(?P<hour>\d{1,2}|[一二两三四五六七八九十]{1,3})[点時](?:(?P<minute>\d{1,2})分|(?P<half>半))?", _clock),
    (r"(?P<hour>\d{1,2}):(?P<minute>\d{2})", _clock),
    (
        rf"(?:(?:on|for|to|every|each|am|jeden|el|los|todos los|cada|le|les|tous les|chaque)\s+)?"
        rf"(?P<day>{_any({word: n for word, n in _WEEKDAYS.items() if len(word) > 1})})",
        _weekday,
    ),
    (r"每?(?:周|星期|礼拜)(?P<day>[一二三四五六日天])", _weekday),
    (r"(?:毎週)?(?P<day>[月火水木金土日])曜日?", _weekday),
    (rf"{_ON}{_YEAR}-(?P<month>\d\d)-(?P<day>\d\d)", _calendar),
    (rf"{_ON}{_DAY}\.\s?(?P<month>\d\d?)\.\s?{_YEAR}", _calendar),
    (rf"{_ON}{_DAY}(?:\.|st|nd|rd|th|er)?\s+(?:of\s+|de\s+)?{_MONTH}(?:,?\s+(?:del?\s+)?{_YEAR})?", _calendar),
    (rf"{_ON}{_MONTH}\s+{_DAY}(?:st|nd|rd|th)?(?:,?\s+{_YEAR})?", _calendar),
    (rf"{_IN}{_MONTH}(?:\s+(?:de\s+)?{_YEAR})?", _calendar),
    (rf"{_IN}{_YEAR}", _calendar),
    (rf"{_YEAR}年(?:(?P<month>\d\d?)月(?:(?P<day>\d\d?)日)?)?", _calendar),
    (
        r"(?:(?:on|at|to|auf|en|sur)\s+)?(?:la\s+)?(?P<what>)(?:version|versión|v\.?)\s?(?P<number>\d+(?:\.\d+)*)",
        _version,
    ),
    (r"(?:on|auf|sur|en)\s+(?P<what>(?!port\b|puerto\b)[a-z][\w.+-]*)\s+v?(?P<number>\d+(?:\.\d+)*)", _version),
    (r"(?:on|auf|en|sur)\s+(?:the\s+|el\s+|le\s+)?(?:port|puerto)\s+(?P<number>\d+)", _port),
    (rf"(?P<word>{_any(_OFTEN)})", _often),
    (rf"every\s+(?:(?P<other>other)\s+|{_FEW}\s+)?{_PERIOD}s?", _often),
    (rf"(?P<times>{_any(_TIMES)})\s+(?:a|per|every)\s+{_PERIOD}", _often),
    (
        rf"(?:(?P<sign>[€$£])\s?{_NUMBER})(?P<unit>)(?P<how>)",
        _amount,
    ),
    (
        rf"(?P<sign>){_NUMBER}\s?(?P<unit>{_any(_UNITS)})(?:\s+(?P<how>tall|high|long|wide|deep|thick))?",
        _amount,
    ),
    (_NUMBER, _number),
    (rf"{_FEW}\s+(?P<what>[^\W\d_]+(?:\s+[^\W\d_]+)?)", _count),
)  # fmt: skip
_READERS = tuple((Pattern(source), reader) for source, reader in _KINDS)


def read_datum(text: str, kinds: frozenset[str]) -> Datum | None:
    """Return the datum that `text` is, or ``None`` where it is none of the kinds asked for.

    Parameters
    ----------
    text
        A few words with the preposition before them: ``at 9:00``, ``on 8 May``, ``20 euros``.
    kinds
        Of ``clock``, ``weekday``, ``calendar``, ``version``, ``port``, ``often``, ``amount``,
        ``number`` and ``count``.
    """
    plain = " ".join(text.lower().split())
    for pattern, reader in _READERS:
        if found := pattern.fullmatch(plain):
            datum = reader(found)
            if datum and datum.kind.split()[0] in kinds:
                return datum
    return None


def ends_in_datum(text: str) -> bool:
    """Whether the last word of `text` may end a datum: cheap, and mostly not so."""
    last = text[text.rfind(" ") + 1 :].lower()
    if last in _ENDS or last[-1:].isdigit() or last[:1] in _SIGNS_OR_DIGITS:
        return True
    if last in _AFTER_NUMBER:
        before = text.lower().split()[-2:][0]
        return before[-1:].isdigit() or before in _BEFORE_PERIOD
    return last in _CHANGED and ends_in_datum(text[: text.rfind(" ")])


def may_be_one(kind: str, one: str, other: str) -> bool:
    """Whether two values of one kind, in the form of `Datum`, may both be said of one thing."""
    if kind == "clock" and "?" in one + other:
        return _in_half_day(one) == _in_half_day(other)
    if kind == "calendar":
        told = zip(one.split("-"), other.split("-"), strict=True)
        return all(a == b or "*" in {a, b} for a, b in told)
    if kind.startswith("version"):
        return all(a == b for a, b in zip(one.split("."), other.split("."), strict=False))
    # What is done every night is done every day.
    return one == other or (kind == "often" and one.replace("night", "day") == other.replace("night", "day"))


def _in_half_day(clock: str) -> int:
    hour, minute = clock.rstrip("?").split(":")
    return int(hour) % 12 * 60 + int(minute)
