"""Searches turns, episodes and facts: one question, one ranking, one list of rows.

The steps stand in `search`, one after another: read the question, gather candidates, rank them,
put the newer above the older, pack what fits, explain.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from memctl.base.counting import counted
from memctl.search.answer.explanation import Explainer, used_aliases
from memctl.search.answer.packing import listed, packed
from memctl.search.fallback import Fallback, Meaning
from memctl.search.index.index_words import IndexWords
from memctl.search.index.reader import IndexReader
from memctl.search.index.unindexed import index_rows_if_free, reading_unindexed
from memctl.search.question.question import read_question
from memctl.search.ranking.listing import looked_at, rows_of_list
from memctl.search.ranking.ranking import newest_first, rank
from memctl.search.ranking.worth import confidence_of, least_given, worths
from memctl.search.recall_results import Recalled
from memctl.text.cleaning import masked_question, note_on_no_words, text_of
from memctl.text.splitting import quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.config.settings import Settings
    from memctl.search.fact_scope import FactScope
    from memctl.search.question.question import RecallQuestion
    from memctl.search.recall_request import RecallRequest
    from memctl.store.store import Store

# Rows whose texts are compared, to put the newer above the older.
_COMPARED = 5
_MAX_TOLD = 8


def search(
    store: Store, settings: Settings, request: RecallRequest, scope: FactScope | None = None
) -> Recalled:
    """Return the turns, episodes and facts that answer a question, the best first.

    Parameters
    ----------
    scope
        Whose facts may answer; ``None`` where no fact is asked for.

    Raises
    ------
    UsageError
        When a time of the request is none.
    """
    started = time.perf_counter()
    text = text_of(request.query)
    if not store.exists:
        return Recalled((), note="nothing was remembered yet")
    words = IndexWords(store)
    words.prepare()
    index_rows_if_free(store)
    said = settings.several("recall_min_worth", "fallback", "fallback_blend")
    # Missing vectors are computed and kept by the way, so these stand outside the snapshot.
    fallback = Fallback(store, settings, str(said["fallback"]), str(said["fallback_blend"]))
    near = fallback.fused(text, request)
    with store.snapshot(), reading_unindexed(store):
        reader = IndexReader(store, request, scope)
        masked = masked_question(store, text)
        question = read_question(text, reader, now=request.moment, masked=masked)
        least = request.min_worth
        if least is None:
            least = float(said["recall_min_worth"])
        recalled = _found(reader, question, near, words, least)
        recalled = _told(reader, question, recalled)
    recalled = fallback.added(recalled, question, reader)
    recalled = _if_sure(recalled, request.min_confidence)
    return replace(recalled, masked=masked, duration_ms=(time.perf_counter() - started) * 1000)


def _found(
    reader: IndexReader, question: RecallQuestion, near: Meaning, words: IndexWords, least: float
) -> Recalled:
    means = near.cosines and any(word[0].isalnum() for word in question.unknown)
    asks = question.concepts or question.spans or question.names or means
    if not asks or question.says_nothing or (least and question.says_little):
        return Recalled((), names=_called(question), waiting=near.waiting)
    request = reader.request
    most, listing = request.most, question.listing
    looked = looked_at(question, most)
    ranking, ranked = rank(reader, question, most=max(looked, 2 * _COMPARED), meaning=near.cosines)
    of_list = rows_of_list(reader, ranking, ranked, looked)
    ranking.read_texts(reader, [scored.candidate.row for scored in ranked[:looked]])
    newest_first(ranking, ranked, _COMPARED)
    best = ranked[:looked] if listing is None else ranked
    row_worths = worths(question, ranking, best, of_list)
    sure = confidence_of(question, ranking, ranked, row_worths)
    cut = least_given(row_worths, least, model=bool(near.cosines))
    judged = [
        (scored, worth)
        for scored, worth in zip(best, row_worths, strict=True)
        if scored.candidate.row in ranking.texts
    ]
    taken, more = [pair for pair in judged if pair[1].worth >= cut], 0
    if listing is not None:
        taken, more = listed(judged, question, of_list, request, cut)
    explainer = Explainer(reader, ranking)
    rows = explainer.rows(*zip(*taken, strict=True)) if taken else []
    given = tuple(rows)
    if rows and request.max_tokens is not None:
        budget = request.max_tokens
        given = packed(rows, question.concepts, words, most=most, max_tokens=budget)
        more += len(rows) - len(given) if listing else 0
    if of_list.by_time:
        times = {
            row.name: of_list.time_of(scored.candidate)
            for row, (scored, _) in zip(rows, taken, strict=True)
        }
        given = tuple(sorted(given, key=lambda row: times[row.name]))
    return Recalled(
        explainer.explained(given),
        names=_called(question),
        aliases=used_aliases(words, question, ranking.texts.values()),
        confidence=sure.value if given else 0.0,
        fallback=near.by or None,
        waiting=near.waiting,
        overridden=ranking.overridden,
        left_out=sum(scored.worth < cut for scored in row_worths[:most]),
        more=more if given else 0,
        note=_why_more(more, request) if more and given else "",
        least=0 if given else min((row.tokens for row in rows), default=0),
        reasons=sure.reasons,
    )


def _called(question: RecallQuestion) -> tuple[str, ...]:
    return tuple(person.name for person in question.names)


def _why_more(more: int, request: RecallRequest) -> str:
    """Return how many rows of a list did not fit, and what gives them."""
    what = "max_tokens" if request.limit is None and request.max_tokens is not None else "limit"
    return f"{counted(more, 'more row belongs', 'more rows belong')} to it: raise the {what}"


def _if_sure(recalled: Recalled, least: float) -> Recalled:
    """Return an answer; without its rows where it is less sure than is asked for."""
    if not recalled or recalled.confidence >= least:
        return recalled
    note = f"not sure enough: the confidence is {recalled.confidence:.2f}, and {least:g} was asked for; "
    if recalled.reasons:
        against = min(recalled.reasons[1:] or recalled.reasons, key=lambda term: term.value)
        note += f"most speaks against it: {against.term} ({against.why})"
    else:
        note += "no row holds a word of the question"
    return replace(recalled, rows=(), note=note)


def _told(reader: IndexReader, question: RecallQuestion, recalled: Recalled) -> Recalled:
    """Return an answer with what was read of the question, and why it is empty if it is."""
    scope = reader.scope
    ever = {word for word in question.unknown if scope and scope.ever_held(quoted(word))}
    unknown = tuple(word for word in question.unknown if word not in ever)
    answer = replace(recalled, unknown=unknown, corrected=question.corrected)
    return (
        answer
        if recalled
        else replace(answer, note=_note(reader, question, answer, ever), withheld=bool(ever))
    )


def _note(reader: IndexReader, question: RecallQuestion, recalled: Recalled, ever: set[str]) -> str:
    """Return the note of an empty answer: the reason for it."""
    thing = reader.thing
    if not reader.rows:
        kinds = "turn or episode" if reader.scope is None else thing
        return f"no {kinds} was remembered yet"
    if question.says_nothing or (question.says_little and not recalled.unknown):
        return note_on_no_words(question.text)
    if question.concepts or question.spans or question.names:
        return _why_none_fits(question, recalled, thing)
    if ever:
        return _why_withheld(reader, ever)
    if recalled.unknown:
        return f"no {thing} holds {_listed(recalled.unknown)}"
    return note_on_no_words(question.text)


def _why_none_fits(question: RecallQuestion, recalled: Recalled, thing: str) -> str:
    if recalled.overridden:
        return "what matches is said otherwise in this session: ask for long-term alone"
    if recalled.least:
        return f"what matches does not fit: the shortest {thing} takes {recalled.least} tokens"
    if recalled.left_out:
        return _why_left_out(question, recalled)
    if recalled.unknown and not (question.concepts or question.names):
        return f"no {thing} holds {_listed(recalled.unknown)}"
    if question.spans and not (question.concepts or question.names):
        days = dict.fromkeys(
            f"{span.words} ({span.first})"
            if span.first == span.last
            else f"{span.words} ({span.first} to {span.last})"
            for span in question.spans
        )
        return f"no {thing} is of {', '.join([*days][:_MAX_TOLD])}"
    return f"no {thing} that matches passes the filters"


def _why_left_out(question: RecallQuestion, recalled: Recalled) -> str:
    """Return why no row that shares words with a question is given."""
    rows = counted(recalled.left_out, "row shares", "rows share")
    note = f"{rows} words with it, and none is likely to answer"
    if question.unknown:
        return f"{note}: none holds {_listed(question.unknown)}"
    if recalled.reasons:
        against = min(recalled.reasons[1:] or recalled.reasons, key=lambda term: term.value)
        note += f"; of the best: {against.term} ({against.why})" if against.value < 0 else ""
    return note


def _why_withheld(reader: IndexReader, words: set[str]) -> str:
    what = f"what holds {_listed(sorted(words))} does not hold"
    then = reader.scope.parameters["as_of"] if reader.scope else None
    if then:
        return f"{what} at {then}: ask for another time"
    return f"{what} now: it was replaced, has expired or waits"


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f'"{word:.40}"' for word in words[:_MAX_TOLD])
