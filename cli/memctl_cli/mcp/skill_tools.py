"""The tool for how things are done: skills that are known, asked for, and done step by step."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Literal

from mcp_types import CallToolResult  # noqa: TC002  (read by the server from the signatures)
from pydantic import Field

from memctl.base.errors import MissingParamError
from memctl.text.fences import escaped
from memctl_cli.mcp.fence import paged
from memctl_cli.mcp.server import READS, MemoryServer, answer

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.procedural.skill_records import Skill

__all__ = ["add_to"]


def add_to(server: MemoryServer, memory: Memory) -> None:
    """Register the tool on `server`."""

    @server.tool(annotations=READS)
    async def skills(
        action: Literal["list", "match", "show", "next"] = "list",
        text: Annotated[str | None, Field(description="What is asked, or a name.")] = None,
        image: Annotated[
            str | None, Field(description="Screenshot, for next; none for a tool.")
        ] = None,
        params: dict[str, str] | None = None,
        after: Annotated[int, Field(ge=0, description="Step done last.")] = 0,
    ) -> CallToolResult:
        """List skills, find or show one, or say what to do next on a screenshot."""
        if action == "list":
            return answer(paged([_line(one) for one in memory.skills] or ["No skills."]))
        if text is None:
            raise MissingParamError(f'skills: "{action}" needs "text"', hint="give text")
        if action == "match":
            found = memory.skills.match(text)
            return answer(paged([_line(one.skill) for one in found] or ["No skill."]))
        if action == "show":
            one = memory.skills.get(text)
            return answer(paged([_line(one), *(f"{s.number}. {s.words}" for s in one.steps)]))
        now = memory.skills.next(text, image, params or {}, after=after)
        return answer(escaped(json.dumps(asdict(now), ensure_ascii=False)))


def _line(one: Skill) -> str:
    takes = f" ({', '.join(one.parameters)})" if one.parameters else ""
    return f"{one.name}{takes}: {one.status}, {len(one.steps)} steps, {one.done} runs done"
