"""The words that data are written with, by what they mean, and what a datum may end in."""

from __future__ import annotations

__all__ = [
    "COUNTS",
    "HAN",
    "MONTHS",
    "OFTEN",
    "TIMES",
    "UNITS",
    "WEEKDAYS",
    "ends_in_count",
    "ends_in_datum",
]


def _numbered(*lines: str, start: int = 0) -> dict[str, int]:
    return {word: n for n, line in enumerate(lines, start) for word in line.split()}


WEEKDAYS = _numbered(
    "monday mondays montag montags lunes lundi lundis 一 月",
    "tuesday tuesdays dienstag dienstags martes mardi mardis 二 火",
    "wednesday wednesdays mittwoch mittwochs miércoles mercredi mercredis 三 水",
    "thursday thursdays donnerstag donnerstags jueves jeudi jeudis 四 木",
    "friday fridays freitag freitags viernes vendredi vendredis 五 金",
    "saturday saturdays samstag samstags sonnabend sábado sábados samedi samedis 六 土",
    "sunday sundays sonntag sonntags domingo domingos dimanche dimanches 日 天",
)
MONTHS = _numbered(
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
COUNTS = _numbered(
    *"zero one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
)
HAN = {"两": 2} | {digit: n for n, digit in enumerate("〇一二三四五六七八九")}
UNITS = {
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
    """Whether the last word of `text` may end a datum: cheap, and mostly not so."""
    last = text[text.rfind(" ") + 1 :].lower()
    if last in _ENDS or last[-1:].isdigit() or last[:1] in _SIGNS_OR_DIGITS:
        return True
    if last in _AFTER_NUMBER:
        before = text.lower().split()[-2:][0]
        return before[-1:].isdigit() or before in _BEFORE_PERIOD
    return last in _CHANGED and ends_in_datum(text[: text.rfind(" ")])


def ends_in_count(text: str) -> bool:
    """Whether one of the words before the last of `text` may be a count: two dogs, 3 red bikes."""
    return any(word.isdigit() or word in COUNTS for word in text.lower().split()[-3:-1])
