"""A store's own patterns of secrets hold wherever they are set; no secret asked for is echoed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from memctl.base.errors import SecretRefusedError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.calling import Answer

    Run = Callable[..., Answer]

PATTERN = r"emp-\d{6}"
BADGE = "Her badge is emp-421337"
ASKED = "ferry, and my password is hunter2"


def refused(answer: Answer) -> bool:
    assert "421337" not in answer.out + answer.error
    return answer.code == 3


def test_a_pattern_given_with_the_call_refuses(run: Run) -> None:
    assert refused(run("--set", f"secret_patterns={PATTERN}", "memory", "store", BADGE))
    assert refused(run("--set", f"secret_patterns={PATTERN}", "log", BADGE))
    assert run("memory", "store", BADGE).code == 0


def test_a_pattern_in_the_environment_refuses(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMCTL_SECRET_PATTERNS", PATTERN)
    assert refused(run("memory", "store", BADGE))
    assert refused(run("remember", BADGE))


def test_an_empty_variable_leaves_the_stores_patterns_in_force(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("config", "set", "secret_patterns", PATTERN)
    monkeypatch.setenv("MEMCTL_SECRET_PATTERNS", "")
    assert refused(run("memory", "store", BADGE))


def test_flag_wins_over_environment_and_environment_over_store(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("config", "set", "secret_patterns", PATTERN)
    monkeypatch.setenv("MEMCTL_SECRET_PATTERNS", "zzz")
    assert run("memory", "store", BADGE).code == 0
    assert refused(run("--set", f"secret_patterns={PATTERN}", "memory", "store", f"{BADGE} now"))
    assert run("--set", "secret_patterns=", "log", BADGE).code == 0


def test_settings_given_in_python_reach_the_guard_and_what_it_masks(home: Path) -> None:
    with memctl.open("agent", home, settings={"secret_patterns": PATTERN}) as memory:
        with pytest.raises(SecretRefusedError):
            memory.facts.store(BADGE)
        memory.remember("The ferry left at noon")
        found = memory.recall("ferry emp-421337")
        assert found.unknown == ()
        assert memory.store.value("select question from recall") == "ferry [secret:own-1]"


def test_a_secret_in_a_question_is_not_repeated_on_the_screen(run: Run) -> None:
    run("remember", "The ferry left at noon")
    run("memory", "store", "The ferry leaves at noon")
    for words in (
        ("recall", ASKED),
        ("recall", ASKED, "--explain"),
        ("recall", "my password is hunter2"),
        ("recall", ASKED, "--no-record", "--json"),
        ("recall", "ferry " * 400 + ASKED),
        ("memory", "search", ASKED, "--explain"),
        ("memory", "search", ASKED, "--json"),
        ("memory", "forget", "--query", "my password is hunter2", "--json"),
    ):
        answer = run(*words)
        assert "hunter2" not in answer.out + answer.error


def test_an_unknown_word_that_is_no_secret_is_named(run: Run) -> None:
    run("remember", "The ferry left at noon")
    assert "gondola" in run("recall", "ferry gondola").out
    assert "gondola" in run("recall", "ferry gondola, my password is hunter2").out
