"""Says what a report wrote, and what changed since an earlier one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.counting import counted, sized
from memctl_cli.output.envelope import rows, shown, shown_time, table

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from memctl.reports.answers import Report
    from memctl.reports.key_figures import ReportChanges
    from memctl_cli.output.console import Console


def show_page(console: Console, path: Path, made: Sequence[Report]) -> None:
    """Print one line: which page was written, how large it is, and what is on it."""
    from memctl.reports.key_figures import score_of

    score = score_of(made).value
    parts = [
        counted(len(made), "report"),
        counted(len(made[0].stores), "store"),
        *([counted(len(made[0].skipped), "file") + " not read"] if made[0].skipped else []),
        counted(sum(len(one.findings) for one in made), "finding"),
        "too few data for a score" if score is None else f"score {score:.0f} of 100",
    ]
    size = sized(path.stat().st_size)
    console.print(f"written  {shown(path)}  {size}: {', '.join(parts)}", soft_wrap=True)


def show_folder(console: Console, path: Path, files: int) -> None:
    """Print one line: which folder was filled with answers."""
    console.print(f"written  {shown(path)}  {counted(files, 'file')}", soft_wrap=True)


def show_changes(console: Console, comparison: ReportChanges) -> None:
    """Print the figures that changed since an earlier report, and how many did not."""
    changed = [(one.label, *one.texts) for one in comparison.changed]
    since = shown(shown_time(comparison.made_at)[:16].replace("T", " "))
    if changed:
        numbers = ("then", "now", "change")
        console.print(rows(table(f"since {since}", *numbers, right=numbers, tight=True), changed))
    same = counted(len(comparison.changes) - len(changed), "figure")
    console.print(f"since {since}: {same} unchanged")
    if comparison.remark:
        console.print(shown(comparison.remark), soft_wrap=True)
