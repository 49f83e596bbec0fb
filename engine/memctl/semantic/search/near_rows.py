"""Rows that are nearest to a text, found by its rarest words: a bounded number of looks.

A question goes through the whole ranking; a text that was just stored is only compared, and with
each text that is stored. Whatever the store's size, this reads at most `_TELLING` lists of
`_NEWEST` rows and `_COMPARED` texts.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from memctl.search.index.index_rows import FACT, row_of, size_of, texts_of
from memctl.search.index.index_words import IndexWords
from memctl.search.index.unindexed import (
    index_rows_if_free,
    reading_unindexed,
    rows_with_unindexed,
)
from memctl.search.question.concepts import idf
from memctl.store import statements
from memctl.text.closed_words import STOP_WORDS
from memctl.text.splitting import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memctl.search.fact_scope import FactScope
    from memctl.store.store import Store

__all__ = ["near_rows"]

SQL = statements.load("store/search")

# In a week of 60 statements each finds the one that it changes with 4 words; 6 leave room.
_TELLING = 6
_NEWEST = 40
_COMPARED = 16


def near_rows(
    store: Store, scope: FactScope, text: str, *, least: float
) -> list[tuple[str, float]]:
    """Return the ids of the facts within a scope that share words with a text, and their likeness.

    Parameters
    ----------
    scope
        Whose facts are looked at, and of which time.
    text
        A text that is stored by now: its own row is among them.
    least
        The least likeness: the share of the text's idf that a fact holds, 0 to 1.
    """
    words = IndexWords(store)
    words.prepare()
    index_rows_if_free(store)
    with store.snapshot(), reading_unindexed(store):
        weights = _weights(store, words, text)
        total = sum(weights.values())
        telling = sorted(weights, key=lambda stem: (-weights[stem], stem))[:_TELLING]
        shares: defaultdict[int, float] = defaultdict(float)
        for stem in telling:
            for row in _newest_with(store, scope, stem):
                shares[row] += weights[stem]
        likely = sorted(shares, key=lambda row: (-shares[row], -row))[:_COMPARED]
        cells = texts_of(store, likely)
        held = words.split_as_indexed([cells[row]["index_text"] for row in likely])
    scored = []
    for row, tokens in zip(likely, held, strict=True):
        shared = sum(weights.get(stem, 0.0) for stem in {token.stem for token in tokens})
        if shared >= least * total:
            scored.append((shared / total, row))
    return [(str(cells[row]["id"]), share) for share, row in sorted(scored, reverse=True)]


def _weights(store: Store, words: IndexWords, text: str) -> Mapping[str, float]:
    """Return the idf of each word of a text that another row could share."""
    tokens = words.split_as_indexed([text])[0]
    stems = {token.stem for token in tokens if token.surface not in STOP_WORDS}
    rows = size_of(store).rows
    return {stem: idf(count, rows) for stem, count in words.counts(stems).items()}


def _newest_with(store: Store, scope: FactScope, stem: str) -> Iterable[int]:
    low, high = row_of(FACT, 1), row_of(FACT + 1, 0)
    asked: dict[str, Any] = {"match": quoted(stem), "low": low, "high": high, "most": _NEWEST}
    found = rows_with_unindexed(
        store, scope.bound(SQL.facts_matching), {**asked, **scope.parameters}
    )
    return (int(row) for (ids,) in found if ids for row in ids.split(","))
