"""Replays of recalls: the same search over the rows that were there, and what has changed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.search.engine import search
from memctl.search.index.index_rows import size_of
from memctl.search.ranking.ranking_constants import RANKING
from memctl.search.receipt import digest_of, settings_of
from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from memctl.config.settings import Settings
    from memctl.recall.kept_recalls import KeptHit, KeptRecall
    from memctl.search.receipt import Receipt
    from memctl.semantic.fact_finder import FactFinder
    from memctl.store.store import Store

__all__ = ["Replay", "replayed"]

SQL = statements.load("store/episodic_recording")

# Changes of rows that are named at most, beside those of the answer's own rows.
_MOST = 20
_UNRECORDED = (
    "no change of a row is recorded: names, aliases or the word index were changed by hand"
)


@dataclass(frozen=True, slots=True)
class Replay:
    """A recall that was searched again over the rows that were there.

    Parameters
    ----------
    recall, question
        Which recall, and what it asked.
    equal
        Whether the answer is the same, byte for byte.
    differences
        What has changed since, where it is not: rows, settings, the ranking.
    then, now
        The rows of then and now, as ``turn:12`` or a fact's id.
    lost, gained
        Those of one alone.
    """

    recall: int
    question: str
    equal: bool
    differences: tuple[str, ...]
    then: tuple[str, ...]
    now: tuple[str, ...]
    lost: tuple[str, ...]
    gained: tuple[str, ...]


def replayed(
    store: Store,
    settings: Settings,
    facts: Callable[[], FactFinder],
    kept: KeptRecall,
    hits: Sequence[KeptHit],
    receipt: Receipt,
) -> Replay:
    """Search again as a receipt says, and compare."""
    past = receipt.past
    request = receipt.asked(kept.question, store.zone)
    scope = None
    if past.size.marks.fact and request.allows_facts and not request.no_facts_note:
        scope = facts().reading(request.parameters()["as_of"] or past.seen_at)
    found = search(store, settings, request, scope, past=past)
    then, now = tuple(hit.name for hit in hits), tuple(row.name for row in found)
    equal = digest_of(found) == receipt.answer
    differences: list[str] = []
    if not equal:
        differences += _surroundings(store, settings, facts, kept.question, receipt)
        differences += _erased_places(kept.hits, hits)
        differences += _changed_rows(store, past.size.changes, {*then, *now})
        differences = differences or [_UNRECORDED]
    return Replay(
        kept.id,
        kept.question,
        equal,
        tuple(differences),
        then,
        now,
        lost=tuple(name for name in then if name not in now),
        gained=tuple(name for name in now if name not in then),
    )


def _surroundings(
    store: Store,
    settings: Settings,
    facts: Callable[[], FactFinder],
    question: str,
    receipt: Receipt,
) -> Iterator[str]:
    """Yield what has changed beside the rows since a recall, and may have changed its answer."""
    if receipt.ranking != RANKING:
        yield f"the ranking: version {receipt.ranking} then, {RANKING} now"
    for name, value in settings_of(settings).items():
        then = receipt.settings.get(name, "")  # of a setting that is newer than the receipt
        if then != value:
            yield f"the setting {name}: {then or 'none'} then, {value or 'none'} now"
    if receipt.scope and receipt.scope != _plain(facts().scope.reading()):
        yield "whose facts are read"
    if receipt.settings["fallback"] != "none":
        yield "the vectors of the fallback, which learn as the store grows"
    if size_of(store).aliases != receipt.past.size.aliases:
        yield "the aliases"
    if "[" in question or len(question) >= 2_000:  # noqa: PLR2004  (as it is kept)
        yield "the question is kept masked or cut"


def _erased_places(asked: int, hits: Iterable[KeptHit]) -> Iterator[str]:
    """Yield the places of an answer whose rows were erased: their ids went with them."""
    left = {hit.rank for hit in hits}
    for place in range(1, asked + 1):
        if place not in left:
            yield f"row {place} of its answer was erased"


def _changed_rows(store: Store, changes: int, answered: set[str]) -> Iterator[str]:
    """Yield the changes of rows since a recall, those of the answer's own rows first."""
    given = {"changes": changes, "rows": json.dumps(sorted(answered))}
    rows = store.rows(SQL.changes_since, {**given, "most": _MOST + len(answered)})
    for row in rows:
        if row["change"] == "changed":
            yield f"fact {row['item']} was changed: it is {row['status']}"
        else:
            yield f"{row['kind']} {row['item']} was {row['change']}"
    if rows and rows[0]["total"] > len(rows):
        yield f"other rows were changed as well: {rows[0]['total'] - len(rows)} changes"


def _plain(scope: dict[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in scope.items() if value is not None}
