"""A text cut into the words and figures that may name days, each of one kind.

The kinds of words are those of the lines of ``day_words.txt``; doubtful words name days only beside
others. Of figures there are:

===============  ==========================  ==================  ====================
``figure``       1 or 2 figures              ``date``            12/23, 2024-12-23
``figures``      3 figures                   ``doubtful_date``   3/5
``ordinal``      3rd, third                  ``pointed_date``    3.5.
``counted_day``  3日: a day, or days         ``year``            2024
``number``       a number word               ``quarter_number``  Q3
===============  ==========================  ==================  ====================
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.packaged import table_in
from memctl.base.pattern import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


# Tokens of units of time, by the unit.
UNITS = {f"{unit}s": unit for unit in ("day", "week", "weekend", "month", "quarter", "year")}
# The kind of token that a line of the file makes, where it has not the line's own name.
_KINDS = {
    "months": "month",
    "weekdays": "weekday",
    "seasons": "season",
    "numbers": "number",
    "ordinals": "ordinal",
    "days": "near_day",
    "which beside": "which_behind",
    "which in week": "which_week",
    "trailing": "past",
    "its time ago": "time_ago",
    "from now": "from_now",
    "habit": "every",
    "skip": "",
    "nothing": "other",
}
_FIRST_PLACE = {"days": -2, "which": -1, "which beside": -1, "which in week": -1, "weekdays": 0}
# The place of "this week" among its three.
_THIS = 2
# Kinds of which one stands in every text that names days in words.
_TELLING = frozenset({"month", "weekday", "season", "holiday", "near_day", *UNITS})

_LETTERS = Pattern(r"[^\W\d_]+")
_WORDS = Pattern(r"\w+")
# Figures that may be a date by themselves.
_FIGURES_OF_DATE = Pattern(r"\d(?:\d\d\d|\d?[./-]\d)")
_KANA = Pattern("[\u3041-\u30ff]")
_HAN = Pattern("[\u4e00-\u9fff]")
_HANGUL = Pattern("[\uac00-\ud7a3]")


class DayMeaning(NamedTuple):
    """The meaning of a word or some words for days.

    Of "last week" in one word (先週), `unit` is the kind of its second half.
    """

    words: tuple[str, ...]
    kind: str
    value: int | str = 0
    weak: bool = False
    shortened: bool = False
    shared: bool = False
    unit: str = ""


@dataclass(eq=False)
class DayLanguage:
    """The words of one language, by the first of each phrase, longest phrases first."""

    name: str
    signs: frozenset[str] = frozenset()
    unspaced: bool = False
    marks_days: bool = False
    phrases: dict[str, list[DayMeaning]] = field(default_factory=dict)

    def meanings(self) -> Iterator[DayMeaning]:
        """Yield all meanings of the language's words."""
        for phrase in self.phrases.values():
            yield from phrase

    @cached_property
    def words(self) -> frozenset[str]:
        """The words by which the language is known."""
        return self.signs | self.phrases.keys()

    @cached_property
    def unspaced_words(self) -> str:
        """A regular expression of all words, the longest first."""
        words = {" ".join(meaning.words) for meaning in self.meanings()}
        return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))

    def add(self, key: str, words: str) -> None:
        """Add a line of the file."""
        if key == "signs":
            self.signs = frozenset(words.split(", "))
        elif key == "unspaced":
            self.unspaced = True
        elif key == "ago" and self.unspaced:
            self.add("its time ago", words)
        elif key == "day mark":
            self.marks_days = True
        else:
            unit = f"{key}s" if f"{key}s" in UNITS else ""
            for place, names in enumerate(words.split("|"), _FIRST_PLACE.get(key, 1)):
                kind, value = _kind_of(key, place)
                for name in filter(None, map(str.strip, names.strip().split(", "))):
                    parts, mark = tuple(_LETTERS.findall(name.lower())), name[-1]
                    weak, cut, shared = mark in "?.", mark == ".", mark == "~"
                    self._add_meaning(DayMeaning(parts, kind, value, weak, cut, shared, unit))

    def _add_meaning(self, meaning: DayMeaning) -> None:
        phrases = self.phrases.setdefault(meaning.words[0], [])
        for i, other in enumerate(phrases):
            if other.words == meaning.words:
                # "vor" is both: "vor zwei Wochen", "vor Weihnachten".
                both = {other.kind, meaning.kind} == {"ago", "before"}
                phrases[i] = DayMeaning(meaning.words, "ago_or_before") if both else meaning
                return
        phrases.append(meaning)


def _kind_of(key: str, place: int) -> tuple[str, int | str]:
    if key.startswith("holiday "):
        return "holiday", key.removeprefix("holiday ")
    if key == "units":
        return list(UNITS)[place - 1], 0
    if f"{key}s" in UNITS:
        key, place = "which", place - _THIS
    return "this" if key == "which" and not place else _KINDS.get(key, key), place


@cache
def languages() -> dict[str, DayLanguage]:
    """Return the languages by name."""
    result: dict[str, DayLanguage] = {}
    for name, lines in table_in("memctl.text.calendar", "day_words.txt").items():
        language = result[name] = DayLanguage(name)
        for key, words in lines.items():
            language.add(key, words)
        for phrases in language.phrases.values():
            phrases.sort(key=lambda phrase: -len(phrase.words))
    del result[""]
    return result


@cache
def _telling_words() -> dict[str, dict[str, bool]]:
    """Return the words for days: their languages, and whether another has them, too."""
    result: dict[str, dict[str, bool]] = {}
    for language in _spaced():
        telling = [one for one in language.meanings() if one.kind in _TELLING or one.unit]
        for meaning in sorted(telling, key=lambda meaning: len(meaning.words)):
            if not any(language.name in result.get(word, {}) for word in meaning.words):
                of = result.setdefault(max(meaning.words, key=len), {})
                of[language.name] = meaning.shared
    return {
        word: {name: shared or len(of) > 1 for name, shared in of.items()}
        for word, of in result.items()
    }


@cache
def _spaced() -> list[DayLanguage]:
    return [language for language in languages().values() if not language.unspaced]


def languages_of(text: str) -> list[DayLanguage]:
    """Return the languages in which a text may name days.

    These are the ones of which it holds a word that no other has, and, for shared words and
    figures, the one that has most of its words; English before others.
    """
    words = frozenset(_WORDS.findall(text.lower()))
    shared_by: dict[str, bool] = {}
    for word in _telling_words().keys() & words:
        for name, shared in _telling_words()[word].items():
            shared_by[name] = shared_by.get(name, True) and shared
    names = {name for name, shared in shared_by.items() if not shared}
    figures = not names and _FIGURES_OF_DATE.search(text)
    if figures or len(names) < len(shared_by):
        likeliest = max(_spaced(), key=lambda one: len(words & one.words)).name
        if figures or likeliest in shared_by:
            names.add(likeliest)
    if not text.isascii():
        if _KANA.search(text):
            names.add("ja")
        else:
            names.update(("zh", "ja") if _HAN.search(text) else ())
            names.update(("ko",) if _HANGUL.search(text) else ())
    return [language for name, language in languages().items() if name in names] if names else []


class FigureDate(NamedTuple):
    """A date in figures: its year, if it names one, and the months and days it may be."""

    year: int | None
    places: tuple[tuple[int, int | None], ...]


class DayToken(NamedTuple):
    """A word or figures at a place of a text."""

    kind: str
    start: int
    end: int
    value: object = 0


_FIGURES = r"(?<![\w.$€£¥₹#@/\\:=~+<>*^])\d+(?:[.,:/\u2013-]\d+)*(?:T[\d:.]+Z?)?"
_COUNTER = (
    r"(?P<counted>\d+|[一二三四五六七八九十两兩]+)\s?(?P<counter>[月월日号號일年년])(?!間|间|간)"
)
_REST = r"(?P<dash>\s[\u2013\u2014-]\s|[\u2013\u2014]|-)|(?P<mark>[^\s,'\u2019\w])|(?P<other>\w)"
_TOKENS = Pattern(
    rf"(?P<figures>{_FIGURES})(?P<suffix>[^\W\d_]*)|(?P<quarter>[Qq][1-4]\b)|(?P<word>[^\W\d_]+)|{_REST}"
)

# Forms of figures. Without a year, a date that is as well a mark, a share or a number is doubtful.
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_FORMS = tuple(
    Pattern(form)
    for form in (
        rf"{_YEAR}(?P<mark>[-/.])(?P<month>\d\d?)(?P=mark)(?P<day>\d\d?)(?:T.*)?",
        rf"{_YEAR}-(?P<month>0[1-9]|1[0-2])",
        rf"(?P<one>\d\d?)(?P<mark>[/.-])(?P<other>\d\d?)(?P=mark){_YEAR}",
        r"(?P<one>\d\d)(?P<mark>[/.])(?P<other>\d\d)(?P=mark)(?P<short>\d\d)",
        r"(?P<one>\d\d?)(?P<mark>/)(?P<other>\d\d?)(?P=mark)(?P<short>\d\d)",
        r"(?P<one>\d\d?)(?P<mark>[/.])(?P<other>\d\d?)",
    )
)
_RANGE = Pattern(r"(\d{1,2})-(\d{1,2})|((?:19|20)\d\d)-((?:19|20)\d\d)")
_LISTED = Pattern(r"(\d{1,2}),((?:19|20)\d\d)")
_ORDINAL_ENDS = frozenset(["st", "nd", "rd", "th", "er", "º", "ª"])
_COUNTERS = {
    **dict.fromkeys("月월", "month"), **dict.fromkeys("日号號일", "counted_day"), **dict.fromkeys("年년", "year")
}  # fmt: skip
_MOST_COUNTED = {"month": 12, "counted_day": 999, "year": 9999}
_NUMERALS = {numeral: n for n, numeral in enumerate("一二三四五六七八九十", 1)} | {"两": 2, "兩": 2}
_MONTHS, _DAYS = 12, 31
_HYPHENATED = frozenset({"month", "capital_month", "small_month", "weekday", "short_weekday"})
# What a word that is mostly another is, beside others: a month or a weekday by its capital.
_WEAK = {
    ("month", True): "capital_month", ("month", False): "small_month", ("weekday", True): "short_weekday",
    ("season", True): "weak_season", ("season", False): "weak_season",
}  # fmt: skip
# A phrase has at most four words, with marks between.
_LONGEST_PHRASE = 10


def cut_for_days(text: str, language: DayLanguage) -> list[DayToken]:
    """Return the tokens of a text as one language reads it, words like "the" left out."""
    result: list[DayToken] = []
    pattern = _unspaced(language) if language.unspaced else _TOKENS
    matches = list(pattern.finditer(text))
    at = 0
    while at < len(matches):
        match = matches[at]
        at += 1
        group = match.lastgroup
        if group == "word":
            at += _add_word(result, matches, at - 1, language)
        elif group == "suffix":
            result += _figures(text, match, language)
        elif group == "counter":
            result += _counted(match)
        elif group == "quarter":
            result.append(DayToken("quarter_number", match.start(), match.end(), int(match[0][1])))
        elif group == "numeral":
            result.append(DayToken("number", match.start(), match.end(), _numeral(match[0])))
        elif group == "dash":
            _add_dash(result, match)
        elif not result or match.end() > result[-1].end:  # no point of "Sept."
            kind = "mark" if group == "mark" else "other"
            result.append(DayToken(kind, match.start(), match.end()))
    return result


@cache
def _unspaced(language: DayLanguage) -> Pattern:
    words = (
        rf"(?P<word>{language.unspaced_words}|[A-Za-z]+)|(?P<numeral>[一二三四五六七八九十两兩]+)"
    )
    figures = rf"(?P<figures>{_FIGURES})(?P<suffix>[A-Za-z%]*)"
    return Pattern(rf"{_COUNTER}|{words}|{figures}|{_REST}")


def _add_word(
    tokens: list[DayToken], matches: Sequence[re.Match[str]], at: int, language: DayLanguage
) -> int:
    """Append the phrase that begins at a match, and return how many more matches it took."""
    match = matches[at]
    for meaning in language.phrases.get(match["word"].lower(), ()):
        end = _end_of(meaning, match)
        if end:
            _add_meaning(tokens, meaning, match, end)
            return sum(other.start() < end for other in matches[at + 1 : at + _LONGEST_PHRASE])
    kind = "capital" if match["word"][0].isupper() else "other"
    tokens.append(DayToken(kind, match.start(), match.end()))
    return 0


def _end_of(meaning: DayMeaning, match: re.Match[str]) -> int:
    """Return where a phrase that begins at a match ends, and 0 where it does not go on."""
    if len(meaning.words) == 1:
        return match.end()
    phrase = _phrase(meaning.words).match(match.string, match.start())
    return phrase.end() if phrase else 0


@cache
def _phrase(words: tuple[str, ...]) -> Pattern:
    """Return a pattern of words with spaces, hyphens or apostrophes between: "avant-hier"."""
    return Pattern(r"[\s'\u2019-]+".join(words) + r"(?![^\W\d_])", re.IGNORECASE)


def _add_meaning(
    tokens: list[DayToken], meaning: DayMeaning, match: re.Match[str], end: int
) -> None:
    kind = meaning.kind
    if meaning.weak:
        capital = match["word"][0].isupper()
        kind = _WEAK.get((kind, capital), "other")
    if meaning.shortened and match.string[end : end + 1] == ".":
        end += 1
    if kind:
        tokens.append(DayToken(kind, match.start(), end, meaning.value))
    if meaning.unit:
        tokens.append(DayToken(meaning.unit, match.start(), end))


def _add_dash(tokens: list[DayToken], match: re.Match[str]) -> None:
    """Append "to" for a dash, unless it joins words: "mid-May"."""
    named = bool(tokens) and tokens[-1].kind in _HYPHENATED
    if match[0] != "-" or (named and match.string[match.end() :][:1].isalpha()):
        tokens.append(DayToken("to", match.start(), match.end()))


def _counted(match: re.Match[str]) -> Iterator[DayToken]:
    counted, kind = match["counted"], _COUNTERS[match["counter"]]
    value = int(counted) if counted.isdecimal() else _numeral(counted)
    if kind == "year" and len(counted) < len("2024"):  # 3年 counts years
        yield DayToken("figures", match.start(), match.end() - 1, value)
        yield DayToken("years", match.end() - 1, match.end())
    elif value <= _MOST_COUNTED[kind]:
        yield DayToken(kind, match.start(), match.end(), value)
    else:
        yield DayToken("other", match.start(), match.end())


def _numeral(text: str) -> int:
    """Return the number that numerals up to 99 write: 二十三 is 23."""
    tens, ten, ones = text.rpartition("十")
    if not ten:
        return _NUMERALS[text[-1]]
    return 10 * _NUMERALS.get(tens[:1], 1) + _NUMERALS.get(ones[:1], 0)


def _figures(text: str, match: re.Match[str], language: DayLanguage) -> Iterator[DayToken]:
    figures, suffix, (start, end) = (
        match["figures"].replace("\u2013", "-"),
        match["suffix"],
        match.span(),
    )
    if suffix:
        ordinal = figures.isdecimal() and suffix in _ORDINAL_ENDS and int(figures) <= _DAYS
        yield DayToken(
            "ordinal" if ordinal else "other", start, end, int(figures) if ordinal else 0
        )
    elif text[end : end + 1] in {"%", "°", "_", "$", "€", "£"} or not figures.isascii():
        yield DayToken("other", start, end)
    elif figures.isdecimal():
        yield _number(text, start, end, language)
    elif parted := _RANGE.fullmatch(figures) or _LISTED.fullmatch(figures):
        first, *_, other = [i for i, part in enumerate(parted.groups(), 1) if part]
        for i in (first, other):
            span = (start + parted.start(i), start + parted.end(i))
            yield _number(text, *span, language)
            if i == first and "," not in figures:
                yield DayToken("to", *span)
    else:
        read = _read(figures, stop=text[end : end + 1] == ".")
        kind, value = read or ("other", 0)
        yield DayToken(kind, start, end + (kind == "pointed_date"), value)


def _number(text: str, start: int, end: int, language: DayLanguage) -> DayToken:
    number, length = int(text[start:end][:5]), end - start
    if length == len("2024") and text[start : start + 2] in {"19", "20"}:
        return DayToken("year", start, end, number)
    if length <= len("31"):
        point = language.marks_days and text[end : end + 2] == ". "
        return DayToken("figure", start, end + point, number)
    return DayToken("figures" if length == len("365") else "other", start, end, number)


def _read(figures: str, *, stop: bool) -> tuple[str, FigureDate] | None:
    """Return the kind of a date in figures, sure or doubtful, and the date."""
    parts = next((m.groupdict() for form in _FORMS if (m := form.fullmatch(figures))), None)
    if parts is None:
        return None
    year = int(parts["year"]) if parts.get("year") else None
    if parts.get("short"):
        year = 2000 + int(parts["short"])
    if parts.get("month"):
        day = int(parts["day"]) if parts.get("day") else None
        return "date", FigureDate(year, ((int(parts["month"]), day),))
    first, other = int(parts["one"]), int(parts["other"])
    orders = [(other, first), (first, other)]
    if parts["mark"] == "." and _is_day(other, first):
        orders = orders[:1]  # with points, the day stands first
    places = tuple(dict.fromkeys(place for place in orders if _is_day(*place)))
    american = parts["mark"] == "/" and other > _MONTHS
    sure = year is not None or american
    if not places or (parts["mark"] == "." and year is None and not stop):
        return None
    doubtful = "pointed_date" if parts["mark"] == "." else "doubtful_date"
    return "date" if sure else doubtful, FigureDate(year, places)


def _is_day(month: int, day: int) -> bool:
    try:
        date(2024, month, day)
    except ValueError:
        return False
    return True
