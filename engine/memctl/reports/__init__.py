"""Questions that need history, answered by DuckDB: health, decay, recall, matching, growth, lift."""

from memctl.reports.answers import Answer, Column, Finding, Report, Skipped
from memctl.reports.report import REPORTS, make_report, make_reports
from memctl.reports.sources import Source, files_in, source_of, store_at, stores_at

__all__ = [
    "REPORTS",
    "Answer",
    "Column",
    "Finding",
    "Report",
    "Skipped",
    "Source",
    "files_in",
    "make_report",
    "make_reports",
    "source_of",
    "store_at",
    "stores_at",
]
