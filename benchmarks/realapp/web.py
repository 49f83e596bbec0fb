"""Django's admin, sqlite-web and mlflow, served on loopback, with few records or with many."""

from __future__ import annotations

import os
import secrets
import sqlite3
import subprocess
import tempfile
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.realapp.environment import free_port, installed, running

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from memctl.drivers.browser_driver import BrowserDriver

Record = tuple[str | int, ...]  # a row or an experiment, as the app keeps it
_COLUMNS = "id, name, city, room"
_FEW: Sequence[Record] = (
    (1, "Ann Berg", "Oslo", "101"),
    (2, "Bob Cole", "Graz", "204"),
    (3, "Cy Dunn", "Lyon", "117"),
    (4, "Dora Ek", "Oslo", "312"),
    (5, "Eve Falk", "Porto", "205"),
)
_FIRST = ("Ida", "Jon", "Kim", "Lea", "Max", "Nia", "Oda", "Per", "Rut", "Sam")
_LAST, _CITIES = ("Alm", "Beck", "Dahl", "Frank"), ("Oslo", "Graz", "Lyon", "Porto", "Turin")
_MANY: Sequence[Record] = tuple(
    (at, f"{first} {last}", _CITIES[at % 5], str(400 + at))
    for at, (first, last) in enumerate(((first, last) for last in _LAST for first in _FIRST), 1)
)


@dataclass(frozen=True, slots=True)
class Running:
    """A running app: its root, its records past its pages (``put``), and signing in."""

    root: str
    put: Callable[[Sequence[Record]], None]
    enter: Callable[[BrowserDriver], None] = lambda _: None


@dataclass(frozen=True, slots=True)
class WebApp:
    """An app that can be installed and served, and the paths of the pages that are learned."""

    name: str
    requirement: str
    served: Callable[[Path], AbstractContextManager[Running]]
    few: Sequence[Record]
    many: Sequence[Record]
    paths: Sequence[str]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of an app's own database; a row with the id 0 is the app's and is let be.

    Parameters
    ----------
    columns
        The columns of a record, with commas.
    also
        A statement that fills the others.
    """

    file: Path
    name: str
    columns: str
    also: str = ""

    def put(self, records: Sequence[Record]) -> None:
        """Write the rows anew."""
        marks = ",".join("?" * len(self.columns.split(",")))
        insert = f"insert into {self.name} ({self.columns}) values ({marks})"  # noqa: S608  # ours
        with closing(sqlite3.connect(self.file, timeout=20)) as db, db:
            db.execute(f"delete from {self.name} where rowid > 0")  # noqa: S608  # ours too
            db.executemany(insert, records)
            db.execute(self.also)


@contextmanager
def _scratch() -> Iterator[tuple[Path, str, str]]:
    """Yield a folder that goes afterwards, a free port, and the root of an app that is served there."""
    # Windows keeps files open until their process has ended.
    with tempfile.TemporaryDirectory(
        prefix="memctl-realapp-", ignore_cleanup_errors=True
    ) as folder:
        port = str(free_port())
        yield Path(folder), port, f"http://127.0.0.1:{port}"


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
    with _scratch() as (folder, port, root):
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
            yield Running(root, table.put, enter)


# -- sqlite-web

_SQLITE_WEB = "sqlite-web==0.8.2"
_TABLE = (
    "create table guest (id integer primary key, name text not null check (name <> ''),"
    " city text not null, room text not null unique)"
)


@contextmanager
def _sqlite_web(cache: Path) -> Iterator[Running]:
    python = installed(_SQLITE_WEB, cache=cache)
    with _scratch() as (folder, port, root):
        table = Table(folder / "hotel.db", "guest", _COLUMNS)
        with closing(sqlite3.connect(table.file)) as db, db:
            db.execute(_TABLE)
        command = [str(python), "-m", "sqlite_web.sqlite_web", "-x", f"-p{port}", str(table.file)]
        with running(command, root, folder, cwd=folder, env=dict(os.environ)):
            yield Running(root, table.put)


# -- mlflow

_MLFLOW = "mlflow==3.17.2"
_QUIET = {
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "DO_NOT_TRACK": "true",
    "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false",
}
_MADE = (  # one a minute, the last one first on the page
    "update experiments set artifact_location = 'mlflow-artifacts:/' || experiment_id,"
    " creation_time = 1700000000000 + 60000 * experiment_id,"
    " last_update_time = 1700000000000 + 60000 * experiment_id where experiment_id > 0"
)


@contextmanager
def _mlflow(cache: Path) -> Iterator[Running]:
    python = installed(_MLFLOW, cache=cache)
    with _scratch() as (folder, port, root):
        file = folder / "mlflow.db"
        table = Table(file, "experiments", "name, lifecycle_stage", _MADE)
        options = (f"--backend-store-uri=sqlite:///{file}", "--workers=1", f"--port={port}")
        command = [str(python), "-m", "mlflow", "server", *options]
        with running(command, f"{root}/health", folder, cwd=folder, env=os.environ | _QUIET):
            yield Running(root, table.put)


WEB_APPS = (
    WebApp(
        "django",
        _DJANGO,
        _django,
        _FEW,
        _MANY,
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
        "sqlite-web",
        _SQLITE_WEB,
        _sqlite_web,
        _FEW,
        _MANY,
        ("/", "/guest/", "/guest/content/", "/guest/query/", "/guest/insert/", "/guest/import/"),
    ),
    WebApp(
        "mlflow",
        _MLFLOW,
        _mlflow,
        [(name, "active") for name in ("sales-week", "churn", "pricing", "forecast")],
        [
            (f"{what}-{week}", "active")
            for week in range(1, 6)
            for what in ("basket", "fraud", "uplift", "stock")
        ],
        ("/#/experiments", "/#/models", "/#/prompts", "/#/compare-experiments/"),
    ),
)
