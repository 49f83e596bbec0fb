"""Django's admin, sqlite-web and mlflow: their pages by URL, with data that change."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.acts.apps.hotel import DJANGO, SQLITE_WEB
from benchmarks.acts.apps.mlflow_server import MLFLOW
from benchmarks.realapp.capture import Condition, Shot
from memctl.drivers.browser_driver import BrowserDriver

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from benchmarks.acts.apps.deeds import App, Record, Running

_SECONDS = 20.0  # for a page of an app that starts slowly
_MORE = 4  # the situation of a deed in which the app has more rows

LEARNED = Condition("learned")
CONDITIONS = (
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
        return {one.name: _looks(web, running, one) for one in (LEARNED, *CONDITIONS)}


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
