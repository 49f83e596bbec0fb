"""Concepts of a question: each word with all that means the same, counted in the index."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from memctl.search.index.index_rows import indexed_text
from memctl.search.question.typos import (
    TRUST,
    as_written,
    longer_names,
    match_of_parts,
    parted,
    repairs,
)
from memctl.text.aliases import Expansion
from memctl.text.closed_words import FORMS, GENERAL_WORDS, STOP_WORDS
from memctl.text.real_words import german_forms, is_real_word, spelling_variants
from memctl.text.splitting import Token, bare, is_unspaced, quoted, with_umlauts, written_form

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from memctl.search.index.index_words import IndexWords
    from memctl.search.index.reader import IndexReader
    from memctl.text.splitting import Splitter

_MAX_REPAIRS = 2
# What a word of general meaning is worth of another that is as rare in the store.
_GENERAL = 0.5
# What a character is worth of the pair that it stands in.
_OF_A_PAIR = 0.75
# Spellings of one word that are looked at, and rows that are read to see how they write it.
_MAX_SPELLINGS = 20
_MAX_READ = 20
# Words of grammar that a verb is written as one with: "log in", "login".
_PARTICLES = frozenset({"in", "off", "on", "out", "over", "up"})
# Names of so many letters are others with signs behind: C, C++.
_LONGEST_LETTER_NAME = 2
_forms: dict[str, tuple[str, ...]] = {}


@dataclass(frozen=True)
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
    trust
        How much it counts of the word that was asked, 0 to 1: less where it was repaired.
    postings
        The rows that hold it; none where they are GATHERED or more.
    """

    word: str
    forms: tuple[str, ...]
    expansions: tuple[Expansion, ...] = ()
    rows: int = 0
    idf: float = 0.0
    trust: float = 1.0
    postings: frozenset[int] = field(default=frozenset(), repr=False)

    @cached_property
    def alternatives(self) -> tuple[tuple[str, ...], ...]:
        """The words that match it: any of these, each one word or several that all must be there."""
        meanings = (expansion.words for expansion in self.expansions)
        return tuple(dict.fromkeys([*((form,) for form in self.forms), *meanings]))

    @cached_property
    def match(self) -> str:
        """Its FTS5 expression."""
        return " OR ".join(
            f"({' AND '.join(map(quoted, words))})" if len(words) > 1 else quoted(words[0])
            for words in self.alternatives
        )

    def is_among(self, words: Collection[str]) -> bool:
        """Return whether some of its `words_in` a text are enough to match it."""
        return any(all(word in words for word in together) for together in self.alternatives)

    @cached_property
    def weight(self) -> float:
        """The score that a turn or an episode gains by it."""
        return self.idf * self.trust

    @cached_property
    def telling(self) -> float:
        """The score that a fact gains by it: half where the word is of general meaning.

        Facts are few and short: "leave" is as rare among them as "tyres", and tells less.
        """
        return self.weight * (_GENERAL if self.word in GENERAL_WORDS else 1.0)


class Concepts(NamedTuple):
    """The concepts of a question that occur, the words that do not, and what was repaired."""

    known: list[Concept]
    unknown: tuple[str, ...]
    corrected: dict[str, str]
    unknown_idf: float


def idf(rows: float, of_rows: float) -> float:
    """Return the inverse document frequency of BM25, never negative.

    ``ln(1 + (N - n + 0.5) / (n + 0.5))``: Robertson and Zaragoza 2009,
    doi:10.1561/1500000019, with Lucene's ``1 +``.
    """
    return math.log(1 + (max(of_rows, rows) - rows + 0.5) / (rows + 0.5))


def rows_of(unknown_idf: float) -> float:
    """Return the number of rows that gives this idf to a word of none."""
    return max(0.0, 0.5 * math.expm1(unknown_idf) - 0.5)


def words_in(
    texts: Sequence[str], concepts: Iterable[Concept], words: Splitter
) -> list[frozenset[str]]:
    """Return the words of some concepts that are in each text, in any form."""
    asked = {word for concept in concepts for together in concept.alternatives for word in together}
    stems = words.stems(asked)
    held = [{token.stem for token in tokens} for tokens in words.split_as_indexed(texts)]
    return [frozenset(word for word in asked if stems.get(word) in of_it) for of_it in held]


class ConceptReader:
    """Makes concepts of the words of one question.

    A word that occurs in no row that may be told of is looked for written as two words, and then
    taken for one that a letter or two differ from; whoever asks learns no word that is not in a
    row that the search may answer with.

    Parameters
    ----------
    told
        The words that may be repaired and told: not those of a secret.
    umlauts
        The words of the question that have umlauts, as the index has them, in the other spelling.
    """

    def __init__(
        self,
        reader: IndexReader,
        words: IndexWords,
        numbers_known: AbstractSet[str],
        umlauts: Mapping[str, str],
    ) -> None:
        self._umlauts = umlauts
        self._reader = reader
        self._told = numbers_known
        self._words = words
        self._of_rows = reader.rows
        self._asked: frozenset[str] = frozenset()
        self._otherwise = True

    def read(
        self,
        tokens: Sequence[Token],
        placed: Sequence[tuple[int, Token]],
        expansions: Sequence[Expansion],
    ) -> Concepts:
        """Return the concepts of the `placed` tokens of a question, with aliases and repairs."""
        self._asked = frozenset(token.surface for token in tokens)
        drafts = self._drafts(tokens, placed, expansions)
        known: list[Concept] = []
        unknown: list[str] = []
        corrected: dict[str, str] = {}
        ended: dict[str, Concept] = {}
        left = _MAX_REPAIRS
        counted = self._counted(*drafts)
        self._otherwise = self._any_otherwise(
            draft.word
            for draft, concept in zip(drafts, counted, strict=True)
            if not concept.rows and draft.word in self._told
        )
        for draft, as_asked in zip(drafts, counted, strict=True):
            concept, tells = as_asked, self._tells(as_asked)
            if not tells and left and draft.word in self._told:
                concept, taken = self._repaired(concept, drafts)
                left -= not self._is_real(draft.word)
                if taken is not None:
                    corrected[draft.word] = taken
                tells = self._tells(concept)
            if tells:
                known.append(concept)
            elif draft.word in self._told:
                unknown.append(draft.word)
                ended[draft.word] = concept
        if known:  # "lives" of a fact that ended leads to the one that replaced it
            of_ended = {w: one for w, one in ended.items() if self._reader.replaced(one.postings)}
            known += of_ended.values()
            unknown = [word for word in unknown if word not in of_ended]
        return Concepts(known, tuple(unknown), corrected, idf(0, self._of_rows))

    def _drafts(
        self,
        tokens: Sequence[Token],
        placed: Sequence[tuple[int, Token]],
        expansions: Sequence[Expansion],
    ) -> list[Concept]:
        """Return one concept a word, each with the forms and aliases that mean the same."""
        taken = {place for place, _ in placed}
        forms = forms_by_stem(self._words)
        pairs = joined_words(tokens, taken)
        other = {token.surface: self._other_spelling(token.surface) for _, token in placed}
        written = {*pairs.values(), *other.values()} - {""}
        # Few are written otherwise anywhere: those that are not are found out all at once.
        anywhere = self._words.any_occurs(written)
        joined = self._joined(pairs, taken) if anywhere else {}
        respelt = self._respelt(other) if anywhere else {}
        drafts = []
        for place, token in placed:
            spellings = (token.surface, *forms.get(token.stem, ()), *joined.get(place, ()))
            spellings += respelt.get(token.surface, ())
            meanings = tuple(
                e
                for e in expansions
                if e.first <= place <= e.last or (place < 0 and token.surface in e.term)
            )
            drafts.append(Concept(written_form(token.surface), spellings, meanings))
        meant = {expansion for draft in drafts for expansion in draft.expansions}
        # Those of words of grammar alone.
        return drafts + [Concept(e.term, (), (e,)) for e in expansions if e not in meant]

    def _joined(self, pairs: Mapping[int, str], taken: set[int]) -> dict[int, tuple[str, ...]]:
        """Return, by place, the words written as one with a neighbour: "ice cream", "icecream"."""
        occurring = {place: word for place, word in pairs.items() if self._words.any_occurs([word])}
        return {
            place: tuple(occurring[left] for left in (place - 1, place) if left in occurring)
            for place in taken
        }

    def _respelt(self, other: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
        """Return the words of which another spelling occurs, with it: of umlauts, "notepad++".

        "mueller" is taken for "m\u00fcller" where a row has the umlaut: "poem" is no "pom".
        """
        return {
            word: (spelt,)
            for word, spelt in other.items()
            if spelt
            and self._words.any_occurs([spelt])
            and (
                with_umlauts(word) == word
                or word in self._umlauts
                or any(with_umlauts(word) in text.lower() for text in self._texts(quoted(spelt)))
            )
        }

    def _other_spelling(self, word: str) -> str:
        if word in self._umlauts:
            return self._umlauts[word]
        spelt = bare(with_umlauts(word))
        if spelt == word:  # "C" is no "C++"
            return f"{word}plusplus" if len(word) > _LONGEST_LETTER_NAME else ""
        return spelt

    def _counted(self, *drafts: Concept) -> list[Concept]:
        counted = []
        postings = self._reader.postings([draft.match for draft in drafts])
        for draft, (total, held) in zip(drafts, postings, strict=True):
            rows = min(total, self._of_rows)
            known = (draft.word, draft.forms, draft.expansions, rows, idf(rows, self._of_rows))
            counted.append(Concept(*known, draft.trust, held))
        return counted

    def _tells(self, concept: Concept) -> bool:
        """Return whether a row that may be shown has a concept."""
        if not concept.rows:
            return False
        if concept.postings:
            return self._reader.answerable(concept.postings)
        return self._reader.request.allows_turns_or_episodes or bool(
            self._reader.newest(concept.match)
        )

    def _repaired(self, concept: Concept, drafts: Sequence[Concept]) -> tuple[Concept, str | None]:
        """Return a concept that occurs nowhere, repaired where it can be, and the repair."""
        word = concept.word
        if is_unspaced(word):
            return self._by_character(concept), None
        if not self._of_rows or self._reader.stands_elsewhere(quoted(word)):
            return concept, None
        parts: list[Expansion] = []
        if concept.rows or self._otherwise:
            parts += (
                Expansion(-1, -1, word, f"{first} {other}", (first, other), spelt=True)
                for first, other in parted(word, STOP_WORDS, self._texts)
            )
            parts += self._variants(word)
        if parts:
            return self._counted(replace(concept, expansions=(*concept.expansions, *parts)))[
                0
            ], None
        taken = None if self._is_real(word) else self._taken(concept, drafts)
        if taken is None:
            return concept, None
        return self._counted(Concept(word, (taken,), trust=TRUST))[0], taken

    def _any_otherwise(self, words: Iterable[str]) -> bool:
        """Return whether a row has one of some words in two parts or in another spelling.

        Few rows do: for a whole question that is found out at once.
        """
        matches = [
            match
            for word in words
            for match in (
                match_of_parts(word, STOP_WORDS),
                *map(quoted, (*spelling_variants(word), *german_forms(word))),
            )
            if match
        ]
        return self._words.any_matches(" OR ".join(matches))

    def _is_real(self, word: str) -> bool:
        return is_real_word(word, beside=self._asked - {word})

    def _by_character(self, concept: Concept) -> Concept:
        """Return a pair of characters that no row has as either of them."""
        forms = tuple(character for character in concept.word if character not in STOP_WORDS)
        if not forms:
            return concept
        return self._counted(Concept(concept.word, forms, trust=_OF_A_PAIR))[0]

    def _variants(self, word: str) -> list[Expansion]:
        """Return the other spellings of a word, and forms of a foreign one, of rows that may be shown."""
        variants = spelling_variants(word)
        if self._is_real(word) and not is_real_word(word):  # among words that are not English
            variants += german_forms(word)
        if not self._words.any_occurs(variants):
            return []
        return [
            Expansion(-1, -1, word, variant, (variant,), spelt=True)
            for variant in variants
            if self._texts(quoted(variant))
        ]

    def _taken(self, draft: Concept, drafts: Sequence[Concept]) -> str | None:
        """Return the repair of a word that occurs nowhere, as a row writes it."""
        word = draft.word
        others = " OR ".join(other.match for other in drafts if other is not draft)

        def fits(spelling: str) -> bool:
            match = f"{quoted(spelling)} AND ({others})"
            return bool(others) and bool(self._reader.newest(match))

        spellings = repairs(word, self._words, never=STOP_WORDS, fits=fits)
        for token in islice(spellings, _MAX_SPELLINGS):
            written = as_written(word, token, self._texts(quoted(token.surface)), self._words)
            if written is not None:
                return written
        names = [
            (n, texts)
            for n in longer_names(word, self._words)[:_MAX_SPELLINGS]
            if (texts := self._texts(quoted(n)))
        ]
        if len(names) != 1:
            return None
        ((name, texts),) = names
        return as_written(word, Token(name, name), texts, self._words)

    def _texts(self, match: str) -> list[str]:
        """Return the indexed texts of the newest rows that match and may be shown."""
        return [indexed_text(cells) for cells in self._reader.texts(match, _MAX_READ).values()]


def joined_words(tokens: Sequence[Token], taken: set[int]) -> dict[int, str]:
    """Return, by the place of the first, two words that may be written as one."""
    return {
        place: tokens[place].surface + tokens[place + 1].surface
        for place in taken
        if place >= 0
        and (
            place + 1 in taken
            or (place + 1 < len(tokens) and tokens[place + 1].surface in _PARTICLES)
        )
    }


def forms_by_stem(words: Splitter) -> dict[str, tuple[str, ...]]:
    """Return the irregular forms of a word by the stem of any of them; the same in all stores."""
    if not _forms:
        tokens = words.split([" ".join(FORMS)])[0]
        # "ate" has the stem of "at", which every other row holds.
        telling = {token.surface for token in tokens if token.stem not in STOP_WORDS}
        _forms.update({t.stem: tuple(f for f in FORMS[t.surface] if f in telling) for t in tokens})
    return _forms
