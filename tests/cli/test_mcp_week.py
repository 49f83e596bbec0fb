"""A working week of an agent over MCP: 300 calls, a kill in the middle, and every value right at its end.

The statements and their changes are those of ``tests/data/week_of_facts.txt``, which were written
before the code that names related facts. The agent is a script that knows which statement changes
which, as a model would by reading them.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.cli.test_mcp import Line, Talk, lines_of, talking

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds the server in /proc")

DATA = Path(__file__).parents[1] / "data" / "week_of_facts.txt"
DAYS = ("2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20")
QUESTIONS = {
    "Who is the tech lead of Kestrel?": "Femke de Boer took over",
    "How large is Kestrel's budget?": "150,000 euros",
    "Which port does Kestrel's staging server run on?": "port 9443",
    "Where does the user keep her notes?": "Logseq",
    "When does the support hotline answer?": "from 7 to 20",
}


class Statement(NamedTuple):
    """A statement of the week, and the text of the one that it changes."""

    text: str
    changes: str | None


class Agent:
    """An agent that counts its calls, and remembers nothing itself but what is still to do."""

    def __init__(self) -> None:
        self.calls = 0
        self.open: set[str] = set()
        self.talk: Talk

    def text(self, tool: str, **arguments: Any) -> str:
        self.calls += 1
        return self.talk.text(tool, **arguments)

    def rows(self, tool: str, **arguments: Any) -> list[Line]:
        return lines_of(self.text(tool, **arguments))

    def begin(self, day: str) -> None:
        """Read what is going on, and plan the day."""
        said = self.text("context")
        for item in self.open:
            assert item in said, item
        self.text("journal", action="task", text=f"Product work of {day}")
        steps = [f"read the mail of {day}", f"update the board of {day}"]
        self.text("journal", action="plan", steps=steps)
        for step in steps:
            self.text("journal", action="done", text=step)
        for what in ("Call the carrier", "Send the minutes"):
            self.text("journal", action="pending", text=f"{what} of {day}")
            self.open.add(f"{what} of {day}")

    def learn(self, statement: Statement) -> None:
        """Look whether a statement is known, store it, and decide of what it changes."""
        self.text("log", text=statement.text)
        known = self.rows("memory_search", query=statement.text, limit=3)
        assert not any(statement.text in row.said for row in known)
        said = self.text("memory_store", text=statement.text)
        if statement.changes is None or said.startswith("SUPERSEDE"):
            return
        near = lines_of(said)
        if not any(statement.changes in row.said for row in near):
            near = self.rows("memory_search", query=statement.changes)
        old = next(row.id for row in near if statement.changes in row.said)
        if f"may replace {old}" in said:
            self.text("pending", action="approve", memoryId=said.split()[1].strip(":"))
        else:
            self.text("memory_store", text=statement.text, replaces=old)

    def resume(self, day: str) -> None:
        """Go on after a kill: the task, the plan and what is open are still there."""
        said = self.text("context")
        assert f"Product work of {day}" in said
        assert all(item in said for item in self.open)

    def end(self, day: str, statements: Sequence[Statement]) -> None:
        """Learn the rest of the day, do one of the two open things, and tell what happened."""
        for statement in statements:
            self.learn(statement)
        self.finish(day)

    def facts(self) -> set[str]:
        """Return the texts of all facts that hold, page by page."""
        found: list[str] = []
        offset = 0
        while True:
            page = self.text("memory_list", offset=offset, limit=20)
            found += [row.said.rpartition(" (")[0] for row in lines_of(page)]
            if "next offset" not in page:
                return set(found)
            offset = int(page.rsplit("next offset ", 1)[1])

    def finish(self, day: str) -> None:
        """Do one of the two open things, and tell what happened."""
        self.text("journal", action="done", text=f"Send the minutes of {day}")
        self.open.discard(f"Send the minutes of {day}")
        for seen in ("the board is green", "the mail is answered", "the minutes are sent"):
            self.text("journal", action="observe", text=f"{seen} on {day}")
        self.text("remember", summary=f"Lena worked on Kestrel on {day}", happenedAt=day)
        said = self.text("recall", query="What did Lena work on?")
        number = int(said.split("recall ")[-1].split(",")[0])
        self.text("feedback", recall=number, used=["turn:1"], outcome="ok")
        (fact, *_) = self.rows("memory_search", query="Kestrel", limit=1)
        self.text("memory_get", memoryId=fact.id)
        assert " ADD by " in self.text("memory_history", memoryId=fact.id)
        self.text("memory_lookup", subject="Kestrel", attribute="budget")


def week() -> list[Statement]:
    lines = (one for one in DATA.read_text("utf-8").splitlines() if not one.startswith("#"))
    parts = [[part.strip() for part in line.split("|")] for line in lines]
    texts = {number: text for number, _, text in parts}
    return [Statement(text, texts.get(old)) for _, old, text in parts]


def kill_server(home: Path) -> None:
    """Kill the server that serves a home, as a crash or a closed laptop does."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            command = (process / "cmdline").read_bytes().split(b"\0")
            if str(home).encode() in command and b"mcp" in command:
                os.kill(int(process.name), signal.SIGKILL)


def open_in(journal: str) -> set[str]:
    """Return what a journal says is still to do."""
    lines = (line for line in journal.splitlines() if line.startswith("- [ ] to do "))
    return {line.split("): ", 1)[1] for line in lines}


@contextmanager
def life(agent: Agent, home: Path, day: str, *, killed: bool = False) -> Iterator[None]:
    """Serve the agent for some hours of a day; the server ends with its client, or is killed."""
    lived = False
    try:
        with talking(home, now=f"{day}T12:00:00Z") as agent.talk:
            yield
            lived = True
            if killed:
                kill_server(home)
    except Exception:
        if not (lived and killed):
            raise


def test_a_week_of_300_calls_ends_with_everything_right(tmp_path: Path) -> None:
    agent = Agent()
    statements = week()
    each = len(statements) // len(DAYS)
    for at, day in enumerate(DAYS):
        todays = statements[at * each : (at + 1) * each]
        wednesday = day == DAYS[2]
        with life(agent, tmp_path, day, killed=wednesday):
            agent.begin(day)
            for statement in todays[: each // 2]:
                agent.learn(statement)
            if not wednesday:
                agent.end(day, todays[each // 2 :])
        if wednesday:
            with life(agent, tmp_path, day):
                agent.resume(day)
                agent.end(day, todays[each // 2 :])
    with life(agent, tmp_path, "2026-11-21"):
        ended = {one.changes for one in statements if one.changes}
        assert agent.facts() == {one.text for one in statements} - ended
        # A few pairs are named that a person knows to hold both.
        assert agent.text("pending").count("may replace") <= len(statements) // 20
        assert open_in(agent.text("journal")) == agent.open
        for question, answer in QUESTIONS.items():
            assert answer in agent.rows("recall", query=question, kinds=["fact"])[0].said, question
    assert agent.calls >= 300
