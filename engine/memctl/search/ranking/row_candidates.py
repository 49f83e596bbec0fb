"""Candidates of a question among turns, episodes and facts, found in bounded work.

Never ``bm25()`` over a whole store: it ranks every row that matches. The rarest words are
taken until they bring enough rows; commoner words are only tested on those rows.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from memctl.search.index.index_rows import FACT, TURN, ids_of, kind_of, row_of
from memctl.search.index.reader import Place
from memctl.search.ranking import ranking_constants as constants
from memctl.store import statements
from memctl.text.splitting import quoted

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from memctl.search.index.reader import IndexReader
    from memctl.search.question.concepts import Concept
    from memctl.search.question.names import Name
    from memctl.search.question.question import RecallQuestion
    from memctl.text.calendar.said_dates import DaySpan

SQL = statements.load("store/search")

# Days of a month: what names more names none.
_MONTH = 31
# What a row is said as.
PERSON, USER, ASSISTANT = range(3)


@dataclass(slots=True)
class RowCandidate:
    """One row of the index that may answer a question.

    Parameters
    ----------
    row
        Its number in the index.
    thread, seq, who, said_as, at, offset, asks, words, wanted
        As of `Place`; ``said_as`` is PERSON, USER (of an assistant) or ASSISTANT, and ``who`` of a fact
        the first person that the question names, where the fact does, too.
    factor
        BM25's weight of one occurrence in a row of its length.
    mask
        Which concepts it holds, one bit each.
    own
        Its own score.
    order
        What orders a fact among equals, before its time.
    inherits
        The shares that it has of its neighbours' own scores; known once all of them are read.
    """

    row: int
    thread: tuple[int, str] | None
    seq: int
    who: tuple[str, ...]
    said_as: int
    at: str
    offset: int | None
    asks: bool
    words: int
    wanted: bool
    factor: float
    mask: int
    own: float
    order: float = 0.0
    inherits: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0)


class CandidateRows(NamedTuple):
    """Rows that have some of the words of a question.

    Parameters
    ----------
    masks
        Which concepts each holds, one bit each; the bit after these where it is known to hold a
        name of the question, and the next where it is of a day that the question names.
    alike
        The rows of the same mask, by mask.
    """

    masks: dict[int, int]
    alike: dict[int, set[int]]


def gather(reader: IndexReader, question: RecallQuestion) -> CandidateRows:
    """Return rows that have some of the words, each with the mask of which."""
    concepts = question.concepts
    rare = _rarest(concepts)
    of_rare = " OR ".join(concept.match for concept in concepts[:rare])
    of_rare_rows = sum(concept.rows for concept in concepts[:rare])
    holding: list[AbstractSet[int]] = []
    gathered: set[int] = set()
    for place, concept in enumerate(concepts):
        rows: AbstractSet[int]
        if concept.postings and not reader.narrows:
            rows = concept.postings if place < rare else concept.postings & gathered
        elif place < rare:
            rows = reader.newest(concept.match, ended=question.aim.of_now)
        else:
            few = concept.rows * of_rare_rows < constants.GATHERED * reader.rows
            match = f"({concept.match}) AND ({of_rare})"
            rows = reader.newest(match, few=few, ended=question.aim.of_now)
        if place < rare:
            gathered |= rows
        holding.append(rows)
    dated = set(_dated(reader, question))
    gathered = gathered.union(dated, *holding[rare:])
    named: AbstractSet[int] = frozenset()
    if not concepts and question.names:
        named = reader.newest(_any_name(question.names))
    elif of_rare and len(gathered) > constants.KEPT and len(question.names) == 1:
        match = f"({of_rare}) AND {_any_name(question.names)}"
        few = all(concept.rows < constants.GATHERED for concept in concepts[:rare])
        named = reader.newest(match, few=few) & gathered
    if concepts and question.names:  # nobody says a fact: who it is about stands in its words
        named |= reader.newest(_any_name(question.names[:1]), of=FACT)
    alike = _alike([*holding, named, dated])
    masks: dict[int, int] = {}
    for mask, rows_alike in alike.items():
        masks.update(dict.fromkeys(rows_alike, mask))
    return CandidateRows(masks, alike)


def _alike(holding: Sequence[AbstractSet[int]]) -> dict[int, set[int]]:
    """Return the rows that have the same concepts, by mask, from the rows of each concept.

    Sets are parted as a whole: thousands of rows, but few combinations of words.
    """
    alike: dict[int, set[int]] = {}
    for place, rows in enumerate(holding):
        fresh = set(rows)
        for mask, held in list(alike.items()):
            if both := held & fresh:
                alike[mask | 1 << place] = both
                held.difference_update(both)
                fresh -= both
        alike[1 << place] = fresh | alike.get(1 << place, set())
    return {mask: held for mask, held in alike.items() if held}


def keep(gathered: CandidateRows, question: RecallQuestion, most: int) -> list[int]:
    """Return the WEIGHED rows, or `most` where that is more, ordered by what they weigh with the rows next to them.

    Neighbours by number are nearly those of the thread, and need no reading. The newest of
    equals come first.
    """
    words = len(question.concepts)
    total = question.total_idf or 1.0
    named, dated = constants.PARTICIPANT * total, constants.DATE * total
    boosts = (0.0, named, dated, named + dated)
    weights = {0: 0.0} | {
        mask: weight(mask, question.concepts) + boosts[mask >> words] for mask in gathered.alike
    }
    weighs: dict[int, float] = {}
    for mask, rows in gathered.alike.items():
        weighs.update(dict.fromkeys(rows, weights[mask]))
    at = weighs.get
    near, far = constants.NEXT_TO
    together = {
        row: weighs[row]
        + near * (at(row - 1, 0.0) + at(row + 1, 0.0))
        + far * (at(row - 2, 0.0) + at(row + 2, 0.0))
        for row in _heaviest(gathered.alike, weights, max(most, constants.WEIGHED))
    }
    newest_first = sorted(together, reverse=True)
    return sorted(newest_first, key=together.__getitem__, reverse=True)


def _heaviest(alike: Mapping[int, set[int]], weights: Mapping[int, float], most: int) -> list[int]:
    """Return the rows that weigh most; of equals the newest."""
    by_weight: defaultdict[float, list[int]] = defaultdict(list)
    for mask in alike:
        by_weight[weights[mask]].append(mask)
    result: list[int] = []
    for own in sorted(by_weight, reverse=True):
        rows = set[int]().union(*(alike[mask] for mask in by_weight[own]))
        room = most - len(result)
        if len(rows) >= room:
            return result + sorted(rows, reverse=True)[:room]
        result += rows
    return result


def next_to(rows: Iterable[int]) -> set[int]:
    """Return turns and episodes, and those logged up to two places before and after each."""
    return {row + steps for row in rows if kind_of(row) != FACT for steps in range(-2, 3)}


def lend_to_newer(
    reader: IndexReader, rows: Iterable[int], masks: dict[int, int], *, ended: bool
) -> set[int]:
    """Return the facts that may replace some of `rows`; they answer to the words of these, too.

    With `ended`, those as well that have replaced some. "We ship on the 12th instead" holds no word of "When is the release?", and answers it all the same.
    """
    newer: set[int] = set()
    numbers = ids_of(rows, FACT)
    while numbers != "[]":  # a correction of a correction
        pairs = reader.store.rows(SQL.newer_facts, {"ids": numbers, "ended": ended})
        fresh = [row_of(FACT, pair["newer"]) for pair in pairs]
        for pair, row in zip(pairs, fresh, strict=True):
            masks[row] = masks.get(row, 0) | masks.get(row_of(FACT, pair["older"]), 0)
        numbers = ids_of([row for row in fresh if row not in newer], FACT)
        newer.update(fresh)
    return newer


def read(
    reader: IndexReader, rows: Collection[int], masks: Mapping[int, int], question: RecallQuestion
) -> dict[int, RowCandidate]:
    """Return the candidates of `rows`, those that the filters hide left out."""
    total = question.total_idf or 1.0
    words = (1 << len(question.concepts)) - 1
    held = {row: masks.get(row, 0) & words for row in rows}
    shares = {mask: weight(mask, question.concepts) / total for mask in {*held.values()}}
    mean = reader.size.mean_words
    result: dict[int, RowCandidate] = {}
    for row, place in reader.places(rows).items():
        mask = held[row]
        factor = _length_factor(place.words, mean)
        result[row] = RowCandidate(row, *place, factor, mask, shares[mask] * factor)
    facts = [row for row in rows if kind_of(row) == FACT]
    if facts:
        whole = question.total_telling or 1.0
        telling = {mask: question.telling(mask) / whole for mask in shares}
        for cells in reader.facts(facts):
            row = cells[0]
            named = masks.get(row, 0) >> len(question.concepts) & 1
            who = (question.names[0].name,) if named else ()
            result[row] = _fact(cells, held[row], telling[held[row]], who)
    return result


def around(reader: IndexReader, places: Iterable[tuple[tuple[int, str], int]]) -> set[int]:
    """Return the rows up to two places away from places of threads, themselves included."""
    marks = reader.size.marks
    asked: defaultdict[int, list[tuple[str, int]]] = defaultdict(list)
    for (kind, name), seq in places:
        asked[kind].append((name, seq))
    result: set[int] = set()
    for kind, of_kind in asked.items():
        sql = SQL.turns_around if kind == TURN else SQL.episodes_around
        told = {"places": json.dumps(of_kind), "turn": marks.turn, "episode": marks.episode}
        result |= {row_of(kind, row[0]) for row in reader.store.rows(sql, told)}
    return result


def weight(mask: int, concepts: Sequence[Concept]) -> float:
    """Return the sum of what the concepts in `mask` weigh."""
    return sum(concept.weight for bit, concept in enumerate(concepts) if mask >> bit & 1)


def _fact(cells: sqlite3.Row, mask: int, share: float, who: tuple[str, ...]) -> RowCandidate:
    row, at, importance, updated = cells
    place = Place(None, 0, who, PERSON, at, None, asks=False, words=0, wanted=True)
    return RowCandidate(row, *place, 1.0, mask, share, importance + updated / 1e12)


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


def _any_name(names: Iterable[Name]) -> str:
    return f"({' OR '.join(name.match for name in names)})"


def _naming(span: DaySpan, *, listed: bool) -> str:
    """Return the words of a text that name a day of the calendar, or a month, by its month's name.

    With `listed`, of days that are counted from now, too: a list is of what is told for then.
    """
    if (span.last - span.first).days > _MONTH or (span.from_now and not listed):
        return ""
    names = [f"{span.first:%B}", f"{span.last:%B}"]
    if not span.from_now:  # as the question writes it, too: "März"
        names += [word for word in span.words.split()[-1:] if word.isalpha()]
    month = " OR ".join(map(quoted, dict.fromkeys(names)))
    if span.first != span.last:
        return f"({month})"
    return f"({month}) AND {quoted(str(span.first.day))}"


def _dated(reader: IndexReader, question: RecallQuestion) -> Iterable[int]:
    marks = reader.size.marks
    listed = question.listing is not None
    for span in question.spans:
        if match := _naming(span, listed=listed):
            yield from sorted(reader.newest(match), reverse=True)[: constants.DATED]
        # Moments are kept in UTC: those of a day may stand a day before it there, or behind it.
        ahead = constants.DATE_AHEAD_DAYS if listed else 1
        first = max(span.first.toordinal() - ahead, date.min.toordinal())
        after = min(span.last.toordinal() + 2 + constants.DATE_DECAY_DAYS, date.max.toordinal())
        parameters = {
            "first": date.fromordinal(first).isoformat(),
            "after": date.fromordinal(after).isoformat(),
            "most": constants.DATED,
            "turn": marks.turn,
            "episode": marks.episode,
        }
        yield from (row[0] for row in reader.store.rows(SQL.rows_between, parameters))
        if listed and reader.scope is not None:
            parameters["facts"] = marks.fact
            yield from (row[0] for row in reader.store.rows(SQL.facts_between, parameters))
