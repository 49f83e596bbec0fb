"""Finds the memories that answer a question, says why, and keeps what was asked."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.errors import UsageError
from memctl.base.garbage import uncollected
from memctl.base.tokens import estimate_tokens
from memctl.episodic.recall_filters import Filters
from memctl.episodic.recall_records import keep, tellable
from memctl.episodic.recall_results import Recalled, Row
from memctl.episodic.search.budget import choose
from memctl.episodic.search.explain import Explainer
from memctl.episodic.search.fallback import Fallback
from memctl.episodic.search.query_terms import idf, read_question, size_of
from memctl.episodic.search.ranking import rank
from memctl.episodic.search.row_texts import texts_of, tokens_text
from memctl.episodic.search.turn_words import Words
from memctl.episodic.search.used_aliases import used_aliases
from memctl.episodic.unindexed import beside, settle
from memctl.text.blank import why_nothing_is_asked
from memctl.text.messages import text_of
from memctl.text.telling import speakable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memctl.config.settings import Settings
    from memctl.episodic.search.query_terms import Question, Size
    from memctl.episodic.search.ranking import Ranked
    from memctl.store.store import Store

__all__ = ["MAX_LIMIT", "check_limits", "recall"]

MAX_LIMIT = 1000
# Rows that a budget chooses among, for each row that may come back.
_POOL = 4


def recall(
    store: Store,
    settings: Settings,
    query: Any,
    *,
    limit: int = 5,
    max_tokens: int | None = None,
    now: str | None = None,
    filters: Filters | None = None,
    primary: int = 0,
    elsewhere: Callable[[str], bool] = lambda _: False,
    recorded: bool = True,
) -> Recalled:
    """Return the turns and episodes that answer `query`, the best first.

    Parameters
    ----------
    query
        A question or words, in any shape that `text_of` reads. Nothing in it is an operator.
    limit
        Most rows, 1 to 1000.
    max_tokens
        Most tokens (estimated) that the rows may take up together; whole rows only.
    now
        What "yesterday" is counted from; by default the filter's `as_of`, else the clock.
    filters
        What a row must be.
    primary
        Rows of another tier that cover the question already: no fallback is due for them.
    elsewhere
        Whether another tier knows a word that no turn or episode holds: it is no typo then.
    recorded
        Whether the recall is kept; never on a store that is open read-only.

    Raises
    ------
    UsageError
        When a limit or a time is none.
    """
    started = time.perf_counter()
    text = text_of(query)
    chosen_filters = filters or Filters()
    check_limits(limit, max_tokens)
    moment = _moment(now, chosen_filters)
    if not store.exists:
        return Recalled((), note="nothing was remembered yet")
    words = Words(store)
    words.prepare()
    settle(store)
    with store.snapshot(), beside(store), uncollected():
        size = size_of(store)
        question = read_question(text, store, size, now=moment, elsewhere=elsewhere)
        rows = _keyword_rows(store, question, size, chosen_filters, limit, max_tokens)
    # Missing vectors are computed and kept by the way, so this stands outside the snapshot.
    fallback = Fallback(store, settings)
    if fallback.is_due(rows, question, size, primary):
        rows = fallback.fill(
            rows, question, size, chosen_filters, limit=limit, max_tokens=max_tokens
        )
    spoken = speakable(store, text)
    told = tellable(question, text, spoken)
    found = Recalled(
        tuple(rows),
        note=_note(rows, told, size, max_tokens),
        unknown=told.unknown,
        corrected=told.corrected,
        aliases=used_aliases(words, question.concepts, rows),
        names=question.names,
        fallback=fallback.asked,
        waiting=fallback.waiting,
        held=_held(question, size),
        duration_ms=(time.perf_counter() - started) * 1000,
    )
    # A blank question asks nothing: there is nothing to keep of it, nor to say of its answer.
    if recorded and text.strip() and not store.readonly:
        return keep(store, spoken, found)
    return found


def _keyword_rows(
    store: Store,
    question: Question,
    size: Size,
    filters: Filters,
    limit: int,
    max_tokens: int | None,
) -> list[Row]:
    if not question.concepts and not question.spans:
        return []
    most = limit if max_tokens is None else limit * _POOL
    ranking, pool = rank(store, question, size, filters, most=most)
    texts = texts_of(store, [entry.candidate.row for entry in pool])
    tokens = {row: estimate_tokens(tokens_text(cells)) for row, cells in texts.items()}
    if max_tokens is not None:

        def cost(entry: Ranked) -> int:
            return tokens[entry.candidate.row]

        pool = choose(pool, question.concepts, cost, limit=limit, max_tokens=max_tokens)
    return Explainer(store, ranking).rows(pool, texts, tokens)


def _held(question: Question, size: Size) -> float:
    total = question.total_idf + idf(0, size.rows) * len(question.unknown)
    return question.total_idf / total if total else 1.0


def _note(rows: Iterable[Row], question: Question, size: Size, max_tokens: int | None) -> str:
    """Return why nothing came back."""
    if list(rows):
        return ""
    if not size.rows:
        return "no turn or episode was remembered yet"
    if question.concepts or question.spans:
        room = f" within {max_tokens} tokens" if max_tokens is not None else ""
        return f"no row passes the filters{room}"
    if question.unknown:
        words = ", ".join(f'"{word}"' for word in question.unknown)
        return f"no row holds {words}"
    return why_nothing_is_asked(question.text)


def check_limits(limit: int, max_tokens: int | None) -> None:
    """Refuse a limit that no recall takes."""
    if not 1 <= limit <= MAX_LIMIT:
        raise UsageError(f'limit "{limit}" is not allowed', hint=f"it takes 1 to {MAX_LIMIT}")
    if max_tokens is not None and max_tokens < 0:
        raise UsageError(f'max_tokens "{max_tokens}" is not allowed', hint="it takes 0 or more")


def _moment(now: str | None, filters: Filters) -> str:
    if now:
        return clock.parse_time(now, what="now")
    as_of: str | None = filters.parameters()["as_of"]
    return as_of or clock.now()
