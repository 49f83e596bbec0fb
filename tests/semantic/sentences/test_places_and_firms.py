"""Where somebody lives: which two places cannot both be it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.semantic.sentences.normal import equal_key
from memctl.semantic.sentences.places_and_firms import may_be_one_place

if TYPE_CHECKING:
    from memctl.semantic.facts import Facts

WITHIN = [
    ("Bavaria", "Munich, Germany"),
    ("Bayern", "Bavaria"),
    ("Germany", "Deutschland"),
    ("Germany", "Bavaria"),
    ("Europe", "Munich, Bavaria"),
    ("Europe", "Germany"),
    ("Scandinavia", "Sweden"),
    ("Georgia", "the USA"),
    ("Ohio", "Cleveland"),
    ("Ohio", "the U.S."),
    ("England", "the UK"),
    ("Germany", "Munich"),
    ("Frankfurt am Main", "Frankfurt, Germany"),
    ("New Mexico", "Santa Fe, United States"),
    ("South Korea", "Seoul, Korea"),
]
APART = [
    ("Berlin", "Munich"),
    ("Berlin, Germany", "Munich"),
    ("Berlin, Germany", "Munich, Germany"),
    ("Bavaria", "Vienna, Austria"),
    ("Bavaria", "France"),
    ("Bavaria", "Saxony"),
    ("Germany", "France"),
    ("Europe", "Japan"),
    ("New Mexico", "Mexico City, Mexico"),
    ("London, England", "London, Ontario"),
]
NAMES = sorted({name for pair in (*WITHIN, *APART) for name in pair})


@pytest.mark.parametrize(("one", "other"), WITHIN)
def test_places_of_which_one_may_lie_in_the_other_may_both_be_said(one: str, other: str) -> None:
    assert may_be_one_place(equal_key(one), equal_key(other))


@pytest.mark.parametrize(("one", "other"), APART)
def test_places_that_are_known_to_lie_apart_may_not(one: str, other: str) -> None:
    assert not may_be_one_place(equal_key(one), equal_key(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [("london", "camden"), ("new york", "brooklyn"), ("tokyo", "shibuya"), ("berlin", "neukölln")],
)
def test_an_unknown_name_may_be_a_part_of_a_known_town(one: str, other: str) -> None:
    assert may_be_one_place(one, other)
    assert not may_be_one_place(one, other, doubted=False)


def test_two_unknown_names_are_two_places() -> None:
    assert not may_be_one_place("oberdorf", "niederdorf")


def test_who_says_to_live_elsewhere_now_is_believed_of_an_unknown_name_too(facts: Facts) -> None:
    facts.store("User lives in Leeds")
    assert facts.store("User lives in Headingley").written[0].event == "ADD"
    assert facts.store("User now lives in Ilkley").written[0].event == "SUPERSEDE"
    assert [fact.text for fact in facts.list()] == ["User now lives in Ilkley"]


@given(st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_it_does_not_matter_which_place_comes_first(one: str, other: str) -> None:
    first, second = equal_key(one), equal_key(other)
    assert may_be_one_place(first, second) is may_be_one_place(second, first)


def test_a_region_and_a_town_of_its_country_both_hold(facts: Facts) -> None:
    facts.store("User lives in Bavaria")
    assert facts.store("User lives in Munich, Germany").written[0].event == "ADD"
    assert facts.store("User lives in Vienna, Austria").written[0].event == "PENDING"
