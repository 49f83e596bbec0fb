"""Files of screenshots: folders and patterns of them, in order, and the names of their pages."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from glob import iglob
from pathlib import Path
from typing import Literal

from memctl.base.errors import UnusableInputError, UsageError
from memctl.base.pattern import Pattern
from memctl.guard.door import MAX_NAME
from memctl.store.results import Result

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]

PICTURES = frozenset(
    {".png", ".jpg", ".jpeg", ".webp", ".bmp", ".dib", ".gif", ".tif", ".tiff", ".ppm"}
)
"""Endings of files that are looked for in a folder."""
# Words of names that only count or say when, as programs make them: "Screenshot 2026-11-20 at
# 10.22.31", "frame_0012", a digest.
_OF_PROGRAMS = Pattern(
    r"(?<![^\W\d_])(?:(?:[0-9a-f]{4,8}-){4}[0-9a-f]{12}|[0-9a-f]{12,}|screen[ _-]?shots?|screen|shot"
    r"|snapshot|snip|capture d.écran|captura(?: de pantalla)?|capture|bildschirmfoto|schermata|image|img"
    r"|pic|picture|photo|frame|at|from|am|pm|um|vom|von)(?![^\W\d_])|(?:屏幕)?截[图屏]|スクリーンショット",
    re.IGNORECASE,
)
# A number or a date behind a name: one more look at the same page.
_COUNTER = Pattern(r"(?:[\W_]+\d+)+[\W_]*\Z")
_DIGITS = Pattern(r"(\d+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class ScreenshotFile:
    """A file that may be a screenshot, and its path below the folder that was named."""

    path: Path
    name: str

    def __fspath__(self) -> str:
        return str(self.path)


@dataclass(frozen=True, slots=True)
class LearnedFile(Result):
    """What became of one of many screenshots.

    Parameters
    ----------
    path
        The file.
    status
        ``learned``; ``known``, where the same picture of the same page was learned before; or
        ``skipped``.
    why
        Why it was skipped.
    page
        The page that it was learned as; ``None`` where its name only counts, or is a time.
    state, state_created
        The id of the state that it shows, and whether that is new.
    learned, refused
        How many components were added, and how many boxes were not.
    boxes
        The file of the boxes beside it, if there is one.
    """

    path: str
    status: Literal["learned", "known", "skipped"]
    why: str = ""
    page: str | None = None
    state: str | None = None
    state_created: bool = False
    learned: int = 0
    refused: int = 0
    boxes: str | None = None


class PageNames:
    """Names the page of each file: one for all, by an expression, or by the name of the file."""

    def __init__(self, page: str | None, page_from: str | None) -> None:
        if page is not None and page_from is not None:
            raise UsageError("page and page_from exclude each other", hint="give one of them")
        self._page, self._source = page, page_from
        try:
            self._pattern = None if page_from is None else re.compile(page_from)
        except (re.error, OverflowError, RecursionError) as error:
            raise UsageError(
                f'page_from "{page_from}" is no regular expression: {error}', hint=r"(.+)-\d+"
            ) from None

    def __call__(self, file: ScreenshotFile) -> str | None:
        """Return the page of a file; ``None`` where a program has only counted.

        Raises
        ------
        UnusableInputError
            When the expression does not fit.
        """
        if self._page is not None:
            return self._page
        if self._pattern is not None:
            if page := self._found(file.name):
                return page
            raise UnusableInputError(f'page_from "{self._source}" does not fit "{file.name}"')
        stem = Path(file.name).stem
        says = any(map(str.isalpha, _OF_PROGRAMS.sub("", stem)))
        return _COUNTER.sub("", stem)[:MAX_NAME].strip() if says else None

    def _found(self, name: str) -> str:
        match = self._pattern.search(name) if self._pattern else None
        if match is None:
            return ""
        group = "page" if "page" in match.re.groupindex else min(1, match.re.groups)
        return (match[group] or "").strip()

    def refuse_unfit(self, files: Sequence[ScreenshotFile]) -> None:
        """Refuse an expression that fits none of the files."""
        if self._pattern is None or any(self._found(file.name) for file in files):
            return
        raise UsageError(
            f'page_from "{self._source}" fits none of the {len(files):,} files, '
            f'such as "{files[0].name}"',
            hint="it is searched in the path below the folder; its first group is the page",
        )


def natural_order(text: str) -> tuple[list[object], str]:
    """Return the key by which people sort names: ``shot2`` comes before ``shot10``."""
    parts = _DIGITS.compiled.split(text.casefold())
    return [int(part) if at % 2 else part for at, part in enumerate(parts)], text


def screenshots_of(source: Paths) -> list[ScreenshotFile]:
    """Return the files of folders, patterns and paths, each once, in order.

    Raises
    ------
    UnusableInputError
        When one of them has none.
    """
    listed = [source] if isinstance(source, (str, os.PathLike)) else list(source)
    files = {file.path: file for given in listed for file in _files_of(given)}
    if not files:
        raise UnusableInputError("no screenshots are named", hint="name a folder")
    return list(files.values())


def _files_of(source: str | os.PathLike[str]) -> list[ScreenshotFile]:
    if isinstance(source, ScreenshotFile):
        return [source]
    given = os.fspath(source)
    path = Path(given).expanduser()
    signs = [given.find(sign) for sign in "*?[" if sign in given]
    if path.is_dir():
        files = pictures_in(path)
    elif path.exists() or not signs:
        return [ScreenshotFile(path, path.name)]
    else:
        fixed = Path(f"{given[: min(signs)]}x").expanduser().parent
        met = [Path(name) for name in iglob(str(path), recursive=True)]  # noqa: PTH207 (see below)
        whole = [inner.path for each in met if each.is_dir() for inner in pictures_in(each)]
        alone = [each for each in met if each.suffix.lower() in PICTURES and not each.is_dir()]
        files = _named(dict.fromkeys([*whole, *alone]), fixed)
    if not files:
        what = "holds" if path.is_dir() else "fits"
        endings = " ".join(sorted(PICTURES))
        raise UnusableInputError(f'"{given}" {what} no screenshot', hint=f"files of {endings}")
    return files


def pictures_in(folder: Path) -> list[ScreenshotFile]:
    """Return the pictures in a folder and below, in the order of their names.

    Links to folders are not followed, and hidden files and folders are left out.
    """

    def refuse(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):  # it went while it was read
            raise UnusableInputError(f'"{error.filename}" cannot be read: {error.strerror}')

    met: list[Path] = []
    for where, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        met += [
            Path(where, name)
            for name in names
            if not name.startswith(".") and Path(name).suffix.lower() in PICTURES
        ]
    return _named(met, folder)


def _named(paths: Iterable[Path], root: Path) -> list[ScreenshotFile]:
    below = [ScreenshotFile(path, path.relative_to(root).as_posix()) for path in paths]
    return sorted(below, key=lambda file: natural_order(file.name))
