"""What cannot hold together never does, whatever lets a fact hold: restore, approve, update, pin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import RefusedError
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.semantic.facts import Facts

DEC_1 = "Falcon's deadline is 1 December"
DEC_8 = "Falcon's deadline is 8 December"
EXCLUDING = [
    (DEC_1, DEC_8),
    ("Falcon's owner is Ann", "The owner of Falcon is now Bob"),
    ("My timezone is Europe/Lisbon", "User's time zone is Europe/Berlin"),
    ("山田の誕生日は5月1日です", "山田の誕生日は5月8日です"),
]


def held(facts: Facts) -> list[str]:
    return [fact.text for fact in facts.list()]


# -- restore -----------------------------------------------------------------------------


@pytest.mark.parametrize(("one", "other"), EXCLUDING)
def test_a_forgotten_fact_is_not_restored_beside_what_excludes_it(
    one: str, other: str, facts: Facts
) -> None:
    (gone,) = facts.store(one).ids
    facts.forget(gone)
    (holds,) = facts.store(other).ids
    with pytest.raises(RefusedError, match=holds) as refused:
        facts.restore(gone)
    assert f"forget {holds}" in refused.value.hint
    assert held(facts) == [other]
    assert facts.get(gone).status == "forgotten"
    facts.forget(holds)
    assert facts.restore(gone).status == "active"
    assert held(facts) == [one]


@pytest.mark.parametrize("again", ["User prefers spaces.", "user prefers the spaces"])
def test_a_fact_that_was_stored_anew_is_not_restored_too(again: str, facts: Facts) -> None:
    (gone,) = facts.store("User prefers spaces").ids
    facts.forget(gone)
    (anew,) = facts.store(again).ids
    with pytest.raises(RefusedError, match=anew):
        facts.restore(gone)
    assert held(facts) == [again]


def test_a_rejected_fact_is_restored_once_nothing_contradicts_it(facts: Facts) -> None:
    (holds,) = facts.store(DEC_1, confidence="high").ids
    (waiting,) = facts.store(DEC_8).ids
    facts.reject(waiting)
    with pytest.raises(RefusedError, match=holds):
        facts.restore(waiting)
    assert held(facts) == [DEC_1]
    facts.forget(holds)
    assert facts.restore(waiting).status == "active"


@each(
    "revive",
    [
        lambda facts, gone: facts.restore(gone),
        lambda facts, gone: facts.update(gone, expires_at="never"),
        lambda facts, gone: facts.pin(gone),
    ],
)
def test_an_expired_fact_is_not_revived_beside_what_took_its_place(
    facts: Facts, clock: Callable[[str], None], revive: Callable[[Facts, str], object]
) -> None:
    facts.erase_all(confirm=True)
    clock("2026-11-20T12:00:00Z")
    (gone,) = facts.store(DEC_1, category="operational").ids
    clock("2026-12-22T12:00:00Z")
    (holds,) = facts.store(DEC_8).ids
    with pytest.raises(RefusedError, match=holds):
        revive(facts, gone)
    assert held(facts) == [DEC_8]


def test_an_expired_property_that_is_stated_again_replaces_what_came_between(
    facts: Facts, clock: Callable[[str], None]
) -> None:
    facts.store(DEC_1, expires_at="2026-11-21")
    clock("2026-11-22T12:00:00Z")
    facts.store(DEC_8)
    assert facts.store(DEC_1).written[0].event == "SUPERSEDE"
    assert held(facts) == [DEC_1]


def test_a_reason_for_what_is_immutable_waits_and_replaces_it_once_it_is_approved(
    facts: Facts,
) -> None:
    (known,) = facts.store("User prefers dark mode", category="identity").ids
    (written,) = facts.store("User prefers dark mode because it is calm").written
    assert (written.event, written.other) == ("PENDING", known)
    facts.approve(str(written.id))
    assert held(facts) == ["User prefers dark mode because it is calm"]


# -- approve -----------------------------------------------------------------------------


def test_what_is_told_as_a_change_ends_the_undecided_ones_before_it(facts: Facts) -> None:
    facts.store("The standup is at 9:00")
    facts.store("The standup is at 10:00")
    facts.store("The standup is now at 11:00")
    assert held(facts) == ["The standup is now at 11:00"]
    assert facts.undecided() == []


def test_approving_what_is_known_by_now_makes_no_second_fact_and_says_so(facts: Facts) -> None:
    (waiting,) = facts.store(DEC_8, confidence="low").ids
    (known,) = facts.store("User prefers tabs").ids
    facts.update(known, "The deadline of Falcon is 8 December")
    approved = facts.approve(waiting)
    assert (approved.status, approved.superseded_by) == ("superseded", known)
    assert approved.status_why == f"says the same as {known}"
    assert facts.history(waiting)[-1].why == f"says the same as {known}"
    assert held(facts) == ["The deadline of Falcon is 8 December"]


def test_approving_ends_nothing_that_may_hold_beside_it(facts: Facts) -> None:
    facts.store("Ann's car is fast")
    (waiting,) = facts.store("Ann's car is red", confidence="low").ids
    facts.approve(waiting)
    assert sorted(held(facts)) == ["Ann's car is fast", "Ann's car is red"]


def test_approving_replaces_a_property_that_was_given_outright(facts: Facts) -> None:
    ship_day = {"subject": "Falcon", "attribute": "ship day"}
    facts.store([{"text": "It goes out early", "value": "Monday", **ship_day}])
    (waiting,) = facts.store(
        [{"text": "It goes out late", "value": "the end of it", **ship_day}], confidence="low"
    ).ids
    facts.approve(waiting)
    assert held(facts) == ["It goes out late"]


# -- update ------------------------------------------------------------------------------


@pytest.mark.parametrize(("one", "other"), EXCLUDING)
def test_a_fact_is_not_updated_to_what_another_excludes(one: str, other: str, facts: Facts) -> None:
    (holds,) = facts.store(one).ids
    (made,) = facts.store("User owns a red bicycle").ids
    with pytest.raises(RefusedError, match=f'"{holds}" is about the same'):
        facts.update(made, other)
    assert facts.get(made).text == "User owns a red bicycle"


def test_a_fact_is_updated_to_what_may_hold_beside_the_others(facts: Facts) -> None:
    facts.store("Ann's car is red")
    (made,) = facts.store("Ann's car is slow").ids
    assert facts.update(made, "Ann's car is fast").value == "fast"


def test_an_updated_fact_of_three_parts_is_still_of_three(facts: Facts) -> None:
    home = facts.store([{"subject": "Ann", "attribute": "home", "value": "Porto"}]).ids[0]
    fact = facts.update(home, "Ann home: Faro")
    assert (fact.subject, fact.attribute, fact.value) == ("Ann", "home", "Faro")
    assert facts.update(home, "Ann went home").subject is None


def test_an_updated_fact_is_about_what_its_new_text_says(facts: Facts) -> None:
    (made,) = facts.store("User's timezone is Europe/Lisbon").ids
    updated = facts.update(made, "User has two cats")
    assert (updated.subject, updated.attribute, updated.value) == (None, None, None)
    assert facts.lookup("User", "timezone") == []
    updated = facts.update(made, "User's timezone is Europe/Berlin")
    assert [fact.value for fact in facts.lookup("User", "timezone")] == ["Europe/Berlin"]
    assert facts.store("User has two cats").written[0].event == "ADD"


@pytest.mark.parametrize("text", ["- John: john@example.com", "John: +49 30 901820"])
def test_an_address_in_a_list_is_looked_up_by_whom_it_is_of(text: str, facts: Facts) -> None:
    facts.store(text)
    assert [fact.text for fact in facts.lookup("John")] == [text]
