"""What every text passes before it is written: no control characters, no lone surrogates."""

from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.base.errors import UnusableInputError
from memctl.guard.door import MAX_LABEL, MAX_NAME, MAX_TEXT, clean
from tests.each import each


def cleaned(text: str) -> str:
    return clean(text, what="label")


anything = st.text(alphabet=st.characters(exclude_categories=[]))


@each("text", ["", "Save", "a\tb\nc", "naïve café", "請求書 ✓ 👩‍👩‍👧", "a | b .. c"])
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert cleaned(text) == text


def test_control_characters_are_dropped() -> None:
    everything = "".join(map(chr, range(0xA0)))
    kept = set(cleaned(everything))
    assert kept == {"\t", "\n", *map(chr, range(0x20, 0x7F))}


def test_a_terminals_escape_codes_lose_their_escape() -> None:
    assert cleaned("\x1b[31mred\x1b[0m\x07") == "[31mred[0m"


def test_the_line_ends_of_other_systems_become_one() -> None:
    assert cleaned("a\r\nb") == "a\nb"


def test_a_lone_surrogate_is_replaced() -> None:
    assert cleaned("a\ud800b\udfffc") == "a\ufffdb\ufffdc"


def test_a_text_at_the_limit_is_taken_and_one_character_more_is_refused() -> None:
    assert clean("x" * MAX_LABEL, what="label", limit=MAX_LABEL) == "x" * MAX_LABEL
    with pytest.raises(UnusableInputError, match="label has 1001 characters") as raised:
        clean("x" * (MAX_LABEL + 1), what="label", limit=MAX_LABEL)
    assert raised.value.hint == "at most 1000 are kept"
    assert "x" * 20 not in raised.value.message


def test_limits_grow_from_names_to_texts() -> None:
    assert MAX_NAME < MAX_LABEL < MAX_TEXT


@given(anything)
def test_any_text_can_be_stored_and_read_back_once_cleaned(text: str) -> None:
    ready = cleaned(text)
    connection = sqlite3.connect(":memory:")
    try:
        assert connection.execute("select ?", (ready,)).fetchone()[0] == ready
    finally:
        connection.close()


@given(anything)
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    assert cleaned(cleaned(text)) == cleaned(text)


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs"])))
def test_text_without_control_characters_is_never_changed(text: str) -> None:
    assert cleaned(text) == text
