"""Rows: the pictures beside each component of a store, and whether they are beside a place now."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np

from memctl.store import statements
from memctl.visual.boxes import Box
from memctl.visual.identity.cells import neighbours
from memctl.visual.identity.glyphs import BESIDE, RESIZED, GlyphRun, resized, strangeness
from memctl.visual.reading.image import decode_png

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from memctl.store.store import Store
    from memctl.visual.frame import Frame, Pixels
    from memctl.visual.identity.row_keys import FoundKeys


_OFF = 3  # pixels by which what stands beside may have moved by itself
_ALIKE = 0.7  # least correlation of a place that is compared stroke by stroke
_TRIES = 3  # places of one column that are compared
_PROBES = 48  # pixels of a key that are compared at all places at once
_MOST = 60  # places whose rows are compared stroke by stroke for one component
_CHANGING = 3  # keys that a component must have for one of them to differ


@dataclass(frozen=True, eq=False)
class RowPicture:
    """A row key as it is kept: its picture, and its offset from its component's corner."""

    load: Callable[[], Pixels]  # returns the ``(h, w)`` uint8 picture
    dx: int
    dy: int
    twin: bool  # whether it tells its component from twins
    reach: tuple[int, int]  # where its row or card began and ended, from the component's left edge
    scale: float = 1.0  # device-pixel ratio of the picture and of all lengths
    look: str | None = None  # digest of the template that it stands beside
    # may_change, reach_up: as in `FoundKeys`
    may_change: bool = False
    reach_up: int = 0
    _runs: dict[float, tuple[Pixels, GlyphRun]] = field(default_factory=dict)

    @cached_property
    def picture(self) -> Pixels:
        """The picture, read once."""
        return self.load()

    @cached_property
    def content(self) -> bytes:
        """Tells its picture from others."""
        height, width = self.picture.shape
        return b"%d,%d:" % (width, height) + self.picture.tobytes()

    @cached_property
    def probes(self) -> tuple[NDArray[np.intp], NDArray[np.intp], Pixels]:
        """Rows, columns and values of some pixels across its middle, where its ink is."""
        height, width = self.picture.shape
        chosen = np.linspace(height // 3 * width, (height - height // 3) * width - 1, _PROBES)
        rows, columns = np.divmod(chosen.astype(np.intp), width)
        return rows, columns, self.picture[rows, columns]

    def at(self, ratio: float) -> tuple[Pixels, GlyphRun]:
        """Return the picture and its ink with the sides multiplied; computed once."""
        if ratio not in self._runs:
            picture = resized(self.picture, ratio)
            self._runs[ratio] = picture, GlyphRun.of(picture, max(ratio, 1.0))
        return self._runs[ratio]


@dataclass(frozen=True, slots=True)
class RowAnswer:
    """The places of a component in whose rows it belongs: one, or it is not settled.

    ``changed`` is true where one cell of the row differs from how it was learned.
    """

    places: Sequence[Box]
    changed: bool = False


class AskedRow(NamedTuple):
    """A component that is asked for its row: its keys, a set for each template, and its places."""

    keys: Sequence[Sequence[RowPicture]]
    places: Sequence[Box]


@dataclass(frozen=True, eq=False)
class RowCheck:
    """Looks beside and above the places of components on one screenshot."""

    frame: Frame
    scale: float = 1.0  # the screenshot's device-pixel ratio
    _found: dict[tuple[bytes, float, Box, int], bool] = field(default_factory=dict)
    _sides: dict[int, list[list[int | None]]] = field(default_factory=dict)

    def settle(self, asked: Mapping[int, AskedRow]) -> dict[int, RowAnswer]:
        """Return the place of each component by its row.

        What stands exactly where it stood is believed before what was laid out anew, and a row
        that is one component's exactly is nobody else's.
        """
        answers: dict[int, RowAnswer] = {}
        owned: dict[Box, int] = {}
        corners: dict[int, NDArray[np.int64]] = {}
        for key, one in asked.items():
            at = corners.get(id(one.places))
            if at is None:
                at = corners[id(one.places)] = np.array([(p.x, p.y) for p in one.places])
            for keys in one.keys:
                equal = self._equal_places(keys, one.places, at)
                if len(equal) == 1:
                    answers[key] = RowAnswer(equal)
                    owned[equal[0]] = key
                    break
        for key in asked.keys() - answers.keys():
            one = asked[key]
            free = [place for place in one.places if place not in owned][:_MOST]
            answers[key] = self._alike(one, free)
        return _without_shared(answers)

    def agreeing(self, keys: Sequence[RowPicture], places: Sequence[Box]) -> Sequence[Box]:
        """Return the places that have the keys of one template beside them."""
        answer = self.settle({0: AskedRow([keys], places)})[0]
        return () if answer.changed else answer.places

    def _equal_places(
        self, keys: Sequence[RowPicture], places: Sequence[Box], at: NDArray[np.int64]
    ) -> list[Box]:
        """Return the places that have all keys, pixel by pixel."""
        first, gray = keys[0], self.frame.gray
        if first.scale != self.scale or not len(places):
            return []
        (height, width), (rows, columns, values) = first.picture.shape, first.probes
        x, y = at[:, 0] + first.dx, at[:, 1] + first.dy
        inside = (x >= 0) & (y >= 0) & (x + width <= gray.shape[1]) & (y + height <= gray.shape[0])
        some = np.flatnonzero(inside)
        seen = gray[y[some, None] + rows, x[some, None] + columns]
        fits = some[(seen == values).all(axis=1)].tolist()
        return [places[i] for i in fits if all(self._equal(key, places[i]) for key in keys)]

    def _equal(self, key: RowPicture, place: Box) -> bool:
        picture = key.picture
        x, y, (height, width) = place.x + key.dx, place.y + key.dy, picture.shape
        if x < 0 or y < 0:
            return False
        return np.array_equal(self.frame.gray[y : y + height, x : x + width], picture)

    def _alike(self, row: AskedRow, free: Sequence[Box]) -> RowAnswer:
        """Compare rows stroke by stroke: unmoved, then laid out anew, then with a changed cell."""
        for keys in row.keys:
            for stands in (self._near, self._far):
                result = [p for p in free if all(stands(key, p, row.places) for key in keys)]
                if not result and not keys[0].twin:
                    result = [p for p in free if any(stands(key, p, row.places) for key in keys)]
                if result:
                    return RowAnswer(result)
        for keys in row.keys:
            if len(keys) >= _CHANGING:
                result = [p for p in free if self._changed(keys, p, row.places, free)]
                if result:
                    return RowAnswer(result, changed=True)
        return RowAnswer(())

    def _changed(
        self,
        keys: Sequence[RowPicture],
        place: Box,
        places: Sequence[Box],
        free: Sequence[Box],
    ) -> bool:
        """Return True if a place has all keys but one that may change.

        That one stands at no other place that may be the component's.
        """
        missing = None
        for key in sorted(keys, key=lambda one: one.may_change):
            if self._near(key, place, places) or self._far(key, place, places):
                continue
            if missing is not None or not key.may_change:
                return False
            missing = key
        return missing is not None and not any(
            self._near(missing, other, places) for other in free if other != place
        )

    def _near(self, key: RowPicture, place: Box, _places: Sequence[Box]) -> bool:
        """Return True if a key is where it was, to a few pixels."""
        off = round(_OFF * max(self.scale / key.scale, 1))
        return self._stands(key, self._expected(key, place).widened(off, off), 1)

    def _far(self, key: RowPicture, place: Box, places: Sequence[Box]) -> bool:
        """Return True if a key is elsewhere in its row: columns move with the window.

        The heading of a column stands in that column, but rows move below it.
        """
        expected = self._expected(key, place)
        ratio = self.scale / key.scale
        off = round(_OFF * max(ratio, 1))
        if key.reach_up:
            up = round(key.reach_up * ratio)
            top = max(expected.y - up, 0)
            strip = Box(expected.x - off, top, expected.w + 2 * off, place.y - top)
            return self._stands(key, strip, 1)
        reach = [place.x + round(side * ratio) for side in key.reach]
        between = self._row(place, places)
        left, right = max(between[0], reach[0]), min(between[1], reach[1])
        strip = Box(left, expected.y - off, right - left, expected.h + 2 * off)
        return self._stands(key, strip, _TRIES)

    def _expected(self, key: RowPicture, place: Box) -> Box:
        ratio = self.scale / key.scale
        height, width = key.at(ratio)[0].shape
        return Box(place.x + round(key.dx * ratio), place.y + round(key.dy * ratio), width, height)

    def _stands(self, key: RowPicture, area: Box, tries: int) -> bool:
        """Return True if a key is in an area of the screenshot, by its best places there.

        The buttons of one row are told by the same cells of it: each is looked for once.
        """
        area = area.within(self.frame.part(None))
        asked = key.content, key.scale, area, tries
        if asked not in self._found:
            self._found[asked] = self._seen(key, area, tries)
        return self._found[asked]

    def _seen(self, key: RowPicture, area: Box, tries: int) -> bool:
        picture, run = key.at(self.scale / key.scale)
        height, width = picture.shape
        if area.w < width or area.h < height:
            return False
        shown = self.frame.gray[area.y : area.bottom, area.x : area.right]
        scores = np.nan_to_num(cv2.matchTemplate(shown, picture, cv2.TM_CCOEFF_NORMED))
        allowance = BESIDE if key.scale == self.scale else RESIZED
        for _ in range(tries):
            _, best, _, (x, y) = cv2.minMaxLoc(scores)
            if best < _ALIKE:
                return False
            place = Box(area.x + x, area.y + y, width, height)
            if strangeness(run, self.frame.gray, place, allowance) <= 1:
                return True
            scores[:, max(x - width // 2, 0) : x + width // 2 + 1] = -1
        return False

    def _row(self, place: Box, places: Sequence[Box]) -> tuple[int, int]:
        """Return how far a place's row reaches: midway to the equal places in the same row."""
        if id(places) not in self._sides:
            self._sides[id(places)] = neighbours(places)
        number = places.index(place)
        left, _, right, _ = (side[number] for side in self._sides[id(places)])
        return (
            0 if left is None else (left + place.x) // 2,
            self.frame.width if right is None else (place.right + right) // 2,
        )


def _without_shared(answers: Mapping[int, RowAnswer]) -> dict[int, RowAnswer]:
    """Take back changed rows that fit several components."""
    owners = Counter(one.places[0] for one in answers.values() if len(one.places) == 1)
    return {
        key: RowAnswer(()) if answer.changed and owners[answer.places[0]] > 1 else answer
        for key, answer in answers.items()
    }


SQL = statements.load("store/row_key")


class RowBook:
    """The row keys of every component, by its id: a set for each look."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._key: tuple[int, int, int] | None = None
        self._mark: tuple[int, int | None] | None = None
        self._keys: dict[int, list[list[RowPicture]]] = {}
        self._known: dict[int, RowPicture] = {}
        self._pngs: dict[int, bytes] = {}
        self._twins: dict[int, int | None] = {}

    def keys(self) -> Mapping[int, Sequence[Sequence[RowPicture]]]:
        """Return all keys, read anew only when somebody has changed something."""
        version = self._store.version()
        if version != self._key:
            mark = self._store.row(SQL.mark)
            assert mark is not None  # noqa: S101  (counts are always a row)
            if tuple(mark) != self._mark:
                self._read()
                self._mark = tuple(mark)
            self._twins = {row["id"]: row["twins"] for row in self._store.rows(SQL.twins)}
            self._key = version
        return self._keys

    def twins(self) -> Mapping[int, int | None]:
        """Return how many look-alikes components have: any, or None where nobody has looked."""
        self.keys()
        return self._twins

    def _read(self) -> None:
        known, looks = self._known, dict[tuple[int, str | None], list[RowPicture]]()
        self._known = {}
        for row in self._store.rows(SQL.all_keys):
            picture = known.get(row["id"]) or self._picture(row)
            self._known[row["id"]] = picture
            looks.setdefault((row["component_id"], row["look"]), []).append(picture)
        self._keys = {}
        for (component_id, _), keys in looks.items():
            self._keys.setdefault(component_id, []).append(keys)
        # A cold book reads its pictures in one query, what is added later one by one.
        cold = not known
        self._pngs.clear()
        self._pngs |= {row["id"]: row["png"] for row in self._store.rows(SQL.pngs)} if cold else {}

    def _picture(self, row: sqlite3.Row) -> RowPicture:
        # Bound to the store, not to the book, which would be a cycle.
        store, key, pngs = self._store, row["id"], self._pngs
        return RowPicture(
            load=lambda: _gray(pngs.pop(key, b"") or store.value(SQL.png, {"id": key})),
            dx=row["dx"],
            dy=row["dy"],
            reach=(row["reach_left"], row["reach_right"]),
            twin=bool(row["twin"]),
            scale=row["scale"],
            look=row["look"],
            may_change=bool(row["may_change"]),
            reach_up=row["reach_up"],
        )


def _gray(png: bytes) -> Pixels:
    pixels = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_GRAYSCALE)
    if pixels is None:
        return np.ascontiguousarray(decode_png(png)[:, :, 0])  # says that it is damaged
    return np.asarray(pixels, np.uint8)


def told_by_rows(store: Store, shown: Mapping[int, int]) -> dict[int, int]:
    """Return the components that have keys for the look they show: 1 if from look-alikes, else 0.

    ``shown``: component id to the template that shows it on the screenshot.
    """
    looks = _looks(store, shown)
    return {
        row["component_id"]: row["twin"]
        for row in store.rows(SQL.looks)
        if looks.get(row["component_id"]) == row["look"]
    }


def _looks(store: Store, shown: Mapping[int, int]) -> dict[int, str]:
    """Return the digest of the template that shows each component."""
    ids = json.dumps(sorted(set(shown.values())))
    digests = {row["id"]: row["sha256"] for row in store.rows(SQL.digests, {"ids": ids})}
    return {key: digests[one] for key, one in shown.items() if one in digests}


def write_row_keys(
    store: Store, found: Mapping[int, FoundKeys], shown: Mapping[int, int], at: str
) -> None:
    """Write the row keys of components. In a transaction of the caller's.

    ``found``: component id to its keys, as `found_keys` computes them. ``shown``: component id to
    the template that shows it on the screenshot.
    """
    twins = {row["id"]: row["twins"] for row in store.rows(SQL.twins)}
    looks = _looks(store, shown)
    here = {key: found[key] for key in sorted(found.keys() & shown.keys())}
    counted = {key: one.twins for key, one in here.items() if one.twins != twins.get(key, 0)}
    told = {
        key: {"component_id": key, "learned_at": at, "look": looks[key]}
        for key, one in here.items()
        if one.keys
    }
    store.execute_many(SQL.set_twins, [{"id": key, "twins": n} for key, n in counted.items()])
    store.execute_many(SQL.drop_look, [*told.values()])
    first = {row["component_id"]: row["position"] for row in store.rows(SQL.next_positions)}
    keys = [
        {**one, **about, "position": one["position"] + first.get(key, 0)}
        for key, about in told.items()
        for one in here[key].keys
    ]
    store.execute_many(SQL.insert, keys)
