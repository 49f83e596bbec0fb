"""When a fact changes, what rests on it is to be checked; it is never retired for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory

OFFICE = {"subject": "User", "attribute": "office", "value": "Porto"}
MOVED = {"subject": "User", "attribute": "office", "value": "Lisbon"}
TRAM = "User takes the tram because the office is in Porto"


@pytest.fixture
def m(tmp_path: Path) -> Iterator[Memory]:
    with memctl.open("agent", tmp_path) as memory:
        memory.facts.store([OFFICE])
        memory.facts.store(TRAM)
        memory.facts.store("User drinks green tea in the morning")
        memory.facts.store("Ann studies law in Porto")
        yield memory


def doubtful(memory: Memory) -> list[str]:
    return [fact.text for fact in memory.facts.doubtful()]


def test_a_doubtful_fact_still_holds_and_is_recalled_with_the_reason(m: Memory) -> None:
    m.facts.store("User plays chess on Sundays")
    assert not doubtful(m)
    m.facts.store([MOVED])
    assert doubtful(m) == [TRAM]
    row = next(row for row in m.recall("Which tram does the user take?") if row.text == TRAM)
    assert "no longer holds" in row.doubt
    assert "to be checked" in row.prompt
    assert "to be checked" in m.context("Which tram does the user take?").text


def test_approving_it_settles_the_doubt_and_rejecting_forgets_it(m: Memory) -> None:
    m.facts.store([MOVED])
    (fact,) = m.facts.doubtful()
    assert m.facts.approve(fact.id).doubt is None
    assert [change.event for change in m.facts.history(fact.id)][-2:] == ["DOUBT", "SETTLE"]
    m.facts.store([{**MOVED, "value": "Faro"}])
    m.facts.store("User rents a bicycle because the office is in Faro")
    m.facts.store([{**MOVED, "value": "Braga"}])
    bicycle = next(fact for fact in m.facts.doubtful() if "bicycle" in fact.text)
    assert m.facts.reject(bicycle.id).status == "forgotten"


def test_what_rests_on_a_forgotten_fact_is_to_be_checked(m: Memory) -> None:
    (office,) = m.facts.lookup("User", "office")
    m.facts.forget(office.id)
    assert doubtful(m) == [TRAM]
    m.facts.store(TRAM)  # said again, it is settled
    assert not doubtful(m)


@pytest.mark.parametrize(
    ("text", "doubted"),
    [
        ("User takes the tram because the office is in Porto", True),
        ("User's lunch is at noon since the office opens late", True),
        ("User's office has a red door", True),
        ("User drinks green tea", False),
        ("Ann lives in Porto", False),
        ("User visited Porto in 2019", False),
    ],
)
def test_a_fact_rests_on_another_by_what_it_names(text: str, doubted: bool, tmp_path: Path) -> None:
    with memctl.open("other", tmp_path) as memory:
        memory.facts.store([OFFICE])
        memory.facts.store(text)
        memory.facts.store([MOVED])
        assert bool(doubtful(memory)) is doubted
