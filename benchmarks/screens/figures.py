"""The figures, computed from the raw steps."""

from __future__ import annotations

from collections import Counter, defaultdict
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["HALVES", "KINDS", "components", "learning", "margin", "met_again", "share", "times"]

Row = dict[str, Any]

KINDS = ("scrolled", "hover", "drop-down", "collapsed", "dark", "viewport", "scaled")
HALVES = ("tuned on", "held out")
STILL_THE_PAGE = ("base", "scrolled", "hover")
"""What must be recognised: the same page at rest, scrolled, or with the pointer on something."""


def share(part: int, whole: int) -> str:
    """Return ``"9/10"``, a dash for nothing of nothing."""
    return f"{part}/{whole}" if whole else "-"


def learning(steps: Iterable[Row]) -> dict[str, int]:
    """Count pages seen, states made of them, pages taken for another, false merges."""
    rows = list(steps)
    first = [row for row in rows if row["call"] == "learn" and row["kind"] == "base"]
    return {
        "pages": len(first),
        "created": sum(row["answer"] == "new" for row in first),
        "taken": sum(row["answer"] == "other" for row in first),
        "false_merges": sum(row["false_merges"] for row in rows),
    }


def met_again(steps: Iterable[Row]) -> dict[tuple[str, str, str], tuple[int, int, int]]:
    """Return right, taken for another page, and all; by call, kind and half."""
    counts: dict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    for row in steps:
        if row["kind"] != "base":
            counts[row["call"], row["kind"], row["half"]][row["answer"]] += 1
    return {key: (c["same"], c["other"], c.total()) for key, c in counts.items()}


def components(steps: Iterable[Row]) -> dict[str, int]:
    """Add up what became of known components on the matched shots."""
    matched = [row for row in steps if row["call"] == "match"]
    return {
        key: sum(row[key] for row in matched)
        for key in ("expected", "right", "false", "other_look")
    }


def margin(rows: Iterable[Row], policy: str, half: str) -> Mapping[str, Row]:
    """Return the shot least like its own page, and the base shot most like another page."""
    chosen = [row for row in rows if row["policy"] == policy and row["half"] == half]
    still = [row for row in chosen if row["kind"] in STILL_THE_PAGE]
    return {
        "worst_same": min(still, key=lambda row: float(row["own"])),
        "best_different": max(still, key=lambda row: float(row["other"] or 0)),
    }


def times(steps: Iterable[Row]) -> dict[str, float]:
    """Return the median milliseconds of a learn and a match of a 1920 x 1080 shot."""
    same_size: dict[str, list[float]] = defaultdict(list)
    for row in steps:
        if row["kind"] not in {"viewport", "scaled"}:
            same_size[row["call"]].append(row["ms"])
    return {call: round(median(values), 1) for call, values in same_size.items()}


def left_out(rows: Sequence[Row], policy: str, half: str, threshold: float) -> tuple[int, int]:
    """Return how many base shots of unknown pages pass for a known page, of how many."""
    base = [
        row for row in rows if (row["policy"], row["half"], row["kind"]) == (policy, half, "base")
    ]
    return sum(float(row["other"] or 0) > threshold for row in base), len(base)
