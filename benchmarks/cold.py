"""Time commands as whole processes, cold, as a person or a host starts them.

    python -m benchmarks.cold [--rounds 11]

Each command is started in turns with what it is compared with, so that a busy machine slows both:
those of a person with ``python -c "import typer"``, the hooks of a host with ``python -c pass``. The
store has 1,000 turns, 100 facts and one screen. Modules are compiled beforehand, as an installed
package's are.
"""

from __future__ import annotations

import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

import memctl
from benchmarks.running import Took, arguments, keep, print_table
from memctl_cli.demo.bundle import shot

if TYPE_CHECKING:
    from collections.abc import Sequence

_TURNS, _FACTS = 1_000, 100
_TYPER, _NOTHING = "import typer", "pass"
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
_LOCKED = "hook prompt, locked"


class _Call(NamedTuple):
    command: list[str]
    beside: str
    data: bytes = b""


def main(words: Sequence[str] | None = None) -> None:
    """Time the commands, print how often the command beside goes into each."""
    parser = arguments(__doc__, "cold")
    parser.add_argument("--rounds", type=int, default=11, help="how often each is started")
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory(prefix="memctl-cold-") as folder:
        home = Path(folder)
        calls = _calls(home)
        times = _measure(home, calls, options.rounds)
    rows = [_row(name, times, calls[name].beside) for name in calls]
    print_table("", ("", "ms", "most", "cpu ms", "beside", "times", "cpu"), rows)
    keep("cold", times, options.out)


def _row(name: str, times: dict[str, list[Took]], beside: str) -> tuple[str, ...]:
    """Return medians, and the median ratio to what was started beside."""
    walls, cpus = ([one[at] for one in times[name]] for at in (0, 1))
    ratios = [
        median(ours[at] / other[at] for ours, other in zip(times[name], times[beside], strict=True))
        for at in (0, 1)
    ]
    cells = f"{median(walls):.0f}", f"{max(walls):.0f}", f"{median(cpus):.0f}", beside
    return (name, *cells, *(f"{ratio:.2f}" for ratio in ratios))


def _calls(home: Path) -> dict[str, _Call]:
    """Fill a store; return the commands that are asked of it."""
    picture = home / "shot.png"
    picture.write_bytes(shot("login").png)
    with memctl.open("agent", home) as memory:
        memory.learn(picture)
        with memory.store.transaction():
            for number in range(_TURNS):
                text = f"Turn {number}: Ann called the harbour office of depot {number % 37} again"
                role = ("user", "assistant")[number % 2]
                memory.log(text, role=role, session=f"s{number // 50}")
            for number in range(_FACTS):
                opens = f"{6 + number % 12}:{number % 60:02d}"
                memory.facts.store(f"Depot {number} opens at {opens}")
    script = str(Path(sys.executable).with_name("memctl"))
    asked = {
        "recall": ["recall", "when does the harbour office open?"],
        "recall --json": ["recall", "when does the harbour office open?", "--json"],
        "log": ["log", "Ann moved the launch"],
        "memory search": ["memory", "search", "depot"],
        "match": ["match", str(picture)],
        "--help": ["--help"],
    }
    calls = {name: _Call([sys.executable, "-c", name], name) for name in (_TYPER, _NOTHING)} | {
        name: _Call([script, *words], _TYPER) for name, words in asked.items()
    }
    for event in _PAYLOADS:
        calls[f"hook {event}"] = _Call([script, "hook", event], _NOTHING, _payload(event))
    prompts = {
        "hook prompt, suspicious": _SUSPICIOUS,
        "hook prompt, 10 MB": _ASKED + " word" * 1_990_000,
        _LOCKED: _ASKED,
    }
    for name, prompt in prompts.items():
        data = _payload("prompt", prompt=prompt)
        calls[name] = _Call([script, "hook", "prompt"], _NOTHING, data)
    return calls


def _payload(event: str, **fields: str) -> bytes:
    named, usual = _PAYLOADS[event]
    return json.dumps({**_HOST, "hook_event_name": named, **usual, **fields}).encode()


def _measure(home: Path, calls: dict[str, _Call], rounds: int) -> dict[str, list[Took]]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MEMCTL_")}
    kept.pop("PYTHONDONTWRITEBYTECODE", None)
    environment = {
        **kept, "PYTHONPYCACHEPREFIX": str(home / "compiled"), "MEMCTL_HOME": str(home)
    }  # fmt: skip
    times: dict[str, list[Took]] = {name: [] for name in calls}
    for number in range(rounds + 1):  # the first compiles
        for name, call in calls.items():
            with closing(sqlite3.connect(home / "apps" / "agent.db")) as other:
                if name == _LOCKED:
                    other.execute("begin immediate")
                took = _started(call, environment)
            times[name] += [took] if number else []
    return times


def _started(call: _Call, environment: dict[str, str]) -> Took:
    before, began = _children(), time.perf_counter()
    subprocess.run(  # noqa: S603  (the project's own commands)
        call.command, input=call.data, capture_output=True, check=True, env=environment
    )
    return Took((time.perf_counter() - began) * 1000, (_children() - before) * 1000)


def _children() -> float:
    """Return the processor time of all processes that were started, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
