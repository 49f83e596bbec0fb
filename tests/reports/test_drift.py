"""The drift radar: control bands on the misses of each screen, by day and by version."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from memctl.base.user_zone import UserZone
from memctl.reports.loading import engine, put_request
from memctl.reports.questions import ask, questions_of
from tests.reports.stored import component, look, state

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.reports.answers import Answer

ONE_SIDE = 0.00135


def by_group(answer: Answer, grouping: str = "day") -> dict[object, dict[str, object]]:
    return {row["group"]: dict(row) for row in answer.records() if row["grouping"] == grouping}


def screen(days: dict[str, list[int]], version: dict[str, str] | None = None) -> str:
    """A screen that is looked at once a day; each look finds (1) or misses (0) components."""
    most = max(len(found) for found in days.values())
    made = [state("s_one", name="inbox"), *(component(number) for number in range(1, most + 1))]
    for number, (day, found) in enumerate(days.items(), 1):
        sightings = dict(enumerate(found, 1))
        told = (version or {}).get(day)
        made.append(look(number, f"{day}T12:00:00Z", sightings, state_id="s_one", app_version=told))
    return "".join(made)


def test_a_day_on_which_much_is_missed_raises_an_alarm(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    days = {f"2026-11-{day:02}": [1] * 20 for day in range(1, 11)}
    write(screen({**days, "2026-11-11": [1] * 12 + [0] * 8}))
    found = answer("decay", "drift")
    assert found.records()[0]["group"] == "2026-11-11", "alarms come first"
    assert {day: row["alarm"] for day, row in by_group(found).items()} == {
        **dict.fromkeys(days),
        "2026-11-11": "above",
    }
    worst = by_group(found)["2026-11-11"]
    assert (worst["looks"], worst["misses"], worst["value"]) == (20, 8, 0.4)
    assert worst["centre"] == pytest.approx(0.5 / 201)


def test_a_version_is_compared_with_the_other_versions(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    days = {f"2026-11-{day:02}": [1] * 30 for day in range(1, 5)}
    days["2026-11-05"] = [1] * 15 + [0] * 15
    versions = dict.fromkeys(days, "1.0") | {"2026-11-05": "2.0"}
    write(screen(days, versions))
    found = by_group(answer("decay", "drift"), "version")
    assert set(found) == {"1.0", "2.0"}
    assert found["2.0"]["alarm"] == "above"
    assert found["2.0"]["centre"] == pytest.approx(0.5 / 121)
    assert found["1.0"]["alarm"] == "below", "against the other version, little was missed"


def test_the_only_day_has_no_band_no_alarm_and_no_version_is_made_up(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write(screen({"2026-11-01": [0] * 20}))
    (row,) = answer("decay", "drift").records()
    assert (row["value"], row["centre"], row["lower"], row["upper"]) == (1, None, None, None)
    assert (row["grouping"], row["alarm"]) == ("day", None)


def test_merged_states_are_one_screen(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write(
        state("s_one", name="inbox")
        + state("s_two", merged_into="s_one", merged_at="2026-11-02T12:00:00Z")
        + component(1)
        + look(1, "2026-11-01T12:00:00Z", {1: 1}, state_id="s_one")
        + look(2, "2026-11-01T13:00:00Z", {1: 1}, state_id="s_two")
    )
    assert [(row["screen"], row["looks"]) for row in answer("decay", "drift").records()] == [
        ("inbox", 2)
    ]


@settings(max_examples=6)
@given(
    counts=some.lists(
        some.integers(1, 40).flatmap(lambda n: some.tuples(some.just(n), some.integers(0, n))),
        min_size=2,
        max_size=5,
    )
)
def test_an_alarm_is_what_the_binomial_distribution_all_but_rules_out(
    counts: list[tuple[int, int]],
) -> None:
    (drift,) = [one for one in questions_of("decay") if one.name == "drift"]
    with engine() as duck:
        put_request(duck, "2026-11-20T00:00:00Z", (None, None), UserZone())
        duck.execute(
            "create table looked_for (store varchar, component_id bigint, state_id varchar,"
            " observed_at timestamp, app_version varchar, missed bigint)"
        )
        duck.execute(
            "create table screen as select 'a' as store, 's' as state_id, 's' as screen,"
            " 1::bigint as living"
        )
        duck.execute(
            "create table component as select 'a' as store, 1 as id, 0 as consecutive_misses,"
            " null::timestamp as forgotten_at"
        )
        for day, (looks, misses) in enumerate(counts, 1):
            duck.execute(
                "insert into looked_for select 'a', n, 's', make_timestamp(2026, 1, ?, 0, 0, 0),"
                " null, (n < ?)::bigint from range(?) as numbers(n)",
                [day, misses, looks],
            )
        found = by_group(ask(duck, drift))
    for day, (looks, misses) in enumerate(counts, 1):
        others = [count for number, count in enumerate(counts, 1) if number != day]
        share = (sum(miss for _, miss in others) + 0.5) / (sum(look for look, _ in others) + 1)
        chances = [comb(looks, k) * share**k * (1 - share) ** (looks - k) for k in range(looks + 1)]
        at_least, at_most = sum(chances[misses:]), sum(chances[: misses + 1])
        if min(abs(at_least - ONE_SIDE), abs(at_most - ONE_SIDE)) > 1e-9:
            expected = "above" if at_least < ONE_SIDE else "below" if at_most < ONE_SIDE else None
            assert found[f"2026-01-{day:02}"]["alarm"] == expected
