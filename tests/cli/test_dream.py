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
    assert "a fact" in shown


def test_a_preview_names_what_would_become_one(told: Run) -> None:
    shown = " ".join(told("dream", "run").out.split())
    assert "nothing was written" in shown
    assert "a fact Always answer User in German" in shown


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


def test_the_diary_and_the_report_are_written_as_files(told: Run, tmp_path: Path) -> None:
    assert told("dream", "run", "--apply", "--out", tmp_path / "notes").code == 0
    diary = (tmp_path / "notes" / "DREAMS.md").read_text("utf-8")
    assert "- promoted: Always answer User in German" in diary
    assert told("dream", "verify", "--out", tmp_path / "notes").code == 0
    (report,) = (tmp_path / "notes" / "verify").iterdir()
    shown = report.read_text("utf-8")
    assert "## Conflicts" in shown
    assert "consistency 10/10: reliable" in shown


def test_a_diary_holds_nothing_that_was_erased(told: Run, tmp_path: Path) -> None:
    told("dream", "run", "--apply")
    told("memory", "erase", "--all", "--yes")
    told("turns", "erase", "1", "2", "--yes")
    told("dream", "run", "--out", tmp_path)
    assert "German" not in (tmp_path / "DREAMS.md").read_text("utf-8")


@pytest.mark.parametrize("command", ["run", "verify"])
def test_a_folder_that_is_none_is_an_error_and_nothing_is_done(
    told: Run, tmp_path: Path, command: str
) -> None:
    (tmp_path / "file").write_text("mine", "utf-8")
    answer = told("dream", command, "--out", tmp_path / "file")
    assert answer.code != 0
    assert "is no folder" in answer.error


def test_a_diary_of_somebody_else_is_left_alone(told: Run, tmp_path: Path) -> None:
    (tmp_path / "DREAMS.md").write_text("# My dreams", "utf-8")
    answer = told("dream", "run", "--apply", "--out", tmp_path)
    assert answer.code != 0
    assert "was not made by memctl" in answer.error
    assert (tmp_path / "DREAMS.md").read_text("utf-8") == "# My dreams"


def test_tidying_says_what_it_did(told: Run) -> None:
    told("memory", "store", "Ann's demo is tomorrow in the big hall")
    shown = told("dream", "run", "--apply", "--tidy").out
    assert "tidied: rewritten 1" in shown
    assert "said on" in shown
