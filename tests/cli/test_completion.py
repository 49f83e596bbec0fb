"""What a shell offers after TAB: commands, options and what the store knows, and never an error."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.calling import Answer, memctl_process
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., Answer]
    Completed = Callable[[str], list[str]]


@pytest.fixture
def completed(run: Run, known: Path, monkeypatch: pytest.MonkeyPatch) -> Completed:
    """Return what bash is offered behind the words that were typed."""

    def offered(typed: str) -> list[str]:
        monkeypatch.setenv("_MEMCTL_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", f"memctl {typed}")
        monkeypatch.setenv("COMP_CWORD", str(len(typed.split(" "))))
        answer = run()
        assert (answer.code, answer.error) == (0, "")
        return answer.out.split("\n")[:-1] if answer.out.strip() else []

    assert known.exists()
    return offered


@each(
    ("typed", "offered"),
    [
        ("conf", ["config"]),
        ("config ", ["get", "list", "set", "unset"]),
        ("--json conf", ["config"]),
        ("demo --json", ["--json"]),
        ("--app h", ["harbor"]),
        ("components show --app h", ["harbor"]),
        ("--app harbor components show ", ["Save"]),
        ("components pin --app harbor S", ["Save"]),
        ("--app harbor locate S", ["Save"]),
        ("--app harbor path s_o", ["s_one"]),
        ("--app harbor path s_one ", ["s_one", "s_two"]),
        ("--app harbor wait S", ["Save"]),
        ("report h", ["health"]),
        ("config set forget_", ["forget_threshold"]),
        ("config set fallback m", ["model"]),
        ("--set forgetting", ["forgetting="]),
        ("memory store x --category pr", ["preference", "project"]),
        ("export to mark", ["markdown"]),
        ("learn x --wi", ["--window"]),
        ("learn x --js", ["--json"]),
        ("log -- --js", []),
        ("components show S", []),
        ("--app nobody components show ", []),
        ("--app ../no components show ", []),
        ("--nothing components sh", []),
    ],
)
def test_what_is_known_is_offered_where_it_belongs(
    typed: str, offered: list[str], completed: Completed, known: Path
) -> None:
    before = sorted(known.rglob("*.db"))
    assert sorted(completed(typed)) == sorted(offered)
    assert sorted(known.rglob("*.db")) == before


def test_what_was_forgotten_is_offered_to_bring_it_back(run: Run, completed: Completed) -> None:
    assert run("--app", "harbor", "components", "forget", "Save").code == 0
    assert completed("--app harbor components restore ") == ["Save"]
    assert completed("--app harbor components pin ") == []


def test_skills_and_sessions_are_offered(run: Run, completed: Completed) -> None:
    run("--app", "harbor", "session", "start", "monday")
    assert completed("--app harbor session end m") == ["monday"]
    assert completed("--app harbor --session m") == ["monday"]
    assert completed("--app harbor skills show ") == []


def test_a_broken_store_offers_nothing_and_says_nothing(completed: Completed, known: Path) -> None:
    (known / "apps" / "harbor.db").write_bytes(b"no store")
    assert completed("--app harbor components show ") == []


def test_a_name_of_two_words_is_one_word_to_bash(run: Run, completed: Completed) -> None:
    run("--app", "harbor", "components", "rename", "Save", "Save as $draft")
    assert completed("--app harbor components show S") == [r"Save\ as\ \$draft"]


@each(
    ("shell", "environment", "offered"),
    [
        (
            "bash",
            {"COMP_WORDS": "memctl --app harbor components show S", "COMP_CWORD": "5"},
            "Save",
        ),
        ("zsh", {"_TYPER_COMPLETE_ARGS": "memctl --app harbor components show S"}, '"Save"'),
        (
            "fish",
            {
                "_TYPER_COMPLETE_ARGS": "memctl --app harbor components show S",
                "_TYPER_COMPLETE_FISH_ACTION": "get-args",
            },
            "Save",
        ),
    ],
)
def test_every_shell_is_answered_by_a_process(
    shell: str, environment: dict[str, str], offered: str, known: Path
) -> None:
    asked = {"_MEMCTL_COMPLETE": f"complete_{shell}", "MEMCTL_HOME": str(known), **environment}
    answer = memctl_process(environment=asked)
    assert (answer.code, answer.error) == (0, "")
    assert offered in answer.out


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
def test_bash_itself_completes_with_the_script_that_is_shown(known: Path, tmp_path: Path) -> None:
    program = Path(sys.executable).with_name("memctl")
    script = f"""
        source <(_MEMCTL_COMPLETE=source_bash {program})
        COMP_WORDS=(memctl --app harbor path s_) COMP_CWORD=4
        _memctl_completion {program}
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    environment = {**os.environ, "MEMCTL_HOME": str(known), "HOME": str(tmp_path)}
    done = subprocess.run(
        ["bash", "--norc", "-c", script],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    assert (done.stdout.split(), done.stderr) == (["s_one", "s_two"], "")
