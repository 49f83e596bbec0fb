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

# Rows that one word may bring before only its newest are looked at.
_CAP = 2_000
# Candidates whose rows are read at once.
_CHUNK = 200
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
        hits: list[Hit] = []
        for chunk in _chunks(scores):
            # No later candidate covers more, nor gains more than a subject's name.
            if len(hits) >= limit and scores[chunk[0]] + SUBJECT_GAIN < hits[limit - 1].score:
                break
            hits += [self._hit(row, scores, words, total, named) for row in self._valid(chunk)]
            hits.sort(key=_order)
        return _within(
            (hit for hit in hits if hit.score >= threshold), limit=limit, max_tokens=max_tokens
        )

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
        reached: set[int] = set()
        for text in sorted(texts, key=lambda text: (counts[text], texts.index(text))):
            count = counts[text]
            weight = math.log(1 + (newest - count + 0.5) / (count + 0.5)) if newest else 0.0
            numbers = self._numbers(text, _CAP if count <= _CAP or not reached else newest)
            if count > _CAP and reached:
                numbers &= reached
            reached |= numbers
            # Words that every fact holds still tell facts from nothing.
            found.append(_Word(text, max(weight, 1e-3), numbers))
        return found

    def _count(self, word: str) -> int:
        try:
            return int(self._store.value(SQL.word_count, {"word": f'"{word}"'}))
        except sqlite3.OperationalError:
            return 0  # a rare sign that the index cuts and Python does not: no single word

    def _numbers(self, word: str, cap: int) -> frozenset[int]:
        try:
            rows = self._store.rows(SQL.word_rows, {"word": f'"{word}"', "cap": cap})
        except sqlite3.OperationalError:
            return frozenset()
        return frozenset(row["number"] for row in rows)

    def _named(self, query: str) -> frozenset[str]:
        """Return the subjects that the query names."""
        words = (name_key(query) or "").replace("'s", "").split()
        names = [
            " ".join(words[start : start + length])
            for length in range(1, _NAME_WORDS + 1)
            for start in range(len(words) - length + 1)
        ]
        rows = self._store.rows(SQL.subjects, {"names": json.dumps(names)})
        return frozenset(row["subject_key"] for row in rows)

    def _valid(self, numbers: Sequence[int]) -> list[sqlite3.Row]:
        return self._store.rows(
            self._condition.bound(SQL.valid), {**self._parameters, "numbers": json.dumps(numbers)}
        )

    def _hit(
        self,
        row: sqlite3.Row,
        scores: Mapping[int, float],
        words: Sequence[_Word],
        total: float,
        named: frozenset[str],
    ) -> Hit:
        number = row["number"]
        matched = [word for word in words if number in word.numbers]
        terms = [
            Term(word.text, round(word.weight / total, _DIGITS), "share of the query's weight")
            for word in matched
        ]
        score = scores[number]
        if row["subject_key"] in named:
            terms.append(Term("subject", SUBJECT_GAIN, f"the query names {row['subject']}"))
            score += SUBJECT_GAIN
        fact = Fact.of_row(row, self._now)
        return Hit(
            fact,
            round(score, _DIGITS),
            tuple(word.text for word in matched),
            tuple(terms),
            tokens(fact.text),
        )


def _order(hit: Hit) -> tuple[float, float, float, str]:
    newest = -float(hit.fact.updated_at.translate(_DIGITS_ONLY) or 0)
    return (-hit.score, -hit.fact.importance, newest, hit.fact.id)


_DIGITS_ONLY = {ord(sign): None for sign in "-:TZ"}


def _chunks(scores: Mapping[int, float]) -> Iterator[list[int]]:
    ranked = sorted(scores, key=lambda number: (-scores[number], -number))
    return (ranked[start : start + _CHUNK] for start in range(0, len(ranked), _CHUNK))


def _within(hits: Iterator[Hit], *, limit: int, max_tokens: int | None) -> list[Hit]:
    """Take hits in their order as long as they fit; one too large leaves room for the next."""
    taken: list[Hit] = []
    left = math.inf if max_tokens is None else max_tokens
    for hit in hits:
        if len(taken) == limit:
            break
        if hit.tokens <= left:
            taken.append(hit)
            left -= hit.tokens
    return taken


def _unscored(fact: Fact) -> Hit:
    return Hit(fact, 0.0, (), (), tokens(fact.text))
