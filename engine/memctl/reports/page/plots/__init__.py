"""Plots of a report's answers, as SVG."""

from memctl.reports.page.plots.choosing import plots_of
from memctl.reports.page.plots.plot import Plot

__all__ = ["Plot", "plots_of"]
