"""Reads a question: its words, the people and days that it names, and what it is after."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.base.user_zone import UserZone
from memctl.search.index.index_words import IndexWords
from memctl.search.question.concepts import ConceptReader
from memctl.search.question.names import find_names, name_words
from memctl.text.calendar.said_dates import asks_when, find_day_spans
from memctl.text.cleaning import cleaned_question, words_outside_secrets
from memctl.text.closed_words import QUESTION_WORDS, STOP_WORDS
from memctl.text.splitting import (
    UMLAUTS,
    Token,
    bare,
    fold,
    is_unspaced,
    parted_scripts,
    written_form,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.search.index.reader import IndexReader
    from memctl.search.question.concepts import Concept
    from memctl.text.calendar.said_dates import DaySpan

__all__ = ["Aim", "RecallQuestion", "read_question"]

# The rarest words of a long question say what it is about.
_MAX_CONCEPTS = 32
_MAX_TOKENS = 2_000

_WORD = Pattern(r"[^\W_]+")
_DIGIT = Pattern(r"\d")
_MINE = frozenset({"i", "me", "mine", "my", "myself"})
_YOURS = frozenset({"you", "your", "yours"})
_SAID = Pattern(
    r"\bdid you\b|\byou(?:'ve| have| had)? (?:\w+ly )?(?:said|told|recommended|suggested|explained|"
    r"mentioned|advised|proposed|answered|listed|gave|given|provided|showed|shown|described)\b|"
    r"\byour (?:\w+ )?(?:advice|answers?|suggestions?|recommendations?|explanation|repl(?:y|ies)|"
    r"response)\b",
)
_HELP = Pattern(r"\bhow\b|\bcan you\b|\bcould you\b|\bshould i\b|\bhelp\b|\bwrite\b|\bshow me\b")
_PAST = Pattern(
    r"\b(?:did|was|were|had|used to|before|originally|initially|first|earlier|previous\w*)\b"
)
_VALUE = Pattern(
    r"\b(?:what|which|how (?:many|much|long|often|far|old)|when|who|where|is|are|does|do)\b"
)


@dataclass(frozen=True, slots=True)
class Aim:
    """What a question is after, as far as its closed-class words tell.

    Parameters
    ----------
    of_asker
        It is about whoever asks: "I", "my".
    of_reply
        It asks what "you" said, recommended or explained.
    of_help
        It asks how, or for help: standing wishes count.
    of_state
        It asks for a value that holds now, and not for the past: the newest counts.
    of_time
        It asks when.
    """

    of_asker: bool = False
    of_reply: bool = False
    of_help: bool = False
    of_state: bool = False
    of_now: bool = False
    of_time: bool = False


@dataclass(frozen=True)
class RecallQuestion:
    """A question as it was read.

    Parameters
    ----------
    text
        As it was asked, cleaned.
    concepts
        The words looked for, those that occur; the rarest first.
    names
        Participants that it names, in the order it names them.
    spans
        Days that it names.
    aim
        What it is after.
    unknown
        Words that no row holds which may be told of.
    corrected
        Words that occur nowhere and what they were taken for.
    unknown_idf
        The idf that each unknown word would have.
    years
        The first and last year that a date without one may be of.
    zone
        The zone of whoever asks: whose days those are.
    """

    text: str
    concepts: tuple[Concept, ...]
    names: tuple[str, ...] = ()
    spans: tuple[DaySpan, ...] = ()
    aim: Aim = Aim()
    unknown: tuple[str, ...] = ()
    corrected: dict[str, str] = field(default_factory=dict)
    unknown_idf: float = 0.0
    years: tuple[int, int] = (1, 1)
    zone: UserZone = field(default_factory=UserZone)

    @property
    def respelt(self) -> str:
        """The question with what some of its words were taken for."""
        if not self.corrected:
            return self.text
        return _WORD.sub(lambda word: self.corrected.get(word[0].lower(), word[0]), self.text)

    def held(self, mask: int) -> list[Concept]:
        """Return the concepts that a mask has, one bit each."""
        if mask not in self._held:
            self._held[mask] = [c for bit, c in enumerate(self.concepts) if mask >> bit & 1]
        return self._held[mask]

    @cached_property
    def _held(self) -> dict[int, list[Concept]]:
        return {}

    @cached_property
    def total_idf(self) -> float:
        """The sum of the concepts' idf: what a row that holds them all would have."""
        return sum(concept.idf for concept in self.concepts)

    @cached_property
    def weight(self) -> float:
        """The idf of all words, those that occur nowhere included."""
        return self.total_idf + self.unknown_idf * len(self.unknown)


def read_question(text: str, reader: IndexReader, *, now: str, masked: str) -> RecallQuestion:
    """Read `text` as a question to the index.

    Parameters
    ----------
    text
        Anything: operators, quotes and control characters of it are characters or nothing.
    now
        The time that "yesterday" is counted from.
    masked
        The question with its secrets masked: a word of a secret alone is not repaired or told.
    """
    question = cleaned_question(text)
    words = IndexWords(reader.store)
    names = find_names(reader.store, question)
    years = _years(reader, now)
    spans = find_day_spans(question, now, range(years[0], years[1] + 1))
    undated = _without(question, spans)
    pieces = _pieces(words, undated)
    # SQLite takes an emoji that is newer than its tables for a letter.
    emoji = {written_form(token.surface) for _, token in pieces} - {t.surface for _, t in pieces}
    tokens = [
        token
        for token in words.split([parted_scripts(undated)])[0][:_MAX_TOKENS]
        if token.surface not in emoji
    ]
    placed = _choose(tokens, names, enough=bool(names or spans or pieces)) + pieces
    told = frozenset(
        words_outside_secrets(
            [written_form(token.surface) for _, token in placed], text, fold(masked)
        )
    )
    read = ConceptReader(reader, words, told, _umlauts(undated)).read(tokens, placed)
    concepts = sorted(read.known, key=lambda concept: (concept.rows, concept.word))
    return RecallQuestion(
        question,
        tuple(concepts[:_MAX_CONCEPTS]),
        names,
        spans,
        _aim(undated, tokens, dated=bool(spans)),
        tuple(_as_asked(word, question) for word in read.unknown),
        {_as_asked(word, question): taken for word, taken in read.corrected.items()},
        read.unknown_idf,
        years,
        reader.request.asked_in,
    )


def _choose(
    tokens: Sequence[Token], names: Iterable[str], *, enough: bool
) -> list[tuple[int, Token]]:
    """Return the tokens worth looking for, with their places; less strict until some are left.

    Where a person, a day or a picture is `enough` to look for, no word of grammar is.
    """
    spaced = [(i, token) for i, token in enumerate(tokens) if not is_unspaced(token.surface)]
    named = {word for name in names for word in name_words(name)}
    named |= {word + "s" for word in named}
    strict = STOP_WORDS | named
    looser = () if enough else (strict, STOP_WORDS, frozenset[str]())
    for drop in (strict | QUESTION_WORDS, *looser):
        left = [(i, token) for i, token in spaced if token.surface not in drop]
        if left or (not drop and not spaced):
            break
    by_stem = {token.stem: (i, token) for i, token in reversed(left)}
    return sorted(by_stem.values(), key=lambda placed: placed[0])


def _umlauts(question: str) -> dict[str, str]:
    """Return the words of a question that have umlauts, folded, in the other spelling."""
    if question.isascii():
        return {}
    words = {word: word.translate(UMLAUTS) for word in _WORD.findall(question.lower())}
    return {bare(word): bare(spelt) for word, spelt in words.items() if spelt != word}


def _as_asked(word: str, question: str) -> str:
    """Return a folded word with the marks that it has in a question."""
    if question.isascii():
        return word
    for asked in _WORD.findall(question.lower()):
        if bare(asked) == word:
            return asked
    return word


def _without(question: str, spans: Sequence[DaySpan]) -> str:
    """Return a question without what names days: it is looked for as days, and no words any more.

    The name of a day or a season stays: "winter tyres" are no tyres of a day.
    """
    named = {(span.start, span.end) for span in spans if span.from_now or _DIGIT.search(span.words)}
    for start, end in sorted(named, reverse=True):
        question = f"{question[:start]} {question[end:]}"
    return question


def _pieces(words: IndexWords, question: str) -> list[tuple[int, Token]]:
    """Return pairs of characters, characters that stand alone, and emoji; -1: they have no place."""
    if question.isascii():
        return []
    found = {token.surface: token for token in words.pieces(question)[:_MAX_TOKENS]}
    paired = {c for surface in found if is_unspaced(surface) and len(surface) > 1 for c in surface}
    asked = {surface: token for surface, token in found.items() if surface not in paired}
    kept = [(-1, token) for surface, token in asked.items() if surface not in STOP_WORDS]
    return kept or [(-1, token) for token in asked.values()]


def _aim(question: str, tokens: Sequence[Token], *, dated: bool) -> Aim:
    lowered = question.lower()
    surfaces = {token.surface for token in tokens}
    reply = bool(_YOURS & surfaces) and _SAID.search(lowered) is not None
    past = _PAST.search(lowered) is not None
    return Aim(
        of_asker=bool(_MINE & surfaces) and not reply,
        of_reply=reply,
        of_help=not past and _HELP.search(lowered) is not None,
        of_state=not (past or dated) and _VALUE.search(lowered) is not None,
        of_now=not (past or dated),
        of_time=asks_when(question),
    )


def _years(reader: IndexReader, now: str) -> tuple[int, int]:
    """Return the first and last year that the store's rows are of, the last three up to now."""
    size = reader.size
    if not size.first:
        return int(now[:4]), int(now[:4])
    last = min(int(size.last[:4]), int(now[:4]))
    return max(int(size.first[:4]), last - 2), last
