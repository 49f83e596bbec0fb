"""Store facts one by one, then ask; store them in batches; print a table and keep the raw figures.

``python -m benchmarks.facts.speed`` measures memctl alone; ``--rivals`` mem0ai beside it, which
the extra ``bench`` brings. Both run in this process, one after the other, on one machine. How
long the disk takes to be sure of a write is measured too: mem0ai waits for it with each fact.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from benchmarks.facts.corpus import Case, make_facts, make_questions
from benchmarks.facts.engines import ENGINES, Engine
from benchmarks.keeping import FOLDER, keep

if TYPE_CHECKING:
    from collections.abc import Callable

Answer = TypeVar("Answer")

_BATCH = 50  # facts in one call
_PAGE = bytes(4096)


class Took(NamedTuple):
    """What one call took, in milliseconds."""

    wall: float
    cpu: float


@dataclass(frozen=True)
class Figures:
    """One engine's figures; milliseconds of the wall clock, and of the processor (cpu)."""

    engine: str
    facts: int
    add_p50: float
    add_p95: float
    add_cpu_p95: float
    adds_per_second: float
    batch_p50: float  # of one fact of a batch, as the two below
    batch_p95: float
    batch_cpu_p95: float
    search_p50: float
    search_p95: float
    search_cpu_p95: float
    found_first: float | None  # None: the engine's vectors mean nothing here


def measure(
    engine: Engine, batches: list[Took], cases: list[Case], questions: list[Case]
) -> Figures:
    """Return what one engine takes, and how often the right fact comes first."""
    adds = [_timed(partial(engine.add, fact))[0] for fact, _ in cases]
    searches: list[Took] = []
    right = 0
    for fact, question in questions:
        took, found = _timed(partial(engine.search, question, 5))
        searches.append(took)
        right += bool(found) and found[0] == fact
    return Figures(
        engine.name,
        len(cases),
        _quantile([took.wall for took in adds], 0.5),
        _quantile([took.wall for took in adds], 0.95),
        _quantile([took.cpu for took in adds], 0.95),
        round(1000 * len(adds) / sum(took.wall for took in adds), 1),
        _quantile([took.wall for took in batches], 0.5),
        _quantile([took.wall for took in batches], 0.95),
        _quantile([took.cpu for took in batches], 0.95),
        _quantile([took.wall for took in searches], 0.5),
        _quantile([took.wall for took in searches], 0.95),
        _quantile([took.cpu for took in searches], 0.95),
        round(right / len(questions), 3) if engine.means_words else None,
    )


def in_batches(engine: Engine, cases: list[Case]) -> list[Took]:
    """Return what one fact takes in each batch."""
    took = []
    for begin in range(0, len(cases), _BATCH):
        facts = [fact for fact, _ in cases[begin : begin + _BATCH]]
        whole = _timed(partial(engine.add_batch, facts))[0]
        took.append(Took(whole.wall / len(facts), whole.cpu / len(facts)))
    return took


def sync_of(folder: Path) -> float:
    """Return the milliseconds until a page is on the disk: the median of a hundred."""
    with (folder / "page").open("wb", buffering=0) as file:

        def write() -> None:
            file.write(_PAGE)
            os.fsync(file.fileno())

        return _quantile([_timed(write)[0].wall for _ in range(100)], 0.5)


def main() -> None:
    """Run, print, keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--facts", type=int, default=10_000)
    parser.add_argument("--questions", type=int, default=300)
    parser.add_argument("--rivals", action="store_true", help="mem0ai in the same run")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the raw figures")
    options = parser.parse_args()
    cases = make_facts(options.facts)
    questions = make_questions(cases, options.questions)
    found = []
    for name in ENGINES if options.rivals else ["memctl"]:
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as second:
            synced = sync_of(Path(folder))
            batched = ENGINES[name](Path(second))
            batches = in_batches(batched, cases)
            batched.close()
            engine = ENGINES[name](Path(folder))
            found.append(measure(engine, batches, cases, questions))
            engine.close()
    print(f"a page is on this disk after {synced:.2f} ms (median of 100 writes with fsync)")
    _print(found)
    print(f"raw figures: {keep('facts-speed', [asdict(one) for one in found], options.out)}")


def _timed(act: Callable[[], Answer]) -> tuple[Took, Answer]:
    wall, cpu = time.perf_counter(), time.process_time()
    answer = act()
    took = Took((time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000)
    return took, answer


def _quantile(times: list[float], share: float) -> float:
    return round(sorted(times)[int(share * (len(times) - 1))], 3)


def _print(found: list[Figures]) -> None:
    print("milliseconds   one by one p50   p95   cpu   in batches p50   p95   cpu   adds/s")
    for one in found:
        print(
            f"{one.engine:12} {one.add_p50:16.3f} {one.add_p95:5.2f} {one.add_cpu_p95:5.2f}"
            f"{one.batch_p50:17.3f} {one.batch_p95:5.2f} {one.batch_cpu_p95:5.2f}"
            f"{one.adds_per_second:9.0f}"
        )
    print("milliseconds       search p50   p95   cpu   right fact first")
    for one in found:
        print(
            f"{one.engine:12} {one.search_p50:16.3f} {one.search_p95:5.2f} "
            f"{one.search_cpu_p95:5.2f}   {_share(one.found_first)}"
        )
    if len(found) > 1:
        ours, theirs = found[0], found[1]
        print(f"{theirs.engine} / {ours.engine}, p95 (and processor time):")
        for what, short in (("one by one", "add"), ("in batches", "batch"), ("search", "search")):
            wall = getattr(theirs, f"{short}_p95") / getattr(ours, f"{short}_p95")
            cpu = getattr(theirs, f"{short}_cpu_p95") / getattr(ours, f"{short}_cpu_p95")
            print(f"  {what:12} {wall:5.1f} ({cpu:.1f})")


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


if __name__ == "__main__":
    main()
