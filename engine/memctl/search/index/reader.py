"""Reads the word index for one search: which rows have a word, within its kinds and filters."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from memctl.search.index.index_rows import (
    EPISODE,
    FACT,
    TURN,
    ids_of,
    kind_of,
    row_of,
    size_of,
    texts_of,
    varints,
)
from memctl.search.index.unindexed import rows_with_unindexed
from memctl.search.ranking.ranking_constants import GATHERED
from memctl.store import statements
from memctl.text.aliases import Aliases

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Sequence

    from memctl.search.fact_scope import FactScope
    from memctl.search.recall_request import RecallRequest
    from memctl.store.store import Store

SQL = statements.load("store/search")

# Words of which a process keeps how common they are.
_MOST_KEPT = 2_000
# Of each store, how many rows hold its common words, and the mark under which they were counted.
_kept: WeakKeyDictionary[Store, tuple[tuple[int, int, int], dict[tuple[str, int], int]]] = (
    WeakKeyDictionary()
)
# Of each store, what the ranking needs of turns and episodes, under the last change of any: rows
# that are added change none of them.
_places: WeakKeyDictionary[Store, tuple[tuple[int, int], dict[int, Place]]] = WeakKeyDictionary()
_MOST_PLACES = 50_000
_ONE_BYTE = 0x80
# Facts whose validity is looked at together.
_CHUNK = 100


class Postings(NamedTuple):
    """The rows that match an FTS5 expression.

    Parameters
    ----------
    total
        How many there are; an estimate where a range has GATHERED or more.
    rows
        All of them; none where the number is an estimate.
    """

    total: int
    rows: frozenset[int]


class Place(NamedTuple):
    """What the ranking needs of a turn or an episode, whatever is asked.

    Parameters
    ----------
    thread, seq
        Where it stands; the thread is told apart by kind.
    who
        Who said it or took part.
    said_as
        0: a person, 1: the user of an assistant, 2: an assistant.
    at, offset
        When it happened, and the minutes that the clock was ahead of UTC where it was told.
    asks
        Whether it ends in a question mark.
    words
        How many words it has.
    wanted
        Whether it passes the filters; if not, it may still lend score.
    """

    thread: tuple[int, str] | None
    seq: int
    who: tuple[str, ...]
    said_as: int
    at: str
    offset: int | None
    asks: bool
    words: int
    wanted: bool


class IndexReader:
    """The word index as one search sees it; inside of a snapshot.

    Parameters
    ----------
    store
        Its unindexed rows are read as well, where `reading_unindexed` is on.
    request
        The kinds that it allows are the ranges that are read.
    scope
        Whose facts are read; ``None`` for none.
    """

    def __init__(self, store: Store, request: RecallRequest, scope: FactScope | None) -> None:
        self.store = store
        self.request = request
        self.scope = scope
        self.size = size_of(store)
        # Inside of a transaction what is written has no mark yet.
        self._version = None if store.writing else store.version()
        self._filters = request.parameters(Aliases(store))
        self._common = common_words(store, self._version)
        self._ranges = self._of_kinds()

    @property
    def rows(self) -> int:
        """How many rows there are of the kinds that are asked for, about."""
        return min(self.size.rows, sum(self.size.marks[kind_of(low)] for low, _ in self._ranges))

    @property
    def thing(self) -> str:
        """What is searched, in one word: a fact, or a row of any kind."""
        return "row" if self.request.allows_turns_or_episodes else "fact"

    @property
    def narrows(self) -> bool:
        """Whether turns or episodes are left out: by the request, or as somebody else's."""
        return self.request.narrows or self.store.scope.narrows

    def postings(self, matches: Sequence[str]) -> list[Postings]:
        """Return the rows that match each of some expressions, or how many where they are many.

        Notes
        -----
        From the oldest on, since FTS5 reads in this direction in two thirds of the time, and a
        common word is only counted here. Where the oldest GATHERED rows of a range do not reach
        its end, those after them are taken to be as dense.
        """
        wanted = [(match, *span) for match in matches for span in self._ranges]
        unread = list(dict.fromkeys(word for word in wanted if word[:2] not in self._common))
        read = dict(zip(unread, self._first(unread, GATHERED), strict=True))
        result = []
        for match in matches:
            total, rows = 0, frozenset[int]()
            for span in self._ranges:
                own = read.get((match, *span))
                total += self._common[match, span[0]] if own is None else own.total
                rows |= frozenset() if own is None else own.rows
            result.append(Postings(total, rows if len(rows) == total else frozenset()))
        return result

    def _first(self, asked: Sequence[tuple[str, int, int]], most: int) -> list[Postings]:
        """Return the rows of each expression in a range; how many, about, where they are `most`."""
        if not asked:
            return []
        parameters = {"asked": json.dumps(asked), "most": most}
        read = rows_with_unindexed(self.store, SQL.matching_first, parameters)
        held = [json.loads(row["held"]) for row in read]
        newer = held[: -len(asked)] or [(0, None, None, "")] * len(asked)
        result = []
        for (match, low, high), late, (count, first, last, ids) in zip(
            asked, newer, held[-len(asked) :], strict=True
        ):
            late_ids = sorted(_numbers(late[3]))
            room = most - count
            if len(late_ids) < room:
                rows = frozenset(_numbers(ids) + late_ids)
                result.append(Postings(len(rows), rows))
                continue
            begin = first if count else late_ids[0]
            reached = late_ids[room - 1] if room else last
            total = round(most * (high - begin + 1) / (reached - begin + 1))
            self._common[match, low] = total
            result.append(Postings(total, frozenset()))
        return result

    def newest(
        self, match: str, *, few: bool = False, ended: bool = False, of: int | None = None
    ) -> set[int]:
        """Return the newest rows that match and pass the filters, GATHERED of a range at most.

        Parameters
        ----------
        of
            The one kind of rows that is looked at; all that are asked for by default.
        few
            Whether it is known that no more than some GATHERED rows match: FTS5 finds all of
            them from the first on in two thirds of the time that it takes from the last on.
        ended
            Whether facts that another has replaced are read too: they lead to that one.
        """
        result: set[int] = set()
        for low, high in self._ranges:
            if of is not None and kind_of(low) != of:
                continue
            asked: dict[str, Any] = {"match": match, "low": low, "high": high, "most": GATHERED}
            sql = SQL.matching_few if few else SQL.matching
            if kind_of(low) == FACT:
                if not few and self.scope is not None:
                    sql = self.scope.bound(SQL.facts_matching)
                    asked |= {**self.scope.parameters, "ended": ended}
            elif self.narrows:
                sql = SQL.matching_filtered
                asked |= self._filters
            rows: list[int] = []
            for (ids,) in rows_with_unindexed(self.store, sql, asked):
                rows += _numbers(ids)
            result.update(rows if len(rows) <= GATHERED else sorted(rows)[-GATHERED:])
        return result

    def answerable(self, rows: Collection[int]) -> bool:
        """Return whether one of some rows may be shown: a turn, an episode, or a fact in reach."""
        others = [row for row in rows if kind_of(row) != FACT]
        if others and not (self.store.scope.narrows and not self.places(others)):
            return True
        newest = sorted(rows, reverse=True)
        return any(
            self.facts(newest[start : start + _CHUNK], filtered=False)
            for start in range(0, len(newest), _CHUNK)
        )

    def replaced(self, rows: Collection[int]) -> bool:
        """Return whether a fact in reach has replaced one of some rows."""
        numbers = ids_of(rows, FACT)
        if self.scope is None or self.scope.parameters["as_of"] or numbers == "[]":
            return False
        pairs = self.store.rows(SQL.newer_facts, {"ids": numbers, "ended": True})
        return bool(self.facts([row_of(FACT, pair["newer"]) for pair in pairs]))

    def stands_elsewhere(self, match: str) -> bool:
        """Return whether a turn or an episode matches that is not asked for."""
        low, high = row_of(TURN, 1), row_of(FACT, 0)
        if self._filters["turns"] and self._filters["episodes"]:
            return False
        asked = {"asked": json.dumps([(match, low, high)]), "most": 1}
        rows = rows_with_unindexed(self.store, SQL.matching_first, asked)
        return any(json.loads(row["held"])[0] for row in rows)

    def facts(self, rows: Collection[int], *, filtered: bool = True) -> list[sqlite3.Row]:
        """Return the ranking's columns of the valid facts within the scope and filter."""
        if self.scope is None:
            return []
        asked = {**self.scope.parameters, "ids": ids_of(rows, FACT)}
        return self.store.rows(self.scope.bound(SQL.fact_rows, filtered=filtered), asked)

    def texts(self, match: str, most: int) -> dict[int, sqlite3.Row]:
        """Return the columns of the newest rows that match and may be shown."""
        rows = sorted(self.newest(match), reverse=True)
        facts = [row for row in rows if kind_of(row) == FACT]
        held = {cells["index_id"] for cells in self.facts(facts)} if facts else set()
        allowed = [row for row in rows if kind_of(row) != FACT or row in held]
        return texts_of(self.store, allowed[:most])

    def sees(self, row: int) -> bool:
        """Return whether a row was there at the time that is searched."""
        kind = kind_of(row)
        return 0 < row - row_of(kind, 0) <= self.size.marks[kind]

    def places(self, rows: Iterable[int]) -> dict[int, Place]:
        """Return the ranking's columns of turns and episodes, without hidden ones."""
        kept = self._kept_places()
        unread = [row for row in rows if row not in kept and self.sees(row)]
        if unread:
            for kind, sql in ((TURN, SQL.turn_rows), (EPISODE, SQL.episode_rows)):
                ids = ids_of(unread, kind)
                if ids != "[]":
                    found = rows_with_unindexed(self.store, sql, {**self._filters, "ids": ids})
                    kept.update((cells[0], _place(kind, cells)) for cells in found)
        return {row: kept[row] for row in rows if row in kept}

    def _kept_places(self) -> dict[int, Place]:
        """Return the places that are known; those of a search without filters outlast it."""
        if self.narrows or self._version is None:
            return {}
        mark = (self._version[0], self.size.changes)
        kept = _places.get(self.store)
        if kept is None or kept[0] != mark or len(kept[1]) > _MOST_PLACES:
            kept = _places[self.store] = mark, {}
        return kept[1]

    def _of_kinds(self) -> list[tuple[int, int]]:
        """Return the ranges of rows that are asked for, one a kind that has any."""
        marks = self.size.marks
        kinds = [
            kind
            for kind, asked in (
                (TURN, self._filters["turns"]),
                (EPISODE, self._filters["episodes"]),
                (FACT, self.scope is not None),
            )
            if asked and marks[kind]
        ]
        return [(row_of(kind, 1), row_of(kind, marks[kind])) for kind in kinds]


def _place(kind: int, cells: sqlite3.Row) -> Place:
    _, thread, seq, who, said_as, at, offset, asks, words, wanted = cells
    return Place(
        (kind, thread) if thread is not None else None,
        seq,
        tuple(map(str, json.loads(who))) if kind else (who,),
        said_as,
        at,
        offset,
        bool(asks),
        # One column's number of words: nearly always one byte.
        words[0] if words[0] < _ONE_BYTE else varints(words)[0],
        bool(wanted),
    )


def common_words(store: Store, mark: tuple[int, int, int] | None) -> dict[tuple[str, int], int]:
    """Return how many rows match the expressions of a store that were dear to count.

    They are asked for again and again, so `postings` adds to them. What was counted holds for
    as long as nothing but activity is written, by whomever; the answers are those of counting
    anew. Inside of a transaction nothing is kept.
    """
    if mark is None or store.writing:
        return {}
    kept = _kept.get(store)
    if kept is None or kept[0] != mark or len(kept[1]) > _MOST_KEPT:
        kept = _kept[store] = mark, {}
    return kept[1]


def _numbers(ids: str | None) -> list[int]:
    """Return the numbers of a list that SQL wrote: as JSON in half the time of splitting it."""
    numbers: list[int] = json.loads(f"[{ids or ''}]")
    return numbers
