"""Measures the miner of habits on generated logs with planted ones, of repeats, and shuffled ones.

``python -m benchmarks.mining [--quick]``
"""

from __future__ import annotations

import argparse
from random import Random
from time import perf_counter, process_time
from typing import TYPE_CHECKING, Any

from benchmarks.keeping import keep
from benchmarks.mining.planted import planted, scored
from benchmarks.mining.threshold import MOST, frequent
from memctl.procedural.mining import Act, chance_rate, mined

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Miner = Callable[[Sequence[Sequence[Act]]], Iterable[tuple[str, ...]]]

_SEEDS = {300: 10, 1_000: 10, 5_000: 5, 50_000: 2}
_SHUFFLED = (300, 1_000, 5_000)


def main() -> None:
    """Measure, print and keep the raw figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer seeds, no more than 5,000")
    quick = parser.parse_args().quick
    sizes = {size: 2 for size in _SEEDS if size <= 5_000} if quick else _SEEDS
    rows = [
        _row(name, miner, size, skewed=skewed, seeds=seeds)
        for skewed in (False, True)
        for size, seeds in sizes.items()
        for name, miner in _MINERS.items()
    ]
    shuffles = 10 if quick else 100
    shuffled = [
        _shuffled(size, skewed=skewed, shuffles=shuffles)
        for skewed in (False, True)
        for size in _SHUFFLED[: 2 if quick else None]
    ]
    repeats = [_repeated(acts, shuffles=shuffles) for acts in range(2, 7)]
    keep("mining", {"planted": rows, "shuffled": shuffled, "repeats": repeats})


def _row(name: str, miner: Miner, size: int, *, skewed: bool, seeds: int) -> dict[str, Any]:
    """Mine logs of several seeds; seconds are those of the clock and of the processor, a log."""
    hits = drafts = 0
    clock = worked = 0.0
    for seed in range(seeds):
        log = planted(size, skewed=skewed, seed=seed)
        began = perf_counter(), process_time()
        found = list(miner(log.sequences))
        clock, worked = clock + perf_counter() - began[0], worked + process_time() - began[1]
        one = scored(found, log.habits)
        hits, drafts = hits + one[0], drafts + one[1]
    row = {
        "miner": name,
        "frequencies": _kind(skewed),
        "sequences": size,
        "logs": seeds,
        "drafts": drafts,
        "P": round(hits / max(drafts, 1), 3),
        "R": round(hits / (10 * seeds), 3),
        "seconds": round(clock / seeds, 2),
        "processor seconds": round(worked / seeds, 2),
    }
    print(
        f"{name:9} {row['frequencies']:7} {size:>6} sequences  P {row['P']:.2f}  R {row['R']:.2f}"
        f"  {row['seconds']:6.2f} s ({row['processor seconds']:.2f})  {drafts} drafts of {10 * seeds}",
        flush=True,
    )
    return row


def _shuffled(size: int, *, skewed: bool, shuffles: int) -> dict[str, Any]:
    log = planted(size, skewed=skewed, seed=0)
    drafts = round(chance_rate(log.sequences, shuffles=shuffles) * shuffles)
    kind = _kind(skewed)
    print(f"shuffled  {kind:7} {size:>6} sequences  {drafts} drafts in {shuffles} logs", flush=True)
    return {"frequencies": kind, "sequences": size, "logs": shuffles, "drafts": drafts}


def _repeated(acts: int, *, shuffles: int) -> dict[str, Any]:
    """Mine logs of nothing but one task of different acts, then the same logs without their order.

    Acts are shuffled across the log, and within each task: there the whole task in some order is
    one false draft, and a part of it another.
    """
    task = [Act(f"click:{number}", {}) for number in range(acts)]
    fewest = next(size for size in range(1, 100) if mined([task] * size))
    random, sizes = Random(acts), (8, 21, 100, 400)
    across = sum(chance_rate([task] * size, shuffles=shuffles) * shuffles for size in sizes)
    logs = [[random.sample(task, acts) for _ in range(size)] for size in sizes * shuffles]
    lengths = [len(habit.names) for log in logs for habit in mined(log)]
    row = {
        "acts": acts,
        "fewest": fewest,
        "logs": len(logs),
        "across": round(across),
        "whole": lengths.count(acts),
        "parts": sum(length < acts for length in lengths),
    }
    print(
        f"repeats   {acts} acts: a draft from {fewest} tasks on; without order, in {len(logs)} logs:"
        f" {row['across']} drafts across, within tasks {row['whole']} whole and {row['parts']} parts",
        flush=True,
    )
    return row


def _kind(skewed: bool) -> str:
    return "Zipf" if skewed else "uniform"


_MINERS: dict[str, Miner] = {
    "mined": lambda sequences: [habit.names for habit in mined(sequences)],
    f"7 (<{MOST})": frequent,
}

if __name__ == "__main__":
    main()
