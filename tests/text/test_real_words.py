from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.text.real_words import is_real_word, spelling_variants
from memctl.text.splitting import fold


@pytest.mark.parametrize("word", ["november", "cats", "impostors", "walking", "horse", "flag"])
def test_a_word_of_english_is_real_in_any_form(word: str) -> None:
    assert is_real_word(word)


@pytest.mark.parametrize("word", ["recieve", "tomorow", "definately", "", 'a"', "cat\n"])
def test_a_misspelling_is_none(word: str) -> None:
    assert not is_real_word(word)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("imposter", "impostor"),
        ("colour", "color"),
        ("organise", "organize"),
        ("travelled", "traveled"),
        ("grey", "gray"),
        ("theatre", "theater"),
        ("catalogue", "catalog"),
        ("defence", "defense"),
    ],
)
def test_two_spellings_of_a_word_lead_to_each_other(one: str, other: str) -> None:
    assert other in spelling_variants(one)


@pytest.mark.parametrize(("word", "other"), [("filled", "filed"), ("better", "bettor")])
def test_short_words_that_differ_are_other_words(word: str, other: str) -> None:
    assert other not in spelling_variants(word)


@given(st.text(max_size=40))
def test_a_word_is_no_variant_of_itself(word: str) -> None:
    assert word not in spelling_variants(word)


@given(st.text(max_size=40))
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)
