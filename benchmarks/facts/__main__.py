"""Store facts one by one, then ask; print a table and keep the raw figures.

``python -m benchmarks.facts`` measures memctl alone; ``--rivals`` mem0ai beside it, which
the extra ``bench`` brings. Both run in this process, one after the other, on one machine.
"""

from __future__ import annotations

import argparse
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
    search_p50: float
    search_p95: float
    search_cpu_p95: float
    found_first: float | None  # None: the engine's vectors mean nothing here


def measure(engine: Engine, cases: list[Case], questions: list[Case]) -> Figures:
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
        _quantile([took.wall for took in searches], 0.5),
        _quantile([took.wall for took in searches], 0.95),
        _quantile([took.cpu for took in searches], 0.95),
        round(right / len(questions), 3) if engine.means_words else None,
    )


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
        with tempfile.TemporaryDirectory() as folder:
            engine = ENGINES[name](Path(folder))
            found.append(measure(engine, cases, questions))
            engine.close()
    _print(found)
    print(f"raw figures: {keep('facts', [asdict(one) for one in found], options.out)}")


def _timed(act: Callable[[], Answer]) -> tuple[Took, Answer]:
    wall, cpu = time.perf_counter(), time.process_time()
    answer = act()
    took = Took((time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000)
    return took, answer


def _quantile(times: list[float], share: float) -> float:
    return round(sorted(times)[int(share * (len(times) - 1))], 3)


def _print(found: list[Figures]) -> None:
    print("milliseconds   add p50     p95 cpu p95  adds/s  search p50     p95 cpu p95  first")
    for one in found:
        print(
            f"{one.engine:12} {one.add_p50:9.3f} {one.add_p95:7.2f} {one.add_cpu_p95:7.2f} "
            f"{one.adds_per_second:7.0f} {one.search_p50:11.3f} {one.search_p95:7.2f} "
            f"{one.search_cpu_p95:7.2f} {_share(one.found_first):>6}"
        )
    if len(found) > 1:
        ours, theirs = found[0], found[1]
        print(
            f"{theirs.engine} / memctl: add p95 {theirs.add_p95 / ours.add_p95:.1f} "
            f"(cpu {theirs.add_cpu_p95 / ours.add_cpu_p95:.1f}), "
            f"search p95 {theirs.search_p95 / ours.search_p95:.1f} "
            f"(cpu {theirs.search_cpu_p95 / ours.search_cpu_p95:.1f})"
        )


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.1%}"


if __name__ == "__main__":
    main()
