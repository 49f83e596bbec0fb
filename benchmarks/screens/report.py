"""Tables that read at 80 columns."""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from benchmarks.screens import figures
from benchmarks.screens.figures import HALVES, KINDS, share

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "print_areas",
    "print_areas_on_newer",
    "print_learning",
    "print_looks",
    "print_met_again",
    "print_states",
]

Row = dict[str, Any]

CONSOLE = Console(width=80)


def print_states(states: Row) -> None:
    """Print what became of the desktop's screens, from proposals alone."""
    _print_pairs(states["pairs"])
    _print_one_store(states["one_store"])


def print_learning(runs: Sequence[Row]) -> None:
    """Print what became of the pages that were learned once."""
    pages = _table("Rendered pages, learned once", _CAPTION_PAGES)
    found = _table("Components on the shots met again", _CAPTION_FOUND)
    for name in ("pages", "states", "taken", "false merges"):
        pages.add_column(name, justify="right")
    for name in ("found", "false", "other look", "learn ms", "match ms"):
        found.add_column(name, justify="right")
    for run in runs:
        name = f"{run['app']}, {run['boxes']}"
        pages.add_row(name, *map(str, figures.learning(run["steps"]).values()))
        seen = figures.components(run["steps"])
        ms = figures.times(run["steps"])
        took = [f"{ms[call]:.0f}" if call in ms else "-" for call in ("learn", "match")]
        known = [
            share(seen["right"], seen["expected"]),
            str(seen["false"]),
            str(seen["other_look"]),
        ]
        found.add_row(name, *(known if run["boxes"] == "DOM" else ["-", "-", "-"]), *took)
    CONSOLE.print(pages)
    CONSOLE.print(found)


def _table(title: str, caption: str) -> Table:
    table = Table(title=title, caption=caption)
    table.add_column("app, boxes", no_wrap=True)
    return table


_CAPTION_PAGES = "states: made of so many pages. taken: pages taken for another one."
_CAPTION_FOUND = (
    "found: components at their DOM element (IoU >= .5), of those on the shot. false: "
    "sightings elsewhere; other look: of these on the same tag and text in another look. ms: "
    "median at 1920 x 1080."
)


def print_met_again(run: Row) -> None:
    """Print how many shots of one run were recognised."""
    title = f"{run['app']}, boxes: {run['boxes']}: recognised as their page"
    table = Table(title=title, caption="+n: taken for another page")
    table.add_column("shots")
    counts = figures.met_again(run["steps"])
    for call in ("match", "learn"):
        for half in HALVES:
            table.add_column(f"{call}, {half}", justify="right")
    for kind in KINDS:
        cells = [
            _cell(*counts.get((call, kind, half), (0, 0, 0)))
            for call in ("match", "learn")
            for half in HALVES
        ]
        table.add_row(kind, *cells)
    CONSOLE.print(table)


def _cell(right: int, other: int, whole: int) -> str:
    return share(right, whole) + (f" +{other}" if other else "")


def print_looks(title: str, rows: Sequence[Row]) -> None:
    """Print how many looks of each kind were recognised, and what went wrong."""
    table = Table(title=title, caption=_CAPTION_LOOKS)
    table.add_column("look", no_wrap=True)
    for half in HALVES:
        for column in (half, "strangers"):
            table.add_column(column, justify="right")
    counts = figures.by_look(rows)
    for look in dict.fromkeys(row["look"] for row in rows):
        cells = []
        for half in HALVES:
            count = counts[look, half]
            taken = count["stranger taken"]
            shown = count["right"] + count["other"] + count["none"]
            cells += [
                _cell(count["right"], count["other"], shown),
                share(taken, taken + count["stranger"]),
            ]
        table.add_row(look, *cells)
    CONSOLE.print(table)
    ms = [row["ms"] for row in rows]
    CONSOLE.print(f"median ms of a match: {median(ms):.0f}" if ms else "nothing to match")


_CAPTION_LOOKS = (
    "+n: taken for another page. strangers: pages taken for a known one by a store that "
    "holds all others and never met them."
)


def print_areas(areas: Row) -> None:
    """Print what became of the desktop's areas."""
    table = Table(
        title="Desktop areas, learned on their own shot, looked for", caption=_CAPTION_AREAS
    )
    table.add_column("on")
    for column in ("looked for", "there", "found", "found, there", "found, alike", "ms"):
        table.add_column(column, justify="right")
    for kind in ("own", "same tag", "unrelated"):
        looks = [look for look in areas["looks"] if look["kind"] == kind]
        found = [look for look in looks if look["found"]]
        table.add_row(
            kind,
            str(len(looks)),
            str(sum(look["there"] for look in looks)),
            str(len(found)),
            str(sum(look["same_pixels"] for look in found)),
            str(sum(not look["same_pixels"] for look in found)),
            f"{median(look['ms'] for look in looks):.0f}" if looks else "-",
        )
    CONSOLE.print(table)
    CONSOLE.print(f"areas learned: {len(areas['learned'])}, refused: {len(areas['refused'])}")
    for why, count in Counter(one["why"] for one in areas["refused"]).items():
        CONSOLE.print(f"  {count} refused: {why}")


_CAPTION_AREAS = (
    "there: the same pixels stand at the same place. found, there / alike: with the same "
    "pixels at the found place, and with others (the same thing in another look, or another)."
)


def _print_pairs(pairs: Sequence[Row]) -> None:
    table = Table(title="Desktop screens from proposals alone: pairs", caption=_CAPTION_PAIRS)
    table.add_column("pair")
    table.add_column("pixels that differ")
    for column in ("pairs", "recognised"):
        table.add_column(column, justify="right")
    for kind in ("same tag", "unrelated"):
        for low, high in ((0.0, 0.02), (0.02, 0.1), (0.1, 0.3), (0.3, 1.01)):
            rows = [r for r in pairs if r["kind"] == kind and low <= r["changed"] < high]
            table.add_row(
                kind,
                f"{low:.0%} - {min(high, 1):.0%}",
                str(len(rows)),
                str(sum(row["recognised"] for row in rows)),
            )
    CONSOLE.print(table)


_CAPTION_PAIRS = (
    "One shot learned in a store of its own, the other matched. Shots of one tag may be "
    "different screens to the eye, shots of two tags one screen: so by pixels that differ."
)


def _print_one_store(steps: Sequence[Row]) -> None:
    taken = [step for step in steps if not step["created"] and step["similarity"] is not None]
    table = Table(title="Desktop screens from proposals alone: all in one store")
    table.add_column("what")
    table.add_column("shots", justify="right")
    table.add_row("learned", str(len(steps)))
    table.add_row("states made", str(sum(step["created"] for step in steps)))
    table.add_row("taken for a state of the same tag", str(sum(s["same_tag"] for s in taken)))
    for low, high in ((0.0, 0.02), (0.02, 0.1), (0.1, 1.01)):
        count = sum(not s["same_tag"] and low <= (s["changed"] or 0) < high for s in taken)
        table.add_row(
            f"of another tag, {low:.0%} - {min(high, 1):.0%} of pixels differ", str(count)
        )
    table.add_row("median ms of a learn", f"{median(step['ms'] for step in steps):.0f}")
    CONSOLE.print(table)


def print_areas_on_newer(runs: Mapping[str, Sequence[Row]]) -> None:
    """Print what became of marked areas on newer versions of their screens."""
    table = Table(title="Marked areas on newer versions", caption=_CAPTION_NEWER)
    table.add_column("screens")
    for column in ("areas", "learned", "right", "wrong", "absent", "cv2 right", "cv2 wrong"):
        table.add_column(column, justify="right")
    for name, rows in runs.items():
        learned = [row for row in rows if row["memctl"] != "not learned"]
        told = [sum(row["memctl"] == one for row in rows) for one in ("right", "wrong", "absent")]
        rival = [sum(row["cv2"] == one for row in learned) for one in ("right", "wrong")]
        table.add_row(name, *map(str, (len(rows), len(learned), *told, *rival)))
    CONSOLE.print(table)


_CAPTION_NEWER = (
    "The oldest screen of each name learned, the others asked for its areas. absent: though it "
    "is there. cv2: plain matchTemplate at 0.8, asked for the same learned areas."
)
