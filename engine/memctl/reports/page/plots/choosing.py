"""Chooses what of the answers is worth a plot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.reports.page.plots.daily import growth_plot, hit_rate_plots, latency_plots
from memctl.reports.page.plots.screens import drift_plots, time_plot
from memctl.reports.page.plots.survival import survival_plots
from memctl.reports.page.tables import anchor_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memctl.reports.answers import Answer, Report
    from memctl.reports.page.plots.plot import Plot


def _one(plot: Callable[[Answer, str], Plot | None]) -> Callable[[Answer, str], Iterator[Plot]]:
    def several(answer: Answer, table: str) -> Iterator[Plot]:
        made = plot(answer, table)
        if made is not None:
            yield made

    return several


_PLOTS: dict[tuple[str, str], Callable[[Answer, str], Iterator[Plot]]] = {
    ("decay", "survival"): survival_plots,
    ("matching", "hit_rate"): hit_rate_plots,
    ("matching", "time_per_screen"): _one(time_plot),
    ("recall", "latency"): latency_plots,
    ("growth", "rows_per_day"): _one(growth_plot),
    ("decay", "drift"): drift_plots,
}


def plots_of(reports: Sequence[Report]) -> tuple[Plot, ...]:
    """Return the plots of the answers that these reports hold and that have rows."""
    answers = {
        (report.name, answer.name): answer for report in reports for answer in report.answers
    }
    return tuple(
        plot
        for key, draw in _PLOTS.items()
        if key in answers and answers[key].rows
        for plot in draw(answers[key], anchor_of(*key))
    )
