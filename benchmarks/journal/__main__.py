"""Measure the journal and the hooks: durable entries, kills, cold calls of a hook.

    python -m benchmarks.journal [--entries 600] [--kills 300] [--rounds 15] [--out DIR]

Each figure is taken in turns with what it is compared with, so that a busy machine slows both:
an entry with the bare SQLite commit of the same row, synced too; a hook, as the installed command
with a host's payload on standard input, with ``python -c pass``. The store of the hooks holds
1,000 turns and 100 facts. Raw figures go to ``benchmarks/results/``.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.journal.cold_hooks import RIVAL, cold_hooks
from benchmarks.journal.durable_entries import durable_entries
from benchmarks.journal.kills import killed
from benchmarks.keeping import FOLDER, keep

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def main(words: Sequence[str] | None = None) -> None:
    """Measure all three, and print the ratios and what was lost."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.journal")
    parser.add_argument("--entries", type=int, default=600, help="durable entries of each side")
    parser.add_argument("--kills", type=int, default=300, help="processes that are killed")
    parser.add_argument("--rounds", type=int, default=15, help="cold starts of each command")
    parser.add_argument("--out", type=Path, default=FOLDER, help="folder of the raw figures")
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="memctl-journal-") as name:
        folder = Path(name)
        entries = durable_entries(folder / "entries", options.entries)
        _show_entries(entries)
        kills = [killed(folder / f"kill {seed}", seed) for seed in range(options.kills)]
        lost = sum(one.lost for one in kills)
        told = sum(one.told for one in kills)
        print(f"{len(kills)} kills: {lost} of {told} acknowledged entries lost\n")
        hooks = cold_hooks(folder / "hooks", options.rounds)
        _show_hooks(hooks)
    figures = {"entries": entries, "kills": [one._asdict() for one in kills], "hooks": hooks}
    print(f"raw figures: {keep('journal', figures, options.out)}")


def _show_entries(entries: Mapping[str, list[float]]) -> None:
    for name, times in entries.items():
        print(f"{name:28}{1000 * len(times) / sum(times):8.0f} a second{median(times):8.3f} ms")
    ours, bare = entries.values()
    sums, medians = sum(ours) / sum(bare), median(ours) / median(bare)
    print(f"{'ratio':28}{sums:8.2f} of the sums, {medians:.2f} of the medians\n")


def _show_hooks(hooks: Mapping[str, list[float]]) -> None:
    """Print the median of each command, and of its ratios to the rival started beside it."""
    print(f"{'':28}{'ms':>8}{'most':>8}{'ratio':>8}")
    for name, times in hooks.items():
        ratio = median(ours / rival for ours, rival in zip(times, hooks[RIVAL], strict=True))
        print(f"{name:28}{median(times):8.0f}{max(times):8.0f}{ratio:8.2f}")


if __name__ == "__main__":
    main()
