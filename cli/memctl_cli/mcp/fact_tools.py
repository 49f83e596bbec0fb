"""The tools for facts as MCP tools: the eight, and `memory_lookup` and `pending`.

Names, parameters, defaults and error codes of the eight are those that agents of the mem0 tools
were taught; what memctl adds comes behind them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, WithJsonSchema

from memctl.base.errors import MissingParamError
from memctl.base.scope import Reach  # noqa: TC001  (read by the server from the signatures)
from memctl_cli.mcp import answers
from memctl_cli.mcp.server import (
    CHANGES,
    DESTROYS,
    READS,
    UNLISTED,
    UNSAID,
    MemoryServer,
)
from memctl_cli.output.envelope import json_object
from memctl_cli.output.words import counted

if TYPE_CHECKING:
    from memctl.memory import Memory

_PAGE = 50
# Facts that a cap chooses among, for each that may come back.
_POOL = 4

Filters = Annotated[
    dict[str, Any] | str | None,
    Field(description="{field: {gte: value}}; AND, OR, NOT"),
]
Confidence = Annotated[
    str,
    WithJsonSchema({"type": "string", "enum": ["high", "medium", "low"]}),
    UNSAID,
]
Cap = Annotated[int | None, Field(ge=0)]
Offset = Annotated[int, Field(ge=0)]
# Anything but text or an object in it is refused by the facts.
Batch = Annotated[
    list[Any] | str | None,
    WithJsonSchema(
        {
            "type": ["array", "string"],
            "items": {
                "type": ["string", "object"],
                "properties": {
                    name: {"type": "string"} for name in ("text", "subject", "attribute", "value")
                },
            },
        }
    ),
]


def add_to(server: MemoryServer, memory: Memory) -> None:
    """Register the tools on `server`."""
    _add_reading(server, memory)
    _add_writing(server, memory)
    _add_ending(server, memory)


def _add_reading(server: MemoryServer, memory: Memory) -> None:
    usual = min(memory.settings.integer("recall_limit"), 100)

    @server.tool(annotations=READS)
    def memory_search(
        query: Annotated[str, Field(description="Telling words.")],
        limit: Annotated[int, Field(ge=1, le=100)] = usual,
        userId: str | None = None,
        agentId: str | None = None,
        scope: Reach = "all",
        categories: list[str] | None = None,
        filters: Filters = None,
        asOf: Annotated[str | None, Field(description="2026-11-20")] = None,
        maxTokens: Cap = None,
    ) -> str:
        """Find facts by words."""
        hits = memory.facts.search(
            query,
            limit=limit if maxTokens is None else limit * _POOL,
            user_id=userId,
            agent_id=agentId,
            scope=scope,
            categories=categories or (),
            filters=json_object(filters, "filters"),
            as_of=asOf,
            max_tokens=maxTokens,
        )
        return answers.found(hits, limit=limit, max_tokens=maxTokens)

    @server.tool(annotations=READS)
    def memory_get(memoryId: str) -> str:
        """Return one fact whole."""
        return answers.whole(memory.facts.get(memoryId))

    @server.tool(annotations=READS)
    def memory_lookup(
        subject: str, attribute: str | None = None, asOf: Annotated[str | None, UNLISTED] = None
    ) -> str:
        """Return what holds of a thing or its property."""
        return answers.told(memory.facts.lookup(subject, attribute, as_of=asOf))

    @server.tool(annotations=READS)
    def memory_list(
        userId: str | None = None,
        agentId: str | None = None,
        scope: str = "all",
        categories: list[str] | None = None,
        filters: Annotated[dict[str, Any] | str | None, UNLISTED] = None,
        showExpired: Annotated[bool, UNLISTED] = False,
        limit: Annotated[int, Field(ge=1, le=500)] = _PAGE,
        offset: Offset = 0,
    ) -> str:
        """List facts, newest first."""
        found = memory.facts.list(
            user_id=userId,
            agent_id=agentId,
            scope=scope,  # type: ignore[arg-type]  # checked by the facts
            categories=categories or (),
            filters=json_object(filters, "filters"),
            show_expired=showExpired,
            limit=limit,
            offset=offset,
        )
        return answers.listed(found)

    @server.tool(annotations=READS)
    def memory_history(memoryId: str, offset: Annotated[Offset, UNLISTED] = 0) -> str:
        """List every change of one fact, the oldest first."""
        return answers.history(memory.facts.history(memoryId), offset)


def _add_writing(server: MemoryServer, memory: Memory) -> None:
    @server.tool(annotations=CHANGES)
    def memory_store(
        facts: Batch = None,
        text: str | None = None,
        category: str | None = None,
        importance: Annotated[float | None, Field(ge=0, le=1)] = None,
        userId: str | None = None,
        agentId: str | None = None,
        metadata: dict[str, Any] | str | None = None,
        longTerm: bool = True,
        confidence: Confidence = "medium",
        source: Annotated[str | None, UNLISTED] = None,
        validFrom: str | None = None,
        expiresAt: str | None = None,
        about: Annotated[str | None, Field(description="Slot: user.home")] = None,
        replaces: Annotated[str | None, Field(description="Id it ends")] = None,
        keepBoth: bool = False,
    ) -> str:
        """Keep facts of one category."""
        stored = memory.facts.store(
            facts or (),
            text=text,
            category=category,
            importance=importance,
            user_id=userId,
            agent_id=agentId,
            metadata=json_object(metadata, "metadata"),
            long_term=longTerm,
            confidence=confidence,
            source=source,
            valid_from=validFrom,
            expires_at=expiresAt,
            about=about,
            replaces=replaces,
            keep_both=keepBoth,
        )
        return answers.stored(stored)

    @server.tool(annotations=DESTROYS)
    def memory_update(
        memoryId: str,
        text: str | None = None,
        category: str | None = None,
    ) -> str:
        """Correct a fact in place; its id and history stay."""
        fact = memory.facts.update(memoryId, text, category=category)
        return f"Updated: {fact.id}"

    @server.tool(annotations=CHANGES)
    def pending(
        action: Annotated[Literal["list", "approve", "reject"], UNSAID] = "list",
        memoryId: str | None = None,
        why: Annotated[str, UNLISTED] = "",
    ) -> str:
        """List what waits, or decide; approve ends a pair's older."""
        if action == "list":
            facts = memory.facts
            return answers.waiting(facts.pending(), facts.undecided(), facts.doubtful())
        if memoryId is None:
            raise MissingParamError(f'pending: "{action}" needs "memoryId"', hint="give memoryId")
        if action == "approve":
            fact = memory.facts.approve(memoryId)
        else:
            fact = memory.facts.reject(memoryId, why=why)
        return answers.decided(fact)


def _add_ending(server: MemoryServer, memory: Memory) -> None:
    @server.tool(annotations=DESTROYS)
    def memory_forget(
        memoryId: str | None = None,
        query: str | None = None,
        userId: str | None = None,
        agentId: str | None = None,
    ) -> str:
        """Forget one fact; of several that match, list them."""
        gone = memory.facts.forget(memoryId, query=query, user_id=userId, agent_id=agentId)
        return answers.forgotten(gone)

    @server.tool(annotations=DESTROYS)
    def memory_delete_all(
        confirm: Annotated[bool, Field(strict=True)] = False, userId: str | None = None
    ) -> str:
        """Forget every fact within the scope; needs confirm."""
        gone = memory.facts.delete_all(confirm=confirm, user_id=userId)
        return f"Forgotten: {counted(gone.found, 'fact')}"
