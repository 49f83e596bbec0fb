"""One look at a screenshot: which known components are on it, and where."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memctl import queries
from memctl.errors import UsageError
from memctl.visual.assignment import assign
from memctl.visual.boxes import Box
from memctl.visual.image import decode_png
from memctl.visual.matching import Hit, Miss, Template, find

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.store import Store
    from memctl.visual.frame import Frame, Pixels

__all__ = ["Look", "Shelf", "look", "window_of"]

SQL = queries.load("store/template")


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
    newest_template
        The highest template id that was searched, 0 for none.
    """

    window: Box
    hits: Mapping[int, Hit]
    misses: Mapping[int, Miss]
    scale: float = 1.0
    ms: Mapping[str, float] = field(default_factory=dict)
    newest_template: int = 0


class Shelf:
    """The templates of one store, ready to be looked for.

    A template's pixels never change under its id, so what was decoded is kept.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pixels: dict[int, Pixels] = {}

    def templates(self, window: Box) -> list[Template]:
        """Return every look of every living component, placed in `window`."""
        return [
            Template(
                template_id=row["id"],
                component_id=row["component_id"],
                pixels=lambda key=row["id"]: self.pixels(key),  # type: ignore[misc]
                features=row["features"],
                scale=row["scale"],
                last=(row["rel_x"] + window.x, row["rel_y"] + window.y),
            )
            for row in self._store.rows(SQL.shelf)
        ]

    def pixels(self, template_id: int) -> Pixels:
        """Return the crop of a template, ``(h, w, 3)`` uint8 blue-green-red."""
        if template_id not in self._pixels:
            png = self._store.value(SQL.pixels, {"id": template_id})
            self._pixels[template_id] = decode_png(png)
        return self._pixels[template_id]


def look(frame: Frame, shelf: Shelf, window: Box, *, exhaustive: bool = False) -> Look:
    """Look for everything on the shelf."""
    started = time.perf_counter()
    templates = shelf.templates(window)
    loaded = (time.perf_counter() - started) * 1000
    findings = find(frame, templates, exhaustive=exhaustive, window=window)
    last = {t.component_id: t.last for t in templates if t.last is not None}
    hits, taken = assign(findings.hits, last)
    misses = {miss.component_id: miss for miss in (*findings.misses, *taken)}
    return Look(
        window=window,
        hits={hit.component_id: hit for hit in hits},
        misses=misses,
        scale=findings.scale,
        ms={"load": loaded, **findings.ms},
        newest_template=max((t.template_id for t in templates), default=0),
    )


def window_of(frame: Frame, window: tuple[int, int, int, int] | None) -> Box:
    """Return the window as a box, the whole screenshot for ``None``.

    Raises
    ------
    UsageError
        When it is empty or reaches beyond the screenshot.
    """
    whole = Box(0, 0, frame.width, frame.height)
    if window is None:
        return whole
    box = Box(*window)
    if box.w < 1 or box.h < 1 or not box.inside(whole):
        raise UsageError(
            f"window {box.x},{box.y},{box.w},{box.h} is not inside the "
            f"{frame.width} x {frame.height} screenshot",
            hint="give X,Y,W,H in image pixels",
        )
    return box
