"""``memctl dream``, as the shell sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.calling import Answer

    Run = Callable[..., Answer]

ORDER = "Always answer me in German when I ask about contracts."


@pytest.fixture
def told(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COLUMNS", "80")
    run("log", ORDER, "--session", "one")
    run("log", "I moved to Porto with my sister and her two dogs last year.", "--session", "two")
    return run


@pytest.mark.parametrize(
    "words",
    [
        ("run",),
        ("run", "--apply"),
        ("status",),
        ("candidates",),
        ("explain", "Porto"),
        ("decay",),
        ("tidy",),
        ("verify",),
        ("sublimate",),
    ],
)
def test_what_a_dream_prints_reads_at_80_columns(told: Run, words: tuple[str, ...]) -> None:
    answer = told("dream", *words)
    if words[0] in {"candidates", "explain"}:
        told("dream", "run", "--apply")
        answer = told("dream", *words)
    assert answer.code == 0
    assert max(map(len, answer.out.splitlines()), default=0) <= 80


def test_a_run_names_what_became_a_fact(told: Run) -> None:
    shown = told("dream", "run", "--apply").out
    assert "f_" in shown
    assert "standing order" in shown


def test_a_preview_names_what_would_become_one(told: Run) -> None:
    shown = " ".join(told("dream", "run").out.split())
    assert "nothing was written" in shown
    assert "a fact standing order Always answer User in German" in shown


def test_candidates_are_listed_and_one_is_promoted(told: Run) -> None:
    told("dream", "run", "--apply")
    assert "Porto" in told("dream", "candidates").out
    assert "f_" in told("dream", "promote", "2").out
    assert "Porto" in told("dream", "candidates", "--status", "promoted").out


def test_what_is_a_fact_already_is_an_error(told: Run) -> None:
    told("dream", "run", "--apply")
    answer = told("dream", "promote", "1")
    assert answer.code == 2
    assert "already" in answer.error


def test_several_entries_are_no_entrys(run: Run) -> None:
    run("log", ORDER)
    assert "no entries" in run("dream", "knowledge").out


def test_an_entry_that_is_not_there_is_an_error(told: Run) -> None:
    assert told("dream", "knowledge", "99").code == 4


def test_two_homes_with_one_app_have_schedules_of_their_own(run: Run, tmp_path: Path) -> None:
    one, other = (
        run("--home", tmp_path / name, "dream", "install").out.split("memctl-dream-")[1][:20]
        for name in ("a", "b")
    )
    assert one != other


def test_a_schedule_names_its_home_from_anywhere(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert f"--home {tmp_path}/beside" in run("--home", "beside", "dream", "install").out
