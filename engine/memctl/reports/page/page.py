"""The page: reports, state graphs and pictures of many stores in one HTML file."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from memctl.base.counting import counted
from memctl.reports.answers import SEVERITIES
from memctl.reports.key_figures import compare, plain_figures, score_of
from memctl.reports.output_files import save
from memctl.reports.page.plots import plots_of
from memctl.reports.page.stores import read_stores
from memctl.reports.page.tables import anchor_of, asked_looks, table_of, transition_table
from memctl.reports.report import zone_of

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import jinja2

    from memctl.base.user_zone import UserZone
    from memctl.reports.answers import Report
    from memctl.reports.key_figures import EarlierReport
    from memctl.reports.page.stores import Figures, ShownStores
    from memctl.reports.sources import Source

_MOST_FINDINGS = 100
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
        The file. What is beyond a limit is left out, and the page names the command that has it.
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
    return save(path, lambda: html_of(reports, sources, against, progress).encode(), force=force)


def html_of(
    reports: Sequence[Report],
    sources: Sequence[Source],
    against: EarlierReport | None = None,
    progress: Callable[[str], object] = bool,
) -> str:
    """Return the page that `write_page` writes."""
    skipped = {skip.path: skip for report in reports for skip in report.skipped}
    readable = [source for source in sources if str(source.path) not in skipped]
    stores = read_stores(readable, _asked(reports), progress)
    skipped |= {skip.path: skip for skip in stores.skipped}
    progress("drawing plots and tables")
    views = {view.name: view for view in stores.views}
    worst = list(SEVERITIES)
    findings = sorted(
        (finding for report in reports for finding in report.findings),
        key=lambda finding: worst.index(finding.severity),
    )
    count = len(stores.figures)
    contents = {
        "title": "memctl report" if count != 1 else f"memctl report: {stores.names[0]}",
        "subtitle": _subtitle(reports, count, zone_of(sources, {})),
        "score": score_of(reports),
        "figures": _totals(stores.figures),
        "comparison": compare(against, reports) if against else None,
        "findings": findings[:_MOST_FINDINGS],
        "findings_count": len(findings),
        "skipped": list(skipped.values()),
        "plots": plots_of(reports),
        "stores": stores.views,
        "transitions": {
            view.anchor: transition_table(view) for view in stores.views if view.graph.links
        },
        "reports": [
            (report.name, [table_of(report, answer, views) for answer in report.answers])
            for report in reports
        ],
        "left_out": _left_out(stores, len(findings) - _MOST_FINDINGS),
        "plain": plain_figures(reports),
    }
    progress("writing the page")
    return _rendered(contents)


def _asked(reports: Sequence[Report]) -> dict[str, list[str]]:
    """Return the ids that tables show pictures of, by store."""
    asked: dict[str, list[str]] = {}
    for report in reports:
        for answer in report.answers:
            for store, each in asked_looks(answer):
                asked.setdefault(store, []).append(each)
    return asked


def _subtitle(reports: Sequence[Report], stores: int, zone: UserZone) -> str:
    parts = [counted(stores, "store")]
    for report in reports[:1]:
        times = {"made": report.made_at, "from": report.since, "until": report.until}
        parts += [
            f"{word} {zone.local(at)[:16].replace('T', ' ')}" for word, at in times.items() if at
        ]
    return ", ".join(parts)


def _totals(figures: Sequence[Figures]) -> list[tuple[str, int, int]]:
    """Return label, total of all stores, and how many more are forgotten, of each figure."""
    names = ("states", "transitions", "components", "turns", "episodes", "facts")
    totals = {name: sum(getattr(store, name) for store in figures) for name in names}
    forgotten = sum(store.forgotten for store in figures)
    return [
        ("Stores", len(figures), 0),
        ("Screens", totals.pop("states"), 0),
        *(
            (name.capitalize(), total, forgotten * (name == "components"))
            for name, total in totals.items()
        ),
    ]


def _left_out(stores: ShownStores, findings: int) -> list[str]:
    lines = []
    if findings > 0:
        lines.append(f"{counted(findings, 'more finding')}: memctl report all --json.")
    if stores.unseen:
        named = ", ".join(stores.unseen[:_MOST_NAMED])
        more = len(stores.unseen) - _MOST_NAMED
        lines.append(
            f"The screens of {counted(len(stores.unseen), 'store')} that were looked at less:"
            f" {named}{f' and {more} more' if more > 0 else ''}."
            " A page of one store alone shows its own."
        )
    lines += [f"{view.name}: {view.left_out}." for view in stores.views if view.left_out]
    if stores.pictures_left_out:
        lines.append(f'{counted(stores.pictures_left_out, "picture")}, shown as "no picture".')
    return lines


def _rendered(contents: dict[str, object]) -> str:
    """Return the page as HTML; every text from a store is escaped.

    The content policy in its head allows the one script that is the page's own, by its digest,
    and no address but ``data:``: a text that got past the escaping would still do nothing.
    """
    from markupsafe import Markup

    script = template("page.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        _environment()
        .get_template("page.html")
        .render(
            contents,
            style=Markup(template("look.css") + template("page.css")),  # noqa: S704  (files of this package)
            script=Markup(script),  # noqa: S704  (the same)
            script_hash=f"sha256-{digest}",
            anchor_of=anchor_of,
        )
    )


@cache
def _environment() -> jinja2.Environment:
    """Return the environment that compiles each template once."""
    import jinja2

    return jinja2.Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
        # Without what lines are indented by: a tenth of a large page.
        loader=jinja2.FunctionLoader(
            lambda name: "\n".join(line.lstrip(" ") for line in template(name).split("\n"))
        ),
        auto_reload=False,
    )


def template(name: str) -> str:
    """Return a file of the page's templates, zipped or not."""
    folder = resources.files("memctl.reports.page").joinpath("templates")
    return folder.joinpath(name).read_text(encoding="utf-8")
