"""The report's page: plots, state graphs, pictures and tables in one HTML file."""

from memctl.reports.page.page import write_page

__all__ = ["write_page"]
