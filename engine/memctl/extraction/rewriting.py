"""Rewriting of a sentence so that it stands alone: who says it, on which day, whom it means.

English alone is rewritten, but for the days, which are read in every language of the calendar.
"""

from __future__ import annotations

import re
from itertools import dropwhile
from typing import NamedTuple

from memctl.base.pattern import Pattern
from memctl.extraction.said_days import with_days
from memctl.extraction.sign_tables import words_in
from memctl.extraction.speakers import USER, with_speaker
from memctl.text.closed_words import STOP_WORDS

__all__ = ["Rewritten", "rewritten"]

_NAME = Pattern(r"\b[A-Z][a-z]+(?:\s[A-Z][a-z]+)*\b")
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
# "This bowl" points at what stands outside of the sentence; "this week" is a date by now.
_POINTED = Pattern(r"\b(?:this|these|those)\s+(?!who\b|of\b|that\b)[a-z]+", re.IGNORECASE)
_NOTHING = Pattern(r"(?!)")
_SOMEBODY = Pattern(rf"\b(?:[A-Z][a-z]+|{_CLOSE_BY})\b")
_SOMETHING = Pattern(
    r"\b(?:the|a|an|my|our|their|each|every|all|some|many|few|no|two|three|\d+)\s+\w+|\b[A-Z][a-z]+|\b\w{3,}s\b"
)
_ADDRESSED = Pattern(
    r"(?:\b(?:hey|hi|hello|thanks|thank you|wow|congrats|yeah|yes|sure|oh)\b,?\s+|,\s*)[A-Z][a-z]+(?=[!?.,]|\Z)",
    re.IGNORECASE,
)
_TIE = Pattern(
    r"\A\W*(?:(?:and|but|so|however|actually|anyway|plus|also|well|yeah|yes|no|oh|wow|hey|hi|"
    r"now that you ask|by the way)(?:,\s*|\s+(?=I\b|my\b|we\b|our\b)))+",
    re.IGNORECASE,
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
    plain = _begun(text.replace("\u2019", "'"))
    if not to_assistant and (found := _YOU.search(plain)):
        return Rewritten(plain, f'speaks to somebody: "{found[0]}"')
    dated = with_days(plain, said_at)
    if dated.why_not:
        return Rewritten(plain, dated.why_not)
    meant = _with_antecedent(dated.text, before)
    if meant.why_not:
        return meant
    return Rewritten(with_speaker(meant.text, speaker or USER))


def _begun(text: str) -> str:
    """Return a sentence without the word that ties it to what was said before."""
    rest = _TIE.sub("", text, count=1)
    return rest[:1].upper() + rest[1:] if rest != text and rest else text


def _with_antecedent(text: str, before: str) -> Rewritten:
    """Return a text whose pronouns mean something in it, or the one name of the sentence before."""
    found = _dangling(text)
    if found is None:
        return Rewritten(text)
    word = found[0].lower()
    name = _meant(word, before)
    if not name:
        return Rewritten(text, f'nothing says what "{found[0]}" means')
    own = word in {"his", "its", "their"} or (word == "her" and text[found.end() :][1:2].islower())
    if word in {"it's", "they're"}:
        name = f"{name} is"
    said = f"{name}'s" if own else name
    return Rewritten(text[: found.start()] + said + text[found.end() :])


def _meant(word: str, before: str) -> str:
    """Return the one name that a pronoun can mean in the sentence before; empty where none can.

    A thing is what that sentence begins with; "this" points at what no sentence says.
    """
    names = _names(_ADDRESSED.sub(" ", before))
    if len(names) != 1 or (word.startswith("th") and not word.startswith(("they", "their"))):
        return ""
    (name,) = names
    person = _PERSON.fullmatch(word) is not None
    return name if person or before.removeprefix("The ").startswith(name) else ""


def _dangling(text: str) -> re.Match[str] | None:
    """Return the first pronoun that nothing before it in the sentence is meant by."""
    for shape, meant in ((_POINTED, _NOTHING), (_PERSON, _SOMEBODY), (_THING, _SOMETHING)):
        found = shape.search(text)
        if found and not meant.search(_without_opening(text[: found.start()])):
            return found
    return None


def _without_opening(text: str) -> str:
    """Return what stands before a pronoun, less a first word that is large because it is first."""
    first, _, rest = text.partition(" ")
    return rest if first.lower().strip(",") in _no_names() else text


def _names(text: str) -> set[str]:
    """Return the names of a text, without a word before them that is large because it is first."""
    runs = (match[0].split() for match in _NAME.finditer(text))
    parted = (" ".join(dropwhile(lambda word: word.lower() in _no_names(), run)) for run in runs)
    return {name for name in parted if name}


def _no_names() -> frozenset[str]:
    return STOP_WORDS | words_in("english.txt", "large words that are no names")
