"""Rewriting of a sentence so that it stands alone: who says it, on which day, whom it means.

English alone is rewritten: "I" becomes the speaker, with the verb that follows; "tomorrow" becomes a
date, in every language that the calendar reads.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from itertools import dropwhile
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.pattern import Pattern
from memctl.text.calendar.said_dates import days_said
from memctl.text.closed_words import FORMS, STOP_WORDS

if TYPE_CHECKING:
    from memctl.text.calendar.said_dates import DaySpan

__all__ = ["Rewritten", "rewritten", "with_days", "with_speaker"]

USER = "User"

_ADVERBS = (
    r"(?:(?:also|always|never|usually|often|really|just|still|now|already|currently|mostly|generally|actually|only|"
    r"absolutely|mainly|even|rarely|sometimes|both|(?!fly|rely|apply|reply|supply)\w{2,}ly)\s+)*"
)
_I_VERB = Pattern(
    rf"\bI(?P<joined>'(?:m|ve|d|ll))?(?P<adverbs>\s+{_ADVERBS})(?P<verb>[a-z]+(?:'t)?)"
)
_I_JOINED = Pattern(r"\bI'(m|ve|d|ll)\b")
_JOINED = {"m": "is", "ve": "has", "d": "had", "ll": "will"}
_VERBS = {
    "am": "is", "have": "has", "do": "does", "don't": "doesn't", "haven't": "hasn't", "go": "goes",
    "was": "was", "weren't": "wasn't", "were": "was",
}  # fmt: skip
_WISHES = frozenset(["rather", "like", "love", "prefer"])
_FIXED = frozenset(
    [
        "can",
        "could",
        "will",
        "would",
        "shall",
        "should",
        "may",
        "might",
        "must",
        "was",
        "had",
        "did",
        "cut",
        "put",
        "set",
        "hit",
        "let",
        "cost",
        "read",
        "quit",
        "can't",
        "won't",
        "couldn't",
        "wouldn't",
        "shouldn't",
        "didn't",
        "wasn't",
        "hadn't",
        "mustn't",
        "needn't",
        "to",
        "and",
        "or",
        "but",
        "not",
        "ought",
    ]
)
_ED_BASES = frozenset(
    [
        "need",
        "feed",
        "seed",
        "speed",
        "exceed",
        "proceed",
        "succeed",
        "embed",
        "shed",
        "bleed",
        "breed",
        "wed",
    ]
)
_AND_VERB = Pattern(
    r"(?<=\s)(?:and|but|or)\s+(?:also\s+)?(?P<verb>like|love|hate|prefer|enjoy|want|need|use|live|work|have|am|own|drink|"
    r"eat|speak|play|study|teach|run|write|read|go|do|come|know|plan|avoid)\b"
)
_MINE = {"my": "their", "mine": "theirs", "me": "them", "myself": "themselves"}
_ME = Pattern(r"\b(my|mine|me|myself|My|Mine|Me)\b")
_LONE_I = Pattern(r"\bI\b(?!')")

_IN_DAYS = Pattern(
    r"\bin (?P<count>\d{1,3}|a|one|two|three|four|five|six|seven|ten) (?P<unit>day|week)s?(?: from now)?\b(?! a | per )",
    re.IGNORECASE,
)
_COUNTS = {
    "a": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "ten": 10,
}
_BEFORE_DAY = Pattern(
    r"\b(?:on|by|until|till|since|before|after|from|for|to|between|of|as of|bis|am|ab|seit|vor|nach)\s+(?:the\s+)?\Z",
    re.IGNORECASE,
)
_COMING = Pattern(
    r"\b(?:will|'ll|going to|due|deadline|until|till|by|next|upcoming|plan\w*|want|meeting|appointment|scheduled|"
    r"takes place|starts|begins|leave|leaves|flight|is on|are on)\b",
    re.IGNORECASE,
)
_GONE = Pattern(r"\b(?:was|were|had|did|went|got|came|\w{3,}ed)\b", re.IGNORECASE)
_ABOUT = 3  # days: "two weeks ago" means one around it

_NAME = Pattern(r"\b[A-Z][a-z]+(?:\s[A-Z][a-z]+)*\b")
_NOT_NAMES = STOP_WORDS | frozenset(
    [
        "user",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "yes",
        "also",
        "today",
        "tomorrow",
        "yesterday",
        "since",
        "last",
        "next",
        "two",
        "mr",
        "mrs",
        "ms",
        "dr",
        "always",
        "never",
        "although",
        "however",
        "finally",
        "maybe",
    ]
)
_PERSON = Pattern(r"\b(he|she|him|her|hers|his|He|She|His|Her|Him)\b")
_THING = Pattern(
    r"(?:\A|(?<=[,;:] ))(?:it|its|it's|they|them|their|this|that|these|those|the former|the latter|both)\b"
    r"|\b(?:it|they|them|its|their|it's|they're)\b|\bthis\b(?!\s+(?:week|month|year|morning|evening|summer|winter|spring|"
    r"autumn|fall|quarter|time|afternoon))|\b(?:these|those)\b|\bthere\b(?!\s*(?:is|are|was|were|will|has|have|'s))|\b(?:that's|that is|that was|that will)\b",
    re.IGNORECASE,
)
_CLOSE_BY = (
    r"(?:wife|husband|partner|girlfriend|boyfriend|mother|father|mom|mum|dad|sister|brother|son|daughter|child|friend|"
    r"colleague|boss|manager|mentor|neighbou?r|teacher|doctor|dog|cat|aunt|uncle|cousin|grandmother|grandfather)"
)
_SOMEBODY = Pattern(rf"\b(?:[A-Z][a-z]+|{_CLOSE_BY})\b")
_SOMETHING = Pattern(
    r"\b(?:the|a|an|my|our|their|each|every|all|some|many|few|no|two|three|\d+)\s+\w+|\b[A-Z][a-z]+|\b\w{3,}s\b"
)
_YOU = Pattern(r"\b(?:you|your|yours|you're|you've)\b", re.IGNORECASE)


class Rewritten(NamedTuple):
    """A sentence that stands alone, or why none can be made of it."""

    text: str
    why_not: str = ""


def rewritten(
    text: str, *, speaker: str | None, said_at: str, before: str = "", to_assistant: bool = False
) -> Rewritten:
    """Return a sentence as a fact that stands alone.

    Parameters
    ----------
    text
        The sentence.
    speaker
        The name that "I" becomes; ``None`` for ``User``.
    said_at
        The moment that "tomorrow" is counted from, in ISO 8601.
    before
        The sentence before: where it names exactly one, "she" is that one.
    to_assistant
        It is a standing order: "you" is who remembers it.
    """
    plain = text.replace("\u2019", "'")
    if not to_assistant and (found := _YOU.search(plain)):
        return Rewritten(plain, f'speaks to somebody: "{found[0]}"')
    dated = with_days(plain, said_at)
    if dated.why_not:
        return dated
    meant = _with_antecedent(dated.text, before)
    if meant.why_not:
        return meant
    return Rewritten(with_speaker(meant.text, speaker or USER))


# -- who ---------------------------------------------------------------------------------


def with_speaker(text: str, name: str = USER) -> str:
    """Return an English sentence with a name instead of "I", "my" and "me"."""
    told = bool(_LONE_I.search(text) or _I_JOINED.search(text))
    text = _I_VERB.sub(lambda match: f"{name}{_agreeing(match)}", text)
    text = _I_JOINED.sub(lambda match: f"{name} {_JOINED[match[1]]}", text)
    text = _LONE_I.sub(name, text)
    text = re.sub(
        rf"(?<={re.escape(name)}\b)(.*?\b(?:and|but|or)) {re.escape(name)} ", r"\1 ", text
    )
    if told:
        text = _AND_VERB.sub(
            lambda match: match[0].replace(match["verb"], _third(match["verb"])), text
        )

    def mine(match: re.Match[str]) -> str:
        word = match[0].lower()
        if name in match.string[: match.start()]:
            return _MINE[word]
        return f"{name}'s" if word in {"my", "mine"} else name

    return _ME.sub(mine, text)


def _agreeing(match: re.Match[str]) -> str:
    joined, adverbs, verb = match["joined"], match["adverbs"], match["verb"]
    if joined:
        word = _JOINED[joined[1:]]
        if joined == "'d" and verb in _WISHES:
            word = "would"
        return f" {word}{adverbs}{verb}"
    return f"{adverbs}{_third(verb)}"


def _third(verb: str) -> str:
    """Return a verb as "she" has it; one of the past, and a modal one, stays."""
    if verb in _VERBS:
        return _VERBS[verb]
    forms = FORMS.get(verb, ())
    past = verb.endswith("ed") and verb not in _ED_BASES
    if verb in _FIXED or past or (forms and forms[0] != verb):
        return verb
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return f"{verb}es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}s"


# -- when --------------------------------------------------------------------------------


def with_days(text: str, said_at: str) -> Rewritten:
    """Return a text whose days are dates: those that are counted from when it was said."""
    text = _IN_DAYS.sub(lambda match: _in_days(match, said_at), text)
    spans: dict[tuple[int, int], list[DaySpan]] = {}
    for span in days_said(text, said_at):
        if span.from_now:
            spans.setdefault((span.start, span.end), []).append(span)
    for (start, end), days in sorted(spans.items(), reverse=True):
        chosen = days[0] if len(days) == 1 else _by_tense(text, days)
        if chosen is None:
            return Rewritten(text, f'a day that could be two: "{days[0].words}"')
        text = text[:start] + _named(chosen, text[:start]) + text[end:]
    return Rewritten(text)


def _in_days(match: re.Match[str], said_at: str) -> str:
    count = match["count"].lower()
    number = int(count) if count.isdigit() else _COUNTS[count]
    weeks = match["unit"].lower() == "week"
    day = date.fromisoformat(said_at[:10]) + timedelta(days=number * (7 if weeks else 1))
    return f"{'around' if weeks else 'on'} {day.isoformat()}"


def _by_tense(text: str, days: list[DaySpan]) -> DaySpan | None:
    """Return which of two days is meant: the one before of what was, the one after of what is due."""
    if _COMING.search(text):
        return days[-1]
    return days[0] if _GONE.search(text) else None


def _named(span: DaySpan, before: str) -> str:
    preposition = _BEFORE_DAY.search(before) is not None
    if span.first == span.last:
        return span.first.isoformat() if preposition else f"on {span.first.isoformat()}"
    middle = span.first + (span.last - span.first) // 2
    if span.words.lower().endswith("ago"):
        return f"around {middle.isoformat()}"
    if span.first.day == 1 and (span.last - span.first).days > 300:  # noqa: PLR2004  (a year)
        return f"{'' if preposition else 'in '}{span.first.year}"
    if span.first.day == 1 and (span.last + timedelta(days=1)).day == 1:
        return f"{'' if preposition else 'in '}{span.first:%Y-%m}"
    return (
        f"{'' if preposition else 'between '}{span.first.isoformat()} and {span.last.isoformat()}"
    )


# -- whom --------------------------------------------------------------------------------


def _with_antecedent(text: str, before: str) -> Rewritten:
    """Return a text whose pronouns mean something in it, or the one name of the sentence before."""
    found = _dangling(text)
    if found is None:
        return Rewritten(text)
    names = _names(before)
    if len(names) != 1:
        return Rewritten(text, f'nothing says what "{found[0]}" means')
    (name,) = names
    word = found[0].lower()
    own = word in {"his", "its", "their"} or (word == "her" and text[found.end() :][1:2].islower())
    if word in {"it's", "they're"}:
        name = f"{name} is"
    said = f"{name}'s" if own else name
    return Rewritten(text[: found.start()] + said + text[found.end() :])


def _dangling(text: str) -> re.Match[str] | None:
    """Return the first pronoun that nothing before it in the sentence is meant by."""
    for shape, meant in ((_PERSON, _SOMEBODY), (_THING, _SOMETHING)):
        found = shape.search(text)
        if found and not meant.search(_without_opening(text[: found.start()])):
            return found
    return None


def _without_opening(text: str) -> str:
    """Return what stands before a pronoun, less a first word that is large because it is first."""
    first, _, rest = text.partition(" ")
    return rest if first.lower().strip(",") in _NOT_NAMES else text


def _names(text: str) -> set[str]:
    """Return the names of a text, without a word before them that is large because it is first."""
    runs = (match[0].split() for match in _NAME.finditer(text))
    parted = (" ".join(dropwhile(lambda word: word.lower() in _NOT_NAMES, run)) for run in runs)
    return {name for name in parted if name}
