"""Traffic of a page: its requests with their answers, and the dialogs that the browser showed for it."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from memctl.store.results import Result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playwright.sync_api import CDPSession, Page, Request

_KINDS = frozenset(["Document", "XHR", "Fetch", "Other", "Ping"])
_READ_ONLY = frozenset(["GET", "HEAD", "OPTIONS"])
_LONG = 3.0  # seconds after which a request is a stream or waits for news
_FRAMES = 0.15  # seconds between frames of a web socket that still brings some
_BAD = 400  # the first status of an answer that is an error


@dataclass(slots=True)
class PageRequest(Result):
    """A request of a page.

    Parameters
    ----------
    method, url
        What was asked.
    kind
        ``Document``, ``XHR`` or ``Fetch``, mostly.
    began
        When, in seconds of the system's clock.
    status
        Of its answer; 0 while there is none.
    ended
        Whether all of the answer is there, or none will come.
    failed
        Why none came; empty where one did.
    answered
        When it was answered, in seconds of the system's clock; 0 while it is not.
    """

    method: str
    url: str
    kind: str
    began: float
    status: int = 0
    ended: bool = False
    failed: str = ""
    answered: float = 0.0

    @property
    def changes(self) -> bool:
        """Whether it may change something where it was sent."""
        return self.method not in _READ_ONLY

    @property
    def words(self) -> str:
        """The method and the path of its URL: ``DELETE /orders/7``."""
        return f"{self.method} {urlsplit(self.url).path or '/'}"

    @property
    def bad(self) -> str:
        """Why its answer is no success; empty where it is one, or is not there."""
        if self.failed:
            return f"{self.words} got no answer ({self.failed})"
        return f"{self.words} was answered with {self.status}" if self.status >= _BAD else ""


@dataclass(frozen=True, slots=True)
class AskedDialog:
    """A dialog of the browser: what it asked, when, and whether that was agreed to."""

    message: str
    at: float
    agreed: bool


class PageTraffic:
    """Hears the requests and dialogs of a page until it is closed.

    Parameters
    ----------
    page
        Playwright's page.
    """

    def __init__(self, page: Page) -> None:
        self.requests: list[PageRequest] = []
        self.dialogs: list[AskedDialog] = []
        self._known: dict[str, PageRequest] = {}
        self._asking = ""
        self._cdp: CDPSession = page.context.new_cdp_session(page)
        heard = {
            "Network.requestWillBeSent": self._sent,
            "Network.responseReceived": self._answered,
            "Network.loadingFinished": self._ended,
            "Network.loadingFailed": self._failed,
            "Page.javascriptDialogOpening": self._asks,
            "Page.javascriptDialogClosed": self._told,
        }
        for event, hear in heard.items():
            self._cdp.on(event, hear)
        self._cdp.send("Network.enable")
        self._cdp.send("Page.enable")

    def close(self) -> None:
        """Hear nothing more."""
        from playwright.sync_api import Error

        with suppress(Error):  # it went with its page
            self._cdp.detach()

    def since(self, at: float, until: float = float("inf")) -> list[PageRequest]:
        """Return the requests that began in a span of time, in seconds of the system's clock."""
        return [request for request in self.requests if at <= request.began < until]

    # Playwright calls these while another call waits: none of them may call it.
    def _sent(self, event: Mapping[str, Any]) -> None:
        if event.get("type") not in _KINDS:
            return
        if (before := self._known.get(event["requestId"])) is not None:  # it was redirected
            before.status, before.ended = event.get("redirectResponse", {}).get("status", 0), True
        asked = event["request"]
        request = PageRequest(
            asked["method"], asked["url"], event["type"], float(event["wallTime"])
        )
        if request.url.startswith(("data:", "blob:", "chrome")):
            return
        self._known[event["requestId"]] = request
        self.requests.append(request)

    def _answered(self, event: Mapping[str, Any]) -> None:
        if (request := self._known.get(event["requestId"])) is not None:
            request.status, request.answered = int(event["response"]["status"]), time.time()
            # Its head is an answer: a body that nobody reads, or a stream, may have no end.
            request.ended = request.ended or request.kind != "Document"

    def _ended(self, event: Mapping[str, Any]) -> None:
        if (request := self._known.get(event["requestId"])) is not None:
            request.ended = True

    def _failed(self, event: Mapping[str, Any]) -> None:
        if (request := self._known.get(event["requestId"])) is not None:
            request.ended = True
            if not request.status and not event.get("canceled"):
                request.failed = str(event.get("errorText", "")).removeprefix("net::ERR_").lower()
            elif not request.status:
                request.failed = "given up"

    def _asks(self, event: Mapping[str, Any]) -> None:
        self._asking = str(event.get("message", ""))

    def _told(self, event: Mapping[str, Any]) -> None:
        self.dialogs.append(AskedDialog(self._asking, time.time(), bool(event["result"])))


class OpenRequests:
    """Requests of a page that have no answer yet, and frames of its web sockets."""

    _of: ClassVar[WeakKeyDictionary[Page, OpenRequests]] = WeakKeyDictionary()

    def __init__(self, page: Page) -> None:
        self._open: dict[Request, float] = {}
        self._frame_at = 0.0
        page.on("request", self._sent)
        page.on("response", lambda answer: self._ended(answer.request))
        page.on("requestfailed", self._ended)
        page.on("websocket", lambda socket: socket.on("framereceived", self._brought))

    @classmethod
    def of(cls, page: Page) -> OpenRequests:
        """Return those of a page, which are heard from the first call on."""
        if page not in cls._of:
            cls._of[page] = cls(page)
        return cls._of[page]

    def moving(self) -> str:
        """Return the requests that are open right now; empty where there are none."""
        now = time.monotonic()
        for request, began in self._open.items():
            if now - began < _LONG:
                return f"{request.method} {urlsplit(request.url).path or '/'} is not answered"
        return "a web socket brings frames" if now - self._frame_at < _FRAMES else ""

    def _sent(self, request: Request) -> None:
        if request.resource_type in {"xhr", "fetch"}:
            self._open[request] = time.monotonic()

    def _ended(self, request: Request) -> None:
        self._open.pop(request, None)

    def _brought(self, _: object) -> None:
        self._frame_at = time.monotonic()
