"""Erased boxes: the parts of a screenshot that show what a person erased, which is not learned."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memctl.store import statements
from memctl.visual.boxes import Box
from memctl.visual.graph.naming import folded
from memctl.visual.match_results import Refused
from memctl.visual.reading.erased_pixels import GraySums
from memctl.visual.reading.word_shapes import outside
from memctl.visual.recognition.covering import on_screen
from memctl.visual.recognition.recognition import recognise, screen_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.config.settings import Settings
    from memctl.store.store import Store
    from memctl.visual.frame import Frame
    from memctl.visual.reading.boxes_file import GivenBox
    from memctl.visual.reading.sifting import Sifted
    from memctl.visual.reading.word_shapes import Words
    from memctl.visual.recognition.recognition import Recognised
    from memctl.visual.recognition.sightings import Sightings
    from memctl.visual.recognition.state_index import StateIndex

__all__ = ["unerased_words", "without_erased"]

SQL = statements.load("store/erased")

_RIM = 2  # pixels at scale 1 by which a neighbour may reach into an erased place
_SHORT = 3  # letters of a text that may stand in another by chance


@dataclass(frozen=True, slots=True)
class _ErasedBox:
    """A part of a screenshot, in image pixels, and the time when it was erased."""

    box: Box
    erased_at: str


def _erased_on(
    store: Store, frame: Frame, seen: Sightings, recognised: Recognised | None, page: str | None
) -> list[_ErasedBox]:
    """Return the parts of a screenshot that show what a person erased.

    They are the erased places of the states on it, moved by the scroll and where they stood (a
    bar stays when a page scrolls), or of the named page if no state is recognised, and every
    place that has exactly the erased pixels.
    """
    known = store.rows(SQL.pixels)
    found: list[_ErasedBox] = []
    if known:
        sums = GraySums(frame)
        for row in known:
            about = row["w"], row["h"], row["key"], row["mark"], row["digest"]
            found += [_ErasedBox(box, row["erased_at"]) for box in sums.places_of(*about)]
    views = (recognised, *recognised.also) if recognised else ()
    asked: list[tuple[str | None, tuple[int, int]]] = [(one.state_id, one.move) for one in views]
    for state_id, move in asked or [(None, (0, 0))]:
        by = {"state_id": state_id, "page": None if state_id else page}
        for row in store.rows(SQL.places_on, by):
            place = Box(row["x"], row["y"], row["w"], row["h"])
            for box in dict.fromkeys([place, place.moved(*move)]):
                shown = on_screen(seen, box).clipped(frame.width, frame.height)
                if shown.area:
                    found.append(_ErasedBox(shown, row["erased_at"]))
    return found


def without_erased(
    store: Store,
    settings: Settings,
    index: StateIndex,
    frame: Frame,
    seen: Sightings,
    sifted: Sifted,
    page: str | None,
    title: str | None,
) -> tuple[Sifted, str | None]:
    """Return sifted boxes and a title without what was erased, and without its texts."""
    if not store.value(SQL.any_erased):
        return sifted, title
    words = screen_words(frame, seen, sifted.hidden)
    unknown = max(len(sifted.candidates) - len(seen.hits), 0)
    recognised = recognise(settings, index, frame, seen, words, unknown, page)
    erased = _erased_on(store, frame, seen, recognised, page)
    return _sifted(sifted, erased, seen.scale, title) if erased else (sifted, title)


def _sifted(
    sifted: Sifted, erased: Sequence[_ErasedBox], scale: float, title: str | None
) -> tuple[Sifted, str | None]:
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
    told = {text for text in texts if len(text) >= _SHORT}
    left = replace(
        sifted,
        candidates=[_without_texts(one, told) for one in kept],
        refused=[*sifted.refused, *refused],
        secrets=[*sifted.secrets, *(one.box for one in erased)],
    )
    return left, None if title and any(text in folded(title) for text in told) else title


def unerased_words(
    store: Store, frame: Frame, seen: Sightings, recognised: Recognised | None, words: Words
) -> Words:
    """Return the words of a screenshot without those of what a person erased."""
    erased = _erased_on(store, frame, seen, recognised, None)
    return outside(words, [seen.at_scale_one(one.box) for one in erased])


def _without_texts(given: GivenBox, texts: set[str]) -> GivenBox:
    """Return a box that is not named after a text that was erased beside it."""

    def kept(told: str) -> str:
        return "" if any(text in folded(told) for text in texts) else told

    return replace(
        given, beside=kept(given.beside), row=kept(given.row), section=kept(given.section)
    )
