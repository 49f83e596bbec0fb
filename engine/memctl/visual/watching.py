"""Watching: the screenshots that arrive in a folder, each once it is whole."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base.errors import UnusableInputError, UsageError
from memctl.visual.screenshot_files import LearnedFile, ScreenshotFile, pictures_in

if TYPE_CHECKING:
    from pathlib import Path
    from threading import Event

_TICK = 250  # milliseconds between two looks at files that are being written
_STILL = 0.2  # seconds that a file stays as it is before it is read

# What shows that a file has changed: its number, its size and its time; None where it is gone.
_Print = tuple[int, int, int] | None


@dataclass(slots=True)
class _Arrival:
    """A file that is waited for: as it was last seen, and why it cannot be learned as that."""

    file: ScreenshotFile
    seen: tuple[_Print, _Print]  # of the picture, and of the boxes beside it
    since: float
    broken: LearnedFile | None = None


class FolderWatch:
    """Finds the files of a folder that are new or have changed, and hands them on once they are whole.

    An event of the file system only says that something happened; the folder itself says what. So a
    name that is changed, a folder that is moved in and events that are lost in a burst are no cases
    of their own.
    """

    def __init__(self, folder: Path, *, patience: float, existing: bool) -> None:
        self._folder, self._patience = folder, patience
        self._place = self._inode()
        self._known = {} if existing else {f.path: _prints(f.path) for f in pictures_in(folder)}
        self._arrivals: dict[Path, _Arrival] = {}

    def results(
        self, learn: Callable[[ScreenshotFile], LearnedFile], stop: Event | None
    ) -> Iterator[LearnedFile]:
        """Yield what became of each file, as `Screenshots.watch` describes."""
        try:
            from watchfiles import watch
        except ImportError:
            hint = "pip install 'memctl-engine[watch]'"
            raise UsageError('watching a folder needs the extra "watch"', hint=hint) from None
        ticks = watch(
            self._folder,
            watch_filter=None,
            debounce=_TICK,
            rust_timeout=_TICK,
            yield_on_timeout=True,
            stop_event=stop,
            ignore_permission_denied=True,
        )
        return self._each(ticks, learn, stop)

    def _each(
        self,
        ticks: Iterator[object],
        learn: Callable[[ScreenshotFile], LearnedFile],
        stop: Event | None,
    ) -> Iterator[LearnedFile]:
        begun = False
        for events in ticks:
            if self._inode() != self._place:
                raise UnusableInputError(
                    f'"{self._folder}" is another folder now', hint="watch it anew"
                )
            if events or self._arrivals or not begun:
                self._note_arrivals()
            begun = True
            for path, arrival in list(self._arrivals.items()):
                if stop is not None and stop.is_set():
                    return
                if (result := self._result(arrival, learn)) is not None:
                    self._known[path] = self._arrivals.pop(path).seen
                    yield result

    def _note_arrivals(self) -> None:
        """Take note of what has changed in the folder, and forget what has gone."""
        now, arrivals, known = time.monotonic(), self._arrivals, self._known
        self._arrivals, self._known = {}, {}
        for file in pictures_in(self._folder):
            path, seen = file.path, _prints(file.path)
            if seen == known.get(path):
                self._known[path] = seen
            elif seen[0] is not None:
                before = arrivals.get(path)
                same = before is not None and before.seen == seen
                self._arrivals[path] = before if before and same else _Arrival(file, seen, now)

    def _result(
        self, arrival: _Arrival, learn: Callable[[ScreenshotFile], LearnedFile]
    ) -> LearnedFile | None:
        """Learn a file that does not change; return ``None`` while it may become whole."""
        waited = time.monotonic() - arrival.since
        if waited < _STILL or _prints(arrival.file.path) != arrival.seen:
            return None
        if arrival.broken is None:
            result = learn(arrival.file)
            if result.status != "skipped":
                return result
            arrival.broken = result
        return arrival.broken if waited >= self._patience else None

    def _inode(self) -> tuple[int, int]:
        """Return the device and number of the folder."""
        try:
            stat = self._folder.stat()
        except OSError as error:
            raise UnusableInputError(
                f'there is no folder "{self._folder}": {error.strerror}', hint="name a folder"
            ) from None
        if not self._folder.is_dir():
            raise UnusableInputError(f'"{self._folder}" is no folder', hint="name a folder")
        return stat.st_dev, stat.st_ino


def _prints(picture: Path) -> tuple[_Print, _Print]:
    return _print(picture), _print(picture.with_suffix(".json"))


def _print(path: Path) -> _Print:
    for follow in (True, False):  # a link that leads nowhere is named, too
        try:
            stat = path.stat(follow_symlinks=follow)
        except OSError:
            continue
        return stat.st_ino, stat.st_size, stat.st_mtime_ns
    return None
