"""Light and REM as functions: duplicates, themes, lasting truths."""

from __future__ import annotations

import random
from typing import Any

import pytest

from memctl.consolidation.scoring.evidence import Evidence, Signal
from memctl.consolidation.scoring.staging import duplicates, lasting_truths, themes
from memctl.text.content_words import content_words

NOW = "2026-11-20T03:00:00Z"


def said(*texts: str) -> list[Evidence]:
    return [
        Evidence(text, first_said_at=f"2026-11-{10 + n}T00:00:00Z") for n, text in enumerate(texts)
    ]


def test_the_same_words_are_merged_into_what_was_said_first() -> None:
    texts = [
        "Ann drinks green tea",
        "Bob swims",
        "Green tea is what Ann drinks",
        "ann drinks GREEN tea",
    ]
    assert duplicates(said(*texts)) == ((2, 0), (3, 0))
    assert duplicates(list(reversed(said(*texts)))) == ((0, 3), (1, 3))


@pytest.mark.parametrize(
    "other",
    [
        "The budget of the harbor project in Porto that Ann and Bob lead is now 6000 euros",
        "The budget of the harbor project in Porto that Ann and Bob lead is not now 5000 euros",
    ],
)
def test_other_figures_and_a_denial_are_no_duplicate(other: str) -> None:
    text = "The budget of the harbor project in Porto that Ann and Bob lead is now 5000 euros"
    assert duplicates(said(text, other)) == ()


def test_every_pair_is_found_that_comparing_all_of_them_finds() -> None:
    chosen = random.Random(18)  # noqa: S311  (drawn alike each time)
    words = [f"{a}{b}" for a in "bdfgkl" for b in ("ana", "eta", "oru")]
    texts = [" ".join(chosen.sample(words, chosen.randint(9, 12))) for _ in range(300)]
    sets = [set(content_words(text)) for text in texts]
    kept: list[int] = []
    found = []
    for place, mine in enumerate(sets):
        held = [n for n in kept if mine <= sets[n] or sets[n] <= mine]
        near = [n for n in held if len(mine & sets[n]) / len(mine | sets[n]) >= 0.8]
        if near:
            found.append(place)
        else:
            kept.append(place)
    given = [Evidence(text) for text in texts]
    assert [place for place, _ in duplicates(given, alike=0.8)] == found
    assert len(found) > 5


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
