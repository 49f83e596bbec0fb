"""Scores: what the candidates of a search are, and the terms that their scores are the sum of."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from memctl.search.index.index_rows import FACT, kind_of, texts_of
from memctl.search.ranking import ranking_constants as constants
from memctl.search.ranking.row_candidates import ASSISTANT, PERSON, USER
from memctl.search.recall_results import ScoreTerm

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from memctl.search.index.reader import IndexReader
    from memctl.search.question.question import RecallQuestion
    from memctl.search.ranking.row_candidates import RowCandidate


Thread = tuple[int, str]


def _always(_: Ranking) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Term:
    """One term of a score.

    Parameters
    ----------
    name
        As an explanation shows it.
    values
        What it adds to the score of each of some rows; 0 where it does not apply.
    why
        The reason for it, for people.
    asked
        The searches it applies to; all by default.
    of
        The rows it applies to: what was said (turns and episodes), facts, or any.
    """

    name: str
    values: Callable[[Ranking, Sequence[RowCandidate]], list[float]]
    why: Callable[[Ranking, RowCandidate], str]
    asked: Callable[[Ranking], object] = _always
    of: Literal["said", "fact", "any"] = "said"


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
    in_details
        The share of a row's own score that words have which its details alone hold.
    raised
        What a row gained because it is newer than one that says the same.
    terms
        Those of turns and episodes, and those of facts.
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
    in_details: dict[int, float] = field(default_factory=dict)
    raised: dict[int, float] = field(default_factory=dict)
    terms: tuple[Sequence[Term], Sequence[Term]] = ((), ())

    def sum_up(self, terms: Iterable[Term]) -> None:
        """Choose the terms that the question calls for: those of turns and episodes, of facts."""
        asked = [term for term in terms if term.asked(self)]
        self.terms = (
            [term for term in asked if term.of != "fact"],
            [term for term in asked if term.of != "said"],
        )

    def take(self, candidates: Iterable[RowCandidate]) -> list[RowCandidate]:
        """Put candidates at their places; return them."""
        taken = list(candidates)
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
            for candidate, sums in zip(rows, map(sum, zip(*columns, strict=True)), strict=True):
                whole = (candidate.own + sums) * self.held
                scored.append(Ranked(candidate, whole + self.raised.get(candidate.row, 0.0)))
        return scored

    def score_anew(self, ranked: Sequence[Ranked]) -> None:
        """Give rows the score that they have by what was read of them since."""
        anew = self.scored([scored.candidate for scored in ranked])
        score = {each.candidate.row: each.score for each in anew}
        for scored in ranked:
            scored.score = score[scored.candidate.row]

    def parts(self, candidates: Sequence[RowCandidate]) -> list[dict[str, float]]:
        """Return, for each row, what each term adds to its score, by the name of the term."""
        result: dict[int, dict[str, float]] = {id(one): {} for one in candidates}
        for terms, rows in self._parted(candidates):
            for term in terms:
                for one, value in zip(rows, term.values(self, rows), strict=True):
                    if value:
                        of_row = result[id(one)]
                        of_row[term.name] = of_row.get(term.name, 0.0) + value
        return [result[id(candidate)] for candidate in candidates]

    def _parted(
        self, candidates: Sequence[RowCandidate]
    ) -> Iterable[tuple[Sequence[Term], list[RowCandidate]]]:
        """Return turns and episodes, and facts, each with the terms that apply to them."""
        said = [one for one in candidates if kind_of(one.row) != FACT]
        facts = [candidate for candidate in candidates if kind_of(candidate.row) == FACT]
        return [pair for pair in zip(self.terms, (said, facts), strict=True) if pair[1]]

    def explained(self, candidate: RowCandidate) -> list[ScoreTerm]:
        """Return the terms of a score but those of its words, without those that are zero."""
        whole = candidate.own
        result = []
        for term in self.terms[kind_of(candidate.row) == FACT]:
            (value,) = term.values(self, [candidate])
            whole += value
            if value:
                result.append(ScoreTerm(term.name, value, term.why(self, candidate)))
        if unheld := whole * (self.held - 1):
            words = ", ".join(f'"{word}"' for word in self.question.unknown)
            why = f"no {self.thing} holds {words}: {1 - self.held:.0%} of what was asked"
            result.append(ScoreTerm("unheld", unheld, why))
        if raised := self.raised.get(candidate.row):
            result.append(ScoreTerm("newer", raised, "it is newer than a row that says the same"))
        return result

    def read_texts(self, reader: IndexReader, rows: Iterable[int]) -> None:
        """Read the columns of some rows, each once."""
        unread = [row for row in rows if row not in self.texts]
        if unread:
            self.texts |= texts_of(reader.store, unread)


def shares(candidate: RowCandidate) -> tuple[float, ...]:
    """Return the shares that a row inherits of its neighbours' own scores."""
    inherited = constants.INHERITED[candidate.said_as]
    if candidate.words <= constants.LONG:
        return inherited
    if (damped := damping(candidate)) == 1.0:
        return inherited
    return tuple(share * damped for share in inherited)


def damping(candidate: RowCandidate) -> float:
    """Return the factor of what a person's row inherits: less, the longer the row is."""
    if candidate.said_as != PERSON or candidate.words <= constants.LONG:
        return 1.0
    return constants.LONG / candidate.words
