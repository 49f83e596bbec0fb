"""A mistyped word finds the known one that it may mean, however that is written."""

from __future__ import annotations

from memctl.base.near_words import meant, near_words, one_of
from tests.each import each


@each(
    ("word", "known", "near"),
    [
        ("Delet", ["Delete", "Delete_2", "Orders"], ["Delete", "Delete_2"]),
        ("new invoice", ["New_invoice", "Save"], ["New_invoice"]),
        ("cluade", ["claude-code", "codex"], ["claude-code"]),
        ("helth", ["health", "decay"], ["health"]),
        ("forget-threshold", ["forget_threshold"], ["forget_threshold"]),
        ("zzz", ["Delete"], []),
        ("d" * 1000, ["d" * 999], []),
        ("a", [], []),
    ],
)
def test_the_nearest_words_come_first_and_nothing_else(
    word: str, known: list[str], near: list[str]
) -> None:
    assert near_words(word, known) == near


def test_a_hint_asks_what_is_meant_or_says_where_to_look() -> None:
    assert meant("Delet", ["Delete", "Delete_2"]) == 'did you mean "Delete" or "Delete_2"?'
    assert meant("zzz", ["Delete"], "memctl components list") == "memctl components list"


def test_a_closed_choice_is_told_whole_with_what_is_meant_before_it() -> None:
    assert one_of("hihg", ["low", "high"]) == 'did you mean "high"? one of low, high'
    assert one_of("?", ["low", "high"]) == "one of low, high"
