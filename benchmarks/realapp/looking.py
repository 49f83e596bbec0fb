"""Looks at the screens of the apps as they are served, one after another, in each condition."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.realapp.environment import served
from benchmarks.realapp.jupyterlab import SCREENS
from memctl.drivers.browser_driver import BrowserDriver

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.realapp.web import Running, WebApp
    from memctl.drivers.look import Look


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


def lab_shots(cache: Path) -> dict[str, list[Shot]]:
    """Look at all screens of JupyterLab in all conditions.

    Raises
    ------
    NotInstalledError
        A version of the app cannot be installed.
    """
    return {one.name: list(_shots(one, cache)) for one in (LEARNED, *CONDITIONS)}


def _shots(condition: Condition, cache: Path) -> Iterator[Shot]:
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


WEB_CONDITIONS = tuple(
    Condition("other data") if one.version != LEARNED.version else one for one in CONDITIONS
)


def web_shots(web: WebApp, cache: Path) -> dict[str, list[Shot]]:
    """Serve an app, and look at each of its pages in every condition.

    Raises
    ------
    NotInstalledError
        The app cannot be installed.
    """
    with web.served(cache) as running:
        return {one.name: _looks(web, running, one) for one in (LEARNED, *WEB_CONDITIONS)}


def _looks(web: WebApp, running: Running, condition: Condition) -> list[Shot]:
    running.put(web.many if condition.name == "other data" else web.few)
    with BrowserDriver(
        viewport=condition.viewport,
        scale=condition.scale,
        dark=condition.theme == "dark",
        timeout=_SECONDS,
    ) as driver:
        running.enter(driver)
        shots = []
        for path in web.paths:
            driver.goto(running.root + path)
            started = time.perf_counter()
            look = driver.look()
            shots.append(Shot(path, look, time.perf_counter() - started))
    return shots
