"""Take in what many machines learned of one app, in several orders: counts, and seconds.

    python -m benchmarks.porting.converging [--machines 32] [--pages 12] [--each 12] [--orders 3]

Each machine learns pages of the app that ``tests.porting.fleet`` draws; one store takes in all of
them, as packs and as stores, in each order, and the first ones a second time.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import memctl
from benchmarks.keeping import FOLDER, keep
from tests.porting.fleet import APP, PAGES, learned

if TYPE_CHECKING:
    from memctl.memory import Memory


def main() -> None:
    """Learn, merge in several orders, print counts and seconds."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.porting.converging")
    parser.add_argument("--machines", type=int, default=32)
    parser.add_argument("--pages", type=int, default=len(PAGES), help="pages of the app")
    parser.add_argument("--each", type=int, default=len(PAGES), help="pages that a machine learns")
    parser.add_argument("--orders", type=int, default=3)
    parser.add_argument("--home", type=Path, help="keep the machines' stores here, and use them")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the raw figures")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = options.home or Path(folder)
        alone = _learned(home, options)
        print(f"alone: {' '.join(map(str, sorted(set(alone))))} states a machine")
        figures = []
        print("way    order  components  states  transitions  again  seconds  last one")
        for way in ("pack", "store"):
            for order in range(options.orders):
                figures.append(one := _merged(home, Path(folder), way, order, options.machines))
                print(
                    f"{way:6} {order:5}  {one['components']:10}  {one['states']:6}  "
                    f"{one['transitions']:11}  {one['again']:5}  {one['seconds']:7.1f}  "
                    f"{one['last']:8.2f}"
                )
    print(f"raw figures: {keep('converging', figures, options.out)}")


def _learned(home: Path, options: argparse.Namespace) -> list[int]:
    """Let each machine learn its pages, and export its pack; return how many states each has."""
    states = []
    for number in range(options.machines):
        store, pack = home / f"{number}.db", home / f"{number}.pack"
        if not pack.exists():
            pages = Random(f"pages {number}").sample([*PAGES][: options.pages], options.each)
            with learned(home, number, pages) as memory:
                memory.packs.export_pack(pack)
                memory.store.connection().execute("vacuum into ?", (str(store),))
        with memctl.open(APP, home / f"machine-{number}", readonly=True) as memory:
            states.append(len(memory.states))
    return states


def _merged(home: Path, folder: Path, way: str, order: int, machines: int) -> dict[str, float]:
    numbers = [*range(machines)]
    Random(order).shuffle(numbers)
    with memctl.open(APP, folder / f"merged-{way}-{order}") as memory:
        started = time.perf_counter()
        for number in numbers:
            last = time.perf_counter()
            _take(memory, home, way, number)
        ended = time.perf_counter()
        counts = _counts(memory)
        for number in numbers[:3]:
            _take(memory, home, way, number)
        again = sum(_counts(memory).values()) - sum(counts.values())
    return {**counts, "again": again, "seconds": ended - started, "last": ended - last}


def _take(memory: Memory, home: Path, way: str, number: int) -> None:
    if way == "pack":
        memory.packs.import_pack(home / f"{number}.pack", unsigned=True)
    else:
        memory.packs.import_store(home / f"{number}.db")


def _counts(memory: Memory) -> dict[str, float]:
    return {
        "components": len(memory.components),
        "states": len(memory.states),
        "transitions": len(list(memory.transitions)),
    }


if __name__ == "__main__":
    main()
