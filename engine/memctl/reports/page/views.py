"""What the page's template shows, ready to be filled in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memctl.reports.answers import Finding, Skipped
    from memctl.reports.page.plots import Plot
    from memctl.reports.page.stores import StoreView
    from memctl.reports.page.tables import Table

__all__ = ["FigureView", "Page", "ReportView"]


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
    """What the template shows."""

    title: str
    subtitle: str
    figures: tuple[FigureView, ...]
    findings: tuple[Finding, ...]
    findings_count: int
    skipped: tuple[Skipped, ...]
    plots: tuple[Plot, ...]
    stores: tuple[StoreView, ...]
    reports: tuple[ReportView, ...]
    left_out: tuple[str, ...]
