"""One look at a screenshot: which known components are on it, and where."""

from __future__ import annotations

import operator
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memctl.base.errors import UsageError
from memctl.store import statements
from memctl.visual.boxes import Box
from memctl.visual.learning.assignment import assign
from memctl.visual.matching import (
    DEFAULT,
    FAST,
    FEATURE_VERSION,
    THOROUGH,
    Findings,
    Hit,
    Miss,
    Previous,
    Settings,
    Template,
    TemplateSet,
    find,
)
from memctl.visual.reading.image import decode_png

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping, Sequence

    from memctl.store.store import Store
    from memctl.visual.frame import Frame

__all__ = ["Look", "Shelf", "look", "window_of"]

SQL = statements.load("store/template")

_EFFORTS = {"fast": FAST, "default": DEFAULT, "thorough": THOROUGH}


@dataclass(frozen=True, slots=True)
class Look:
    """What was found.

    Parameters
    ----------
    window
        The part of the screenshot that was searched; positions are remembered from its corner.
    hits
        Component id to where it is.
    misses
        Component id to why it is nowhere.
    scale
        Device-pixel ratio of the screenshot against the memory.
    ms
        Milliseconds by stage.
    scales
        Template id to the device-pixel ratio it was learned at.
    """

    window: Box
    hits: Mapping[int, Hit]
    misses: Mapping[int, Miss]
    scale: float = 1.0
    ms: Mapping[str, float] = field(default_factory=dict)
    scales: Mapping[int, float] = field(default_factory=dict)

    def at_scale_one(self, box: Box) -> Box:
        """Return a box of the screenshot from the window's corner, at device-pixel ratio 1."""
        return Box(
            round((box.x - self.window.x) / self.scale),
            round((box.y - self.window.y) / self.scale),
            max(round(box.w / self.scale), 1),
            max(round(box.h / self.scale), 1),
        )


class Shelf:
    """The templates of one store, prepared for matching and kept so between screenshots.

    What a template looks like never changes under its id; only where it was last seen does.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._prepared = TemplateSet(())
        self._key: tuple[tuple[int, int, int], Box] | None = None
        self._previous: Previous | None = None

    def prepared(self, window: Box) -> TemplateSet:
        """Return every look of every living component, placed in `window`."""
        key = self._store.version(), window
        if key == self._key:
            return self._prepared
        rows = self._store.rows(SQL.shelf)
        if self._prepared.asked != {row["id"] for row in rows}:
            self._prepared = self._renewed(rows, window)
            self._previous = None
        else:
            self._prepared.remember({row["id"]: _last(row, window) for row in rows})
        self._key = key
        return self._prepared

    def looks_of(self, component_id: int, window: Box) -> list[Template]:
        """Return the looks of one component, also of a forgotten one, without features."""
        rows = self._store.rows(SQL.looks_of, {"component_id": component_id})
        return [self._template(row, None, window) for row in rows]

    def moved(self, look: Look) -> None:
        """Take over where components were just seen, as the store has it by now."""
        places = {
            key: look.at_scale_one(hit.box) for key, hit in look.hits.items() if hit.how != "last"
        }
        self._prepared.remember(
            {
                template.template_id: (
                    round(place.x * template.scale) + look.window.x,
                    round(place.y * template.scale) + look.window.y,
                )
                for template in self._prepared.templates
                if (place := places.get(template.component_id)) is not None
            }
        )

    def find(self, frame: Frame, window: Box, *, exhaustive: bool, settings: Settings) -> Findings:
        """Look for everything; where the frame before was alike, only where it differs."""
        findings = find(
            frame,
            self.prepared(window),
            exhaustive=exhaustive,
            window=window,
            previous=self._previous,
            settings=settings,
        )
        self._previous = Previous(frame, findings)
        return findings

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
        unknown = [row["id"] for row in rows if row["id"] not in old.index]
        features = self._features(unknown, everything=not old.index)
        renewed = TemplateSet([self._known(row, features, window) for row in rows])
        renewed.rebuilt.update(old.rebuilt)
        renewed.turn = old.turn
        renewed.voted |= old.voted
        return renewed

    def _features(self, template_ids: Sequence[int], *, everything: bool) -> dict[int, bytes]:
        """Read features: of a cold store in one query, of what was added since one by one."""
        if everything:
            return {row["id"]: row["features"] for row in self._store.rows(SQL.features)}
        return {key: self._store.value(SQL.features_of, {"id": key}) for key in template_ids}

    def _known(self, row: sqlite3.Row, features: Mapping[int, bytes], window: Box) -> Template:
        number = self._prepared.index.get(row["id"])
        if number is None:
            return self._template(row, features[row["id"]], window)
        return replace(
            self._prepared.templates[number],
            features=self._prepared.blobs[number],
            last=_last(row, window),
        )

    def _template(self, row: sqlite3.Row, features: bytes | None, window: Box) -> Template:
        # Bound to the store, not to the shelf: a cycle would keep every prepared template and
        # the last screenshot until the collector of cycles comes by.
        store = self._store
        return Template(
            template_id=row["id"],
            component_id=row["component_id"],
            pixels=lambda: decode_png(store.value(SQL.pixels, {"id": row["id"]})),
            features=features,
            scale=row["scale"],
            last=_last(row, window),
        )


def look(
    frame: Frame,
    shelf: Shelf,
    window: Box,
    *,
    exhaustive: bool = False,
    effort: str = "default",
) -> Look:
    """Look for everything on the shelf, with the effort ``fast``, ``default`` or ``thorough``."""
    started = time.perf_counter()
    known = shelf.prepared(window)
    loaded = (time.perf_counter() - started) * 1000
    settings = _EFFORTS[effort]
    findings = shelf.find(frame, window, exhaustive=exhaustive, settings=settings)
    found = {hit.component_id for hit in findings.hits}
    last = {
        t.component_id: (
            window.x + round((t.last[0] - window.x) * ratio),
            window.y + round((t.last[1] - window.y) * ratio),
        )
        for t in known.templates
        if t.component_id in found and t.last is not None
        for ratio in [findings.scale / t.scale]
    }
    hits, taken = assign(findings.hits, last)
    misses = {miss.component_id: miss for miss in (*findings.misses, *taken)}
    return Look(
        window=window,
        hits={hit.component_id: hit for hit in hits},
        misses=misses,
        scale=findings.scale,
        scales=known.scales,
        ms={"load": loaded, **findings.ms},
    )


def _last(row: sqlite3.Row, window: Box) -> tuple[int, int]:
    return row["x"] + window.x, row["y"] + window.y


def window_of(frame: Frame, window: tuple[int, int, int, int] | None) -> Box:
    """Return the window as a box, the whole screenshot for ``None``.

    Raises
    ------
    UsageError
        When it is no four whole numbers, is empty or reaches beyond the screenshot.
    """
    whole = Box(0, 0, frame.width, frame.height)
    if window is None:
        return whole
    try:
        x, y, w, h = map(operator.index, window)
    except (TypeError, ValueError) as error:
        raise UsageError(f"window {window!r} is not X,Y,W,H", hint="four whole numbers") from error
    box = Box(x, y, w, h)
    if box.w < 1 or box.h < 1 or not box.inside(whole):
        raise UsageError(
            f"window {box.x},{box.y},{box.w},{box.h} is not inside the "
            f"{frame.width} x {frame.height} screenshot",
            hint="give X,Y,W,H in image pixels",
        )
    return box
