"""``memctl report``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memctl.base.errors import UsageError
from memctl_cli.output.envelope import jsonable, progress_bar
from memctl_cli.output.report_text import show_reports
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.reports import Report, Source
    from memctl_cli.session import Session

__all__ = ["report"]

# As of `memctl doctor`: the answer is there, and something is wrong with a store.
_DAMAGED = 5
# Fewer stores than this are read before a bar would be seen.
_MANY = 20


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
    parquet: Annotated[
        Path | None, typer.Option("--parquet", help="Write each answer as Parquet in a folder.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Write each answer as CSV in a folder.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there already.")] = False,
) -> None:
    """Report on the health, decay, recall, matching, growth or lift of stores.

    Exit 5 when a store could not be read; the others are reported all the same.

    Example: memctl report all --all-stores --since 2026-11-01 --html report.html
    """
    from memctl.reports.output_files import check_output

    session = session_of(context)
    for path, is_folder in ((html, False), (parquet, True), (csv, True)):
        if path is not None:  # refused before the work, not after it
            check_output(path, force=force, folder=is_folder)
    sources = _sources(session, all_stores=all_stores, folder=folder)
    made = _made(session, name, sources, since=since, until=until)
    written = _written(made, sources, html=html, parquet=parquet, csv=csv, force=force)
    data: Any = jsonable(made[0]) if name != "all" else [jsonable(one) for one in made]
    session.answer(
        data,
        lambda console: show_reports(console, made, written),
        count=sum(len(answer.rows) for one in made for answer in one.answers),
        extra={"written": [str(path) for path in written]},
    )
    if made[0].skipped:
        raise typer.Exit(_DAMAGED)


def _sources(session: Session, *, all_stores: bool, folder: Path | None) -> list[Source]:
    from memctl.reports import files_in, store_at, stores_at

    if all_stores and folder is not None:
        raise UsageError("--all-stores and --folder exclude each other", hint="choose one")
    if folder is not None:
        return list(files_in(folder))
    if all_stores:
        return list(stores_at(session.home))
    return [store_at(session.address, session.home)]


def _made(
    session: Session,
    name: str,
    sources: Sequence[Source],
    *,
    since: str | None,
    until: str | None,
) -> tuple[Report, ...]:
    from memctl.reports import REPORTS, make_reports

    shown = len(sources) >= _MANY and not session.as_json
    with progress_bar("reading stores", len(sources), shown=shown) as advance:
        return make_reports(
            REPORTS if name == "all" else [name],
            sources,
            since=since,
            until=until,
            settings=session.flags,
            progress=advance,
        )


def _written(
    made: Sequence[Report],
    sources: Sequence[Source],
    *,
    html: Path | None,
    parquet: Path | None,
    csv: Path | None,
    force: bool,
) -> list[Path]:
    from memctl.reports.output_files import write_tables

    written = []
    if parquet is not None:
        written += write_tables(made, parquet, "parquet", force=force)
    if csv is not None:
        written += write_tables(made, csv, "csv", force=force)
    if html is not None:
        from memctl.reports.page import write_page

        write_page(made, sources, html, force=force)
        written.append(html)
    return written
