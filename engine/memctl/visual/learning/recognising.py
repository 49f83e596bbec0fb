"""Which known state a look shows, and what should be there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.store import statements
from memctl.visual.graph.naming import folded
from memctl.visual.graph.similarity import Screen, Thing, layout_move
from memctl.visual.learning.ink import uncovered_ink

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.config.settings import Settings
    from memctl.store.store import Store
    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame
    from memctl.visual.learning.identification import Atlas
    from memctl.visual.learning.ink import Drawing
    from memctl.visual.learning.looking import Look
    from memctl.visual.reading.sifting import Candidate

__all__ = ["components_of", "expected_on", "ink_of", "places_of", "recognise"]

COMPONENTS = statements.load("store/component")


def recognise(
    settings: Settings,
    atlas: Atlas,
    frame: Frame,
    look: Look,
    unknown: Sequence[Candidate],
    page: str | None,
) -> tuple[str, float] | None:
    """Return the known state that a look shows and the similarity, or ``None``."""
    size = look.at_scale_one(look.window)
    screen = Screen(
        found=places_of(look),
        unknown=[
            Thing(look.at_scale_one(one.box), folded(one.label or ""), one.kind) for one in unknown
        ],
        width=size.w,
        height=size.h,
        ink=ink_of(frame, look, unknown),
    )
    threshold = settings.number(f"state_match_{atlas.kind}")
    return atlas.identify(screen, page=page, threshold=threshold)


def expected_on(
    store: Store,
    settings: Settings,
    atlas: Atlas,
    look: Look,
    recognised: tuple[str, float] | None,
    page: str | None,
) -> list[int]:
    """Return the components that should be on this screen and were not found.

    Under ``forgetting = expected`` those are the recognised state's, except what a scroll
    moved off the screen, and those learned on the named page; under ``everywhere`` all.
    """
    everything = set(look.misses)
    if settings.get("forgetting") == "everywhere":
        return sorted(everything)
    expected: set[int] = set()
    if recognised is not None:
        expected |= components_of(atlas, look, recognised[0])
    elif page is not None:
        expected |= {row["id"] for row in store.rows(COMPONENTS.learned_on, {"page": page})}
    return sorted(expected & everything)


def ink_of(frame: Frame, look: Look, boxes: Iterable[Candidate]) -> Drawing:
    """Return what is drawn outside of what was found and of these boxes."""
    covered = [hit.box for hit in look.hits.values()] + [one.box for one in boxes]
    return uncovered_ink(frame, look.window, covered, scale=look.scale)


def places_of(look: Look) -> dict[int, Box]:
    """Return where components are, from the window's corner, at scale 1."""
    return {key: look.at_scale_one(hit.box) for key, hit in look.hits.items()}


def components_of(atlas: Atlas, look: Look, state_id: str) -> set[int]:
    """Return the state's components whose place, moved by the scroll, is on the screen."""
    size = look.at_scale_one(look.window)
    move = layout_move(places_of(look), atlas.layouts[state_id], size.w, size.h)
    return atlas.expected(state_id, move, size.w, size.h)
