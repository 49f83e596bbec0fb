"""Survival curves equal a reference implementation's, censoring included."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

from memctl.reports.questions import make_step, questions_of, steps

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb

# Weeks in remission of 21 children with leukaemia under 6-mercaptopurine; 0: censored.
# E. J. Freireich et al., Blood 21 (1963) 699-716.
FREIREICH: list[tuple[float, int]] = [
    *[(6, 1), (6, 1), (6, 1), (6, 0), (7, 1), (9, 0), (10, 1), (10, 0), (11, 0), (13, 1), (16, 1)],
    *[(17, 0), (19, 0), (20, 0), (22, 1), (23, 1), (25, 0), (32, 0), (32, 0), (34, 0), (35, 0)],
]
# The table that is printed of them: D. G. Kleinbaum, M. Klein, Survival analysis, 2012, table 2.1.
PRINTED = {6: 0.8571, 7: 0.8067, 10: 0.7529, 13: 0.6902, 16: 0.6275, 22: 0.5378, 23: 0.4482}

# Patients whose data the reference brings along, and the function that loads them.
PUBLISHED = {
    "breast cancer": "load_gbsg2",
    "lung cancer": "load_veterans_lung_cancer",
    "heart attack": "load_whas500",
}
EVERYBODY = ("leukaemia", *PUBLISHED)


class Step(NamedTuple):
    """A row of the curve."""

    days: float
    at_risk: int
    events: int
    censored: int
    survival: float
    lower: float | None
    upper: float | None
    std_error: float


def curve(
    duck: duckdb.DuckDBPyConnection, lives: Sequence[tuple[float, int]], group: str = "all"
) -> list[Step]:
    duck.execute(
        "create table if not exists grouped_life (store varchar, kind varchar, grouping varchar,"
        ' "group" varchar, days double, gone bigint)'
    )
    with duck.appender("grouped_life") as rows:
        rows.append_rows([(None, "component", "all", group, days, gone) for days, gone in lives])
    duck.execute("drop table if exists curve")
    make_step(duck, steps()["curve"])
    found = duck.execute(
        "select days, at_risk, events, censored, survival, lower, upper, std_error from curve"
        ' where "group" = ? order by days',
        [group],
    )
    return [Step(*row) for row in found.fetchall()]


@cache
def lives_of(name: str) -> list[tuple[float, int]]:
    """Return what is published of these patients; importing the reference takes its time."""
    from sksurv import datasets

    if name == "leukaemia":
        return FREIREICH
    _, outcome = getattr(datasets, PUBLISHED[name])()
    assert isinstance(outcome, np.ndarray)
    event, time = outcome.dtype.names or ("", "")
    return [(float(row[time]), int(row[event])) for row in outcome]


@pytest.mark.parametrize("name", EVERYBODY)
def test_curve_and_band_equal_the_reference_to_six_digits(
    name: str, duck: duckdb.DuckDBPyConnection
) -> None:
    from sksurv.nonparametric import kaplan_meier_estimator

    lives = lives_of(name)
    days, gone = np.array([life[0] for life in lives]), np.array([life[1] == 1 for life in lives])
    assert 0 < gone.sum() < len(lives), "some are censored, some are not"
    times, survival, band = kaplan_meier_estimator(gone, days, conf_type="log-log")
    expected = dict(zip(times, zip(survival, *band, strict=True), strict=True))
    if name == "leukaemia":
        assert {day: expected[day][0] for day in PRINTED} == pytest.approx(PRINTED, abs=5e-5)
    all_steps = curve(duck, lives)
    assert (all_steps[0].days, all_steps[0].at_risk) == (0, len(lives))
    for step, after in pairwise(all_steps):
        assert after.at_risk == step.at_risk - step.events - step.censored
    steps_found = [step for step in all_steps if step.events]
    assert [step.days for step in steps_found] == sorted({day for day, event in lives if event})
    for step in steps_found:
        wanted_survival, lower, upper = expected[step.days]
        assert step.survival == pytest.approx(wanted_survival, abs=5e-7)
        if 0 < step.survival < 1:
            assert step.lower == pytest.approx(lower, abs=5e-7)
            assert step.upper == pytest.approx(upper, abs=5e-7)


def test_greenwoods_error_is_the_binomial_one_where_nobody_is_censored(
    duck: duckdb.DuckDBPyConnection,
) -> None:
    lives = [(float(day), 1) for day in range(1, 11)]
    for step in curve(duck, lives):
        share = step.survival
        if share > 0:
            assert step.std_error == pytest.approx((share * (1 - share) / 10) ** 0.5)


def test_groups_do_not_mix(duck: duckdb.DuckDBPyConnection) -> None:
    alone = curve(duck, FREIREICH, group="one")
    curve(duck, [(1.0, 1)] * 5, group="other")
    assert curve(duck, [], group="one") == alone


def test_the_half_life_is_the_first_age_that_half_do_not_outlive(
    duck: duckdb.DuckDBPyConnection,
) -> None:
    curve(duck, FREIREICH)
    curve(duck, [(1.0, 1), (2.0, 0), (3.0, 0)], group="few")
    (half_lives,) = [one for one in questions_of("decay") if one.name == "half_lives"]
    rows = duck.execute(half_lives.sql).fetchall()
    found = {row[3]: row[4:9] for row in rows}
    # The lower edge of the band falls to one half at 13 (.432), the upper one never (.680).
    assert found["all"] == (21, 9, 23.0, 13.0, None)
    assert found["few"][2] is None
