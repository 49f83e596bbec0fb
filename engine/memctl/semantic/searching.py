"""Finds facts by their words, and explains why each was found.

Relevance decides: a fact's score is the share of the query's weight that it covers,
every word weighing its inverse document frequency, and a fixed gain where the query
names the fact's subject. Category and importance order equals only. Work is bounded:
`fts5`'s ``bm25()`` is never called, and a common word is only asked of facts that hold
a rarer one.
"""

from __future__ import annotations

import json
import math
import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memctl import queries
from memctl.semantic.normal import name_key
from memctl.semantic.records import Fact, Hit, Term
from memctl.semantic.words import query_words, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memctl.semantic.filters import Condition
    from memctl.store import Store

__all__ = ["Searcher"]

SQL = queries.load("store/fact_read")

# Rows that the query's rarest words may bring, after which commoner words are only asked
# of the facts that hold one of those; and rows that one word may bring, the newest.
_BUDGET = 1_000
# Candidates whose rows are read at once. Of more equals than these, the newest come first.
_CHUNK = 100
# Words of a query that may name subjects.
_MAX_NAMED = 40
# Subjects are named by one to four words.
_NAME_WORDS = 4
SUBJECT_GAIN = 0.15
# Scores are compared, and shown, to this many digits.
_DIGITS = 3


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    weight: float
    numbers: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Ranked:
    number: int
    score: float
    gain: float
    importance: float
    updated: int


class Searcher:
    """Searches the facts of one store within one scope.

    Parameters
    ----------
    scope
        The scope's parameters (`Scope.reading`).
    condition
        The compiled filter.
    as_of
        Facts that held then; ``None`` for those that hold.
    """

    def __init__(
        self,
        store: Store,
        scope: Mapping[str, str | None],
        condition: Condition,
        *,
        now: str,
        as_of: str | None = None,
    ) -> None:
        self._store = store
        self._condition = condition
        self._now = now
        self._parameters: dict[str, Any] = {
            **scope,
            **condition.parameters,
            "now": now,
            "as_of": as_of,
        }

    def search(
        self, query: str, *, limit: int, max_tokens: int | None = None, threshold: float = 0.0
    ) -> list[Hit]:
        """Return the best `limit` facts, best first, within `max_tokens` where given."""
        words = self._words(query_words(query))
        total = sum(word.weight for word in words)
        if not total:
            return []
        scores: dict[int, float] = {}
        for word in words:
            for number in word.numbers:
                scores[number] = scores.get(number, 0.0) + word.weight / total
        named = self._named(query)
        most = SUBJECT_GAIN if named else 0.0
        ranked: list[_Ranked] = []
        for chunk in _chunks(scores):
            # No later candidate covers more, nor gains more than a subject's name.
            if (
                len(ranked) >= limit
                and round(chunk[0][1] + most, _DIGITS) <= ranked[limit - 1].score
            ):
                break
            ranked = sorted([*ranked, *self._valid(chunk, json.dumps(named))], key=_order)
        fit = [one for one in ranked if one.score >= threshold]
        return self._within(fit, words, total, limit=limit, max_tokens=max_tokens)

    def holding(self, limit: int) -> list[Hit]:
        """Return facts that hold, the most important first, whatever their words."""
        rows = self._store.rows(
            self._condition.bound(SQL.holds), {**self._parameters, "limit": limit}
        )
        return [_unscored(Fact.of_row(row, self._now)) for row in rows]

    def about(self, subject_key: str | None, attribute_key: str | None) -> list[Fact]:
        """Return the facts about one thing, or about one property of it, the newest first."""
        keys = {"subject_key": subject_key, "attribute_key": attribute_key}
        rows = self._store.rows(self._condition.bound(SQL.about), {**self._parameters, **keys})
        return [Fact.of_row(row, self._now) for row in rows]

    def _words(self, texts: Sequence[str]) -> list[_Word]:
        """Look the words up, the rarest first; a common one only among the rarer ones' facts."""
        newest = self._store.value(SQL.newest_number)
        counts = {text: self._count(text) for text in texts}
        found: list[_Word] = []
        rare: list[str] = []
        spent = 0
        for text in sorted(texts, key=lambda text: (counts[text], texts.index(text))):
            count = counts[text]
            weight = math.log(1 + (newest - count + 0.5) / (count + 0.5)) if newest else 0.0
            wanted = f'"{text}"'
            if spent >= _BUDGET:
                wanted = f'"{text}" AND ({" OR ".join(rare)})'
            elif count:
                rare.append(wanted)
                spent += count
            # Words that every fact holds still tell facts from nothing.
            found.append(_Word(text, max(weight, 1e-3), self._numbers(wanted)))
        return found

    def _count(self, word: str) -> int:
        try:
            return int(self._store.value(SQL.word_count, {"word": f'"{word}"'}))
        except sqlite3.OperationalError:
            return 0  # a rare sign that the index cuts and Python does not: no single word

    def _numbers(self, wanted: str) -> frozenset[int]:
        try:
            found = self._store.value(SQL.word_rows, {"word": wanted, "cap": _BUDGET})
        except sqlite3.OperationalError:
            return frozenset()
        return frozenset(json.loads(found))

    def _named(self, query: str) -> list[str]:
        """Return the subjects of facts that the query names."""
        words = (name_key(query) or "").replace("'s", "").split()[:_MAX_NAMED]
        names = [
            " ".join(words[start : start + length])
            for length in range(1, _NAME_WORDS + 1)
            for start in range(len(words) - length + 1)
        ]
        rows = self._store.rows(SQL.subjects, {"names": json.dumps(names)})
        return [row["subject_key"] for row in rows]

    def _valid(self, candidates: Sequence[tuple[int, float]], named: str) -> list[_Ranked]:
        rows = self._store.rows(
            self._condition.bound(SQL.valid),
            {
                **self._parameters,
                "candidates": json.dumps(candidates),
                "named": named,
                "gain": SUBJECT_GAIN,
            },
        )
        return [_Ranked(*row) for row in rows]

    def _within(
        self,
        ranked: Sequence[_Ranked],
        words: Sequence[_Word],
        total: float,
        *,
        limit: int,
        max_tokens: int | None,
    ) -> list[Hit]:
        """Take facts in their order while they fit; one too large leaves room for the next."""
        taken: list[Hit] = []
        left = math.inf if max_tokens is None else max_tokens
        for one in ranked:
            if len(taken) == limit:
                break
            row = self._store.rows(SQL.by_number, {"number": one.number})[0]
            hit = _hit(Fact.of_row(row, self._now), one, words, total)
            if hit.tokens <= left:
                taken.append(hit)
                left -= hit.tokens
        return taken


def _hit(fact: Fact, one: _Ranked, words: Sequence[_Word], total: float) -> Hit:
    matched = [word for word in words if one.number in word.numbers]
    terms = [
        Term(word.text, round(word.weight / total, _DIGITS), "share of the query's weight")
        for word in matched
    ]
    if one.gain:
        terms.append(Term("subject", one.gain, f"the query names {fact.subject}"))
    found = tuple(word.text for word in matched)
    return Hit(fact, one.score, found, tuple(terms), tokens(fact.text))


def _order(one: _Ranked) -> tuple[float, float, int, int]:
    """Best first; equals by importance, then the newest, then the later."""
    return (-one.score, -one.importance, -one.updated, -one.number)


def _chunks(scores: Mapping[int, float]) -> Iterator[list[tuple[int, float]]]:
    ranked = sorted(scores.items(), key=lambda item: (-round(item[1], _DIGITS), -item[0]))
    return (ranked[start : start + _CHUNK] for start in range(0, len(ranked), _CHUNK))


def _unscored(fact: Fact) -> Hit:
    return Hit(fact, 0.0, (), (), tokens(fact.text))
