"""The tools for screens: learn, match, locate, path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from mcp_types import CallToolResult  # noqa: TC002  (read by the server from the signatures)
from pydantic import Field

from memctl_cli.mcp.server import CHANGES, READS, MemoryServer, answer
from memctl_cli.output.envelope import counted

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.visual.match_results import Match

__all__ = ["add_to"]

# Sightings that the text names; all of them are in the data.
_SHOWN = 30

Image = Annotated[str, Field(description="Path of a screenshot, PNG or JPEG.")]
Window = Annotated[
    list[int] | None,
    Field(description="x, y, w, h of the app's window, in pixels.", min_length=4, max_length=4),
]


def add_to(server: MemoryServer, memory: Memory) -> None:
    """Register the tools on `server`."""

    @server.tool(annotations=CHANGES, title="Learn a screenshot")
    async def learn(
        image: Image,
        boxes: Annotated[
            list[dict[str, Any]] | str | None,
            Field(description="[{x, y, w, h, label?, type?, source?}], or a file with them."),
        ] = None,
        page: str | None = None,
        window: Window = None,
    ) -> CallToolResult:
        """Learn what is on a screenshot: match what is known, add what is new."""
        learned = memory.learn(image, boxes, page=page, window=_window(window))
        text = (
            f"{_screen(learned)} learned {len(learned.learned)}, "
            f"forgotten {len(learned.forgotten)}, refused {len(learned.refused)}"
        )
        return answer(text, **_fields(learned))

    @server.tool(annotations=CHANGES, title="Match a screenshot")
    async def match(image: Image, window: Window = None, page: str | None = None) -> CallToolResult:
        """Say which known components are on a screenshot, where, and which screen it is."""
        found = memory.match(image, window=_window(window), page=page)
        gone = ", ".join(one.name for one in found.forgotten)
        text = _screen(found) + (f" forgotten: {gone}" if gone else "")
        return answer(text, **_fields(found))

    @server.tool(annotations=READS, title="Locate a component")
    async def locate(
        name: Annotated[str, Field(description="Name of a component.")],
        image: Image,
        window: Window = None,
        beside: Annotated[
            str | None,
            Field(description="Name, label or text in the same row or on the same card."),
        ] = None,
    ) -> CallToolResult:
        """Say where one component is on a screenshot, or how close the best place comes."""
        found = memory.locate(name, image, window=_window(window), beside=beside)
        return answer(str(found), location=found)

    @server.tool(annotations=READS, title="Way between screens")
    async def path(
        fromState: Annotated[str, Field(description="Id or name of a screen.")],
        toState: Annotated[str, Field(description="Id or name of a screen.")],
    ) -> CallToolResult:
        """Return the likeliest way from one screen to another, and its probability."""
        way = memory.transitions.path(fromState, toState)
        return answer(str(way), path=way)


def _window(window: list[int] | None) -> tuple[int, int, int, int] | None:
    return (window[0], window[1], window[2], window[3]) if window else None


def _screen(found: Match) -> str:
    name = (found.state.name or found.state.id) if found.state else "an unknown screen"
    places = [f"{one.name} {one.x},{one.y} {one.w}x{one.h}" for one in found.sightings]
    more = f"; {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    shown = "; ".join(places[:_SHOWN]) + more
    told = f"\n{found.unrecorded}" if found.unrecorded else ""
    return f"{name}: {counted(len(places), 'component')}. {shown}".strip() + told


def _fields(found: Match) -> dict[str, Any]:
    return {name: getattr(found, name) for name in found.__dataclass_fields__}
