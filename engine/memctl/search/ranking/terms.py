"""The terms of a score: what each adds to a row, and why, in one table.

A row's score is the sum of the words that it holds and of these terms, times the share of the
question that any row holds. A term is computed for all rows at once: a call for each row would take
half the time of a recall. A new term is one entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.search.index.index_rows import FACT, kind_and_id, kind_of
from memctl.search.ranking import ranking_constants as constants
from memctl.search.ranking.row_candidates import ASSISTANT, PERSON, USER
from memctl.search.ranking.scores import Term, damping
from memctl.text.calendar.said_dates import closeness

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memctl.search.ranking.row_candidates import RowCandidate
    from memctl.search.ranking.scores import Ranking

    Why = Callable[[Ranking, RowCandidate], str]


def _because(reason: str) -> Why:
    return lambda _, __: reason


# -- turns and episodes --------------------------------------------------------------------


def _neighbour(share: int, steps: int, where: str) -> Term:
    """Return the term of the row `steps` places away, which lends one of the INHERITED shares."""

    def values(ranking: Ranking, candidates: Sequence[RowCandidate]) -> list[float]:
        at = ranking.at
        return [
            one.inherits[share] * other.own
            if one.thread is not None and (other := at[one.thread].get(one.seq + steps)) is not None
            else 0.0
            for one in candidates
        ]

    def why(ranking: Ranking, candidate: RowCandidate) -> str:
        return f"{_described(ranking, ranking.neighbour(candidate, steps))}, {where}"

    return Term("neighbour", values, why)


def _answers(ranking: Ranking, candidates: Sequence[RowCandidate]) -> list[float]:
    at = ranking.at
    return [
        constants.BEFORE_QUESTION * damping(candidate) * asking.own
        if candidate.said_as == PERSON
        and candidate.thread is not None
        and (asking := at[candidate.thread].get(candidate.seq - 1)) is not None
        and asking.asks
        else 0.0
        for candidate in candidates
    ]


def _why_answers(ranking: Ranking, candidate: RowCandidate) -> str:
    return f"it follows a question: {_described(ranking, ranking.neighbour(candidate, -1))}"


def _thread(ranking: Ranking, candidates: Sequence[RowCandidate]) -> list[float]:
    scores = ranking.threads
    return [
        constants.THREAD * scores.get(candidate.thread, 0.0)
        if candidate.thread is not None
        else 0.0
        for candidate in candidates
    ]


def _why_thread(_: Ranking, candidate: RowCandidate) -> str:
    return f'its thread "{candidate.thread[1] if candidate.thread else ""}" is about it'


def _opening(_: Ranking, candidates: Sequence[RowCandidate]) -> list[float]:
    return [
        constants.OPENING if candidate.seq == 1 and candidate.thread is not None else 0.0
        for candidate in candidates
    ]


def _asks(_: Ranking, candidates: Sequence[RowCandidate]) -> list[float]:
    return [
        constants.ASKS if candidate.asks and candidate.said_as != USER else 0.0
        for candidate in candidates
    ]


def _asker(_: Ranking, candidates: Sequence[RowCandidate]) -> list[float]:
    return [constants.ASKER if candidate.said_as == USER else 0.0 for candidate in candidates]


def _reply(_: Ranking, candidates: Sequence[RowCandidate]) -> list[float]:
    return [constants.REPLY if candidate.said_as == ASSISTANT else 0.0 for candidate in candidates]


def _participant(ranking: Ranking, candidates: Sequence[RowCandidate]) -> list[float]:
    names = ranking.question.names
    if not names:
        return [0.0] * len(candidates)
    gain = constants.PARTICIPANT if len(names) == 1 else constants.SUBJECT
    spellings = names[0].spellings
    return [0.0 if spellings.isdisjoint(candidate.who) else gain for candidate in candidates]


def _why_participant(ranking: Ranking, _: RowCandidate) -> str:
    names = ranking.question.names
    return f'the question names "{names[0].name}" {"alone" if len(names) == 1 else "first"}'


def _date(ranking: Ranking, candidates: Sequence[RowCandidate]) -> list[float]:
    zone, spans = ranking.question.zone, ranking.question.spans
    from_now = [span for span in spans if span.from_now]
    result = []
    for candidate in candidates:
        local = zone.local(candidate.at, candidate.offset)
        near = closeness(local, spans)
        meant = near * candidate.own if from_now and closeness(local, from_now) == 1.0 else 0.0
        result.append(
            constants.DATE * (max(near, ranking.days_told.get(candidate.row, 0.0)) + meant)
        )
    return result


def _why_date(ranking: Ranking, candidate: RowCandidate) -> str:
    spans = ", ".join(dict.fromkeys(f'"{span.words}"' for span in ranking.question.spans))
    day = ranking.question.zone.day(candidate.at, candidate.offset)
    return f"{day} is in or near {spans}"


def _when(ranking: Ranking, candidates: Sequence[RowCandidate]) -> list[float]:
    return [
        constants.WHEN if candidate.row in ranking.tells_time else 0.0 for candidate in candidates
    ]


def _wish(ranking: Ranking, candidates: Sequence[RowCandidate]) -> list[float]:
    return [constants.WISH if candidate.row in ranking.wishes else 0.0 for candidate in candidates]


def _details(ranking: Ranking, candidates: Sequence[RowCandidate]) -> list[float]:
    lacks = ranking.in_details.get
    return [-constants.DETAILS * lacks(candidate.row, 0.0) for candidate in candidates]


def _meaning(ranking: Ranking, candidates: Sequence[RowCandidate]) -> list[float]:
    cosine = ranking.meaning.get
    return [
        constants.MEANING
        * cosine(candidate.row, 0.0)
        * (1 + (ranking.stands_alone if kind_of(candidate.row) == FACT else 0.0))
        for candidate in candidates
    ]


def _why_meaning(ranking: Ranking, candidate: RowCandidate) -> str:
    return f"meaning {ranking.meaning[candidate.row]:.2f} x {constants.MEANING}"


# -- facts ---------------------------------------------------------------------------------


def _subject(ranking: Ranking, candidates: Sequence[RowCandidate]) -> list[float]:
    return [
        constants.FACT_SUBJECT if candidate.row in ranking.subjects else 0.0
        for candidate in candidates
    ]


def _stands_alone(ranking: Ranking, candidates: Sequence[RowCandidate]) -> list[float]:
    subjects = _subject(ranking, candidates)
    return [
        ranking.stands_alone * (candidate.own + subject)
        for candidate, subject in zip(candidates, subjects, strict=True)
    ]


TERMS = (
    _neighbour(0, -1, "1 before"),
    _neighbour(1, 1, "1 after"),
    _neighbour(2, -2, "2 before"),
    _neighbour(3, 2, "2 after"),
    Term("answers", _answers, _why_answers),
    Term("thread", _thread, _why_thread),
    Term("opening", _opening, _because("it opens its thread")),
    Term("asks", _asks, _because("it asks: the answer is elsewhere")),
    Term(
        "asker",
        _asker,
        _because("the question is about who asks, and the user said it"),
        lambda ranking: ranking.question.aim.of_asker,
    ),
    Term(
        "reply",
        _reply,
        _because("the question asks what was answered, and the assistant said it"),
        lambda ranking: ranking.question.aim.of_reply,
    ),
    Term(
        "participant",
        _participant,
        _why_participant,
        lambda ranking: ranking.question.names,
        of="any",
    ),
    Term("date", _date, _why_date, lambda ranking: ranking.question.spans),
    Term(
        "when",
        _when,
        _because("the question asks for a time and the text tells one"),
        lambda ranking: ranking.question.aim.of_time,
    ),
    Term(
        "wish",
        _wish,
        _because("the question asks for help, and the user states a standing wish"),
        lambda ranking: ranking.question.aim.of_help,
    ),
    Term("details", _details, _because("words stand in its details, not in its summary or tags")),
    Term("meaning", _meaning, _why_meaning, lambda ranking: ranking.meaning, of="any"),
    Term("subject", _subject, _because("the question names its subject"), of="fact"),
    Term(
        "fact",
        _stands_alone,
        _because("it stands for itself: it has no thread that could lend it any"),
        of="fact",
    ),
)
"""All terms of a score but those of its words, in the order in which an explanation lists them."""


def _described(ranking: Ranking, other: RowCandidate | None) -> str:
    if other is None:
        return "a row"
    kind, number = kind_and_id(other.row)
    words = ", ".join(f'"{concept.word}"' for concept in ranking.question.held(other.mask))
    return f"{kind} {number} holds {words}"
