"""Reads a question: its words, the people and days that it names, and what it is after."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern, patterns_in
from memctl.base.user_zone import UserZone
from memctl.search.index.index_words import IndexWords
from memctl.search.question.asked_values import days_of_list, listing_of, names_thing
from memctl.search.question.concepts import ConceptReader, forms_by_stem, joined_words
from memctl.search.question.names import find_names
from memctl.text.aliases import Aliases
from memctl.text.calendar.said_dates import asks_when, find_day_spans
from memctl.text.cleaning import cleaned_question, words_outside_secrets
from memctl.text.closed_words import GENERAL_WORDS, STOP_WORDS, question_words
from memctl.text.real_words import spelling_variants
from memctl.text.splitting import (
    UMLAUTS,
    WORD,
    Token,
    bare,
    fold,
    is_unspaced,
    parted_scripts,
    with_umlauts,
    written_form,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.search.index.reader import IndexReader
    from memctl.search.question.asked_values import Listing
    from memctl.search.question.concepts import Concept
    from memctl.search.question.names import Name
    from memctl.text.aliases import Expansion
    from memctl.text.calendar.said_dates import DaySpan
    from memctl.text.splitting import Splitter

# The rarest words of a long question say what it is about.
_MAX_CONCEPTS = 32
_MAX_TOKENS = 2_000

_DIGIT = Pattern(r"\d")
_HAN_ASKED = Pattern(
    "|".join(
        sorted(
            (word for word in STOP_WORDS if len(word) > 1 and "\u4e00" <= word[0] <= "\u9fff"),
            key=len,
            reverse=True,
        )
    )
)
_MINE = frozenset({"i", "me", "mine", "my", "myself"})
_YOURS = frozenset({"you", "your", "yours"})
_SHAPES = patterns_in("memctl.search.question", "aims.txt")


@dataclass(frozen=True, slots=True)
class Aim:
    """The subject of a question, as far as its closed-class words show it."""

    of_asker: bool = False  # about whoever asks: "I", "my"
    of_reply: bool = False  # what "you" said, recommended or explained
    of_help: bool = False  # how, or for help: standing wishes count
    of_state: bool = False  # a value that holds now, and not the past: the newest counts
    of_now: bool = False  # not of the past, nor of a day
    of_time: bool = False  # when


@dataclass(frozen=True)
class RecallQuestion:
    """A question as it was read."""

    text: str  # as it was asked, cleaned
    concepts: tuple[Concept, ...]  # the words looked for, those that occur; the rarest first
    names: tuple[Name, ...] = ()  # people that it names, in its order
    spans: tuple[DaySpan, ...] = ()  # days that it names
    aim: Aim = Aim()
    unknown: tuple[str, ...] = ()  # words that no row holds, and that may be told of
    days: tuple[DaySpan, ...] = ()  # days whose words no row holds: those of them are meant
    corrected: dict[str, str] = field(
        default_factory=dict
    )  # such words, with what they were taken for
    unknown_idf: float = 0.0  # the idf that each unknown word would have
    zone: UserZone = field(default_factory=UserZone)  # of whoever asks: whose days those are
    listing: Listing | None = None  # what it wants, where it asks for all of something

    @property
    def respelt(self) -> str:
        """The question with what some of its words were taken for."""
        if not self.corrected:
            return self.text
        return WORD.sub(lambda word: self.corrected.get(word[0].lower(), word[0]), self.text)

    @property
    def says_nothing(self) -> bool:
        """Whether it is of words of grammar alone."""
        return bool(self.words) and not (self.spans or self.names or self._content)

    @property
    def says_little(self) -> bool:
        """Whether it is of one word so general that no row answers it, and of grammar."""
        named = self.spans or self.names
        return not named and len(self._content) == 1 and self._content <= GENERAL_WORDS

    @cached_property
    def words(self) -> list[str]:
        """The words that rows should have, those that none has included."""
        return [*(concept.word for concept in self.concepts), *self.unknown]

    @cached_property
    def _content(self) -> set[str]:
        return set(self.words) - STOP_WORDS - question_words(self.words)

    def held(self, mask: int) -> list[Concept]:
        """Return the concepts that a mask has, one bit each."""
        if mask not in self._held:
            self._held[mask] = [c for bit, c in enumerate(self.concepts) if mask >> bit & 1]
        return self._held[mask]

    def telling(self, mask: int) -> float:
        """Return the score that a fact gains by the concepts of a mask."""
        return sum(concept.telling for concept in self.held(mask))

    @property
    def expansions(self) -> list[Expansion]:
        """The other words and names for what it asks."""
        of_words = [other for concept in self.concepts for other in concept.expansions]
        return of_words + [other for name in self.names for other in name.expansions]

    @cached_property
    def _held(self) -> dict[int, list[Concept]]:
        return {}

    @cached_property
    def total_idf(self) -> float:
        """The sum of the concepts' idf: the score of a row that has them all."""
        return sum(concept.idf for concept in self.concepts)

    @cached_property
    def total_telling(self) -> float:
        """The score of a fact that has all concepts as they were asked, none repaired."""
        return sum(concept.telling / concept.trust for concept in self.concepts)

    @cached_property
    def weight(self) -> float:
        """The idf of all words, those that occur nowhere included."""
        return self.total_idf + self.unknown_idf * len(self.unknown)


def read_question(
    text: str, reader: IndexReader, *, now: str, masked: str, lists: bool = True
) -> RecallQuestion:
    """Read any text as a question to the index: operators and quotes in it are characters.

    "Yesterday" is counted from `now`. A word of a secret alone, which `masked` lacks, is not repaired or
    told. With `lists` it may ask for all of something.
    """
    question = cleaned_question(text)
    words = IndexWords(reader.store)
    years = _years(reader, now)
    spans = find_day_spans(question, now, range(years[0], years[1] + 1))
    listing = listing_of(question, spans) if lists else None
    if listing is not None:
        spans = days_of_list(question, spans)
    undated = _without(question, spans, listing)
    pieces = _pieces(words, undated)
    # SQLite takes an emoji that is newer than its tables for a letter.
    emoji = {written_form(token.surface) for _, token in pieces} - {t.surface for _, t in pieces}
    tokens = [
        token
        for token in words.split([parted_scripts(undated)])[0][:_MAX_TOKENS]
        if token.surface not in emoji
    ]
    expansions = Aliases(reader.store).expand(tokens, words, question)
    # The last character of an alias in a script without spaces makes no pair with the next.
    if unspaced := {expansion.term for expansion in expansions if is_unspaced(expansion.term)}:
        for term in unspaced:
            undated = undated.replace(term, f" {term} ")
        pieces = _pieces(words, undated)
    names = find_names(reader.store, question, expansions)
    asked = {token.surface: _as_asked(token.surface, question) for token in tokens}
    grammar = question_words(asked.values())
    grammar = frozenset(word for word, spelt in asked.items() if spelt in grammar)
    placed = _choose(tokens, names, grammar, enough=bool(names or spans or pieces)) + pieces
    understood = frozenset(
        words_outside_secrets(
            [written_form(token.surface) for _, token in placed], text, fold(masked)
        )
    )
    of_names = {expansion for name in names for expansion in name.expansions}
    others = [expansion for expansion in expansions if expansion not in of_names]
    read = ConceptReader(reader, words, understood, _umlauts(undated)).read(tokens, placed, others)
    concepts = sorted(read.known, key=lambda concept: (concept.rows, concept.word))
    days = spans if listing is not None else days_of_list(question, spans)
    of_days = {bare(word) for span in days for word in WORD.findall(span.words.lower())}
    things = map(names_thing, [*(concept.word for concept in concepts), *read.unknown])
    if listing is not None and listing.of_days and any(things):
        # "What did Ann do to help the school last year" asks for one thing, and for no list.
        return read_question(text, reader, now=now, masked=masked, lists=False)
    return RecallQuestion(
        question,
        tuple(concepts[:_MAX_CONCEPTS]),
        names,
        spans,
        _aim(_without(question, spans, None), tokens, dated=bool(spans)),
        tuple(_as_asked(word, question) for word in read.unknown if word not in of_days),
        tuple(days) if of_days.intersection(read.unknown) else (),
        {_as_asked(word, question): taken for word, taken in read.corrected.items()},
        read.unknown_idf,
        reader.request.asked_in,
        listing,
    )


def asked_words(text: str, words: Splitter) -> dict[str, list[str]]:
    """Return the words that a question looks for, whatever store is asked, each with its stems.

    People's names are among them. A stem is of a word as it was asked, of an irregular form, of
    another spelling, or of what it is with its neighbour, written as one.
    """
    question = cleaned_question(text)
    pieces = _pieces(words, question)
    tokens = words.split([parted_scripts(question)])[0][:_MAX_TOKENS]
    grammar = question_words(token.surface for token in tokens)
    placed = _choose(tokens, (), grammar, enough=bool(pieces)) + pieces
    forms, umlauts = forms_by_stem(words), _umlauts(question)
    joined = joined_words(tokens, {place for place, _ in placed})
    spelt = {
        token: [
            *forms.get(token.stem, ()),
            *spelling_variants(token.surface),
            umlauts.get(token.surface, bare(with_umlauts(token.surface))),
            *(joined[left] for left in (place - 1, place) if left in joined),
        ]
        for place, token in placed[:_MAX_CONCEPTS]
    }
    stems = words.stems({word for others in spelt.values() for word in others})
    return {
        written_form(token.surface): list(
            dict.fromkeys([token.stem, *(stems[word] for word in others if word in stems)])
        )
        for token, others in spelt.items()
    }


def _choose(
    tokens: Sequence[Token], names: Iterable[Name], grammar: frozenset[str], *, enough: bool
) -> list[tuple[int, Token]]:
    """Return the tokens worth looking for, with their places; less strict until some are left.

    Where a person, a day or a picture is `enough` to look for, no word of grammar is.
    """
    spaced = [(i, token) for i, token in enumerate(tokens) if not is_unspaced(token.surface)]
    named = {word for name in names for word in name.words}
    named |= {word + "s" for word in named}
    strict = STOP_WORDS | named
    looser = () if enough else (strict, STOP_WORDS, frozenset[str]())
    for drop in (strict | grammar, *looser):
        left = [(i, token) for i, token in spaced if token.surface not in drop]
        if left or (not drop and not spaced):
            break
    by_stem = {token.stem: (i, token) for i, token in reversed(left)}
    return sorted(by_stem.values(), key=lambda placed: placed[0])


def _umlauts(question: str) -> dict[str, str]:
    """Return the words of a question that have umlauts, folded, in the other spelling."""
    if question.isascii():
        return {}
    words = {word: word.translate(UMLAUTS) for word in WORD.findall(question.lower())}
    return {bare(word): bare(spelt) for word, spelt in words.items() if spelt != word}


def _as_asked(word: str, question: str) -> str:
    """Return a folded word with the marks that it has in a question."""
    if question.isascii():
        return word
    for asked in WORD.findall(question.lower()):
        if bare(asked) == word:
            return asked
    return word


def _without(question: str, spans: Sequence[DaySpan], listing: Listing | None) -> str:
    """Return a question without names of days and words that ask for a list: no row needs them.

    The name of a day or a season stays: "winter tyres" are no tyres of a day.
    """
    if listing is not None:
        named = {*listing.asks, *((span.start, span.end) for span in spans)}
    else:
        dates = (span for span in spans if span.from_now or _DIGIT.search(span.words))
        named = {(span.start, span.end) for span in dates}
    for start, end in named:  # blanks for it, since some may lie in others
        question = f"{question[:start]}{' ' * (end - start)}{question[end:]}"
    return question


def _pieces(words: Splitter, question: str) -> list[tuple[int, Token]]:
    """Return pairs of characters, single characters, and emoji; -1: they have no place."""
    if question.isascii():
        return []
    pieces = {token.surface: token for token in words.pieces(_unasked(question))[:_MAX_TOKENS]}
    pieces = pieces or {token.surface: token for token in words.pieces(question)[:_MAX_TOKENS]}
    paired = {c for surface in pieces if is_unspaced(surface) and len(surface) > 1 for c in surface}
    asked = {surface: token for surface, token in pieces.items() if surface not in paired}
    kept = [(-1, token) for surface, token in asked.items() if surface not in STOP_WORDS]
    return kept or [(-1, token) for token in asked.values()]


def _unasked(question: str) -> str:
    """Return a question without its Chinese words of questions: they make no pair with what is beside."""
    return _HAN_ASKED.sub(" ", question)


def _aim(question: str, tokens: Sequence[Token], *, dated: bool) -> Aim:
    lowered = question.lower()
    surfaces = {token.surface for token in tokens}
    reply = bool(_YOURS & surfaces) and _SHAPES["said"].search(lowered) is not None
    past = _SHAPES["past"].search(lowered) is not None
    return Aim(
        of_asker=bool(_MINE & surfaces) and not reply,
        of_reply=reply,
        of_help=not past and _SHAPES["help"].search(lowered) is not None,
        of_state=not (past or dated) and _SHAPES["value"].search(lowered) is not None,
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
