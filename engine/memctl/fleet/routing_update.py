"""Brings the routing index up to date: what is new or has changed is read, what is gone leaves."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.base.counting import counted
from memctl.base.errors import MemctlError, NotFoundError
from memctl.entry import open_memory
from memctl.fleet.buckets import fetch, is_bucket
from memctl.fleet.change_marks import change_mark
from memctl.fleet.fleet_stores import FleetStore
from memctl.fleet.in_bucket.leases import borrowed
from memctl.fleet.routing_index import RoutingDraft
from memctl.fleet.spreading import spread, spread_where_they_lie
from memctl.fleet.store_queue import Finished
from memctl.reports.loading import engine
from memctl.search.index.index_words import IndexWords
from memctl.search.index.unindexed import reading_unindexed
from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memctl.fleet.routing_index import IndexedStore
    from memctl.store.store import Store

STATES = statements.load("store/state")
WORDING = statements.load("store/wording")


class StoreWords(NamedTuple):
    """The stems of a store, each with its rows, and its mark from before they were read."""

    mark: str
    stems: Mapping[str, int]


def update_index(
    stores: Sequence[FleetStore], index: str, notes: list[str], **how: Any
) -> Iterator[Finished[str]]:
    """Yield every store as soon as the index knows its words, and those that left.

    What is gone leaves before anything is read, and what was indexed is read again before what is
    new: what was erased is not kept by a run that is interrupted. `how` is that of `spread`; what is
    to be said of the whole index is added to `notes`.
    """
    with engine() as connection:
        draft = RoutingDraft(connection, index)
        notes += [f"{draft.anew}: it was made anew"] if draft.anew else []
        known = {(store.where, store.machine): store for store in draft.stores()}
        named = {(store.where, store.machine) for store in stores}
        gone = [store for key, store in known.items() if key not in named and _is_gone(store)]
        for left in gone:
            draft.drop(left.where, left.machine)
            store = FleetStore(left.name, left.where, 0, left.machine)
            yield Finished(store, "left the index: its file is gone", None, 0.0)
        if gone or draft.anew:
            draft.write()
        changed: list[FleetStore] = []
        new: list[FleetStore] = []
        marks = {
            (each.store.where, each.store.machine): each.value
            for each in spread_where_they_lie(mark_now, stores, **how)
        }
        for store in stores:
            before = known.get((store.where, store.machine))
            if before is not None and before.mark == marks.get((store.where, store.machine)):
                yield Finished(store, "nothing new", None, 0.0)
            else:
                (changed if before else new).append(store)
        unread = {(store.where, store.machine) for store in changed}
        try:
            for finished in spread(words_of, changed + new, **how):
                yield _added(draft, finished)
                key = finished.store.where, finished.store.machine
                if unread and not finished.left and not (unread := unread - {key}):
                    draft.write()
        finally:
            if changed or new:
                draft.write()


def words_of(store: FleetStore) -> StoreWords:
    """Return the stems of a store's own word index, and those of its screens and aliases."""
    mark = mark_now(store)
    with borrowed(store, writes=False) as path, open_memory(path, readonly=True) as memory:
        memory.store.connection()
        words = IndexWords(memory.store)
        words.prepare()
        with memory.store.snapshot(), reading_unindexed(memory.store):
            stems = Counter(words.every_stem())
            for tokens in words.split_as_indexed(_screens(memory.store)):
                stems.update({token.stem for token in tokens})
            _add_aliases(memory.store, words, stems)
    return StoreWords(mark, dict(stems))


def mark_now(store: FleetStore | IndexedStore) -> str:
    """Return the mark of a store's file or object as it is now; empty where it is gone."""
    if is_bucket(store.where):
        there = fetch(store.where, content=False)
        return there.e_tag if there else ""
    try:
        return change_mark(Path(store.where))
    except NotFoundError:
        return ""


def _is_gone(store: IndexedStore) -> bool:
    """Return whether a store is gone; one that cannot be seen from here is not."""
    try:
        return not (store.machine or mark_now(store))
    except MemctlError:
        return False


def _added(draft: RoutingDraft, finished: Finished[StoreWords]) -> Finished[str]:
    """Put what was read into the draft; what cannot be read leaves it."""
    store, read, text = finished.store, finished.value, None
    if not finished.left:
        draft.drop(store.where, store.machine)
    if read is not None:
        draft.add(store.name, store.where, store.machine, read.mark, read.stems)
        text = counted(len(read.stems), "word")
    return Finished(store, text, finished.error, finished.ms, finished.tries)


def _screens(store: Store) -> list[str]:
    rows = store.rows(STATES.descriptions) if store.value(STATES.any_living) else ()
    return [" ".join(filter(None, (row["name"], row["description"]))) for row in rows]


def _add_aliases(store: Store, words: IndexWords, stems: Counter[str]) -> None:
    """Count a word with the rows of its alias, so that either leads to the store."""
    pairs = [(row["term"], row["synonym"]) for row in store.rows(WORDING.alias_pairs)]
    for term, synonym in pairs + [(synonym, term) for term, synonym in pairs]:
        asked, held = words.split_as_indexed([term, synonym])
        rows = min((stems[token.stem] for token in held), default=0)
        for token in asked if rows else ():
            stems[token.stem] = max(stems[token.stem], rows)
