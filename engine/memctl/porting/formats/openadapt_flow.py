"""OpenAdapt Flow: recordings (frames and events), and bundles (``workflow.json``, ``templates/``).

A recording's screens are learned, its acts become ways between them, and all of it a draft. A
bundle has no screens: its targets become components, its steps a draft.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.errors import UnusableInputError
from memctl.porting.foreign_records import (
    ComponentRecord,
    Format,
    RecordedAct,
    RecordingRecord,
    ScreenSkillRecord,
    UnreadRecord,
)
from memctl.porting.foreign_values import (
    middle_of,
    number_of,
    object_in,
    picture_in,
    text_of_value,
    time_of,
)
from memctl.porting.safe_files import lines_of
from memctl.procedural.parameters import parameter_name
from memctl.procedural.skill_records import SkillDraft, SkillStep
from memctl.procedural.skill_rows import skill_name
from memctl.visual.graph.foreign_screens import ForeignComponent

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from memctl.porting.foreign_records import Records

_MOST_ACTS = 1_000
# Their acts and ours; others are no acts on a screen.
_KINDS: Mapping[str, str] = {
    "click": "click",
    "double_click": "double click",
    "right_click": "right click",
    "drag": "drag",
    "type": "type",
    "select_option": "type",
    "key": "key",
    "hotkey": "key",
    "scroll": "scroll",
}
_POINTED = {"click", "double click", "right click", "drag"}


def recognises(path: Path) -> bool:
    """Return whether a folder, or its main file, is a recording or a bundle."""
    if path.is_file() and path.name not in {"events.jsonl", "workflow.json"}:
        return False
    folder = path.parent if path.is_file() else path
    recorded = (folder / "events.jsonl").is_file() and (folder / "frames").is_dir()
    return recorded or ((folder / "workflow.json").is_file() and (folder / "templates").is_dir())


def read(path: Path, options: Mapping[str, Any]) -> Records:
    """Yield a recording, or the components and the draft of a bundle."""
    del options
    if path.is_file():
        path = path.parent
    if (path / "events.jsonl").is_file():
        yield from _recording(path)
    else:
        yield from _bundle(path)


# -- recordings --------------------------------------------------------------------------


def _recording(folder: Path) -> Records:
    meta = object_in(folder / "meta.json", folder)
    acts: list[RecordedAct] = []
    last = 0.0
    for number, line in lines_of(folder / "events.jsonl"):
        where = f"events.jsonl:{number}"
        if not line.strip():
            continue
        if len(acts) == _MOST_ACTS:
            yield UnreadRecord(folder.name, f"over {_MOST_ACTS} acts: cut it")
            return
        try:
            event = _event(line)
            kind = text_of_value(event.get("kind"))
            if kind not in _KINDS:
                yield UnreadRecord(where, f'"{kind:.40}" is no act on a screen', counts=False)
                continue
            act = _act(folder, event, _KINDS[kind], last)
        except (UnusableInputError, ValueError, RecursionError) as error:
            # Without this act the rest is another recording.
            yield UnreadRecord(folder.name, f"its act {where} cannot be read: {error}")
            return
        last = number_of(event.get("t"), last) or last
        acts.append(act)
    if not acts:
        return
    given = meta.get("params")
    parameters = given.items() if isinstance(given, dict) else ()
    yield RecordingRecord(
        where=folder.name,
        key=text_of_value(meta.get("id")),
        name=text_of_value(meta.get("name")) or folder.name,
        acts=tuple(acts),
        url=text_of_value(meta.get("app_url")) or None,
        description=text_of_value(meta.get("description")),
        parameters=tuple(
            (parameter_name(name), text_of_value(value)) for name, value in parameters
        ),
    )


def _event(line: str) -> Mapping[str, Any]:
    event = json.loads(line)
    if not isinstance(event, dict):
        raise UnusableInputError("no object")
    return event


def _act(folder: Path, event: Mapping[str, Any], kind: str, last: float) -> RecordedAct:
    index = number_of(event.get("i"))
    if index is None or index < 0:
        raise UnusableInputError("it has no number")
    frames = [
        picture_in(folder, f"frames/{int(index):04d}_{side}.png") for side in ("before", "after")
    ]
    x, y = number_of(event.get("x")), number_of(event.get("y"))
    if kind in _POINTED and (x is None or y is None):
        raise UnusableInputError(f"a {kind} without a place")
    there = ("end_x", "end_y") if kind == "drag" else ("dx", "dy")
    to_x, to_y = (number_of(event.get(key)) for key in there)
    taken = (number_of(event.get("t"), last) or last) - last
    return RecordedAct(
        kind=kind,
        before=frames[0],
        after=frames[1],
        x=x,
        y=y,
        to=None if to_x is None or to_y is None else (to_x, to_y),
        text=_text_of(event),
        secret=event.get("secret") is True,
        title_before=text_of_value(event.get("title_before")),
        title_after=text_of_value(event.get("title_after")),
        seconds=max(taken, 0.0),
    )


def _text_of(event: Mapping[str, Any]) -> str:
    """Return the text or the keys of an event: ``hello``, ``Enter``, ``Control+s``."""
    text, key = event.get("text"), event.get("key")
    if isinstance(text, str):
        return text
    held = event.get("modifiers")
    keys = [*(held if isinstance(held, list) else ()), key]
    return "+".join(filter(None, map(text_of_value, keys)))


# -- bundles -----------------------------------------------------------------------------


def _bundle(folder: Path) -> Records:
    flow = object_in(folder / "workflow.json", folder)
    listed = flow.get("steps")
    given = listed if isinstance(listed, list) else []
    name = text_of_value(flow.get("name")) or folder.name
    at = time_of(flow.get("created_at")) or clock.now()
    steps: list[SkillStep] = []
    for number, step in enumerate(given, 1):
        where = f"workflow.json: step {number}"
        kind = text_of_value(step.get("action")) if isinstance(step, dict) else ""
        if kind not in _KINDS:
            why = f'"{kind:.40}" is no act on a screen' if kind else "no step"
            yield UnreadRecord(where, why, counts=not kind)
            continue
        anchor = step.get("anchor")
        target = None
        if isinstance(anchor, dict):
            component = _target(folder, anchor, where, at)
            target = text_of_value(anchor.get("ocr_text")) or None
            if isinstance(component, ComponentRecord):
                target = component.key
            yield component
        steps.append(_step(len(steps) + 1, step, _KINDS[kind], target))
    if not steps:
        return
    params = flow.get("params")
    values = params.items() if isinstance(params, dict) else ()
    draft = SkillDraft(
        name=skill_name(name),
        steps=tuple(steps),
        description="; ".join(
            text_of_value(step.get("intent")) for step in given if isinstance(step, dict)
        )[:1_024],
        origin="imported",
        triggers=(name.replace("_", " "),),
        parameters={parameter_name(key): text_of_value(value) for key, value in values},
    )
    yield ScreenSkillRecord(where="workflow.json", key=name, draft=draft)


def _target(
    folder: Path, anchor: Mapping[str, Any], where: str, at: str
) -> ComponentRecord | UnreadRecord:
    """Return the component that a step acts on, or why there is none."""
    template = text_of_value(anchor.get("template"))
    try:
        picture = picture_in(folder, template)
    except UnusableInputError as error:
        return UnreadRecord(where, error.message)
    label = text_of_value(anchor.get("ocr_text"))
    component = ForeignComponent(
        name=label.replace(" ", "_")[:40] or template.rpartition("/")[2].removesuffix(".png"),
        source="openadapt",
        label=label or None,
        middle=middle_of(anchor.get("region")),
        learned_at=at,
        last_seen_at=at,
    )
    return ComponentRecord(where=where, key=template, about=component, looks=(picture,))


def _step(number: int, given: Mapping[str, Any], kind: str, target: str | None) -> SkillStep:
    param = text_of_value(given.get("param"))
    detail = f"{{{parameter_name(param)}}}" if param else _text_of(given)
    if kind == "scroll":
        detail = ",".join(f"{number_of(given.get(key), 0):g}" for key in ("scroll_dx", "scroll_dy"))
    return SkillStep(
        number,
        kind,
        target=target,
        detail=detail or None,
        irreversible=given.get("risk") == "irreversible",
    )


FORMATS = {"openadapt": Format(recognises, read)}
