"""Expected components: those that should be on a screen and were not found, and why not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.store import statements
from memctl.visual.learning.recognition import components_of

if TYPE_CHECKING:
    from memctl.config.settings import Settings
    from memctl.store.store import Store
    from memctl.visual.learning.recognition import Recognised
    from memctl.visual.learning.sightings import Sightings
    from memctl.visual.learning.state_index import StateIndex

__all__ = ["expected_on"]

COMPONENTS = statements.load("store/component")


def expected_on(
    store: Store,
    settings: Settings,
    index: StateIndex,
    seen: Sightings,
    recognised: Recognised | None,
    page: str | None,
) -> list[int]:
    """Return the components that should be on this screen and were not found.

    Under ``forgetting = expected`` those are the recognised state's, except what a scroll
    moved off the screen, and those learned on the named page; under ``everywhere`` all.
    """
    everything = set(seen.misses)
    if settings.get("forgetting") == "everywhere":
        return sorted(everything)
    expected: set[int] = set()
    if recognised is not None:
        expected |= components_of(index, seen, recognised)
    elif page is not None:
        expected |= {row["id"] for row in store.rows(COMPONENTS.learned_on, {"page": page})}
    return sorted(expected & everything)
