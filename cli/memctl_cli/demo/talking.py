"""The talks of the demo's fortnight, and the questions that its store is asked afterwards."""

from __future__ import annotations

import io
import json
import os
import shlex
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl_cli.app import command_of
from memctl_cli.demo.keeping import APP

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memctl.memory import Memory

WALKS = 18  # as many as show that it is no chance
SKILL = "open-the-delete-dialog"
DAYS = 14


class Calendar:
    """Stops the clock at moments of the last fortnight.

    What happens at one moment is noted with it, so that the reports have days to compare.
    """

    def __init__(self) -> None:
        self._end = datetime.fromisoformat(clock.now())

    def moment(self, share: float) -> str:
        """Return the moment when this share of the fortnight has passed, 0 to 1."""
        at = self._end - timedelta(days=DAYS) * (1 - share)
        return clock.parse_time(at.isoformat())

    @contextmanager
    def at(self, share: float) -> Iterator[None]:
        """Let the clock show that moment inside."""
        before = os.environ.get("MEMCTL_NOW")
        os.environ["MEMCTL_NOW"] = self.moment(share)
        try:
            yield
        finally:
            if before is None:
                del os.environ["MEMCTL_NOW"]
            else:
                os.environ["MEMCTL_NOW"] = before


@dataclass(frozen=True, slots=True)
class Talk:
    """One conversation: its day in the fortnight, its speakers and turns, and its result."""

    when: float
    thread: str
    turns: tuple[tuple[str, str], ...]
    episode: str
    facts: tuple[tuple[str, str], ...] = ()


TALKS = (
    Talk(
        0.02,
        "first day",
        (
            ("Mara", "Let us keep all invoices of the studio in Harbor from now on."),
            ("Leo", "Then the reminders go out on Mondays, as before."),
            ("Mara", "Yes, and nobody deletes an invoice without asking me."),
        ),
        "Mara and Leo moved the studio's invoices to Harbor",
        (
            ("Reminders go out on Mondays", "preference"),
            ("Harbor's company name is Marrow & Co", "configuration"),
            ("Nobody deletes an invoice without asking Mara", "rule"),
        ),
    ),
    Talk(
        0.25,
        "Atlas",
        (
            ("Leo", "Atlas Print says that the March invoice never arrived."),
            ("Mara", "Send it again to their new address in Porto."),
        ),
        "The March invoice was sent to Atlas Print again",
        (("Atlas Print moved to Porto", "relationship"),),
    ),
    Talk(
        0.55,
        "settings",
        (
            ("Mara", "The company name on the invoices still says Marrow & Co."),
            ("Leo", "I changed it to Marrow Studio in the settings."),
        ),
        "Leo changed the company name to Marrow Studio",
        (("Harbor's company name is Marrow Studio", "configuration"),),
    ),
    Talk(
        0.85,
        "update",
        (
            ("Leo", "Since the update the statement import is gone from the dashboard."),
            ("Mara", "Then we enter statements by hand until it is back."),
        ),
        "The import of statements disappeared with an update",
        (("Statements are entered by hand until the import is back", "decision"),),
    ),
)
SAID = ("turn", "episode", "fact")
QUESTIONS = (
    "Who may delete an invoice?",
    "When do reminders go out?",
    "What is the address of Atlas Print?",
    "Which parking permit does Leo have?",
    "What is Harbor's company name?",
    "What happened to the statement import?",
)
ROUNDS = 5  # how often each question is asked, over the fortnight


def talk(memory: Memory, calendar: Calendar) -> None:
    """Write the talks into a memory, and ask it about them day by day."""
    asked = [(place + 1) / (ROUNDS * len(QUESTIONS)) for place in range(ROUNDS * len(QUESTIONS))]
    talks = iter(TALKS)
    coming = next(talks, None)
    for number, when in enumerate(asked):
        while coming is not None and coming.when <= when:
            _hold(memory, calendar, coming)
            coming = next(talks, None)
        with calendar.at(when):
            found = memory.recall(QUESTIONS[number % len(QUESTIONS)], limit=3, kinds=SAID)
            if found and found.id is not None and number % 2 == 0:
                memory.feedback(found.id, used=[found[0].id], outcome="ok")


def _hold(memory: Memory, calendar: Calendar, held: Talk) -> None:
    with calendar.at(held.when):
        for speaker, said in held.turns:
            memory.log(said, speaker=speaker, session=held.thread)
        people = sorted({speaker for speaker, _ in held.turns})
        memory.remember(held.episode, participants=people, thread=held.thread)
        for fact, category in held.facts:
            memory.facts.store([fact], category=category)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about the store: why it is asked, the command, and its answer as data."""

    says: str
    command: str
    data: Any = None


def questions(memory: Memory) -> list[Asked]:
    """Return the questions that are worth asking about the store, in order."""
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
    result = []
    for one in asked:
        with redirect_stdout(io.StringIO()) as printed:
            print_answer_to(one, home, "--json")
        result.append(replace(one, data=json.loads(printed.getvalue())["data"]))
    return result


def print_answer_to(asked: Asked, home: str, *options: str) -> None:
    """Run a question's command in a home; it prints its answer."""
    words = shlex.split(asked.command)[1:]  # --app, the app, the command
    given = ["--home", home, *options, *words]
    command_of(words[2])(args=given, prog_name="memctl", standalone_mode=False)
