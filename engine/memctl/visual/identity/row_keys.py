"""Row keys: pictures beside and above a component, by which its place is known.

Twins stand in the rows of a table or on cards: the same runs of ink, such as a name, a date
and a status, stand beside each. The first that differ tell one twin from all others. Where none
does, the heading of its section or of its column may.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from memctl.visual.box_arrays import as_array, shared_pixels
from memctl.visual.boxes import Box
from memctl.visual.identity.cells import Edges, cells_of, in_line
from memctl.visual.identity.look_alikes import Effort, twin_groups
from memctl.visual.reading.image import encode_png

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from memctl.visual.frame import Frame

CONTROL = 64
"""Pixels of the largest side of a switch, a box or an arrow, which any row may have."""

_COMMON = 0.6  # share of the twins that have a run in a column
_SAME_LINE = 3  # pixels by which the tops or the bottoms of a column's runs may differ
_OVERLAP = 0.4  # share of the narrower run's width that two runs of a column overlap in
_TELLING = 0.7  # share of the twins that may have a run which is asked for though others tell
_KEYS = 3  # keys that must agree, where there are as many
_MOST_COLUMNS = 8  # the first are compared
_SEEDS = 60  # runs that columns are gathered for
_MOST_TWINS = 5_000  # more have no keys
_HEADED = 100  # pixels that a heading stands above a control without twins at most
_ANYWHERE = 10_000  # pixels: wider than any screen
_ABOVE = 3  # pixels of background around a key ...
_ASIDE = 14  # ... and so many more at its sides, or 0.8 of its height: room for another word

Runs = dict[int, Box]


Row = dict[str, Any]
"""A row key as a row of ``row_key``."""


@dataclass(frozen=True, slots=True)
class FoundKeys:
    """The row keys of one component on a screenshot, and the number of its twins."""

    # rows of ``row_key``, in the order they are asked in; none where nothing tells the component
    # from its twins. The left and the right of its cell are how far a key may move along its row,
    # further than any screen where no other twin stands in that row; ``may_change`` is 1 where the
    # other keys tell the component from all twins without this one; ``reach_up`` says by how many
    # pixels it may stand higher or lower: a column's heading stays when rows move.
    keys: Sequence[Row]
    # how many others of its look stand on the screenshot. The keys of a component without any are
    # asked only where its look stands elsewhere, and one of them is enough.
    twins: int


def found_keys(
    frame: Frame,
    places: Mapping[int, Box],
    window: Box,
    *,
    scale: float = 1.0,
    told: Mapping[int, int] | None = None,
    hidden: Iterable[Box] = (),
) -> dict[int, FoundKeys]:
    """Compute the row keys of every component on a screenshot. Reads and writes no store.

    ``places``: every component on the screenshot, and where; any numbers do for those that are new.
    ``window``: the part of the screenshot that keys may stand in. ``scale``: the screenshot's
    device-pixel ratio. ``told``: components whose keys are known, and whether those tell them from
    twins (1) or not (0): they get none here. ``hidden``: boxes that no picture may be taken of.
    """
    edges, known = Edges(frame.gray, hidden), told or {}
    result: dict[int, FoundKeys] = {}
    effort = Effort()
    groups = twin_groups(frame, places, effort)
    # What many rows have heads none.
    common = [box for twins in groups if len(twins) > 1 for box in twins.values()]
    words = _Words(edges.runs(window, ())).without(common)
    for twins in groups:
        count = len(twins) - 1
        result |= {key: FoundKeys((), count) for key in twins}
        new = {key for key in twins if known.get(key, -1) < min(count, 1)}
        if new and count < _MOST_TWINS:
            alike = dict(twins)
            if count:
                small = [box for box in twins.values() if max(box.w, box.h) <= CONTROL]
                alike |= in_line(places, small)
            row = _Rows(frame, edges, words, twins, window, alike, effort)
            keys = row.separating() if count else row.nearest()
            about = {"twin": int(count > 0), "scale": scale, "img_sha256": frame.sha256}
            for key in new & keys.keys():
                rows = [{**about, **one, "position": at} for at, one in enumerate(keys[key])]
                result[key] = FoundKeys(rows, count)
    return result


class _Rows:
    """The rows of some twins on one screenshot."""

    def __init__(
        self,
        frame: Frame,
        edges: Edges,
        words: _Words,
        twins: Mapping[int, Box],
        window: Box,
        alike: Mapping[int, Box],
        effort: Effort,
    ) -> None:
        self._frame = frame
        self._effort = effort
        self._edges = edges
        self._words = words
        self._own = twins
        self._twins = alike
        self._window = window
        self._cells = cells_of(edges, alike, window)
        boxes = [*alike.values()]
        there = as_array(boxes)
        self._beside = {
            key: edges.runs(cell, [boxes[i] for i in np.flatnonzero(shared_pixels(cell, there))])
            for key, cell in self._cells.items()
        }
        ordered = sorted(boxes, key=lambda box: box.y)
        self._side_by_side = any(one.bottom > other.y for one, other in pairwise(ordered))

    def separating(self) -> dict[int, list[Row]]:
        """Choose runs for each twin that no other twin has all of.

        Columns in which more differs come first, as the primary key of a table does; a run that no
        other twin has there comes before one that some have.
        """
        columns = self._columns()
        looks = [(column, self._alike(column)) for column in columns]
        looks.sort(key=lambda look: -len({min(same) for same in look[1].values()}))
        chosen: dict[int, list[Row]] = {}
        unlike: dict[int, tuple[list[tuple[Box, set[int]]], set[int]]] = {}
        for key in self._own:
            own = [(column[key], alike[key]) for column, alike in looks if key in column]
            own.sort(key=lambda pair: len(pair[1]) > 1)
            taken, left = self._greedy(key, own, self._twins.keys() - {key})
            if left:
                unlike[key] = taken, left
            else:
                chosen[key] = self._keys(key, taken)
        result = {
            key: self._keys(key, taken)
            for key, (taken, left) in unlike.items()
            if taken and left.isdisjoint(self._own)
        }
        headed = self._headed(unlike, columns) if unlike else {}
        return chosen | result | headed

    def _greedy(
        self,
        key: int,
        own: Iterable[tuple[Box, set[int]]],
        left: set[int],
    ) -> tuple[list[tuple[Box, set[int]]], set[int]]:
        """Take runs of a twin until no other has them all, and more up to three."""
        taken: list[tuple[Box, set[int]]] = []
        for run, same in own:
            more = len(taken) < _KEYS and len(same) <= _TELLING * len(self._twins)
            if len(same) < len(self._twins) and (left or more):
                taken.append((run, same - {key}))
                left = left & same
        return taken, left

    def _keys(self, key: int, taken: Sequence[tuple[Box, set[int]]]) -> list[Row]:
        """Return the keys of a twin, with which of them may change."""
        runs = [run for run, _ in taken]
        # The first in reading order, and that which tells most, are what a row is called.
        line = min(run.y + run.h for run in runs)
        sure = runs[0], min((run for run in runs if run.y < line), key=lambda run: run.x)
        keys = []
        for run, _ in taken:
            others = [same for other, same in taken if other is not run]
            told = len(taken) >= _KEYS and not set.intersection(*others)
            keys.append(self._key(key, run, may_change=told and run not in sure))
        return keys

    def _key(self, key: int, run: Box, *, may_change: bool = False, reach_up: int = 0) -> Row:
        cell = self._cells[key]
        # One twin a row: the row goes as far as the window, whatever its width is then.
        reach = cell if self._side_by_side else cell.widened(_ANYWHERE, 0)
        inside = cell if run.inside(cell) else self._window
        # Enough background around it that a longer text would show; a cell may be cut close above.
        aside = min(round(0.8 * run.h), _ASIDE) + _ABOVE
        inside = Box(inside.x, self._window.y, inside.w, self._window.h)
        box, own = run.widened(aside, _ABOVE).within(inside), self._twins[key]
        return {
            **dict(zip("xywh", box.xywh, strict=True)),
            "dx": box.x - own.x,
            "dy": box.y - own.y,
            "reach_left": reach.x - own.x,
            "reach_right": reach.right - own.x,
            "may_change": int(may_change),
            "reach_up": reach_up,
            "png": encode_png(self._frame.gray[box.y : box.bottom, box.x : box.right]),
        }

    def nearest(self) -> dict[int, list[Row]]:
        """Choose the nearest runs beside and above a component without twins."""
        ((key, box),) = self._twins.items()
        runs = self._beside[key]
        near = [min(runs, key=lambda run: sum(max(gap, 0) for gap in run.gap(box)))] if runs else []
        if max(box.w, box.h) <= CONTROL:
            # Its neighbour may be the same in every row: then what names the row is told as well.
            panel = self._edges.panel(box)
            left, title = self._words.left(box, panel), self._words.above(box, panel)
            near = [run for run in near if self._words.holds(run)]
            near += [left] if left is not None and not near else []
            if title is not None and box.y - title.bottom <= _HEADED:
                near.append(title)
        return {key: [self._key(key, run) for run in near]} if near else {}

    def _headed(
        self,
        unlike: Mapping[int, tuple[list[tuple[Box, set[int]]], set[int]]],
        columns: Sequence[Runs],
    ) -> dict[int, list[Row]]:
        """Choose headings, or runs left of the row, for twins whose rows are equal."""
        in_columns = [run for column in columns for run in column.values()]
        words = self._words.without(in_columns)
        lefts, overs, titles = Runs(), Runs(), Runs()
        for key, box in self._twins.items():
            panel = self._edges.panel(box)
            for runs, run in (
                (lefts, words.left(box, panel)),
                (overs, words.over(box)),
                (titles, words.above(box, panel)),
            ):
                if run is not None:
                    runs[key] = run
        looks = [(runs, self._alike(runs)) for runs in (lefts, overs, titles)]
        chosen: dict[int, list[Row]] = {}
        for key, (rows, left) in unlike.items():
            own = [(runs[key], alike[key]) for runs, alike in looks if key in runs]
            taken, still = self._greedy(key, own, left)
            if still:
                continue
            keys = {run: self._key(key, run) for run, _ in rows}
            for run, _ in taken:
                up = self._side_by_side and words.heads(run, overs.get(key))
                keys[run] = self._key(key, run, reach_up=self._window.h if up else 0)
            chosen[key] = [*keys.values()]
        return chosen

    def _columns(self) -> list[Runs]:
        """Gather runs in columns that most twins have, in reading order."""
        ids = [*self._twins]
        flat = [(number, run) for number, key in enumerate(ids) for run in self._beside[key]]
        if not flat:
            return []
        owner = np.array([number for number, _ in flat])
        corners = as_array(self._twins.values())[owner]
        x, y, w, h = as_array(run for _, run in flat).T
        left, top = x - corners[:, 0], y - corners[:, 1]
        right, bottom = left + w, top + h
        free = np.ones(len(flat), np.bool_)
        columns: list[tuple[int, int, Runs]] = []
        for _ in range(_SEEDS):
            if not free.any():
                break
            seed = int(free.argmax())
            line = np.minimum(np.abs(top - top[seed]), np.abs(bottom - bottom[seed]))
            shared = np.minimum(right, right[seed]) - np.maximum(left, left[seed])
            share = shared / np.minimum(w, w[seed])
            fits = free & (line <= _SAME_LINE) & (share >= _OVERLAP) & (owner != owner[seed])
            some = np.flatnonzero(fits)
            some = some[np.argsort(share[some], kind="stable")]
            best = dict(zip(owner[some].tolist(), some.tolist(), strict=True))
            chosen = [seed, *best.values()]
            free[chosen] = False
            if len(chosen) >= max(_COMMON * len(ids), 2):
                runs = {ids[flat[i][0]]: flat[i][1] for i in chosen}
                columns.append((int(top[seed]), int(left[seed]), runs))
        return _in_reading_order(columns)[:_MOST_COLUMNS]

    def _alike(self, column: Runs) -> dict[int, set[int]]:
        """Return, for each twin, itself and those with the same run in a column."""
        page = self._frame.part(None)
        # With some paper around it: letters that touch the edge of a picture are not compared.
        papers = {key: run.widened(_ABOVE, _ABOVE).within(page) for key, run in column.items()}
        groups = [set(group) for group in twin_groups(self._frame, papers, self._effort)]
        groups.append(self._twins.keys() - column.keys())
        return {key: group for group in groups for key in group}


class _Words:
    """The runs of a screenshot that headings are chosen from."""

    def __init__(self, runs: Sequence[Box]) -> None:
        self._runs = runs
        self._at = as_array(runs)

    def without(self, boxes: Iterable[Box]) -> _Words:
        """Return the runs that none of some boxes covers."""
        free = np.ones(len(self._runs), np.bool_)
        for box in boxes:
            free &= shared_pixels(box, self._at) == 0
        return _Words([run for run, left in zip(self._runs, free.tolist(), strict=True) if left])

    def holds(self, run: Box) -> bool:
        """Return True if a run, or one that it is a part of, is among these."""
        return bool((shared_pixels(run, self._at) > 0).any())

    def left(self, box: Box, panel: tuple[int, int]) -> Box | None:
        """Return the nearest run to the left of a box, on its line."""
        x, y, w, h = self._at.T
        middle = y + h // 2
        fits = (middle >= box.y) & (middle < box.bottom) & (x + w <= box.x) & (x >= panel[0])
        return self._first(fits, x + w)

    def over(self, box: Box) -> Box | None:
        """Return the nearest run above a box that shares columns with it."""
        x, y, w, h = self._at.T
        return self._first((y + h <= box.y) & (x < box.right) & (x + w > box.x), y + h)

    def above(self, box: Box, panel: tuple[int, int]) -> Box | None:
        """Return the nearest run above a box, in its panel, that begins left of the box's end."""
        x, y, _, h = self._at.T
        in_panel = (x >= panel[0]) & (x < min(box.right, panel[1]))
        return self._first((y + h <= box.y) & in_panel, (y + h) * _ANYWHERE + x)

    def heads(self, run: Box, over: Box | None) -> bool:
        """Return True if a run is the only one of its place in a column, as a heading is."""
        x = self._at[:, 0]
        return run == over and int((np.abs(x - run.x) <= _SAME_LINE).sum()) == 1

    def _first(self, fits: NDArray[np.bool_], order: NDArray[np.int64]) -> Box | None:
        if not fits.any():
            return None
        return self._runs[int(np.where(fits, order, -1).argmax())]


def _in_reading_order(columns: Sequence[tuple[int, int, Runs]]) -> list[Runs]:
    """Sort columns line by line, each from the left.

    ``columns``: the place of each from its twin's corner, top and left, and its runs.
    """
    lines: list[list[tuple[int, int, Runs]]] = []
    for column in sorted(columns, key=lambda one: one[0]):
        top, _, runs = lines[-1][0] if lines else (0, 0, {})
        if not runs or column[0] >= top + next(iter(runs.values())).h // 2 + 1:
            lines.append([])
        lines[-1].append(column)
    return [runs for line in lines for *_, runs in sorted(line, key=lambda one: one[1])]
