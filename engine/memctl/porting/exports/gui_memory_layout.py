"""Writes a store's screens in gui-memory's form: four JSON files, workflows, and the pictures.

What gui-memory has no word for stands under keys that it does not read (``scale``, ``looks``,
``row``, ...), so that a memctl that reads the folder has it again. Times are UTC, with a ``Z``.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from memctl.base.errors import UsageError
from memctl.procedural.skills import Skills
from memctl.store import statements
from memctl.visual.graph.components import Components
from memctl.visual.graph.naming import NamesInUse
from memctl.visual.graph.states import States
from memctl.visual.graph.transitions import Transitions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.porting.exports.export_folder import ExportFolder
    from memctl.porting.exports.exporter import ExportSource
    from memctl.procedural.skill_records import Skill
    from memctl.store.store import Store
    from memctl.visual.graph.components import Component

SQL = statements.load("store/gui_memory")
TEMPLATES = statements.load("store/template")
_UNFIT = re.compile(r'[\x00-\x1f<>:"/\\|?*\s]+')
_LONGEST = 40  # characters of a file's name, before its number and its end
_STEP = (
    "action", "target", "beside", "detail", "from_state", "to_state", "output", "irreversible",
)  # fmt: skip


def write(folder: ExportFolder, source: ExportSource) -> None:
    """Write all screens of a store.

    A component without a picture, and a state without a component, have no place in this form: they are
    counted as ``left out``.

    Raises
    ------
    UsageError
        When rows of texts are chosen: screens have neither tier nor tag.
    """
    if "chosen" in source.header:
        raise UsageError(
            "screens are exported as a whole", hint="leave out --tier, --tag and so on"
        )
    store = source.store
    all_components, all_states = Components(store).list(), States(store).list()
    looks = _looks(store, all_components)
    components = {component.id: component for component in all_components if component.id in looks}
    for pictures in looks.values():
        for look in pictures:
            path = folder.path / look["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(store.value(TEMPLATES.pixels, {"id": look["id"]}))
    states = _states(store, components)
    transitions = _transitions(store, states)
    workflows = {skill.name: _workflow(skill) for skill in reversed(Skills(store).list())}
    files: dict[str, Mapping[str, Any]] = {
        "meta": _meta(source, components, states),
        "components": {
            component.name: _component(component, looks[component.id])
            for component in components.values()
        },
        "states": states,
        "transitions": transitions,
        "workflows": workflows,
    }
    for name, content in files.items():
        folder.append(f"{name}.json", json.dumps(content, indent=2, ensure_ascii=False) + "\n")
    left_out = len(all_components) - len(components) + len(all_states) - len(states)
    source.counts.update({"left out": left_out, "component": len(components)})
    source.counts.update({"state": len(states), "transition": len(transitions)})
    source.counts["workflow"] += len(workflows)


def _looks(store: Store, components: Sequence[Component]) -> dict[int, list[dict[str, Any]]]:
    """Return the pictures of each component, with a file's name of its own that is after it."""
    rows = defaultdict(list)
    for row in store.rows(SQL.looks):
        rows[row["component_id"]].append(dict(row))
    taken = NamesInUse()
    for component in components:
        plain = _UNFIT.sub("_", component.name)[:_LONGEST].strip("._ ") or "component"
        for look in rows.get(component.id, ()):
            look["file"] = f"components/{taken.claim(plain)}.png"
    return {component.id: rows[component.id] for component in components if component.id in rows}


def _component(component: Component, looks: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return a component as ``components.json`` has it: its place is its middle."""
    first, *others = looks
    more = {
        "scale": None if first["scale"] == 1 else first["scale"],
        "looks": [{"file": look["file"], "scale": look["scale"]} for look in others],
        "pinned": component.pinned,
        "row": component.row_text,
        "section": component.section,
        "cut": component.cut,
        "field": component.field,
    }
    return {
        "type": component.type,
        "source": component.source,
        "rel_x": first["x"] + first["w"] // 2,
        "rel_y": first["y"] + first["h"] // 2,
        "w": first["w"],
        "h": first["h"],
        "icon_file": first["file"],
        "label": component.label,
        "confidence": component.confidence,
        "page": component.page,
        "region": "default",
        "learned_at": component.learned_at,
        "last_seen": component.last_seen_at,
        "seen_count": component.seen_count,
        "consecutive_misses": component.consecutive_misses,
        **{key: value for key, value in more.items() if value},
    }


def _meta(
    source: ExportSource,
    components: Mapping[int, Component],
    states: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    app, _, site = str(source.store.address).partition("/")
    sizes = Counter(tuple(state["img_size"]) for state in states.values())
    looked_for = [
        component.seen_count + component.consecutive_misses for component in components.values()
    ]
    return {
        "app": app,
        "domain": site,
        # At least as often as any component was looked for.
        "detect_count": max([int(source.store.value(SQL.screens_learned)), *looked_for]),
        "last_updated": max(
            (component.last_seen_at for component in components.values()), default=""
        ),
        "img_size": list(sizes.most_common(1)[0][0]) if sizes else [],
        "forget_threshold": source.settings.integer("forget_threshold"),
        "tips": [row["text"] for row in source.store.rows(SQL.tips)],
    }


def _states(store: Store, components: Mapping[int, Component]) -> dict[str, dict[str, Any]]:
    """Return the states that components define, by their ids."""
    listed: dict[str, dict[str, Any]] = {}
    states = States(store)
    sizes = {row["id"]: [row["img_w"], row["img_h"]] for row in store.rows(SQL.state_sizes)}
    for summary in states:
        state = states.get(summary.id)
        ids = [key for place in state.components if (key := place.component_id) in components]
        if ids:
            labels = {label for key in ids if (label := components[key].label)}
            listed[state.id] = {
                "name": state.name,
                "description": state.title,
                "page": state.page,
                "defining_components": [components[key].name for key in ids],
                "first_seen": state.first_seen_at,
                "last_seen": state.last_seen_at,
                "visit_count": state.visit_count,
                # Of a state that came without them, those of its components are known.
                "visible_texts": state.texts or sorted(labels),
                "img_size": sizes[state.id],
            }
    return listed


def _transitions(store: Store, states: Mapping[str, object]) -> dict[str, dict[str, Any]]:
    """Return the ways between these states, by ``from|action|to``."""
    return {
        f"{way.from_state}|{way.action}|{way.to_state}": {
            "from_state": way.from_state,
            "action": way.action,
            "to_state": way.to_state,
            "count": way.count,
            "last_used": way.last_used_at,
            "success_rate": round(way.successes / way.count, 4),
            "failures": way.failures,
        }
        for way in Transitions(store)
        if {way.from_state, way.to_state} <= states.keys()
    }


def _workflow(skill: Skill) -> dict[str, Any]:
    """Return a skill as a workflow, its steps under a key that gui-memory does not read."""
    ends = [step.to_state for step in skill.steps if step.to_state]
    steps = [{key: getattr(step, key) for key in _STEP} for step in skill.steps]
    return {
        "target_state": ends[-1] if ends else "",
        "description": skill.description,
        "last_run": skill.last_run_at,
        "run_count": skill.runs,
        "success_count": skill.done,
        "notes": list(skill.facts),
        "triggers": list(skill.triggers),
        "parameters": dict(skill.parameters),
        "steps": [{key: value for key, value in step.items() if value} for step in steps],
    }
