"""Flip certificates: the smallest change, proven by judging it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given

from memctl.consolidation.scoring.flips import flips, smallest_change
from memctl.consolidation.scoring.profiles import PROFILES, Profile
from tests.consolidation.test_scoring_profiles import (
    NOW,
    ago,
    anything,
    asked,
    evidence,
    profiles,
    said,
)

if TYPE_CHECKING:
    from memctl.consolidation.scoring.evidence import Evidence

MEMCTL = PROFILES["memctl"]
OPENCLAW = PROFILES["openclaw"]
GOOD = evidence(said(7, 0), keep=7, tags=3)


@pytest.mark.parametrize(
    ("given", "profile", "words"),
    [
        (
            evidence(said(4), keep=7),
            MEMCTL,
            "1 more statement, on 2026-11-21 (score 0.58)",
        ),
        (
            evidence(said(0), keep=7),
            MEMCTL,
            "1 more statement, on 2026-11-25 (score 0.58)",
        ),
        (
            evidence(said(0), keep=4),
            MEMCTL,
            "2 more recalls, each by another question, 3 days apart, the last on 2026-11-26 (score 0.75)",
        ),
        (
            evidence((*said(6), *asked(0)), keep=3),
            MEMCTL,
            "1 more recall by another question, on 2026-11-21 (score 0.75)",
        ),
        (
            evidence(asked(0, 1, score=0.9)),
            OPENCLAW,
            "1 more recall by another question, on 2026-11-21 (score 0.90)",
        ),
        (replace(GOOD, boot_overlap=0.8), MEMCTL, "if the boot files did not say it"),
        (replace(GOOD, grounded=False), MEMCTL, "if a source row said it"),
        (replace(GOOD, own=True), MEMCTL, "if a person had said it"),
        (GOOD, MEMCTL, "without the statement of 2026-11-13"),
        (replace(GOOD, promoted=True), MEMCTL, "without the statement of 2026-11-13"),
        (
            evidence(said(0), keep=12, standing_order=True),
            MEMCTL,
            "without the statement of 2026-11-20",
        ),
        (
            evidence(said(0, 1), keep=12, standing_order=True),
            MEMCTL,
            "without every statement",
        ),
    ],
)
def test_the_smallest_change_is_named(given: Evidence, profile: Profile, words: str) -> None:
    found = smallest_change(given, profile, NOW)
    assert found is not None
    assert found.words == words
    assert found.holds


def test_a_threshold_comes_last_and_is_moved_just_so_far() -> None:
    low = evidence((*said(6), *asked(1, 0, score=0.1)), keep=3, tags=0)
    profile = replace(MEMCTL, thresholds=replace(MEMCTL.thresholds, min_score=0.7))
    total = profile.score(low, NOW).total
    last = list(flips(low, profile, NOW))[-1]
    assert (
        last.words == f"with dream_min_score = {last.profile.thresholds.min_score:g} instead of 0.7"
    )
    assert 0 <= total - last.profile.thresholds.min_score < 0.001


def test_what_two_gates_stop_for_good_has_no_single_change() -> None:
    hopeless = replace(GOOD, own=True, grounded=False)
    assert smallest_change(hopeless, MEMCTL, NOW) is None


def test_an_age_that_is_too_high_is_cured_by_being_asked_again_or_by_the_threshold() -> None:
    old = evidence(asked(40, 41, 42, 43, 44, score=1.0))
    named = [one.words for one in flips(old, OPENCLAW, ago(0))]
    assert named[0].startswith("1 more recall")
    loose = replace(OPENCLAW, thresholds=replace(OPENCLAW.thresholds, min_score=0.5))
    assert "with dream_max_age_days = 40 instead of 30" in [
        one.words for one in flips(old, loose, NOW)
    ]


@given(anything, profiles)
def test_every_certificate_is_true(given: Evidence, profile: Profile) -> None:
    judged = replace(given, promoted=False)
    for one in flips(judged, profile, NOW):
        assert one.holds
        assert one.promotes is not profile.passes(judged, NOW)
