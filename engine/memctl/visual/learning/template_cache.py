"""The template cache: all pictures of a store's components, ready to be searched for."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from memctl.store import statements
from memctl.visual.identity.look_alikes import look_alikes, twins_of
from memctl.visual.identity.row_check import RowBook, RowCheck
from memctl.visual.matching.find import find
from memctl.visual.matching.template import FEATURE_VERSION, Template
from memctl.visual.matching.template_set import TemplateSet
from memctl.visual.reading.image import decode_png
from memctl.visual.recognition.sightings import Sightings, assign

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence

    from memctl.store.store import Store
    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame
    from memctl.visual.identity.row_check import RowPicture
    from memctl.visual.match_results import SearchResult

SQL = statements.load("store/template")


class TemplateCache:
    """The templates of one store, prepared for matching and kept so between screenshots.

    The pixels of a template never change under its id; only its last place does.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._prepared = TemplateSet(())
        self._key: tuple[tuple[int, int, int], Box] | None = None
        # The screenshot before, the scale that it was asked with, and the answer.
        self._before: tuple[Frame, float | None, SearchResult] | None = None
        self._rows = RowBook(store)

    def prepared(self, window: Box) -> TemplateSet:
        """Return every template of every living component, placed in `window`."""
        key = self._store.version(), window
        if key == self._key:
            return self._prepared
        rows = self._store.rows(SQL.living_templates)
        if self._prepared.asked != {row["id"] for row in rows}:
            self._prepared = self._renewed(rows, window)
        else:
            self._prepared.remember({row["id"]: _last(row, window) for row in rows})
        self._key, self._before = key, None
        return self._prepared

    def templates_of(self, component_id: int, window: Box) -> list[Template]:
        """Return the templates of one component, also of a forgotten one, without features."""
        rows = self._store.rows(SQL.templates_of, {"component_id": component_id})
        return [self._template(row, None, window) for row in rows]

    def row_keys(self) -> Mapping[int, Sequence[Sequence[RowPicture]]]:
        """Return the row keys of components by their ids: a set for each template."""
        return self._rows.keys()

    def moved(self, seen: Sightings) -> None:
        """Take over where components were just seen, as the store has it by now."""
        places = {
            key: seen.at_scale_one(hit.box) for key, hit in seen.hits.items() if hit.how != "last"
        }
        self._prepared.remember(
            {
                template.template_id: (
                    round(place.x * template.scale) + seen.window.x,
                    round(place.y * template.scale) + seen.window.y,
                )
                for template in self._prepared.templates
                if (place := places.get(template.component_id)) is not None
            }
        )

    def search(
        self,
        frame: Frame,
        window: Box,
        *,
        learning: bool = False,
        scale: float | None = None,
    ) -> Sightings:
        """Find all components; the screenshot before, shown again, has its answer again.

        ``learning``: as in `assign`. ``scale``: device-pixel ratio of the screenshot, if it is
        known.
        """
        started = time.perf_counter()
        known = self.prepared(window)
        loaded = (time.perf_counter() - started) * 1000
        before = self._before
        if before is not None and before[1] == scale and _equal(before[0], frame):
            result = replace(before[2], ms={})
        else:
            twins = self._rows.twins().keys()
            result = find(frame, known, window=window, scale=scale, twins=twins)
            self._before = frame, scale, result
        return self._sightings(frame, window, known, result, loaded, learning=learning)

    def search_for(self, component_id: int, frame: Frame, window: Box) -> Sightings | None:
        """Find one component among those that look like it, without looking for all others.

        Returns none where that is no help: all were looked for on this very screenshot before, or
        the component has no picture that is looked for.
        """
        known = self.prepared(window)
        if self._before is not None and _equal(self._before[0], frame):
            return None
        some = look_alikes(known, component_id)
        if not some:
            return None
        few = TemplateSet([known.with_features(index) for index in some])
        elected = known.voted.get((frame.width, frame.height), known.scale)
        twins = self._rows.twins().keys()
        result = find(frame, few, window=window, scale=elected, twins=twins)
        return self._sightings(frame, window, few, result, 0.0)

    def twins_of(self, component_id: int, window: Box) -> set[int]:
        """Return a component and those that look like it."""
        return twins_of(self.prepared(window), component_id)

    def _sightings(
        self,
        frame: Frame,
        window: Box,
        known: TemplateSet,
        result: SearchResult,
        loaded: float,
        *,
        learning: bool = False,
    ) -> Sightings:
        """Give every component that was found a place of its own."""
        started = time.perf_counter()
        found = {hit.component_id for hit in result.hits}
        last = {
            t.component_id: (
                window.x + round((t.last[0] - window.x) * ratio),
                window.y + round((t.last[1] - window.y) * ratio),
            )
            for t in known.templates
            if t.component_id in found and t.last is not None
            for ratio in [result.scale / t.scale]
        }
        check = RowCheck(frame, result.scale)
        hits, unsettled = assign(
            result.hits, last, self._rows.keys(), self._rows.twins(), check, learning=learning
        )
        settled = (time.perf_counter() - started) * 1000
        return Sightings(
            window=window,
            hits={hit.component_id: hit for hit in hits},
            misses={**result.misses, **unsettled},
            scale=result.scale,
            scales=known.scales,
            ms={"load": loaded, **result.ms, "rows": settled},
            claims={hit.component_id: hit for hit in result.hits},
            ignored=frame.ignored,
        ).counting()

    def keep_rebuilt(self) -> None:
        """Store features that had to be made again, so that it happens once. In a transaction."""
        for template_id, features in self._prepared.rebuilt.items():
            self._store.execute(
                SQL.set_features,
                {"id": template_id, "features": features, "version": FEATURE_VERSION},
            )
        self._prepared.rebuilt.clear()

    def _renewed(self, rows: Sequence[sqlite3.Row], window: Box) -> TemplateSet:
        """Prepare these templates; those known already are not read again."""
        old = self._prepared
        # A cold store is read in one query, what was added since one by one.
        cold = {} if old.index else {r["id"]: r["features"] for r in self._store.rows(SQL.features)}
        renewed = TemplateSet([self._known(row, cold, window) for row in rows])
        renewed.rebuilt.update(old.rebuilt)
        renewed.voted |= old.voted
        renewed.attempts |= old.attempts
        return renewed

    def _known(self, row: sqlite3.Row, cold: Mapping[int, bytes], window: Box) -> Template:
        number = self._prepared.index.get(row["id"])
        if number is None:
            key = row["id"]
            own = cold[key] if key in cold else self._store.value(SQL.features_of, {"id": key})
            return self._template(row, own, window)
        return replace(
            self._prepared.templates[number],
            features=self._prepared.blobs[number],
            last=_last(row, window),
        )

    def _template(self, row: sqlite3.Row, features: bytes | None, window: Box) -> Template:
        # Bound to the store, not to the cache: a cycle would keep every prepared template and
        # the last screenshot until the collector of cycles comes by.
        store = self._store
        blank = row["blank_left"], row["blank_right"]
        return Template(
            template_id=row["id"],
            component_id=row["component_id"],
            pixels=lambda: decode_png(store.value(SQL.pixels, {"id": row["id"]})),
            features=features,
            scale=row["scale"],
            last=_last(row, window),
            blank=None if blank[0] is None else blank,
        )


def _equal(frame: Frame, other: Frame) -> bool:
    return np.array_equal(frame.bgr, other.bgr)


def _last(row: sqlite3.Row, window: Box) -> tuple[int, int]:
    return row["x"] + window.x, row["y"] + window.y
