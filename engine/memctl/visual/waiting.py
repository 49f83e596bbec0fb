"""Waiting: looks at a screen again and again, until a state or a component is there."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from memctl.base.errors import NotFoundError, UsageError
from memctl.base.near_words import meant
from memctl.store.results import Result
from memctl.visual.graph.components import Components
from memctl.visual.graph.states import States
from memctl.visual.match_results import Location, Match

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memctl.store.store import Store
    from memctl.visual.ignored_areas import Area
    from memctl.visual.match_results import ScreenPicture
    from memctl.visual.visual import Visual, Window


@dataclass(frozen=True, slots=True)
class Waited(Result):
    """The answer of a wait: whether the state or component came, and the last screen.

    Parameters
    ----------
    name
        The state or component that was waited for.
    found
        Whether it was there before the time was over.
    match
        The state and components of the last look.
    location
        Where the component is, or why not; ``None`` for a state.
    looks, seconds
        How many looks were taken, and how long that took.
    """

    name: str
    found: bool
    match: Match
    location: Location | None
    looks: int
    seconds: float

    def __bool__(self) -> bool:
        return self.found


def wait_for(
    store: Store,
    visual: Visual,
    name: str | int,
    look: Callable[[], ScreenPicture],
    *,
    window: Window | None = None,
    timeout: float,
    interval: float,
    record: bool,
    ignore: Sequence[Area] = (),
) -> Waited:
    """Look until a state or component is there, as `memctl.Memory.wait` describes."""
    if not (0 <= timeout < float("inf") and 0 <= interval < float("inf")):
        raise UsageError("a wait takes seconds from 0 on", hint="such as --timeout 10")
    states = _states_called(store, name)
    if not states:
        _refuse_unknown(store, name)
    began = time.monotonic()
    looks = 0
    of_screen: dict[str, Any] = {"window": window, "ignore": ignore}
    while True:
        seen = look()
        looks += 1
        location = (
            None if states else visual.locate(name, seen.image, boxes=seen.boxes, **of_screen)
        )
        if location is not None:
            found = location.found
        else:
            shown = visual.match(seen.image, record=False, boxes=seen.boxes, **of_screen)
            found = bool({one.id for one in (shown.state, *shown.also) if one} & states)
        if found or time.monotonic() - began + interval > timeout:
            break
        time.sleep(interval)
    seconds = round(time.monotonic() - began, 3)
    match = visual.match(seen.image, record=record, boxes=seen.boxes, **of_screen)
    return Waited(str(name), found, replace(match, note=seen.note), location, looks, seconds)


def _states_called(store: Store, name: str | int) -> set[str]:
    """Return the states of an id, a name or a page."""
    if isinstance(name, int) or not store.exists:
        return set()
    return {one.id for one in States(store).list() if name in {one.id, one.name, one.page}}


def _refuse_unknown(store: Store, name: str | int) -> None:
    try:
        Components(store).called(name)
    except NotFoundError as error:
        raise NotFoundError(
            f'neither a state nor a component is called "{name}"',
            hint=meant(str(name), States(store).called(), error.hint),
        ) from None
