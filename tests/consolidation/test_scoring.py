"""Scores and gates of the named sets, as their originals give them; duplicates and lasting truths."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.base.errors import UsageError
from memctl.config.dream_settings import SCORE_SETS, ScoreSet, score_set
from memctl.consolidation.phases import duplicates, lasting_truths
from memctl.consolidation.scoring import Evidence, Judged, Signal, judge
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Iterable

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


def judged(profile: str, given: Evidence) -> Judged:
    return judge(given, score_set(profile), NOW)


def stopped_by(profile: str, given: Evidence) -> str:
    gate = judged(profile, given).stopped_by
    return gate.name if gate else ""


HITS: dict[str, Any] = {"light_hits": 3, "light_at": NOW, "rem_hits": 3, "rem_at": NOW}


@each(
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
    # Never Forget follows OpenClaw 2026.4, which the table is of.
    assert round(judged("never-forget", given).score, 3) == expected


def test_three_recalls_a_day_each_never_reach_80_and_reach_75_from_an_average_of_87() -> None:
    best = evidence(asked(0, 1, 2, score=1.0))
    assert stopped_by("never-forget min_score=.8", best) == "score"
    assert not stopped_by("openclaw", evidence(asked(0, 1, 2, score=0.87)))
    assert stopped_by("openclaw", evidence(asked(0, 1, 2, score=0.86))) == "score"


@each(
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
    assert round(judged("openclaw", given).score, 3) == expected
    assert bool(stopped_by("openclaw", given)) is not promoted


MEMCTLS: list[tuple[Evidence, float, str]] = [
    (evidence(said(0), keep=5, tags=3), 0.460, "signals"),
    (evidence(said(7, 0), keep=7, tags=3), 0.610, ""),
    (evidence(said(9, 7, 0), keep=4, tags=5), 0.642, ""),
    (evidence((*said(5), *asked(1, 0, score=0.45)), keep=5, tags=3), 0.710, ""),
    (evidence(said(1, 0), keep=3, tags=2), 0.486, "days apart"),
    (evidence(said(0), keep=13, tags=2, standing_order=True), 0.506, ""),
]


@each(("given", "expected", "gate"), MEMCTLS)
def test_memctls_figures(given: Evidence, expected: float, gate: str) -> None:
    assert round(judged("memctl", given).score, 3) == expected
    assert stopped_by("memctl", given) == gate


@each(
    ("changed", "gate"),
    [
        ({"stands_alone": False}, "stands alone"),
        ({"rival": "User's vet is Omar."}, "newest"),
        ({"boot_overlap": 0.6}, "boot overlap"),
        ({"promoted": True}, "promoted"),
        ({"signals": ()}, "signals"),
        ({"signals": said(7)}, "signals"),
        ({"signals": said(1, 0)}, "days apart"),
        ({"keep_score": 1.0}, "keep score"),
        ({"signals": said(40, 30), "tags": (), "keep_score": 4.0}, "score"),
    ],
)
def test_each_gate_of_memctl_stops_what_it_is_for(changed: dict[str, Any], gate: str) -> None:
    good = evidence((*said(14, 7, 0), *asked(1)), keep=8)
    assert not stopped_by("memctl", good)
    assert stopped_by("memctl", replace(good, **changed)) == gate
    for number, made in (
        ("min_days", "days"),
        ("min_span_days", "days apart"),
        ("min_questions", "questions"),
    ):
        assert stopped_by(f"memctl {number}=99", good) == made


@each(
    ("signals", "gate"),
    [
        ((*said(0, 1, 2), *asked(0, 1)), "questions"),
        (asked(0, 1), "signals"),
        (asked(40, 41, 42, 43, 44, score=1.0), "age"),
        (asked(0, 1, 2, score=0.3), "score"),
    ],
)
def test_each_gate_of_openclaw_stops_what_it_is_for(signals: tuple[Signal, ...], gate: str) -> None:
    assert stopped_by("openclaw", evidence(signals)) == gate


@each(
    ("given", "stops"),
    [
        (evidence(said(0, 1, 2, 3, 4, score=0.9)), {"never-forget": "", "openclaw": "questions"}),
        (evidence(said(0), keep=12, standing_order=True), {"memctl": "", "openclaw": "signals"}),
        # A recall that showed it far down.
        (
            evidence((*said(6), *asked(0, 1, 2, score=1.0, rank=7))),
            {"memctl": "signals", "openclaw": ""},
        ),
    ],
)
def test_what_one_set_lets_pass_another_stops(given: Evidence, stops: dict[str, str]) -> None:
    assert {profile: stopped_by(profile, given) for profile in stops} == stops


def test_the_same_question_on_one_day_counts_once_with_its_feedback() -> None:
    recall = asked(0)[0]
    twice = (*said(6), recall, recall._replace(at=ago(0.01)), recall._replace(kind="feedback"))
    gates = judged("memctl", evidence(twice)).gates
    assert next(gate.value for gate in gates if gate.name == "signals") == 2


def test_shares_add_up_to_the_score() -> None:
    found = judged("openclaw", evidence(asked(0, 1), **HITS))
    assert sum(found.shares.values()) == pytest.approx(found.score, abs=1e-5)
    assert list(found.shares) == [
        *("relevance", "frequency", "diversity", "recency", "consolidation", "richness"),
        *("light", "rem"),
    ]


def test_the_nearest_gates_say_what_is_missing() -> None:
    assert judged("openclaw", evidence(asked(0, 1, score=0.9))).nearest == (
        "signals: 2 of 3, 1 more wanted; questions: 2 of 3, 1 more wanted;"
        " score: 0.68 of 0.75, 0.0699 more wanted"
    )


# -- settings ----------------------------------------------------------------------------------


def test_every_set_can_be_set_with_numbers_that_differ(memory: Memory) -> None:
    for name, numbers in SCORE_SETS.items():
        memory.settings.set("dream_profile", f"{name} min_score=0.4 limit=0")
        assert score_set(str(memory.settings.get("dream_profile"))) == replace(
            numbers, min_score=0.4, limit=0
        )


@each(
    "text",
    [
        "mem1",
        "",
        "openclaw score=1",
        "openclaw min_score=high",
        "memctl min_score=-1",
        "memctl limit=nan",
    ],
)
def test_a_profile_that_makes_no_sense_is_refused(memory: Memory, text: str) -> None:
    with pytest.raises(UsageError):
        memory.settings.set("dream_profile", text or " ")


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
sets = st.sampled_from(sorted(SCORE_SETS)).map(SCORE_SETS.__getitem__)


@given(anything, sets, moments)
def test_a_score_lies_between_0_and_1_whatever_the_clock_says(
    given: Evidence, numbers: ScoreSet, as_of: str
) -> None:
    found = judge(given, numbers, as_of)
    assert all(0 <= share <= 1 for share in found.shares.values())
    assert 0 <= found.score <= 1
    assert (found.stopped_by is None) is all(one.passed for one in found.gates)


@given(anything, sets)
def test_what_is_dated_later_counts_nothing_yet(given: Evidence, numbers: ScoreSet) -> None:
    later = replace(given, signals=(*given.signals, *asked(-1, -2), *said(-3)))
    assert judge(later, numbers, NOW) == judge(replace(given), numbers, NOW)


@given(anything, sets, signals_of())
def test_more_evidence_that_is_no_weaker_never_lowers_a_score(
    given: Evidence, numbers: ScoreSet, one: Signal
) -> None:
    more = replace(given, signals=(*given.signals, one._replace(score=1.0)))
    assert judge(more, numbers, NOW).score >= judge(given, numbers, NOW).score - 1e-9


def texts_said(*texts: str) -> list[Evidence]:
    return [
        Evidence(text, first_said_at=f"2026-11-{10 + n}T00:00:00Z") for n, text in enumerate(texts)
    ]


def test_the_same_words_are_merged_into_what_was_said_first() -> None:
    texts = ["Please answer in German", "Bob swims", "answer in the GERMAN.", "Answer in German"]
    assert duplicates(texts_said(*texts)) == ((2, 0), (3, 0))
    assert duplicates(list(reversed(texts_said(*texts)))) == ((0, 3), (1, 3))


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
    assert duplicates(texts_said(text, other)) == ()


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
