"""Puts the parts of a grown store together."""

from __future__ import annotations

import os
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from unittest import mock

import memctl
from benchmarks.reports.growing.calendar import Calendar
from benchmarks.reports.growing.facts import make_facts
from benchmarks.reports.growing.screens import Screens
from benchmarks.reports.growing.talk import make_talk

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from memctl.store.store import Store

__all__ = ["APP", "Size", "grow"]

APP = "ledger"
_END = "2026-11-20T00:00:00Z"

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Size:
    """How much a grown store holds, to the row.

    Parameters
    ----------
    sightings, recalls, facts
        Rows of these tables; all others follow from them.
    days
        How long it has lived, up to `end`.
    end
        The last moment: what ``MEMCTL_NOW`` has to be for the reports.
    """

    sightings: int = 100_000
    recalls: int = 50_000
    facts: int = 20_000
    days: int = 180
    end: str = _END


def grow(home: Path, size: Size, seed: int = 1) -> Path:
    """Make the store ``ledger`` below `home`; the same size and seed make the same rows.

    Returns
    -------
    Path
        Its file, closed.
    """
    calendar = Calendar(size.days, size.end)
    born = mock.patch.dict(os.environ, {"MEMCTL_NOW": calendar.at(0)})
    with born, memctl.open(APP, home) as memory, memory.store.transaction():
        for table, rows in _tables(calendar, size, seed):
            _insert(memory.store, table, rows)
        _count_learns(memory.store)
    return memory.store.path


def _tables(calendar: Calendar, size: Size, seed: int) -> Iterable[tuple[str, Sequence[Row]]]:
    """Yield every table with its rows, those that are pointed to before those that point."""
    screens = Screens(calendar, random.Random(seed))
    screens.live(size.sightings)
    yield from screens.tables()
    yield from make_facts(calendar, random.Random(seed + 1), size.facts)
    yield from make_talk(calendar, random.Random(seed + 2), size.recalls, size.facts)


def _insert(store: Store, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
    if rows:
        columns = list(rows[0])
        values = ", ".join(f":{column}" for column in columns)
        # Names of our own tables and columns, none from outside.
        insert = f"insert into {table} ({', '.join(columns)}) values ({values})"  # noqa: S608
        store.execute_many(insert, rows)


def _count_learns(store: Store) -> None:
    store.execute(
        "update store set learn_count = (select count(*) from observation where kind = 'learn')"
    )
