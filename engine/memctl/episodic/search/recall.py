"""Finds the turns and episodes that answer a question, says why, and keeps the recall."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from memctl.base.tokens import estimate_tokens
from memctl.episodic.recall_records import keep, without_secret_words
from memctl.episodic.recall_results import Recalled
from memctl.episodic.search.explain import Explainer, used_aliases
from memctl.episodic.search.fallback import Fallback
from memctl.episodic.search.query_terms import read_question
from memctl.episodic.search.ranking import rank
from memctl.episodic.search.turn_index import prompt_text, texts_of
from memctl.episodic.search.turn_words import TurnWords
from memctl.episodic.unindexed import index_rows_if_free, reading_unindexed
from memctl.text.cleaning import masked_question, note_on_no_words
from memctl.text.messages import text_of
from memctl.text.splitting import NO_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.config.settings import Settings
    from memctl.episodic.recall_request import RecallRequest
    from memctl.episodic.recall_results import Row
    from memctl.episodic.search.query_terms import Concept, TurnQuery
    from memctl.episodic.search.ranking import RankedTurn
    from memctl.store.store import Store
    from memctl.text.splitting import KnownWords

__all__ = ["recall_turns"]

# Rows that a budget chooses among, for each row that may come back.
_POOL = 4
# Within a budget, the share of its score that a row loses which says nothing new.
_REPEATED = 0.5


def recall_turns(
    store: Store,
    settings: Settings,
    request: RecallRequest,
    *,
    primary: int = 0,
    known_words: KnownWords = NO_WORDS,
) -> Recalled:
    """Return the turns and episodes that answer a question, the best first.

    Parameters
    ----------
    primary
        Rows of another tier that cover the question already: no fallback is due for them.
    known_words
        The words of another tier: they are no typos.

    Raises
    ------
    UsageError
        When a time of the request is none.
    """
    started = time.perf_counter()
    text = text_of(request.query)
    moment = request.moment
    if not store.exists:
        return Recalled((), note="nothing was remembered yet")
    words = TurnWords(store)
    words.prepare()
    index_rows_if_free(store)
    with store.snapshot(), reading_unindexed(store):
        question = read_question(text, store, now=moment, known_words=known_words)
        rows = _keyword_rows(store, question, request)
    # Missing vectors are computed and kept by the way, so this stands outside the snapshot.
    fallback = Fallback(store, settings)
    if fallback.is_due(rows, question, primary):
        rows = fallback.fill(rows, question, request)
    masked = masked_question(store, text)
    shown = without_secret_words(question, text, masked)
    found = Recalled(
        tuple(rows),
        note="" if rows else _note(shown, request.max_tokens),
        unknown=shown.unknown,
        corrected=shown.corrected,
        aliases=used_aliases(words, question.concepts, rows),
        names=question.names,
        fallback=fallback.asked,
        waiting=fallback.waiting,
        held=question.total_idf / question.weight if question.weight else 1.0,
        duration_ms=(time.perf_counter() - started) * 1000,
    )
    # A blank question asks nothing: there is nothing to keep.
    if request.record and text.strip() and not store.readonly:
        return keep(store, masked, found)
    return found


def _keyword_rows(store: Store, question: TurnQuery, request: RecallRequest) -> list[Row]:
    if not question.concepts and not question.spans:
        return []
    most = request.limit if request.max_tokens is None else request.limit * _POOL
    ranking, pool = rank(store, question, request, most=most)
    texts = texts_of(store, [entry.candidate.row for entry in pool])
    tokens = {row: estimate_tokens(prompt_text(cells)) for row, cells in texts.items()}
    if request.max_tokens is not None:
        pool = _within_budget(pool, question.concepts, tokens, request.limit, request.max_tokens)
    return Explainer(store, ranking).rows(pool, texts, tokens)


def _within_budget(
    ranked: Sequence[RankedTurn],
    concepts: Sequence[Concept],
    tokens: dict[int, int],
    limit: int,
    max_tokens: int,
) -> list[RankedTurn]:
    """Return whole rows whose tokens stay within `max_tokens`, in their order.

    The best marginal gain is taken first: a row whose words were brought by rows already
    taken gains half of its score.
    """
    left, covered = max_tokens, 0
    unused = {entry.candidate.row: entry for entry in ranked}
    while len(ranked) - len(unused) < limit:
        fitting = [entry for row, entry in unused.items() if tokens[row] <= left]
        if not fitting:
            break
        best = max(fitting, key=lambda entry: _gain(entry, covered, concepts)).candidate
        del unused[best.row]
        left -= tokens[best.row]
        covered |= best.mask
    return [entry for entry in ranked if entry.candidate.row not in unused]


def _gain(entry: RankedTurn, covered: int, concepts: Sequence[Concept]) -> float:
    mask = entry.candidate.mask
    weights = [concept.idf for bit, concept in enumerate(concepts) if mask >> bit & 1]
    fresh = [c.idf for bit, c in enumerate(concepts) if (mask & ~covered) >> bit & 1]
    new = sum(fresh) / sum(weights) if sum(weights) else 0.0
    return entry.score * (1 - _REPEATED + _REPEATED * new)


def _note(question: TurnQuery, max_tokens: int | None) -> str:
    """Return the note of an empty answer: the reason for it."""
    if not question.size.rows:
        return "no turn or episode was remembered yet"
    if question.concepts or question.spans:
        room = f" within {max_tokens} tokens" if max_tokens is not None else ""
        return f"no row passes the filters{room}"
    if question.unknown:
        words = ", ".join(f'"{word}"' for word in question.unknown)
        return f"no row holds {words}"
    return note_on_no_words(question.text)
