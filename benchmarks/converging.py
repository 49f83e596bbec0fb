"""Take in what many machines learned of one app, in several orders: counts, and seconds.

    python -m benchmarks.converging [--machines 32] [--pages 12] [--orders 3]

Each machine learns some of the 12 pages of the app that ``tests.porting.fleet`` draws; one store takes
in all of them, as packs and as stores, in each order, and the first three a second time. ``fleet`` is
`memctl.fleet.merge` of their homes in each order, handed out and merged once more after the last.
"""

from __future__ import annotations

import tempfile
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import memctl
from benchmarks.running import arguments, keep, print_table, timed
from tests.porting.fleet import APP, PAGES, counted, give, learned, seeded, take

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.memory import Memory


def main(words: Sequence[str] | None = None) -> None:
    """Learn, merge in several orders, print counts and seconds."""
    parser = arguments(__doc__, "converging")
    parser.add_argument("--machines", type=int, default=32)
    parser.add_argument("--pages", type=int, default=len(PAGES), help="pages each learns")
    parser.add_argument("--orders", type=int, default=3)
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(options.machines):
            pages = seeded(f"pages {number}").sample([*PAGES], options.pages)
            with learned(folder, number, pages) as memory:
                give(memory, folder, number)
        figures = [
            _merged(folder, way, order, options.machines)
            for way, order in product(("pack", "store"), range(options.orders))
        ]
        figures += [
            _by_fleet(folder, order, options.machines, hand_out=order + 1 == options.orders)
            for order in range(options.orders)
        ]
    heads = ("way", "order", "components", "states", "transitions", "changed by more", "seconds")
    print_table(
        f"{options.machines} machines, {options.pages} of {len(PAGES)} pages each", heads, figures
    )
    keep("converging", figures, options.out)


def _merged(folder: Path, way: str, order: int, machines: int) -> tuple[object, ...]:
    numbers = [*range(machines)]
    seeded(order).shuffle(numbers)
    with memctl.open(APP, folder / f"merged-{way}-{order}") as memory:
        took, _ = timed(partial(_take_all, memory, folder, way, numbers))
        counts = counted(memory)
        _take_all(memory, folder, way, numbers[:3])
        again = sum(counted(memory)) - sum(counts)
    return way, order, *counts, again, round(took.wall / 1000, 1)


def _by_fleet(folder: Path, order: int, machines: int, *, hand_out: bool) -> tuple[object, ...]:
    homes = [folder / f"machine-{number}" for number in range(machines)]
    seeded(order).shuffle(homes)
    merge = partial(memctl.fleet.merge, APP, homes, into=folder / "fleet.pack", replace=True)
    took, done = timed(partial(merge, hand_out=hand_out))
    counts = [done.knows[kind] for kind in ("components", "states", "transitions")]
    again = sum(merge().knows[kind] - done.knows[kind] for kind in done.knows) if hand_out else 0
    return "fleet", order, *counts, again, round(took.wall / 1000, 1)


def _take_all(memory: Memory, folder: Path, way: str, numbers: Sequence[int]) -> None:
    for number in numbers:
        take(memory, folder, way, number)


if __name__ == "__main__":
    main()
