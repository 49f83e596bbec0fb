"""``memctl report``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memctl.base.errors import UsageError
from memctl_cli.output.envelope import jsonable, progress_bar
from memctl_cli.output.report_files import show_changes, show_folder, show_page
from memctl_cli.output.report_text import first_rows, show_reports
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memctl.reports.answers import Report
    from memctl.reports.key_figures import EarlierReport
    from memctl.reports.sources import Source
    from memctl_cli.output.console import Console
    from memctl_cli.session import Session

# As of `memctl doctor`: the answer is there, and something is wrong with a store.
_DAMAGED = 5
# Fewer stores than this are read before a bar would be seen; a page takes longer.
_MANY = 20
# Stores that a page shows at most, and what else it takes: plots and tables, then the writing.
_DRAWN, _STEPS = 12, 2


def report(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(help="health, decay, recall, matching, growth, lift or all.")
    ] = "health",
    all_stores: Annotated[
        bool, typer.Option("--all-stores", help="Every store of this home, not only --app.")
    ] = False,
    folder: Annotated[
        Path | None, typer.Option("--folder", help="Every .db file below this folder instead.")
    ] = None,
    since: Annotated[
        str | None, typer.Option("--since", help="Only what happened from this time on, ISO-8601.")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", help="Only what happened before this time, ISO-8601.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option("--html", help="Write one page with plots and pictures.")
    ] = None,
    against: Annotated[
        Path | None,
        typer.Option("--against", help="Compare with an earlier page, or earlier --json output."),
    ] = None,
    parquet: Annotated[
        Path | None, typer.Option("--parquet", help="Write each answer as Parquet in a folder.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Write each answer as CSV in a folder.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there already.")] = False,
    limit: Annotated[
        int | None,
        typer.Option("--limit", min=1, help="Most rows of a table; else 16, and all with --json."),
    ] = None,
) -> None:
    """Report on the health, decay, recall, matching, growth or lift of stores.

    Exit 5 when a store could not be read; the others are reported all the same.

    Example: memctl report all --all-stores --html new.html --against old.html
    """
    from memctl.reports.key_figures import compare, plain_figures, read_earlier
    from memctl.reports.output_files import check_output

    session = session_of(context)
    outputs = [(html, False), (parquet, True), (csv, True)]
    for path, is_folder in outputs:  # refused before the work, not after it
        if path is not None:
            check_output(path, force=force, folder=is_folder)
    earlier = read_earlier(against) if against is not None else None
    sources = _sources(session, all_stores=all_stores, folder=folder)
    names = _names(name)
    shown = (html is not None or len(sources) >= _MANY) and not session.as_json
    steps = len(sources) + len(names)
    steps += min(len(sources), _DRAWN) + _STEPS if html is not None else 0
    with progress_bar("reading stores", steps, shown=shown) as advance:
        made = _made(session, names, sources, since=since, until=until, progress=advance)
        tables = _written(made, parquet=parquet, csv=csv, force=force)
        if html is not None:
            _write_page(made, sources, html, force=force, earlier=earlier, progress=advance)
    comparison = compare(earlier, made) if earlier is not None else None

    def say(console: Console) -> None:
        if html is None:
            show_reports(console, made, limit)
        else:
            show_page(console, html, made)
        for each, files in tables:
            show_folder(console, each, len(files))
        if comparison is not None:
            show_changes(console, comparison)

    told = [first_rows(one, limit) for one in made] if limit else list(made)
    data: Any = told if name == "all" else told[0]
    total, count = _rows(made), _rows(told)
    written = [
        *(str(file) for _, files in tables for file in files),
        *([str(html)] if html else []),
    ]
    session.answer(
        data,
        say,
        count=count,
        extra={
            "total": total,
            "more": total - count,
            "written": written,
            "figures": plain_figures(made),
            **({"against": jsonable(comparison)} if comparison else {}),
        },
    )
    if made[0].skipped:
        raise typer.Exit(_DAMAGED)


def _rows(made: Sequence[Report]) -> int:
    return sum(len(answer.rows) for one in made for answer in one.answers)


def _names(name: str) -> Sequence[str]:
    from memctl.reports.questions import REPORTS

    return REPORTS if name == "all" else [name]


def _sources(session: Session, *, all_stores: bool, folder: Path | None) -> list[Source]:
    from memctl.reports.sources import files_in, store_at, stores_at

    if all_stores and folder is not None:
        raise UsageError("--all-stores and --folder exclude each other", hint="choose one")
    if folder is not None:
        return list(files_in(folder))
    if all_stores:
        return list(stores_at(session.home))
    return [store_at(session.address, session.home)]


def _made(
    session: Session,
    names: Sequence[str],
    sources: Sequence[Source],
    *,
    since: str | None,
    until: str | None,
    progress: Callable[[str], object],
) -> tuple[Report, ...]:
    from memctl.reports.report import make_reports

    return make_reports(
        names, sources, since=since, until=until, settings=session.flags, progress=progress
    )


def _written(
    made: Sequence[Report], *, parquet: Path | None, csv: Path | None, force: bool
) -> list[tuple[Path, list[Path]]]:
    """Return the folders that were filled, with their files."""
    from memctl.reports.output_files import write_tables

    tables = []
    if parquet is not None:
        tables.append((parquet, write_tables(made, parquet, "parquet", force=force)))
    if csv is not None:
        tables.append((csv, write_tables(made, csv, "csv", force=force)))
    return tables


def _write_page(
    made: Sequence[Report],
    sources: Sequence[Source],
    path: Path,
    *,
    force: bool,
    earlier: EarlierReport | None,
    progress: Callable[[str], object],
) -> None:
    from memctl.reports.page.page import write_page

    write_page(made, sources, path, force=force, against=earlier, progress=progress)
