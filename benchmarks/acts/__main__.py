"""Show deeds once on pages of the project's own, and ask for them again where much has changed.

    python -m benchmarks.acts [--parts situations,bad,faults] [--layouts ids,cards]
                              [--situations gone,far] [--quick]

Each layout is a small app with a deed: remove a row, turn a switch, rename. It is shown once on one
row, and asked for again with other values, other rows, and a server that refuses or fails. The rows
show what was done.Needs Chromium and the extra ``browser``.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from benchmarks.acts.layouts import LAYOUTS
from benchmarks.acts.running import run_all
from benchmarks.acts.serving import served
from benchmarks.acts.situations import SITUATIONS, bad_cases, cases_of, fault_cases
from benchmarks.outcomes import print_bad, print_outcomes, summed
from benchmarks.running import arguments, keep, listed

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from benchmarks.acts.situations import Case

_PARTS = ("situations", "bad", "faults")
_QUICK = 4  # of so many cases one is run


def main(words: Sequence[str] | None = None) -> None:
    """Show, run again, print, write the raw figures."""
    parser = arguments(__doc__, "acts")
    parser.add_argument("--parts", type=listed, default=_PARTS, help=",".join(_PARTS))
    parser.add_argument("--layouts", type=listed, default=[], help=",".join(LAYOUTS))
    parser.add_argument("--situations", type=listed, default=[], help=",".join(SITUATIONS))
    parser.add_argument("--quick", action="store_true", help=f"one case of {_QUICK}")
    options = parser.parse_args(words)
    results = _run(options)
    by_part = {part: [one for one in results if one["part"] == part] for part in _PARTS}
    print_outcomes(by_part["situations"], "layout", "own pages, by layout")
    print_outcomes(by_part["situations"], "situation", "own pages, by situation")
    print_outcomes(by_part["bad"], "situation", "bad input")
    print_outcomes(by_part["faults"], "situation", "injected faults")
    print_bad(results, "layout", "situation")
    figures: dict[str, Any] = {"layouts": {one.name: one.what for one in LAYOUTS.values()}}
    figures |= {part: summed(rows) for part, rows in by_part.items() if rows}
    figures["runs"] = results
    name = "-".join(["acts", *(() if tuple(options.parts) == _PARTS else options.parts)])
    keep(name, figures, options.out)


def _run(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Run the cases that were chosen, layout by layout."""
    results = []
    with served() as site:
        for layout in LAYOUTS.values():
            cases = list(_cases(options, layout.name))
            if not cases:
                continue
            parts = {id(case): part for part, case in cases}
            for case, result in run_all(site, layout, [case for _, case in cases]):
                results.append(result | {"part": parts[id(case)]})
                said = f"{result['outcome']:<9}{case.name:<25}{result['status']} {result['why']}"
                print(said[:250], file=sys.stderr, flush=True)
    return results


def _cases(options: argparse.Namespace, name: str) -> Iterator[tuple[str, Case]]:
    """Return the chosen cases of a layout, each with its part."""
    layout = LAYOUTS[name]
    if options.layouts and name not in options.layouts:
        return
    faults = [case for case in fault_cases() if case.layout is layout]
    made = {"situations": cases_of(layout), "bad": bad_cases(layout), "faults": faults}
    number = sum(map(ord, name))  # not the same situations everywhere
    for part in options.parts:
        for case in made[part]:
            number += 1
            if options.situations and case.situation not in options.situations:
                continue
            if not options.quick or number % _QUICK == 0:
                yield part, case


if __name__ == "__main__":
    main()
