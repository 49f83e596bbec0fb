"""``memctl learn FOLDER`` and ``memctl watch``: many screenshots, each with what became of it."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from memctl.base.errors import UsageError
from memctl_cli.call import Answer, Call
from memctl_cli.commands.options import (
    AppVersion,
    Folder,
    Ignore,
    Ocr,
    Page,
    PageFrom,
    Window,
    areas_of,
    window_of,
)
from memctl_cli.output.envelope import as_json
from memctl_cli.output.words import counted, progress_bar, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.visual.screenshot_files import LearnedFile
    from memctl_cli.output.console import Console

_UNUSABLE, _INTERRUPTED = 2, 130
_MOST = 16  # skipped files that are named to a person; --json has all


@dataclass
class _Tally:
    """What became of the files so far; a person is named those that were skipped, JSON has all."""

    total: int | None = None
    counts: Counter[str] = field(default_factory=Counter)
    rows: list[LearnedFile] = field(default_factory=list)
    keeps_all: bool = False

    def add(self, result: LearnedFile) -> None:
        """Count one file."""
        self.counts.update(
            {result.status: 1, "components": result.learned, "states": result.state_created}
        )
        if self.keeps_all or result.status == "skipped":
            self.rows.append(result)

    @property
    def done(self) -> int:
        """How many files were looked at."""
        return sum(self.counts[status] for status in ("learned", "known", "skipped"))

    @property
    def summary(self) -> dict[str, Any]:
        """The counts, as JSON has them."""
        names = ("learned", "known", "skipped", "states", "components")
        return {
            **{name: self.counts[name] for name in names},
            "total": self.done if self.total is None else self.total,
            "interrupted": self.total is not None and self.done < self.total,
        }

    def show(self, console: Console) -> None:
        """Print the counts, and the files that were skipped."""
        counts, of = self.counts, "" if self.total is None else f" of {self.total:,}"
        console.print(
            f"learned   {counted(counts['learned'], 'screenshot')}{of}: "
            f"{counted(counts['states'], 'new state')}, {counted(counts['components'], 'new component')}"
        )
        if counts["known"]:
            console.print(f"known     {counts['known']:,}, learned before")
        skipped = [row for row in self.rows if row.status == "skipped"]
        if skipped:
            console.print(f"skipped   {len(skipped):,}")
        for row in skipped[:_MOST]:
            console.print(f"  {_why(row)}")
        if len(skipped) > _MOST:
            console.print(f"  and {len(skipped) - _MOST:,} more; --json lists all")
        if self.summary["interrupted"]:
            console.print(f"stopped   after {self.done:,}; the same command goes on from there")


def learn_files(
    call: Call,
    sources: Sequence[str],
    options: dict[str, Any],
    page_from: str | None,
    *,
    again: bool,
) -> Answer:
    """Learn many screenshots, with a bar on standard error; exit 2 where one was skipped."""
    from memctl.visual.screenshot_files import natural_order, screenshots_of

    in_order: list[str] = sorted(sources, key=natural_order)
    files = screenshots_of(in_order)
    tally = _Tally(len(files), keeps_all=call.as_json)
    with (
        call.memory() as memory,
        progress_bar("screenshots", len(files), visible=not call.as_json) as progress,
    ):
        results = memory.screenshots.learn(files, page_from=page_from, again=again, **options)
        code = 0
        try:
            for result in results:
                tally.add(result)
                progress(Path(result.path).name)
        except KeyboardInterrupt:  # what was learned is kept: each is a transaction
            code = _INTERRUPTED
    return Answer(
        tally.rows if call.as_json else None,
        tally.show,
        extra=tally.summary,
        exit_code=code or (_UNUSABLE if tally.counts["skipped"] else 0),
    )


def watch(
    call: Call,
    folder: Folder,
    page: Page = None,
    page_from: PageFrom = None,
    window: Window = None,
    ignore: Ignore = None,
    ocr: Ocr = False,
    app_version: AppVersion = None,
    existing: Annotated[
        bool, Option("--existing", help="Learn those that are there already, too.")
    ] = False,
    patience: Annotated[
        float,
        Option(help="Seconds that a file may stay broken before it is skipped.", min=0, max=86_400),
    ] = 10.0,
) -> Answer:
    """Learn the screenshots that arrive in a folder, each once it is whole, until Ctrl-C.

    It needs the extra "watch" of memctl-engine. With --json each file is one line, and the last
    line has the counts.

    Example: memctl --app harbor watch ~/Pictures/Screenshots
    """
    tally = _Tally()
    with call.memory() as memory:
        results = memory.screenshots.watch(
            folder,
            page=page,
            page_from=page_from,
            window=window_of(window),
            ocr=ocr,
            app_version=app_version,
            ignore=areas_of("--ignore", ignore),
            existing=existing,
            patience=patience,
        )
        if not call.as_json:
            print(shown(f"watching {folder}{call.in_store}; Ctrl-C ends"), file=sys.stderr)  # noqa: T201
        try:
            for result in results:
                tally.add(result)
                line = as_json(asdict(result)) if call.as_json else shown(_line(result))
                print(line, flush=True)  # noqa: T201  (this is the CLI)
        except KeyboardInterrupt:
            pass
        except UsageError:
            if not call.as_json:
                call.print(Answer(None, tally.show))
            raise
    code = _UNUSABLE if tally.counts["skipped"] else 0
    return Answer(tally.summary, tally.show, tally.done, exit_code=code)


def _line(result: LearnedFile) -> str:
    if result.status == "skipped":
        return f"skipped   {_why(result)}"
    state = f"  {result.state}{' (new)' if result.state_created else ''}" if result.state else ""
    new = f", {counted(result.learned, 'new component')}" if result.status == "learned" else ""
    return f"{result.status:<9} {result.path}{state}{new}"


def _why(row: LearnedFile) -> str:
    return row.why if row.path in row.why else f"{row.path}: {row.why}"
