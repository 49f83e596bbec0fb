"""The matching report: what is recognised, by which stage, how fast, and what is doubtful."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.reports.stored import component, look, state

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.reports.answers import Answer

DAY = "2026-11-02T12:00:00Z"


def test_the_hit_rate_is_of_screens_and_of_components(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write(
        component(1)
        + component(2)
        + state("s_one")
        + look(1, DAY, {1: 1, 2: 0}, state_id="s_one")
        + look(2, "2026-11-03T12:00:00Z", {1: 1, 2: 1})
    )
    overall, first, second = answer("matching", "hit_rate").records()
    assert (overall["looks"], overall["recognised"], overall["found_share"]) == (2, 1, 0.75)
    assert (first["day"], first["recognised_share"]) == ("2026-11-02", 1)
    assert (second["day"], second["recognised_share"]) == ("2026-11-03", 0)


def test_stages_share_what_was_found_between_them(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write(
        "".join(map(component, range(1, 5)))
        + look(1, DAY, {1: 1, 2: 1, 3: 1, 4: 0})
        + "update sighting set how = 'last', score = 0.9 where component_id = 1"
    )
    found = [
        (row["stage"], row["found"], row["share"])
        for row in answer("matching", "found_by").records()
    ]
    assert found == [("hash", 2, 2 / 3), ("last", 1, 1 / 3)]


def test_the_time_of_each_stage_is_taken_from_its_looks(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write(
        look(1, DAY, {}, stages='{"decode": 10, "hash": 30}')
        + look(2, DAY, {}, stages='{"decode": 20}')
        + look(3, DAY, {}, stages=None)
    )
    found = {row["stage"]: row for row in answer("matching", "stages").records()}
    assert (found["decode"]["looks"], found["decode"]["median"]) == (2, 15)
    assert (found["decode"]["total"], found["decode"]["share"]) == (30, 0.5)
    assert found["hash"]["looks"] == 1


def test_the_time_of_each_screen_counts_merged_states_as_one(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write(
        state("s_one", name="inbox")
        + state("s_two", merged_into="s_one", merged_at=DAY)
        + look(1, DAY, {}, state_id="s_one", duration_ms=10)
        + look(2, DAY, {}, state_id="s_two", duration_ms=20)
        + look(3, DAY, {}, duration_ms=50)
    )
    found = [
        (row["screen"], row["looks"], row["median"], row["longest"])
        for row in answer("matching", "time_per_screen").records()
    ]
    assert found == [("not recognised", 1, 50, 50), ("inbox", 2, 15, 20)]


@pytest.mark.parametrize(
    ("edit", "suspects"),
    [
        ("score = 0.85, x = 300", [(1, 5, 1, 1, 1)]),
        ("score = 0.85", []),
        ("x = 300", []),
        ("score = 0.85, x = 20", []),
    ],
    ids=["weak and elsewhere", "weak", "elsewhere", "weak and near"],
)
def test_a_suspect_was_found_both_weakly_and_out_of_place(
    edit: str,
    suspects: list[object],
    write: Callable[..., None],
    answer: Callable[..., Answer],
) -> None:
    write(
        component(1)
        + "".join(look(n, DAY, {1: 1}) for n in range(1, 6))
        + f"update sighting set {edit} where observation_id = 5"
    )
    columns = ("component_id", "finds", "weak", "out_of_place", "suspect")
    found = [
        tuple(row[name] for name in columns) for row in answer("matching", "suspects").records()
    ]
    assert found == suspects


def test_screens_are_counted_by_day(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write(
        state("s_one")
        + look(1, DAY, {}, state_id="s_one")
        + look(2, DAY, {}, state_id="s_one", kind="match")
        + look(3, "2026-11-09T12:00:00Z", {})
    )
    assert answer("matching", "screens_per_day").rows == (
        ("harbor", "2026-11-02", 2, 1, 1, 1),
        ("harbor", "2026-11-09", 1, 1, 0, 0),
    )
