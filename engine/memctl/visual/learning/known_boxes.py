"""Boxes that are nothing new: those of known components, of changing places, and of what was erased.

The same screen is learned with boxes of a DOM, of a detector, of an OCR and with none. Each cuts
the same things in another way, and none of it makes a second component of a first. Nor does what
a place shows next, where it changes by itself: a clock, a price, a chat. The parts of a screenshot
that show what a person erased are not learned.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from memctl.store import statements
from memctl.visual.box_arrays import as_array, ious, shared_pixels
from memctl.visual.boxes import SAME_PLACE, Box
from memctl.visual.graph.erasing import SHORT
from memctl.visual.graph.naming import folded
from memctl.visual.match_results import Refused
from memctl.visual.reading.proposals import SOURCE as PROPOSED
from memctl.visual.reading.sifting import GraySums
from memctl.visual.recognition.expected import undisturbed
from memctl.visual.recognition.views import on_screen

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from memctl.store.store import Store
    from memctl.visual.frame import Frame
    from memctl.visual.reading.boxes_file import GivenBox
    from memctl.visual.reading.sifting import Sifted
    from memctl.visual.recognition.recognition import Recognised
    from memctl.visual.recognition.shown_screen import ShownScreen
    from memctl.visual.recognition.sightings import Sightings


FRAGMENT = 0.8
"""Share of a box that lies in a component of another source, from which on it is a part of it."""

GUESSED = "a guess on a screen that was learned from better boxes"

_MARGIN = 6  # pixels by which two detectors' boxes of one element differ on each side ...
_LEAST = 0.2  # ... if they share as much (IoU)
_SAME = 0.5  # IoU of two sources' boxes of one element: they differ by its padding
_MADE_OF = 0.5  # share of a guessed box that known components cover: it joins some of them


# Sources that see pixels alone: they cannot know what is a component.
_GUESSES = frozenset({PROPOSED, "ocr"})
_FEW = 3  # boxes that a person gives by hand do not say what else is a component

_SHARED = 0.5  # of the smaller of two boxes: they are at one place ...
_LARGER = 4  # ... if one has at most so many times the other's area
_MOST = 0.5  # share of a state's components; where more are others, it is laid out anew

_TEXT = "text"
_NUMBER = re.compile(r"\d[\d.,:]*")
CHANGES = "its place changes by itself"


def is_guessed(source: str) -> bool:
    """Return True for a source that sees pixels alone."""
    return source in _GUESSES


def cut_by_better(sources: Iterable[str]) -> bool:
    """Return True if a state's components come from a source that sees more than pixels."""
    better = [not is_guessed(source) for source in sources]
    return sum(better) >= _FEW and 2 * sum(better) > len(better)


def part_known(
    candidates: Sequence[GivenBox],
    places: Mapping[int, Box],
    about: Mapping[int, sqlite3.Row],
) -> tuple[dict[int, GivenBox], list[GivenBox], list[Refused]]:
    """Part the boxes that known components explain, by their ids, the new ones, and the refused.

    Refused are fragments of components, and boxes made of several.

    A box inside of a component of its own source is a thing of its own: who sees a button on a
    card means both. One inside of a component of another source is a fragment, unless that
    component was a guess and this box is none.

    ``candidates``: the boxes that may be learned. ``places``: component id to its place on the
    screenshot. ``about``: component id to its row of ``component``.
    """
    known: dict[int, GivenBox] = {}
    new: list[GivenBox] = []
    refused: list[Refused] = []
    keys = [key for key in places if key in about]
    boxes = as_array(places[key] for key in keys)
    owner_sources = np.array([about[key]["source"] for key in keys], np.str_)
    guessed = owner_sources == PROPOSED
    own = _owners(candidates, boxes, owner_sources)
    for at, candidate in enumerate(candidates):
        if at in own:
            known[keys[own[at]]] = candidate
            continue
        shared = shared_pixels(candidate.box, boxes)
        foreign = owner_sources != candidate.source
        whole = foreign if candidate.source == PROPOSED else foreign & ~guessed
        around = np.flatnonzero(whole & (shared > FRAGMENT * candidate.box.area))
        if around.size:
            name = about[keys[around[0]]]["name"]
            refused.append(Refused(candidate.box.xywh, f"part of {name}"))
        elif candidate.source == PROPOSED and shared[foreign].sum() > _MADE_OF * candidate.box.area:
            refused.append(Refused(candidate.box.xywh, "made of components that are known"))
        else:
            new.append(candidate)
    return known, new, refused


def _owners(
    candidates: Sequence[GivenBox], boxes: NDArray[np.int64], sources: NDArray[np.str_]
) -> dict[int, int]:
    """Return the component of each box, as numbers of both; the most alike pairs first."""
    pairs: list[tuple[float, int, int]] = []
    corners = np.concatenate([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]], axis=1)
    for at, candidate in enumerate(candidates):
        alike = ious(candidate.box, boxes)
        sides = np.array(
            [candidate.box.x, candidate.box.y, candidate.box.right, candidate.box.bottom]
        )
        near = (np.abs(corners - sides) <= _MARGIN).all(axis=1) & (alike > _LEAST)
        same = near | (alike > np.where(sources != candidate.source, _SAME, SAME_PLACE))
        pairs += [(float(alike[key]), at, key) for key in np.flatnonzero(same).tolist()]
    owners: dict[int, int] = {}
    taken: set[int] = set()
    for alike_, at, key in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2])):
        if at not in owners and (key not in taken or alike_ > SAME_PLACE):
            owners[at] = key
            taken.add(key)
    return owners


def changes_on(
    seen: Sightings,
    places: dict[int, Box],
    missing: Collection[int],
    changing: Collection[int],
    about: Mapping[int, sqlite3.Row],
    new: Sequence[GivenBox],
) -> tuple[list[int], list[GivenBox]]:
    """Return the components whose places change by themselves, and the boxes that are their values.

    A place changes where a component is missing, something else stands in its stead and the
    components around it stand where they stood. A control of another label is another thing; a
    text, or a label that differs in its numbers alone, is another value.

    ``places``: component id to where it stood, on the screenshot. ``missing``: components that are
    neither found nor covered. ``changing``: components whose places are known to change. ``about``:
    component id to its row of ``component``. ``new``: boxes that no component explains.
    """
    known = [places[key] for key in changing if key in places]
    values = {at for at, one in enumerate(new) if any(_at_one_place(one.box, box) for box in known)}
    result: dict[int, set[int]] = {}
    for key in missing:
        if key not in places or key in changing:
            continue
        instead = {
            at
            for at, one in enumerate(new)
            if _at_one_place(one.box, places[key]) and _is_value(one, about[key])
        }
        if instead and undisturbed(seen.hits, places, key):
            result[key] = instead
    if len(result) > _MOST * len(places):
        result = {}
    return sorted(result), [new[at] for at in sorted(values.union(*result.values()))]


def _is_value(box: GivenBox, known: sqlite3.Row) -> bool:
    """Return True if a box in a component's stead may be its next value."""
    if not box.label or not known["label"]:
        return True
    texts = box.kind == known["type"] == _TEXT
    return texts or _NUMBER.sub("0", box.label) == _NUMBER.sub("0", known["label"])


def _at_one_place(box: Box, other: Box) -> bool:
    small, large = sorted((box.area, other.area))
    return box.overlap(other) > _SHARED * small and large <= _LARGER * small


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
    asked: list[tuple[str | None, tuple[int, int]]] = [(view.state_id, view.move) for view in views]
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

    ``scale``: device-pixel ratio of the screenshot.
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
    result = {text for text in texts if len(text) >= SHORT}
    left = replace(
        sifted,
        candidates=[_without_texts(one, result) for one in kept],
        refused=[*sifted.refused, *refused],
        secrets=[*sifted.secrets, *(one.box for one in erased)],
    )
    return left, None if title and any(text in folded(title) for text in result) else title


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
