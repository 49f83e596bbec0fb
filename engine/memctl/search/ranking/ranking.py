"""Ranks the candidates of a question: their places in threads, their neighbours, their scores."""

from __future__ import annotations

import heapq
import json
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.search.index.index_rows import EPISODE, FACT, TURN, kind_of, texts_of
from memctl.search.question.concepts import idf
from memctl.search.ranking import ranking_constants as constants
from memctl.search.ranking import row_candidates as found_by
from memctl.search.ranking.row_candidates import ASSISTANT, PERSON, USER
from memctl.search.ranking.terms import TERMS, shares
from memctl.search.recall_results import ScoreTerm
from memctl.store import statements
from memctl.text.calendar.said_dates import days_said, tells_time

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

    from memctl.search.index.reader import IndexReader
    from memctl.search.question.question import RecallQuestion
    from memctl.search.ranking.row_candidates import RowCandidate
    from memctl.search.ranking.terms import Term

SQL = statements.load("store/search")

Thread = tuple[int, str]

# Days that a text names at most beyond those that are asked for: "last year" names no day of it.
_WEEK = timedelta(days=7)
# A wish that stands: it says how things are to be done from now on.
_WISH = Pattern(
    r"\b(?:always|never|from now on|i(?:'d)? prefer|i(?:'d| would) (?:rather|like you to)|please (?:use|avoid))\b",
)


@dataclass(slots=True)
class Ranked:
    """A candidate and its score.

    Parameters
    ----------
    earlier_than
        The row that says the same, newer, and stands above it.
    """

    candidate: RowCandidate
    score: float
    earlier_than: int | None = None


@dataclass(slots=True)
class Ranking:
    """The candidates of one search, placed in their threads, with what their scores are made of.

    Parameters
    ----------
    question
        What was asked.
    held
        The share of the question's weight that any row holds, 0 to 1.
    stands_alone
        What a fact gains beside turns and episodes, as a multiple of its score.
    thing
        What is searched, as an explanation names it.
    meaning
        The cosine of rows with the question, where a model of sentences was asked.
    at
        The candidates by thread and place.
    threads
        The score of each thread as one document.
    subjects
        The facts whose subject the question names.
    texts
        The columns of the rows that were read.
    days_told
        How well the text of a row names a day that is asked for, 0 to 1.
    tells_time, wishes
        The rows whose text tells a time, or a standing wish; known of the best rows alone.
    raised
        What a row gained because it is newer than one that says the same.
    """

    question: RecallQuestion
    held: float = 1.0
    stands_alone: float = 0.0
    thing: str = "row"
    meaning: Mapping[int, float] = field(default_factory=dict)
    at: dict[Thread, dict[int, RowCandidate]] = field(default_factory=dict)
    threads: dict[Thread, float] = field(default_factory=dict)
    subjects: frozenset[int] = frozenset()
    texts: dict[int, sqlite3.Row] = field(default_factory=dict)
    talks: bool = False
    overridden: bool = False
    days_told: dict[int, float] = field(default_factory=dict)
    tells_time: set[int] = field(default_factory=set)
    wishes: set[int] = field(default_factory=set)
    raised: dict[int, float] = field(default_factory=dict)
    terms: tuple[Sequence[Term], Sequence[Term]] = field(init=False)

    def __post_init__(self) -> None:
        """Choose the terms that the question calls for: those of turns and episodes, of facts."""
        asked = [term for term in TERMS if term.asked(self)]
        self.terms = (
            [term for term in asked if term.of != "fact"],
            [term for term in asked if term.of != "said"],
        )

    def take(self, found: Iterable[RowCandidate]) -> list[RowCandidate]:
        """Put candidates at their places; return them."""
        taken = list(found)
        for candidate in taken:
            if candidate.thread is not None:
                self.at.setdefault(candidate.thread, {})[candidate.seq] = candidate
            if candidate.said_as == ASSISTANT:
                self.talks = True
        return taken

    def neighbour(self, candidate: RowCandidate, steps: int) -> RowCandidate | None:
        """Return the candidate so many places further in the same thread."""
        if candidate.thread is None:
            return None
        return self.at[candidate.thread].get(candidate.seq + steps)

    def is_surrounded(self, candidate: RowCandidate, sizes: Mapping[Thread, int]) -> bool:
        """Return whether all neighbours up to two places away are here, in a thread of some size."""
        if candidate.thread is None:
            return True
        seq, at = candidate.seq, self.at[candidate.thread]
        last = min(sizes.get(candidate.thread, seq + 2), seq + 2)
        return all(place in at for place in range(max(1, seq - 2), last + 1))

    def holds(self, candidate: RowCandidate) -> bool:
        """Return whether a candidate is at its place already."""
        return candidate.thread is not None and candidate.seq in self.at.get(candidate.thread, ())

    def settle(self, candidates: Iterable[RowCandidate]) -> None:
        """Note what candidates inherit: a named person next to an assistant is its user."""
        for candidate in candidates:
            if candidate.said_as == PERSON and self.talks and candidate.thread is not None:
                beside = (self.neighbour(candidate, -1), self.neighbour(candidate, 1))
                if any(other is not None and other.said_as == ASSISTANT for other in beside):
                    candidate.said_as = USER
            candidate.inherits = shares(candidate)

    def scored(self, candidates: Sequence[RowCandidate]) -> list[Ranked]:
        """Return candidates with their scores.

        A score is the sum of the terms, times the share of the question that is held.
        """
        scored = []
        for terms, rows in self._parted(candidates):
            columns = [term.values(self, rows) for term in terms]
            for one, sums in zip(rows, map(sum, zip(*columns, strict=True)), strict=True):
                whole = (one.own + sums) * self.held
                scored.append(Ranked(one, whole + self.raised.get(one.row, 0.0)))
        return scored

    def parts(self, candidates: Sequence[RowCandidate]) -> list[dict[str, float]]:
        """Return, for each row, what each term adds to its score, by the name of the term."""
        found: dict[int, dict[str, float]] = {id(one): {} for one in candidates}
        for terms, rows in self._parted(candidates):
            for term in terms:
                for one, value in zip(rows, term.values(self, rows), strict=True):
                    if value:
                        of_row = found[id(one)]
                        of_row[term.name] = of_row.get(term.name, 0.0) + value
        return [found[id(one)] for one in candidates]

    def _parted(
        self, candidates: Sequence[RowCandidate]
    ) -> Iterable[tuple[Sequence[Term], list[RowCandidate]]]:
        """Return turns and episodes, and facts, each with the terms that apply to them."""
        said = [one for one in candidates if kind_of(one.row) != FACT]
        facts = [one for one in candidates if kind_of(one.row) == FACT]
        return [pair for pair in zip(self.terms, (said, facts), strict=True) if pair[1]]

    def explained(self, candidate: RowCandidate) -> list[ScoreTerm]:
        """Return the terms of a score but those of its words, without those that are zero."""
        whole = candidate.own
        found = []
        for term in self.terms[kind_of(candidate.row) == FACT]:
            (value,) = term.values(self, [candidate])
            whole += value
            if value:
                found.append(ScoreTerm(term.name, value, term.why(self, candidate)))
        if unheld := whole * (self.held - 1):
            words = ", ".join(f'"{word}"' for word in self.question.unknown)
            why = f"no {self.thing} holds {words}: {1 - self.held:.0%} of what was asked"
            found.append(ScoreTerm("unheld", unheld, why))
        if raised := self.raised.get(candidate.row):
            found.append(ScoreTerm("newer", raised, "it is newer than a row that says the same"))
        return found

    def read_texts(self, reader: IndexReader, rows: Iterable[int]) -> None:
        """Read the columns of some rows, each once."""
        unread = [row for row in rows if row not in self.texts]
        if unread:
            self.texts |= texts_of(reader.store, unread)


def rank(
    reader: IndexReader,
    question: RecallQuestion,
    *,
    most: int,
    meaning: Mapping[int, float] | None = None,
) -> tuple[Ranking, list[Ranked]]:
    """Return the candidates that pass the filters, the best first.

    Parameters
    ----------
    most
        How many will be shown: among these, texts are read for what they tell.
    meaning
        The cosine of the rows that are nearest in meaning, the nearest first: candidates, too.

    Ties go to the newest, then to the higher row, so that the order is always the same.
    """
    gathered = found_by.gather(reader, question)
    masks, ordered = gathered.masks, found_by.keep(gathered, question, most)
    near = [row for row in meaning or () if reader.sees(row)][: constants.NEAR]
    masks.update(dict.fromkeys([row for row in near if row not in masks], 0))
    ordered = list(dict.fromkeys([*near, *ordered]))
    del gathered  # its sets are large, and every garbage collection would visit them
    asks_texts = reader.request.allows_turns_or_episodes
    # Where no word is known, what is asked is a person or a day, and these are held.
    held = question.total_idf / question.weight if question.concepts else 1.0
    alone = constants.STANDS_ALONE if asks_texts else 0.0
    ranking = Ranking(question, held, alone, reader.thing, meaning or {})
    found: dict[int, Ranked] = {}
    for start in range(0, len(ordered), constants.KEPT):
        candidates = _candidates(reader, ranking, ordered[start : start + constants.KEPT], masks)
        for one in ranking.scored([one for one in candidates if one.wanted]):
            # A neighbour of a row of this page may be a row of the next: the better one counts.
            known = found.get(one.candidate.row)
            if known is None or known.score < one.score:
                found[one.candidate.row] = one
        # A first page is enough, unless more is asked for, or filters hide most of it.
        if len(found) >= max(most, constants.KEPT // 2):
            break
    ranked = sorted(found.values(), key=_order, reverse=True)
    if ranked and (question.aim.of_time or question.aim.of_help or question.spans):
        _add_told(reader, ranking, ranked, most)
        ranked.sort(key=_order, reverse=True)
    return ranking, ranked


def _candidates(
    reader: IndexReader, ranking: Ranking, kept: list[int], masks: dict[int, int]
) -> list[RowCandidate]:
    """Return the candidates of the rows kept and their neighbours, threads and subjects scored."""
    question = ranking.question
    rows = {*kept} | found_by.next_to(kept[: constants.ANCHORS])
    if reader.scope is not None and question.aim.of_now and not reader.scope.parameters["as_of"]:
        rows |= found_by.lend_to_newer(reader, kept, masks, ended=len(question.concepts) > 1)
    found = found_by.read(reader, rows, masks, question)
    threads = {found[row].thread for row in kept if row in found}
    candidates = ranking.take(
        candidate
        for row, candidate in found.items()
        if row in masks or (candidate.thread is not None and candidate.thread in threads)
    )
    places = _places(reader, _heaviest(candidates))
    candidates += _neighbours(reader, ranking, candidates, places, masks)
    ranking.threads |= _thread_scores(reader, candidates, places)
    if reader.scope is not None and any(kind_of(one.row) == FACT for one in candidates):
        candidates = _facts_told(reader, ranking, candidates)
    ranking.settle(candidates)
    return candidates


def _facts_told(
    reader: IndexReader, ranking: Ranking, candidates: list[RowCandidate]
) -> list[RowCandidate]:
    """Return the candidates without facts that do not answer; note whose subject is named."""
    assert reader.scope is not None  # noqa: S101  (the caller looked)
    base = found_by.row_of(FACT, 0)
    phrases = [e.synonym for concept in ranking.question.concepts for e in concept.expansions]
    named = reader.scope.named(ranking.question.respelt, phrases)
    ranking.subjects |= {base + number for number in named}
    numbers = [one.row - base for one in candidates if kind_of(one.row) == FACT]
    hidden = {base + number for number in reader.scope.hidden(numbers)}
    ranking.overridden |= bool(hidden)
    return [one for one in candidates if one.row not in hidden]


def _order(ranked: Ranked) -> tuple[float, float, str, int]:
    return ranked.score, ranked.candidate.order, ranked.candidate.at, ranked.candidate.row


def _neighbours(
    reader: IndexReader,
    ranking: Ranking,
    candidates: list[RowCandidate],
    places: Mapping[Thread, int],
    masks: Mapping[int, int],
) -> list[RowCandidate]:
    """Return the candidates up to two places away from the best, where one is not read yet."""
    best = heapq.nlargest(constants.ANCHORS, candidates, key=lambda c: (c.own, c.at, c.row))
    added: list[RowCandidate] = []
    for near in (_next_by_number, _next_by_place):
        alone = [c for c in best if not ranking.is_surrounded(c, places)]
        if not alone:
            break
        beside = {(c.thread, c.seq + steps) for c in alone for steps in range(-2, 3)}
        found = found_by.read(reader, near(reader, alone), masks, ranking.question).values()
        added += ranking.take(
            one for one in found if (one.thread, one.seq) in beside and not ranking.holds(one)
        )
    return added


def _next_by_number(_: IndexReader, alone: Iterable[RowCandidate]) -> set[int]:
    """Return the rows with numbers near those of some: mostly, a thread's are in a row."""
    return found_by.next_to(one.row for one in alone)


def _next_by_place(reader: IndexReader, alone: Iterable[RowCandidate]) -> set[int]:
    """Return the rows up to two places away, of threads that were logged at the same time."""
    found: set[int] = set()
    marks = reader.size.marks
    for kind, sql in ((TURN, SQL.turns_around), (EPISODE, SQL.episodes_around)):
        places = [[c.thread[1], c.seq] for c in alone if c.thread and c.thread[0] == kind]
        if places:
            asked = {"places": json.dumps(places), "turn": marks.turn, "episode": marks.episode}
            found |= {found_by.row_of(kind, row[0]) for row in reader.store.rows(sql, asked)}
    return found


def _heaviest(candidates: Iterable[RowCandidate]) -> list[Thread]:
    """Return the THREADS threads at most whose rows weigh most together."""
    weights: dict[Thread, float] = {}
    for candidate in candidates:
        if candidate.mask and (thread := candidate.thread) is not None:
            weights[thread] = weights.get(thread, 0.0) + candidate.own
    if len(weights) <= constants.THREADS:
        return sorted(weights)
    return heapq.nlargest(constants.THREADS, weights, key=lambda one: (weights[one], one))


def _thread_scores(
    reader: IndexReader, candidates: Iterable[RowCandidate], places: Mapping[Thread, int]
) -> dict[Thread, float]:
    """Return BM25 of each thread as one document, divided by what the whole question weighs.

    A word counts once for each row of the thread that holds it; a thread's length is its
    number of places.
    """
    if not places:
        return {}
    rows: dict[Thread, dict[int, int]] = {}  # of each thread, how many hold which concept
    for candidate in candidates:
        thread = candidate.thread
        if candidate.mask and thread is not None and thread in places:
            held = rows.setdefault(thread, {})
            for bit in _bits(candidate.mask):
                held[bit] = held.get(bit, 0) + 1
    mean = sum(places.values()) / len(places)
    in_threads = Counter(bit for held in rows.values() for bit in held)
    threads = max(len(rows), reader.size.rows / mean)
    idfs = {bit: idf(count, threads) for bit, count in in_threads.items()}
    total = sum(idfs.values()) or 1.0
    return {
        thread: sum(
            idfs[bit] * _saturated(count, places[thread] / mean) for bit, count in held.items()
        )
        / total
        for thread, held in rows.items()
    }


@lru_cache(maxsize=4096)
def _bits(mask: int) -> tuple[int, ...]:
    return tuple(bit for bit in range(mask.bit_length()) if mask >> bit & 1)


def _saturated(rows: int, relative_length: float) -> float:
    norm = 1 - constants.THREAD_B + constants.THREAD_B * relative_length
    return rows * (constants.THREAD_K1 + 1) / (rows + constants.THREAD_K1 * norm)


def _places(reader: IndexReader, threads: list[Thread]) -> dict[Thread, int]:
    """Return how many places each thread has."""
    found: dict[Thread, int] = {}
    marks = reader.size.marks
    for kind, sql in ((TURN, SQL.session_sizes), (EPISODE, SQL.thread_sizes)):
        names = [name for of_kind, name in threads if of_kind == kind]
        if names:
            asked = {"threads": json.dumps(names), "turn": marks.turn, "episode": marks.episode}
            rows = reader.store.rows(sql, asked)
            found |= {(kind, row["thread"]): max(1, row["places"] or 0) for row in rows}
    return found


def _add_told(reader: IndexReader, ranking: Ranking, ranked: list[Ranked], most: int) -> None:
    """Read the best rows for a day, a time or a wish: with it, the others would stay behind."""
    question = ranking.question
    aim = question.aim
    gain = max(
        constants.WHEN * aim.of_time,
        constants.WISH * aim.of_help,
        constants.DATE * bool(question.spans),
    )
    bar = ranked[:most][-1].score - gain * ranking.held
    near = [one for one in ranked[: constants.READ] if one.score >= bar]
    near = [one for one in near if kind_of(one.candidate.row) != FACT]
    ranking.read_texts(reader, [one.candidate.row for one in near])
    near = [one for one in near if one.candidate.row in ranking.texts]
    for place, one in enumerate(near):
        row = one.candidate.row
        cells = ranking.texts[row]
        if question.spans and place < constants.DATES_READ:
            ranking.days_told[row] = _says_day(question, cells)
        if aim.of_time and tells_time(cells["text"][: constants.CHARACTERS_READ]):
            ranking.tells_time.add(row)
        user = one.candidate.mask and one.candidate.said_as == USER
        if aim.of_help and user and _WISH.search(cells["text"].lower()):
            ranking.wishes.add(row)
    for one, anew in zip(near, ranking.scored([one.candidate for one in near]), strict=True):
        one.score = anew.score


def _says_day(question: RecallQuestion, cells: sqlite3.Row) -> float:
    """Return 1 where a text names a day that is asked for, or says it in the same words; else 0."""
    text = cells["text"][: constants.CHARACTERS_READ]
    lowered = text.lower()
    if any(span.words.lower() in lowered for span in question.spans):
        return 1.0
    said = days_said(text, question.zone.local(cells["happened_at"], cells["utc_offset"]))
    return float(
        any(
            one.first <= asked.last and asked.first <= one.last
            for one in said
            for asked in question.spans
            if (one.last - one.first) <= 2 * (asked.last - asked.first) + _WEEK
        )
    )
