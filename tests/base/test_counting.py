"""A number stands beside its noun in the form that English gives it."""

from __future__ import annotations

from memctl.base.counting import counted
from tests.each import each


@each(
    ("number", "noun", "told"),
    [
        (1, "turn", "1 turn"),
        (2, "turn", "2 turns"),
        (0, "turn", "0 turns"),
        (2, "entry", "2 entries"),
        (2, "day", "2 days"),
        (2, "alias", "2 aliases"),
        (2, "match", "2 matches"),
        (1204, "later turn", "1,204 later turns"),
    ],
)
def test_a_regular_noun_has_its_plural(number: int, noun: str, told: str) -> None:
    assert counted(number, noun) == told


def test_a_phrase_brings_its_own_plural() -> None:
    assert counted(10, "row that fades", "rows that fade") == "10 rows that fade"
