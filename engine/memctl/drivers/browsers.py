"""Browsers that are installed: Chromium, Chrome or Edge is looked for, and none is downloaded."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from memctl.base.errors import NotFoundError, UnusableInputError

# The page's script asks elements for checkVisibility and :popover-open, which 114 brought.
OLDEST_BROWSER = 114
_ON_THE_PATH = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "microsoft-edge-stable",
    "msedge",
)
_MAC = ("Google Chrome", "Chromium", "Microsoft Edge")
_WINDOWS = (
    r"Google\Chrome\Application\chrome.exe",
    r"Chromium\Application\chrome.exe",
    r"Microsoft\Edge\Application\msedge.exe",
)
_HINT = 'install Chromium, Chrome or Edge, or name one: --set browser_path="/path/to/chrome"'


def find_browser(path: str = "") -> str:
    """Return the path of a browser: `path` where it is given, else the first one installed.

    Raises
    ------
    NotFoundError
        When there is no such file, or no Chromium, Chrome or Edge is installed.
    """
    if path:
        chosen = shutil.which(os.fspath(Path(path).expanduser()))
        if chosen is None:
            raise NotFoundError(f'there is no browser "{path}"', hint=_HINT)
        return chosen
    for candidate in (*_ON_THE_PATH, *_usual_places()):
        found = shutil.which(candidate)
        if found:
            return found
    raise NotFoundError("no Chromium, Chrome or Edge is installed", hint=_HINT)


def _usual_places() -> list[str]:
    """Return where this system installs browsers that are not on the PATH."""
    if sys.platform == "darwin":
        return [f"/Applications/{name}.app/Contents/MacOS/{name}" for name in _MAC]
    variables = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")
    folders = [os.environ[name] for name in variables if os.environ.get(name)]
    return [rf"{folder}\{file}" for folder in folders for file in _WINDOWS]


def check_version(version: str) -> None:
    """Refuse a browser that is too old for the page's script.

    Parameters
    ----------
    version
        As a browser says it: ``"131.0.6778.85"``.

    Raises
    ------
    UnusableInputError
        When it is older than `OLDEST_BROWSER`.
    """
    major = version.partition(".")[0]
    if major.isdigit() and int(major) < OLDEST_BROWSER:
        raise UnusableInputError(
            f'the browser is too old: version "{version}"',
            hint=f"{OLDEST_BROWSER} or later is needed; another one is named by browser_path",
        )
