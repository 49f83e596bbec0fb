"""Measure the miner of habits on generated logs with planted ones, and on the same logs shuffled.

python -m benchmarks.mining [--quick]
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import accumulate
from time import process_time
from typing import TYPE_CHECKING, Any

from benchmarks.running import arguments, keep, print_table
from memctl.procedural.mining import Act, chance_rate, mined

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SEEDS = {300: 10, 1_000: 10, 5_000: 5, 50_000: 2}
_SHUFFLED = (300, 1_000, 5_000)
KINDS = 60
_GAP = 3  # other acts between two of a habit, at most
_OTHERS = (8, 24)  # acts of chance in a sequence


@dataclass(frozen=True, slots=True)
class Log:
    """Sequences of acts, and the habits that were planted in them."""

    sequences: list[list[Act]]
    habits: list[tuple[str, ...]]


def planted(
    size: int, *, skewed: bool, seed: int, habits: int = 10, share: float = 0.05, gaps: float = 0.2
) -> Log:
    """Generate a log.

    Parameters
    ----------
    size
        Sequences of 8 to 24 acts of chance each, 16 on average, of 60 names.
    skewed
        Whether the n-th name of the 60 is 1/n as frequent as the first (Zipf), not all equally.
    seed
        Of the random source.
    habits
        Different habits of 4 to 7 acts, of any of the names.
    share
        How likely a sequence holds a habit, each habit apart.
    gaps
        How likely 1 to 3 acts of chance stand between two neighbours of a habit.
    """
    rng = random.Random(seed)
    names = [f"click:{number}" for number in range(KINDS)]
    rng.shuffle(names)
    weights = list(accumulate(1 / at if skewed else 1 for at in range(1, KINDS + 1)))

    def chance(count: int) -> list[Act]:
        return [_act(name, rng) for name in rng.choices(names, cum_weights=weights, k=count)]

    def held(habit: tuple[str, ...]) -> list[Act]:
        acts = [_act(habit[0], rng)]
        for name in habit[1:]:
            acts += chance(rng.randint(1, _GAP) if rng.random() < gaps else 0)
            acts.append(_act(name, rng))
        return acts

    planned = [tuple(rng.sample(names, rng.randint(4, 7))) for _ in range(habits)]
    sequences = []
    for _ in range(size):
        parts = [[act] for act in chance(rng.randint(*_OTHERS))]
        parts += [held(habit) for habit in planned if rng.random() < share]
        rng.shuffle(parts)
        sequences.append([act for part in parts for act in part])
    return Log(sequences, planned)


def _act(name: str, rng: random.Random) -> Act:
    return Act(name, {"text": str(rng.randrange(1000)), "kind": "button"})


def scored(found: Iterable[tuple[str, ...]], habits: Iterable[tuple[str, ...]]) -> tuple[int, int]:
    """Count the planted habits that were found, and the drafts.

    A planted habit is found when a draft equals it or holds it whole with at most one act more.
    A second draft of the same habit is one too many.
    """
    drafts = list(found)
    hits = sum(any(_holds(draft, habit) for draft in drafts) for habit in habits)
    return hits, len(drafts)


def _holds(draft: tuple[str, ...], habit: tuple[str, ...]) -> bool:
    rest = iter(draft)
    return len(draft) <= len(habit) + 1 and all(name in rest for name in habit)


def main(words: Sequence[str] | None = None) -> None:
    """Measure, print and keep the raw figures."""
    parser = arguments(__doc__, "mining")
    parser.add_argument("--quick", action="store_true", help="fewer seeds, no more than 1,000")
    options = parser.parse_args(words)
    sizes = {size: 2 for size in _SEEDS if size <= 1_000} if options.quick else _SEEDS
    shuffles = 10 if options.quick else 100
    rows = [
        _mined(size, skewed=skewed, seeds=seeds)
        for skewed in (False, True)
        for size, seeds in sizes.items()
    ]
    heads = ("names", "sequences", "logs", "drafts", "precision", "recall", "cpu s a log")
    print_table("planted habits", heads, [one.values() for one in rows])
    shuffled = [
        _shuffled(size, skewed=skewed, shuffles=shuffles)
        for skewed in (False, True)
        for size in _SHUFFLED
        if size in sizes
    ]
    few = ("names", "sequences", "logs", "drafts")
    print_table("shuffled logs", few, [one.values() for one in shuffled])
    keep("mining", {"planted": rows, "shuffled": shuffled}, options.out)


def _mined(size: int, *, skewed: bool, seeds: int) -> dict[str, Any]:
    hits = drafts = 0
    began = process_time()
    for seed in range(seeds):
        log = planted(size, skewed=skewed, seed=seed)
        one = scored([habit.names for habit in mined(log.sequences)], log.habits)
        hits, drafts = hits + one[0], drafts + one[1]
    return {
        "names": "Zipf" if skewed else "uniform",
        "sequences": size,
        "logs": seeds,
        "drafts": drafts,
        "P": round(hits / max(drafts, 1), 3),
        "R": round(hits / (10 * seeds), 3),
        "seconds": round((process_time() - began) / seeds, 2),
    }


def _shuffled(size: int, *, skewed: bool, shuffles: int) -> dict[str, Any]:
    log = planted(size, skewed=skewed, seed=0)
    drafts = round(chance_rate(log.sequences, shuffles=shuffles) * shuffles)
    names = "Zipf" if skewed else "uniform"
    return {"names": names, "sequences": size, "logs": shuffles, "drafts": drafts}


if __name__ == "__main__":
    main()
