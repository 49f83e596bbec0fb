"""The MCP tools for what happens and what is going on: `log`, `remember`, `journal`, `context`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, TypeVar

from mcp_types import CallToolResult  # noqa: TC002  (read by the server from the signatures)
from pydantic import Field, WithJsonSchema

from memctl.base.errors import MissingParamError, UsageError
from memctl.base.near_words import one_of
from memctl_cli.mcp.fence import paged, within
from memctl_cli.mcp.lean import UNLISTED, UNSAID
from memctl_cli.mcp.server import CHANGES, READS, MemoryServer, answer
from memctl_cli.output.words import counted

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.working.journal import Journal

_OBSERVATIONS = 20  # the newest, that a journal is shown with
T = TypeVar("T")
Texts = list[str] | None
_ACTIONS = (
    *("get", "task", "plan", "observe", "skill", "context", "decide", "pending", "done"),
    *("blocker", "clear", "snapshot", "snapshots", "restore"),
)
Action = Annotated[str, WithJsonSchema({"type": "string", "enum": list(_ACTIONS)}), UNSAID]


def add_to(server: MemoryServer, memory: Memory, also: Memory | None = None) -> None:
    """Register the tools on `server`; the context reads along the store `also`."""

    @server.tool(annotations=CHANGES)
    def log(text: str, role: str = "user", speaker: str | None = None) -> CallToolResult:
        """Keep a turn of the conversation."""
        return answer(f"Kept: turn {memory.log(text, role, speaker)}")

    @server.tool(annotations=CHANGES)
    def remember(
        summary: str,
        details: str = "",
        tags: Annotated[Texts, UNLISTED] = None,
        participants: Texts = None,
        happenedAt: str | None = None,
    ) -> CallToolResult:
        """Remember what happened."""
        episode = memory.remember(
            summary, details, tags or (), participants or (), happened_at=happenedAt
        )
        return answer(f"Kept: episode {episode}")

    @server.tool(annotations=CHANGES)
    def journal(
        action: Action = "get",
        text: str | None = None,
        name: str | None = None,
        steps: Texts = None,
        snapshot: Annotated[int | None, UNLISTED] = None,
    ) -> CallToolResult:
        """Write the task at hand before you reply. context: name and text."""
        if action == "snapshots":
            taken = [f"{one.id} {one.taken_at} {one.why}" for one in memory.journal.snapshots()]
            return answer(paged(taken) if taken else "No snapshots.")
        _act(memory.journal, action, text, name, steps, snapshot)
        return answer(_told(memory.journal, action))

    @server.tool(annotations=READS)
    def context(
        query: str | None = None, maxTokens: Annotated[int | None, Field(ge=0)] = None
    ) -> CallToolResult:
        """Return what is going on and what is known about it."""
        made = memory.context(query, maxTokens, also=also)
        empty = made.left_out[0] if made.left_out else "nothing is going on"
        return answer(made.text or within(f"Empty: {empty}.", maxTokens))


def _act(
    book: Journal,
    action: Action,
    text: str | None,
    name: str | None,
    steps: Texts,
    snapshot: int | None,
) -> None:
    """Do what an action says; `get` does nothing."""
    if action not in _ACTIONS:
        raise UsageError(f'journal has no action "{action[:40]}"', hint=one_of(action, _ACTIONS))
    if action == "plan":
        book.plan(_given(steps, "steps", action))
    elif action == "context":
        book.context(_given(name, "name", action), _given(text, "text", action))
    elif action == "snapshot":
        book.snapshot(text or "asked for")
    elif action == "restore":
        book.restore(snapshot)
    elif action == "clear":
        book.clear()
    elif action != "get":
        getattr(book, action)(_given(text, "text", action))


def _given(value: T | None, name: str, action: str) -> T:
    """Return a parameter. Raises MissingParamError where an action needs it."""
    if value is None:
        raise MissingParamError(f'journal: "{action}" needs "{name}"', hint=f"give {name}")
    return value


def _told(book: Journal, action: str) -> str:
    """Return the whole journal where it was asked for or changed as a whole; else what is open."""
    from memctl.working.entries import as_markdown

    state = book.get()
    if action in {"get", "clear", "restore"}:
        seen = [entry.id for entry in state.entries if entry.kind == "observation"]
        old = set(seen[:-_OBSERVATIONS])
        recent = tuple(entry for entry in state.entries if entry.id not in old)
        told = paged(as_markdown(replace(state, entries=recent)).splitlines())
        return told + (f"\n{len(old)} earlier observations are left out" if old else "")
    return f"Kept. {counted(len(state.open), 'item')} open."
