"""Light and REM as functions: duplicates, lasting truths."""

from __future__ import annotations

from typing import Any

from memctl.consolidation.phases import duplicates, lasting_truths
from memctl.consolidation.scoring import Evidence, Signal
from tests.each import each

NOW = "2026-11-20T03:00:00Z"


def said(*texts: str) -> list[Evidence]:
    return [
        Evidence(text, first_said_at=f"2026-11-{10 + n}T00:00:00Z") for n, text in enumerate(texts)
    ]


def test_the_same_words_are_merged_into_what_was_said_first() -> None:
    texts = ["Please answer in German", "Bob swims", "answer in the GERMAN.", "Answer in German"]
    assert duplicates(said(*texts)) == ((2, 0), (3, 0))
    assert duplicates(list(reversed(said(*texts)))) == ((0, 3), (1, 3))


@each(
    ("text", "other"),
    [
        ("User prefers tea over coffee", "User prefers coffee over tea"),
        ("Merge after a review", "Merge without a review"),
        ("The budget is less than 900 euros", "The budget is 900 euros"),
        ("Ann drinks green tea with milk", "Ann drinks green tea"),
    ],
)
def test_other_words_or_another_order_are_no_duplicate(text: str, other: str) -> None:
    assert duplicates(said(text, other)) == ()


def test_many_identical_notes_are_one() -> None:
    assert len(duplicates([Evidence("Routine check completed")] * 20_000)) == 19_999


def test_lasting_truths_follow_the_formula_and_leave_near_duplicates_out() -> None:
    def recalled(text: str, days: int, score: float = 0.7, **more: Any) -> Evidence:
        signals = tuple(
            Signal("recall", f"2026-11-{20 - n}", f"{n}", 1, score, f"2026-11-{20 - n}T00:00:00Z")
            for n in range(days)
        )
        return Evidence(text, tags=("a", "b", "c"), signals=signals, **more)

    surest = recalled("Ann drinks green tea", 3)
    held = [
        surest,
        recalled("Ann drinks green tea!", 2),
        recalled("Bob swims in the harbor", 2),
        recalled("Cleo is allergic to nuts", 9, promoted=True),
        recalled("Dan once saw a whale", 1, score=0.3),
    ]
    found = lasting_truths(dict(enumerate(held)), NOW)
    assert [held[place].text for place in found] == [
        "Ann drinks green tea",
        "Bob swims in the harbor",
    ]
