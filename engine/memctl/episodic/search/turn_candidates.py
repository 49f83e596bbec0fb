"""Candidates of a question among turns and episodes, found in bounded work.

Never ``bm25()`` over a whole store: it ranks every row that matches. The rarest words are
taken until they bring enough rows; commoner words are only tested on those rows.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from memctl.episodic.search import ranking_constants as constants
from memctl.episodic.search.names import name_words
from memctl.episodic.search.turn_index import matching_rows, varints
from memctl.episodic.unindexed import reads_unindexed, rows_with_unindexed
from memctl.store import statements
from memctl.text.splitting import quoted

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from memctl.episodic.recall_request import RecallRequest
    from memctl.episodic.search.query_terms import Concept, TurnQuery
    from memctl.store.store import Store

__all__ = ["CandidateRows", "TurnCandidate", "gather", "keep", "next_to", "read"]

SQL = statements.load("store/episodic_recall")

_ONE_BYTE = 0x80


@dataclass(slots=True)
class TurnCandidate:
    """One row of the index that may answer a question.

    Parameters
    ----------
    row
        Its number in the index: 2 * id for a turn, 2 * id + 1 for an episode.
    thread, seq
        Where it stands; the thread is told apart by kind.
    who
        Who said it or took part.
    at
        When it happened.
    asks
        Whether it ends in a question mark.
    wanted
        Whether it passes the filters; if not, it may still lend score.
    factor
        BM25's weight of one occurrence in a row of its length.
    mask
        Which concepts it holds, one bit each.
    own
        Its own score.
    """

    row: int
    thread: tuple[int, str] | None
    seq: int
    who: tuple[str, ...]
    at: str
    asks: bool
    wanted: bool
    factor: float
    mask: int
    own: float


class CandidateRows(NamedTuple):
    """Rows that hold some of the words of a question.

    Parameters
    ----------
    masks
        Which concepts each holds, one bit each; the bit after these where it is known that it
        also holds the one name of the question.
    alike
        The rows of the same mask, by mask.
    """

    masks: dict[int, int]
    alike: dict[int, set[int]]


def gather(store: Store, question: TurnQuery, request: RecallRequest) -> CandidateRows:
    """Return rows that hold some of the words, each with the mask of which."""
    concepts = question.concepts
    rare = _rarest(concepts)
    of_rare = " OR ".join(concept.match for concept in concepts[:rare])
    of_rare_rows = sum(concept.rows for concept in concepts[:rare])
    holding: list[AbstractSet[int]] = []
    gathered: set[int] = set()
    for place, concept in enumerate(concepts):
        if place < rare:
            rows = _postings(store, concept, request)
            gathered |= rows
        elif concept.rows < constants.GATHERED and not request.narrows:
            rows = concept.postings & gathered
        else:
            few = concept.rows * of_rare_rows < constants.GATHERED * question.size.rows
            rows = matching_rows(store, f"({concept.match}) AND ({of_rare})", request, few=few)
        holding.append(rows)
    dated = set(_dated(store, question))
    gathered = gathered.union(dated, *holding[rare:])
    if of_rare and len(gathered) > constants.KEPT and len(question.names) == 1:
        match = f"({of_rare}) AND {_any_name(question.names)}"
        few = all(concept.rows < constants.GATHERED for concept in concepts[:rare])
        holding.append(matching_rows(store, match, request, few=few) & gathered)
    alike = _alike(holding, dated)
    masks: dict[int, int] = {}
    for mask, rows_alike in alike.items():
        masks.update(dict.fromkeys(rows_alike, mask))
    return CandidateRows(masks, alike)


def _postings(store: Store, concept: Concept, request: RecallRequest) -> AbstractSet[int]:
    """Return the rows of a concept that pass the filters, the newest GATHERED of them."""
    if concept.rows < constants.GATHERED and not request.narrows:
        return concept.postings
    return matching_rows(store, concept.match, request)


def _alike(holding: Sequence[AbstractSet[int]], dated: set[int]) -> dict[int, set[int]]:
    """Return the rows that hold the same concepts, by mask, from the rows that hold each.

    Sets are parted as a whole: thousands of rows, but few combinations of words.
    """
    alike: dict[int, set[int]] = {0: dated}
    for place, rows in enumerate(holding):
        fresh = set(rows)
        for mask, held in list(alike.items()):
            if both := held & fresh:
                alike[mask | 1 << place] = both
                held.difference_update(both)
                fresh -= both
        alike[1 << place] = fresh | alike.get(1 << place, set())
    return {mask: held for mask, held in alike.items() if held}


def keep(gathered: CandidateRows, question: TurnQuery) -> list[int]:
    """Return the KEPT rows that weigh most together with the rows logged next to them.

    Neighbours by number are nearly those of the thread, and need no reading. The newest of
    equals come first.
    """
    words = len(question.concepts)
    boost = constants.PARTICIPANT * question.total_idf
    weights = {0: 0.0} | {
        mask: weight(mask, question.concepts) + boost * (mask >> words) for mask in gathered.alike
    }
    mask_of = gathered.masks.get
    near, far = constants.NEIGHBOURS
    together = {
        row: weights[mask_of(row, 0)]
        + near * (weights[mask_of(row - 2, 0)] + weights[mask_of(row + 2, 0)])
        + far * (weights[mask_of(row - 4, 0)] + weights[mask_of(row + 4, 0)])
        for row in _heaviest(gathered.alike, weights)
    }
    newest_first = sorted(together, reverse=True)
    return sorted(newest_first, key=together.__getitem__, reverse=True)[: constants.KEPT]


def _heaviest(alike: Mapping[int, set[int]], weights: Mapping[int, float]) -> list[int]:
    """Return the WEIGHED rows that weigh most; of equals the newest."""
    by_weight: defaultdict[float, list[int]] = defaultdict(list)
    for mask in alike:
        by_weight[weights[mask]].append(mask)
    found: list[int] = []
    for own in sorted(by_weight, reverse=True):
        rows = set[int]().union(*(alike[mask] for mask in by_weight[own]))
        room = constants.WEIGHED - len(found)
        if len(rows) >= room:
            return found + sorted(rows, reverse=True)[:room]
        found += rows
    return found


def next_to(rows: Iterable[int]) -> set[int]:
    """Return `rows` and those logged up to two places before and after each."""
    return {row + 2 * steps for row in rows for steps in range(-2, 3) if row > -2 * steps}


def read(
    store: Store,
    rows: Collection[int],
    masks: dict[int, int],
    question: TurnQuery,
    request: RecallRequest,
) -> dict[int, TurnCandidate]:
    """Return the candidates of `rows`, those that the filters hide left out."""
    parameters = request.parameters()
    total = question.total_idf or 1.0
    words = (1 << len(question.concepts)) - 1
    masks = {row: masks.get(row, 0) & words for row in rows}
    shares = {mask: weight(mask, question.concepts) / total for mask in {*masks.values()}}
    found: dict[int, TurnCandidate] = {}
    for bit, sql in enumerate((SQL.turn_rows, SQL.episode_rows)):
        ids = [row >> 1 for row in rows if row & 1 == bit]
        if not ids:
            continue
        for cells in rows_with_unindexed(store, sql, {**parameters, "ids": json.dumps(ids)}):
            candidate = _candidate(cells, bit, masks, shares, question.size.mean_words)
            found[candidate.row] = candidate
    if reads_unindexed(store):  # in the order of one index, in which what is added up is rounded
        return {
            row: found[row] for bit in (0, 1) for row in rows if row & 1 == bit and row in found
        }
    return found


def weight(mask: int, concepts: Sequence[Concept]) -> float:
    """Return the sum of the idf of the concepts in `mask`."""
    return sum(concept.idf for bit, concept in enumerate(concepts) if mask >> bit & 1)


def _candidate(
    cells: sqlite3.Row, bit: int, masks: dict[int, int], shares: dict[int, float], mean_words: float
) -> TurnCandidate:
    row, thread, seq, who, at, asks, words, wanted = cells
    mask = masks[row]
    # One column's number of words: nearly always one byte.
    length = words[0] if words[0] < _ONE_BYTE else varints(words)[0]
    factor = _length_factor(length, mean_words)
    return TurnCandidate(
        row,
        (bit, thread) if thread is not None else None,
        seq,
        tuple(map(str, json.loads(who))) if bit else (who,),
        at,
        bool(asks),
        bool(wanted),
        factor,
        mask,
        shares[mask] * factor,
    )


def _length_factor(words: int, mean_words: float) -> float:
    """Return BM25's weight of one occurrence in a row of that many words."""
    norm = 1 - constants.BM25_B + constants.BM25_B * words / mean_words
    return (constants.BM25_K1 + 1) / (1 + constants.BM25_K1 * norm)


def _rarest(concepts: Sequence[Concept]) -> int:
    """Return how many of the rarest concepts bring GATHERED rows together.

    ENOUGH, where the next is common: whole lists of a rare word beat the newest of a common one.
    """
    rows = 0
    for taken, concept in enumerate(concepts):
        if rows >= (constants.GATHERED if concept.rows < constants.GATHERED else constants.ENOUGH):
            return taken
        rows += concept.rows
    return len(concepts)


def _any_name(names: Iterable[str]) -> str:
    wholes = (" AND ".join(quoted(word) for word in name_words(name)) for name in names)
    return "(" + " OR ".join(f"({whole})" for whole in wholes if whole) + ")"


def _dated(store: Store, question: TurnQuery) -> Iterable[int]:
    from datetime import date, timedelta

    for span in question.spans:
        after = min(span.last.toordinal() + 1 + constants.DATE_DECAY_DAYS, date.max.toordinal())
        parameters = {
            "first": span.first.isoformat(),
            "after": (date.min + timedelta(days=after - 1)).isoformat(),
            "most": constants.DATED,
        }
        yield from (row[0] for row in store.rows(SQL.rows_between, parameters))
