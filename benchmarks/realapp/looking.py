"""Looks at the screens of the app as it is served, one after another."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.apps.deeds import MLFLOW
from benchmarks.apps.environment import served
from benchmarks.apps.hotel import DJANGO, SQLITE_WEB
from benchmarks.apps.jupyterlab import SCREENS
from memctl.drivers.browser_driver import BrowserDriver

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from benchmarks.apps.deeds import App, Record, Running
    from memctl.drivers.look import Look


# -- capture -----------------------------------------------------

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


# -- web apps ----------------------------------------------------

_MORE = 4  # the situation of a deed in which the app has more rows

WEB_APPS_LEARNED = Condition("learned")
WEB_APPS_CONDITIONS = (
    Condition("unchanged"),
    Condition("other data"),
    Condition("dark theme", theme="dark"),
    Condition("1280x720", viewport=(1280, 720)),
    Condition("scale 1.5", scale=1.5),
)


@dataclass(frozen=True, slots=True)
class WebApp:
    """An app of `benchmarks.acts.apps`, and the paths of the pages that are learned."""

    app: App
    paths: Sequence[str]

    def records(self, condition: Condition) -> Sequence[Record]:
        """Return what the app holds in a condition."""
        situations = self.app.deeds[0].situations
        return situations[_MORE if condition.name == "other data" else -1].before


WEB_APPS = (
    WebApp(
        DJANGO,
        (
            "/admin/",
            "/admin/hotel/guest/",
            "/admin/hotel/guest/add/",
            "/admin/hotel/guest/1/change/",
            "/admin/hotel/guest/1/delete/",
            "/admin/auth/user/",
            "/admin/auth/group/add/",
            "/admin/password_change/",
        ),
    ),
    WebApp(
        SQLITE_WEB,
        ("/", "/guest/", "/guest/content/", "/guest/query/", "/guest/insert/", "/guest/import/"),
    ),
    WebApp(MLFLOW, ("/#/experiments", "/#/models", "/#/prompts", "/#/compare-experiments/")),
)


def web_shots(web: WebApp, cache: Path) -> dict[str, list[Shot]]:
    """Serve an app, and look at each of its pages in every condition.

    Raises
    ------
    NotInstalledError
        The app cannot be installed.
    """
    with web.app.served(cache) as running:
        return {
            one.name: _looks(web, running, one) for one in (WEB_APPS_LEARNED, *WEB_APPS_CONDITIONS)
        }


def _looks(web: WebApp, running: Running, condition: Condition) -> list[Shot]:
    running.put(web.records(condition))
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
