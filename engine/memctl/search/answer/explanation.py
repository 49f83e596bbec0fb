"""Explains an answer: the terms of a score, used aliases, and why a row that was expected is not there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memctl.base.categories import tag_of
from memctl.base.errors import NotFoundError, UsageError
from memctl.search.fallback import Fallback
from memctl.search.index.index_rows import (
    EPISODE,
    FACT,
    TURN,
    indexed_text,
    kind_and_id,
    kind_of,
    row_of,
)
from memctl.search.index.index_words import IndexWords
from memctl.search.index.reader import IndexReader
from memctl.search.index.unindexed import index_rows_if_free, reading_unindexed
from memctl.search.question.concepts import Concept, words_in
from memctl.search.question.question import read_question
from memctl.search.ranking import row_candidates as found_by
from memctl.search.ranking.listing import looked_at, rows_of_list
from memctl.search.ranking.ranking import rank
from memctl.search.ranking.worth import worths
from memctl.search.recall_results import Row, ScoreTerm
from memctl.store import statements
from memctl.store.results import Result
from memctl.text.cleaning import masked_question, text_of
from memctl.text.splitting import WORD, bare, is_unspaced

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable

    from memctl.config.settings import Settings
    from memctl.search.fact_scope import FactScope
    from memctl.search.fallback import Meaning
    from memctl.search.question.question import RecallQuestion
    from memctl.search.ranking.row_candidates import RowCandidate
    from memctl.search.ranking.scores import Ranked, Ranking
    from memctl.search.ranking.worth import Worth
    from memctl.search.recall_request import RecallRequest
    from memctl.search.recall_results import Recalled
    from memctl.store.store import Store
    from memctl.text.aliases import Expansion

SQL = statements.load("store/search")

_COLUMNS = ("text", "details", "tags", "participants")
# Stemming never changes the first letters of a word, so few words need to be stemmed here.
_HEAD = 2
# Printed values are rounded, and so is the score: their sum.
_DIGITS = 4
# SQLite's integers have 19.
_MAX_DIGITS = 18
_KINDS = {"turn": TURN, "episode": EPISODE}


class Explainer:
    """Makes rows of the ranked candidates of one search, each with its explanation."""

    def __init__(self, reader: IndexReader, ranking: Ranking) -> None:
        self._words = IndexWords(reader.store)
        self._ranking = ranking
        self._question: RecallQuestion = ranking.question
        self._thing = reader.thing
        self._made_of: dict[str, tuple[Ranked, sqlite3.Row]] = {}

    def rows(self, chosen: Iterable[Ranked], given_worths: Iterable[Worth]) -> list[Row]:
        """Return the rows of the answer, in their order, each with its worth."""
        texts = self._ranking.texts
        return [
            self._row(scored, texts[scored.candidate.row], worth)
            for scored, worth in zip(chosen, given_worths, strict=True)
            if scored.candidate.row in texts
        ]

    def explained(self, given: Iterable[Row]) -> tuple[Row, ...]:
        """Return rows with the terms of their scores: those that are given, not all that were made."""
        return tuple(
            replace(row, explain=self._explained(*self._made_of[row.name])) for row in given
        )

    def _row(self, ranked: Ranked, cells: sqlite3.Row, worth: Worth) -> Row:
        candidate = ranked.candidate
        newer = ranked.earlier_than
        covered = found_by.weight(candidate.mask, self._question.concepts)
        row = Row(
            kind=cells["kind"],
            id=cells["id"],
            text=cells["text"],
            happened_at=cells["happened_at"],
            day=self._question.zone.day(cells["happened_at"], cells["utc_offset"]),
            score=round(ranked.score, _DIGITS),
            matched=tuple(concept.word for concept in self._question.held(candidate.mask)),
            covers=round(covered / (self._question.weight or 1.0), _DIGITS),
            details=cells["details"],
            worth=worth.worth,
            confidence=worth.confidence,
            fallback=not candidate.mask and candidate.row in self._ranking.meaning,
            who=() if cells["kind"] == "fact" else candidate.who,
            tags=_tags(cells),
            thread=cells["thread"],
            seq=cells["seq"],
            doubt=cells["doubt"] or "",
            shared=cells["shared"] if cells["kind"] == "fact" else "",
            earlier_than=None if newer is None else self._name_of(newer),
        )
        self._made_of[row.name] = ranked, cells
        return row

    def _name_of(self, row: int) -> str:
        kind, number = kind_and_id(row)
        return str(self._ranking.texts[row]["id"]) if kind == "fact" else f"{kind}:{number}"

    def _explained(self, ranked: Ranked, cells: sqlite3.Row) -> tuple[ScoreTerm, ...]:
        """Return the terms of a score: rounded, so that they add up to it as it is shown."""
        elsewhere = "in the text"
        if cells["kind"] == "fact":
            elsewhere = "in an older fact that it replaces or may replace"
        places = self._places(cells)
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
        question = self._question
        fact = kind_of(candidate.row) == FACT
        total = question.total_telling if fact else question.total_idf
        terms = []
        for concept in question.held(candidate.mask):
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

    def _places(self, cells: sqlite3.Row) -> dict[str, str]:
        """Return, by concept, the matching word of a row, and its column."""
        wanted = {w for c in self._question.concepts for words in c.alternatives for w in words}
        heads = {word[:_HEAD] for word in wanted}
        held = {
            column: [
                word for word in WORD.findall(bare(cells[column]).lower()) if word[:_HEAD] in heads
            ]
            for column in _COLUMNS
        }
        stems = self._words.stems(wanted.union(*held.values()))
        return {
            concept.word: place
            for concept in self._question.concepts
            if (place := _place(concept, cells, held, stems))
        }


def _place(
    concept: Concept, row: sqlite3.Row, held: dict[str, list[str]], stems: dict[str, str]
) -> str:
    wanted = {stems.get(word) for words in concept.alternatives for word in words} - {None}
    for column, words in held.items():
        hit = next((word for word in words if stems.get(word) in wanted), None)
        if hit is None and is_unspaced(concept.word) and concept.word in row[column]:
            hit = concept.word
        if hit is not None:
            standing = {stems[word] for words in held.values() for word in words if word in stems}
            other = _used(concept, {word for word in stems if stems[word] in standing})
            if other is None:
                return f'"{hit}" in {column}'
            how = "is also written" if other.spelt else "also means"
            return f'"{hit}" in {column}; "{other.term}" {how} "{other.synonym}"'
    return ""


def used_aliases(
    words: IndexWords, question: RecallQuestion, rows: Iterable[sqlite3.Row]
) -> dict[str, str]:
    """Return the phrases of a question that brought a row by an alias, with that alias.

    Others are not told: aliases are the store's, and may be about facts of somebody else.
    """
    aliased = [concept for concept in question.concepts if concept.expansions]
    aliased += [Concept(e.term, (), (e,)) for name in question.names for e in name.expansions]
    if not aliased:
        return {}
    result: dict[str, str] = {}
    for present in words_in([indexed_text(cells) for cells in rows], aliased, words):
        used = (_used(concept, present) for concept in aliased)
        result = {one.term: one.synonym for one in used if one is not None} | result
    return result


def _used(concept: Concept, present: Collection[str]) -> Expansion | None:
    """Return the alias by which a row matches a concept; none where it has the word itself."""
    if any(form in present for form in concept.forms):
        return None
    return next((e for e in concept.expansions if all(w in present for w in e.words)), None)


def _tags(cells: sqlite3.Row) -> tuple[str, ...]:
    """Return the tags of an episode, or the one that the category of a fact has."""
    if cells["kind"] == "fact":
        tag = tag_of(cells["tags"])
        return (tag,) if tag else ()
    return tuple(cells["tags"].split(", ")) if cells["tags"] else ()


# -- a row that was expected -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WhyNot(Result):
    """The place of a row in the ranking for a question, and why it is not in the answer."""

    row: str  # its name: ``turn:12``, ``episode:3`` or a fact's id
    why: str  # in one sentence
    place: int | None = None  # among the ranked rows, from 1; None where it is not ranked
    of: int = 0  # how many are ranked
    score: float = 0.0
    last_score: float = 0.0  # that of the last row that is shown
    matched: tuple[str, ...] = ()  # words of the question that it holds
    lacking: tuple[str, ...] = ()  # and those that it does not
    explain: tuple[ScoreTerm, ...] = ()  # the terms of its score


def why_not(
    store: Store,
    settings: Settings,
    request: RecallRequest,
    name: str,
    answer: Recalled,
    scope: FactScope | None = None,
) -> WhyNot:
    """Return a row's rank for a question, and why the answer leaves it out."""
    IndexWords(store).prepare()
    index_rows_if_free(store)
    text = text_of(request.query)
    said = settings.several("fallback", "fallback_blend")
    near = Fallback(store, settings, *map(str, said.values())).fused(text, request)
    with store.snapshot(), reading_unindexed(store):
        reader = IndexReader(store, request, scope)
        masked = masked_question(store, text)
        question = read_question(text, reader, now=request.moment, masked=masked)
        return _placed(reader, question, near, name, _row_of(store, name), answer)


def _placed(
    reader: IndexReader,
    question: RecallQuestion,
    near: Meaning,
    name: str,
    row: int,
    answer: Recalled,
) -> WhyNot:
    hidden = _hidden(reader, question, row)
    masks = found_by.gather(reader, question).masks
    words = [concept.word for concept in question.concepts]
    mask = masks.get(row, 0)
    matched = tuple(word for bit, word in enumerate(words) if mask >> bit & 1)
    lacking = (*(word for word in words if word not in matched), *question.unknown)
    if hidden:
        return WhyNot(name, hidden, matched=matched, lacking=lacking)
    most = reader.request.most
    looked = looked_at(question, most)
    ranking, ranked = rank(reader, question, most=looked, meaning=near.cosines)
    of_list = rows_of_list(reader, ranking, ranked, looked)
    place = next((n for n, scored in enumerate(ranked) if scored.candidate.row == row), None)
    names = [each.name for each in answer]
    if place is None:
        why = "it holds no word of the question, and no row beside it lends it a score"
        if matched:
            why = f"other rows hold more of the question: it is not among the {len(ranked)} ranked"
        if name in names:
            why = f"it is row {names.index(name) + 1} of the answer: it is similar by vectors"
        return WhyNot(name, why, of=len(ranked), matched=matched, lacking=lacking)
    shown = ranked[:most]
    ranking.read_texts(reader, [row])
    row_worths = worths(question, ranking, ranked[: place + 1], of_list)
    explainer = Explainer(reader, ranking)
    (explained,) = explainer.explained(explainer.rows([ranked[place]], row_worths[-1:]))
    last = round(shown[-1].score, 4)
    why = f"its score is {explained.score:.4f}, and the last row of the answer has {last:.4f}"
    if explained.name in names:
        why = f"it is row {names.index(explained.name) + 1} of the answer"
    elif place < most and answer.left_out:
        why = f"it is not likely to answer: its worth is {explained.worth:.2f}"
    elif place < most:
        why = answer.note or f"no room is left for it: it takes {explained.tokens} tokens"
    holds, terms = explained.matched, explained.explain
    lacks = tuple(word for word in lacking if word not in holds)
    return WhyNot(name, why, place + 1, len(ranked), explained.score, last, holds, lacks, terms)


def _hidden(reader: IndexReader, question: RecallQuestion, row: int) -> str:
    """Return why a row is no candidate whatever its words; empty where it could be one."""
    if kind_of(row) == FACT:
        if reader.scope is None:
            return "facts are not asked for, or a filter that they do not have leaves them out"
        if not reader.facts([row], filtered=False):
            return "it does not hold now, or is not within the scope"
        return "" if reader.facts([row]) else "a filter leaves it out"
    read = found_by.read(reader, [row], {}, question)
    if row not in read:
        return "it is archived, or stands in another thread or time than was asked for"
    return "" if read[row].wanted else "a filter leaves it out"


def _row_of(store: Store, name: str) -> int:
    kind, _, key = name.rpartition(":")
    if kind in _KINDS and key.isdecimal() and len(key) <= _MAX_DIGITS:
        row = row_of(_KINDS[kind], int(key))
        number = store.value(SQL.row_exists, {"kind": kind, "id": int(key)})
    elif (not kind and key.startswith("f_")) or kind == "fact":
        number = store.value(SQL.fact_number, {"id": key})
        row = row_of(FACT, number or 0)
    else:
        raise UsageError(f'"{name:.40}" is no row', hint='write "turn:12" or "f_3921fa271ecc"')
    if number is None:
        raise NotFoundError(f'there is no row "{name:.40}"', hint="memctl turns list shows turns")
    return row
