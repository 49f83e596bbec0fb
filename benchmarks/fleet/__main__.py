"""Measure what a fleet of stores costs: here, with workers killed, and beyond this machine.

    python -m benchmarks.fleet [--stores 2000] [--parts rates,kills,beyond,costs]

``rates``: each verb over all stores, as a plain loop, with two processes, with two workers of a Dask
cluster. ``kills``: undreamed stores dream while workers are killed at random. ``beyond``: a real
scheduler with `--tasks` simulated stores and 16 simulated workers. ``costs``: 10^5 stores, from what
the others measured (it needs all of them).
"""

from __future__ import annotations

import os
import random
import tempfile
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

import memctl
from benchmarks.fleet.beyond import Simulated, simulate
from benchmarks.fleet.costs import CHUNK, Sample, costs
from benchmarks.fleet.generating import NOW, drawn, generate
from benchmarks.fleet.killing import kill_and_compare
from benchmarks.fleet.rates import Routed, index_of, passes, print_rates, routed
from benchmarks.fleet.ways import Way, cluster, measured
from benchmarks.running import arguments, keep, listed, print_table, timed
from memctl.fleet.in_bucket.bucket_objects import packed

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping, Sequence

    from benchmarks.fleet.generating import Drawn
    from benchmarks.fleet.ways import Pass

PARTS = ("rates", "kills", "beyond", "costs")
PLAIN = Way("plain")
_PACKED = 100  # stores of which the size in a bucket is measured


def main(words: Sequence[str] | None = None) -> None:
    """Make the stores, measure the parts, print tables, keep the figures."""
    parser = arguments(__doc__, "fleet")
    parser.add_argument("--parts", type=listed, default=list(PARTS))
    for name, value in (
        *(("stores", 2000), ("workers", 2), ("questions", 50), ("large", 6), ("rows", 3000)),
        *(("kills", 8), ("killed-stores", 80), ("tasks", 10_000), ("seed", 1)),
    ):
        parser.add_argument(f"--{name}", type=int, default=value)
    options = parser.parse_args(words)
    figures: dict[str, Any] = {}
    with (
        tempfile.TemporaryDirectory() as name,
        mock.patch.dict(os.environ, {"MEMCTL_NOW": NOW}),
    ):
        for part in PARTS:
            if part in options.parts:
                figures[part] = _DO[part](Path(name), options, figures)
                keep("fleet", figures, options.out)


def _rates(folder: Path, options: argparse.Namespace, _: Mapping[str, Any]) -> dict[str, Any]:
    fleet, home = drawn(options.stores, options.seed), folder / "fleet"
    took, _made = timed(lambda: generate(home, fleet))
    places = str(home / "machine-*")
    stores = memctl.fleet.stores(places)
    megabytes = sum(store.bytes for store in stores) / 1e6
    print(f"{len(stores)} stores, {megabytes:.0f} MB, made in {took.wall / 1000:.0f} s")
    ways = [PLAIN, Way("jobs", {"jobs": options.workers})]
    with cluster(options.workers) as client:
        ways.append(Way("Dask", {"scheduler": client.scheduler.address}, client))
        made = passes(ways, places, len(stores), folder)
    print_rates(ways, made)
    asked = [store for store in fleet if store.kind != "empty"]
    asked = random.Random(options.seed).sample(asked, min(options.questions, len(asked)))
    answers = routed(index_of(PLAIN, folder), asked)
    _print_routed(answers, len(stores))
    _print_memory(made)
    return {
        "passes": [asdict(each) for each in made],
        "routed": asdict(answers),
        "sample": asdict(_sample(made, fleet, home, index_of(PLAIN, folder))),
        "made_s": took.wall / 1000,
    }


def _kills(folder: Path, options: argparse.Namespace, _: Mapping[str, Any]) -> dict[str, Any]:
    home = folder / "killed" / "control"
    generate(home, drawn(options.killed_stores, options.seed), dreamed=False)
    jobs = {"jobs": options.workers}
    ways = [Way("jobs", jobs), Way("Dask", {**jobs, "scheduler": "local"})]
    control, runs = kill_and_compare(home, ways, options.kills, options.seed)
    heads = ("way", "kills", "stores", "done", "other than control", "broken", "s", "control s")
    print_table(
        "Workers killed at random during the first dream",
        heads,
        [
            (
                *(run.way, run.kills, run.stores, run.done, run.other, run.broken),
                *(f"{run.seconds:.1f}", f"{control.seconds:.1f}"),
            )
            for run in runs
        ],
    )
    return {"control": asdict(control), "runs": [asdict(run) for run in runs]}


def _beyond(_: Path, options: argparse.Namespace, figures: Mapping[str, Any]) -> list[Any]:
    """Simulate 16 workers; a store takes as long as a dream that finds nothing new took here."""
    known = [
        each
        for each in figures.get("rates", {}).get("passes", ())
        if (each["way"], each["what"]) == (PLAIN.name, "dream")
    ]
    store_ms = sum(each["seconds"] * 1000 / each["stores"] for each in known) or 30.0
    runs = list(simulate(options.tasks, store_ms))
    print_table(
        f"A real scheduler, 16 simulated workers, stores that sleep {store_ms:.0f} ms",
        ("chunks of", "stores", "s", "s without cost", "share", "ms of processor a task"),
        [
            (
                *(run.chunk, f"{run.stores:,}", f"{run.seconds:.0f}", f"{run.ideal:.0f}"),
                *(f"{run.ideal / run.seconds:.0%}", f"{run.task_ms:.1f}"),
            )
            for run in runs
        ],
        "Workers are threads beside the scheduler: the cost of a task holds theirs.",
    )
    return [asdict(run) for run in runs]


def _costs(folder: Path, options: argparse.Namespace, figures: Mapping[str, Any]) -> list[Any]:
    if missing := [part for part in PARTS[:3] if part not in figures]:
        raise SystemExit(f"costs need the parts {', '.join(missing)}, too")
    small = Sample(**figures["rates"]["sample"])
    first = figures["kills"]["control"]
    small.cpu_ms["dream, first"] = first["cpu"] * 1000 / first["stores"]
    home, undreamed = folder / "large", folder / "undreamed"
    fleet = [
        replace(store, kind=f"en {options.rows}") for store in drawn(options.large, options.seed)
    ]
    generate(home, fleet)
    generate(undreamed, fleet, dreamed=False)
    made = passes([PLAIN], str(home / "machine-*"), len(fleet), folder / "of-large")
    made += [_first_dream(undreamed, len(fleet))]
    large = _sample(made, fleet, home, index_of(PLAIN, folder / "of-large"))
    runs = [Simulated(**run) for run in figures["beyond"]]
    task_ms = next(run.task_ms for run in runs if run.chunk == CHUNK)
    rows = list(costs(small, large, figures["rates"]["routed"]["median_ms"], task_ms))
    print_table(
        f"m: measured here, a: arithmetic from it ({small.rows:.0f} and {large.rows:.0f} rows)",
        ("", "a store", "10^5 such stores", "10^5 of 10^4 rows"),
        rows,
        "Hours are of one processor; nightly: a tenth of the stores has changed.",
    )
    return rows


def _first_dream(home: Path, count: int) -> Pass:
    dream = partial(memctl.fleet.run, "dream", str(home / "machine-*"))
    return measured(PLAIN, "dream, first", count, dream)


def _sample(made: Sequence[Pass], fleet: Sequence[Drawn], home: Path, index: Path) -> Sample:
    """Return what a store of these takes on average."""
    files = [store.file(home) for store in fleet]
    some = random.Random(0).sample(files, min(_PACKED, len(files)))
    of_index = sum(path.stat().st_size for path in index.rglob("*") if path.is_file())
    return Sample(
        sum(store.rows for store in fleet) / len(fleet),
        sum(path.stat().st_size for path in files) / len(files),
        sum(len(packed(path)) for path in some) / len(some),
        of_index / len(files),
        {
            each.what: each.cpu_ms
            for each in made
            if each.way == PLAIN.name and "again" not in each.what
        },
    )


def _print_routed(answers: Routed, stores: int) -> None:
    print_table(
        f"Questions that one store of {stores:,} can answer, by the index",
        ("questions", "answered", "stores asked", "median ms", "p95 ms"),
        [
            (
                *(answers.questions, answers.right, f"{answers.asked:.1f}"),
                *(f"{answers.median_ms:.0f}", f"{answers.p95_ms:.0f}"),
            )
        ],
    )


def _print_memory(made: Sequence[Pass]) -> None:
    """Print Dask's cost beside the pool's, and what its largest worker has in use."""
    pool = {each.what: each for each in made if each.way == "jobs"}
    print_table(
        "Dask beside the pool of processes, and the memory of its larger worker",
        ("pass", "more s", "more processor", "MB at a quarter", "MB at the end"),
        [
            (
                each.what,
                f"{each.seconds / pool[each.what].seconds - 1:+.0%}",
                f"{each.cpu / pool[each.what].cpu - 1:+.0%}",
                *(f"{megabytes:.0f}" for megabytes in each.megabytes),
            )
            for each in made
            if each.way == "Dask"
        ],
    )


_DO = {"rates": _rates, "kills": _kills, "beyond": _beyond, "costs": _costs}


if __name__ == "__main__":
    main()
