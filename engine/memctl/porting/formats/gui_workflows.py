"""Workflows of gui-memory as drafts of skills: their steps, or the way that leads to their screen."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memctl.base.errors import UnusableInputError
from memctl.porting.foreign_records import FactRecord, ScreenSkillRecord, UnreadRecord
from memctl.porting.foreign_values import object_in, strings_of, text_of_value
from memctl.procedural.parameters import parameter_name
from memctl.procedural.skill_records import SkillDraft, SkillStep
from memctl.procedural.skill_rows import skill_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from memctl.porting.foreign_records import ForeignRecord

_MOST_STEPS = 200
_MOST_DESCRIPTION = 1_024


def workflows(
    folder: Path, listed: Mapping[str, Any], ways: Mapping[str, Any]
) -> Iterator[ForeignRecord | UnreadRecord]:
    """Yield the workflows of an app: of ``workflows.json``, and one a file in two folders.

    Parameters
    ----------
    listed
        What ``workflows.json`` holds.
    ways
        What ``transitions.json`` holds: a workflow that names only the screen where it ends becomes
        the way that was gone most often.
    """
    for name, about in listed.items():
        yield _workflow(f"workflows.json: {name:.80}", name, about, ways)
    named = {"workflows", "meta_workflows"}
    places = [folder / name for name in sorted(named)] if folder.name not in named else [folder]
    for place in places:
        for path in sorted(place.glob("*.json")) if place.is_dir() else ():
            where = f"{place.name}/{path.name}"
            try:
                about = object_in(path, folder)
            except UnusableInputError as error:
                yield UnreadRecord(where, error.message)
                continue
            name = text_of_value(about.get("workflow", about.get("name"))) or path.stem
            yield _workflow(where, name, about, ways)


def _workflow(
    where: str, name: str, about: object, ways: Mapping[str, Any]
) -> ForeignRecord | UnreadRecord:
    if not isinstance(about, dict):
        return UnreadRecord(where, "no object")
    listed = about.get("steps")
    given = listed if isinstance(listed, list) else []
    if len(given) > _MOST_STEPS:
        return UnreadRecord(where, f"{len(given)} steps: at most {_MOST_STEPS} are taken")
    steps = [_step(number, one) for number, one in enumerate(given, 1)]
    target = text_of_value(about.get("target_state"))
    steps = steps or _way_to(target, ways)
    description = text_of_value(about.get("description"))[:_MOST_DESCRIPTION]
    notes = strings_of(about.get("notes"))
    if not steps:
        words = ". ".join(part.rstrip(".") for part in (f"{name}: {description}", *notes) if part)
        return FactRecord(where=where, key=name, text=words, category="lesson")
    draft = SkillDraft(
        name=skill_name(name),
        steps=tuple(steps),
        description=description,
        origin="imported",
        triggers=strings_of(about.get("triggers")) or (name.replace("_", " "),),
        facts=notes,
        parameters=_parameters(about.get("parameters")),
    )
    return ScreenSkillRecord(where=where, key=name, draft=draft)


def _parameters(given: object) -> dict[str, str]:
    pairs = given.items() if isinstance(given, dict) else ()
    return {parameter_name(name): text_of_value(value) for name, value in pairs}


def _step(number: int, given: object) -> SkillStep:
    """Return a step as inert text: what is not known as an act is never done."""
    if not isinstance(given, dict):
        return _act(number, text_of_value(given) or json.dumps(given)[:400])
    call = "/".join(text_of_value(given.get(key)) for key in ("app", "workflow") if given.get(key))
    params = given.get("params")
    told = {
        "target": given.get("target", given.get("component", given.get("name", call))),
        "beside": given.get("beside"),
        "detail": next((given[key] for key in _DETAILS if given.get(key)), None)
        or (json.dumps(params, ensure_ascii=False) if params else None),
        "from_state": given.get("from_state"),
        "to_state": given.get("to_state"),
        "output": given.get("output", given.get("output_as")),
    }
    action = text_of_value(given.get("action", given.get("type"))) or ("call" if call else "step")
    texts: dict[str, Any] = {key: text_of_value(value) or None for key, value in told.items()}
    return SkillStep(number, action, irreversible=given.get("irreversible") is True, **texts)


_DETAILS = ("detail", "text", "value", "url", "key", "description")


def _act(number: int, words: str, start: str = "", end: str = "") -> SkillStep:
    """Return the step of ``click:Save``; of any other words, one that says them."""
    kind, colon, target = words.partition(":")
    if not colon or " " in kind.strip():
        return SkillStep(number, "step", detail=words)
    return SkillStep(
        number,
        kind.strip(),
        target=target.strip() or None,
        from_state=start or None,
        to_state=end or None,
    )


def _way_to(target: str, ways: Mapping[str, Any]) -> list[SkillStep]:
    """Return the steps of the way to a screen, back along what was gone most often."""
    into: dict[str, list[tuple[int, str, str]]] = {}
    for key in ways:
        start, _, rest = key.partition("|")
        action, _, end = rest.rpartition("|")
        about = ways[key] if isinstance(ways[key], dict) else {}
        count = about.get("count", 1)
        weight = count if isinstance(count, int) else 1
        if start and action and end != start:
            into.setdefault(end, []).append((weight, start, action))
    back: list[tuple[str, str, str]] = []
    met = {target}
    while target in into and len(back) < _MOST_STEPS:
        fresh = [one for one in into[target] if one[1] not in met]
        if not fresh:
            break
        _, start, action = max(fresh)
        back.append((start, action, target))
        met.add(start)
        target = start
    return [
        _act(number, action, start, end)
        for number, (start, action, end) in enumerate(back[::-1], 1)
    ]
