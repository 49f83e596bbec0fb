"""The MCP tools for an app: its screens, what is known of them, skills; and `forget`."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, WithJsonSchema

from memctl.base.errors import ConfirmationRequiredError, MissingParamError, NotFoundError
from memctl.text.fences import block, escaped
from memctl_cli.commands.options import areas_of
from memctl_cli.mcp.answers import paged
from memctl_cli.mcp.server import (
    CHANGES,
    DESTROYS,
    READS,
    UNLISTED,
    UNSAID,
    MemoryServer,
)
from memctl_cli.output.run_words import act_words, checks_of
from memctl_cli.output.words import chance, counted, percent, place_lines

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memctl.memory import Memory
    from memctl.procedural.skill_records import Skill
    from memctl.visual.graph.components import Component
    from memctl.visual.graph.states import State
    from memctl.visual.graph.transitions import Path, Transition, Transitions
    from memctl.visual.match_results import Learn, Match, Sighting

AsLearned = Annotated[bool, UNLISTED]
Ignored = Annotated[list[str] | None, UNLISTED]
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


def add_screens(server: MemoryServer, memory: Memory) -> None:
    """Register learn, match, locate and path on `server`."""

    @server.tool(annotations=CHANGES)
    def learn(
        image: Annotated[str, Field(description="A path")],
        boxes: Boxes = None,
        page: str | None = None,
        window: Annotated[Window, Field(description="x, y, w, h")] = None,
        ocr: bool = False,
        ignore: Ignored = None,
        maxTokens: Cap = None,
    ) -> str:
        """Learn a screenshot: what is new is added."""
        learned = memory.learn(
            image,
            boxes,
            page=page,
            window=_window(window),
            ocr=ocr,
            ignore=areas_of("ignore", ignore),
        )
        return paged([*_learned(learned), *_screen(learned)], maxTokens)

    @server.tool(annotations=CHANGES)
    def match(
        image: str,
        window: Window = None,
        page: str | None = None,
        ocr: bool = False,
        asLearned: AsLearned = False,
        ignore: Ignored = None,
        maxTokens: Cap = None,
    ) -> str:
        """Return which screen it is, and where its components are."""
        found = memory.match(
            image,
            window=_window(window),
            page=page,
            ocr=ocr,
            as_learned=asLearned,
            ignore=areas_of("ignore", ignore),
        )
        return paged([*_screen(found)], maxTokens)

    @server.tool(annotations=READS)
    def locate(
        name: str,
        image: str,
        window: Window = None,
        beside: Annotated[str | None, Field(description="text of its row")] = None,
        asLearned: AsLearned = False,
    ) -> str:
        """Return where a component is on a screenshot, or why not."""
        found = memory.locate(
            name, image, window=_window(window), beside=beside, as_learned=asLearned
        )
        return "\n".join(map(escaped, place_lines(found)))

    @server.tool(annotations=READS)
    def path(fromState: str, toState: str) -> str:
        """Return the likeliest way from one screen to another."""
        return "\n".join(map(escaped, _way(memory.transitions.path(fromState, toState))))


def _window(window: list[int] | None) -> tuple[int, int, int, int] | None:
    return (window[0], window[1], window[2], window[3]) if window else None


def _way(path: Path) -> Iterator[str]:
    for number, step in enumerate(path.steps, 1):
        where, to = step.from_name or step.from_state, step.to_name or step.to_state
        tried = step.successes + step.failures
        yield f"{number}. on {where} {step.action} leads to {to} ({chance(step.successes, tried)})"
    yield f"the whole way: at least {percent(path.probability)}"


def _learned(learn: Learn) -> Iterator[str]:
    yield f"learned {len(learn.learned)}, refused {len(learn.refused)}"
    for new in learn.learned:
        yield f"learned {new.name} {new.type} {new.x},{new.y} {new.w}x{new.h}"
    for refused in learn.refused:
        yield f"refused {','.join(map(str, refused.box))}: {refused.why}"
    for merged in learn.states_merged:
        yield f"state {merged.merged} is the same as {merged.into}"


def _screen(match: Match) -> Iterator[str]:
    state = match.state
    known = "unknown screen" + (f" ({match.doubt})" if match.doubt else "")
    if state:
        known = f"{state.name or state.id} ({state.similarity:.0%} alike)"
    yield f"{known}: {counted(len(match.sightings), 'component')} found, {len(match.absent)} absent"
    for other in match.also:
        yield f"beside it: {other.name or other.id}"
    for sighting in match.sightings:
        yield _sighting(sighting)
    for gone in match.absent:
        yield f"absent {gone.name}: {gone.why}"
    for one_forgotten in match.forgotten:
        yield f"forgotten {one_forgotten.name}: {one_forgotten.why}"
    yield from (told for told in (match.note, match.unrecorded) if told)


def _sighting(sighting: Sighting) -> str:
    also = "".join(f" or {x},{y}" for x, y in sighting.also_at[:3])
    changed = f" ({sighting.how}: {sighting.changed})" if sighting.changed else ""
    return f"{sighting.name} {sighting.x},{sighting.y} {sighting.w}x{sighting.h}{also}{changed}"


def add_graph(server: MemoryServer, memory: Memory) -> None:
    """Register what reads and changes the graph on `server`."""

    @server.tool(annotations=READS)
    def components(name: str | None = None, page: str | None = None) -> str:
        """List the components of the app, or show one."""
        if name is not None:
            return paged([_component(memory.components.get(name))])
        found = memory.components.list(page=page)
        return _listed(map(_component, found), "components")

    @server.tool(annotations=READS)
    def states(name: str | None = None) -> str:
        """List the screens of the app, or describe one."""
        if name is not None:
            return paged(memory.states.get(name).description.splitlines())
        return _listed(map(_state, memory.states.list()), "screens")

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
    ) -> str:
        """Record that an act led from one screen to another; commit what you saw happen."""
        given = {"fromState": fromState, "act": act, "toState": toState}
        return _move(memory.transitions, action, given, ids=ids, days=days, failed=failed)

    @server.tool(annotations=DESTROYS)
    def forget(
        id: Annotated[  # noqa: A002  (the word of the tools)
            str, Field(description="f_..., episode:3, component:NAME")
        ],
        confirm: Annotated[bool, Field(strict=True)] = False,
        undo: bool = False,
    ) -> str:
        """Forget one thing; without confirm, show it. undo brings it back."""
        return _forget(memory, id, confirm=confirm, undo=undo)


def _move(
    graph: Transitions,
    action: str,
    given: Mapping[str, str | None],
    *,
    ids: list[int] | None,
    days: int | None,
    failed: bool,
) -> str:
    if action == "record":
        for name, value in given.items():
            if not value:
                raise MissingParamError(
                    f'transitions: "record" needs "{name}"', hint=f"give {name}"
                )
        noted = graph.record(*map(str, given.values()))
        return f"Noted: {escaped(_transition(noted))}; commit it once it is sure."
    if action == "discard":
        return f"Discarded: {graph.discard(ids, days=days)}"
    if action == "restore":
        return f"Pending again: {graph.restore(ids, days=days)}"
    if action == "commit":
        found = graph.commit(ids, failed=failed)
    else:
        found = graph.pending(days=days) if action == "pending" else graph.list()
    return _listed(map(_transition, found), "transitions")


def _thing(memory: Memory, named: str) -> tuple[Any, Any]:
    """Return the collection of a thing, and its key there.

    Raises
    ------
    NotFoundError
        When no kind is named so.
    """
    kind, _, key = named.partition(":")
    if not key or kind == "fact":
        return memory.facts, key or named
    if kind == "component":
        return memory.components, key
    if kind == "episode" and key.isdecimal():
        return memory.episodes, int(key)
    raise NotFoundError(
        f'there is no "{named[:60]}"', hint="name f_..., episode:3 or component:NAME"
    )


def _forget(memory: Memory, named: str, *, confirm: bool, undo: bool) -> str:
    things, key = _thing(memory, named)
    several = [key] if things is memory.episodes else key
    if undo:
        things.restore(several)
        return f"Restored: {escaped(named)}"
    found = things.get(key)
    if not confirm:
        text = getattr(found, "text", None) or getattr(found, "summary", None) or _component(found)
        raise ConfirmationRequiredError(
            f"this would be forgotten: {block([escaped(text[:200])])}", hint="say so with confirm"
        )
    things.forget(several)
    return f"Forgotten: {escaped(named)}; undo brings it back"


def _listed(lines: Iterable[str], what: str) -> str:
    shown = list(lines)
    return paged(shown) if shown else f"No {what}."


def _component(component: Component) -> str:
    place = f" on {component.page}" if component.page else ""
    label = f' "{component.label}"' if component.label else ""
    return f"{component.name} {component.type}{label}{place}, seen {component.seen_count} times"


def _state(state: State) -> str:
    name = f"{state.name} [{state.id}]" if state.name else state.id
    return f"{name}: {state.component_count} components, visited {state.visit_count} times, {state.status}"


def _transition(transition: Transition) -> str:
    number = f"{transition.id}: " if transition.id is not None else ""
    counts = f"{transition.successes} ok, {transition.failures} failed, {transition.status}"
    return (
        f"{number}{transition.from_state} {transition.action} -> {transition.to_state} ({counts})"
    )


def add_skills(server: MemoryServer, memory: Memory) -> None:
    """Register skills on `server`."""

    @server.tool(annotations=READS)
    def skills(
        action: Literal["list", "match", "show", "next"] = "list",
        text: Annotated[str | None, Field(description="What is asked, or a name.")] = None,
        image: Annotated[
            str | None, Field(description="Screenshot, for next; none for a tool.")
        ] = None,
        params: dict[str, str] | None = None,
        after: Annotated[int, Field(ge=0, description="Step done last.")] = 0,
    ) -> str:
        """List skills, find or show one, or say what to do next on a screenshot."""
        if action == "list":
            return paged([_skill(skill) for skill in memory.skills] or ["No skills."])
        if text is None:
            raise MissingParamError(f'skills: "{action}" needs "text"', hint="give text")
        if action == "match":
            match = memory.skills.match(text)
            return paged([_skill(one.skill) for one in match] or ["No skill."])
        if action == "show":
            one = memory.skills.get(text)
            return paged([_skill(one), *_steps(one)])
        now = memory.skills.next(text, image, params or {}, after=after)
        return escaped(json.dumps(asdict(now), ensure_ascii=False))


def _skill(skill: Skill) -> str:
    takes = f" ({', '.join(skill.parameters)})" if skill.parameters else ""
    runs = f"{skill.done} of {skill.done + skill.stopped} runs done"
    return f"{skill.name}{takes}: {skill.status}, {len(skill.steps)} steps, {runs}"


def _steps(skill: Skill) -> list[str]:
    """Return the steps of a skill with what proves each, and its checks."""
    lines = []
    for step in skill.steps:
        proof = step.effects.words()
        told = f"; proof: {proof}" if proof else ""
        lines.append(f"{step.number}. {act_words(step)}{told}")
    return [*lines, *(f"checked at the end: {check}" for check in checks_of(skill))]
