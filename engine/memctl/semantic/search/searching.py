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
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.base.tokens import estimate_tokens
from memctl.semantic.records import Fact, Hit, Hits
from memctl.semantic.search.empty_answers import Reason, repeatable_terms, why_nothing_matches
from memctl.semantic.search.fact_query import read_query, respelt, with_corrections
from memctl.semantic.search.fact_ranking import (
    DIGITS,
    SUBJECT_GAIN,
    RankedFact,
    Scores,
    Word,
    explained,
    used_aliases,
)
from memctl.semantic.search.fact_words import query_words
from memctl.semantic.search.sessions import hidden_by_session
from memctl.semantic.search.spellings import corrections, written_otherwise
from memctl.semantic.search.unindexed_facts import FactVocabulary, read_unindexed
from memctl.semantic.search.word_rows import BUDGET, CHUNK, WordRows
from memctl.semantic.sentences.normal import equal_key, name_key
from memctl.store import statements
from memctl.text.splitting import NO_WORDS, quoted

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping, Sequence

    from memctl.semantic.search.fact_filters import Condition
    from memctl.semantic.search.fact_query import QueryTerm
    from memctl.store.store import Store
    from memctl.text.splitting import KnownWords

__all__ = ["Searcher"]

SQL = statements.load("store/fact_read")

# Words of a query that may name subjects.
_MAX_NAMED = 40
# Subjects are named by one to four words.
_NAME_WORDS = 4


class _FactQuery(NamedTuple):
    query: str
    rows: WordRows
    limit: int


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
        self,
        query: str,
        *,
        limit: int,
        max_tokens: int | None = None,
        threshold: float = 0.0,
        known_words: KnownWords = NO_WORDS,
    ) -> Hits:
        """Return the best `limit` facts, best first, within `max_tokens` where given.

        Parameters
        ----------
        known_words
            The words of turns and episodes: they are no typos of a fact's.
        """
        with read_unindexed(self._store) as unindexed:
            rows = WordRows(self._store, self._parameters, self._condition, unindexed)
            vocabulary = FactVocabulary(self._store, unindexed)
            terms = read_query(query, self._store, vocabulary)
            asked = _FactQuery(query, rows, limit)
            words, ranked = self._found(terms, asked)
            if missing := _missing(words, ranked):
                unseen = _unseen(terms, words, ranked)
                otherwise = written_otherwise(query, terms, unseen, missing, rows)
                if otherwise != terms:
                    terms = otherwise
                    words, ranked = self._found(terms, asked)
            unseen = repeatable_terms(_unseen(terms, words, ranked), query, self._store)
            corrected = corrections(unseen, rows, vocabulary, known_words)
            if corrected:
                terms = with_corrections(terms, corrected)
                least = min((one.score for one in ranked), default=None)
                spelt = respelt(query, corrected)
                words, ranked = self._found(terms, asked._replace(query=spelt), least)
            fit = [one for one in ranked if one.score >= threshold]
            taken = self._within(fit, words, limit=limit, max_tokens=max_tokens)
            why = Reason("") if taken else self._why_nothing(query, terms, rows, ranked, fit)
        aliases = used_aliases([one.number for one, _ in taken], words)
        return Hits(
            (hit for _, hit in taken),
            corrected=corrected,
            aliases=aliases,
            note=why.note,
            withheld=why.withheld,
        )

    def known(self, words: Sequence[str], *, ever: bool = False) -> frozenset[str]:
        """Return those of some words that a fact holds, which a search could answer with.

        With `ever` a fact counts that a search for another time could answer with.
        """
        with read_unindexed(self._store) as unindexed:
            rows = WordRows(self._store, self._parameters, self._condition, unindexed)

            def holds(piece: str) -> bool:
                match = quoted(piece)
                return rows.stands(match, filtered=True) or (ever and rows.kept(match))

            return frozenset(word for word in words if any(map(holds, query_words(word))))

    def _found(
        self, terms: Sequence[QueryTerm], asked: _FactQuery, least: float | None = None
    ) -> tuple[list[Word], list[RankedFact]]:
        words = self._words(terms, asked.rows)
        ranked = self._ranked(words, asked, least)
        if len(ranked) < asked.limit and any(len(word.numbers) >= BUDGET for word in words):
            # The newest that hold a common word are others', or filtered out: look for ours.
            words = self._words(terms, asked.rows, within=True)
            ranked = self._ranked(words, asked, least)
        return words, ranked

    def _ranked(
        self, words: Sequence[Word], asked: _FactQuery, least: float | None
    ) -> list[RankedFact]:
        """Return the facts that hold words, best first; see `Scores` for `least`."""
        scores = Scores(words, least)
        gaining = self._named(asked.query, words) if scores else frozenset()
        gaining -= scores.behind.keys()
        for number in gaining & scores.keys():
            scores[number] += SUBJECT_GAIN
        ranked: list[RankedFact] = []
        for chunk in _chunks(scores):
            if len(ranked) >= asked.limit and chunk[0][0] <= ranked[asked.limit - 1].score:
                break
            found = {number: score for score, number in chunk}
            ranked += [
                RankedFact(
                    row[0],
                    found[row[0]],
                    row[0] in gaining,
                    row[1],
                    row[2],
                    scores.behind.get(row[0], 0.0),
                )
                for row in asked.rows.valid(list(found))
            ]
        return sorted(ranked, key=_order)

    def most_important(self, limit: int) -> list[Hit]:
        """Return facts that hold, the most important first, whatever their words."""
        rows = self._store.rows(
            self._condition.bound(SQL.holds), {**self._parameters, "limit": limit}
        )
        return [_unscored(Fact.of_row(row, self._now)) for row in self._answering(rows)]

    def about(self, subject_key: str | None, attribute_key: str | None) -> list[Fact]:
        """Return the facts about one thing, or about one property of it, the newest first."""
        keys = {"subject_key": subject_key, "attribute_key": attribute_key}
        rows = self._store.rows(self._condition.bound(SQL.about), {**self._parameters, **keys})
        return [Fact.of_row(row, self._now) for row in self._answering(rows)]

    def _words(
        self, terms: Sequence[QueryTerm], rows: WordRows, *, within: bool = False
    ) -> list[Word]:
        """Look the words up, the rarest first; a common one only among the rarer ones' facts.

        With `within` only facts of this scope and filter are read, instead of the newest of all.
        """
        newest = int(self._store.value(SQL.newest_number))
        counts = [
            min(newest, sum(rows.count(variant.match) for variant in one.variants)) for one in terms
        ]
        weights = [_weight(count, newest) for count in counts]
        total = sum(weights)
        found: list[Word] = []
        rare: list[str] = []
        spent = 0
        for i in sorted(range(len(terms)), key=lambda i: (counts[i], i)):
            variants = terms[i].variants
            if counts[i] > BUDGET <= spent and not within:
                rarer = " OR ".join(rare)
                held = [rows.numbers(f"({variant.match}) AND ({rarer})") for variant in variants]
            else:
                held = [rows.numbers(variant.match, within=within) for variant in variants]
                rare += [
                    f"({variant.match})"
                    for variant, numbers in zip(variants, held, strict=True)
                    if numbers
                ]
                spent += counts[i]
            numbers = frozenset[int]().union(*held)
            by_variant = tuple(zip(variants, held, strict=True))
            found.append(Word(terms[i].word, weights[i] / total, by_variant, numbers))
        return found

    def _named(self, query: str, words: Sequence[Word]) -> frozenset[int]:
        """Return the facts whose subject the query names, or an alias of it."""
        asked = equal_key(query).replace("'s", "").split()[:_MAX_NAMED]
        names = [
            " ".join(asked[start : start + length])
            for length in range(1, _NAME_WORDS + 1)
            for start in range(len(asked) - length + 1)
        ]
        names += [
            name_key(variant.phrase) or ""
            for word in words
            for variant, _ in word.variants
            if variant.alias_of
        ]
        named = {"names": json.dumps(names), "cap": BUDGET}
        return frozenset(json.loads(self._store.value(SQL.named_rows, named)))

    def _within(
        self,
        ranked: Sequence[RankedFact],
        words: Sequence[Word],
        *,
        limit: int,
        max_tokens: int | None,
    ) -> list[tuple[RankedFact, Hit]]:
        """Take facts in their order while they fit; one too large leaves room for the next."""
        taken: list[tuple[RankedFact, Hit]] = []
        left = math.inf if max_tokens is None else max_tokens
        for one, row in self._read(ranked, limit):
            if len(taken) == limit:
                break
            hit = explained(Fact.of_row(row, self._now), one, words)
            if hit.tokens <= left:
                taken.append((one, hit))
                left -= hit.tokens
        return taken

    def _why_nothing(
        self,
        query: str,
        terms: Sequence[QueryTerm],
        rows: WordRows,
        ranked: Sequence[RankedFact],
        fit: Sequence[RankedFact],
    ) -> Reason:
        if fit:
            costs = [estimate_tokens(row["text"]) for _, row in self._read(fit, len(fit))]
            if not costs:
                return Reason(
                    "what matches is said otherwise in this session: ask for long-term alone"
                )
            least = min(costs)
            return Reason(f"what matches does not fit: the shortest fact takes {least} tokens")
        if ranked:
            best = ranked[0].score
            return Reason(f"what matches scores {best} at most: lower the threshold")
        return why_nothing_matches(query, terms, rows, self._store)

    def _read(
        self, ranked: Sequence[RankedFact], size: int
    ) -> Iterator[tuple[RankedFact, sqlite3.Row]]:
        """Yield the ranked facts' rows that answer, read some at a time."""
        answering = [one.number for one in ranked]
        for start in range(0, len(ranked), size):
            page = ranked[start : start + size]
            wanted = json.dumps([one.number for one in page])
            found = self._store.rows(SQL.by_number, {"numbers": wanted})
            rows = {row["number"]: row for row in self._answering(found, answering)}
            yield from ((one, rows[one.number]) for one in page if one.number in rows)

    def _answering(
        self, rows: Sequence[sqlite3.Row], answering: Sequence[int] | None = None
    ) -> list[sqlite3.Row]:
        """Return the rows without what an open session overrides, or says too."""
        numbers = [row["number"] for row in rows] if answering is None else answering
        left_out = hidden_by_session(self._store, rows, numbers, self._parameters)
        return [row for row in rows if row["number"] not in left_out]


def _missing(words: Sequence[Word], ranked: Sequence[RankedFact]) -> frozenset[str]:
    """Return the words of a query that the best fact does not hold."""
    best = ranked[0].number if ranked else None
    return frozenset(word.text for word in words if best not in word.numbers)


def _unseen(
    terms: Sequence[QueryTerm], words: Sequence[Word], ranked: Sequence[RankedFact]
) -> list[QueryTerm]:
    """Return the terms that none of the facts that could answer holds."""
    seen = {word.text for word in words if any(one.number in word.numbers for one in ranked)}
    return [one for one in terms if one.word not in seen]


def _weight(count: int, newest: int) -> float:
    """Return a word's inverse document frequency (Robertson, with the 1 that keeps it above 0)."""
    # A word that every fact holds still tells facts from nothing.
    return max(math.log(1 + (newest - count + 0.5) / (count + 0.5)), 1e-3) if newest else 1.0


def _order(one: RankedFact) -> tuple[float, float, int, int]:
    """Best first; equals by importance, then the newest, then the later."""
    return (-one.score, -one.importance, -one.updated, -one.number)


def _chunks(scores: Mapping[int, float]) -> Iterator[list[tuple[float, int]]]:
    """Yield (score, number), the best first, of equals the newest first."""
    # Facts that hold the same words have one score: to sort those of each is cheaper, and the
    # lowest are hardly ever asked for.
    alike: dict[float, list[int]] = {}
    for number, score in scores.items():
        alike.setdefault(score, []).append(number)
    shown: dict[float, list[int]] = {}
    for score, numbers in alike.items():
        shown.setdefault(round(score, DIGITS), []).extend(numbers)
    ranked = (
        (score, number)
        for score in sorted(shown, reverse=True)
        for number in sorted(shown[score], reverse=True)
    )
    while chunk := list(islice(ranked, CHUNK)):
        yield chunk


def _unscored(fact: Fact) -> Hit:
    return Hit(fact, 0.0, (), (), estimate_tokens(fact.text))
