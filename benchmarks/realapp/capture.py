"""Looks at the screens of the app as it is served, one after another."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.realapp.screens import SCREENS
from benchmarks.realapp.serving import served
from memctl.drivers.browser_driver import BrowserDriver

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.drivers.look import Look

__all__ = ["CONDITIONS", "LEARNED", "Condition", "Shot", "shots"]

_SECONDS = 20.0  # for a step: the first kernel of an installation starts slowly


@dataclass(frozen=True, slots=True)
class Condition:
    """How the app is served and looked at."""

    name: str
    version: str = "4.1"
    theme: str = "light"
    viewport: tuple[int, int] = (1440, 900)
    scale: float = 1.0


LEARNED = Condition("learned")
CONDITIONS = (
    Condition("unchanged"),
    Condition("version 4.6", version="4.6"),
    Condition("dark theme", theme="dark"),
    Condition("1280x720", viewport=(1280, 720)),
    Condition("scale 1.5", scale=1.5),
)


@dataclass(frozen=True, slots=True)
class Shot:
    """A look at one screen; ``seconds`` is what the look took, without the steps to get there."""

    screen: str
    look: Look
    seconds: float


def shots(condition: Condition, cache: Path) -> Iterator[Shot]:
    """Serve the app and look at each of its screens.

    Raises
    ------
    NotInstalledError
        This version of the app cannot be installed.
    """
    with (
        served(condition.version, theme=condition.theme, cache=cache) as app,
        BrowserDriver(
            viewport=condition.viewport, scale=condition.scale, timeout=_SECONDS
        ) as driver,
    ):
        driver.page.set_default_timeout(_SECONDS * 1000)
        for screen in SCREENS:
            app.reset()
            driver.goto(app.url)
            screen.reach(driver.page)
            started = time.perf_counter()
            look = driver.look()
            yield Shot(screen.name, look, time.perf_counter() - started)
