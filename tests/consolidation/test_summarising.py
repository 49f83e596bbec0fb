"""A summary is the most telling sentences of a thread, in their own order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memctl.consolidation.summarising import summary_of, tags_of

THREAD = [
    "Hello there!",
    "The ferry to Bornholm leaves at nine from the old pier.",
    "We had soup.",
    "Ann books the ferry to Bornholm for Friday.",
    "The weather was fine all day long.",
]


def test_what_is_spoken_of_most_is_told() -> None:
    assert summary_of(THREAD, most=60) == "Ann books the ferry to Bornholm for Friday."


def test_sentences_keep_their_order() -> None:
    found = summary_of(THREAD, most=150)
    places = [found.index(sentence) for sentence in THREAD if sentence in found]
    assert len(places) > 1
    assert places == sorted(places)


def test_a_thread_of_small_talk_has_no_summary() -> None:
    assert not summary_of(["Hi!", "Oh, ok", "..."], most=100)


def test_the_same_words_in_another_sentence_add_nothing() -> None:
    twice = [
        "The launch of Falcon is on Monday.",
        "The launch of Falcon is on Monday.",
        "Ann flies to Rome soon.",
    ]
    assert "Rome" in summary_of(twice, most=70)


def test_tags_are_what_most_texts_share() -> None:
    assert tags_of(["Falcon launches", "Falcon slips", "Ann sails"], most=1) == ["falcon"]


@given(st.lists(st.text(max_size=60), max_size=12), st.integers(20, 120))
def test_a_summary_keeps_its_length_whatever_was_said(sentences: list[str], most: int) -> None:
    assert len(summary_of(sentences, most=most)) <= most
