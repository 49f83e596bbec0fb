"""Rows of a list: which belong to it by their day or their thread, whatever their words."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from memctl.search.index.index_rows import FACT, kind_of
from memctl.search.question.asked_values import names_thing
from memctl.search.ranking import row_candidates as found_by
from memctl.search.ranking.ranking_constants import CHARACTERS_READ
from memctl.search.ranking.row_candidates import ASSISTANT
from memctl.text.calendar.said_dates import days_said

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Mapping, Sequence

    from memctl.search.index.reader import IndexReader
    from memctl.search.question.question import RecallQuestion
    from memctl.search.ranking.row_candidates import RowCandidate
    from memctl.search.ranking.scores import Ranked, Ranking
    from memctl.text.calendar.said_dates import DaySpan

# Rows among which those of a list are looked for.
_LOOKED_AT = 200
# The best of these are judged whatever they hold; of the others those that may go on with the list.
_JUDGED = 40
# A thread goes on with what it opened with for so many rows, none much later than the one before.
_OF_A_THREAD = 8
_PAUSE = timedelta(hours=1)
_THREADS = 3
_A_BIT = 1e-6


@dataclass(frozen=True, slots=True)
class ListRows:
    """Rows of the index by what they are to a list.

    Parameters
    ----------
    belong
        They are of it by their day or their thread, whatever words they hold.
    fit
        They hold as much of the question as any row does.
    outside
        They are of other days, or nothing ties them to what is asked: no word, no row beside
        that has one.
    days
        The day that a fact names, where it names one.
    by_time
        Whether they come in the order of time: it is asked for, or what happened on a day.
    """

    belong: frozenset[int] = frozenset()
    fit: frozenset[int] = frozenset()
    outside: frozenset[int] = frozenset()
    days: Mapping[int, str] = field(default_factory=dict)
    by_time: bool = False

    def time_of(self, candidate: RowCandidate) -> tuple[str, int]:
        """Return the key that sorts rows by time: the day in a fact's text, else when it was written."""
        return self.days.get(candidate.row, candidate.at), candidate.seq


def looked_at(question: RecallQuestion, most: int) -> int:
    """Return how many of the best rows are judged: more than may be given, where a list is asked for."""
    return most if question.listing is None else max(most, _LOOKED_AT)


def rows_of_list(
    reader: IndexReader, ranking: Ranking, ranked: list[Ranked], most: int
) -> ListRows:
    """Return the best rows of a ranking as the list that is asked for.

    The ranking is cut to the rows that are looked at; those of threads that open with what is
    asked are added behind them.

    Parameters
    ----------
    most
        How many rows are looked at.
    """
    question = ranking.question
    if question.listing is None:
        return ListRows()
    del ranked[most:]
    belong = set()
    if question.listing.whole:
        belong |= _of_threads(reader, ranking, ranked)
    looked = [scored.candidate.row for scored in ranked]
    ranking.read_texts(reader, looked)
    days = {row: day for row in looked if (day := _day_told(question, ranking.texts.get(row)))}
    meant = _meant(reader, ranking, ranked)
    outside = _loose(ranking, ranked)
    if days_alone := asks_of_days_alone(question):
        # A fact that names no day lasts: it is no event, where there are any.
        belong |= {row for row in meant if kind_of(row) != FACT or row in days} or meant
        outside = {*looked} - belong
    elif meant or question.spans:
        outside |= {*looked} - meant
    if question.listing.mine:
        outside |= {
            scored.candidate.row for scored in ranked if scored.candidate.said_as == ASSISTANT
        }
    if question.listing.newest:
        outside |= {row for row, day in days.items() if day > reader.request.moment[:10]}
    outside -= belong
    inside = [scored for scored in ranked if scored.candidate.row not in outside]
    held = {scored.candidate.row: question.telling(scored.candidate.mask) for scored in inside}
    bar = max(max(held.values(), default=0.0) - _A_BIT, _A_BIT)
    fit = {row for row, telling in held.items() if telling >= bar}
    if not fit and not _things(question):  # "the last two things that Ann did"
        fit = {scored.candidate.row for scored in inside if _names(question, scored.candidate)}
    first = max(reader.request.most, _JUDGED)
    ranked[:] = ranked[:first] + [o for o in ranked[first:] if o.candidate.row in fit | belong]
    by_time = question.listing.ordered or days_alone
    return ListRows(frozenset(belong), frozenset(fit | belong), frozenset(outside), days, by_time)


def _meant(reader: IndexReader, ranking: Ranking, ranked: Sequence[Ranked]) -> set[int]:
    """Return the rows of the days, and by the people, that a list is of; all where it names none."""
    asked_on = date.fromisoformat(reader.request.moment[:10])
    return {
        scored.candidate.row
        for scored in ranked
        if (cells := ranking.texts.get(scored.candidate.row)) is not None
        and _is_said_by(ranking.question, scored.candidate)
        and is_of(ranking.question, ranking.question.spans, cells, asked_on)
    }


def _day_told(question: RecallQuestion, cells: sqlite3.Row | None) -> str:
    """Return the first day that a fact names, one that is asked for before others; else nothing."""
    listing = question.listing
    timed = listing is not None and (listing.newest or listing.ordered or listing.happened)
    if cells is None or cells["kind"] != "fact" or not (timed or question.spans):
        return ""
    local = question.zone.local(cells["happened_at"], cells["utc_offset"])
    named = sorted(span.first for span in days_said(cells["text"], local))
    asked = [day for day in named if any(s.first <= day <= s.last for s in question.spans)]
    return next((day.isoformat() for day in (*asked, *named)), "")


def asks_of_days_alone(question: RecallQuestion) -> bool:
    """Return whether a list is of all rows of its days: it names nothing that they must have."""
    listing = question.listing
    named = question.spans or (question.names and listing is not None and listing.happened)
    return listing is not None and bool(named) and not _things(question)


def _things(question: RecallQuestion) -> list[str]:
    """Return the words of a question that name something that rows must have."""
    return [word for word in question.words if names_thing(word)]


def is_of(
    question: RecallQuestion, days: Sequence[DaySpan], cells: sqlite3.Row, asked_on: date = date.min
) -> bool:
    """Return whether a row is of the days of a question: its text names one, or it is of one.

    A fact that names other days is of these alone: an appointment is told long before.
    """
    local = question.zone.local(cells["happened_at"], cells["utc_offset"])
    if not days:
        return True
    day = date.fromisoformat(local[:10])
    named = days_said(cells["text"][:CHARACTERS_READ], local)
    is_fact = cells["kind"] == "fact"
    if not is_fact and question.listing is not None and question.listing.happened:
        # What happened was told then or later; before, it was planned, and is asked for ahead alone.
        named = tuple(span for span in named if span.first <= day or day < asked_on <= span.last)
    if any(span.meets(asked) for span in named for asked in days):
        return True
    if named and is_fact:
        return False
    return any(asked.first <= day <= asked.last for asked in days)


def _is_said_by(question: RecallQuestion, candidate: RowCandidate) -> bool:
    """Return whether a row is of the speaker whom a question for everything names, if any."""
    listing = question.listing
    if listing is None or not (listing.happened and question.names):
        return True
    return kind_of(candidate.row) != FACT and _names(question, candidate)


def _names(question: RecallQuestion, candidate: RowCandidate) -> bool:
    """Return whether a question names somebody whose row it is, by any spelling."""
    return any(not person.spellings.isdisjoint(candidate.who) for person in question.names)


def _loose(ranking: Ranking, ranked: Sequence[Ranked]) -> set[int]:
    """Return the rows without a word of the question, and without a neighbour of that time that has one."""
    question = ranking.question
    if not _things(question):
        return set()
    result = set()
    for scored in ranked:
        candidate = scored.candidate
        if candidate.mask or candidate.row in ranking.meaning:
            continue
        if _names(question, candidate):
            continue
        beside = [ranking.neighbour(candidate, steps) for steps in (-2, -1, 1, 2)]
        if not any(
            other is not None and other.mask and _within(other.at, candidate.at) for other in beside
        ):
            result.add(candidate.row)
    return result


def _within(time: str, other: str) -> bool:
    return abs(datetime.fromisoformat(time) - datetime.fromisoformat(other)) <= _PAUSE


def _of_threads(reader: IndexReader, ranking: Ranking, ranked: list[Ranked]) -> set[int]:
    """Return the rows of threads that open with what is asked; those not ranked yet are added."""
    question = ranking.question
    best = max((question.telling(scored.candidate.mask) for scored in ranked), default=0.0)
    openings = [
        scored.candidate
        for scored in ranked
        if scored.candidate.thread is not None
        and scored.candidate.seq == 1
        and 0 < best <= question.telling(scored.candidate.mask) + _A_BIT
    ][:_THREADS]
    belong: set[int] = set()
    known = {scored.candidate.row for scored in ranked}
    for opening in openings:
        after = found_by.read(reader, _rows_after(reader, opening.thread), {}, question)
        said = opening.at
        for candidate in sorted(after.values(), key=lambda scored: scored.seq)[:_OF_A_THREAD]:
            if candidate.seq == 1 or candidate.thread != opening.thread:
                continue
            if not _within(said, candidate.at):
                break
            said = candidate.at
            belong.add(candidate.row)
            if candidate.row not in known and candidate.wanted:
                ranking.take([candidate])
                ranking.settle([candidate])
                ranked += ranking.scored([candidate])
    return belong & {scored.candidate.row for scored in ranked}


def _rows_after(reader: IndexReader, thread: tuple[int, str] | None) -> Collection[int]:
    """Return the rows of a thread from its second on, some more than are taken."""
    if thread is None:
        return ()
    return found_by.around(reader, ((thread, seq) for seq in range(3, _OF_A_THREAD + 3, 5)))
