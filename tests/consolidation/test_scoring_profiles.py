"""Scores and gates of the profiles: the figures that their originals give, to three decimals."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memctl
from memctl.base.errors import UsageError
from memctl.consolidation.scoring.evidence import Evidence, Signal
from memctl.consolidation.scoring.profiles import PROFILES, profile_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from memctl.consolidation.scoring.profiles import Profile
    from memctl.memory import Memory

NOW = "2026-11-20T03:00:00Z"
TAGS = ("one", "two", "three", "four", "five", "six")


def ago(days: float) -> str:
    moment = datetime.fromisoformat(NOW) - timedelta(days=days)
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def said(*days: float, kind: str = "session", score: float = 0.58) -> tuple[Signal, ...]:
    return tuple(Signal(kind, ago(day)[:10], "", None, score, ago(day)) for day in days)


def asked(*days: float, score: float = 0.75, rank: int = 1) -> tuple[Signal, ...]:
    """Return recalls on some days before now, each by a question of its own."""
    return tuple(
        Signal("recall", ago(day)[:10], f"{number:012x}", rank, score, ago(day))
        for number, day in enumerate(days)
    )


def evidence(signals: Iterable[Signal], *, tags: int = 6, keep: float = 5, **more: Any) -> Evidence:
    return Evidence("text", keep, tags=TAGS[:tags], signals=tuple(signals), **more)


def total(name: str, given: Evidence) -> float:
    return PROFILES[name].score(given, NOW).total


HITS: dict[str, Any] = {"light_hits": 3, "light_at": NOW, "rem_hits": 3, "rem_at": NOW}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (evidence(said(0, kind="daily", score=0.62)), 0.515),
        (evidence(said(0, 1, 2, kind="daily", score=0.62)), 0.675),
        (evidence(said(0, 1, 2, kind="daily", score=0.62), **HITS), 0.782),
        (evidence(asked(0, 1, 2, score=0.70)), 0.699),
        (evidence(asked(0, 1, 2, score=1.00)), 0.789),
        (evidence(asked(0, 1, 3, 5, 6, score=0.56)), 0.801),
        (evidence(asked(0, 1, 3, 5, 6, score=0.55)), 0.798),
        # Three finds of a backfill on one day: consolidation in full, one question.
        (evidence(said(0, 0, 0, kind="grounded", score=0.70)), 0.689),
    ],
)
def test_the_reachability_table_of_openclaw_is_reproduced(given: Evidence, expected: float) -> None:
    assert round(total("openclaw-0.80", given), 3) == expected


def test_three_recalls_a_day_each_never_reach_80_and_reach_75_from_an_average_of_87() -> None:
    best = evidence(asked(0, 1, 2, score=1.0))
    assert not PROFILES["openclaw-0.80"].passes(best, NOW)
    assert PROFILES["openclaw"].passes(evidence(asked(0, 1, 2, score=0.87)), NOW)
    assert not PROFILES["openclaw"].passes(evidence(asked(0, 1, 2, score=0.86)), NOW)


@pytest.mark.parametrize(
    ("given", "expected", "promoted"),
    [
        # Upstream's own calibration for .75: durable facts, repeated filler, relevant one-offs.
        (evidence(asked(0, 1, 2, score=0.58), tags=4, **HITS), 0.750, True),
        (evidence(asked(0, 1, 2, score=0.60), tags=4, **HITS), 0.756, True),
        (evidence(asked(0, 1, 2, score=0.62), tags=3, **HITS), 0.752, True),
        (evidence(asked(0, 1, 2, score=0.2), tags=0), 0.489, False),
        (evidence(asked(0, 1, 2, score=0.3), tags=0), 0.519, False),
        (evidence(asked(0, 1, 2, score=0.4), tags=0), 0.549, False),
        (evidence(asked(0, score=0.80), tags=2), 0.529, False),
        (evidence(asked(0, score=0.90), tags=3), 0.569, False),
        (evidence(asked(0, score=0.99), tags=4), 0.606, False),
    ],
)
def test_openclaws_calibration_at_75_is_reproduced(
    given: Evidence, expected: float, promoted: bool
) -> None:
    assert round(total("openclaw", given), 3) == expected
    assert PROFILES["openclaw"].passes(given, NOW) is promoted


@pytest.mark.parametrize(
    ("given", "expected", "lane"),
    [
        (evidence(said(0), keep=5, tags=3), 0.367, ""),
        (evidence(said(7, 0), keep=7, tags=3), 0.524, "restated"),
        (evidence(said(7, 0), keep=6, tags=5), 0.522, "restated"),
        (evidence(said(9, 7, 0), keep=4, tags=5), 0.545, "said often"),
        (evidence((*said(5), *asked(1, 0, score=0.45)), keep=5, tags=3), 0.701, "recalled"),
        (evidence(said(0), keep=13, tags=2, standing_order=True), 0.424, "standing order"),
    ],
)
def test_memctls_figures(given: Evidence, expected: float, lane: str) -> None:
    profile = PROFILES["memctl"]
    score = profile.score(given, NOW)
    assert round(score.total, 3) == expected
    assert profile.passes(given, NOW) is bool(lane)
    assert not lane or profile.lane(given, score, NOW).name == lane


@pytest.mark.parametrize(
    ("changed", "gate"),
    [
        ({"own": True}, "own"),
        ({"grounded": False}, "grounded"),
        ({"boot_overlap": 0.6}, "boot overlap"),
        ({"promoted": True}, "promoted"),
        ({"signals": ()}, "any signal"),
        ({"signals": said(7)}, "days stated"),
        ({"signals": said(7, 0), "keep_score": 4.0}, "keep score"),
        ({"rival": "User's vet is Omar."}, "newest"),
        ({"signals": said(4, 0)}, "days apart"),
        ({"signals": said(30, 20), "tags": ()}, "score"),
    ],
)
def test_each_gate_of_memctl_stops_what_it_is_for(changed: dict[str, Any], gate: str) -> None:
    profile = PROFILES["memctl"]
    good = evidence(said(7, 0), keep=7)
    assert profile.passes(good, NOW)
    given = replace(good, **changed)
    gates = profile.gates(given, profile.score(given, NOW), NOW)
    assert next(one.name for one in gates if not one.passed) == gate


@pytest.mark.parametrize(
    ("signals", "gate"),
    [
        ((*said(0, 1, 2), *asked(0, 1)), "questions"),
        (asked(0, 1), "signals"),
        (asked(40, 41, 42, 43, 44, score=1.0), "age"),
        (asked(0, 1, 2, score=0.3), "score"),
    ],
)
def test_each_gate_of_openclaw_stops_what_it_is_for(signals: tuple[Signal, ...], gate: str) -> None:
    profile = PROFILES["openclaw"]
    given = evidence(signals)
    gates = profile.gates(given, profile.score(given, NOW), NOW)
    assert next(one.name for one in gates if not one.passed) == gate


def test_days_are_no_questions_any_more_for_openclaw_and_were() -> None:
    given = evidence(said(0, 1, 2, 3, 4, score=0.9))
    assert PROFILES["never-forget"].passes(given, NOW)
    assert not PROFILES["openclaw"].passes(given, NOW)


def test_a_recall_that_showed_it_far_down_counts_for_openclaw_alone() -> None:
    far = evidence((*said(6), *asked(0, 1, 2, rank=7)))
    assert PROFILES["openclaw"].formula.measures(far)["signals"] == 4
    assert PROFILES["memctl"].formula.measures(far)["recalls"] == 0


def test_the_same_question_on_one_day_counts_once_with_its_feedback() -> None:
    recall = asked(0)[0]
    given = evidence(
        (*said(6), recall, recall._replace(at=ago(0.01)), recall._replace(kind="feedback"))
    )
    assert PROFILES["memctl"].formula.measures(given)["recalls"] == 1


def test_candidates_are_sorted_by_score_recalls_and_text() -> None:
    first = evidence(asked(0, 1))
    score = PROFILES["openclaw"].score(first, NOW)
    fewer = replace(first, signals=said(0, 1))
    later = replace(first, text="zebra")
    keys = [PROFILES["openclaw"].order(one, score) for one in (later, fewer, first)]
    assert sorted(keys) == [keys[2], keys[0], keys[1]]


def test_parts_and_boosts_add_up_to_the_total() -> None:
    score = PROFILES["openclaw"].score(evidence(asked(0, 1), **HITS), NOW)
    assert sum(score.shares.values()) == pytest.approx(score.total, abs=1e-5)
    assert list(score.shares) == [
        *("relevance", "frequency", "diversity", "recency", "consolidation", "richness"),
        *("light", "rem"),
    ]


# -- settings ----------------------------------------------------------------------------------


def test_every_profile_follows_a_version_and_can_be_set(memory: Memory) -> None:
    for name, profile in PROFILES.items():
        memory.settings.set("dream_profile", name)
        assert profile_of(memory.settings) == profile
        assert any(sign.isdigit() for sign in profile.follows)


def test_a_threshold_that_is_set_overrides_the_profiles_own(memory: Memory) -> None:
    memory.settings.set("dream_min_score", 0.4)
    memory.settings.set("dream_limit", 0)
    changed = profile_of(memory.settings, "openclaw")
    assert (changed.thresholds.min_score, changed.limit) == (0.4, 0)
    assert changed.thresholds.min_recalls == PROFILES["openclaw"].thresholds.min_recalls
    memory.settings.unset("dream_min_score")
    assert profile_of(memory.settings, "openclaw").thresholds.min_score == 0.75


def test_an_unknown_profile_is_refused_by_name(memory: Memory) -> None:
    with pytest.raises(UsageError, match='"mem1"'):
        profile_of(memory.settings, "mem1")


# -- properties --------------------------------------------------------------------------------

moments = st.floats(-400, 400, allow_nan=False).map(ago)
shares = st.floats(0, 1, allow_nan=False)


@st.composite
def signals_of(draw: st.DrawFn) -> Signal:
    at = draw(moments)
    kind = draw(st.sampled_from(["session", "daily", "grounded", "recall", "feedback"]))
    query = draw(st.sampled_from(["", "a" * 12, "b" * 12, "c" * 12])) if kind == "recall" else ""
    rank = draw(st.integers(1, 9)) if kind == "recall" else None
    return Signal(kind, at[:10], query, rank, draw(shares), at)


anything = st.builds(
    Evidence,
    text=st.text(),
    keep_score=st.floats(-5, 25),
    standing_order=st.booleans(),
    boot_overlap=shares,
    tags=st.lists(st.text(), max_size=9).map(tuple),
    first_said_at=moments,
    last_said_at=moments,
    signals=st.lists(signals_of(), max_size=12).map(tuple),
    light_hits=st.integers(0, 50),
    light_at=st.none() | moments,
    rem_hits=st.integers(0, 50),
    rem_at=st.none() | moments,
)
profiles = st.sampled_from(sorted(PROFILES)).map(PROFILES.__getitem__)


@given(anything, profiles, moments)
def test_parts_and_total_lie_between_0_and_1_whatever_the_clock_says(
    given: Evidence, profile: Profile, as_of: str
) -> None:
    score = profile.score(given, as_of)
    assert all(0 <= part.value <= 1 for part in (*score.parts, *score.boosts))
    assert 0 <= score.total <= 1
    gates = profile.gates(given, score, as_of)
    assert profile.passes(given, as_of) is all(one.passed for one in gates)


@given(anything, profiles, signals_of())
def test_more_evidence_that_is_no_weaker_never_lowers_a_score(
    given: Evidence, profile: Profile, one: Signal
) -> None:
    strong = one._replace(score=1.0)
    more = replace(given, signals=(*given.signals, strong))
    assert profile.score(more, NOW).total >= profile.score(given, NOW).total - 1e-9


@given(anything, profiles)
def test_what_is_dated_later_counts_nothing_yet(given: Evidence, profile: Profile) -> None:
    later = replace(given, signals=(*given.signals, *asked(-1, -2), *said(-3)))
    assert profile.score(later, NOW) == profile.score(given, NOW)


def test_a_profile_of_a_store_opened_with_flags(home: Path) -> None:
    with memctl.open("harbor", home, settings={"dream_min_recalls": "1"}) as opened:
        assert profile_of(opened.settings).thresholds.min_recalls == 1
