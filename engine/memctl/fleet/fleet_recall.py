"""One question to all stores of a fleet: the routing index names the few that are asked."""

from __future__ import annotations

import heapq
import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, overload

from memctl.base.arguments import checked
from memctl.base.clock import When
from memctl.base.errors import SecretRefusedError, UsageError
from memctl.entry import open_memory
from memctl.fleet.buckets import is_bucket
from memctl.fleet.fleet_run import Outcome, outcome_of
from memctl.fleet.fleet_stores import Place, listed_stores
from memctl.fleet.in_bucket.leases import borrowed
from memctl.fleet.routing_index import mark_now, routing_index
from memctl.fleet.spreading import spread
from memctl.fleet.store_queue import FleetStore
from memctl.search.question.question import asked_words
from memctl.search.question.typos import longer_names, repairs
from memctl.search.recall_request import RecallRequest
from memctl.search.recall_results import Recalled, Row
from memctl.store.results import Result
from memctl.text.cleaning import note_on_no_words
from memctl.text.closed_words import STOP_WORDS
from memctl.text.real_words import is_real_word
from memctl.text.splitting import is_unspaced

if TYPE_CHECKING:
    from memctl.config.setting import Value
    from memctl.fleet.routing_index import RoutingIndex

# Words of the index that a misspelt one of the question may be, each asked for.
_MOST_REPAIRS = 4


@dataclass(frozen=True, slots=True)
class FleetRow(Result):
    """One row of a store of a fleet.

    Parameters
    ----------
    store, where
        The store's name and file.
    row
        The row, as the recall of that store has it.
    """

    store: str
    where: str
    row: Row

    def as_plain(self) -> dict[str, Any]:
        """Return the store and all of the row as a mapping for JSON."""
        return {"store": self.store, "where": self.where, **self.row.as_plain()}


@dataclass(frozen=True)
class FleetRecalled(Result, Sequence[FleetRow]):
    """The rows of one question to a fleet, the best first; a sequence of them.

    Parameters
    ----------
    stores, asked
        How many stores there are, and how many of them were asked.
    changed, unindexed
        How many stores have changed since the index was made, and how many it does not know.
    gone
        The stores of the index whose files are gone, by name.
    failed
        The stores that were asked and could not answer.
    note
        Why it is empty.
    unknown, corrected
        Words of the question that none of the stores asked has, and what others were taken for.
    """

    rows: tuple[FleetRow, ...]
    stores: int = 0
    asked: int = 0
    changed: int = 0
    unindexed: int = 0
    gone: tuple[str, ...] = ()
    failed: tuple[Outcome, ...] = ()
    note: str = ""
    unknown: tuple[str, ...] = ()
    corrected: dict[str, str] = field(default_factory=dict)
    duration_ms: float = 0.0

    def about(self) -> dict[str, Any]:
        """Return all of it but the rows, as a mapping for JSON."""
        return {key: value for key, value in vars(self).items() if key != "rows"}

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> FleetRow: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[FleetRow, ...]: ...
    def __getitem__(self, index: int | slice) -> FleetRow | tuple[FleetRow, ...]:
        return self.rows[index]


@checked
def recall(
    question: str,
    stores: Sequence[Place | FleetStore] | Place | None = None,
    *,
    index: str | os.PathLike[str] | None = None,
    most_stores: int = 20,
    limit: int = 5,
    as_of: When | None = None,
    now: When | None = None,
    since: When | None = None,
    until: When | None = None,
    kinds: Iterable[str] = (),
    min_worth: float | None = None,
    user: str | None = None,
    agent: str | None = None,
    session: str | None = None,
    project: str | os.PathLike[str] | None = None,
    settings: Mapping[str, Value] | None = None,
    jobs: int = 1,
    scheduler: str | None = None,
    progress: Callable[[Outcome], object] = bool,
) -> FleetRecalled:
    """Ask many stores one question, and merge their rows by score; nothing is recorded anywhere.

    Parameters
    ----------
    question, limit, as_of, now, since, until, kinds, min_worth
        As for `memctl.Memory.recall`; `limit` is of all rows together.
    stores
        Places, or what `memctl.fleet.stores` has returned; by default all that the index knows, and without an
        index those of the home.
    index
        The folder or bucket of ``memctl.fleet.run("index", ...)``. Without it every store is asked.
    most_stores
        How many stores are asked where there is an index: those that have most of the question.
    user, agent, session, project, settings
        As for `memctl.open`: whose rows each store answers with.
    jobs, scheduler, progress
        As for `memctl.fleet.run`.

    Raises
    ------
    UsageError
        When a limit, a time or a kind is not allowed.
    NotFoundError
        When there is no index, or a place holds no store.
    StoreDamagedError
        When the index is broken, or of another version.
    """
    began = time.perf_counter()
    RecallRequest(question, limit, kinds=kinds, min_worth=min_worth)  # refuses what is not allowed
    if most_stores < 1:
        raise UsageError(f'most_stores "{most_stores}" is not allowed', hint="it takes 1 or more")
    given = None if index is not None and stores is None else listed_stores(stores, scheduler)
    chosen: Sequence[FleetStore]
    if index is None:
        chosen, about = given or (), FleetRecalled((), stores=len(given or ()))
    else:
        with routing_index(os.fspath(index)) as routes:
            chosen, about = _routed(routes, question, given, most_stores)
    limits: dict[str, Any] = {"as_of": as_of, "now": now, "since": since, "until": until}
    limits |= {"kinds": tuple(kinds), "min_worth": min_worth, "limit": limit}
    scope: dict[str, Any] = {"user": user, "agent": agent, "session": session, "project": project}
    task = partial(_answer, question, limits, {**scope, "settings": settings})
    answers: list[tuple[FleetStore, Recalled]] = []
    failed = []
    for finished in spread(task, chosen, jobs=jobs, scheduler=scheduler):
        if isinstance(finished.error, (UsageError, SecretRefusedError)):
            raise finished.error  # of the question, and so of every store
        if finished.interrupted:
            raise KeyboardInterrupt
        outcome = outcome_of(replace(finished, value=None))
        progress(outcome)
        if finished.value is None:
            failed.append(outcome)
        else:
            answers.append((finished.store, finished.value))
    merged = _merged(question, about, answers, limit, index)
    ms = (time.perf_counter() - began) * 1000
    return replace(merged, asked=len(chosen), failed=tuple(failed), duration_ms=round(ms, 3))


def _answer(
    question: str, limits: Mapping[str, Any], scope: Mapping[str, Any], store: FleetStore
) -> Recalled:
    """Ask one store; nothing is written to it."""
    with borrowed(store, writes=False) as path, open_memory(path, readonly=True, **scope) as memory:
        memory.store.connection()
        return memory.recall(question, record=False, **limits)


def _merged(
    question: str,
    about: FleetRecalled,
    answers: Sequence[tuple[FleetStore, Recalled]],
    limit: int,
    index: str | os.PathLike[str] | None,
) -> FleetRecalled:
    """Return the rows of all answers by their score, with what the stores read of the question."""
    answers = sorted(answers, key=lambda answer: (answer[0].name, answer[0].where))
    rows = [FleetRow(store.name, store.where, row) for store, said in answers for row in said]
    best = tuple(heapq.nlargest(limit, rows, key=lambda row: row.row.score))
    corrected = {word: taken for _, said in answers for word, taken in said.corrected.items()}
    unknown = about.unknown
    if answers:
        common = set.intersection(*(set(said.unknown) for _, said in answers))
        unknown = tuple(word for word in answers[0][1].unknown if word in common)
    note = "" if best else about.note
    if not best and not note:
        words = ", ".join(f'"{word:.40}"' for word in unknown[:8])
        none = "no store" if index is None else "none of the likeliest stores"
        note = f"{none} holds {words}" if words else _why_empty(question, answers)
    return replace(about, rows=best, unknown=unknown, corrected=corrected, note=note)


def _why_empty(question: str, answers: Sequence[tuple[FleetStore, Recalled]]) -> str:
    """Return the reason that most stores give for an empty answer."""
    notes = [said.note for _, said in answers if said.note]
    if not notes:
        return note_on_no_words(question)
    return max(dict.fromkeys(notes), key=notes.count)


# -- which stores ------------------------------------------------------------------------


def _routed(
    routes: RoutingIndex, question: str, given: Sequence[FleetStore] | None, most: int
) -> tuple[Sequence[FleetStore], FleetRecalled]:
    """Return the stores to ask, the best first, and an answer that counts the others."""
    indexed = routes.stores()
    # Those of this machine alone can be looked at in no time.
    marks = {
        store: mark_now(store) for store in indexed if not (store.machine or is_bucket(store.where))
    }
    there = [store for store in indexed if marks.get(store) != ""]
    unindexed = 0
    if given is not None:
        named = {(store.where, store.machine) for store in given}
        there = [store for store in there if (store.where, store.machine) in named]
        unindexed = len(named) - len(there)
    about = FleetRecalled(
        (),
        stores=len(there) + unindexed,
        changed=sum(marks.get(store, store.mark) != store.mark for store in there),
        unindexed=unindexed,
        gone=tuple(store.name for store, mark in marks.items() if not mark),
    )
    asked = asked_words(question, routes)
    known = routes.counts({stem for stems in asked.values() for stem in stems})
    meant = {
        word: stems if any(stem in known for stem in stems) else _repaired(word, asked, routes)
        for word, stems in asked.items()
    }
    best = routes.best(meant, there, most)
    chosen = [FleetStore(store.name, store.where, 0, store.machine) for store in best]
    if chosen:
        return chosen, about
    if not asked:
        return (), replace(about, note=note_on_no_words(question))
    return (), replace(about, unknown=tuple(asked))


def _repaired(word: str, asked: Iterable[str], routes: RoutingIndex) -> list[str]:
    """Return the stems of the index that an unknown word may be a misspelling of."""
    if is_unspaced(word):
        return list(word)
    if is_real_word(word, beside={*asked} - {word}):
        return []
    near = islice(repairs(word, routes, never=STOP_WORDS), _MOST_REPAIRS)
    return [token.stem for token in near] or longer_names(word, routes)[:_MOST_REPAIRS]
