"""What the answers look like as plots."""

from memctl.reports.page.plots.choosing import plots_of
from memctl.reports.page.plots.plot import Plot

__all__ = ["Plot", "plots_of"]
