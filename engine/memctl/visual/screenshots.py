"""Many screenshots: a folder of them is learned one by one, or watched for those that arrive."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memctl.base.arguments import checked_class
from memctl.base.errors import SecretRefusedError, UsageError
from memctl.visual.reading.input_files import read_limited
from memctl.visual.screenshot_files import (
    LearnedFile,
    PageNames,
    Paths,
    ScreenshotFile,
    screenshots_of,
)
from memctl.visual.watching import FolderWatch

if TYPE_CHECKING:
    from threading import Event

    from memctl.visual.frame import Frame
    from memctl.visual.ignored_areas import Area
    from memctl.visual.visual import Visual, Window

_MOST_BOXES = 64 * 1024 * 1024  # bytes of their file


@checked_class
class Screenshots:
    """Files of screenshots, with the boxes of ``shot.png`` in ``shot.json``: learn many, watch a folder."""

    def __init__(self, visual: Callable[[], Visual]) -> None:
        self._visual = visual

    def learn(
        self,
        source: Paths,
        *,
        page: str | None = None,
        page_from: str | None = None,
        window: Window | None = None,
        ocr: bool = False,
        app_version: str | None = None,
        ignore: Sequence[Area] = (),
        again: bool = False,
    ) -> Iterator[LearnedFile]:
        """Learn many screenshots one by one, each in a transaction, and yield what became of each.

        One that cannot be used is skipped, and the rest is learned. What was learned before as the
        same page is known, and changes nothing.

        Parameters
        ----------
        source
            A folder with its subfolders, a pattern such as ``shots/*.png``, a file, or several of
            these. Files of a folder or pattern come in the order of their names, ``shot2`` before
            ``shot10``; hidden ones and links to folders are left out.
        page
            The page of all of them; else the name of each, without its ending and the number or
            date behind it; none where a program has only counted.
        page_from
            A regular expression that is searched in the path below the folder: the group ``page``,
            or the first, is the page. A file that it does not fit is skipped.
        window, ocr, app_version, ignore
            As for `memctl.Memory.learn`.
        again
            Learn what is known once more.

        Raises
        ------
        UnusableInputError
            When there is no screenshot.
        UsageError
            When the expression cannot be read, or fits none of them.
        """
        files, page_of = screenshots_of(source), PageNames(page, page_from)
        page_of.refuse_unfit(files)
        if ocr:
            from memctl.visual.reading.ocr import refuse_missing

            refuse_missing()
        options = {"window": window, "ocr": ocr, "app_version": app_version, "ignore": ignore}
        return map(_Learner(self._visual(), page_of, options, again=again), files)

    def watch(
        self,
        folder: str | os.PathLike[str],
        *,
        page: str | None = None,
        page_from: str | None = None,
        window: Window | None = None,
        ocr: bool = False,
        app_version: str | None = None,
        ignore: Sequence[Area] = (),
        existing: bool = False,
        patience: float = 10.0,
        stop: Event | None = None,
    ) -> Iterator[LearnedFile]:
        """Learn the screenshots that arrive in a folder, for as long as it is iterated; needs ``watch``.

        A file is learned once it is whole: its size stays, and its picture can be read to the end.

        Parameters
        ----------
        folder
            The folder, with its subfolders.
        page, page_from, window, ocr, app_version, ignore
            As for `learn`.
        existing
            Learn those that are there already, too.
        patience
            Seconds that a file may stay broken before it is skipped; when it changes then, it is
            tried again.
        stop
            Ends the watch once it is set.

        Raises
        ------
        UsageError
            When the extra ``watch`` is not installed, or the expression cannot be read.
        UnusableInputError
            When there is no such folder, or it is removed or replaced meanwhile.
        """
        page_of = PageNames(page, page_from)
        options = {"window": window, "ocr": ocr, "app_version": app_version, "ignore": ignore}
        watch = FolderWatch(Path(folder).expanduser(), patience=patience, existing=existing)
        return watch.results(_Learner(self._visual(), page_of, options, again=False), stop)


class _Learner:
    """Learns one file after another, all with the same options."""

    def __init__(
        self, visual: Visual, page_of: PageNames, options: dict[str, Any], *, again: bool
    ) -> None:
        self._visual, self._page_of, self._options, self._again = visual, page_of, options, again
        # The boxes with which each picture of each page was met: one picture may have several.
        self._met: dict[tuple[str | None, str], list[bytes]] = {}

    def __call__(self, file: ScreenshotFile) -> LearnedFile:
        """Learn one file, unless it is known."""
        path, beside = str(file.path), file.path.with_suffix(".json")
        boxes = str(beside) if beside.is_file() else None
        page = None
        try:
            page = self._page_of(file)
            check = None if self._again else partial(self._refuse_known, boxes, page)
            made = self._visual.learn(path, boxes, page=page, check=check, **self._options)
        except _KnownError:
            return LearnedFile(path, "known", page=page, boxes=boxes)
        except (UsageError, SecretRefusedError) as error:
            return LearnedFile(path, "skipped", error.message, page, boxes=boxes)
        except FileNotFoundError as error:
            return LearnedFile(path, "skipped", f'"{error.filename}" has gone', page)
        state = made.state.id if made.state else None
        added, refused = len(made.learned), len(made.refused)
        return LearnedFile(
            path, "learned", "", page, state, made.state_created, added, refused, boxes
        )

    def _refuse_known(self, boxes: str | None, page: str | None, frame: Frame) -> None:
        """Raise an error where a screenshot was learned with these boxes before."""
        since, content = _stamp_of(boxes) if boxes else ("", b"")
        met = self._met.setdefault((page, frame.sha256), [])
        if content not in met:
            met.append(content)
        window = self._options["window"]
        times = self._visual.times_learned(frame, page=page, window=window, since=since)
        if times > met.index(content):
            raise _KnownError


class _KnownError(Exception):
    """Ends the learning of what is known."""


def _stamp_of(path: str) -> tuple[str, bytes]:
    """Return when a file was changed last, as times are kept, and a digest of what is in it."""
    moment = datetime.fromtimestamp(int(Path(path).stat().st_mtime), UTC)
    digest = sha256(read_limited(path, most=_MOST_BOXES, what="a boxes file")).digest()
    return moment.isoformat().replace("+00:00", "Z"), digest
