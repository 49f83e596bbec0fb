from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memctl.text.closed_words import FORMS
from memctl.text.real_words import is_real_word, spelling_variants
from tests.each import each


@each(
    "word",
    [
        *("november", "cats", "impostors", "walking", "horse", "flag", "a", "zucchini"),
        *("colour", "organise", "memorised", "travelling", "theatres", "moulding"),
    ],
)
def test_a_word_of_english_is_real_in_any_form_and_spelling(word: str) -> None:
    assert is_real_word(word)


@each(
    "word", ["recieve", "tomorow", "definately", "", "zzzz", "!", 'a"', "cat\n", "köln", "\ud800"]
)
def test_a_misspelling_is_none(word: str) -> None:
    assert not is_real_word(word)


@each(
    ("word", "question"),
    [
        ("ging", "wann ging der server wieder"),
        ("strasse", "in welcher strasse wohnt sie"),
        ("musico", "que musico toca en la ciudad"),
        ("espece", "quelle espece de fleurs pousse ici"),
    ],
)
def test_a_word_of_another_language_is_real_among_its_words(word: str, question: str) -> None:
    beside = [other for other in question.split() if other != word]
    assert is_real_word(word, beside=beside)
    assert not is_real_word(word, beside=["where", "did", "we", "put", "that"])
    assert not is_real_word("tomorow", beside=beside)


@each(
    ("one", "other"),
    [
        ("imposter", "impostor"),
        ("colour", "color"),
        ("organise", "organize"),
        ("analyse", "analyze"),
        ("travelled", "traveled"),
        ("skilful", "skillful"),
        ("grey", "gray"),
        ("theatre", "theater"),
        ("catalogue", "catalog"),
        ("defence", "defense"),
        ("practise", "practice"),
        ("archaeology", "archeology"),
        ("judgement", "judgment"),
        ("sulphur", "sulfur"),
        ("pyjamas", "pajamas"),
    ],
)
def test_two_spellings_of_a_word_lead_to_each_other(one: str, other: str) -> None:
    assert other in spelling_variants(one)
    assert one in spelling_variants(other)


@each(
    ("word", "other"),
    [
        *(("filled", "filed"), ("better", "bettor"), ("four", "for"), ("tour", "tor")),
        *(("hour", "hor"), ("does", "des"), ("rogue", "rog"), ("planned", "planed")),
    ],
)
def test_words_that_differ_alike_are_other_words(word: str, other: str) -> None:
    assert other not in spelling_variants(word)
    assert word not in spelling_variants(other)


@given(st.text(max_size=40))
def test_any_text_can_be_asked(text: str) -> None:
    assert is_real_word(text) in {True, False}
    assert text not in spelling_variants(text)


def test_a_form_stands_in_one_group_and_is_a_real_word() -> None:
    assert all(form in group and len(group) > 1 for form, group in FORMS.items())
    assert len(FORMS) == len({form for group in set(FORMS.values()) for form in group})
    assert {form for form in FORMS if not is_real_word(form)} == set()
