"""A hotel's guests in Django's admin and in sqlite-web: deleted, moved to another room, added."""

from __future__ import annotations

import os
import re
import secrets
import sqlite3
import subprocess
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from benchmarks.apps.deeds import (
    App,
    Deed,
    Person,
    Record,
    Running,
    Situation,
    Table,
    scratch,
    situation,
)
from benchmarks.apps.environment import installed, running

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from memctl.drivers.browser_driver import BrowserDriver


# -- hotel -------------------------------------------------------

_COLUMNS = "id, name, city, room"
_FIRST = ("Ida", "Jon", "Kim", "Lea", "Max", "Nia", "Oda", "Per", "Rut", "Sam")
_LAST, _CITIES = ("Alm", "Beck", "Dahl", "Frank"), ("Oslo", "Graz", "Lyon", "Porto", "Turin")
_ROOMS = {
    "Ann Berg": ("Oslo", "101"),
    "Bob Cole": ("Graz", "204"),
    "Cy Dunn": ("Lyon", "117"),
    "Dora Ek": ("Oslo", "312"),
    "Eve Falk": ("Porto", "205"),
    "Ann Bergman": ("Turin", "118"),
    "Zoë O'Neill-Ås": ("Lyon", "220"),
}


def _guests(*names: str) -> tuple[Record, ...]:
    """Return rows of guests with ids from 1."""
    return tuple((at, name, *_ROOMS[name]) for at, name in enumerate(names, 1))


_FEW = _guests("Ann Berg", "Bob Cole", "Cy Dunn", "Dora Ek", "Eve Falk")
_NAMESAKES = (
    *_guests("Ann Berg", "Dora Ek", "Bob Cole"),
    (4, "Dora Ek", "Lyon", "119"),
    (5, *_FEW[2][1:]),
)
_MANY: tuple[Record, ...] = tuple(
    (at, f"{first} {last}", _CITIES[at % 5], str(400 + at))
    for at, (first, last) in enumerate(((first, last) for last in _LAST for first in _FIRST), 1)
)


def _without(name: str, before: Sequence[Record], who: str) -> Situation:
    """Return a situation in which one guest goes; of two with the name none may."""
    after = [row for row in before if row[1] != who]
    return situation(before, after, name, allowed=len(before) - len(after) == 1, who=who)


_DELETIONS = (
    _without("another row", _FEW, "Cy Dunn"),
    _without("other order", _guests(*(str(row[1]) for row in reversed(_FEW))), "Bob Cole"),
    _without("longer namesake", _guests("Ann Bergman", "Bob Cole", "Ann Berg"), "Ann Berg"),
    _without("gone", _FEW[1:], "Ann Berg"),
    _without("more rows", _MANY, "Kim Dahl"),
    _without("namesakes", _NAMESAKES, "Dora Ek"),
    _without("unusual letters", _guests("Ann Berg", "Zoë O'Neill-Ås"), "Zoë O'Neill-Ås"),
    _without("only a longer namesake", _guests("Bob Cole", "Ann Bergman"), "Ann Berg"),
    _without("the only row", _FEW[4:], "Eve Falk"),
    _without("as shown", _FEW, "Ann Berg"),
)


# -- Django's admin

_DJANGO = "django==5.2.19"
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
_FILES = {"__init__": "", "settings": _SETTINGS, "models": _MODELS, "admin": _ADMIN, "urls": _URLS}
_OWNER = ("createsuperuser", "--noinput", "--username=admin", "--email=admin@example.org")


@contextmanager
def _django(cache: Path) -> Iterator[Running]:
    django = [str(installed(_DJANGO, cache=cache)), "-m", "django"]
    with scratch() as (folder, port, root):
        package, password = folder / "hotel", secrets.token_hex(8)
        package.mkdir()
        for name, text in _FILES.items():
            package.joinpath(f"{name}.py").write_text(text, encoding="utf-8")
        env = os.environ | {
            "DJANGO_SETTINGS_MODULE": "hotel.settings",
            "DJANGO_SUPERUSER_PASSWORD": password,
            "PYTHONPATH": str(folder),
        }
        for words in (("migrate", "--run-syncdb"), _OWNER):
            # Our own installation, no shell.
            subprocess.run(  # noqa: S603
                [*django, *words], cwd=folder, env=env, check=True, capture_output=True
            )
        table = Table(folder / "hotel.db", "hotel_guest", _COLUMNS)

        def enter(driver: BrowserDriver) -> None:
            driver.goto(f"{root}/admin/login/")
            driver.page.get_by_label("Username").fill("admin")
            driver.page.get_by_label("Password").fill(password)
            driver.page.get_by_role("button", name="Log in").click()
            driver.page.get_by_role("link", name="Guests").first.wait_for()

        server = [*django, "runserver", "--noreload", f"127.0.0.1:{port}"]
        with running(server, f"{root}/admin/login/", folder, cwd=folder, env=env):
            yield Running(root, table.put, table.read, enter)


def _delete_object(person: Person) -> None:
    person.click(person.page.get_by_role("link", name=person.values["who"], exact=True))
    person.click(person.page.get_by_role("link", name="Delete", exact=True))
    person.click(person.page.get_by_role("button", name=re.compile("sure")))


def _move(person: Person) -> None:
    person.click(person.page.get_by_role("link", name=person.values["who"], exact=True))
    person.click(person.page.get_by_label("Room"))
    person.press("Control+a")
    person.type("room")
    person.click(person.page.get_by_role("button", name="Save", exact=True))


def _moved(name: str, before: Sequence[Record], who: str, room: str) -> Situation:
    """Return a situation in which one guest gets another room, but not a taken one."""
    meant = [row for row in before if row[1] == who]
    allowed = len(meant) == 1 and all(row[3] != room for row in before)
    after = [(*row[:3], room) if row in meant else row for row in before]
    return situation(before, after, name, allowed=allowed, who=who, room=room)


_MOVES = (
    _moved("another row", _FEW, "Dora Ek", "501"),
    _moved("other order", tuple((6 - int(row[0]), *row[1:]) for row in _FEW), "Bob Cole", "502"),
    _moved("a room that is taken", _FEW, "Cy Dunn", "205"),
    _moved("more rows", _MANY, "Lea Beck", "503"),
    _moved("namesakes", _NAMESAKES, "Dora Ek", "504"),
    _moved("longer namesake", _guests("Ann Berg", "Ann Bergman"), "Ann Berg", "505"),
    _moved("gone", _FEW[:3], "Eve Falk", "506"),
    _moved("unusual letters", _guests("Cy Dunn", "Zoë O'Neill-Ås"), "Zoë O'Neill-Ås", "50B"),
    _moved("another guest's room now free", _FEW[1:], "Bob Cole", "101"),
    _moved("as shown", _FEW, "Ann Berg", "500"),
)
_DELETE = Deed("delete-guest", _delete_object, _DELETIONS, destructive=True)
_MOVE = Deed("move-guest", _move, _MOVES)
DJANGO = App("django", _DJANGO, _django, "/admin/hotel/guest/", "#changelist", (_DELETE, _MOVE))


# -- sqlite-web

_SQLITE_WEB = "sqlite-web==0.8.2"
_TABLE = (
    "create table guest (id integer primary key, name text not null check (name <> ''),"
    " city text not null, room text not null unique)"
)


@contextmanager
def _sqlite_web(cache: Path) -> Iterator[Running]:
    python = installed(_SQLITE_WEB, cache=cache)
    with scratch() as (folder, port, root):
        table = Table(folder / "hotel.db", "guest", _COLUMNS)
        with closing(sqlite3.connect(table.file)) as db, db:
            db.execute(_TABLE)
        command = [str(python), "-m", "sqlite_web.sqlite_web", "-x", f"-p{port}", str(table.file)]
        with running(command, root, folder, cwd=folder, env=dict(os.environ)):
            yield Running(root, table.put, table.read)


def _delete_row(person: Person) -> None:
    row = person.page.get_by_role("row").filter(has_text=person.values["who"])
    person.click(row.get_by_role("link", name="Delete"))
    person.click(person.page.get_by_role("button", name="Delete"))


def _insert(person: Person) -> None:
    person.click(person.page.get_by_role("link", name="Insert", exact=True))
    for field in ("name", "city", "room"):
        person.click(person.page.get_by_label(field, exact=True))
        person.type(field)
    person.click(person.page.get_by_role("button", name="Insert"))


def _with(called: str, before: Sequence[Record], name: str, city: str, room: str) -> Situation:
    """Return a situation in which a guest is added; a room that is taken is refused by the app."""
    free = bool(name) and all(row[3] != room for row in before)
    new = (max((int(row[0]) for row in before), default=0) + 1, name, city, room)
    return situation(before, [*before, new], called, allowed=free, name=name, city=city, room=room)


_INSERTS = (
    _with("another guest", _FEW, "Gus Hale", "Ulm", "331"),
    _with("a room that is taken", _FEW, "Gus Hale", "Ulm", "312"),
    _with("more rows", _MANY, "Hal Ipsen", "Nice", "332"),
    _with("longer namesake", _FEW, "Ann Bergman", "Turin", "118"),
    _with("namesake", _FEW, "Ann Berg", "Ulm", "333"),
    _with("unusual letters", _FEW, "Zoë O'Neill-Ås", "Łódź", "334"),
    _with("no name", _FEW, "", "Ulm", "335"),
    _with("empty table", (), "Ivo Juul", "Oslo", "336"),
    _with("a name in another column", _NAMESAKES, "Jan Kos", "Dora Ek", "337"),
    _with("as shown", _FEW, "Finn Gade", "Bergen", "330"),
)
_REMOVE = Deed("delete-guest", _delete_row, _DELETIONS, destructive=True)
_ADD = Deed("add-guest", _insert, _INSERTS)
SQLITE_WEB = App(
    "sqlite-web", _SQLITE_WEB, _sqlite_web, "/guest/content/", "table", (_REMOVE, _ADD)
)
