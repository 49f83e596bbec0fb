"""The page: reports, graphs and pictures of many stores in one HTML file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.counting import counted
from memctl.reports.output_files import save
from memctl.reports.page.plots import plots_of
from memctl.reports.page.rendering import FigureView, Page, ReportView, rendered
from memctl.reports.page.shown_stores import Limits, read_shown
from memctl.reports.page.tables import table_of

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence
    from pathlib import Path

    from memctl.reports.answers import Report
    from memctl.reports.page.shown_stores import ShownStores
    from memctl.reports.page.stores import Figures
    from memctl.reports.sources import Source

__all__ = ["MOST_BYTES", "page_of", "write_page"]

MOST_BYTES = 5_000_000
"""No page is larger: it is mailed, and opened on telephones."""

_MOST_NAMED = 40


def write_page(
    reports: Sequence[Report],
    sources: Sequence[Source],
    path: str | os.PathLike[str],
    *,
    force: bool = False,
) -> Path:
    """Write reports and what their stores look like into one HTML file that needs nothing else.

    Parameters
    ----------
    reports
        As `memctl.reports.report.make_reports` made them.
    sources
        The stores they are about; one that cannot be read is named on the page.
    path
        The file, less than 5 MB: what does not fit is left out, and the page says so.
    force
        Replace a file that exists.

    Raises
    ------
    RefusedError
        When the file exists and is not to be replaced, or is a folder.
    MemctlError
        When it cannot be written; what was there is as it was.
    """
    return save(path, lambda: page_of(reports, sources).encode(), force=force)


def page_of(reports: Sequence[Report], sources: Sequence[Source]) -> str:
    """Return the page as text, less than `MOST_BYTES` in UTF-8."""
    limits = Limits()
    while True:
        made = rendered(_page(reports, sources, limits))
        if len(made.encode()) < MOST_BYTES or limits == limits.halved():
            return made
        limits = limits.halved()


def _page(reports: Sequence[Report], sources: Sequence[Source], limits: Limits) -> Page:
    looked = read_shown(sources, limits)
    findings = [finding for report in reports for finding in report.findings]
    skipped = {one.path: one for report in reports for one in report.skipped}
    skipped |= {one.path: one for one in looked.skipped}
    count = len(looked.figures)
    return Page(
        title="memctl report" if count != 1 else f"memctl report: {looked.names[0]}",
        subtitle=_subtitle(reports, count),
        figures=_figures(looked.figures, len(findings)),
        findings=tuple(findings[: limits.findings]),
        findings_count=len(findings),
        skipped=tuple(skipped.values()),
        plots=plots_of(reports),
        stores=looked.views,
        reports=tuple(
            ReportView(
                report.name,
                tuple(table_of(report, answer, most=limits.rows) for answer in report.answers),
            )
            for report in reports
        ),
        left_out=_left_out(looked, len(findings) - limits.findings),
    )


def _subtitle(reports: Sequence[Report], stores: int) -> str:
    parts = [counted(stores, "store")]
    if reports:
        first = reports[0]
        parts.append(f"made {first.made_at[:16].replace('T', ' ')} UTC")
        if first.since:
            parts.append(f"from {first.since[:16].replace('T', ' ')}")
        if first.until:
            parts.append(f"until {first.until[:16].replace('T', ' ')}")
    return ", ".join(parts)


def _figures(figures: Sequence[Figures], findings: int) -> tuple[FigureView, ...]:
    def total(name: str) -> int:
        return sum(getattr(one, name) for one in figures)

    forgotten = total("forgotten")
    return (
        FigureView("Stores", f"{len(figures):,}"),
        FigureView("Screens", f"{total('states'):,}"),
        FigureView("Transitions", f"{total('transitions'):,}"),
        FigureView(
            "Components",
            f"{total('components'):,}",
            f"{forgotten:,} forgotten" if forgotten else "",
        ),
        FigureView("Turns", f"{total('turns'):,}"),
        FigureView("Episodes", f"{total('episodes'):,}"),
        FigureView("Facts", f"{total('facts'):,}"),
        FigureView("Findings", f"{findings:,}"),
    )


def _left_out(looked: ShownStores, findings: int) -> tuple[str, ...]:
    lines = []
    if findings > 0:
        lines.append(f"{counted(findings, 'finding')} beyond those listed.")
    if looked.unseen:
        lines.append(
            f"The screens of {counted(len(looked.unseen), 'store')} that were looked at less:"
            f" {_listed(looked.unseen)}. A page of one store alone shows its own."
        )
    if looked.pictures_left_out:
        lines.append(f'{counted(looked.pictures_left_out, "picture")}, shown as "no picture".')
    return tuple(lines)


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_MOST_NAMED])
    return f"{shown} and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else shown
