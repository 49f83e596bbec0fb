"""The eight memory tools as MCP tools.

Names, parameters, defaults and error codes are those that agents of the mem0 tools were
taught; what memctl adds stands behind them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

from mcp_types import CallToolResult  # noqa: TC002  (read by the server from the signatures)
from pydantic import Field

from memctl.base.errors import NotFoundError
from memctl.base.scope import Reach
from memctl.semantic.fact_lines import line
from memctl.text.fences import block
from memctl_cli.mcp.fence import cut, fenced_within, page_of, within
from memctl_cli.mcp.server import CHANGES, DESTROYS, READS, MemoryServer, answer, parsed
from memctl_cli.output.envelope import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.memory import Memory
    from memctl.semantic.records import Change, Fact, FactPage, Hit, Hits, Stored

__all__ = ["add_to"]

_PAGE = 50
_CUT = 80
# Facts that a cap chooses among, for each that may come back.
_POOL = 4

UserId = Annotated[str | None, Field(description="Only this user's, within the scope.")]
AgentId = Annotated[str | None, Field(description="Only this agent's, within the scope.")]
Where = Annotated[Reach, Field(description="all, session or long-term.")]
Filters = Annotated[
    dict[str, Any] | str | None,
    Field(
        description='{"field": value} or {"field": {"op": value}}, nested with AND, OR, NOT. '
        "Operators: eq ne gt gte lt lte in nin contains icontains. "
        "Fields: category, importance, created_at, text, source, metadata.<key>, ..."
    ),
]
Categories = Annotated[list[str] | None, Field(description="Only these categories.")]
Offset = Annotated[int, Field(ge=0, description="The next_offset of the page before.")]
MemoryId = Annotated[str, Field(description="Id of a fact: f_...")]
Confidence = Annotated[str, Field(description="low, medium or high; low waits for a person.")]


def add_to(server: MemoryServer, memory: Memory) -> None:  # noqa: C901  (one tool, one function)
    """Register the tools on `server`."""

    @server.tool(annotations=READS, title="Search facts")
    async def memory_search(
        query: Annotated[str, Field(description="Three to six telling words.")],
        limit: Annotated[int, Field(ge=1, le=100)] = 5,
        userId: UserId = None,
        agentId: AgentId = None,
        scope: Where = "all",
        categories: Categories = None,
        filters: Filters = None,
        asOf: Annotated[str | None, Field(description="What held then: 2026-11-20.")] = None,
        maxTokens: Annotated[
            int | None, Field(ge=0, description="A hard cap on the whole text of the answer.")
        ] = None,
    ) -> CallToolResult:
        """Find facts by their words, the most relevant first."""
        hits = memory.facts.search(
            query,
            limit=limit if maxTokens is None else limit * _POOL,
            user_id=userId,
            agent_id=agentId,
            scope=scope,
            categories=categories or (),
            filters=parsed(filters, "filters"),
            as_of=asOf,
            max_tokens=maxTokens,
        )
        return _hits(hits, limit=limit, max_tokens=maxTokens)

    @server.tool(annotations=CHANGES, title="Store facts")
    async def memory_store(
        facts: Annotated[
            list[str | dict[str, str]] | str | None,
            Field(
                description="Facts of one category: sentences, or objects with text or with "
                "subject, attribute and value."
            ),
        ] = None,
        text: Annotated[str | None, Field(description="One fact; facts wins over it.")] = None,
        category: Annotated[
            str | None,
            Field(
                description="identity, configuration, rule, preference, lesson, decision, "
                "technical, relationship, project or operational."
            ),
        ] = None,
        importance: Annotated[float | None, Field(ge=0, le=1)] = None,
        userId: UserId = None,
        agentId: AgentId = None,
        metadata: dict[str, Any] | str | None = None,
        longTerm: bool = True,
        confidence: Confidence = "medium",
        source: Annotated[str | None, Field(description="Where it comes from.")] = None,
        validFrom: Annotated[str | None, Field(description="Since when it holds.")] = None,
        expiresAt: Annotated[str | None, Field(description="When it is hidden; or never.")] = None,
    ) -> CallToolResult:
        """Keep facts of one category: what a fresh agent would need in days or weeks."""
        stored = memory.facts.store(
            facts or (),
            text=text,
            category=category,
            importance=importance,
            user_id=userId,
            agent_id=agentId,
            metadata=parsed(metadata, "metadata"),
            long_term=longTerm,
            confidence=confidence,
            source=source,
            valid_from=validFrom,
            expires_at=expiresAt,
        )
        return _stored(stored)

    @server.tool(annotations=READS, title="Get a fact")
    async def memory_get(memoryId: MemoryId) -> CallToolResult:
        """Return one fact: its text, when it was created and updated, its source."""
        fact = memory.facts.get(memoryId)
        text = f"{_block([fact])}\ncreated {fact.created_at}, updated {fact.updated_at}"
        return answer(f"{text}, {fact.status}", memory=fact)

    @server.tool(annotations=READS, title="List facts")
    async def memory_list(
        userId: UserId = None,
        agentId: AgentId = None,
        scope: Where = "all",
        categories: Categories = None,
        filters: Filters = None,
        showExpired: bool = False,
        limit: Annotated[int, Field(ge=1, le=500, description="At most so many.")] = _PAGE,
        offset: Offset = 0,
    ) -> CallToolResult:
        """List all facts with their ids, the newest first, page by page."""
        found = memory.facts.list(
            user_id=userId,
            agent_id=agentId,
            scope=scope,
            categories=categories or (),
            filters=parsed(filters, "filters"),
            show_expired=showExpired,
            limit=limit,
            offset=offset,
        )
        return _listed(found)

    @server.tool(annotations=DESTROYS, title="Forget a fact")
    async def memory_forget(
        memoryId: Annotated[str | None, Field(description="Which; wins over query.")] = None,
        query: Annotated[str | None, Field(description="What it says.")] = None,
        userId: UserId = None,
        agentId: AgentId = None,
    ) -> CallToolResult:
        """Forget one fact by id, or by a query that means one clearly; else show candidates."""
        gone = memory.facts.forget(memoryId, query=query, user_id=userId, agent_id=agentId)
        if gone.forgotten:
            ids = [fact.id for fact in gone.forgotten]
            return answer(f"Forgotten: {', '.join(ids)}", deleted=ids, found=gone.found)
        if not gone.candidates:
            return answer("Nothing matches.", found=0)
        lines = [f"- [{hit.fact.id}] {_cut(hit)}" for hit in gone.candidates]
        text = f"Not clear which is meant; forget by id:\n{block(lines)}"
        brief = [{"id": hit.fact.id, "score": hit.score} for hit in gone.candidates]
        return answer(text, found=gone.found, candidates=brief)

    @server.tool(annotations=DESTROYS, title="Update a fact")
    async def memory_update(
        memoryId: MemoryId,
        text: Annotated[str | None, Field(description="The whole new text.")] = None,
        category: Annotated[str | None, Field(description="Another category.")] = None,
    ) -> CallToolResult:
        """Change a fact in place; its id and its history stay."""
        fact = memory.facts.update(memoryId, text, category=category)
        return answer(f"Updated: {fact.id}", memory=fact)

    @server.tool(annotations=DESTROYS, title="Forget all facts")
    async def memory_delete_all(
        confirm: Annotated[bool, Field(strict=True, description="true, and nothing else.")] = False,
        userId: UserId = None,
    ) -> CallToolResult:
        """Forget every fact within the scope; needs confirm=true."""
        gone = memory.facts.delete_all(confirm=confirm, user_id=userId)
        return answer(f"Forgotten: {counted(gone.found, 'fact')}", count=gone.found)

    @server.tool(annotations=READS, title="History of a fact")
    async def memory_history(memoryId: MemoryId, offset: Offset = 0) -> CallToolResult:
        """Return every change of one fact, oldest first, page by page."""
        try:
            changes = memory.facts.history(memoryId)
        except NotFoundError as error:
            return answer(f"No changes: {error.message}", count=0, history=[])
        return _changes(changes, offset)


def _listed(found: FactPage) -> CallToolResult:
    lines = [line(_short(fact)) for fact in found]
    page = page_of(lines, offset=found.offset, total=found.total)
    text = block(lines[: page.shown]) + page.remark if found else "No facts."
    brief = [
        {"id": fact.id, "tag": fact.tag, "category": fact.category} for fact in found[: page.shown]
    ]
    return answer(text, count=found.total, memories=brief, next_offset=page.next_offset)


def _changes(changes: Sequence[Change], offset: int) -> CallToolResult:
    rest = [
        replace(one, old_text=_cut_text(one.old_text), new_text=_cut_text(one.new_text))
        for one in changes[offset:]
    ]
    # What a change was from and to is in the data alone, and takes its room there.
    weights = [f"{one.old_text}{one.new_text}{one.why}" for one in rest]
    page = page_of(weights, offset=offset, total=len(changes))
    shown = rest[: page.shown]
    lines = [f"{one.changed_at} {one.event} by {one.actor} {one.why}".strip() for one in shown]
    text = "\n".join(lines) + page.remark if lines else "No changes."
    return answer(text, count=len(changes), history=shown, next_offset=page.next_offset)


def _stored(stored: Stored) -> CallToolResult:
    lines = [
        f"{one.event} {one.id or '-'}" + (f": {one.why}" if one.why else "")
        for one in stored.written
    ]
    if stored.note:
        lines.append(stored.note)
    results = [
        {"id": one.id, "event": one.event, "why": one.why, "other": one.other}
        for one in stored.written
    ]
    return answer(
        "\n".join(lines), count=len(stored.ids), category=stored.category, results=results
    )


def _hits(hits: Hits, *, limit: int, max_tokens: int | None) -> CallToolResult:
    about = {"corrected": hits.corrected, "aliases": hits.aliases, "note": hits.note}
    if not hits:
        text = within(f"Nothing found: {hits.note}.", max_tokens)
        return answer(text, count=0, memories=[], **about)
    lines = [f"{line(_short(hit.fact))} {min(hit.score, 1):.0%}" for hit in hits]
    fenced = fenced_within(lines, hits.corrected, hits.aliases, most=limit, max_tokens=max_tokens)
    brief = [
        {
            "id": hit.fact.id,
            "memory": cut(hit.fact.text),
            "score": hit.score,
            "tag": hit.fact.tag,
            "category": hit.fact.category,
            "source": hit.fact.source,
            "age_days": hit.fact.age_days,
            "matched": list(hit.matched),
        }
        for hit in (hits[i] for i in fenced.kept)
    ]
    return answer(fenced.text, count=len(brief), memories=brief, **about)


def _block(facts: Sequence[Fact]) -> str:
    return block(line(fact) for fact in facts)


def _short(fact: Fact) -> Fact:
    return replace(fact, text=cut(fact.text))


def _cut_text(text: str | None) -> str | None:
    return None if text is None else cut(text)


def _cut(hit: Hit) -> str:
    text = line(hit.fact).split("] ", 1)[1]
    return f"{text[:_CUT]} {min(hit.score, 1):.0%}"
