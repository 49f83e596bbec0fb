"""Erased boxes: the parts of a screenshot that show what a person erased, which is not learned."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memctl.store import statements
from memctl.visual.boxes import Box
from memctl.visual.graph.erasing import SHORT
from memctl.visual.graph.naming import folded
from memctl.visual.match_results import Refused
from memctl.visual.reading.erased_pixels import GraySums
from memctl.visual.recognition.covering import on_screen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.store.store import Store
    from memctl.visual.frame import Frame
    from memctl.visual.reading.boxes_file import GivenBox
    from memctl.visual.reading.sifting import Sifted
    from memctl.visual.recognition.recognition import Recognised
    from memctl.visual.recognition.shown_screen import ShownScreen
    from memctl.visual.recognition.sightings import Sightings

SQL = statements.load("store/erased")

_RIM = 2  # pixels at scale 1 by which a neighbour may reach into an erased place


@dataclass(frozen=True, slots=True)
class ErasedBox:
    """A part of a screenshot, in image pixels, and the time when it was erased."""

    box: Box
    erased_at: str


def erased_on(
    store: Store, frame: Frame, seen: Sightings, recognised: Recognised | None, page: str | None
) -> list[ErasedBox]:
    """Return the parts of a screenshot that show what a person erased.

    They are the erased places of the states on it, moved by the scroll and where they stood (a
    bar stays when a page scrolls), or of the named page if no state is recognised, and every
    place that has exactly the erased pixels.
    """
    found = erased_pixels_on(store, frame)
    views = (recognised, *recognised.also) if recognised else ()
    asked: list[tuple[str | None, tuple[int, int]]] = [(one.state_id, one.move) for one in views]
    for state_id, move in asked or [(None, (0, 0))]:
        by = {"state_id": state_id, "page": None if state_id else page}
        for row in store.rows(SQL.places_on, by):
            place = Box(row["x"], row["y"], row["w"], row["h"])
            for box in dict.fromkeys([place, place.moved(*move)]):
                shown = on_screen(seen, box).clipped(frame.width, frame.height)
                if shown.area:
                    found.append(ErasedBox(shown, store.zone.local(row["erased_at"])))
    return found


def erased_pixels_on(store: Store, frame: Frame) -> list[ErasedBox]:
    """Return every place that has exactly the pixels of what a person erased."""
    known = store.rows(SQL.pixels)
    sums = GraySums(frame) if known else None
    return [
        ErasedBox(box, store.zone.local(row["erased_at"]))
        for row in known
        if sums is not None
        for box in sums.places_of(row["w"], row["h"], row["key"], row["mark"], row["digest"])
    ]


def without_erased(
    sifted: Sifted, erased: Sequence[ErasedBox], scale: float, title: str | None
) -> tuple[Sifted, str | None]:
    """Return sifted boxes and a title without what was erased, and without its texts.

    Parameters
    ----------
    scale
        Device-pixel ratio of the screenshot.
    """
    rim = round(_RIM * scale)
    kept: list[GivenBox] = []
    refused: list[Refused] = []
    texts: set[str] = set()
    for given in sifted.candidates:
        inside = [one for one in erased if 2 * given.box.overlap(one.box) > given.box.area]
        cut = [one for one in erased if given.box.overlap(one.box.widened(-rim, -rim)) > 0]
        if inside:
            texts.add(folded(given.label))
            refused.append(Refused(given.box.xywh, f"erased by you on {inside[0].erased_at[:10]}"))
        elif cut:
            why = f"shows what you erased on {cut[0].erased_at[:10]}"
            refused.append(Refused(given.box.xywh, why))
        else:
            kept.append(given)
    told = {text for text in texts if len(text) >= SHORT}
    left = replace(
        sifted,
        candidates=[_without_texts(one, told) for one in kept],
        refused=[*sifted.refused, *refused],
        secrets=[*sifted.secrets, *(one.box for one in erased)],
    )
    return left, None if title and any(text in folded(title) for text in told) else title


def without_erased_parts(
    store: Store, frame: Frame, seen: Sightings, recognised: Recognised | None, screen: ShownScreen
) -> ShownScreen:
    """Return a screen with what a person erased hidden."""
    erased = erased_on(store, frame, seen, recognised, None)
    return screen.hiding(seen.at_scale_one(one.box) for one in erased)


def _without_texts(given: GivenBox, texts: set[str]) -> GivenBox:
    """Return a box that is not named after a text that was erased beside it."""

    def kept(told: str) -> str:
        return "" if any(text in folded(told) for text in texts) else told

    return replace(
        given, beside=kept(given.beside), row=kept(given.row), section=kept(given.section)
    )
