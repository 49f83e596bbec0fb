"""Times, dates, versions and amounts: which two cannot both be said of one thing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.semantic.sentences.claim import forms_for, read_claim
from memctl.semantic.sentences.datum import Datum, ends_in_datum, may_be_one, read_datum
from tests.semantic.sentences.claim_pairs import pairs

KINDS = frozenset({"clock", "weekday", "calendar", "version", "port", "amount", "number"})
SAME = [
    ("at 9:00", "um 9 Uhr"),
    ("at 9 am", "at 9:00 a.m."),
    ("at 3 pm", "at 15:00"),
    ("on Fridays", "every Friday"),
    ("every Friday", "freitags"),
    ("on 8 May 2027", "on 2027-05-08"),
    ("May 8th, 2027", "am 8. Mai 2027"),
    ("in May", "im Mai"),
    ("version 2", "on v2"),
    ("20 euros", "\u20ac20"),
    ("1,200 euros", "1200 EUR"),
    ("1.50 euros", "1,5 Euro"),
]
MAY_BOTH = [
    ("at 9:00", "at 21:00"),
    ("at 9", "at 9 pm"),
    ("in May", "on 8 May"),
    ("in 2027", "in May"),
    ("on 8 May", "on 8 May 2027"),
    ("version 2", "version 2.1"),
]
NEVER_BOTH = [
    ("at 9:00", "at 9:30"),
    ("at 9 am", "at 9 pm"),
    ("at 09:00", "at 21:00"),
    ("on Monday", "on Tuesday"),
    ("in May", "on 8 June"),
    ("on 8 May 2027", "in 2028"),
    ("version 2.1", "version 2.2"),
    ("on Python 3.11", "on Python 3.12"),
    ("20 euros", "25 euros"),
]
NONE = [
    "at home",
    "at 25:00",
    "at 9:75",
    "on page 3",
    "in Berlin",
    "in 10 minutes",
    "on 40 May",
    "May",
]
WRITTEN = sorted({text for pair in (*SAME, *MAY_BOTH, *NEVER_BOTH) for text in pair})


def datum(text: str) -> Datum:
    found = read_datum(text, KINDS)
    assert found is not None
    return found


@pytest.mark.parametrize(("one", "other"), SAME)
def test_ways_of_writing_one_datum_are_read_as_one(one: str, other: str) -> None:
    assert datum(one) == datum(other)


@pytest.mark.parametrize(("one", "other"), MAY_BOTH)
def test_what_leaves_room_for_the_other_may_be_said_beside_it(one: str, other: str) -> None:
    assert datum(one) != datum(other)
    assert may_be_one(datum(one).value, datum(other).value)


@pytest.mark.parametrize(("one", "other"), NEVER_BOTH)
def test_two_data_of_one_kind_may_not(one: str, other: str) -> None:
    assert datum(one).kind == datum(other).kind
    assert not may_be_one(datum(one).value, datum(other).value)


@pytest.mark.parametrize("text", NONE)
def test_what_only_looks_like_a_datum_is_none(text: str) -> None:
    assert read_datum(text, KINDS) is None


def test_units_that_differ_are_not_compared() -> None:
    assert datum("20 euros").kind != datum("22 dollars").kind
    assert datum("180 cm tall").kind != datum("180 cm wide").kind


@given(st.sampled_from(WRITTEN), st.sampled_from(WRITTEN))
def test_it_does_not_matter_which_datum_comes_first(one: str, other: str) -> None:
    first, second = datum(one), datum(other)
    if first.kind == second.kind:
        there = may_be_one(first.value, second.value)
        assert there is may_be_one(second.value, first.value)
        assert there or first != second


@given(st.text(alphabet="0123456789:.-hamp \u70b9\u6642\u6708\u5e74 ", max_size=12))
def test_any_digits_are_a_datum_or_none(text: str) -> None:
    found = read_datum(f"at {text}", KINDS)
    assert found is None or may_be_one(found.value, found.value)


def test_no_form_is_passed_over_for_the_last_word_of_what_it_reads() -> None:
    dated = [text for pair in pairs() for text in pair[1:] if getattr(read_claim(text), "kind", "")]
    assert len(dated) > len(pairs()) / 5
    assert all(ends_in_datum(text.rstrip(".").split(" because")[0]) for text in dated)


def test_a_sentence_without_a_datum_at_its_end_is_asked_for_none() -> None:
    text = "The review starts with the map"
    assert not [form for form in forms_for(text) if form.fits]
