"""Show deeds once on pages of the project's own, and ask for them again where much has changed.

    python -m benchmarks.acts [--layouts ids,cards] [--situations gone,far] [--quick]

Each layout is a small app with a deed: remove a row, turn a switch, rename. It is shown once on one
row, and asked for again with other values, other rows, and a server that refuses or fails. The rows
tell what was done. The raw figures go to ``benchmarks/results/acts.json``. Needs Chromium and the
extra ``browser``.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from benchmarks.acts.layouts import LAYOUTS
from benchmarks.acts.report import print_bad, print_results, summed
from benchmarks.acts.running import run_all
from benchmarks.acts.serving import served
from benchmarks.acts.situations import SITUATIONS, cases_of
from benchmarks.keeping import FOLDER, keep


def main() -> None:
    """Show, run again, print, write the raw figures."""
    options = _options()
    results: list[dict[str, Any]] = []
    with served() as site:
        for layout in LAYOUTS.values():
            if options.layouts and layout.name not in options.layouts:
                continue
            for result in run_all(site, layout, list(cases_of(layout, options.situations))):
                results.append(result)
                name = f"{result['layout']}/{result['situation']}"
                said = f"{result['outcome']:<9}{name:<24}{result['status']} {result['why']}"
                print(said[:200], file=sys.stderr, flush=True)
    print_results(results, "layout", "by layout")
    print_results(results, "situation", "by situation")
    print_bad(results)
    figures = {"summary": summed(results), "runs": results}
    print(figures["summary"])
    print(f"raw figures: {keep('acts', figures, options.out)}")


def _options() -> argparse.Namespace:
    def listed(text: str) -> list[str]:
        return text.split(",")

    parser = argparse.ArgumentParser(prog="python -m benchmarks.acts")
    parser.add_argument("--layouts", type=listed, default=[], help=",".join(LAYOUTS))
    parser.add_argument("--situations", type=listed, default=[], help=",".join(SITUATIONS))
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the raw figures")
    return parser.parse_args()


if __name__ == "__main__":
    main()
