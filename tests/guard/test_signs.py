"""Signs are found by the words of a text exactly where a search would find them."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memctl.guard.rules.signs import SHORTEST_KEY, Signs, has_long_word, is_harmless, signs_in
from memctl.guard.rules.text_view import plain_view

SIGNS = Signs(
    (
        "zq",
        "zqx",
        "zq word",
        " zq ",
        "-z",
        "z q",
        "q :",
        "2zq",
        "z7:9",
        "@",
        "¤",
        "ж¤ж",
        "秘密",
        "密",
    )
)
PIECES = [
    *SIGNS,
    *"zq279: -@",
    "zqword",
    "the",
    "lagos0",
    "840,",
    "z7:8",
    "3zq",
    "秘",
    "Ж",
    "\t",
    "\n",
]


@given(st.lists(st.sampled_from(PIECES), max_size=12))
@example(["zq", "zq word"])
@example(["9zq"])
@example(["\t", "zq word"])
def test_a_sign_is_found_where_it_stands_and_nowhere_else(pieces: list[str]) -> None:
    low = "".join(pieces).lower()
    blanks = low.replace("\t", " ")
    assert signs_in(low) & SIGNS == {sign for sign in SIGNS if sign in blanks}


@pytest.mark.parametrize("around", ["word " * 1_000, "秘" * 3_000, "x" * 5_000])
def test_a_sign_is_found_in_a_long_text(around: str) -> None:
    assert signs_in(f"{around}{{zqx}}{around}") & SIGNS == {"zq", "zqx"}


def test_signs_that_are_added_later_are_found_in_words_that_are_known() -> None:
    assert "vwvw" not in signs_in("a vwvw8 word")
    later = Signs(["vwvw"])
    assert later <= signs_in("a vwvw8 word")


def test_a_view_holds_what_its_text_holds_in_any_case() -> None:
    view = plain_view("The ZQ-word")
    assert view.holds(Signs(["zq"]))
    assert not view.holds(Signs(["zqx"]))


@given(st.lists(st.sampled_from([*PIECES, "p", "a", " "]), max_size=12))
@example(["the", " ", "z", " ", "q"])
@example(["¤", "z q", "¤"])
def test_what_is_harmless_holds_no_sign_no_digit_and_no_long_word(pieces: list[str]) -> None:
    low = "".join(pieces).lower()
    signs_in(low)  # looks at its words
    if is_harmless(low):
        assert not [sign for sign in SIGNS if len(sign) > 1 and sign in low]
        assert not any(map(str.isdigit, low))
        assert max(map(len, low.split()), default=0) < SHORTEST_KEY


@given(st.lists(st.sampled_from([*PIECES, "longlong", " "]), max_size=12))
def test_a_long_word_is_known_as_one(pieces: list[str]) -> None:
    low = "".join(pieces).lower()
    assert has_long_word(low) == any(len(word) >= SHORTEST_KEY for word in low.split())


@pytest.mark.parametrize("blank", [" ", "\t"])
def test_a_sign_of_several_words_is_found_whatever_blank_parts_them(blank: str) -> None:
    line = f"a z{blank}q"
    assert "z q" in signs_in(line)
    assert not is_harmless(line)


def test_a_line_is_harmless_once_its_words_were_looked_at() -> None:
    line = "and/or the yodelling ferryman,"
    assert not is_harmless(line)
    signs_in(line)
    assert is_harmless(line)
    assert not is_harmless(f"{line}\n{line}")
