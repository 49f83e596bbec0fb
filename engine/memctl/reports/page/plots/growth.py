"""How stores grow, as bars by day."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from memctl.reports.page.cells import sized
from memctl.reports.page.plots.plot import Plot, dated, day, number, text
from memctl.reports.page.plots.themed import SERIES, axes, over_days, svg_of

if TYPE_CHECKING:
    from markupsafe import Markup

    from memctl.reports.answers import Answer

__all__ = ["growth_plot"]

_MOST_TABLES = 4  # the others are added up


def growth_plot(answer: Answer, table: str) -> Plot | None:
    """Return the bytes that were added on each day, by table; ``None`` where nothing was."""
    rows = dated(answer.records())
    if not rows:
        return None
    sizes: Counter[str] = Counter()
    for row in rows:
        sizes[text(row, "table")] += int(number(row, "bytes"))
    largest = [name for name, _ in sizes.most_common(_MOST_TABLES)]
    shown = [*largest, "others"] if len(sizes) > len(largest) else largest
    days = sorted({day(row) for row in rows})
    stacks: dict[str, Counter[int]] = {name: Counter() for name in shown}
    for row in rows:
        name = text(row, "table")
        stacks[name if name in largest else "others"][day(row)] += int(number(row, "bytes"))
    total = sum(sizes.values())
    about = (
        f"Bytes that were written on each day and are still there: {sized(total)} on"
        f" {len(days):,} {'day' if len(days) == 1 else 'days'}, most of it in {largest[0]}."
    )
    svg, keys = _drawn(stacks, days), tuple(shown)
    return Plot("growth", "How the stores grow", "", about, table, svg, keys, marks="bars")


def _drawn(stacks: dict[str, Counter[int]], days: list[int]) -> Markup:
    with axes() as plot:
        base = [0] * len(days)
        for values, colour in zip(stacks.values(), SERIES, strict=False):
            heights = [values[each] for each in days]
            plot.bar(days, heights, width=0.8, bottom=base, color=colour, lw=0)
            base = [below + height for below, height in zip(base, heights, strict=True)]
        plot.yaxis.set_major_formatter(lambda value, _: sized(value))
        over_days(plot, days)
        return svg_of(plot, "growth")
