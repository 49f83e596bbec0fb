"""Scenes of an open page: read at once, with a handle on each element to act on it later."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.base.errors import UnusableInputError
from memctl.base.packaged import text_in
from memctl.drivers.page_world import WENT_ON, PageWorld
from memctl.scenes.scene import Scene

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Page

    from memctl.drivers.page_world import PageObject

_HERE = "memctl.drivers"
_TRIES, _APART_MS = 40, 100  # while a page goes on to another one
_STILL_MS = 2_000  # for which an element may move before it is given up


class AimedPoint(NamedTuple):
    """Where an element takes an act, in CSS pixels of the viewport, or why it takes none."""

    x: float = 0.0
    y: float = 0.0
    why: str = ""
    scrolled: bool = False


@dataclass(frozen=True, slots=True)
class HeldScene:
    """A scene, and the elements that it was read from.

    Parameters
    ----------
    scene
        What was read.
    """

    scene: Scene
    _held: PageObject

    def aim(self, node: int, *, moving: bool = False) -> AimedPoint:
        """Bring a node into view and return the point where it takes an act; `moving` ones too."""
        aimed = self._held.call(
            "(scene, [at, still]) => scene.aimAt(scene.els[at], still)",
            [node, 0 if moving else _STILL_MS],
        )
        return AimedPoint(
            aimed.get("x", 0.0), aimed.get("y", 0.0), aimed.get("why", ""), aimed["scrolled"]
        )

    def guard(self, node: int, watched: Sequence[tuple[int, str]]) -> PageObject:
        """Block presses that miss a node, or come when the texts of watched nodes have changed.

        Parameters
        ----------
        watched
            Nodes, each with the text that has to stand there.

        Returns
        -------
        handle
            Ended by `unguarded`.
        """
        return self._held.held(
            "(scene, [at, watched]) => scene.guardOf(scene.els, at, watched)",
            [node, [list(pair) for pair in watched]],
        )

    def scroll(self, node: int | None, top: int) -> bool:
        """Scroll an element, or the page for ``None``, to `top`; return whether it moved."""
        moved = self._held.call(
            """async (scene, [at, top]) => {
              const el = at === null ? document.scrollingElement : scene.els[at];
              const before = el.scrollTop;
              el.scrollTo({ top, behavior: "instant" });
              await scene.frames();
              return el.scrollTop !== before; }""",
            [node, top],
        )
        return bool(moved)

    def focus(self, node: int) -> None:
        """Give an element the focus."""
        self._held.call("(scene, at) => scene.els[at].focus()", node)

    def let_go(self) -> None:
        """Free the elements."""
        self._held.let_go()


def unguarded(guard: PageObject) -> tuple[bool, str]:
    """End a guard; return whether the press hit its node, and why it was blocked.

    A page that the press has led away from took it.
    """
    from playwright.sync_api import Error

    try:
        ended = guard.call("guard => guard.end()")
    except Error:
        return True, ""
    return bool(ended["hit"]), str(ended["why"])


def held_scene(page: Page) -> HeldScene:
    """Read what an open page shows now; a page that is going on to another one is waited for.

    Raises
    ------
    UnusableInputError
        When the page goes on to others all the time.
    playwright.sync_api.Error
        When it is gone.
    """
    from playwright.sync_api import Error

    for _ in range(_TRIES):
        try:
            began, world = time.monotonic(), PageWorld.of(page)
            world.refuse_huge()
            world.hear_handlers()
            held = world.held(_script())
            # As one text: data that is sent as such takes ten times as long for a large page.
            loads: dict[str, Any] = json.loads(held.call("scene => scene.plain"))
            return HeldScene(Scene.read(loads, seconds=time.monotonic() - began), held)
        except Error as error:
            if not WENT_ON.search(error.message):
                raise
            page.wait_for_timeout(_APART_MS)
    raise UnusableInputError("the page goes to another one all the time", hint="wait for it")


@cache
def _script() -> str:
    parts = "".join(text_in(_HERE, name) for name in ("dom.js", "scene.js", "aim.js"))
    return f"() => {{ {parts} const s = sceneOf(); return {{ els: s.els, plain: JSON.stringify(plain(s)), aimAt, guardOf, frames }}; }}"
