"""Stores a second of each verb: a plain loop, two processes, two workers of a Dask cluster."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from statistics import median
from typing import TYPE_CHECKING

import memctl
from benchmarks.fleet.ways import measured
from benchmarks.running import percentile, print_table, timed
from memctl.fleet.fleet_report import make_fleet_reports

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from benchmarks.fleet.generating import Drawn
    from benchmarks.fleet.ways import Pass, Way

_TOP = 5
_COUNT = 50_000_000
_EVERYWHERE = "When is the invoice due?"  # to all stores


@dataclass(frozen=True, slots=True)
class Routed:
    """What questions to the index took, and how many were answered by the one store that knows."""

    questions: int
    right: int
    median_ms: float
    p95_ms: float
    asked: float  # stores asked on average


def passes(ways: Sequence[Way], places: str, count: int, into: Path) -> list[Pass]:
    """Do every pass over all stores, the ways after each other: what disturbs, disturbs each."""
    acts = [(way, _acts(way, places, into)) for way in ways]
    return [measured(way, what, count, of[what]) for what in acts[0][1] for way, of in acts]


def _acts(way: Way, places: str, into: Path) -> dict[str, Callable[..., object]]:
    given, index = way.arguments, index_of(way, into)
    parts = str(into / f"parts-{way.name}")
    report = partial(make_fleet_reports, ["health"], places, into=parts, **given)
    update = partial(memctl.fleet.run, "index", places, index=str(index), **given)
    return {
        "report": report,
        "report, again": report,
        "dream": partial(memctl.fleet.run, "dream", places, **given),
        "index": update,
        "index, again": update,
        "recall, all": partial(memctl.fleet.recall, _EVERYWHERE, places, **given),
    }


def index_of(way: Way, into: Path) -> Path:
    """Return the folder of the index that a way made."""
    return into / f"index-{way.name}"


def routed(index: Path, fleet: Sequence[Drawn]) -> Routed:
    """Ask each of some stores, by the index, what only it knows."""
    times, asked, right = [], [], 0
    for store in fleet:
        answer = memctl.fleet.recall(store.question, index=str(index), limit=_TOP)
        times.append(answer.duration_ms)
        asked.append(answer.asked)
        right += any(store.thing in row.row.text for row in answer)
    return Routed(
        len(fleet), right, median(times), percentile(times, 0.95), sum(asked) / max(len(asked), 1)
    )


def two_busy_processes() -> float:
    """Return how much faster two processes count than one: the most that this machine has to give."""
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        list(pool.map(_count_up, [1, 1]))  # both are there
        alone, _ = timed(lambda: pool.submit(_count_up, _COUNT).result())
        both, _ = timed(lambda: list(pool.map(_count_up, [_COUNT, _COUNT])))
    return 2 * alone.wall / both.wall


def _count_up(most: int) -> int:
    return sum(range(most))


def print_rates(ways: Sequence[Way], made: Sequence[Pass]) -> None:
    """Print the passes: a row each, the ways beside each other."""
    by = {(each.what, each.way): each for each in made}
    plain, *others = [way.name for way in ways]
    rows = []
    for what in dict.fromkeys(each.what for each in made):
        row: list[object] = [what, f"{by[what, plain].rate:.1f}"]
        for other in others:
            each = by[what, other]
            row += [f"{each.rate:.1f}", f"{each.rate / by[what, plain].rate:.2f}"]
        row += [f"{by[what, way.name].cpu_ms:.1f}" for way in ways]
        rows.append(row)
    heads = ["pass", plain, *(head for other in others for head in (other, "x"))]
    print_table(
        "Stores a second by the clock, x: against the plain loop; ms of processors a store; "
        f"two busy processes here are {two_busy_processes():.2f} times one",
        [*heads, *(f"ms {way.name}" for way in ways)],
        rows,
    )
