"""``memctl fleet report``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from typer import Option

from memctl.base.counting import counted
from memctl_cli.call import Answer, Call
from memctl_cli.commands.fleet_places import Jobs, Places, Scheduler, named_places
from memctl_cli.commands.options import Text
from memctl_cli.commands.report import Force, Page, ReportName, Rows, Since, Until, report_answer
from memctl_cli.output.report_text import show_page, show_reports
from memctl_cli.output.words import progress_bar

if TYPE_CHECKING:
    from memctl_cli.output.console import Console


def report(
    call: Call,
    name: ReportName,
    into: Annotated[
        str,
        Option(
            "--into",
            metavar="DIR",
            help="Folder or s3://… of the parts: what is read of each store.",
        ),
    ],
    places: Places = None,
    texts: Annotated[
        bool, Option("--texts", help="Keep texts in the parts; else numbers stand for them.")
    ] = False,
    since: Since = None,
    until: Until = None,
    html: Page = None,
    force: Force = False,
    jobs: Jobs = 1,
    scheduler: Scheduler = None,
    memory: Annotated[
        Text, Option("--memory", metavar="SIZE", help="Most memory for the answers: 500MB.")
    ] = None,
    limit: Rows = None,
) -> Answer:
    """Report on all stores; only those that have changed since the last report are read again.

    Exit 5 when a store could not be read; the others are reported all the same.

    Example: memctl fleet report health ~/memory --into ~/fleet --jobs 2
    """
    from memctl import fleet as engine
    from memctl.fleet.fleet_report import make_fleet_reports
    from memctl.reports.output_files import check_output
    from memctl.reports.questions import REPORTS

    if html is not None:  # refused before the work, not after it
        check_output(html, force=force, folder=False)
    names = REPORTS if name == "all" else [name]
    listed = engine.stores(named_places(call, places, scheduler), scheduler=scheduler)
    with progress_bar(
        "reading stores", len(listed) + len(names), visible=not call.as_json
    ) as advance:
        made = make_fleet_reports(
            names,
            listed,
            into=into,
            texts=texts,
            since=since,
            until=until,
            settings=call.flags,
            jobs=jobs,
            scheduler=scheduler,
            memory_limit=memory,
            progress=advance,
        )
        if html is not None:
            from memctl.reports.page.page import write_page

            write_page(made.reports, made.sources, html, force=force, progress=advance)

    def show(console: Console) -> None:
        parts = f"{made.read:,} read, {made.kept:,} unchanged"
        skipped = f", {len(made.skipped):,} not read" if made.skipped else ""
        console.print(f"{counted(made.read + made.kept, 'store')}: {parts}{skipped}")
        if not texts:
            console.print("(text 1) stands for a text; --texts keeps them in the parts")
        if html is None:
            show_reports(console, made.reports, limit)
        else:
            show_page(console, html, made.reports)

    counts = {
        "read": made.read,
        "kept": made.kept,
        "removed": made.removed,
        "skipped": len(made.skipped),
    }
    extra = {"counts": counts, "written": [str(html)] if html else []}
    return report_answer(name, made.reports, limit, show, extra)
