"""The page: reports, graphs and pictures of many stores in one HTML file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.counting import counted
from memctl.reports.answers import SEVERITIES
from memctl.reports.earlier_reports import compare, plain_figures
from memctl.reports.key_figures import score_of
from memctl.reports.output_files import save
from memctl.reports.page.plots.choosing import plots_of
from memctl.reports.page.rendering import FigureView, Page, ReportView, rendered
from memctl.reports.page.score_view import changes_shown, score_shown
from memctl.reports.page.shown_stores import Limits, read_shown
from memctl.reports.page.tables import PagePlaces, asked_looks, table_of
from memctl.reports.report import zone_of

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Hashable, Sequence
    from pathlib import Path

    from memctl.base.user_zone import UserZone
    from memctl.reports.answers import Finding, Report
    from memctl.reports.earlier_reports import EarlierReport
    from memctl.reports.page.pictures import Picture
    from memctl.reports.page.shown_stores import ShownStores
    from memctl.reports.page.stores import Figures
    from memctl.reports.sources import Source

MOST_BYTES = 2_000_000
"""No page is larger: it is mailed, and opened on telephones."""

_MOST_NAMED = 40


def write_page(
    reports: Sequence[Report],
    sources: Sequence[Source],
    path: str | os.PathLike[str],
    *,
    force: bool = False,
    against: EarlierReport | None = None,
    progress: Callable[[str], object] = bool,
) -> Path:
    """Write reports and what their stores look like into one HTML file that needs nothing else.

    Parameters
    ----------
    reports
        As `memctl.reports.report.make_reports` made them.
    sources
        The stores they are about; one that cannot be read is named on the page.
    path
        The file, less than 2 MB: what does not fit is left out, and the page says so.
    force
        Replace a file that exists.
    against
        An earlier report, whose figures stand beside the new ones.
    progress
        Called with what is done next, before it is done.

    Raises
    ------
    RefusedError
        When the file exists and is not to be replaced, or is a folder.
    MemctlError
        When it cannot be written; what was there is as it was.
    """
    return save(
        path,
        lambda: page_of(reports, sources, against=against, progress=progress).encode(),
        force=force,
    )


def page_of(
    reports: Sequence[Report],
    sources: Sequence[Source],
    *,
    against: EarlierReport | None = None,
    progress: Callable[[str], object] = bool,
) -> str:
    """Return the page as text, less than `MOST_BYTES` in UTF-8."""
    limits = Limits()
    pictures: dict[Hashable, Picture | None] = {}
    while True:
        page = _page(reports, sources, limits, pictures, against, progress)
        progress("writing the page")
        made = rendered(page)
        over = len(made.encode()) - MOST_BYTES
        if over < 0 or limits == limits.halved():
            return made
        limits = limits.smaller(over)
        progress = bool  # the same again, and quicker: it was said already


def _page(
    reports: Sequence[Report],
    sources: Sequence[Source],
    limits: Limits,
    pictures: dict[Hashable, Picture | None],
    against: EarlierReport | None,
    progress: Callable[[str], object],
) -> Page:
    skipped = {one.path: one for report in reports for one in report.skipped}
    looked = read_shown(
        [one for one in sources if str(one.path) not in skipped],
        limits,
        _asked(reports, limits.rows),
        pictures,
        lambda name: progress(f"drawing the screens of {name}"),
    )
    progress("drawing plots and tables")
    places = _places(looked)
    findings = sorted((finding for report in reports for finding in report.findings), key=_severity)
    skipped |= {one.path: one for one in looked.skipped}
    count = len(looked.figures)
    score = score_of(reports)
    comparison = compare(against, reports) if against else None
    return Page(
        title="memctl report" if count != 1 else f"memctl report: {looked.names[0]}",
        subtitle=_subtitle(reports, count, zone_of(sources, {})),
        score=score_shown(score, comparison),
        figures=_figures(looked.figures),
        changes=changes_shown(comparison),
        findings=tuple(findings[: limits.findings]),
        findings_count=len(findings),
        skipped=tuple(skipped.values()),
        plots=plots_of(reports),
        stores=looked.views,
        reports=tuple(
            ReportView(
                report.name,
                tuple(
                    table_of(report, answer, most=limits.rows, places=places)
                    for answer in report.answers
                ),
            )
            for report in reports
        ),
        left_out=_left_out(looked, len(findings) - limits.findings),
        plain=plain_figures(reports),
    )


def _severity(finding: Finding) -> int:
    """Return a number that is smaller the worse a finding is."""
    return tuple(SEVERITIES).index(finding.severity)


def _asked(reports: Sequence[Report], most: int) -> dict[str, list[str]]:
    """Return the ids that tables show pictures of, by store."""
    asked: dict[str, list[str]] = {}
    for report in reports:
        for answer in report.answers:
            for store, each in asked_looks(answer, most=most):
                asked.setdefault(store, []).append(each)
    return asked


def _places(looked: ShownStores) -> PagePlaces:
    anchors, names, looks = {}, {}, {}
    for view in looked.views:
        anchors.update({(view.name, each): anchor for each, anchor in view.anchors.items()})
        names.update({(view.name, each): name for each, name in view.names.items()})
        looks.update({(view.name, each): pair for each, pair in view.looks.items()})
    return PagePlaces(anchors, names, looks)


def _subtitle(reports: Sequence[Report], stores: int, zone: UserZone) -> str:
    parts = [counted(stores, "store")]
    if reports:
        first = reports[0]
        told = {"made": first.made_at, "from": first.since, "until": first.until}
        parts += [
            f"{word} {zone.local(at)[:16].replace('T', ' ')}" for word, at in told.items() if at
        ]
    return ", ".join(parts)


def _figures(figures: Sequence[Figures]) -> tuple[FigureView, ...]:
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
    lines += [f"{view.left_out} of {view.name}." for view in looked.views if view.left_out]
    if looked.pictures_left_out:
        lines.append(f'{counted(looked.pictures_left_out, "picture")}, shown as "no picture".')
    return tuple(lines)


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_MOST_NAMED])
    return f"{shown} and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else shown
