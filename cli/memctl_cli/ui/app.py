"""The server's application: who may ask, what is answered, and how errors look."""

from __future__ import annotations

import secrets
from importlib import resources
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route as Path

from memctl.base.errors import (
    MemctlError,
    NotFoundError,
    ReadOnlyError,
    RefusedError,
    StoreError,
    UnusableInputError,
)
from memctl.entry import list_stores
from memctl_cli.serving import Gate
from memctl_cli.ui import facts, recall, reports, screens, settings, skills, start, talk
from memctl_cli.ui.view import Route, Site, View, path_of, status_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

PAGES: tuple[Route, ...] = (
    *start.PAGES,
    *facts.PAGES,
    *talk.PAGES,
    *recall.PAGES,
    *screens.PAGES,
    *skills.PAGES,
    *reports.PAGES,
    *settings.PAGES,
)
_MOST_TYPED = 2_000_000  # bytes of a form
_MOST_FIELDS = 200
_METHODS = {False: ["GET"], True: ["GET", "POST"]}
# Nothing of a page comes from elsewhere, and none runs that is not a file of this package. With
# "no-referrer", forms would be sent without an origin.
_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
_STATIC = {"ui.css": "text/css", "ui.js": "text/javascript", "look.css": "text/css"}


def application_of(site: Site, token: str, once: str = "") -> ASGIApp:
    """Return the application of a site, for who knows the token.

    `once` opens it one time: what a program is started with, others on the machine can read.
    """

    async def stores(request: Request) -> Response:
        found = await run_in_threadpool(list_stores, site.home)
        rows = [(store, path_of(store.app, "")) for store in found]
        return site.render("stores.html", 200, stores=rows, url=request.url.path)

    async def unknown(request: Request, error: Exception) -> Response:  # noqa: ARG001
        return _error_page(site, NotFoundError("there is no such page"), "")

    async def broken(request: Request, error: Exception) -> Response:  # noqa: ARG001
        wrong = MemctlError("memctl itself made an error", hint="the terminal shows where")
        return _error_page(site, wrong, "")

    routes = [Path("/", stores), *(Path(f"/static/{name}", _static) for name in _STATIC)]
    routes += [
        Path(f"/{{store}}/{page.path}", _endpoint(site, page), methods=_METHODS[bool(page.act)])
        for page in PAGES
    ]
    handlers: Any = {404: unknown, 405: unknown, 500: broken}
    return Gate(_Door(Starlette(routes=routes, exception_handlers=handlers), site, token, once))


def _endpoint(site: Site, route: Route) -> Callable[[Request], Awaitable[Response]]:
    async def answer(request: Request) -> Response:
        try:
            form = await _form(request) if request.method == "POST" else {}
            return await run_in_threadpool(_answer, site, route, request, form)
        except MemctlError as error:
            return _error_page(site, error, request.path_params["store"])

    return answer


def _answer(site: Site, route: Route, request: Request, form: Mapping[str, str]) -> Response:
    """Answer a request with the store open for it alone."""
    if request.method == "POST":
        if site.readonly:
            raise ReadOnlyError(
                "these pages are read-only", hint="start memctl ui without --readonly"
            )
        if not _equal(form.get("form_token", ""), site.form_token):
            raise RefusedError("this form is not of this server", hint="load its page again")
    with site.opened(request.path_params["store"].replace("~", "/")) as memory:
        view = View(site, request, memory, form)
        if request.method != "POST" or route.act is None:
            return route.show(view)
        try:
            return route.act(view)
        except StoreError:
            raise
        except MemctlError as error:
            view.error = error
            return route.show(view)


async def _form(request: Request) -> dict[str, str]:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MOST_TYPED:
            raise UnusableInputError(
                "that is too much to be sent", hint="memctl import takes files"
            )
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS))
    except ValueError:
        raise UnusableInputError("this form cannot be read", hint="load its page again") from None


def _error_page(site: Site, error: MemctlError, store: str) -> Response:
    home = (
        path_of(store, "") if store and not isinstance(error, (StoreError, NotFoundError)) else "/"
    )
    response = site.render("error.html", status_of(error), error=error, back=home)
    if response.status_code == 503:  # noqa: PLR2004
        response.headers["retry-after"] = "5"
    return response


async def _static(request: Request) -> Response:
    name = request.scope["path"].rpartition("/")[2]
    of = ("memctl.reports.page", "templates") if name == "look.css" else (__package__, "static")
    text = resources.files(of[0]).joinpath(of[1], name).read_bytes()
    return Response(text, media_type=_STATIC[name])


class _Door:
    """Passes requests on that carry the token, once in the URL and then in a cookie."""

    def __init__(self, application: ASGIApp, site: Site, token: str, once: str) -> None:
        self._application = application
        self._site = site
        self._token, self._once = token, once or token
        self._cookie = secrets.token_urlsafe()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or refuse it: 401 without the token, 403 for a foreign form."""
        if scope["type"] != "http":
            return await self._application(scope, receive, send)

        async def secured(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        response = self._instead(Request(scope))
        return await (response or self._application)(scope, receive, secured)

    def _instead(self, request: Request) -> Response | None:
        """Return the answer to a request that may not pass; ``None`` where it may."""
        # A browser sends the cookies of one port to all of a host.
        name = f"memctl_ui_{request.url.port or 80}"
        given = request.query_params.get("token")
        if given is not None and request.method == "GET":
            if _equal(given, self._once):
                self._once = self._token
            elif not _equal(given, self._token):
                return self._refused()
            rest = [(k, v) for k, v in request.query_params.multi_items() if k != "token"]
            to = request.url.path + (f"?{urlencode(rest)}" if rest else "")
            response = RedirectResponse(to if to[1:2] not in {"/", "\\"} else "/", 303)
            response.set_cookie(name, self._cookie, httponly=True, samesite="strict")
            return response
        # A store may be called "static"; and a part of the URL is what the client calls the host.
        if request.scope["path"] in {f"/static/{name}" for name in _STATIC}:
            return None
        if not _equal(request.cookies.get(name, ""), self._cookie):
            return self._refused()
        if request.method not in {"GET", "HEAD"} and "origin" not in request.headers:
            wrong = RefusedError("a form is sent by a page of this server", hint="use a browser")
            return _error_page(self._site, wrong, "")
        return None

    def _refused(self) -> Response:
        wrong = RefusedError(
            "this address needs its token",
            hint='open the whole address that "memctl ui" has printed',
        )
        response = _error_page(self._site, wrong, "")
        response.status_code = 401
        return response


def _equal(given: str, secret: str) -> bool:
    return secrets.compare_digest(given.encode("utf-8", "surrogatepass"), secret.encode())
