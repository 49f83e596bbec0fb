"""Asks the demo's store about what happened, by the commands that anybody types."""

from __future__ import annotations

import io
import json
import shlex
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from memctl_cli.app import command_of
from memctl_cli.demo.keeping import APP
from memctl_cli.demo.practising import SKILL, WALKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.memory import Memory


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about the store: why it is asked, the command, and its answer as data."""

    says: str
    command: str
    data: Any = None


def questions(memory: Memory) -> list[Asked]:
    """Return what is worth asking about the store, in order."""
    ended = memory.facts.list(status="superseded")[0]
    asked = (
        (
            f"Walked {WALKS} times, once in vain, the way to the dialog is a skill. A run of it:",
            ["skills", "run", SKILL, "--dry-run"],
        ),
        ("What was said is kept word for word:", ["turns", "list", "--limit", "2"]),
        (
            "A fact changed. The older one ended by itself, and its history says why:",
            ["memory", "history", ended.id],
        ),
        (
            "A question, the answer, and what it rests on:",
            ["recall", "What is the name of the company?", "--limit", "1", "--explain"],
        ),
        (
            "What goes into an agent's prompt:",
            ["context", "Who may delete an invoice?", "--max-tokens", "160"],
        ),
    )
    return [Asked(says, f"memctl --app {APP} {_typed(words)}") for says, words in asked]


def _typed(words: Sequence[str]) -> str:
    return " ".join(f'"{word}"' if " " in word else word for word in words)


def answered(asked: Sequence[Asked], home: str) -> list[Asked]:
    """Return questions with their answers as data."""
    found = []
    for one in asked:
        with redirect_stdout(io.StringIO()) as printed:
            print_answer_to(one, home, "--json")
        found.append(replace(one, data=json.loads(printed.getvalue())["data"]))
    return found


def print_answer_to(asked: Asked, home: str, *options: str) -> None:
    """Run a question's command in a home; it prints its answer."""
    words = shlex.split(asked.command)[1:]  # --app, the app, the command
    given = ["--home", home, *options, *words]
    command_of(words[2])(args=given, prog_name="memctl", standalone_mode=False)
