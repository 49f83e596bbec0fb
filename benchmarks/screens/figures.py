"""The figures, computed from the raw steps."""

from __future__ import annotations

from collections import Counter, defaultdict
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["HALVES", "KINDS", "by_look", "components", "learning", "met_again", "share", "times"]

Row = dict[str, Any]

KINDS = ("scrolled", "hover", "drop-down", "collapsed", "dark", "viewport", "scaled")
HALVES = ("tuned on", "held out")


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


def times(steps: Iterable[Row]) -> dict[str, float]:
    """Return the median milliseconds of a learn and a match of a 1920 x 1080 shot."""
    same_size: dict[str, list[float]] = defaultdict(list)
    for row in steps:
        if row["kind"] not in {"viewport", "scaled"}:
            same_size[row["call"]].append(row["ms"])
    return {call: round(median(values), 1) for call, values in same_size.items()}


def by_look(rows: Iterable[Row]) -> dict[tuple[str, str], Counter[str]]:
    """Count the answers, and strangers apart; by look and half."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row in rows:
        answer = row["answer"]
        if row["stranger"]:
            answer = "stranger" if answer == "none" else "stranger taken"
        counts[row["look"], row["half"]][answer] += 1
    return counts
