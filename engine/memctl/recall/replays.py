"""Replays of recalls: the same search over the rows that were there, and what has changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.search.engine import search
from memctl.search.index.index_rows import size_of
from memctl.search.ranking.ranking_constants import RANKING
from memctl.search.receipt import digest_of, settings_of
from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memctl.config.settings import Settings
    from memctl.search.receipt import Receipt
    from memctl.semantic.fact_finder import FactFinder
    from memctl.store.store import Store

__all__ = ["Replay", "replayed"]

SQL = statements.load("store/episodic_recording")

# Rows that a difference names, at most.
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
    recall: int,
    question: str,
    then: tuple[str, ...],
    receipt: Receipt,
) -> Replay:
    """Search again as a receipt says, and compare."""
    past = receipt.past
    request = receipt.asked(question)
    scope = None
    if past.size.marks.fact and request.allows_facts and not request.no_facts_note:
        scope = facts().reading(request.as_of or past.seen_at)
    found = search(store, settings, request, scope, past=past)
    now = tuple(row.name for row in found)
    equal = digest_of(found) == receipt.answer
    differences = () if equal else tuple(_differences(store, settings, facts, question, receipt))
    if not (equal or differences):
        differences = (_UNRECORDED,)
    return Replay(
        recall,
        question,
        equal,
        differences,
        then,
        now,
        lost=tuple(name for name in then if name not in now),
        gained=tuple(name for name in now if name not in then),
    )


def _differences(
    store: Store,
    settings: Settings,
    facts: Callable[[], FactFinder],
    question: str,
    receipt: Receipt,
) -> Iterator[str]:
    """Yield what has changed since a recall and may have changed its answer."""
    if receipt.ranking != RANKING:
        yield f"the ranking: version {receipt.ranking} then, {RANKING} now"
    for name, value in settings_of(settings).items():
        if receipt.settings.get(name) != value:
            yield f"the setting {name}: {receipt.settings.get(name)} then, {value} now"
    if receipt.scope and receipt.scope != _plain(facts().scope.reading()):
        yield "whose facts are read"
    if receipt.settings["fallback"] != "none":
        yield "the vectors of the fallback, which learn as the store grows"
    past = receipt.past
    if size_of(store).aliases != past.size.aliases:
        yield "the aliases"
    if "[" in question or len(question) >= 2_000:  # noqa: PLR2004  (as it is kept)
        yield "the question is kept masked or cut"
    for row in store.rows(SQL.changes_since, {"changes": past.size.changes, "most": _MOST}):
        if row["change"] == "changed":
            yield f"fact {row['item']} was changed: it is {row['status']}"
        else:
            yield f"{row['kind']} {row['item']} was {row['change']}"


def _plain(scope: dict[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in scope.items() if value is not None}
