"""Measures consolidation: a generated year, what is kept, and kills.

``python -m benchmarks.consolidation --part year --setting hard [--nights N] [--sessions N]``
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.consolidation.doubted import doubted
from benchmarks.consolidation.dreamt import dreamt
from benchmarks.consolidation.kept import kept_turns
from benchmarks.consolidation.kills import killed, rolled_back
from benchmarks.consolidation.year import played
from benchmarks.running import keep

if TYPE_CHECKING:
    from collections.abc import Callable


def main() -> None:
    """Measure the part that was asked for, print it and keep the raw figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=sorted(_PARTS), default="year")
    parser.add_argument("--setting", choices=["easy", "hard"], default="easy")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--nights", type=int)
    parser.add_argument("--sessions", type=int)
    parser.add_argument("--profile")
    parser.add_argument("--untold", action="store_true", help="record what a hook asks, too")
    parser.add_argument("--told", action="store_true", help="a year of another hand")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--locomo", type=Path, default=Path("../shared/data/locomo"))
    parser.add_argument("--beam", type=Path, default=Path("../shared/data/beam"))
    options = parser.parse_args()
    name = f"consolidation-{options.part}"
    if options.part == "year":
        name += f"-{options.setting}" + ("-told" if options.told else "")
    keep(name, _PARTS[options.part](options))


def _year(options: argparse.Namespace) -> dict[str, Any]:
    figures = played(
        options.setting,
        seed=options.seed,
        nights=options.nights,
        sessions=options.sessions,
        profile=options.profile,
        untold=options.untold,
        told=options.told,
    )
    print(f"{figures['nights']} nights, {figures['turns']} turns, {options.setting}")
    for name, one in figures["kept"].items():
        low, high = one["R 95 %"]
        print(
            f"{name:31} P {one['P']:.2f}  R {one['R']:.2f} ({low:.2f}-{high:.2f})  kept"
            f" {one['kept']}"
        )
    print("facts at the end:", *(f"{name} {count};" for name, count in figures["changed"].items()))
    for month, grown in figures["months"].items():
        print(f"{month}  {grown['seconds a night']:6.2f} s a night  {grown['bytes']:>11,} bytes")
    return figures


def _kills(options: argparse.Namespace) -> dict[str, Any]:
    with tempfile.TemporaryDirectory(prefix="memctl-kills-") as folder:
        seen = [killed(Path(folder), seed) for seed in range(options.kills)]
        wrong = [told for seed in range(options.kills) if (told := rolled_back(Path(folder), seed))]
    different = [one.different for one in seen if one.different]
    again = [one.again for one in seen if one.again]
    print(f"{len(seen)} kills, {sum(one.inside for one in seen)} inside, {len(different)} differ")
    print(
        f"{len(again)} second runs wrote something; {len(wrong)} of {len(seen)} rollbacks are wrong"
    )
    figures = {"kills": len(seen), "inside": sum(one.inside for one in seen)}
    return {**figures, "different": different, "second run wrote": again, "rollback wrong": wrong}


def _doubts(_: argparse.Namespace) -> dict[str, Any]:
    figures = doubted()
    print(*(f"{name} {value}" for name, value in figures.items()), sep="\n")
    return figures


def _kept(options: argparse.Namespace) -> dict[str, Any]:
    figures = kept_turns(options.locomo)
    for name, one in figures.items():
        print(f"{name:38}", *(f"{what} {value:.3f}" for what, value in one.items()))
    return figures


def _dreamt(options: argparse.Namespace) -> dict[str, Any]:
    figures = dreamt(options.beam)
    for half, one in figures.items():
        print(half, *(f"{name} {value};" for name, value in one.items()))
    return figures


_PARTS: dict[str, Callable[[argparse.Namespace], dict[str, Any]]] = {
    "year": _year,
    "doubts": _doubts,
    "dreamt": _dreamt,
    "kept": _kept,
    "kills": _kills,
}

if __name__ == "__main__":
    main()
