"""The terms of a score: what each adds to a row, and why, in one table.

A row's score is the sum of the words that it holds and of these terms, times the share of the
question that any row holds. A new term is one entry.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from memctl.search.index.index_rows import FACT, kind_and_id, kind_of
from memctl.search.ranking import ranking_constants as constants
from memctl.search.ranking.row_candidates import ASSISTANT, PERSON, USER
from memctl.text.calendar.said_dates import closeness, is_meant

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.search.question.question import RecallQuestion
    from memctl.search.ranking.ranking import Ranking
    from memctl.search.ranking.row_candidates import RowCandidate

    Value = Callable[[Ranking, RowCandidate], float]
    Why = Callable[[Ranking, RowCandidate], str]
    Asked = Callable[[RecallQuestion], object]


def _always(_: RecallQuestion) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Term:
    """One term of a score.

    Parameters
    ----------
    name
        As an explanation shows it.
    value
        What it adds to a row's score; 0 where it does not apply.
    why
        The reason for it, for people.
    asked
        The questions it applies to; all by default.
    of
        The rows it applies to: what was said (turns and episodes), facts, or any.
    """

    name: str
    value: Value
    why: Why
    asked: Asked = _always
    of: Literal["said", "fact", "any"] = "said"


def _because(reason: str) -> Why:
    return lambda _, __: reason


# -- turns and episodes --------------------------------------------------------------------


def _neighbour(share: int, steps: int, where: str) -> Term:
    """Return the term of the row `steps` places away, which lends one of the INHERITED shares."""

    def value(ranking: Ranking, candidate: RowCandidate) -> float:
        other = ranking.neighbour(candidate, steps)
        return 0.0 if other is None else candidate.inherits[share] * other.own

    def why(ranking: Ranking, candidate: RowCandidate) -> str:
        return f"{_described(ranking, ranking.neighbour(candidate, steps))}, {where}"

    return Term("neighbour", value, why)


def _answers(ranking: Ranking, candidate: RowCandidate) -> float:
    if candidate.said_as != PERSON:
        return 0.0
    asking = ranking.neighbour(candidate, -1)
    if asking is None or not asking.asks:
        return 0.0
    return constants.BEFORE_QUESTION * damping(candidate) * asking.own


def _why_answers(ranking: Ranking, candidate: RowCandidate) -> str:
    return f"it follows a question: {_described(ranking, ranking.neighbour(candidate, -1))}"


def _thread(ranking: Ranking, candidate: RowCandidate) -> float:
    if candidate.thread is None:
        return 0.0
    return constants.THREAD * ranking.threads.get(candidate.thread, 0.0)


def _why_thread(_: Ranking, candidate: RowCandidate) -> str:
    return f'its thread "{candidate.thread[1] if candidate.thread else ""}" is about it'


def _opening(_: Ranking, candidate: RowCandidate) -> float:
    return constants.OPENING if candidate.seq == 1 and candidate.thread is not None else 0.0


def _asks(_: Ranking, candidate: RowCandidate) -> float:
    return constants.ASKS if candidate.asks and candidate.said_as != USER else 0.0


def _asker(_: Ranking, candidate: RowCandidate) -> float:
    return constants.ASKER if candidate.said_as == USER else 0.0


def _reply(_: Ranking, candidate: RowCandidate) -> float:
    return constants.REPLY if candidate.said_as == ASSISTANT else 0.0


def participant(ranking: Ranking, candidate: RowCandidate) -> float:
    """Return what a row gains because the question names who said it, or whom a fact names."""
    names = ranking.question.names
    if not names or names[0].spellings.isdisjoint(candidate.who):
        return 0.0
    return constants.PARTICIPANT if len(names) == 1 else constants.SUBJECT


def _why_participant(ranking: Ranking, _: RowCandidate) -> str:
    names = ranking.question.names
    return f'the question names "{names[0].name}" {"alone" if len(names) == 1 else "first"}'


def _date(ranking: Ranking, candidate: RowCandidate) -> float:
    question = ranking.question
    local = question.zone.local(candidate.at, candidate.offset)
    near = closeness(local, question.spans)
    meant = near * candidate.own if is_meant(local, question.spans) else 0.0
    return constants.DATE * (max(near, ranking.days_told.get(candidate.row, 0.0)) + meant)


def _why_date(ranking: Ranking, candidate: RowCandidate) -> str:
    spans = ", ".join(dict.fromkeys(f'"{span.words}"' for span in ranking.question.spans))
    day = ranking.question.zone.day(candidate.at, candidate.offset)
    return f"{day} is in or near {spans}"


def _when(ranking: Ranking, candidate: RowCandidate) -> float:
    return constants.WHEN if candidate.row in ranking.tells_time else 0.0


def _wish(ranking: Ranking, candidate: RowCandidate) -> float:
    return constants.WISH if candidate.row in ranking.wishes else 0.0


def _details(ranking: Ranking, candidate: RowCandidate) -> float:
    return -constants.DETAILS * ranking.in_details.get(candidate.row, 0.0)


def _meaning(ranking: Ranking, candidate: RowCandidate) -> float:
    cosine = ranking.meaning.get(candidate.row)
    if cosine is None:
        return 0.0
    alone = ranking.stands_alone if kind_of(candidate.row) == FACT else 0.0
    return constants.MEANING * cosine * (1 + alone)


def _why_meaning(ranking: Ranking, candidate: RowCandidate) -> str:
    return f"meaning {ranking.meaning[candidate.row]:.2f} x {constants.MEANING}"


# -- facts ---------------------------------------------------------------------------------


def _subject(ranking: Ranking, candidate: RowCandidate) -> float:
    return constants.FACT_SUBJECT if candidate.row in ranking.subjects else 0.0


def _stands_alone(ranking: Ranking, candidate: RowCandidate) -> float:
    return ranking.stands_alone * (candidate.own + _subject(ranking, candidate))


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
        lambda question: question.aim.of_asker,
    ),
    Term(
        "reply",
        _reply,
        _because("the question asks what was answered, and the assistant said it"),
        lambda question: question.aim.of_reply,
    ),
    Term(
        "participant",
        participant,
        _why_participant,
        lambda question: question.names,
        of="any",
    ),
    Term("date", _date, _why_date, lambda question: question.spans),
    Term(
        "when",
        _when,
        _because("the question asks for a time and the text tells one"),
        lambda question: question.aim.of_time,
    ),
    Term(
        "wish",
        _wish,
        _because("the question asks for help, and the user states a standing wish"),
        lambda question: question.aim.of_help,
    ),
    Term("details", _details, _because("words stand in its details, not in its summary or tags")),
    Term("meaning", _meaning, _why_meaning, of="any"),
    Term("subject", _subject, _because("the question names its subject"), of="fact"),
    Term(
        "fact",
        _stands_alone,
        _because("it stands for itself: it has no thread that could lend it any"),
        of="fact",
    ),
)
"""All terms of a score but those of its words, in the order in which an explanation lists them."""


def shares(candidate: RowCandidate) -> tuple[float, ...]:
    """Return the shares that a row inherits of its neighbours' own scores."""
    inherited = constants.INHERITED[candidate.said_as]
    if (damped := damping(candidate)) == 1.0:
        return inherited
    return tuple(share * damped for share in inherited)


def damping(candidate: RowCandidate) -> float:
    """Return the factor of what a person's row inherits: less, the longer the row is."""
    if candidate.said_as != PERSON or candidate.words <= constants.LONG:
        return 1.0
    return constants.LONG / candidate.words


def _described(ranking: Ranking, other: RowCandidate | None) -> str:
    if other is None:
        return "a row"
    kind, number = kind_and_id(other.row)
    words = ", ".join(f'"{concept.word}"' for concept in ranking.question.held(other.mask))
    return f"{kind} {number} holds {words}"
