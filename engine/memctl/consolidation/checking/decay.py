"""Decay: what nobody needs any more is archived, with the reason, and can be restored.

A kind says how long it lasts (``memctl.base.categories``): technical facts and settings 365 days
without a use, people 180, a project until it is complete, the raw log 90 days once it was read.
Used is what a recall, a search, a look-up or a context served (`memctl.semantic.finding`).
What is pinned or immutable stays, and so do preferences, rules and lessons. Nothing is deleted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from memctl.base import clock
from memctl.base.categories import KINDS
from memctl.base.counting import counted
from memctl.episodic.retention import follow_turns
from memctl.semantic.fact_rows import record_change
from memctl.store import statements
from memctl.store.results import Result

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence

    from memctl.config.settings import Settings
    from memctl.consolidation.runs import Work
    from memctl.store.store import Store

SQL = statements.load("store/decay")
_STEP = 200  # rows
_TURNS = 10_000  # of one run
_DONE = frozenset(
    ("cancelled", "canceled", "closed", "complete", "completed", "done", "finished", "launched")
) | {"released", "shipped"}


@dataclass(frozen=True, slots=True)
class Fading(Result):
    """A row that decay would archive.

    Parameters
    ----------
    kind, id
        ``fact`` or ``turn``, and the row's id.
    text
        What it says.
    why
        The reason, as it is kept.
    last_at
        When it was written, changed or used last; uses count by the day.
    """

    kind: Literal["fact", "turn"]
    id: str
    text: str
    why: str
    last_at: str


class Decay:
    """Finds what fades in one store, and archives it inside the steps of a run."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings

    def proposals(self, as_of: str) -> tuple[Fading, ...]:
        """Return the rows that would be archived at a moment, facts first; reads only."""
        if not self._store.exists:
            return ()
        return (*self._facts(as_of), *self._turns(as_of))

    def apply(self, work: Work) -> int:
        """Archive all of it, some hundred rows a step; return how many."""
        proposals = self.proposals(work.as_of)
        for begin in range(0, len(proposals), _STEP):
            with work.step():
                some = proposals[begin : begin + _STEP]
                for fading in some:
                    self._archive(fading, work.as_of)
                work.wrote("archived", [int(fading.id) for fading in some if fading.kind == "turn"])
                follow_turns(self._store, work.as_of)
        return len(proposals)

    def _facts(self, as_of: str) -> Iterator[Fading]:
        for kind in KINDS.values():
            if kind.ending == "archived":
                yield from self._unused(kind.category, kind.days, as_of)
        yield from self._complete(as_of)

    def _unused(self, category: str, days: int, as_of: str) -> Iterable[Fading]:
        asked = {"category": category, "before": _before(as_of, days)}
        why = f"not used for {counted(days, 'day')}"
        return [_fading("fact", row, why) for row in self._store.rows(SQL.unused, asked)]

    def _complete(self, as_of: str) -> Iterator[Fading]:
        """Yield the facts of projects that were written before their status was: complete.

        What somebody stores or changes with that status, or behind it, is meant to stay.
        """
        newest = {row["id"]: row for row in self._store.rows(SQL.with_status, {"as_of": as_of})}
        for row in newest.values():
            if says_done(row["value"] or ""):
                yield _fading("fact", row, f"{row['subject']} is {row['value']}")

    def _turns(self, as_of: str) -> Sequence[Fading]:
        days = self._settings.integer("log_archive_days")
        asked = {"before": _before(as_of, days), "most": _TURNS}
        why = f"older than {counted(days, 'day')}"
        return [_fading("turn", row, why) for row in self._store.rows(SQL.old_turns, asked)]

    def _archive(self, fading: Fading, now: str) -> None:
        if fading.kind == "turn":
            self._store.execute(
                SQL.archive_turn, {"id": int(fading.id), "now": now, "why": fading.why}
            )
        elif self._store.execute(SQL.archive_fact, {"id": fading.id, "now": now}):
            record_change(
                self._store, fading.id, "ARCHIVE", fading.text, None, fading.why, "dream", now
            )


def says_done(status: str) -> bool:
    """Return whether the status of a project is that it is complete."""
    return status.casefold().strip(" .!") in _DONE


def _fading(kind: Literal["fact", "turn"], row: sqlite3.Row, why: str) -> Fading:
    return Fading(kind, str(row["id"]), row["text"], why, row["last_at"])


def _before(as_of: str, days: int) -> str:
    """Return the moment so many days before; the beginning of time where there is none."""
    try:
        return clock.moved(as_of, days=-days)
    except OverflowError:
        return ""
