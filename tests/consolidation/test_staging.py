"""Light and REM as functions: duplicates, themes, lasting truths."""

from __future__ import annotations

from typing import Any

import pytest

from memctl.consolidation.scoring.evidence import Evidence, Signal
from memctl.consolidation.scoring.staging import duplicates, lasting_truths, themes

NOW = "2026-11-20T03:00:00Z"


def said(*texts: str) -> list[Evidence]:
    return [
        Evidence(text, first_said_at=f"2026-11-{10 + n}T00:00:00Z") for n, text in enumerate(texts)
    ]


def test_the_same_words_are_merged_into_what_was_said_first() -> None:
    texts = ["Please answer in German", "Bob swims", "answer in the GERMAN.", "Answer in German"]
    assert duplicates(said(*texts)) == ((2, 0), (3, 0))
    assert duplicates(list(reversed(said(*texts)))) == ((0, 3), (1, 3))


@pytest.mark.parametrize(
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


def test_a_theme_is_a_tag_of_three_eighths_of_the_statements() -> None:
    held = [Evidence(str(n), tags=("tea", "cup") if n < 3 else ("cup",)) for n in range(8)]
    found = themes(held)
    assert [(one.tag, one.strength, one.count) for one in found] == [
        ("cup", 1.0, 8),
        ("tea", 0.75, 3),
    ]
    assert found[0].evidence == tuple(held[:3])
    assert themes(held[2:]) == themes(held[2:], limit=1)
    assert themes([]) == ()


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
    found = lasting_truths(held, NOW)
    assert [one.evidence.text for one in found] == [
        "Ann drinks green tea",
        "Bob swims in the harbor",
    ]
    # .45 * .7 + .25 * ln 4 / ln 7 + .20 + .10 * .5
    assert round(found[0].confidence, 3) == 0.743
