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
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from memctl import queries
from memctl.semantic.normal import name_key
from memctl.semantic.records import Fact, Hit, Term
from memctl.semantic.tail import Tail, read_tail
from memctl.semantic.words import query_words
from memctl.tokens import estimate_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from memctl.semantic.filters import Condition
    from memctl.store import Store

__all__ = ["Searcher"]

Answer = TypeVar("Answer")

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
    share: float  # of the query's weight
    numbers: frozenset[int]


@dataclass(frozen=True, slots=True)
class _Ranked:
    number: int
    score: float
    gains: bool
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
        self._tail = Tail(None)
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
        texts = query_words(query)
        with read_tail(self._store) as self._tail:
            words = self._words(texts)
            ranked = self._ranked(words, query, limit)
            if len(ranked) < limit and any(len(word.numbers) >= _BUDGET for word in words):
                # The newest that hold a common word are others', or filtered out: look for ours.
                words = self._words(texts, within=True)
                ranked = self._ranked(words, query, limit)
        fit = [one for one in ranked if one.score >= threshold]
        return self._within(fit, words, limit=limit, max_tokens=max_tokens)

    def _ranked(self, words: Sequence[_Word], query: str, limit: int) -> list[_Ranked]:
        scores: dict[int, float] = {}
        for word in words:
            for number in word.numbers:
                scores[number] = scores.get(number, 0.0) + word.share
        gaining = self._named(query) if scores else frozenset()
        for number in gaining & scores.keys():
            scores[number] += SUBJECT_GAIN
        ranked: list[_Ranked] = []
        for chunk in _chunks(scores):
            if len(ranked) >= limit and chunk[0][0] <= ranked[limit - 1].score:
                break
            found = {number: score for score, number in chunk}
            ranked += [
                _Ranked(row[0], found[row[0]], row[0] in gaining, row[1], row[2])
                for row in self._valid(list(found))
            ]
        return sorted(ranked, key=_order)

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

    def _words(self, texts: Sequence[str], *, within: bool = False) -> list[_Word]:
        """Look the words up, the rarest first; a common one only among the rarer ones' facts.

        Parameters
        ----------
        within
            Only in facts of this scope and filter, instead of in the newest of all.
        """
        newest = int(self._store.value(SQL.newest_number))
        numbers = {text: self._numbers(f'"{text}"', within=within) for text in texts}
        counts = {text: len(numbers[text]) for text in texts}
        counts |= {text: self._count(text) for text in texts if counts[text] >= _BUDGET or within}
        weights = {text: _weight(count, newest) for text, count in counts.items()}
        total = sum(weights.values())
        found: list[_Word] = []
        rare: list[str] = []
        spent = 0
        for text in sorted(texts, key=lambda text: (counts[text], texts.index(text))):
            if counts[text] > _BUDGET <= spent and not within:
                numbers[text] = self._numbers(f'"{text}" AND ({" OR ".join(rare)})')
            elif counts[text]:
                rare.append(f'"{text}"')
                spent += counts[text]
            found.append(_Word(text, weights[text] / total, numbers[text]))
        return found

    def _count(self, word: str) -> int:
        wanted = {"word": f'"{word}"'}
        return int(self._found(SQL.word_count, wanted) or 0) + len(self._newest(wanted["word"]))

    def _numbers(self, wanted: str, *, within: bool = False) -> frozenset[int]:
        statement = self._condition.bound(SQL.word_rows_within) if within else SQL.word_rows
        parameters = self._parameters if within else {}
        found = self._found(statement, {**parameters, "word": wanted, "cap": _BUDGET})
        return frozenset(json.loads(found or "[]")) | self._newest(wanted)

    def _newest(self, wanted: str) -> frozenset[int]:
        return _single(lambda: self._tail.numbers(wanted)) or frozenset()

    def _found(self, statement: str, parameters: Mapping[str, Any]) -> Any:
        return _single(lambda: self._store.value(statement, parameters))

    def _named(self, query: str) -> frozenset[int]:
        """Return the facts whose subject the query names."""
        words = (name_key(query) or "").replace("'s", "").split()[:_MAX_NAMED]
        names = [
            " ".join(words[start : start + length])
            for length in range(1, _NAME_WORDS + 1)
            for start in range(len(words) - length + 1)
        ]
        named = {"names": json.dumps(names), "cap": _BUDGET}
        return frozenset(json.loads(self._store.value(SQL.named_rows, named)))

    def _valid(self, numbers: Sequence[int]) -> list[sqlite3.Row]:
        return self._store.rows(
            self._condition.bound(SQL.valid), {**self._parameters, "numbers": json.dumps(numbers)}
        )

    def _within(
        self,
        ranked: Sequence[_Ranked],
        words: Sequence[_Word],
        *,
        limit: int,
        max_tokens: int | None,
    ) -> list[Hit]:
        """Take facts in their order while they fit; one too large leaves room for the next."""
        taken: list[Hit] = []
        left = math.inf if max_tokens is None else max_tokens
        for one, row in self._read(ranked, limit):
            if len(taken) == limit:
                break
            hit = _hit(Fact.of_row(row, self._now), one, words)
            if hit.tokens <= left:
                taken.append(hit)
                left -= hit.tokens
        return taken

    def _read(self, ranked: Sequence[_Ranked], size: int) -> Iterator[tuple[_Ranked, sqlite3.Row]]:
        """Yield the ranked facts' rows, read some at a time."""
        for start in range(0, len(ranked), size):
            page = ranked[start : start + size]
            wanted = json.dumps([one.number for one in page])
            rows = {
                row["number"]: row for row in self._store.rows(SQL.by_number, {"numbers": wanted})
            }
            yield from ((one, rows[one.number]) for one in page)


def _single(look_up: Callable[[], Answer]) -> Answer | None:
    """Return what is looked up, or ``None`` where the index finds no single word to look up.

    That is a rare sign that the index cuts and Python does not.
    """
    try:
        return look_up()
    except sqlite3.OperationalError as error:
        if "phrase" in str(error):
            return None
        raise


def _weight(count: int, newest: int) -> float:
    """Return a word's inverse document frequency (Robertson, with the 1 that keeps it above 0)."""
    # A word that every fact holds still tells facts from nothing.
    return max(math.log(1 + (newest - count + 0.5) / (count + 0.5)), 1e-3) if newest else 1.0


def _hit(fact: Fact, one: _Ranked, words: Sequence[_Word]) -> Hit:
    matched = [word for word in words if one.number in word.numbers]
    terms = [
        Term(word.text, round(word.share, _DIGITS), "share of the query's weight")
        for word in matched
    ]
    _make_whole(terms, one.score - (SUBJECT_GAIN if one.gains else 0))
    if one.gains:
        terms.append(Term("subject", SUBJECT_GAIN, f"the query names {fact.subject}"))
    found = tuple(word.text for word in matched)
    return Hit(fact, one.score, found, tuple(terms), estimate_tokens(fact.text))


def _make_whole(terms: list[Term], share: float) -> None:
    """Let rounded terms add up to their share: the heaviest word takes what rounding left over."""
    left = round(share - sum(term.value for term in terms), _DIGITS)
    if left and terms:
        heaviest = max(range(len(terms)), key=lambda i: terms[i].value)
        value = round(terms[heaviest].value + left, _DIGITS)
        terms[heaviest] = replace(terms[heaviest], value=value)


def _order(one: _Ranked) -> tuple[float, float, int, int]:
    """Best first; equals by importance, then the newest, then the later."""
    return (-one.score, -one.importance, -one.updated, -one.number)


def _chunks(scores: Mapping[int, float]) -> Iterator[list[tuple[float, int]]]:
    """Yield (score, number), the best first, of equals the newest first."""
    ranked = sorted(((round(s, _DIGITS), number) for number, s in scores.items()), reverse=True)
    return (ranked[start : start + _CHUNK] for start in range(0, len(ranked), _CHUNK))


def _unscored(fact: Fact) -> Hit:
    return Hit(fact, 0.0, (), (), estimate_tokens(fact.text))
