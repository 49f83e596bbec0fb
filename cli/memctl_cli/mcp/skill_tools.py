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
from memctl_cli.output.run_words import act_words, checks_of

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.procedural.skill_records import Skill


def add_to(server: MemoryServer, memory: Memory) -> None:
    """Register the tool on `server`."""

    @server.tool(annotations=READS)
    def skills(
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
            return answer(paged([_line(one), *_steps(one)]))
        now = memory.skills.next(text, image, params or {}, after=after)
        return answer(escaped(json.dumps(asdict(now), ensure_ascii=False)))


def _line(one: Skill) -> str:
    takes = f" ({', '.join(one.parameters)})" if one.parameters else ""
    runs = f"{one.done} of {one.done + one.stopped} runs done"
    return f"{one.name}{takes}: {one.status}, {len(one.steps)} steps, {runs}"


def _steps(one: Skill) -> list[str]:
    """Return the steps of a skill with what proves each, and its checks."""
    lines = []
    for step in one.steps:
        proof = step.effects.words()
        told = f"; proof: {proof}" if proof else ""
        lines.append(f"{step.number}. {act_words(step)}{told}")
    return [*lines, *(f"checked at the end: {check}" for check in checks_of(one))]
