"""``memctl report``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from typer import Argument, Option

from memctl.base.counting import counted
from memctl.base.errors import UsageError
from memctl_cli.call import Answer, Call
from memctl_cli.commands.options import AllStores, Text
from memctl_cli.completed_values import offered
from memctl_cli.output.envelope import jsonable
from memctl_cli.output.report_text import first_rows, show_changes, show_page, show_reports
from memctl_cli.output.words import progress_bar, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memctl.reports.answers import Report
    from memctl.reports.sources import Source
    from memctl_cli.output.console import Console

# Options of every command that reports.
ReportName = Annotated[
    str,
    Argument(
        help="health, decay, recall, matching, growth, lift or all.",
        autocompletion=offered("report"),
    ),
]
Since = Annotated[Text, Option(help="Only what happened from this time on, ISO-8601.")]
Until = Annotated[Text, Option(help="Only what happened before this time, ISO-8601.")]
Page = Annotated[Path | None, Option(help="Write one page with plots and pictures.")]
Force = Annotated[bool, Option("--force", help="Replace what is there already.")]
Rows = Annotated[
    int | None, Option(min=1, help="Most rows of a table; else 16, and all with --json.")
]
# As of `memctl doctor`: the answer is there, and something is wrong with a store.
_DAMAGED = 5
# Fewer stores than this are read before a bar would be seen; a page takes longer.
_MANY = 20
# Stores that a page shows at most, and what else it takes: plots and tables, then the writing.
_DRAWN, _STEPS = 12, 2


def report(
    call: Call,
    name: ReportName = "health",
    all_stores: AllStores = False,
    folder: Annotated[Path | None, Option(help="Every .db file below this folder instead.")] = None,
    since: Since = None,
    until: Until = None,
    html: Page = None,
    against: Annotated[
        Path | None, Option(help="Compare with an earlier page, or earlier --json output.")
    ] = None,
    parquet: Annotated[
        Path | None, Option(help="Write each answer as Parquet in a folder.")
    ] = None,
    csv: Annotated[Path | None, Option(help="Write each answer as CSV in a folder.")] = None,
    force: Force = False,
    limit: Rows = None,
) -> Answer:
    """Report on the health, decay, recall, matching, growth or lift of stores.

    Exit 5 when a store could not be read; the others are reported all the same.

    Example: memctl report all --all-stores --html new.html --against old.html
    """
    from memctl.reports.key_figures import compare, read_earlier
    from memctl.reports.output_files import check_output, write_tables
    from memctl.reports.questions import REPORTS
    from memctl.reports.report import make_reports

    kinds: tuple[tuple[Path | None, Literal["parquet", "csv"]], ...]
    kinds = ((parquet, "parquet"), (csv, "csv"))
    folders = [(path, kind) for path, kind in kinds if path is not None]
    if html is not None:  # refused before the work, not after it
        check_output(html, force=force, folder=False)
    for path, _ in folders:
        check_output(path, force=force, folder=True)
    earlier = read_earlier(against) if against is not None else None
    sources = _sources(call, all_stores=all_stores, folder=folder)
    names = REPORTS if name == "all" else [name]
    visible = (html is not None or len(sources) >= _MANY) and not call.as_json
    steps = len(sources) + len(names)
    steps += min(len(sources), _DRAWN) + _STEPS if html is not None else 0
    with progress_bar("reading stores", steps, visible=visible) as advance:
        made = make_reports(
            names, sources, since=since, until=until, settings=call.flags, progress=advance
        )
        tables = [(path, write_tables(made, path, kind, force=force)) for path, kind in folders]
        if html is not None:
            from memctl.reports.page.page import write_page

            write_page(made, sources, html, force=force, against=earlier, progress=advance)
    comparison = compare(earlier, made) if earlier is not None else None

    def show(console: Console) -> None:
        if html is None:
            show_reports(console, made, limit)
        else:
            show_page(console, html, made)
        for path, files in tables:
            console.print(f"written  {shown(path)}  {counted(len(files), 'file')}", soft_wrap=True)
        if comparison is not None:
            show_changes(console, comparison)

    written = [str(file) for _, files in tables for file in files] + ([str(html)] if html else [])
    extra = {"written": written, **({"against": jsonable(comparison)} if comparison else {})}
    return report_answer(name, made, limit, show, extra)


def report_answer(
    name: str,
    made: Sequence[Report],
    limit: int | None,
    show: Callable[[Console], None],
    extra: dict[str, Any],
) -> Answer:
    """Return the answer of a command that reports; with `limit` only the first rows of each."""
    from memctl.reports.key_figures import plain_figures

    first = [first_rows(each, limit) for each in made] if limit else list(made)
    total, count = (
        sum(len(answer.rows) for each in reports for answer in each.answers)
        for reports in (made, first)
    )
    counts = {"total": total, "more": total - count, "figures": plain_figures(made)}
    data: Any = first if name == "all" else first[0]
    code = _DAMAGED if made[0].skipped else 0
    return Answer(data, show, count, {**counts, **extra}, exit_code=code)


def _sources(call: Call, *, all_stores: bool, folder: Path | None) -> list[Source]:
    from memctl.reports.sources import files_in, store_at, stores_at

    if all_stores and folder is not None:
        raise UsageError("--all-stores and --folder exclude each other", hint="choose one")
    if folder is not None:
        return list(files_in(folder))
    return list(stores_at(call.home)) if all_stores else [store_at(call.address, call.home)]
