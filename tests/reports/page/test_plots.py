"""Plots: what is drawn of which answer, in the page's colours, and what is said of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memctl.reports.answers import Answer, Column, Report
from memctl.reports.page.page import template
from memctl.reports.page.plots import Chart, plots_of, ticks
from tests.each import each

if TYPE_CHECKING:
    from memctl.reports.answers import Cell
    from memctl.reports.page.plots import Plot

AT = "2026-11-20T16:33:04Z"
SURVIVAL = "store grouping group days at_risk events censored survival lower upper std_error"
DRIFT = "store grouping screen state_id group looks misses value centre lower upper alarm"


def report(name: str, answer: str, columns: str, *rows: tuple[Cell, ...]) -> Report:
    described = tuple(Column(column, "number", "") for column in columns.split())
    return Report(name, AT, None, None, ("harbor",), (), (Answer(answer, "", "", described, rows),))


def curve(grouping: str, group: str, size: int, left: float) -> list[tuple[Cell, ...]]:
    store = None if grouping == "all" else "harbor"
    return [
        (store, grouping, group, 0.0, size, 0, 0, 1.0, None, None, 0.0),
        (store, grouping, group, 10.0, size, 3, 1, left, left - 0.1, left + 0.1, 0.05),
    ]


def drift(day: int, value: float, alarm: str | None) -> tuple[Cell, ...]:
    group = f"2026-11-{day:02}"
    return ("harbor", "day", "home", "s_1", group, 100, 5, value, 0.05, 0.01, 0.1, alarm)


def test_survival_is_drawn_with_its_band_and_told_in_words() -> None:
    (plot,) = plots_of([report("decay", "survival", SURVIVAL, *curve("all", "all", 40, 0.45))])
    assert plot.name == "survival-all"
    assert "Of 40 components, 3 were lost; an estimated 45% last 10.0 d." in plot.about
    assert "Half are gone after 10.0 d." in plot.about
    assert '<path class="line s1"' in plot.svg
    assert '<path class="band s1"' in plot.svg
    assert "<title>After 10.0 d: all 45.0%</title>" in plot.svg
    assert plot.table == "answer-decay-survival"


def test_the_largest_types_have_curves_of_their_own_with_names_beside() -> None:
    rows = [row for n in range(6) for row in curve("type", f"type {n}", 10 + n, 0.5)]
    (plot,) = plots_of([report("decay", "survival", SURVIVAL, *rows)])
    assert [key.partition(",")[0] for key in plot.keys] == [f"type {n}" for n in (5, 4, 3, 2)]
    assert "The 4 largest of 6." in plot.about


def test_a_day_outside_of_its_band_is_marked_and_named() -> None:
    rows = [drift(1, 0.05, None), drift(2, 0.06, None), drift(3, 0.4, "above")]
    (plot,) = plots_of([report("decay", "drift", DRIFT, *rows)])
    assert "It left its band on 2026-11-03: the triangles." in plot.about
    assert plot.of == "home, harbor"
    assert plot.svg.count('class="alarm"') == 1
    assert "<title>2026-11-03: 40.0% (5 of 100 missed); usual 5.0%, up to 10.0%</title>" in plot.svg
    calm = plots_of([report("decay", "drift", DRIFT, *rows[:2])])
    assert "It stayed within its band." in calm[0].about
    assert 'class="alarm"' not in calm[0].svg


def test_screens_with_an_alarm_come_before_busy_ones() -> None:
    other = [
        ("harbor", "day", "busy", "s_2", f"2026-11-0{n}", 900, 5, 0.05, 0.05, 0.0, 0.1, None)
        for n in (1, 2)
    ]
    rows = [*other, drift(1, 0.4, "above"), drift(2, 0.05, None)]
    found = plots_of([report("decay", "drift", DRIFT, *rows)])
    assert [plot.of for plot in found] == ["home, harbor", "busy, harbor"]


def test_growth_adds_up_the_small_tables() -> None:
    rows = [("harbor", f"2026-11-1{n}", f"table {n}", 1, 1000 * (n + 1)) for n in range(7)]
    (plot,) = plots_of([report("growth", "rows_per_day", "store day table rows bytes", *rows)])
    assert plot.keys == ("table 6", "table 5", "table 4", "table 3", "others")
    assert "28.0 kB on 7 days" in plot.about


def scale_of(plot: Plot) -> list[str]:
    """Return what stands at the vertical axis."""
    return re.findall(r'<text class="y"[^>]*>([^<]*[0-9%][^<]*)</text>', plot.svg)


def test_screens_and_stores_that_are_compared_have_one_scale() -> None:
    quiet = [(*drift(n, 0.01, None)[:3], "s_2", *drift(n, 0.01, None)[4:]) for n in (1, 2)]
    loud = [drift(1, 0.4, "above"), drift(2, 0.05, None)]
    one, other = plots_of([report("decay", "drift", DRIFT, *quiet, *loud)])
    assert scale_of(one) == scale_of(other) == ["0%", "10%", "20%", "30%", "40%"]
    assert "All screens are drawn to one scale." in one.about


def test_shares_run_from_nothing_to_everything() -> None:
    columns = "store grouping day looks recognised_share found_share"
    rows: list[tuple[Cell, ...]] = [
        ("harbor", grouping, day, 9, 0.9, None)
        for grouping, day in (("all", None), ("day", "2026-11-20"))
    ]
    (plot,) = plots_of([report("matching", "hit_rate", columns, *rows)])
    assert scale_of(plot) == ["0%", "25%", "50%", "75%", "100%"]
    assert "<title>20 Nov 2026: screens known 90% (9 looks)</title>" in plot.svg
    assert "90.0% and unknown" in plot.about


@each("highest", [0.0, 0.004, 0.7, 1.0, 3.0, 12.5, 99.0, 1e9])
def test_an_axis_ends_at_a_round_number_that_nothing_is_above(highest: float) -> None:
    marks = ticks(highest)
    assert marks[0] == 0
    assert highest <= marks[-1] <= max(2 * highest, 1)
    assert 2 <= len(marks) <= 6


def test_names_in_a_plot_are_escaped() -> None:
    columns = "store screen state_id looks median p95 longest found_each"
    row: tuple[Cell, ...] = ("harbor", "<b>home</b>", "s_1", 9, 20.0, 40.0, 50.0, 3.0)
    (plot,) = plots_of([report("matching", "time_per_screen", columns, row)])
    assert "<b>" not in plot.svg
    assert ">&lt;b&gt;home&lt;/b&gt;</text>" in plot.svg


def test_the_slowest_screen_is_told_and_bars_have_their_names() -> None:
    columns = "store screen state_id looks median p95 longest found_each"
    rows: list[tuple[Cell, ...]] = [("harbor", "home", "s_1", 9, 20.0, 40.0, 50.0, 3.0)]
    rows += [("harbor", None, None, 2, 90.0, 95.0, 99.0, 0.0)]
    (plot,) = plots_of([report("matching", "time_per_screen", columns, *rows)])
    assert re.findall(r'class="name"[^>]*>([^<]+)<', plot.svg) == ["not recognised", "home"]
    assert "The slowest is not recognised, 90 ms." in plot.about


def test_latency_has_a_plot_for_each_of_the_busiest_stores() -> None:
    columns = "store grouping day recalls median p90 p95 p99 longest"
    rows: list[tuple[Cell, ...]] = []
    for store, recalls in (("a", 5), ("b", 50), ("c", 9), ("d", 1)):
        rows.append((store, "all", None, recalls, 4.0, 8.0, 9.0, 9.0, 9.0))
        rows.append((store, "day", "2026-11-20", recalls, 4.0, 8.0, 9.0, 9.0, 9.0))
    found = plots_of([report("recall", "latency", columns, *rows)])
    assert [plot.of for plot in found] == ["b", "c", "a"]
    assert "Over all 50 recalls: 4.0 and 9.0 ms." in found[0].about


def test_answers_without_rows_and_days_written_by_hand_draw_nothing() -> None:
    empty = report("growth", "rows_per_day", "store day table rows bytes")
    odd = report("growth", "rows_per_day", "store day table rows bytes", ("a", "soon", "t", 1, 1))
    assert plots_of([empty]) == ()
    assert plots_of([odd]) == ()


def test_a_plot_takes_every_colour_and_letter_from_the_page() -> None:
    (plot,) = plots_of([report("decay", "survival", SURVIVAL, *curve("all", "all", 40, 0.45))])
    assert not re.findall(r"#[0-9a-fA-F]{6}|font-|style|xmlns| id=", str(plot.svg))


def test_what_lies_beyond_an_axis_is_drawn_at_its_end() -> None:
    chart = Chart((0, 1), 1.0, str, [])
    chart.line([(0.0, 9.0), (1.0, 0.0)], "s1")
    assert '<path class="line s1" d="M50.0 8.0L350.0 176.0"/>' in chart.svg()


def _channel(value: int) -> float:
    share = value / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4


def _luminance(colour: str) -> float:
    red, green, blue = (_channel(int(colour[at : at + 2], 16)) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours, WCAG 2.2: 1 to 21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@each("theme", [0, 1])
def test_letters_have_the_contrast_of_aa_and_lines_that_of_graphics(theme: int) -> None:
    css = template("look.css")
    found = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", css)
    colours = {name: pair[theme] for name, *pair in found}
    for ground in ("paper", "raised"):
        for name in ("ink", "muted", "link", "warn"):
            assert contrast(colours[name], colours[ground]) >= 4.5, (name, ground)
        for name in ("route", "focus", "band", *(f"series-{n}" for n in range(1, 7))):
            assert contrast(colours[name], colours[ground]) >= 3, (name, ground)
