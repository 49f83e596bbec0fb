"""Reads a question to turns and episodes: its concepts, names and dates; repairs and aliases."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING

from memctl.episodic.search import dates
from memctl.episodic.search.names import find_names, name_words
from memctl.episodic.search.turn_index import (
    common_words,
    indexed_text,
    matching_rows,
    postings_of,
    size_of,
    texts_of,
)
from memctl.episodic.search.turn_words import FORMS, QUESTION_WORDS, STOP_WORDS, TurnWords
from memctl.store import statements
from memctl.text.aliases import Aliases, Expansion
from memctl.text.cleaning import cleaned_question
from memctl.text.splitting import NO_WORDS, Token, is_unspaced, quoted
from memctl.text.typos import as_written, longer_names, parted, repairs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.episodic.search.turn_index import IndexSize
    from memctl.store.store import Store
    from memctl.text.splitting import KnownWords

__all__ = ["Concept", "TurnQuery", "idf", "read_question"]

SQL = statements.load("store/episodic_recall")

# The rarest words of a long question say what it is about.
_MAX_CONCEPTS = 32
_MAX_TOKENS = 2_000
_MAX_REPAIRS = 2
# Spellings of one word that are looked at, and rows that are read to see how they write it.
_MAX_SPELLINGS = 20
_MAX_READ = 20
_forms: dict[str, tuple[str, ...]] = {}


@dataclass(frozen=True, slots=True)
class Concept:
    """A word of a question together with all other words that mean the same.

    Parameters
    ----------
    word
        As it was asked.
    forms
        The words that are it: as it is asked, and its irregular and joined forms.
    expansions
        The aliases of a phrase that it stands in.
    rows
        How many rows of the store hold it (estimated where it is very common).
    idf
        Its inverse document frequency.
    postings
        The rows that hold it; none where they are GATHERED or more.
    """

    word: str
    forms: tuple[str, ...]
    expansions: tuple[Expansion, ...] = ()
    rows: int = 0
    idf: float = 0.0
    postings: frozenset[int] = field(default=frozenset(), repr=False)

    @property
    def alternatives(self) -> tuple[tuple[str, ...], ...]:
        """The words that match it: any of these, each one word or several that all must be there."""
        meanings = (expansion.words for expansion in self.expansions)
        return tuple(dict.fromkeys([*((form,) for form in self.forms), *meanings]))

    @property
    def match(self) -> str:
        """Its FTS5 expression."""
        return " OR ".join(
            f"({' AND '.join(map(quoted, words))})" if len(words) > 1 else quoted(words[0])
            for words in self.alternatives
        )


@dataclass(frozen=True, slots=True)
class TurnQuery:
    """A question as it was read: the concepts, people and days to look for.

    Parameters
    ----------
    text
        As it was asked, cleaned.
    size
        The size of the index, as the caller's snapshot sees it.
    concepts
        The words looked for, those that occur; the rarest first.
    names
        Participants that it names, in the order it names them.
    spans
        Days that it names.
    asks_when
        Whether it asks for a time.
    unknown
        Words that occur nowhere.
    corrected
        Words that occur nowhere and what they were taken for.
    """

    text: str
    size: IndexSize
    concepts: tuple[Concept, ...]
    names: tuple[str, ...] = ()
    spans: tuple[dates.Span, ...] = ()
    asks_when: bool = False
    unknown: tuple[str, ...] = ()
    corrected: dict[str, str] = field(default_factory=dict)

    @property
    def total_idf(self) -> float:
        """The sum of the concepts' idf: what a row that holds them all would have."""
        return sum(concept.idf for concept in self.concepts)

    @property
    def weight(self) -> float:
        """The idf of all words, those that occur nowhere included."""
        return self.total_idf + idf(0, self.size.rows) * len(self.unknown)


def idf(rows: float, of_rows: float) -> float:
    """Return the inverse document frequency of BM25, never negative.

    ``ln(1 + (N - n + 0.5) / (n + 0.5))``: Robertson and Zaragoza 2009,
    doi:10.1561/1500000019, with Lucene's ``1 +``.
    """
    return math.log(1 + (max(of_rows, rows) - rows + 0.5) / (rows + 0.5))


def read_question(
    text: str, store: Store, *, now: str, known_words: KnownWords = NO_WORDS
) -> TurnQuery:
    """Read `text` as a question to the turns and episodes of `store`, inside a snapshot.

    Parameters
    ----------
    text
        Anything: operators, quotes and control characters of it are characters or nothing.
    now
        The time that "yesterday" is counted from.
    known_words
        The words of another tier: they are no typos.
    """
    question = cleaned_question(text)
    words = TurnWords(store)
    tokens = words.split([question])[0][:_MAX_TOKENS]
    names = find_names(store, question)
    size = size_of(store)
    reader = _ConceptReader(store, words, size)
    spans = dates.find_spans(question, now, reader.years(now))
    counted = {word for span in spans if span.from_now for word in span.words.lower().split()}
    chosen = _choose(tokens, names, counted) + _pieces(words, question)
    drafts = _with_aliases(tokens, chosen, store, words)
    known, unknown, corrected = reader.known(drafts, known_words)
    of_dates = " ".join(span.words for span in spans).lower()
    return TurnQuery(
        question,
        size,
        tuple(sorted(known, key=lambda concept: (concept.rows, concept.word))[:_MAX_CONCEPTS]),
        names,
        spans,
        dates.asks_when(question),
        tuple(word for word in unknown if word not in of_dates),
        corrected,
    )


def _choose(
    tokens: Sequence[Token], names: Iterable[str], of_dates: set[str]
) -> list[tuple[int, Token]]:
    """Return the tokens worth looking for, with their places; less strict until some are left."""
    spaced = [(i, token) for i, token in enumerate(tokens) if not is_unspaced(token.surface)]
    named = {word for name in names for word in name_words(name)}
    named |= {word + "s" for word in named}
    strict = STOP_WORDS | of_dates | named
    for drop in (strict | QUESTION_WORDS, strict, STOP_WORDS, frozenset()):
        left = [(i, token) for i, token in spaced if token.surface not in drop]
        if left or (not drop and not spaced):
            break
    by_stem = {token.stem: (i, token) for i, token in reversed(left)}
    return sorted(by_stem.values(), key=lambda placed: placed[0])


def _pieces(words: TurnWords, question: str) -> list[tuple[int, Token]]:
    """Return characters and pairs of scripts without spaces; -1: they have no place."""
    if not is_unspaced(question):
        return []
    short = {
        token.surface: token
        for token in words.pieces(question)[:_MAX_TOKENS]
        if len(token.surface) <= 2 and is_unspaced(token.surface)  # noqa: PLR2004  (pairs)
    }
    kept = [(-1, token) for surface, token in short.items() if surface not in STOP_WORDS]
    return kept or [(-1, token) for token in short.values()]


def _with_aliases(
    tokens: Sequence[Token], chosen: list[tuple[int, Token]], store: Store, words: TurnWords
) -> list[Concept]:
    """Return one concept a word, each with the forms and aliases that mean the same."""
    expansions = Aliases(store).expand(tokens, words)
    taken = {place for place, _ in chosen}
    forms = _forms_by_stem(words)
    joined = _joined(tokens, taken, words)
    drafts = []
    for place, token in chosen:
        found = (token.surface, *forms.get(token.stem, ()), *joined.get(place, ()))
        meanings = tuple(e for e in expansions if e.first <= place <= e.last)
        drafts.append(Concept(token.surface, found, meanings))
    drafts += [
        Concept(expansion.term, (), (expansion,))
        for expansion in expansions  # of stop words alone, or in a script without spaces
        if not taken & set(range(expansion.first, expansion.last + 1))
    ]
    return drafts


def _forms_by_stem(words: TurnWords) -> dict[str, tuple[str, ...]]:
    """Return the irregular forms of a word by the stem of any of them; the same in all stores."""
    if not _forms:
        tokens = words.split([" ".join(FORMS)])[0]
        _forms.update({token.stem: FORMS[token.surface] for token in tokens})
    return _forms


def _joined(
    tokens: Sequence[Token], taken: set[int], words: TurnWords
) -> dict[int, tuple[str, ...]]:
    """Return, by place, the words written as one with a neighbour: "ice cream", "icecream".

    Few pairs are written as one anywhere: those that are not are found out all at once.
    """
    pairs = {
        place: tokens[place].surface + tokens[place + 1].surface
        for place in taken
        if place >= 0 and place + 1 in taken
    }
    if not words.any_occurs(pairs.values()):
        return {}
    occurring = {place: word for place, word in pairs.items() if words.any_occurs([word])}
    return {
        place: tuple(occurring[left] for left in (place - 1, place) if left in occurring)
        for place in taken
    }


class _ConceptReader:
    """Counts the rows of concepts, and repairs those that no row holds."""

    def __init__(self, store: Store, words: TurnWords, size: IndexSize) -> None:
        self._store = store
        self._words = words
        self._size = size
        self._common = common_words(store)

    def known(
        self, drafts: Sequence[Concept], known_words: KnownWords
    ) -> tuple[list[Concept], tuple[str, ...], dict[str, str]]:
        """Return the concepts that occur, the words that do not, and what was repaired."""
        known: list[Concept] = []
        unknown: list[str] = []
        corrected: dict[str, str] = {}
        for draft in drafts:
            concept = self._counted(draft)
            if not concept.rows and len(unknown) + len(corrected) < _MAX_REPAIRS:
                concept, taken = self._repaired(concept, drafts, known_words)
                if taken is not None:
                    corrected[draft.word] = taken
            if concept.rows:
                known.append(concept)
            else:
                unknown.append(draft.word)
        return known, tuple(unknown), corrected

    def _repaired(
        self, concept: Concept, drafts: Sequence[Concept], known_words: KnownWords
    ) -> tuple[Concept, str | None]:
        """Return a concept that occurs nowhere, repaired where it can be, and the repair."""
        word = concept.word
        if not self._size.rows or known_words.holds(word):
            return concept, None
        parts = [
            Expansion(-1, -1, word, f"{one} {other}", (one, other))
            for one, other in parted(word, STOP_WORDS, self._matching)
        ]
        if parts:
            return self._counted(replace(concept, expansions=(*concept.expansions, *parts))), None
        taken = self._taken(concept, drafts)
        return (concept if taken is None else self._counted(Concept(word, (taken,)))), taken

    def _taken(self, draft: Concept, drafts: Sequence[Concept]) -> str | None:
        """Return the repair of a word that occurs nowhere, as a row writes it."""
        word = draft.word
        others = " OR ".join(other.match for other in drafts if other is not draft)

        def fits(spelling: str) -> bool:
            match = f"{quoted(spelling)} AND ({others})"
            return bool(others) and bool(matching_rows(self._store, match))

        spellings = repairs(word, self._words, never=STOP_WORDS, fits=fits)
        for token in islice(spellings, _MAX_SPELLINGS):
            written = as_written(word, token, self._matching(quoted(token.surface)), self._words)
            if written is not None:
                return written
        longer = longer_names(word, self._words)
        if len(longer) != 1:
            return None
        name = longer[0]
        return as_written(word, Token(name, name), self._matching(quoted(name)), self._words)

    def _matching(self, match: str) -> list[str]:
        """Return the indexed texts of the newest rows that match an FTS5 expression."""
        rows = sorted(matching_rows(self._store, match), reverse=True)[:_MAX_READ]
        return [indexed_text(cells) for cells in texts_of(self._store, rows).values()]

    def years(self, now: str) -> range:
        """Return the years that the store's rows are of, the last three up to now."""
        row = self._store.row(SQL.first_and_last)
        if row is None or row["earliest"] is None:
            return range(int(now[:4]), int(now[:4]) + 1)
        last = min(int(row["latest"][:4]), int(now[:4]))
        return range(max(int(row["earliest"][:4]), last - 2), last + 1)

    def _counted(self, draft: Concept) -> Concept:
        found = postings_of(self._store, draft.match, last=self._size.last, common=self._common)
        rows = min(found.total, self._size.rows)
        return replace(draft, rows=rows, idf=idf(rows, self._size.rows), postings=found.rows)
