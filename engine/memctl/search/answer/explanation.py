"""Explains an answer: the parts of a score as terms that a person can read, and used aliases."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from memctl.base.categories import tag_of
from memctl.base.errors import ClosedStoreError
from memctl.base.pattern import Pattern
from memctl.search.index.index_rows import FACT, indexed_text, kind_and_id, kind_of
from memctl.search.index.index_words import IndexWords
from memctl.search.ranking.row_candidates import weight
from memctl.search.recall_results import Row, ScoreTerm
from memctl.text.splitting import bare, is_unspaced

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Sequence

    from memctl.search.index.reader import IndexReader
    from memctl.search.question.concepts import Concept
    from memctl.search.question.question import RecallQuestion
    from memctl.search.ranking.ranking import Ranked, Ranking
    from memctl.search.ranking.row_candidates import RowCandidate
    from memctl.search.ranking.worth import Worth
    from memctl.text.aliases import Expansion

_COLUMNS = ("text", "details", "tags", "participants")
_WORD = Pattern(r"[^\W_]+")
# Stemming never changes the first letters of a word, so few words need to be stemmed here.
_HEAD = 2
# Printed values are rounded, and so is the score: their sum.
_DIGITS = 4


class Explainer:
    """Makes rows of the ranked candidates of one search, each with its explanation."""

    def __init__(self, reader: IndexReader, ranking: Ranking) -> None:
        self._words = IndexWords(reader.store)
        self._ranking = ranking
        self._question: RecallQuestion = ranking.question
        self._thing = reader.thing
        self._terms: dict[int, tuple[ScoreTerm, ...]] = {}

    def rows(self, chosen: Iterable[Ranked], found: Iterable[Worth]) -> list[Row]:
        """Return the rows of the answer, in their order, each with its worth."""
        texts = self._ranking.texts
        return [
            self._row(one, texts[one.candidate.row], worth)
            for one, worth in zip(chosen, found, strict=True)
            if one.candidate.row in texts
        ]

    def _row(self, ranked: Ranked, cells: sqlite3.Row, worth: Worth) -> Row:
        candidate = ranked.candidate
        newer = ranked.earlier_than
        return Row(
            kind=cells["kind"],
            id=cells["id"],
            text=cells["text"],
            happened_at=cells["happened_at"],
            day=self._question.zone.day(cells["happened_at"], cells["utc_offset"]),
            score=round(ranked.score, _DIGITS),
            matched=tuple(concept.word for concept in self._question.held(candidate.mask)),
            covers=round(self._covers(candidate), _DIGITS),
            details=cells["details"],
            worth=worth.worth,
            confidence=worth.confidence,
            fallback=not candidate.mask and candidate.row in self._ranking.meaning,
            who=() if cells["kind"] == "fact" else candidate.who,
            tags=_tags(cells),
            thread=cells["thread"],
            seq=cells["seq"],
            doubt=cells["doubt"] or "",
            earlier_than=None if newer is None else self._name_of(newer),
            reasons=partial(self._explained, ranked, cells),
        )

    def _covers(self, candidate: RowCandidate) -> float:
        total = self._question.weight
        return weight(candidate.mask, self._question.concepts) / total if total else 0.0

    def _name_of(self, row: int) -> str:
        kind, number = kind_and_id(row)
        return str(self._ranking.texts[row]["id"]) if kind == "fact" else f"{kind}:{number}"

    def _explained(self, ranked: Ranked, cells: sqlite3.Row) -> tuple[ScoreTerm, ...]:
        """Return the terms of a score: rounded, so that they add up to it as it is shown."""
        row = ranked.candidate.row
        if row not in self._terms:
            self._terms[row] = self._terms_of(ranked, cells)
        return self._terms[row]

    def _terms_of(self, ranked: Ranked, cells: sqlite3.Row) -> tuple[ScoreTerm, ...]:
        places: dict[str, str] = {}
        elsewhere = "in the text"
        with suppress(ClosedStoreError):  # then the words are told without their columns
            (places,) = self._places([cells])
            if cells["kind"] == "fact":
                elsewhere = "in an older fact that it replaces or may replace"
        terms = self._word_terms(ranked.candidate, places, elsewhere)
        terms += [
            replace(term, value=round(term.value, _DIGITS))
            for term in self._ranking.explained(ranked.candidate)
        ]
        left = round(round(ranked.score, _DIGITS) - sum(term.value for term in terms), _DIGITS)
        if left and terms:
            most = max(range(len(terms)), key=lambda i: abs(terms[i].value))
            terms[most] = replace(terms[most], value=round(terms[most].value + left, _DIGITS))
        return tuple(terms)

    def _word_terms(
        self, candidate: RowCandidate, places: dict[str, str], elsewhere: str
    ) -> list[ScoreTerm]:
        concepts = self._question.concepts
        fact = kind_of(candidate.row) == FACT
        total = sum(c.telling for c in concepts) if fact else self._question.total_idf
        terms = []
        for concept in self._question.held(candidate.mask):
            share = (concept.telling if fact else concept.weight) / (total or 1.0)
            place = places.get(concept.word, elsewhere)
            why = f"{place}; {share:.0%} of the question's weight"
            value = round(share * candidate.factor, _DIGITS)
            terms.append(ScoreTerm(f"word:{concept.word}", value, f"{why}{self._note(concept)}"))
        return terms

    def _note(self, concept: Concept) -> str:
        corrected = self._question.corrected.get(concept.word)
        if corrected is None:
            return ""
        return f'; no {self._thing} holds "{concept.word}", taken for "{corrected}": {concept.trust:.0%} of its weight'

    def _places(self, rows: Sequence[sqlite3.Row]) -> list[dict[str, str]]:
        """Return, for each row and by concept, the word of it and the column that it stands in."""
        concepts = self._question.concepts
        wanted = [[w for words in c.alternatives for w in words] for c in concepts]
        heads = {word[:_HEAD] for words in wanted for word in words}
        columns = [
            {
                column: [w for w in _folded_words(cells[column]) if w[:_HEAD] in heads]
                for column in _COLUMNS
            }
            for cells in rows
        ]
        stems = self._words.stems(
            {w for one in columns for words in one.values() for w in words}.union(*wanted)
        )
        sought = [
            (concept, {stem for word in words if (stem := stems.get(word)) is not None})
            for concept, words in zip(concepts, wanted, strict=True)
        ]
        return [
            {
                concept.word: place
                for concept, stems_of_it in sought
                if (place := _place(concept, stems_of_it, row, held, stems))
            }
            for row, held in zip(rows, columns, strict=True)
        ]


def _folded_words(text: str) -> list[str]:
    """Return the words of a text nearly as the index folds them: enough to show them."""
    return _WORD.findall(bare(text).lower())


def _place(
    concept: Concept,
    wanted: set[str],
    row: sqlite3.Row,
    held: dict[str, list[str]],
    stems: dict[str, str],
) -> str:
    for column, words in held.items():
        hit = next((word for word in words if stems.get(word) in wanted), None)
        if hit is None and is_unspaced(concept.word) and concept.word in row[column]:
            hit = concept.word
        if hit is not None:
            other = _used(concept, {w for w in stems if stems[w] in _stems_in(held, stems)})
            return f'"{hit}" in {column}' + (f"; {_meaning(other)}" if other else "")
    return ""


def _stems_in(held: dict[str, list[str]], stems: dict[str, str]) -> set[str]:
    return {stems[word] for words in held.values() for word in words if word in stems}


def _meaning(other: Expansion) -> str:
    how = "is also written" if other.spelt else "also means"
    return f'"{other.term}" {how} "{other.synonym}"'


def used_aliases(
    words: IndexWords, concepts: Iterable[Concept], rows: Iterable[sqlite3.Row]
) -> dict[str, str]:
    """Return the phrases of a question that brought a row by an alias, with that alias.

    Others are not told: aliases are the store's, and may be about facts of somebody else.
    """
    aliased = [concept for concept in concepts if concept.expansions]
    if not aliased:
        return {}
    asked = {word for one in aliased for together in one.alternatives for word in together}
    stems = words.stems(asked)
    told: dict[str, str] = {}
    for tokens in words.split_as_indexed([indexed_text(cells) for cells in rows]):
        held = {token.stem for token in tokens}
        present = {word for word in asked if stems.get(word) in held}
        used = (_used(concept, present) for concept in aliased)
        told |= {one.term: one.synonym for one in used if one is not None}
    return told


def _used(concept: Concept, present: Collection[str]) -> Expansion | None:
    """Return the alias by which a row holds a concept; none where it holds the word itself."""
    if any(form in present for form in concept.forms):
        return None
    return next((e for e in concept.expansions if all(w in present for w in e.words)), None)


def _tags(cells: sqlite3.Row) -> tuple[str, ...]:
    """Return the tags of an episode, or the one that the category of a fact has."""
    if cells["kind"] == "fact":
        tag = tag_of(cells["tags"])
        return (tag,) if tag else ()
    return tuple(cells["tags"].split(", ")) if cells["tags"] else ()
