"""One request: the store it is about, what was typed into its form, and how it is answered."""

from __future__ import annotations

import hashlib
import secrets
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from starlette.responses import HTMLResponse, RedirectResponse

from memctl.base.errors import (
    BusyError,
    ChangedMeanwhileError,
    MemctlError,
    NotFoundError,
    RefusedError,
    UsageError,
)
from memctl.store.transactions import expecting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    import jinja2
    from starlette.requests import Request
    from starlette.responses import Response

    from memctl.memory import Memory
    from memctl.store.pages import ListPage

T = TypeVar("T")

ROWS = 50  # of a page of a list
_NOTICES = 200  # kept for pages that are still to be drawn
# The status of an answer, by the first that fits.
_STATUS = (
    (ChangedMeanwhileError, 409),
    (NotFoundError, 404),
    (RefusedError, 403),
    (UsageError, 400),
    (BusyError, 503),
)


def status_of(error: MemctlError) -> int:
    """Return the status of HTTP that an error is answered with."""
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def version_of(record: object, *names: str) -> str:
    """Return a mark of what a form shows of a record: another one once any of it has changed."""
    shown = repr([getattr(record, name) for name in names])
    return hashlib.sha256(shown.encode("utf-8", "surrogatepass")).hexdigest()[:20]


@dataclass(frozen=True)
class Undo:
    """The act that takes another back: where its form is sent, and with what."""

    path: str
    fields: Mapping[str, str]


@dataclass(frozen=True)
class Notice:
    """What has just been done, shown above the next page."""

    text: str
    undo: Undo | None = None


class Act(NamedTuple):
    """An act on a row: the word for what was done, and the act that takes it back."""

    done: str
    undo: str = ""


KEPT = {
    "forget": Act("Forgotten", "restore"),
    "restore": Act("Restored", "forget"),
    "pin": Act("Pinned", "unpin"),
    "unpin": Act("Unpinned", "pin"),
}
"""The acts on what is kept or not."""


class Route(NamedTuple):
    """A page below a store's path, and what a form that is sent to it does."""

    path: str
    show: Callable[[View], Response]  # where an act is refused, it shows what was typed
    act: Callable[[View], Response] | None = None


@dataclass
class Site:
    """What all requests to one server share; `opened` opens the store of an address for one of them."""

    opened: Callable[[str], Memory]
    home: Path
    readonly: bool = False
    form_token: str = field(default_factory=secrets.token_urlsafe)
    notices: dict[str, Notice] = field(default_factory=dict)

    def keep(self, notice: Notice) -> str:
        """Keep a notice for the next page; return its name."""
        name = secrets.token_hex(8)
        self.notices[name] = notice
        while len(self.notices) > _NOTICES:
            del self.notices[next(iter(self.notices))]
        return name

    @cached_property
    def environment(self) -> jinja2.Environment:
        """The templates, each compiled once; every text is escaped."""
        import jinja2

        return jinja2.Environment(
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=jinja2.StrictUndefined,
            loader=jinja2.PackageLoader("memctl_cli.ui"),
            auto_reload=False,
        )

    def render(self, template: str, status: int, **values: Any) -> HTMLResponse:
        """Draw a page; `values` are what its template names."""
        page = self.environment.get_template(template).render(site=self, **values)
        return HTMLResponse(page, status)


class View:
    """One request on an open store, with the form that was sent; an empty one for a page."""

    def __init__(
        self, site: Site, request: Request, memory: Memory, form: Mapping[str, str]
    ) -> None:
        self.site = site
        self.request = request
        self.memory = memory
        self.form = form
        self.error: MemctlError | None = None

    @property
    def writable(self) -> bool:
        """Whether forms are drawn: where nothing can be changed, there are none."""
        return not self.site.readonly and self.memory.store.writable

    @property
    def address(self) -> str:
        """The store's address."""
        return str(self.memory.address)

    @property
    def notice(self) -> Notice | None:
        """What has just been done."""
        return self.site.notices.get(self.asked("notice"))

    @property
    def here(self) -> str:
        """The path and question of the page, for forms that come back to it."""
        if self.form:
            return local(self.form.get("back", "")) or self.request.url.path
        asked = [(k, v) for k, v in self.request.query_params.items() if k != "notice" and v]
        return self.request.url.path + (f"?{urlencode(asked)}" if asked else "")

    def asked(self, name: str, default: str = "") -> str:
        """Return a word of the page's question."""
        return self.request.query_params.get(name, default).strip()

    def typed(self, name: str, default: object = "") -> str:
        """Return the text that was typed into a field, else the value that it has."""
        return self.form.get(name, "" if default is None else str(default))

    def part(self, name: str) -> str:
        """Return a parameter of the path."""
        return str(self.request.path_params[name])

    def number(self, name: str = "id") -> int:
        """Return a parameter of the path that is a number.

        Raises
        ------
        NotFoundError
            When it is none.
        """
        given = self.part(name)
        if not given.isascii() or not given.isdecimal() or len(given) > 18:  # noqa: PLR2004
            raise NotFoundError(f'there is no "{given:.40}"', hint="choose one of a list")
        return int(given)

    def path(self, *parts: object, **asked: object) -> str:
        """Return the path of a page of this store, with its question."""
        return path_of(self.address, *parts, **asked)

    def next_page(self, page: ListPage[Any]) -> str:
        """Return the path of the page after one; empty behind the last."""
        if page.next_after is None:
            return ""
        asked = {k: v for k, v in self.request.query_params.items() if k != "notice"}
        return f"{self.request.url.path}?{urlencode({**asked, 'after': page.next_after})}"

    def time(self, at: str | None, offset: int | None = None) -> str:
        """Return a kept time as the user's clock shows it, to the minute."""
        return self.memory.store.zone.local(at, offset)[:16].replace("T", " ") if at else ""

    def page(self, template: str, **values: Any) -> HTMLResponse:
        """Draw a page of this store; where an act was refused, with its error above it."""
        status = 200 if self.error is None else status_of(self.error)
        return self.site.render(template, status, view=self, **values)

    def done(self, text: str, to: str, undo: Undo | None = None) -> Response:
        """Answer an act by the page that its form names, else `to`, with a notice of it."""
        name = self.site.keep(Notice(text, undo))
        where = urlsplit(local(self.form.get("back", "")) or to)
        asked = urlencode([*parse_qsl(where.query), ("notice", name)])
        return RedirectResponse(where._replace(query=asked).geturl(), 303)

    def act(
        self,
        kind: str,
        acts: Mapping[str, Act],
        get: Callable[[], T],
        carry_out: Callable[[str], object],
        version: Callable[[T], str],
        named: Callable[[T], str],
    ) -> Response:
        """Carry out the act of the path on a row.

        Parameters
        ----------
        kind
            The pages of such rows: ``facts``.
        get, version, named
            Return the row, its mark and its name.
        carry_out
            Takes the name of the act.
        """
        name, id_ = self.part("act"), self.part("id")
        if name not in acts:
            raise NotFoundError(f'{kind} have no "{name:.40}"')
        with self.unchanged(lambda: version(get())):
            carry_out(name)
        row, act = get(), acts[name]
        fields = {"version": version(row)}
        undo = Undo(self.path(kind, id_, act.undo), fields) if act.undo else None
        return self.done(f"{act.done}: {named(row):.200}", self.path(kind, id_), undo)

    @contextmanager
    def unchanged(self, version: Callable[[], str]) -> Iterator[None]:
        """Refuse an act inside where `version` of its row is not any more what its form has shown."""

        def check() -> None:
            if version() != self.form.get("version"):
                raise ChangedMeanwhileError(
                    "it was changed meanwhile, in another window or by an agent",
                    hint="this page shows it as it is now; nothing of yours was written",
                )

        with expecting(self.memory.store.path, check):
            yield


def path_of(address: str, *parts: object, **asked: object) -> str:
    """Return the path of a page of a store: ``/chromium~united.com/facts/f_1?status=any``."""
    path = "/".join(
        ["", address.replace("/", "~"), *(quote(str(part), safe=":") for part in parts)]
    )
    given = {name: value for name, value in asked.items() if value not in ("", None)}
    return path + (f"?{urlencode(given)}" if given else "")


def local(path: str) -> str:
    """Return a path of this server; empty where it would lead anywhere else."""
    fine = path.startswith("/") and path[1:2] not in {"/", "\\"} and path.isprintable()
    return path if fine else ""
