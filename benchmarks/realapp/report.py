"""Tables that read at 80 columns."""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["print_learned", "print_met", "print_worst"]

CONSOLE = Console(width=80)
Row = dict[str, Any]
_CAPTION = (
    "right: its own screen; other: taken for another; unknown: for none. found: elements of the "
    "document that are known and were found at their place; absent: there and not found; wrong: "
    "components found where the document has another label, kind or row. s: median of a match."
)


def print_learned(title: str, run: Row) -> None:
    """Print what was learned of one version, and how it is called."""
    steps, names = run["steps"], run["names"]
    good = names["understandable"]
    learned = sum(one["learned"] for one in steps)
    CONSOLE.rule(title)
    CONSOLE.print(
        f"{len(steps)} screens, {run['states']} states, {learned} components. "
        f"Interactive elements: {names['elements']}, with a component {names['with_component']}, "
        f"named by label, row or text beside {good} ({_share(good, names['elements'])} of all). "
        f"Median seconds: look {_median(steps, 'look_s')}, learn {_median(steps, 'learn_s')}.",
        highlight=False,
    )


def print_met(met: Mapping[str, Sequence[Row]]) -> None:
    """Print how the screens were met again, condition by condition."""
    table = Table(caption=_CAPTION)
    table.add_column("met again", no_wrap=True)
    for column in ("right", "other", "unknown", "found", "absent", "wrong", "s"):
        table.add_column(column, justify="right")
    for condition, rows in met.items():
        answers = Counter(row["answer"] for row in rows)
        found = sum(row["found"] for row in rows)
        absent, wrong = (sum(len(row[key]) for row in rows) for key in ("absent", "wrong"))
        table.add_row(
            condition,
            *(str(answers[one]) for one in ("right", "other", "unknown")),
            f"{found} ({_share(found, found + absent)})",
            str(absent),
            str(wrong),
            _median(rows, "match_s"),
        )
    CONSOLE.print(table)


def print_worst(met: Mapping[str, Sequence[Row]], most: int) -> None:
    """Print components that were found where the document shows something else."""
    for condition, rows in met.items():
        reasons = Counter(one["why"] for row in rows for one in row["absent"])
        CONSOLE.print(f"{condition}: absent", dict(reasons.most_common(5)), highlight=False)
        wrong = [(row["screen"], one) for row in rows for one in row["wrong"]]
        for screen, one in wrong[:most]:
            there = one["there"] or {"label": "nothing"}
            shown = f"{there.get('label', '')} {there.get('row', '')}".strip()
            CONSOLE.print(f"  {screen}: {one['name']} at {shown}", highlight=False)


def _median(rows: Sequence[Row], key: str) -> str:
    return f"{median(row[key] for row in rows):.2f}"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "-"
