"""Measures the twin: what it predicted of each run and step, and what happened.

``python -m benchmarks.lift.twin [--stores 6] [--half development]``
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from itertools import repeat
from typing import TYPE_CHECKING, Any

from benchmarks.keeping import keep
from benchmarks.lift.twin.app import rates
from benchmarks.lift.twin.scores import against, brier
from benchmarks.lift.twin.year import lived
from memctl.procedural.twin import reliability

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.lift.twin.year import Case

# The twin was tuned on the first alone; the last has other rates.
_SEEDS = {
    "development": (1, 2, 3),
    "held out": (101, 102, 103),
    "held out, calm": (101, 102, 103),
}
_RIVALS = ("base rate", "last success", "own rate")
_LONG = 30.0  # days without a run


def main() -> None:
    """Measure, print and keep the raw figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stores", type=int, default=6, help="of each seed")
    parser.add_argument("--half", choices=sorted(_SEEDS), help="all by default")
    options = parser.parse_args()
    halves = [options.half] if options.half else list(_SEEDS)
    figures = {half: _half(half, options.stores) for half in halves}
    if not options.half:
        keep(
            "lift.twin",
            {
                "rates": rates(),
                "calm": rates(calm=True),
                "stores of a seed": options.stores,
                **figures,
            },
        )


def _half(name: str, stores: int) -> dict[str, Any]:
    seeds = [seed * 1_000 + number for seed in _SEEDS[name] for number in range(stores)]
    with ProcessPoolExecutor() as pool:
        years = pool.map(lived, range(len(seeds)), seeds, repeat("calm" in name))
        cases = [case for found in years for case in found]
    print(f"{name}: seeds {_SEEDS[name]}, {len(seeds)} stores")
    return {"seeds": _SEEDS[name], **{part: _part(part, of) for part, of in _parts(cases).items()}}


def _parts(cases: Sequence[Case]) -> dict[str, list[Case]]:
    runs = [one for one in cases if one.kind == "run"]
    return {
        "runs": runs,
        "runs, a way drifted in 30 days": [one for one in runs if one.drifted],
        "runs, no way did": [one for one in runs if not one.drifted],
        "runs, first of their skill": [one for one in runs if one.days < 0],
        "runs, after 30 days without": [one for one in runs if one.days >= _LONG],
        "steps": [one for one in cases if one.kind == "step"],
    }


def _part(name: str, cases: Sequence[Case]) -> dict[str, Any]:
    rate = sum(one.happened for one in cases) / len(cases)
    print(f"  {name}: {len(cases)}, {rate:.3f} succeeded")
    scores = {who: brier(cases, who) for who in ("twin", *_RIVALS, "truth")}
    gains = {who: against(cases, "twin", who) for who in _RIVALS}
    for who, score in scores.items():
        gain = ""
        if who in gains:
            low, high = gains[who]["95 %"]
            gain = f"  twin better by {gains[who]['better by']:+.4f} [{low:+.4f}, {high:+.4f}]"
        low, high = score["95 %"]
        print(f"    {who:13} Brier {score['Brier']:.4f} [{low:.4f}, {high:.4f}]{gain}")
    kept = {"n": len(cases), "succeeded": round(rate, 4), "scores": scores, "twin against": gains}
    if name in {"runs", "steps"}:
        curve = reliability((one.said["twin"], one.happened) for one in cases)
        kept["reliability of the twin"] = [asdict(one) for one in curve]
        for one in curve:
            print(
                f"      {one.low:.1f} n {one.runs:5}  predicted {one.predicted:.3f}"
                f"  happened {one.happened:.3f}"
            )
    return kept


if __name__ == "__main__":
    main()
