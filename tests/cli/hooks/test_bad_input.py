"""Whose words, which folder, which time: what hosts send that is unlike the usual."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import memctl
from tests.cli.calling import memctl_process
from tests.cli.hooks.hosts import CLAUDE, CODEX, CURSOR, call, prompt

if TYPE_CHECKING:
    from pathlib import Path


def turns(home: Path) -> list[tuple[str, str, str]]:
    with memctl.open("agent", home) as memory:
        return [(turn.role, turn.text, turn.project) for turn in reversed(memory.turns.list())]


def git(folder: Path, *words: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True)


def test_a_prompt_of_blocks_is_the_text_of_its_blocks(tmp_path: Path) -> None:
    picture = {"type": "image", "source": {"type": "base64", "data": "iVBORw0KGgo="}}
    blocks = [{"type": "text", "text": "Paint the boat"}, picture, {"text": "and the mast"}]
    call(tmp_path, "prompt", prompt(blocks))
    assert turns(tmp_path) == [("user", "Paint the boat\nand the mast", "/")]


@pytest.mark.parametrize(
    "marks",
    [
        {**CLAUDE, "agent_id": "a1b2", "agent_type": "Explore"},
        {**CODEX, "agent_id": "019d", "agent_type": "worker"},
        {**CLAUDE, "isSidechain": True},
        {**CURSOR, "parent_conversation_id": "c0"},
    ],
)
def test_the_order_of_a_subagent_is_no_users_word(tmp_path: Path, marks: dict[str, Any]) -> None:
    call(tmp_path, "prompt", prompt("I live in Rome and like tea", marks))
    assert [role for role, *_ in turns(tmp_path)] == ["system"]


def test_an_agent_that_the_user_has_chosen_is_told_the_users_words(tmp_path: Path) -> None:
    call(tmp_path, "prompt", prompt("Paint the boat", agent_type="reviewer"))
    assert [role for role, *_ in turns(tmp_path)] == ["user"]


def test_a_folder_that_is_gone_is_the_project_that_it_was(tmp_path: Path) -> None:
    call(tmp_path, "prompt", prompt("Paint the boat", cwd=str(tmp_path / "code" / "boat")))
    assert turns(tmp_path) == [("user", "Paint the boat", "code/boat")]


def test_a_hook_in_a_folder_that_is_gone_keeps_the_prompt(tmp_path: Path) -> None:
    gone, home = tmp_path / "gone", tmp_path / "home"
    gone.mkdir()
    given = prompt("Paint the boat")
    del given["cwd"]
    script = "cd {0} && rmdir {0} && exec {1} -m memctl --home {2} hook prompt"
    done = subprocess.run(
        ["sh", "-c", script.format(gone, sys.executable, home)],
        input=json.dumps(given).encode(),
        capture_output=True,
        check=True,
    )
    assert done.stderr == b""
    assert [text for _, text, _ in turns(home)] == ["Paint the boat"]


def test_worktrees_share_their_project_and_other_places_have_their_own(tmp_path: Path) -> None:
    home, boat, bare = tmp_path / "memory", tmp_path / "boat", tmp_path / "mast.git"
    git(boat, "init", "-q")
    git(boat, "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "--allow-empty", "-qm", "x")
    git(boat, "worktree", "add", "-q", str(tmp_path / "other"))
    git(bare, "init", "-q", "--bare")
    for folder in (boat, tmp_path / "other", bare, tmp_path / "plain"):
        call(home, "prompt", prompt("Go on", cwd=str(folder), session_id=folder.name))
    projects = [project.rpartition("/")[2] for *_, project in turns(home)]
    assert projects == ["boat", "boat", "mast", "plain"]


def test_two_sessions_in_one_project_know_of_each_other(tmp_path: Path) -> None:
    for session, folder in (("s1", "/code/boat"), ("s2", "/code/boat"), ("s3", "/code/plane")):
        call(tmp_path, "prompt", prompt(f"Paint it for {session}", cwd=folder, session_id=session))
    with memctl.open("agent", tmp_path, session="s2", project="code/boat") as memory:
        assert sorted(row.text for row in memory.recall("paint")) == [
            "Paint it for s1",
            "Paint it for s2",
        ]


@pytest.mark.parametrize(
    ("said", "kept"), [("none", ""), ("lighthouse", "lighthouse"), ("auto", "code/boat")]
)
def test_the_option_says_which_project_it_is(tmp_path: Path, said: str, kept: str) -> None:
    given = json.dumps(prompt("Paint the boat", cwd="/code/boat")).encode()
    done = memctl_process("--home", tmp_path, "--project", said, "hook", "prompt", stdin=given)
    assert (done.code, done.error) == (0, "")
    assert turns(tmp_path) == [("user", "Paint the boat", kept)]
