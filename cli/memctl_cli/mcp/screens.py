"""The tools for screens: learn, match, locate, path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from mcp_types import CallToolResult  # noqa: TC002  (read by the server from the signatures)
from pydantic import Field, WithJsonSchema

from memctl_cli.mcp.fence import paged
from memctl_cli.mcp.lean import UNLISTED
from memctl_cli.mcp.server import CHANGES, READS, MemoryServer, answer
from memctl_cli.output.words import chance, counted, percent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.memory import Memory
    from memctl.visual.graph.transitions import Path
    from memctl.visual.match_results import Learn, Match, Sighting

AsLearned = Annotated[bool, UNLISTED]
Window = Annotated[list[int] | None, Field(min_length=4, max_length=4)]
# Boxes of another shape are refused by learn, with what they should be.
Boxes = Annotated[
    list[Any] | str | None,
    WithJsonSchema(
        {
            "type": ["array", "string"],
            "items": {
                "type": "object",
                "properties": {
                    **{name: {"type": "number"} for name in "xywh"},
                    **{name: {"type": "string"} for name in ("label", "type")},
                },
            },
        }
    ),
    Field(description="Or a file."),
]
Cap = Annotated[int | None, Field(ge=0)]


def add_to(server: MemoryServer, memory: Memory) -> None:
    """Register the tools on `server`."""

    @server.tool(annotations=CHANGES)
    def learn(
        image: Annotated[str, Field(description="A path")],
        boxes: Boxes = None,
        page: str | None = None,
        window: Annotated[Window, Field(description="x, y, w, h")] = None,
        ocr: bool = False,
        maxTokens: Cap = None,
    ) -> CallToolResult:
        """Learn a screenshot: what is new is added."""
        learned = memory.learn(image, boxes, page=page, window=_window(window), ocr=ocr)
        return answer(paged([*_learned(learned), *_screen(learned)], maxTokens))

    @server.tool(annotations=CHANGES)
    def match(
        image: str,
        window: Window = None,
        page: str | None = None,
        ocr: bool = False,
        asLearned: AsLearned = False,
        maxTokens: Cap = None,
    ) -> CallToolResult:
        """Return which screen it is, and where its components are."""
        found = memory.match(
            image, window=_window(window), page=page, ocr=ocr, as_learned=asLearned
        )
        return answer(paged([*_screen(found)], maxTokens))

    @server.tool(annotations=READS)
    def locate(
        name: str,
        image: str,
        window: Window = None,
        beside: Annotated[str | None, Field(description="text of its row")] = None,
        asLearned: AsLearned = False,
    ) -> CallToolResult:
        """Return where a component is on a screenshot, or why not."""
        found = memory.locate(
            name, image, window=_window(window), beside=beside, as_learned=asLearned
        )
        return answer(str(found))

    @server.tool(annotations=READS)
    def path(fromState: str, toState: str) -> CallToolResult:
        """Return the likeliest way from one screen to another."""
        return answer("\n".join(_way(memory.transitions.path(fromState, toState))))


def _window(window: list[int] | None) -> tuple[int, int, int, int] | None:
    return (window[0], window[1], window[2], window[3]) if window else None


def _way(found: Path) -> Iterator[str]:
    for number, step in enumerate(found.steps, 1):
        where, to = step.from_name or step.from_state, step.to_name or step.to_state
        tried = step.successes + step.failures
        yield f"{number}. on {where} {step.action} leads to {to} ({chance(step.successes, tried)})"
    yield f"the whole way: at least {percent(found.probability)}"


def _learned(found: Learn) -> Iterator[str]:
    yield f"learned {len(found.learned)}, refused {len(found.refused)}"
    for new in found.learned:
        yield f"learned {new.name} {new.type} {new.x},{new.y} {new.w}x{new.h}"
    for refused in found.refused:
        yield f"refused {','.join(map(str, refused.box))}: {refused.why}"
    for merged in found.states_merged:
        yield f"state {merged.merged} is the same as {merged.into}"


def _screen(found: Match) -> Iterator[str]:
    state = found.state
    known = "unknown screen" + (f" ({found.doubt})" if found.doubt else "")
    if state:
        known = f"{state.name or state.id} ({state.similarity:.0%} alike)"
    yield f"{known}: {counted(len(found.sightings), 'component')} found, {len(found.absent)} absent"
    for other in found.also:
        yield f"beside it: {other.name or other.id}"
    for one in found.sightings:
        yield _sighting(one)
    for gone in found.absent:
        yield f"absent {gone.name}: {gone.why}"
    for one_forgotten in found.forgotten:
        yield f"forgotten {one_forgotten.name}: {one_forgotten.why}"
    yield from (told for told in (found.note, found.unrecorded) if told)


def _sighting(one: Sighting) -> str:
    also = "".join(f" or {x},{y}" for x, y in one.also_at[:3])
    changed = f" ({one.how}: {one.changed})" if one.changed else ""
    return f"{one.name} {one.x},{one.y} {one.w}x{one.h}{also}{changed}"
