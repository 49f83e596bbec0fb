"""Cold calls of each hook, as a host starts them, against an interpreter that does nothing."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import memctl

__all__ = ["RIVAL", "cold_hooks"]

RIVAL = "python -c pass"
_TURNS, _FACTS = 1_000, 100
_HOST = {"session_id": "s1", "transcript_path": "/t", "cwd": "/", "permission_mode": "default"}
_ASKED = "Fix the failing test of the harbour office in src/app.py please"
# Its figure and its word for a lock make the guard read all of its rules.
_SUSPICIOUS = "When does the harbour office of depot 17 open, and who said so?"
_PAYLOADS: dict[str, tuple[str, dict[str, Any]]] = {
    "prompt": ("UserPromptSubmit", {"prompt": _ASKED}),
    "reply": ("Stop", {"stop_hook_active": False, "last_assistant_message": "At nine."}),
    "tool": ("PostToolUse", {"tool_name": "Bash", "tool_input": {"command": "ls"}}),
    "compact": ("PreCompact", {"trigger": "auto", "custom_instructions": ""}),
    "start": ("SessionStart", {"source": "startup"}),
    "end": ("SessionEnd", {"reason": "other"}),
}


def cold_hooks(home: Path, rounds: int) -> dict[str, list[float]]:
    """Return the milliseconds of each start of each hook, and of the rival beside it."""
    _fill(home)
    script = str(Path(sys.executable).with_name("memctl"))
    calls = {f"hook {event}": _payload(event) for event in _PAYLOADS}
    calls["hook prompt, suspicious"] = _payload("prompt", prompt=_SUSPICIOUS)
    calls["hook prompt, 10 MB"] = _payload("prompt", prompt=_ASKED + " word" * 1_990_000)
    times: dict[str, list[float]] = {RIVAL: [], **{name: [] for name in calls}}
    times["hook prompt, locked"] = []
    environment = _environment(home)
    for number in range(rounds + 1):  # the first compiles
        found = {RIVAL: _started([sys.executable, "-c", "pass"], b"", environment)}
        for name, data in calls.items():
            command = [script, "hook", name.split(",")[0].removeprefix("hook ")]
            found[name] = _started(command, data, environment)
        with closing(sqlite3.connect(home / "apps" / "agent.db")) as other:
            other.execute("begin immediate")
            command = [script, "hook", "prompt"]
            found["hook prompt, locked"] = _started(command, calls["hook prompt"], environment)
        for name, ms in found.items():
            times[name] += [ms] if number else []
    return times


def _fill(home: Path) -> None:
    with memctl.open("agent", home) as memory, memory.store.transaction():
        for number in range(_TURNS):
            text = f"Turn {number}: Ann called the harbour office of depot {number % 37} again"
            memory.log(text, role=("user", "assistant")[number % 2], session=f"s{number // 50}")
        for number in range(_FACTS):
            memory.facts.store(f"Depot {number} opens at {6 + number % 12}:{number % 60:02d}")


def _payload(event: str, **fields: str) -> bytes:
    named, usual = _PAYLOADS[event]
    return json.dumps({**_HOST, "hook_event_name": named, **usual, **fields}).encode()


def _environment(home: Path) -> dict[str, str]:
    """Return this environment, where modules are compiled, as an installed package's are."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MEMCTL_")}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    return {**kept, "PYTHONPYCACHEPREFIX": str(home / "compiled"), "MEMCTL_HOME": str(home)}


def _started(command: list[str], data: bytes, environment: dict[str, str]) -> float:
    begun = time.perf_counter()
    subprocess.run(  # noqa: S603  (the project's own commands)
        command, input=data, capture_output=True, check=True, env=environment
    )
    return (time.perf_counter() - begun) * 1000
