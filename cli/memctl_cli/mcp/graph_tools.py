"""The tools for what is known of an app: components, states, transitions; and `forget`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from mcp_types import CallToolResult  # noqa: TC002  (read by the server from the signatures)
from pydantic import Field

from memctl.base.errors import ConfirmationRequiredError, MissingParamError, NotFoundError
from memctl.text.fences import block, escaped
from memctl_cli.mcp.fence import paged
from memctl_cli.mcp.lean import UNLISTED, UNSAID
from memctl_cli.mcp.server import CHANGES, DESTROYS, READS, MemoryServer, answer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from memctl.memory import Memory
    from memctl.visual.graph.components import Component
    from memctl.visual.graph.states import State
    from memctl.visual.graph.transitions import Transition


def add_to(server: MemoryServer, memory: Memory) -> None:
    """Register the tools on `server`."""
    _add_reading(server, memory)
    _add_changing(server, memory)


def _add_reading(server: MemoryServer, memory: Memory) -> None:
    @server.tool(annotations=READS)
    def components(name: str | None = None, page: str | None = None) -> CallToolResult:
        """List the components of the app, or show one."""
        if name is not None:
            return answer(paged([_component(memory.components.get(name))]))
        found = memory.components.list(page=page)
        return answer(_listed(map(_component, found), "components"))

    @server.tool(annotations=READS)
    def states(name: str | None = None) -> CallToolResult:
        """List the screens of the app, or describe one."""
        if name is not None:
            return answer(paged(memory.states.get(name).description.splitlines()))
        return answer(_listed(map(_state, memory.states.list()), "screens"))


def _add_changing(server: MemoryServer, memory: Memory) -> None:
    @server.tool(annotations=CHANGES)
    def transitions(
        action: Annotated[
            Literal["record", "commit", "discard", "restore", "pending", "list"], UNSAID
        ] = "list",
        fromState: str | None = None,
        act: Annotated[str | None, Field(description="click:Save, type:hello")] = None,
        toState: str | None = None,
        ids: list[int] | None = None,
        days: Annotated[int | None, UNLISTED] = None,
        failed: bool = False,
    ) -> CallToolResult:
        """Record that an act led from one screen to another; commit what you saw happen."""
        graph = memory.transitions
        if action == "record":
            given = {"fromState": fromState, "act": act, "toState": toState}
            noted = graph.record(*_all_given(given, "record"))
            return answer(f"Noted: {_transition(noted)}; commit it once it is sure.")
        if action == "discard":
            return answer(f"Discarded: {graph.discard(ids, days=days)}")
        if action == "restore":
            return answer(f"Pending again: {graph.restore(ids, days=days)}")
        if action == "commit":
            return answer(
                _listed(map(_transition, graph.commit(ids, failed=failed)), "transitions")
            )
        found = graph.pending(days=days) if action == "pending" else graph.list()
        return answer(_listed(map(_transition, found), "transitions"))

    @server.tool(annotations=DESTROYS)
    def forget(
        id: Annotated[  # noqa: A002  (the word of the tools)
            str, Field(description="f_..., episode:3, component:NAME")
        ],
        confirm: Annotated[bool, Field(strict=True)] = False,
        undo: bool = False,
    ) -> CallToolResult:
        """Forget one thing; without confirm, show it. undo brings it back."""
        if undo:
            return answer(_bring_back(memory, id))
        return answer(_forget(memory, id, confirm=confirm))


def _all_given(parameters: Mapping[str, str | None], action: str) -> list[str]:
    """Return the values of parameters. Raises MissingParamError where an action needs one."""
    for name, value in parameters.items():
        if not value:
            raise MissingParamError(f'transitions: "{action}" needs "{name}"', hint=f"give {name}")
    return [str(value) for value in parameters.values()]


def _parted(named: str) -> tuple[str, str]:
    """Return the kind and the key of what is named.

    Raises
    ------
    NotFoundError
        When no kind is named so.
    """
    kind, _, key = named.partition(":")
    if not key:
        return "fact", named
    if kind in {"component", "fact"} or (kind == "episode" and key.isdecimal()):
        return kind, key
    raise NotFoundError(
        f'there is no "{named[:60]}"', hint="name f_..., episode:3 or component:NAME"
    )


def _forget(memory: Memory, named: str, *, confirm: bool) -> str:
    kind, key = _parted(named)
    if kind == "fact":
        shown = memory.facts.get(key).text
    elif kind == "episode":
        shown = memory.episodes.get(int(key)).summary
    else:
        shown = _component(memory.components.get(key))
    if not confirm:
        raise ConfirmationRequiredError(
            f"this would be forgotten: {block([escaped(shown[:200])])}", hint="say so with confirm"
        )
    if kind == "fact":
        memory.facts.forget(key)
    elif kind == "episode":
        memory.episodes.forget([int(key)])
    else:
        memory.components.forget(key)
    return f"Forgotten: {escaped(named)}; undo brings it back"


def _bring_back(memory: Memory, named: str) -> str:
    kind, key = _parted(named)
    if kind == "fact":
        memory.facts.restore(key)
    elif kind == "episode":
        memory.episodes.restore([int(key)])
    else:
        memory.components.restore(key)
    return f"Restored: {escaped(named)}"


def _listed(lines: Iterable[str], what: str) -> str:
    shown = list(lines)
    return paged(shown) if shown else f"No {what}."


def _component(one: Component) -> str:
    place = f" on {one.page}" if one.page else ""
    label = f' "{one.label}"' if one.label else ""
    return f"{one.name} {one.type}{label}{place}, seen {one.seen_count} times"


def _state(one: State) -> str:
    name = f"{one.name} [{one.id}]" if one.name else one.id
    return (
        f"{name}: {one.component_count} components, visited {one.visit_count} times, {one.status}"
    )


def _transition(one: Transition) -> str:
    number = f"{one.id}: " if one.id is not None else ""
    counts = f"{one.successes} ok, {one.failures} failed, {one.status}"
    return f"{number}{one.from_state} {one.action} -> {one.to_state} ({counts})"
