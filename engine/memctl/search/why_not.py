"""Why a row that was expected is not among the first: where it lost on its way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base.errors import NotFoundError, UsageError
from memctl.search.answer.explanation import Explainer
from memctl.search.index.index_rows import EPISODE, FACT, TURN, kind_of, row_of
from memctl.search.index.index_words import IndexWords
from memctl.search.index.reader import IndexReader
from memctl.search.index.unindexed import index_rows_if_free, reading_unindexed
from memctl.search.question.question import read_question
from memctl.search.ranking import row_candidates as found_by
from memctl.search.ranking.ranking import rank
from memctl.search.ranking.worth import worths
from memctl.store import statements
from memctl.text.cleaning import masked_question
from memctl.text.messages import text_of

if TYPE_CHECKING:
    from memctl.search.fact_scope import FactScope
    from memctl.search.question.question import RecallQuestion
    from memctl.search.recall_request import RecallRequest
    from memctl.search.recall_results import Recalled, ScoreTerm
    from memctl.store.store import Store

SQL = statements.load("store/search")

# SQLite's integers have 19.
_MAX_DIGITS = 18
_KINDS = {"turn": TURN, "episode": EPISODE}


@dataclass(frozen=True, slots=True)
class WhyNot:
    """Where a row stands for a question.

    Parameters
    ----------
    row
        Its name: ``turn:12``, ``episode:3`` or a fact's id.
    why
        The reason, in one sentence.
    place, of
        Its place among the ranked rows, from 1, and how many there are; ``None`` where it is not
        ranked.
    score, last_score
        Its score, and that of the last row that is shown.
    matched, lacking
        The words of the question that it holds, and those that it does not.
    explain
        The terms of its score.
    """

    row: str
    why: str
    place: int | None = None
    of: int = 0
    score: float = 0.0
    last_score: float = 0.0
    matched: tuple[str, ...] = ()
    lacking: tuple[str, ...] = ()
    explain: tuple[ScoreTerm, ...] = ()


def why_not(
    store: Store,
    request: RecallRequest,
    name: str,
    answer: Recalled,
    scope: FactScope | None = None,
) -> WhyNot:
    """Return where a row stands for a question, and why it is not in the answer.

    Raises
    ------
    UsageError
        When the name is none.
    NotFoundError
        When there is no such row.
    """
    IndexWords(store).prepare()
    index_rows_if_free(store)
    with store.snapshot(), reading_unindexed(store):
        reader = IndexReader(store, request, scope)
        text = text_of(request.query)
        masked = masked_question(store, text)
        question = read_question(text, reader, now=request.moment, masked=masked)
        return _placed(reader, question, name, _row_of(store, name), answer)


def _placed(
    reader: IndexReader, question: RecallQuestion, name: str, row: int, answer: Recalled
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
    ranking, ranked = rank(reader, question, most=most)
    place = next((n for n, one in enumerate(ranked) if one.candidate.row == row), None)
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
    found = worths(question, ranking, ranked[: place + 1])
    (explained,) = Explainer(reader, ranking).rows([ranked[place]], found[-1:])
    last = round(shown[-1].score, 4)
    why = f"its score is {explained.score:.4f}, and the last row of the answer has {last:.4f}"
    if explained.name in names:
        why = f"it is row {names.index(explained.name) + 1} of the answer"
    elif place < most and answer.left_out:
        why = f"it is not likely to answer: its worth is {explained.worth:.2f}"
    elif place < most:
        why = answer.note or f"no room is left for it: it takes {explained.tokens} tokens"
    return WhyNot(
        name,
        why,
        place + 1,
        len(ranked),
        explained.score,
        last,
        explained.matched,
        tuple(word for word in lacking if word not in explained.matched),
        explained.explain,
    )


def _hidden(reader: IndexReader, question: RecallQuestion, row: int) -> str:
    """Return why a row is no candidate whatever its words; empty where it could be one."""
    if kind_of(row) == FACT:
        if reader.scope is None:
            return "facts are not asked for, or a filter that they do not have leaves them out"
        if not reader.facts([row], filtered=False):
            return "it does not hold now, or is not within the scope"
        return "" if reader.facts([row]) else "a filter leaves it out"
    found = found_by.read(reader, [row], {}, question)
    if row not in found:
        return "it is archived, or stands in another thread or time than was asked for"
    return "" if found[row].wanted else "a filter leaves it out"


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
