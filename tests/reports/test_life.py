"""What counts as a life, as its end, and as lost from sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.reports.stored import component, fact, look

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.reports.answers import Answer


LEARNED = "2026-11-01T12:00:00Z"


def overall(answer: Answer) -> list[tuple[object, ...]]:
    """The curve over all: age, at risk, events, censored."""
    return [
        (row["days"], row["at_risk"], row["events"], row["censored"])
        for row in answer.records()
        if row["grouping"] == "all"
    ]


def test_a_forgotten_component_ends_at_its_last_sighting_not_when_it_was_forgotten(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write(
        component(1, learned_at=LEARNED, forgotten_at="2026-11-19T12:00:00Z")
        + look(1, "2026-11-04T12:00:00Z", {1: 1})
        + look(2, "2026-11-18T12:00:00Z", {1: 0})
    )
    assert overall(answer("decay", "survival")) == [(0, 1, 0, 0), (3, 1, 1, 0)]


def test_a_living_component_is_lost_from_sight_at_its_last_sighting(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write(component(1, learned_at=LEARNED) + look(1, "2026-11-06T12:00:00Z", {1: 1}))
    assert overall(answer("decay", "survival")) == [(0, 1, 0, 0), (5, 1, 0, 1)]


def test_a_component_without_sightings_lived_until_it_was_last_seen(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write(component(1, learned_at=LEARNED, last_seen_at="2026-11-03T12:00:00Z"))
    assert overall(answer("decay", "survival"))[-1] == (2, 1, 0, 1)


def test_until_a_day_of_the_past_it_is_as_it_was_then(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write(
        component(1, learned_at=LEARNED, forgotten_at="2026-11-15T12:00:00Z")
        + component(2, learned_at="2026-11-12T12:00:00Z")
        + look(1, "2026-11-04T12:00:00Z", {1: 1})
        + look(2, "2026-11-13T12:00:00Z", {2: 1})
    )
    early = answer("decay", "survival", until="2026-11-10")
    assert overall(early) == [(0, 1, 0, 0), (3, 1, 0, 1)]
    late = answer("decay", "survival", since="2026-11-10")
    assert overall(late) == [(0, 1, 0, 0), (1, 1, 0, 1)]


def test_lives_are_grouped_by_app_type_and_page(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write(component(1, type="icon", page="inbox") + component(2))
    found = {(row["grouping"], row["group"]) for row in answer("decay", "survival").records()}
    assert found == {
        ("all", "all"),
        ("app", "harbor"),
        ("type", "icon"),
        ("type", "button"),
        ("page", "inbox"),
        ("page", "-"),
    }


@pytest.mark.parametrize(
    ("cells", "ended"),
    [
        ({}, 0),
        ({"status": "forgotten", "updated_at": "2026-11-11T12:00:00Z"}, 1),
        ({"status": "superseded", "updated_at": "2026-11-11T12:00:00Z"}, 1),
        ({"archived_at": "2026-11-11T12:00:00Z"}, 1),
        ({"expires_at": "2026-11-11T12:00:00Z", "expires_by": "given", "pinned": 1}, 1),
        ({"expires_at": "2026-11-11T12:00:00Z", "expires_by": "category", "pinned": 1}, 0),
        ({"expires_at": "2026-12-24T12:00:00Z", "expires_by": "given"}, 0),
    ],
    ids=["holds", "forgotten", "replaced", "archived", "expired", "spared", "expires later"],
)
def test_a_fact_lives_until_it_holds_no_more(
    cells: dict[str, object],
    ended: int,
    write: Callable[..., None],
    answer: Callable[..., Answer],
) -> None:
    write(fact("launch", category="project", **cells))
    (row,) = [
        row
        for row in answer("decay", "half_lives").records()
        if (row["grouping"], row["group"]) == ("type", "project")
    ]
    assert (row["subjects"], row["events"]) == (1, ended)
    assert row["half_life"] == (10 if ended else None)


def test_a_fact_that_waits_has_not_begun_to_live(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    write(fact("launch", status="pending"))
    assert answer("decay", "half_lives").rows == ()


def test_the_hazard_is_events_over_days_lived_in_each_band(
    write: Callable[..., None], answer: Callable[..., Answer]
) -> None:
    gone = {"learned_at": LEARNED, "forgotten_at": "2026-11-19T12:00:00Z"}
    write(
        component(1, **gone, last_seen_at="2026-11-04T12:00:00Z")
        + component(2, learned_at=LEARNED, last_seen_at="2026-11-11T12:00:00Z")
    )
    found = {
        row["from_days"]: (row["at_risk"], row["events"], row["exposure_days"], row["hazard"])
        for row in answer("decay", "hazard").records()
        if row["grouping"] == "all"
    }
    assert found == {
        0: (2, 0, 2, 0),
        1: (2, 1, 8, 1 / 8),
        7: (1, 0, 3, 0),
    }
