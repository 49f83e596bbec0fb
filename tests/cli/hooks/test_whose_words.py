"""What one user or agent told through a hook reaches nobody else's prompts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

import pytest

import memctl
from memctl_cli.hooks.answers import answer_hook
from memctl_cli.hooks.host_calls import read_host_call
from tests.cli.hooks.hosts import CLAUDE

if TYPE_CHECKING:
    from pathlib import Path

TOLD = "We decided that staging listens on port 5433. Remember that Ann never works on Fridays."
ASKED = "Which port does staging listen on, and who never works on Fridays?"


class Owner(NamedTuple):
    """Whom a store was opened for."""

    user: str | None = None
    agent: str | None = None


def hooked(home: Path, event: str, session: str, text: str, owner: Owner, **fields: str) -> str:
    """Return what a hook answers in a store that was opened for somebody."""
    named = {"prompt": "UserPromptSubmit", "start": "SessionStart", "end": "SessionEnd"}[event]
    given = {**CLAUDE, "session_id": session, "hook_event_name": named, "prompt": text, **fields}
    with memctl.open("agent", home, session=session, user=owner.user, agent=owner.agent) as memory:
        answer, problem = answer_hook(memory, read_host_call(event, json.dumps(given).encode()))
    assert problem is None
    return json.dumps(answer)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [(Owner("ann"), Owner("bob")), (Owner(agent="scout"), Owner(agent="writer"))],
)
def test_what_one_told_reaches_their_own_prompts_alone(
    tmp_path: Path, theirs: Owner, ours: Owner
) -> None:
    hooked(tmp_path, "prompt", "s1", TOLD, theirs)
    hooked(tmp_path, "end", "s1", "", theirs)
    assert "5433" in hooked(tmp_path, "prompt", "s2", ASKED, theirs)
    for event in ("start", "prompt"):
        answer = hooked(tmp_path, event, "s3", ASKED, ours)
        assert "5433" not in answer
        assert "Ann" not in answer


def test_the_prompt_of_a_subagent_is_no_word_of_the_user(tmp_path: Path) -> None:
    hooked(tmp_path, "prompt", "s1", TOLD, Owner(), agent_id="a1")
    hooked(tmp_path, "end", "s1", "", Owner())
    with memctl.open("agent", tmp_path) as memory:
        memory.dream.run(apply=True)
        assert [turn.role for turn in memory.turns.list()] == ["system"]
        assert not memory.facts.list(status="any")
