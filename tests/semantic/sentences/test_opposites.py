"""States, manners and employers of which one excludes the other, and those that do not."""

from __future__ import annotations

import pytest

from memctl.semantic.sentences.opposites import (
    as_manner,
    as_meal,
    exclude_each_other,
    manners_differ,
    state_class,
)
from memctl.semantic.sentences.places_and_firms import may_be_one_firm


@pytest.mark.parametrize(
    ("one", "other", "excluded"),
    [
        ("married", "divorced", True),
        ("single", "divorced", False),
        ("enabled", "disabled", True),
        ("monolingual", "trilingual", True),
        ("morning person", "night owl", True),
        ("verheiratet", "ledig", True),
        ("zurda", "diestra", True),
        ("mari\u00e9e", "c\u00e9libataire", True),
    ],
)
def test_states_of_two_sides_of_a_line_exclude_each_other(
    one: str, other: str, *, excluded: bool
) -> None:
    assert state_class(one) == state_class(other)
    assert exclude_each_other(one, other) is exclude_each_other(other, one) is excluded


def test_a_state_that_no_line_has_stands_for_itself() -> None:
    assert state_class("tall") == "tall"
    assert state_class("single") != state_class("enabled")


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("full time", "part-time", True),
        ("from home", "remotely", False),
        ("from home", "from office", True),
        ("alone", "with her parents", True),
        ("on left side", "on right side", True),
    ],
)
def test_manners_of_one_doing_exclude_each_other(one: str, other: str, *, differ: bool) -> None:
    assert as_manner(one) == as_manner(other) != ""
    assert manners_differ(one, other) is differ


@pytest.mark.parametrize("value", ["in berlin", "alone from home", "with two cats", ""])
def test_what_names_no_manner_or_two_is_none(value: str) -> None:
    assert as_manner(value) == ""


def test_milk_excludes_no_milk_and_nothing_else() -> None:
    assert as_meal("coffee black") == as_meal("coffee with milk") == as_meal("coffee without milk")
    assert as_meal("coffee black") != as_meal("coffee with sugar")
    assert manners_differ("coffee black", "coffee with milk")
    assert not manners_differ("coffee black", "coffee without milk")


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ("alphabet", "google", True),
        ("linkedin", "microsoft", True),
        ("google", "google cloud", True),
        ("siemens", "madrid", True),
        ("google", "meta", False),
        ("spotify", "netflix", False),
    ],
)
def test_a_firm_and_one_that_it_holds_can_both_be_the_employer(
    one: str, other: str, *, both: bool
) -> None:
    assert may_be_one_firm(one, other) is may_be_one_firm(other, one) is both
