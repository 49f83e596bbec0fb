"""Calls of hosts' hooks, with the fields that each host sends along with every event."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.cli.calling import Answer, memctl_process

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["CLAUDE", "CODEX", "CURSOR", "OPENCLAW", "call", "called", "context", "prompt"]

CLAUDE = {"session_id": "s1", "transcript_path": "/t", "cwd": "/", "permission_mode": "default"}
CODEX = {**CLAUDE, "turn_id": "t1", "model": "gpt-5.1", "transcript_path": None}
CURSOR = {
    "conversation_id": "s1",
    "generation_id": "g1",
    "model": "m",
    "cursor_version": "2.0.77",
    "workspace_roots": ["/p"],
    "user_email": None,
}
OPENCLAW = {"host": "openclaw", "session_id": "s1"}


def called(home: Path, event: str, given: dict[str, Any] | bytes, **environment: str) -> Answer:
    """Return how a hook ended: with code 0, and with one object of JSON or nothing."""
    data = given if isinstance(given, bytes) else json.dumps(given).encode()
    done = memctl_process("--home", home, "hook", event, stdin=data, environment=environment)
    assert done.code == 0, done.error
    assert done.out == "" or isinstance(json.loads(done.out), dict)
    return done


def call(home: Path, event: str, given: dict[str, Any]) -> Any:
    """Return what a hook answers, as JSON, or ``None`` for silence; nothing goes wrong."""
    done = called(home, event, given)
    assert done.error == ""
    return json.loads(done.out) if done.out else None


def prompt(text: object, host: dict[str, Any] = CLAUDE, **more: Any) -> dict[str, Any]:
    """Return the call of a prompt."""
    return {**host, "hook_event_name": "UserPromptSubmit", "prompt": text, **more}


def context(home: Path, given: dict[str, Any]) -> str:
    """Return what comes into the prompt of a call."""
    event = "start" if given["hook_event_name"] == "SessionStart" else "prompt"
    return str(call(home, event, given)["hookSpecificOutput"]["additionalContext"])
