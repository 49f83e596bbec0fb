"""The MCP tools `recall` and `feedback`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from mcp_types import CallToolResult  # noqa: TC002  (read by the server from the signatures)
from pydantic import Field, WithJsonSchema

from memctl.text.fences import escaped
from memctl_cli.mcp.fence import cut, fenced_within, within
from memctl_cli.mcp.lean import UNLISTED
from memctl_cli.mcp.server import CHANGES, MemoryServer, answer
from memctl_cli.output.words import counted

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.search.recall_results import Recalled, Row

Texts = list[str] | None
Kinds = Annotated[
    Texts,
    WithJsonSchema(
        {"type": "array", "items": {"type": "string", "enum": ["turn", "episode", "fact"]}}
    ),
]


def add_to(server: MemoryServer, memory: Memory) -> None:
    """Register the tools on `server`."""

    @server.tool(annotations=CHANGES)
    def recall(
        query: str,
        limit: Annotated[int | None, Field(ge=1, le=100)] = None,
        maxTokens: Annotated[int | None, Field(ge=0)] = None,
        asOf: str | None = None,
        now: Annotated[str | None, UNLISTED] = None,
        since: str | None = None,
        until: str | None = None,
        tags: Annotated[Texts, UNLISTED] = None,
        participants: Annotated[Texts, UNLISTED] = None,
        thread: Annotated[str | None, UNLISTED] = None,
        status: Annotated[Literal["living", "archived", "all"], UNLISTED] = "living",
        kinds: Kinds = None,
        minConfidence: Annotated[float, Field(ge=0, le=1), UNLISTED] = 0.0,
        minWorth: Annotated[float | None, Field(ge=0, le=1), UNLISTED] = None,
        record: Annotated[bool, UNLISTED] = True,
    ) -> CallToolResult:
        """Find what was said, happened or is true."""
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
            min_worth=minWorth,
            record=record,
        )
        return answer(_rows(found, max_tokens=maxTokens))

    @server.tool(annotations=CHANGES)
    def feedback(
        recall: int,
        used: Annotated[Texts, Field(description="turn:12, f_...")] = None,
        outcome: Literal["ok", "failed"] | None = None,
    ) -> CallToolResult:
        """Mark which rows of a recall, by its number, helped."""
        given = memory.feedback(recall, used or (), outcome)
        return answer(f"Recall {given.recall}: {counted(given.used, 'row')} helped.")


def _rows(found: Recalled, *, max_tokens: int | None) -> str:
    if not found:
        unknown = f" Unknown: {', '.join(found.unknown)}." if found.unknown else ""
        waiting = f" ({found.waiting})" if found.waiting else ""
        return within(f"Nothing is known about that: {found.note}.{unknown}{waiting}", max_tokens)
    lines = [_line(row) for row in found]
    return fenced_within(
        lines,
        found.corrected,
        found.aliases,
        most=len(lines),
        max_tokens=max_tokens,
        remarks=_remarks(found),
    )


def _line(row: Row) -> str:
    details = f" | {escaped(cut(row.details))}" if row.details else ""
    who = f", {escaped(', '.join(row.who))}" if row.who else ""
    state = "earlier, undecided: newer is" if row.kind == "fact" else "replaced by"
    older = f", {state} {row.earlier_than}" if row.earlier_than else ""
    doubt = f", to be checked: {escaped(row.doubt)}" if row.doubt else ""
    id_ = str(row.id) if row.kind == "fact" else f"{row.kind} {row.id}"
    tag = f"{row.tag or '-'}, " if row.kind == "fact" else ""
    about = f"({tag}{row.happened_at}{who}{older}{doubt}) {min(row.score, 1):.0%}"
    return f"- [{id_}] {escaped(cut(row.text))}{details} {about}"


def _remarks(found: Recalled) -> list[str]:
    number = f"recall {found.id}, " if found.id is not None else ""
    unknown = f"unknown: {', '.join(found.unknown)}" if found.unknown else ""
    sure = f"{number}{found.confidence:.0%} sure"
    return [one for one in (sure, unknown, found.waiting, found.note, found.unrecorded) if one]
