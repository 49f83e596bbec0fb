"""Django's admin on a hotel's guests: a guest is deleted, a guest gets another room."""

from __future__ import annotations

import os
import re
import secrets
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.acts.apps.deeds import PAUSE, App, Deed, Record, Situation
from benchmarks.acts.apps.guests import (
    GUESTS,
    MANY,
    NAMESAKES,
    deletions,
    numbered,
    put_guests,
    read_guests,
)
from benchmarks.realapp.environment import installed
from benchmarks.realapp.serving import free_port, running

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from playwright.sync_api import Page

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.drivers.demonstration import Demonstration

__all__ = ["DJANGO"]

_REQUIREMENT = "django==5.2.19"
_SETTINGS = """from pathlib import Path
DEBUG, SECRET_KEY, ROOT_URLCONF = True, "of a benchmark", "hotel.urls"
STATIC_URL, DEFAULT_AUTO_FIELD, ALLOWED_HOSTS = "static/", "django.db.models.BigAutoField", ["*"]
INSTALLED_APPS = ["hotel", *(f"django.contrib.{name}" for name in (
    "admin", "auth", "contenttypes", "sessions", "messages", "staticfiles"))]
MIDDLEWARE = ["django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware"]
TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True,
    "OPTIONS": {"context_processors": [f"django.{name}" for name in (
        "template.context_processors.request", "contrib.auth.context_processors.auth",
        "contrib.messages.context_processors.messages")]}}]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3",
    "NAME": Path(__file__).parent.parent / "hotel.db"}}
"""
_MODELS = """from django.db import models
class Guest(models.Model):
    name = models.CharField(max_length=40)
    city = models.CharField(max_length=40)
    room = models.CharField(max_length=3, unique=True)
    def __str__(self):
        return self.name
"""
_ADMIN = """from django.contrib import admin
from hotel.models import Guest
@admin.register(Guest)
class GuestAdmin(admin.ModelAdmin):
    list_display = ("room", "name", "city")
    list_display_links = ("name",)
"""
_URLS = """from django.contrib import admin
from django.urls import path
urlpatterns = [path("admin/", admin.site.urls)]
"""
_FILES = {
    "__init__": "",
    "settings": _SETTINGS,
    "models": _MODELS,
    "admin": _ADMIN,
    "urls": _URLS,
}


@dataclass(frozen=True, slots=True)
class _Hotel:
    root: str
    file: Path
    password: str

    def put(self, records: Sequence[Record]) -> None:
        put_guests(self.file, "hotel_guest", records)

    def read(self) -> Sequence[Record]:
        return read_guests(self.file, "hotel_guest")

    def enter(self, driver: BrowserDriver) -> None:
        """Sign in as the superuser."""
        driver.goto(f"{self.root}/admin/login/")
        driver.page.get_by_label("Username").fill("admin")
        driver.page.get_by_label("Password").fill(self.password)
        driver.page.get_by_role("button", name="Log in").click()
        driver.page.get_by_role("link", name="Guests").first.wait_for()


@contextmanager
def _served(cache: Path) -> Iterator[_Hotel]:
    python = installed(_REQUIREMENT, cache=cache)
    with tempfile.TemporaryDirectory(prefix="memctl-acts-", ignore_cleanup_errors=True) as scratch:
        folder, port = Path(scratch), free_port()
        hotel = _Hotel(f"http://127.0.0.1:{port}", folder / "hotel.db", secrets.token_hex(8))
        package = folder / "hotel"
        package.mkdir()
        for name, text in _FILES.items():
            package.joinpath(f"{name}.py").write_text(text, encoding="utf-8")
        own = {"DJANGO_SETTINGS_MODULE": "hotel.settings", "PYTHONPATH": str(folder)}
        own["DJANGO_SUPERUSER_PASSWORD"] = hotel.password
        env = os.environ | own
        django = [str(python), "-m", "django"]
        owner = ["createsuperuser", "--noinput", "--username=admin", "--email=a@example.org"]
        for command in (["migrate", "-v0", "--run-syncdb"], owner):
            # Our own installation, no shell.
            subprocess.run(  # noqa: S603
                [*django, *command], cwd=folder, env=env, check=True, capture_output=True
            )
        server = [*django, "runserver", "--noreload", f"127.0.0.1:{port}"]
        with running(server, f"{hotel.root}/admin/login/", folder, cwd=folder, env=env):
            yield hotel


def _delete(page: Page, shown: Demonstration, values: Mapping[str, str]) -> None:
    page.get_by_role("link", name=values["who"], exact=True).click()
    shown.wait(PAUSE)
    page.get_by_role("link", name="Delete", exact=True).click()
    shown.wait(PAUSE)
    page.get_by_role("button", name=re.compile("sure")).click()
    shown.wait(PAUSE)


def _move(page: Page, shown: Demonstration, values: Mapping[str, str]) -> None:
    page.get_by_role("link", name=values["who"], exact=True).click()
    shown.wait(PAUSE)
    page.get_by_label("Room").click()
    page.keyboard.press("Control+a")
    shown.wait(PAUSE)
    page.keyboard.type(values["room"])
    shown.wait(PAUSE)
    page.get_by_role("button", name="Save", exact=True).click()
    shown.wait(PAUSE)


def _moved(name: str, before: Sequence[Record], who: str, room: str) -> Situation:
    """Return a situation in which one guest gets another room: not a taken one, nor a longer one."""
    meant = [row for row in before if row[1] == who]
    taken = len(room) > 3 or any(row[3] == room for row in before)
    after = [(*row[:3], room) if row in meant else row for row in before]
    doable = len(meant) == 1 and not taken
    return Situation(name, before, {"who": who, "room": room}, after if doable else None)


_BERGMAN, _ZOE = ("Ann Bergman", "Turin", "118"), ("Zoë O'Neill-Ås", "Lyon", "220")
_MOVES = (
    _moved("another row", GUESTS, "Dora Ek", "501"),
    _moved("other order", tuple((6 - int(row[0]), *row[1:]) for row in GUESTS), "Bob Cole", "502"),
    _moved("a room that is taken", GUESTS, "Cy Dunn", "205"),
    _moved("more rows", MANY, "Lea Beck", "503"),
    _moved("namesakes", NAMESAKES, "Dora Ek", "504"),
    _moved(
        "longer namesake", numbered(_ZOE, ("Ann Berg", "Oslo", "101"), _BERGMAN), "Ann Berg", "505"
    ),
    _moved("gone", GUESTS[:3], "Eve Falk", "506"),
    _moved("unusual letters", numbered(_ZOE, _BERGMAN), "Zoë O'Neill-Ås", "50B"),
    _moved("another guest's room now free", GUESTS[1:], "Bob Cole", "101"),
    _moved("as shown, another room", GUESTS, "Ann Berg", "507"),
)
_LIST = "/admin/hotel/guest/"
DJANGO = App(
    "django",
    _REQUIREMENT,
    _served,
    "#changelist",
    (
        Deed(
            "delete-guest",
            _LIST,
            _delete,
            Situation("shown", GUESTS, {"who": "Ann Berg"}, GUESTS[1:]),
            deletions(),
            destructive=True,
        ),
        Deed("move-guest", _LIST, _move, _moved("shown", GUESTS, "Ann Berg", "500"), _MOVES),
    ),
)
