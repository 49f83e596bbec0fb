"""The lift report: what skills and known screens saved, held against the first time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.reports.stored import insert, look, skill, skill_run, state

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.reports.answers import Answer

    Write = Callable[..., None]
    Ask = Callable[..., Answer]

MONDAY, TUESDAY, NEXT = "2026-11-02T12:00:00Z", "2026-11-03T12:00:00Z", "2026-11-10T12:00:00Z"


def told(answer: Answer, *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in names) for row in answer.records()]


def test_a_run_saves_what_its_demonstration_took_less_what_it_took(
    write: Write, answer: Ask
) -> None:
    write(skill("send") + skill_run("send", 2, looks=1) + skill_run("send", 4))
    figures = ("skill", "runs", "saved_looks", "saved_s", "each_s")
    assert told(answer("lift", "skills_worth"), *figures) == [("send", 2, 7, 14, 7)]


@pytest.mark.parametrize("status", ["halted", "failed", "dropped"])
def test_a_run_that_was_not_done_lost_what_it_took(status: str, write: Write, answer: Ask) -> None:
    write(skill("send") + skill_run("send", 2) + skill_run("send", 3, status=status, looks=2))
    figures = ("done", "lost", "saved_looks", "saved_s", "lost_s")
    assert told(answer("lift", "skills_worth"), *figures) == [(1, 1, 2, 5, 3)]


def test_a_run_that_goes_on_is_not_counted_yet(write: Write, answer: Ask) -> None:
    write(skill("send") + skill_run("send", 3, status="running"))
    assert answer("lift", "skills_worth").rows == answer("lift", "weeks_worth").rows == ()


def test_what_was_never_shown_here_has_nothing_to_be_held_against(
    write: Write, answer: Ask
) -> None:
    write(
        skill("send")
        + skill("got", origin="imported", shown_looks=None, shown_seconds=None)
        + skill_run("send", 4)
        + skill_run("got", 1)
        + skill_run("got", 2, status="halted")
    )
    figures = ("skill", "saved_looks", "saved_s", "each_s", "lost_s", "unknown")
    assert told(answer("lift", "skills_worth"), *figures) == [
        ("send", 4, 6, 6, 0, 0),
        ("got", None, None, None, 2, 1),
    ]
    # In the week its loss counts, and it is said that a run is left out.
    overall = told(answer("lift", "weeks_worth"), "runs", "saved_s", "unknown")[0]
    assert overall == (3, 4, 1)


def test_runs_that_only_halted_lost_time_whatever_they_are_held_against(
    write: Write, answer: Ask
) -> None:
    write(
        skill("got", shown_looks=None, shown_seconds=None)
        + skill_run("got", 2, status="halted", looks=1)
    )
    assert told(answer("lift", "skills_worth"), "saved_looks", "saved_s") == [(-1, -2)]


def test_a_decider_is_counted_for_each_act_only_where_a_setting_says_so(
    write: Write, answer: Ask
) -> None:
    write(skill("send", acts=3) + skill_run("send", 4))
    assert told(answer("lift", "skills_worth"), "saved_s", "acts") == [(6, 3)]
    write(insert("setting", {"key": "lift_decider_seconds", "value": "4", "changed_at": MONDAY}))
    assert told(answer("lift", "skills_worth"), "saved_s", "shown_s") == [(18, 10)]


def test_an_interval_is_told_from_five_known_runs_on(write: Write, answer: Ask) -> None:
    figures = ("low_s", "high_s")
    write(skill("send") + "".join(skill_run("send", seconds) for seconds in (1, 2, 3, 4)))
    assert told(answer("lift", "skills_worth"), *figures) == [(None, None)]
    write(skill_run("send", 5))
    # Mean 7, standard deviation 1.5811, and 2.7764 of Student's t with four degrees.
    ((low, high),) = told(answer("lift", "skills_worth"), *figures)
    assert (low, high) == pytest.approx((7 - 1.9632, 7 + 1.9632), abs=0.002)


def test_weeks_begin_on_monday_and_the_sum_of_all_stands_first(write: Write, answer: Ask) -> None:
    write(
        skill("send")
        + skill_run("send", 4)
        + skill_run("send", 5, started_at="2026-11-08T23:59:59Z")
        + skill_run("send", 12, started_at=NEXT)
    )
    figures = ("grouping", "week", "runs", "saved_s")
    assert told(answer("lift", "weeks_worth"), *figures) == [
        ("all", None, 3, 9),
        ("week", "2026-11-02", 2, 11),
        ("week", "2026-11-09", 1, -2),
    ]


def test_only_the_runs_of_the_time_that_is_asked_for_are_counted(write: Write, answer: Ask) -> None:
    write(skill("send") + skill_run("send", 4) + skill_run("send", 1, started_at=NEXT))
    late = answer("lift", "skills_worth", since="2026-11-05")
    assert told(late, "runs", "saved_s") == [(1, 9)]


def test_a_match_is_held_against_the_look_that_learned_its_screen_first(
    write: Write, answer: Ask
) -> None:
    merged = {"merged_into": "s_inbox", "merged_at": TUESDAY}
    write(
        state("s_inbox")
        + state("s_twin", **merged)
        + state("s_got")
        + look(1, MONDAY, {}, state_id="s_inbox", duration_ms=900)
        + look(2, TUESDAY, {}, state_id="s_twin", duration_ms=500)
        + look(3, TUESDAY, {}, state_id="s_twin", kind="match", duration_ms=100)
        + look(4, NEXT, {}, state_id="s_inbox", kind="match", duration_ms=1100)
        + look(5, NEXT, {}, state_id="s_got", kind="match", duration_ms=50)
        + look(6, NEXT, {}, kind="match", duration_ms=70)
        + look(7, NEXT, {}, state_id="s_inbox", kind="locate", duration_ms=5)
    )
    figures = ("week", "matches", "known", "first_ms", "saved_s", "unknown")
    overall, first, second = told(answer("lift", "screens_worth"), *figures)
    assert overall == (None, 4, 3, 900, pytest.approx(0.6), 1)
    assert first == ("2026-11-02", 1, 1, 900, pytest.approx(0.8), 0)
    assert second == ("2026-11-09", 3, 2, 900, pytest.approx(-0.2), 1)


def test_a_screen_that_was_never_learned_here_has_nothing_to_be_held_against(
    write: Write, answer: Ask
) -> None:
    write(state("s_got") + look(1, MONDAY, {}, state_id="s_got", kind="match"))
    overall = told(answer("lift", "screens_worth"), "known", "first_ms", "saved_s")[0]
    assert overall == (1, None, None)
