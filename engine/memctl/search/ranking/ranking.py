"""Scores candidates: own words, neighbours, thread, people, dates; every part has a name."""

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
from memctl.store import statements
from memctl.text.calendar.said_dates import closeness, days_said, is_meant, tells_time

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping

    from memctl.search.index.reader import IndexReader
    from memctl.search.question.question import RecallQuestion
    from memctl.search.ranking.row_candidates import RowCandidate

__all__ = ["Ranked", "Ranking", "rank"]

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
    tells_time, wishes
        Whether its text tells a time, or a standing wish; known of the best rows alone.
    raised
        What it gained because it is newer than a row that says the same.
    earlier_than
        The row that says the same, newer, and stands above it.
    """

    candidate: RowCandidate
    score: float
    tells_time: bool = False
    wishes: bool = False
    raised: float = 0.0
    earlier_than: int | None = None


@dataclass(slots=True)
class Ranking:
    """The candidates of one search, placed in their threads, with their scores.

    `score` and `parts` are the same sum: once quickly for every candidate, once by name
    for those that are shown.
    """

    question: RecallQuestion
    held: float = 1.0
    stands_alone: float = 0.0
    at: dict[Thread, dict[int, RowCandidate]] = field(default_factory=dict)
    threads: dict[Thread, float] = field(default_factory=dict)
    subjects: frozenset[int] = frozenset()
    texts: dict[int, sqlite3.Row] = field(default_factory=dict)
    talks: bool = False
    overridden: bool = False
    said: dict[int, float] = field(default_factory=dict)

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

    def said_as(self, candidate: RowCandidate) -> int:
        """Return what a row is said as: a named person next to an assistant is its user."""
        if candidate.said_as != PERSON or not self.talks:
            return candidate.said_as
        beside = (self.neighbour(candidate, -1), self.neighbour(candidate, 1))
        talks = any(other is not None and other.said_as == ASSISTANT for other in beside)
        return USER if talks else PERSON

    def score(self, candidate: RowCandidate) -> float:
        """Return the sum of a candidate's parts, all but those that its text must tell."""
        return self._whole(candidate) * self.held

    def _whole(self, candidate: RowCandidate) -> float:
        """Return a score before the words that no row holds take their share of it."""
        if kind_of(candidate.row) == FACT:
            return self._fact_score(candidate) * (1 + self.stands_alone)
        said_as = self.said_as(candidate)
        score = candidate.own
        if candidate.asks and said_as != USER:
            score += constants.ASKS
        thread, seq = candidate.thread, candidate.seq
        if thread is not None:
            if said_as != ASSISTANT:
                score += self._inherited(self.at[thread], candidate, said_as)
            score += constants.THREAD * self.threads.get(thread, 0.0)
            if seq == 1:
                score += constants.OPENING
        if said_as != PERSON:
            score += self._role(said_as)
        if self.question.names:
            score += self.participant(candidate)
        if self.question.spans:
            score += self._date(candidate)
        return score

    @staticmethod
    def _inherited(places: dict[int, RowCandidate], candidate: RowCandidate, said_as: int) -> float:
        at, seq = places.get, candidate.seq
        near_before, near_after, far_before, far_after = constants.INHERITED[said_as]
        lent = 0.0
        # What holds no word of the question has nothing to lend.
        if (other := at(seq - 1)) is not None and other.own:
            asks = other.asks and said_as == PERSON
            lent += (near_before + constants.BEFORE_QUESTION * asks) * other.own
        if (other := at(seq + 1)) is not None and other.own:
            lent += near_after * other.own
        if (other := at(seq - 2)) is not None and other.own:
            lent += far_before * other.own
        if (other := at(seq + 2)) is not None and other.own:
            lent += far_after * other.own
        return lent and lent * _damping(candidate, said_as)

    def _role(self, said_as: int) -> float:
        if said_as == USER:
            return constants.ASKER if self.question.aim.of_asker else 0.0
        return constants.REPLY if self.question.aim.of_reply else 0.0

    def _fact_score(self, candidate: RowCandidate) -> float:
        return candidate.own + constants.FACT_SUBJECT * (candidate.row in self.subjects)

    def parts(self, ranked: Ranked) -> dict[str, float]:
        """Return the parts of a score by name, without those that are zero."""
        candidate = ranked.candidate
        if kind_of(candidate.row) == FACT:
            subject = constants.FACT_SUBJECT * (candidate.row in self.subjects)
            gain = self.stands_alone * self._fact_score(candidate)
            of_fact = {"subject": subject, "fact": gain, "unheld": self._unheld(candidate)}
            return {name: value for name, value in of_fact.items() if value}
        said_as = self.said_as(candidate)
        damping = _damping(candidate, said_as)
        shares = constants.INHERITED[said_as]
        places = ("1 before", -1), ("1 after", 1), ("2 before", -2), ("2 after", 2)
        parts: dict[str, float] = {}
        for share, (name, steps) in zip(shares, places, strict=True):
            if other := self.neighbour(candidate, steps):
                parts[name] = share * damping * other.own
        asking = self.neighbour(candidate, -1)
        if asking and asking.asks and said_as == PERSON:
            parts["answers"] = constants.BEFORE_QUESTION * damping * asking.own
        if candidate.thread is not None:
            parts["thread"] = constants.THREAD * self.threads.get(candidate.thread, 0.0)
            parts["opening"] = constants.OPENING if candidate.seq == 1 else 0.0
        parts["asks"] = constants.ASKS if candidate.asks and said_as != USER else 0.0
        parts["reply" if said_as == ASSISTANT else "asker"] = (
            0.0 if said_as == PERSON else self._role(said_as)
        )
        parts["participant"] = self.participant(candidate)
        parts["date"] = self._date(candidate)
        parts["when"] = constants.WHEN * self.held if ranked.tells_time else 0.0
        parts["wish"] = constants.WISH * self.held if ranked.wishes else 0.0
        parts["unheld"] = self._unheld(candidate)
        parts["newer"] = ranked.raised
        return {name: value for name, value in parts.items() if value}

    def _unheld(self, candidate: RowCandidate) -> float:
        return self._whole(candidate) * (self.held - 1)

    def participant(self, candidate: RowCandidate) -> float:
        """Return what a row gains because the question names who said it."""
        names = self.question.names
        if not names or names[0] not in candidate.who:
            return 0.0
        return constants.PARTICIPANT if len(names) == 1 else constants.SUBJECT

    def _date(self, candidate: RowCandidate) -> float:
        if not self.question.spans:
            return 0.0
        local = self.question.zone.local(candidate.at, candidate.offset)
        near = closeness(local, self.question.spans)
        meant = near * candidate.own if is_meant(local, self.question.spans) else 0.0
        return constants.DATE * (max(near, self.said.get(candidate.row, 0.0)) + meant)

    def read_texts(self, reader: IndexReader, rows: Iterable[int]) -> None:
        """Read the columns of some rows, each once."""
        unread = [row for row in rows if row not in self.texts]
        if unread:
            self.texts |= texts_of(reader.store, unread)


def rank(
    reader: IndexReader, question: RecallQuestion, *, most: int
) -> tuple[Ranking, list[Ranked]]:
    """Return the candidates that pass the filters, the best first.

    Parameters
    ----------
    most
        How many will be shown: among these, texts are read for what they tell.

    Ties go to the newest, then to the higher row, so that the order is always the same.
    """
    gathered = found_by.gather(reader, question)
    masks, ordered = gathered.masks, found_by.keep(gathered, question, most)
    del gathered  # its sets are large, and every garbage collection would visit them
    asks_texts = reader.request.allows_turns_or_episodes
    # Where no word is known, what is asked is a person or a day, and these are held.
    held = question.total_idf / question.weight if question.concepts else 1.0
    ranking = Ranking(question, held, constants.STANDS_ALONE if asks_texts else 0.0)
    ranked: list[Ranked] = []
    for start in range(0, len(ordered), constants.KEPT):
        candidates = _candidates(reader, ranking, ordered[start : start + constants.KEPT], masks)
        ranked += [Ranked(one, ranking.score(one)) for one in candidates if one.wanted]
        # A first page is enough, unless more is asked for, or filters hide most of it.
        if len(ranked) >= max(most, constants.KEPT // 2):
            break
    ranked.sort(key=_order, reverse=True)
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


def _damping(candidate: RowCandidate, said_as: int) -> float:
    if said_as != PERSON or candidate.words <= constants.LONG:
        return 1.0
    return constants.LONG / candidate.words


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
    """Add what texts tell to the best rows, a time or a wish: the others stay behind with it, too."""
    question, held = ranking.question, ranking.held
    aim = question.aim
    gain = max(
        constants.WHEN * aim.of_time,
        constants.WISH * aim.of_help,
        constants.DATE * bool(question.spans),
    )
    bar = ranked[:most][-1].score - gain * held
    near = [one for one in ranked[: constants.READ] if one.score >= bar]
    near = [one for one in near if kind_of(one.candidate.row) != FACT]
    ranking.read_texts(reader, [one.candidate.row for one in near])
    for place, one in enumerate(near):
        cells = ranking.texts.get(one.candidate.row)
        if cells is None:
            continue
        if question.spans and place < constants.DATES_READ:
            ranking.said[one.candidate.row] = _says_day(question, cells)
            one.score = ranking.score(one.candidate)
        if aim.of_time and tells_time(cells["text"][: constants.CHARACTERS_READ]):
            one.tells_time = True
            one.score += constants.WHEN * held
        user = one.candidate.mask and ranking.said_as(one.candidate) == USER
        if aim.of_help and user and _WISH.search(cells["text"].lower()):
            one.wishes = True
            one.score += constants.WISH * held


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
