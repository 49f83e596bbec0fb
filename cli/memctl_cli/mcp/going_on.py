"""The MCP tools for what happens and what is going on: `log`, `remember`, `journal`, `context`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

from mcp_types import CallToolResult  # noqa: TC002  (read by the server from the signatures)
from pydantic import Field

from memctl.base.errors import MissingParamError
from memctl_cli.mcp.server import CHANGES, READS, MemoryServer, answer

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.working.entries import JournalState
    from memctl.working.journal import Journal

__all__ = ["add_to"]

T = TypeVar("T")
Texts = list[str] | None
Action = Literal[
    "get",
    "task",
    "plan",
    "observe",
    "skill",
    "context",
    "decide",
    "pending",
    "done",
    "blocker",
    "clear",
    "snapshot",
    "restore",
]


def add_to(server: MemoryServer, memory: Memory) -> None:
    """Register the tools on `server`."""

    @server.tool(annotations=CHANGES, title="Log a turn")
    async def log(
        text: Annotated[str, Field(description="What was said.")],
        role: Annotated[str, Field(description="user, assistant, tool.")] = "user",
        speaker: Annotated[str | None, Field(description="Who said it.")] = None,
    ) -> CallToolResult:
        """Keep one turn of the conversation, word by word: recall finds it."""
        turn = memory.log(text, role, speaker)
        return answer(f"Turn {turn} is kept.", turn=turn)

    @server.tool(annotations=CHANGES, title="Remember what happened")
    async def remember(
        summary: Annotated[str, Field(description="What happened, in one sentence.")],
        details: Annotated[str, Field(description="What belongs to it.")] = "",
        tags: Texts = None,
        participants: Texts = None,
        happenedAt: Annotated[str | None, Field(description="When: 2026-11-20.")] = None,
    ) -> CallToolResult:
        """Remember an episode: something that happened, and who took part."""
        episode = memory.remember(
            summary, details, tags or (), participants or (), happened_at=happenedAt
        )
        return answer(f"Episode {episode} is kept.", episode=episode)

    @server.tool(annotations=CHANGES, title="Journal of the task")
    async def journal(
        action: Action = "get",
        text: Annotated[str | None, Field(description="What is to be kept or done.")] = None,
        name: Annotated[str | None, Field(description="Of a context value.")] = None,
        steps: Annotated[Texts, Field(description="Of a plan.")] = None,
        snapshot: Annotated[int | None, Field(description="To restore; else the newest.")] = None,
    ) -> CallToolResult:
        """Write the task at hand before you reply, and read it: it outlives this conversation."""
        _act(memory.journal, action, text, name, steps, snapshot)
        return _told(memory.journal.get())

    @server.tool(annotations=READS, title="Context of a prompt")
    async def context(
        query: Annotated[str | None, Field(description="What the user wants.")] = None,
        maxTokens: Annotated[int | None, Field(ge=0, description="A hard cap.")] = None,
    ) -> CallToolResult:
        """Return what is going on and what is known about it, in one block of data."""
        made = memory.context(query, maxTokens)
        return answer(made.text or "Nothing is going on.", context=made.text, leftOut=made.left_out)


def _act(
    book: Journal,
    action: Action,
    text: str | None,
    name: str | None,
    steps: Texts,
    snapshot: int | None,
) -> None:
    """Do what an action says; `get` does nothing."""
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


def _told(state: JournalState) -> CallToolResult:
    from memctl.working.markdown import as_markdown

    text = as_markdown(state)
    return answer(
        text,
        session=state.session,
        markdown=text,
        open=[{"id": entry.id, "kind": entry.kind, "text": entry.text} for entry in state.open],
    )
