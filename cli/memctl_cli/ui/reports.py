"""The pages of reports: what is wrong and what mends it, the figures, and the whole report."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse

from memctl_cli.ui.view import Route, View

if TYPE_CHECKING:
    from starlette.responses import Response


def report(view: View) -> Response:
    """Show one report of this store, that of its health where none is chosen."""
    from memctl.reports.page.tables import table_of
    from memctl.reports.questions import REPORTS

    name = view.asked("name") or "health"
    made = view.memory.report(name)
    tables = [table_of(made, answer, {}) for answer in made.answers]
    return view.page("report.html", report=made, tables=tables, names=REPORTS)


def whole(view: View) -> Response:
    """Show all reports with plots and pictures, as ``memctl report all --html`` writes them."""
    from memctl.reports.page.page import html_of
    from memctl.reports.questions import REPORTS
    from memctl.reports.report import make_reports
    from memctl.reports.sources import source_of

    source = source_of(view.memory.store)
    page = html_of(make_reports(REPORTS, source), [source])
    # It brings its own rules, which let its one script run; here they say so before it is read.
    rules = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    response = HTMLResponse(page)
    if rules is not None:
        own = rules[1].replace("&#39;", "'")
        response.headers["content-security-policy"] = f"{own}; frame-ancestors 'none'"
    return response


PAGES = (Route("report", report), Route("report/whole", whole))
