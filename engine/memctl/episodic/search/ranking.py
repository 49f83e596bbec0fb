"""Scores candidates: own words, neighbours, thread, people, dates; every part has a name."""

from __future__ import annotations

import heapq
import json
from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING

from memctl.episodic.search import dates
from memctl.episodic.search import ranking_constants as constants
from memctl.episodic.search import turn_candidates as found_by
from memctl.episodic.search.query_terms import idf
from memctl.episodic.search.turn_index import texts_of
from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.episodic.recall_request import RecallRequest
    from memctl.episodic.search.query_terms import TurnQuery
    from memctl.episodic.search.turn_candidates import TurnCandidate
    from memctl.store.store import Store

__all__ = ["RankedTurn", "Ranking", "rank"]

SQL = statements.load("store/episodic_recall")

Thread = tuple[int, str]

_NEAR, _FAR = constants.NEIGHBOURS


@dataclass(slots=True)
class RankedTurn:
    """A candidate and its score; `tells_time` is known of the best rows alone."""

    candidate: TurnCandidate
    score: float
    tells_time: bool = False


@dataclass(slots=True)
class Ranking:
    """The candidates of one recall, placed in their threads, with their scores.

    `score` and `parts` are the same sum: once quickly for every candidate, once by name
    for those that are shown.
    """

    question: TurnQuery
    at: dict[Thread, dict[int, TurnCandidate]] = field(default_factory=dict)
    threads: dict[Thread, float] = field(default_factory=dict)

    def take(self, found: Iterable[TurnCandidate]) -> list[TurnCandidate]:
        """Put candidates at their places; return them."""
        taken = list(found)
        for candidate in taken:
            if candidate.thread is not None:
                self.at.setdefault(candidate.thread, {})[candidate.seq] = candidate
        return taken

    def neighbour(self, candidate: TurnCandidate, steps: int) -> TurnCandidate | None:
        """Return the candidate so many places further in the same thread."""
        if candidate.thread is None:
            return None
        return self.at[candidate.thread].get(candidate.seq + steps)

    def is_surrounded(self, candidate: TurnCandidate) -> bool:
        """Return whether all neighbours up to two places away are here."""
        return all(
            candidate.seq + steps < 1 or self.neighbour(candidate, steps) is not None
            for steps in (-2, -1, 1, 2)
        )

    def score(self, candidate: TurnCandidate) -> float:
        """Return the sum of a candidate's parts, all but the one that its text must tell."""
        score = candidate.own + (constants.ASKS if candidate.asks else 0.0)
        thread, seq = candidate.thread, candidate.seq
        if thread is not None:
            at = self.at[thread].get
            # Unrolled: it is done for every candidate.
            if (before := at(seq - 1)) is not None:
                score += (_NEAR + constants.BEFORE_QUESTION if before.asks else _NEAR) * before.own
            if (after := at(seq + 1)) is not None:
                score += _NEAR * after.own
            if (before := at(seq - 2)) is not None:
                score += _FAR * before.own
            if (after := at(seq + 2)) is not None:
                score += _FAR * after.own
            score += constants.THREAD * self.threads.get(thread, 0.0) + (
                constants.OPENING if seq == 1 else 0.0
            )
        if self.question.names:
            score += self._participant(candidate)
        if self.question.spans:
            score += self._date(candidate)
        return score

    def parts(self, ranked: RankedTurn) -> dict[str, float]:
        """Return the parts of a score by name, without those that are zero."""
        candidate = ranked.candidate
        parts: dict[str, float] = {}
        for steps, share in enumerate(constants.NEIGHBOURS, 1):
            for name, places in (("before", -steps), ("after", steps)):
                if other := self.neighbour(candidate, places):
                    parts[f"{steps} {name}"] = share * other.own
        if (asking := self.neighbour(candidate, -1)) and asking.asks:
            parts["answers"] = constants.BEFORE_QUESTION * asking.own
        if candidate.thread is not None:
            parts["thread"] = constants.THREAD * self.threads.get(candidate.thread, 0.0)
            parts["opening"] = constants.OPENING if candidate.seq == 1 else 0.0
        parts["asks"] = constants.ASKS if candidate.asks else 0.0
        parts["participant"] = self._participant(candidate)
        parts["date"] = self._date(candidate)
        parts["when"] = constants.WHEN if ranked.tells_time else 0.0
        return {name: value for name, value in parts.items() if value}

    def _participant(self, candidate: TurnCandidate) -> float:
        names = self.question.names
        if not names or names[0] not in candidate.who:
            return 0.0
        return constants.PARTICIPANT if len(names) == 1 else constants.SUBJECT

    def _date(self, candidate: TurnCandidate) -> float:
        if not self.question.spans:
            return 0.0
        day = date.fromisoformat(candidate.at[:10])
        return constants.DATE * dates.closeness(day, self.question.spans)


def rank(
    store: Store, question: TurnQuery, request: RecallRequest, *, most: int
) -> tuple[Ranking, list[RankedTurn]]:
    """Return the best candidates that pass the filters, `most` at most, the best first.

    Ties go to the newest, then to the higher id, so that the order is always the same.
    """
    gathered = found_by.gather(store, question, request)
    masks, kept = gathered.masks, found_by.keep(gathered, question)
    del gathered  # its sets are large, and every garbage collection would visit them
    rows = {*kept} | found_by.next_to(kept[: constants.ANCHORS])
    ranking = Ranking(question)
    found = found_by.read(store, rows, masks, question, request)
    threads = {found[row].thread for row in kept if row in found}
    candidates = ranking.take(
        candidate
        for row, candidate in found.items()
        if row in masks or (candidate.thread is not None and candidate.thread in threads)
    )
    around = _around(store, ranking, candidates) - rows
    found = found_by.read(store, around, masks, question, request)
    candidates += ranking.take(found.values())
    ranking.threads = _thread_scores(store, candidates, question.size.rows)
    wanted = (candidate for candidate in candidates if candidate.wanted)
    ranked = [RankedTurn(candidate, ranking.score(candidate)) for candidate in wanted]
    ranked.sort(key=_order, reverse=True)
    if question.asks_when and ranked:
        # Telling a time is worth WHEN: whoever is further behind stays out with it, too.
        bar = ranked[:most][-1].score - constants.WHEN
        _add_times(store, [entry for entry in ranked[: constants.READ] if entry.score >= bar])
        ranked.sort(key=_order, reverse=True)
    return ranking, ranked[:most]


def _order(ranked: RankedTurn) -> tuple[float, str, int]:
    return ranked.score, ranked.candidate.at, ranked.candidate.row


def _around(store: Store, ranking: Ranking, candidates: list[TurnCandidate]) -> set[int]:
    """Return the rows up to two places away from the best candidates, where one is not read yet.

    Rows of a thread mostly have numbers in a row and were read by number; not those of
    threads that were logged at the same time.
    """
    best = heapq.nlargest(constants.ANCHORS, candidates, key=lambda c: (c.own, c.at, c.row))
    alone = [c for c in best if c.thread is not None and not ranking.is_surrounded(c)]
    found: set[int] = set()
    for bit, sql in enumerate((SQL.turns_around, SQL.episodes_around)):
        places = [[c.thread[1], c.seq] for c in alone if c.thread and c.thread[0] == bit]
        if places:
            rows = store.rows(sql, {"places": json.dumps(places)})
            found |= {2 * row[0] + bit for row in rows}
    return found


def _thread_scores(
    store: Store, candidates: Iterable[TurnCandidate], indexed_rows: int
) -> dict[Thread, float]:
    """Return BM25 of each thread as one document, divided by what the whole question weighs.

    A word counts once for each row of the thread that holds it; a thread's length is its
    number of places. Only the THREADS heaviest are looked up.
    """
    rows: dict[Thread, dict[int, int]] = {}  # of each thread, how many hold which concept
    weights: dict[Thread, float] = {}
    for candidate in candidates:
        if candidate.mask and (thread := candidate.thread) is not None:
            weights[thread] = weights.get(thread, 0.0) + candidate.own
            held = rows.setdefault(thread, {})
            for bit in _bits(candidate.mask):
                held[bit] = held.get(bit, 0) + 1
    if not rows:
        return {}
    heaviest = sorted(rows, key=lambda thread: (weights[thread], thread), reverse=True)[
        : constants.THREADS
    ]
    places = _places(store, heaviest)
    mean = sum(places.values()) / len(places)
    in_threads = Counter(bit for held in rows.values() for bit in held)
    threads = max(len(rows), indexed_rows / mean)
    idfs = {bit: idf(count, threads) for bit, count in in_threads.items()}
    total = sum(idfs.values()) or 1.0
    return {
        thread: sum(
            idfs[bit] * _saturated(count, places[thread] / mean)
            for bit, count in rows[thread].items()
        )
        / total
        for thread in heaviest
    }


@lru_cache(maxsize=4096)
def _bits(mask: int) -> tuple[int, ...]:
    return tuple(bit for bit in range(mask.bit_length()) if mask >> bit & 1)


def _saturated(rows: int, relative_length: float) -> float:
    norm = 1 - constants.THREAD_B + constants.THREAD_B * relative_length
    return rows * (constants.THREAD_K1 + 1) / (rows + constants.THREAD_K1 * norm)


def _places(store: Store, threads: list[Thread]) -> dict[Thread, int]:
    """Return how many places each thread has."""
    found: dict[Thread, int] = {}
    for bit, sql in enumerate((SQL.session_sizes, SQL.thread_sizes)):
        names = [name for kind, name in threads if kind == bit]
        if names:
            rows = store.rows(sql, {"threads": json.dumps(names)})
            found |= {(bit, row["thread"]): max(1, row["places"]) for row in rows}
    return found


def _add_times(store: Store, ranked: list[RankedTurn]) -> None:
    texts = texts_of(store, [entry.candidate.row for entry in ranked])
    for entry in ranked:
        row = texts.get(entry.candidate.row)
        if row is not None and dates.has_time(row["text"]):
            entry.tells_time = True
            entry.score += constants.WHEN
