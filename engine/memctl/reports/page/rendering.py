"""The page's template, filled in; every text from a store is escaped by it."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import jinja2

    from memctl.reports.answers import Finding, Skipped
    from memctl.reports.page.plots.plot import Plot
    from memctl.reports.page.score_view import ChangesView, ScoreView
    from memctl.reports.page.stores import StoreView
    from memctl.reports.page.tables import Table


@dataclass(frozen=True, slots=True)
class FigureView:
    """One of the large figures at the top."""

    label: str
    value: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class ReportView:
    """The tables of one report."""

    name: str
    tables: tuple[Table, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """Contents of the page's template; ``plain`` are figures that a later report reads back."""

    title: str
    subtitle: str
    score: ScoreView
    figures: tuple[FigureView, ...]
    changes: ChangesView | None
    findings: tuple[Finding, ...]
    findings_count: int
    skipped: tuple[Skipped, ...]
    plots: tuple[Plot, ...]
    stores: tuple[StoreView, ...]
    reports: tuple[ReportView, ...]
    left_out: tuple[str, ...]
    plain: dict[str, Any]


def rendered(page: Page) -> str:
    """Return the page as HTML.

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
            page=page,
            style=Markup(template("page.css")),  # noqa: S704  (a file of this package)
            script=Markup(script),  # noqa: S704  (the same)
            script_hash=f"sha256-{digest}",
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
        loader=jinja2.FunctionLoader(_unindented),
        auto_reload=False,
    )


def _unindented(name: str) -> str:
    """Return a template without what its lines are indented by: a tenth of a large page."""
    return "\n".join(line.lstrip(" ") for line in template(name).split("\n"))


def template(name: str) -> str:
    """Return a file of the page's templates, zipped or not."""
    folder = resources.files("memctl.reports.page").joinpath("templates")
    return folder.joinpath(name).read_text(encoding="utf-8")
