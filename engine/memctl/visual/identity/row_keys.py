"""Row keys: pictures of what stands beside a component, by which its place is known again.

Twins stand in the rows of a table or on cards: the same runs of ink, such as a name, a date
and a status, stand beside each. The first that differ tell one twin from all others.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from memctl.visual.boxes import Box
from memctl.visual.identity.cells import Edges, cells_of
from memctl.visual.identity.row_runs import InkRuns
from memctl.visual.identity.twins import twin_groups

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from memctl.visual.frame import Frame

_COMMON = 0.6  # share of the twins that have a run in a column
_SAME_LINE = 3  # pixels by which the tops or the bottoms of a column's runs may differ
_OVERLAP = 0.4  # share of the narrower run's width that two runs of a column overlap in
_KEYS = 3  # keys that must agree, where there are as many
_ANYWHERE = 10_000  # pixels: wider than any screen
_ABOVE = 3  # pixels of background around a key ...
_ASIDE = 14  # ... and so many more at its sides, or 0.8 of its height: room for another word

Runs = dict[int, Box]


@dataclass(frozen=True, slots=True)
class RowKey:
    """A run of ink beside a component: its place on the screenshot that it was learned from.

    ``reach`` tells by its left and its right how far the run may move along its row: its cell,
    or wider than any screen where no other twin stands in that row.
    """

    box: Box
    reach: Box


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The row keys of a component, and the number of its twins.

    Parameters
    ----------
    keys
        In the order they are asked for; none where nothing tells it from its twins.
    twins
        How many others of its look stand on the screenshot. The key of a component without any
        is asked only where several places look like it.
    """

    keys: Sequence[RowKey]
    twins: int


def surroundings(
    frame: Frame,
    places: Mapping[int, Box],
    window: Box,
    *,
    told: AbstractSet[int] = frozenset(),
    hidden: Iterable[Box] = (),
) -> dict[int, Surroundings]:
    """Return the row keys and the number of twins of each component on a screenshot.

    Parameters
    ----------
    places
        Component id to its place.
    window
        The part of the screenshot that keys may stand in.
    told
        Components whose keys are known: they get none here.
    hidden
        Boxes that no picture may be taken of.
    """
    edges = Edges(frame.gray)
    runs = InkRuns(edges, hidden)
    found: dict[int, Surroundings] = {}
    for twins in twin_groups(frame, places):
        count = len(twins) - 1
        found |= {key: Surroundings((), count) for key in twins}
        if twins.keys() <= told:
            continue
        cells = cells_of(edges, twins, window)
        # One twin a row: the row goes as far as the window, whatever its width is then.
        beside_none = count and not any(_in_one_row(twins.values()))
        beside = {key: runs.within(cell, twins.values()) for key, cell in cells.items()}
        columns = _columns(twins, beside) if count else []
        chosen = _separating(frame, twins, columns) if columns else _nearest(frame, twins, beside)
        for key in chosen.keys() - told:
            cell = cells[key]
            reach = cell.widened(_ANYWHERE, 0) if beside_none else cell
            keys = [RowKey(_with_margin(run, cell), reach) for run in chosen[key]]
            found[key] = Surroundings(keys, count)
    return found


def _in_one_row(boxes: Iterable[Box]) -> Iterable[bool]:
    """Tell of each box and the next one below whether they share rows."""
    ordered = sorted(boxes, key=lambda box: box.y)
    return (one.bottom > other.y for one, other in pairwise(ordered))


def _columns(twins: Mapping[int, Box], beside: Mapping[int, Sequence[Box]]) -> list[Runs]:
    """Gather runs that stand alike beside most twins, in reading order."""
    columns: list[tuple[Box, Runs]] = []
    taken: set[tuple[int, Box]] = set()
    for key, runs in beside.items():
        for run in runs:
            if (key, run) in taken:
                continue
            offset = run.moved(-twins[key].x, -twins[key].y)
            column = {key: run}
            for other in twins.keys() - {key}:
                near = (r for r in beside[other] if (other, r) not in taken)
                alike = _best(offset, near, twins[other])
                if alike is not None:
                    column[other] = alike
            taken |= set(column.items())
            if len(column) >= max(_COMMON * len(twins), 2):
                columns.append((_offset(column, twins), column))
    return _in_reading_order(sorted(columns, key=lambda pair: pair[0].y))


def _best(offset: Box, runs: Iterable[Box], twin: Box) -> Box | None:
    """Return the run beside a twin that overlaps an offset most, if it stands on its line."""
    best, chosen = 0.0, None
    for run in runs:
        there = run.moved(-twin.x, -twin.y)
        line = min(abs(there.y - offset.y), abs(there.bottom - offset.bottom))
        shared = min(there.right, offset.right) - max(there.x, offset.x)
        share = shared / min(there.w, offset.w)
        if line <= _SAME_LINE and share >= max(_OVERLAP, best):
            best, chosen = share, run
    return chosen


def _offset(column: Runs, twins: Mapping[int, Box]) -> Box:
    key, run = min(column.items())
    return run.moved(-twins[key].x, -twins[key].y)


def _in_reading_order(columns: Sequence[tuple[Box, Runs]]) -> list[Runs]:
    """Sort columns that are sorted by their tops: line by line, each from the left.

    Parameters
    ----------
    columns
        The place of each from its twin's corner, and its runs.
    """
    lines: list[list[tuple[Box, Runs]]] = []
    for column in columns:
        first = lines[-1][0][0] if lines else None
        if first is None or column[0].y >= first.y + first.h // 2 + 1:
            lines.append([])
        lines[-1].append(column)
    return [runs for line in lines for _, runs in sorted(line, key=lambda pair: pair[0].x)]


def _separating(
    frame: Frame, twins: Mapping[int, Box], columns: Sequence[Runs]
) -> dict[int, list[Box]]:
    """Choose, for each twin, runs that together tell it from all others.

    Columns in which more differs come first, as the primary key of a table does; a run that no
    other twin has there comes before one that some have.
    """
    looks = [(column, _alike(frame, twins, column)) for column in columns]
    looks.sort(key=lambda look: -len({min(same) for same in look[1].values()}))
    chosen: dict[int, list[Box]] = {}
    for key in twins:
        left, keys = twins.keys() - {key}, list[Box]()
        own = [(column[key], alike[key]) for column, alike in looks if key in column]
        for run, same in sorted(own, key=lambda pair: len(pair[1]) > 1):
            if len(same) < len(twins) and (left or len(keys) < _KEYS):
                keys.append(run)
                left &= same
        if not left:
            chosen[key] = keys
    return chosen


def _alike(frame: Frame, twins: Mapping[int, Box], column: Runs) -> dict[int, set[int]]:
    """Return, for each twin, itself and those with the same run in a column."""
    groups = [set(group) for group in twin_groups(frame, column)]
    groups.append(twins.keys() - column.keys())
    return {key: group for group in groups for key in group}


def _nearest(
    frame: Frame, twins: Mapping[int, Box], beside: Mapping[int, Sequence[Box]]
) -> dict[int, list[Box]]:
    """Choose what stands nearest to each component, where it differs from the twins'."""
    nearest = {
        key: min(runs, key=lambda run: _distance(run, twins[key]))
        for key, runs in beside.items()
        if runs
    }
    looks = {key: len(group) for group in twin_groups(frame, nearest) for key in group}
    return {key: [run] for key, run in nearest.items() if looks[key] == 1}


def _distance(run: Box, twin: Box) -> int:
    across = max(run.x - twin.right, twin.x - run.right, 0)
    down = max(run.y - twin.bottom, twin.y - run.bottom, 0)
    return across + down


def _with_margin(run: Box, cell: Box) -> Box:
    """Return a run with enough background around it that a longer text would show."""
    aside = min(round(0.8 * run.h), _ASIDE) + _ABOVE
    return run.widened(aside, _ABOVE).within(cell)
