"""Other matchers on the same screenshot: milliseconds for one template."""

from __future__ import annotations

import importlib
import time
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["RIVALS", "time_rivals"]

Picture = np.ndarray[Any, np.dtype[np.uint8]]


def _pyscreeze() -> Callable[[Picture, Picture], object]:
    module = importlib.import_module("pyscreeze")
    setattr(module, "USE_IMAGE_NOT_FOUND_EXCEPTION", False)  # noqa: B010 - it has no types
    return lambda screen, template: list(module.locateAll(template, screen, confidence=0.8))


def _mtm() -> Callable[[Picture, Picture], object]:
    module = importlib.import_module("MTM")
    return lambda screen, template: module.matchTemplates(
        [("t", template)], screen, score_threshold=0.8
    )


RIVALS = {"pyscreeze": _pyscreeze, "MTM": _mtm}
"""Name and what makes a function of (screen, template); both come with the extra ``bench``."""


def time_rivals(screen: Picture, some: list[Picture]) -> dict[str, float | None]:
    """Return the median milliseconds for one template; None for what is not installed."""
    figures: dict[str, float | None] = {}
    for name, make in RIVALS.items():
        try:
            locate = make()
        except ImportError:
            figures[name] = None
            continue
        taken = []
        for template in some:
            started = time.perf_counter()
            locate(screen, template)
            taken.append((time.perf_counter() - started) * 1000)
        figures[name] = float(np.median(taken))
    return figures
