"""Errors of pages: one line that names the page, the reason and the way out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from memctl.base.errors import UnusableInputError, UsageError
from memctl.base.home import parse_address

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Error, Response

_CLOSED = "has been closed"
# What a page did, by the words of Playwright.
_DID = {
    "crashed": "crashed its tab of the browser",
    _CLOSED: "closed its window",
    "no object with guid": "closed its window",
    "Download is starting": "is a download, not a page",
}
# Playwright, of a page whose window, tab or browser is gone, or that it left itself.
_GONE = re.compile(
    "has been closed|crashed|Connection closed|Event loop is closed|no object with guid"
)
_NO_DESKTOP = "without having a XServer"
_NET = re.compile(r"net::ERR_([A-Z_0-9]+)")
_UNAUTHORIZED, _FIRST_ERROR = 401, 400


def shown_url(url: str) -> str:
    """Return a URL without its user, password, query and fragment, which may be secrets."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}{parts.path}" if host else f"{parts.scheme}:"


def site_of(url: str) -> str:
    """Return the address of the store of a URL's site: ``chromium/localhost+8000``.

    Raises
    ------
    UsageError
        When the URL names no host, or none that is allowed.
    """
    try:
        return str(parse_address(f"chromium/{url}"))
    except UsageError as error:
        raise UsageError(f'URL "{shown_url(url)}" names no site', hint=error.hint) from None


def refuse_answer(url: str, answers: Sequence[Response]) -> None:
    """Refuse answers of which the page's own, the last one, is no page of the app.

    Parameters
    ----------
    answers
        All that a browser got while it opened the URL, pictures of the page included.

    Raises
    ------
    UnusableInputError
        When the status of the answer is 400 or above.
    """
    own = [one for one in answers if _is_of_page(one)]
    answer = own[-1] if own else None
    if answer is None or answer.status < _FIRST_ERROR:
        return
    if answer.status == _UNAUTHORIZED:
        raise UnusableInputError(
            f'"{shown_url(url)}" asks for a password (HTTP 401)',
            hint="write http://USER:PASSWORD@HOST/..., or name a signed-in profile: --profile DIR",
        )
    said = f"{answer.status} {answer.status_text}".strip()
    raise UnusableInputError(
        f'"{shown_url(url)}" answers with an error: HTTP {said}', hint="check the URL"
    )


def _is_of_page(answer: Response) -> bool:
    request = answer.request
    return request.is_navigation_request() and request.frame.parent_frame is None


def refuse_other_site(asked: str, reached: str) -> None:
    """Refuse a page of another site than the one that was asked for.

    Raises
    ------
    UnusableInputError
        When the page that was reached would belong to another store.
    """
    if reached.startswith(("http://", "https://")) and site_of(asked) == site_of(reached):
        return
    raise UnusableInputError(
        f'"{shown_url(asked)}" redirects to another site: "{shown_url(reached)}"',
        hint="give that URL, or a profile that is signed in: --profile DIR",
    )


def is_lost(error: Error) -> bool:
    """Return whether a page hangs, crashed or is closed, by the error of a call."""
    from playwright.sync_api import TimeoutError as TimedOut

    return isinstance(error, TimedOut) or _GONE.search(error.message) is not None


def page_error(url: str, error: Error, timeout: float, did: str = "") -> UnusableInputError:
    """Return the error of a page that could not be opened or looked at.

    `did`: ``given up`` for one that was closed because it hung, ``crashed`` for one that did.
    """
    from playwright.sync_api import TimeoutError as TimedOut

    name = shown_url(url)
    for said, what in _DID.items():
        if did != "given up" and said in f"{did} {error.message}":
            return UnusableInputError(f'"{name}" {what}', hint="does it open by hand?")
    # A page that was given up is closed; what had asked it a value is told only that.
    if isinstance(error, TimedOut) or _CLOSED in error.message:
        return UnusableInputError(
            f'"{name}" does not answer within {timeout:g} s', hint="is the app running?"
        )
    if "invalid URL" in error.message:
        return UnusableInputError("that is no URL", hint="write http://localhost:8000/orders")
    net = _NET.search(error.message)
    if net:
        reason = net[1].lower().replace("_", " ")
        return UnusableInputError(
            f'"{name}" does not answer: {reason}', hint="check the URL; is the app running?"
        )
    return UnusableInputError(f'"{name}" cannot be looked at: {_first_line(error)}')


def open_page_error(path: str, error: Error) -> UnusableInputError:
    """Return the error of a browser that does not start."""
    if _NO_DESKTOP in error.message:
        return UnusableInputError(
            "there is no desktop here that a browser could show its window on",
            hint="sit at one; a browser that is headless shows none",
        )
    return UnusableInputError(
        f'the browser "{path}" does not start: {_first_line(error)}',
        hint="another one is named by --set browser_path=...",
    )


def lost_page_error(url: str, error: Error) -> UnusableInputError:
    """Return the error of an act in a page that takes none: it was closed, or its browser ended."""
    name = shown_url(url)
    if _GONE.search(error.message):
        return UnusableInputError(
            f'"{name}" is not open any more: it was closed, or its browser ended',
            hint="open it in a new BrowserDriver",
        )
    return UnusableInputError(f'"{name}" took no act: {_first_line(error)}')


def _first_line(error: Error) -> str:
    return error.message.strip().partition("\n")[0][:200]
