"""What questions ask for: a person, a time, an amount; or all rows of something, a list."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Literal, cast

from memctl.base.pattern import Pattern, patterns_in
from memctl.text.calendar.said_dates import asks_when, tells_time
from memctl.text.closed_words import FORMS, GENERAL_WORDS, STOP_WORDS
from memctl.text.splitting import WORD

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from memctl.text.calendar.said_dates import DaySpan

AskedValue = Literal["", "person", "place", "phone", "money", "clock", "time", "number"]

# The first that fits counts.
_ASKED = patterns_in("memctl.search.question", "asked_values.txt")
_SHAPES = patterns_in("memctl.search.question", "asked_words.txt")
_NUMBERS = (
    "two zwei dos, three drei tres, four vier cuatro, five fünf cinco, six sechs seis, "
    "seven sieben siete, eight acht ocho, nine neun nueve, ten zehn diez"
)
_SMALL = {word: n for n, words in enumerate(_NUMBERS.split(", "), 2) for word in words.split()}
_NEAR = 80  # characters before a day that lead it in
_LED_IN = Pattern(r"\d| ")
_ONE_DAY = timedelta(days=1)
_A_DAY_ON = date.min + _ONE_DAY
# What a memory is called as a whole: who asks what is in it asks for no row that holds the word.
_MEMORY = frozenset(
    "agenda calendar chat diary journal memory notes kalender notizen tagebuch".split()  # noqa: SIM905
)


def asked_value(question: str) -> AskedValue:
    """Return the kind of value that a question asks for; empty where it asks for none of these."""
    lowered = question.lower()
    for kind, asks in _ASKED.items():
        if asks.search(lowered):
            return cast("AskedValue", kind)
    return "time" if asks_when(question) else ""


def asks_for_all(question: str) -> bool:
    """Return whether a question asks for all of something: "list every", "both", "which rules are"."""
    return _SHAPES["all"].search(question.lower()) is not None


@dataclass(frozen=True, slots=True)
class Listing:
    """What a question that asks for all of something wants of the rows.

    Parameters
    ----------
    asks
        Where the phrases stand that ask so, and name nothing that a row holds: "list", "in order".
    ordered
        In the order of time.
    newest
        How many of the newest; 0 for all.
    counted
        How many they are: each row counts for one, and needs to hold no number.
    whole
        All that was said of a thing: of a thread that opens with it, the rest, too.
    mine
        What whoever asks said: no reply of an assistant.
    happened
        What happened, was said or done.
    of_days
        Nothing but what happened: all rows of the days that it names, whatever they hold.
    """

    asks: tuple[tuple[int, int], ...]
    ordered: bool = False
    newest: int = 0
    counted: bool = False
    whole: bool = False
    mine: bool = False
    happened: bool = False
    of_days: bool = False


def listing_of(question: str, spans: Sequence[DaySpan] = ()) -> Listing | None:
    """Return the value that a question for all of something wants; ``None`` where it asks for less.

    Parameters
    ----------
    spans
        The days that it names: "the last three days" are no three things.
    """
    names = ("ordered", "counted", "newest", "whole", "happened", "listed")
    patterns = [_SHAPES[name] for name in names]
    hits = [pattern.search(question) for pattern in patterns]
    ordered, counted, newest, whole, happened, _ = hits
    if newest and any(s.start < newest.end() and newest.start() < s.end for s in spans):
        newest = None
    if not any([ordered, counted, newest, whole, happened and spans, hits[-1]]):
        return None
    named = newest["number"].lower() if newest else "0"
    kept = (ordered, counted, newest, *hits[3:])
    asks = [
        match.span(group)
        for pattern, hit in zip(patterns, kept, strict=True)
        if hit
        for match in pattern.finditer(question)
        for group in pattern.compiled.groupindex
        if group.startswith("ask") and match[group]
    ]
    return Listing(
        tuple(asks),
        ordered is not None,
        _SMALL[named] if named in _SMALL else int(named),
        counted is not None,
        whole is not None,
        _SHAPES["mine"].search(question) is not None,
        happened is not None,
        not any([ordered, counted, newest, whole, hits[-1]]),
    )


def days_of_list(question: str, spans: Sequence[DaySpan]) -> tuple[DaySpan, ...]:
    """Return the days that a list is of: "before July" is all days up to it, "since June" the last one's.

    A month or a season that nothing leads in is a word: "winter tyres" are of no winter.

    Parameters
    ----------
    spans
        The days that the question names, in each year that they may be of.
    """
    result: dict[tuple[int, int, object], DaySpan] = {}
    for span in spans:
        begin = max(0, span.start - _NEAR)
        led_in = _SHAPES["leads in"].search(question, begin, span.start)
        if not (span.from_now or led_in or _LED_IN.search(span.words)):
            continue
        if led_in is not None and led_in["upto"]:
            last = span.last if led_in["through"] else max(span.first, _A_DAY_ON) - _ONE_DAY
            span = replace(span, first=date.min, last=last)  # noqa: PLW2901
        key = (span.start, span.end, span.last)
        if key not in result or result[key].first < span.first:
            result[key] = span
    return tuple(result.values())


def names_thing(word: str) -> bool:
    """Return whether a word names something that a row must have: not "happened", not "diary"."""
    forms = (word, *FORMS.get(word, ()))
    return GENERAL_WORDS.isdisjoint(forms) and word not in _MEMORY


def focus_of(question: str) -> str:
    """Return the noun that a question asks for, as "breed" of "what breed is it"; else nothing."""
    for match in _SHAPES["focus"].finditer(question.lower()):
        word = str(match[1])
        if word not in STOP_WORDS and word not in GENERAL_WORDS:
            return word
    return ""


def named_things(question: str) -> frozenset[str]:
    """Return the words, in lower case, that a question writes with a capital, the first left out."""
    words = WORD.findall(question)[1:]
    if not any(word.islower() and word not in STOP_WORDS for word in words):
        return frozenset()  # a title, or a shout
    return frozenset(word.lower() for word in words if word[0].isupper() and len(word) > 1)


def has_value(kind: AskedValue, text: str, question_words: Collection[str]) -> bool:
    """Return whether a text has a value of a kind: an amount, somebody whom the question does not name.

    Parameters
    ----------
    question_words
        The words of the question, in lower case.
    """
    lowered = text.lower()
    match kind:
        case "person":
            known = STOP_WORDS | GENERAL_WORDS
            names = (word.lower() for word in _SHAPES["capital"].findall(text))
            return any(name not in question_words and name not in known for name in names)
        case "place" | "phone" | "money" | "clock":
            return _SHAPES[kind].search(lowered) is not None
        case "time":
            digit = any(map(str.isdigit, text))
            timed = any(_SHAPES[name].search(lowered) for name in ("clock", "weekdays"))
            return digit or timed or tells_time(text)
        case _:
            return _SHAPES["numeral"].search(_SHAPES["date"].sub(" ", lowered)) is not None
