"""The MCP tools `recall` and `feedback`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

from mcp_types import CallToolResult  # noqa: TC002  (read by the server from the signatures)
from pydantic import Field

from memctl.text.fences import escaped
from memctl_cli.mcp.fence import cut, fenced_within, within
from memctl_cli.mcp.server import CHANGES, MemoryServer, answer
from memctl_cli.output.envelope import counted

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.search.recall_results import Recalled, Row

__all__ = ["add_to"]

Kind = Literal["turn", "episode", "fact"]
Texts = list[str] | None


def add_to(server: MemoryServer, memory: Memory) -> None:
    """Register the tools on `server`."""

    @server.tool(annotations=CHANGES, title="Recall")
    async def recall(
        query: Annotated[str, Field(description="The question, or its telling words.")],
        limit: Annotated[int | None, Field(ge=1, le=100)] = None,
        maxTokens: Annotated[
            int | None, Field(ge=0, description="A hard cap on the whole text of the answer.")
        ] = None,
        asOf: Annotated[
            str | None, Field(description="What had happened and held then: 2026-11-20.")
        ] = None,
        now: Annotated[str | None, Field(description="What yesterday is counted from.")] = None,
        since: Annotated[str | None, Field(description="Not before.")] = None,
        until: Annotated[str | None, Field(description="Not after.")] = None,
        tags: Annotated[Texts, Field(description="Episodes that bear all of these.")] = None,
        participants: Annotated[
            Texts, Field(description="One of these said it or took part.")
        ] = None,
        thread: Annotated[str | None, Field(description="It belongs to this session.")] = None,
        status: Literal["living", "archived", "all"] = "living",
        kinds: Annotated[list[Kind] | None, Field(description="Only these kinds.")] = None,
        minConfidence: Annotated[
            float, Field(ge=0, le=1, description="No rows where the answer is less sure.")
        ] = 0.0,
        record: Annotated[bool, Field(description="Keep what was asked, for feedback.")] = True,
    ) -> CallToolResult:
        """Return what was said, what happened and what is true about a question, explained."""
        found = memory.recall(
            query,
            limit,
            maxTokens,
            asOf,
            now=now,
            since=since,
            until=until,
            tags=tags or (),
            participants=participants or (),
            thread=thread,
            status=status,
            kinds=kinds or (),
            min_confidence=minConfidence,
            record=record,
        )
        return _rows(found, max_tokens=maxTokens)

    @server.tool(annotations=CHANGES, title="Say what helped")
    async def feedback(
        recall: Annotated[int, Field(description="The number that recall answered with.")],
        used: Annotated[
            Texts, Field(description='Rows that helped: "turn:12", "episode:3", "f_...".')
        ] = None,
        outcome: Literal["ok", "failed"] | None = None,
    ) -> CallToolResult:
        """Mark which rows of a recall helped, and how it went."""
        given = memory.feedback(recall, used or (), outcome)
        text = f"Recall {given.recall}: {counted(given.used, 'row')} helped."
        return answer(text, recall=given.recall, used=given.used, outcome=given.outcome)


def _rows(found: Recalled, *, max_tokens: int | None) -> CallToolResult:
    about = {
        "recall": found.id,
        "unknown": found.unknown,
        "corrected": found.corrected,
        "aliases": found.aliases,
        "note": found.note,
        "confidence": found.confidence,
        "waiting": found.waiting,
        "unrecorded": found.unrecorded,
    }
    if not found:
        text = within(f"Nothing is known about that: {found.note}.", max_tokens)
        return answer(text, count=0, rows=[], **about)
    rows = [replace(row, text=cut(row.text), details=cut(row.details)) for row in found]
    lines = [_line(row) for row in rows]
    fenced = fenced_within(
        lines, found.corrected, found.aliases, most=len(rows), max_tokens=max_tokens
    )
    shown = [rows[i] for i in fenced.kept]
    return answer(fenced.text, count=len(shown), rows=shown, **about)


def _line(row: Row) -> str:
    tag = f"{row.tag or '-'}, " if row.kind == "fact" else ""
    return f"- [{row.kind} {row.id}] {escaped(row.text)} ({tag}{row.happened_at})"
