"""Where a run's time goes: the app, the eyes that look at it, or deciding."""

from __future__ import annotations

import functools
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from memctl.drivers.browser_driver import BrowserDriver
from memctl.drivers.hands import Hands
from memctl.procedural.running.run_page import RunPage
from memctl.visual.visual import Visual

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_EYES = (
    (RunPage, ("held",)),
    (BrowserDriver, ("look",)),
    (Visual, ("locate", "match")),
)
_APP = (
    (Hands, ("click", "hover", "drag", "type", "press", "scroll", "goto")),
    (RunPage, ("pause", "quiet")),
)


@contextmanager
def timed() -> Iterator[dict[str, Any]]:
    """Split the seconds of what is done meanwhile.

    ``eyes_s``: screenshots, and matching them; ``app_s``: acting, and waiting for the app without
    looking at it; ``deciding_s``: the rest. ``checks`` counts how often the page was read.
    """
    spent: dict[str, Any] = {"eyes_s": 0.0, "app_s": 0.0, "checks": 0}
    depth = {"eyes_s": 0, "app_s": 0}
    began = time.perf_counter()
    with ExitStack() as stack:
        for share, places in (("eyes_s", _EYES), ("app_s", _APP)):
            for owner, names in places:
                for name in names:
                    measured = _measured(getattr(owner, name), share, spent, depth)
                    stack.enter_context(patch.object(owner, name, measured))
        yield spent
    total = time.perf_counter() - began
    spent["app_s"] -= spent.pop("nested_s", 0.0)
    spent["deciding_s"] = total - spent["eyes_s"] - spent["app_s"]
    spent |= {key: round(value, 3) for key, value in spent.items() if isinstance(value, float)}


def _measured(
    function: Callable[..., Any], share: str, spent: dict[str, Any], depth: dict[str, int]
) -> Callable[..., Any]:
    """Return a function that adds its time to a share; eyes within a wait are the eyes' time."""

    @functools.wraps(function)
    def measured(*args: Any, **kwargs: Any) -> Any:
        depth[share] += 1
        began = time.perf_counter()
        try:
            return function(*args, **kwargs)
        finally:
            seconds = time.perf_counter() - began
            depth[share] -= 1
            if depth[share] == 0:
                spent[share] += seconds
                if share == "eyes_s":
                    spent["checks"] += function.__name__ == "held"
                    if depth["app_s"]:
                        spent["nested_s"] = spent.get("nested_s", 0.0) + seconds

    return measured
