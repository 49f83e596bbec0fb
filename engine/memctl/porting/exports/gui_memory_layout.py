"""Writes a store's screens in gui-memory's form: four JSON files, workflows, and the pictures.

What gui-memory has no word for stands under keys that it does not read (``scale``, ``looks``,
``row``, ...), so that a memctl that reads the folder has it again. Times are UTC, with a ``Z``.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from memctl.base.errors import UsageError
from memctl.procedural.skills import Skills
from memctl.store import statements
from memctl.visual.graph.components import Components
from memctl.visual.graph.naming import NamesInUse
from memctl.visual.graph.states import States
from memctl.visual.graph.transitions import Transitions

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterator, Mapping

    from memctl.config.settings import Settings
    from memctl.porting.exports.export_folder import ExportFolder
    from memctl.porting.exports.exporter import ExportSource
    from memctl.procedural.skill_records import Skill, SkillStep
    from memctl.store.store import Store
    from memctl.visual.graph.components import Component

SQL = statements.load("store/gui_memory")
_UNFIT = re.compile(r'[\x00-\x1f<>:"/\\|?*\s]+')
_LONGEST = 40  # characters of a file's name, before its number and its end


def write(folder: ExportFolder, source: ExportSource) -> None:
    """Write all screens of a store.

    Raises
    ------
    UsageError
        When rows of texts are chosen: screens have neither tier nor tag.
    """
    if "chosen" in source.header:
        raise UsageError(
            "screens are exported as a whole", hint="leave out --tier, --tag and so on"
        )
    for name, data in _files(source.store, source.settings, source.counts):
        path = folder.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _files(store: Store, settings: Settings, written: Counter[str]) -> Iterator[tuple[str, bytes]]:
    """Yield each file of the form, by its name below the folder.

    Parameters
    ----------
    written
        Counts what was written, by kind; a component without a picture, and a state without a
        component, have no place in this form: they are counted as ``left out``.
    """
    pictures = _Pictures(store)
    components = {
        one.id: one for one in Components(store).list() if one.id in pictures.of_component
    }
    written["left out"] += len(Components(store)) - len(components)
    for template_id, name in pictures.files(components):
        yield name, bytes(store.value(SQL.picture, {"id": template_id}))
    states = _states(store, components)
    written["left out"] += len(States(store)) - len(states)
    transitions = _transitions(store, states)
    workflows = {skill.name: _workflow(skill) for skill in reversed(Skills(store).list())}
    files: dict[str, Mapping[str, Any]] = {
        "meta": _meta(store, settings, components.values(), states),
        "components": {one.name: pictures.told(one) for one in components.values()},
        "states": states,
        "transitions": transitions,
        "workflows": workflows,
    }
    for name, content in files.items():
        text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
        yield f"{name}.json", text.encode()
    written["component"], written["state"] = len(components), len(states)
    written["transition"], written["workflow"] = len(transitions), len(workflows)


class _Pictures:
    """The pictures of the living components, each with a file's name of its own."""

    def __init__(self, store: Store) -> None:
        self.of_component: dict[int, list[sqlite3.Row]] = {}
        for row in store.rows(SQL.looks):
            self.of_component.setdefault(row["component_id"], []).append(row)
        self._names: dict[int, str] = {}

    def files(self, components: Mapping[int, Component]) -> Iterator[tuple[int, str]]:
        """Yield the pictures and their files, named after their components."""
        taken = NamesInUse()
        for key, component in components.items():
            plain = _UNFIT.sub("_", component.name)[:_LONGEST].strip("._ ") or "component"
            for row in self.of_component[key]:
                self._names[row["id"]] = f"components/{taken.claim(plain)}.png"
                yield row["id"], self._names[row["id"]]

    def told(self, one: Component) -> dict[str, Any]:
        """Return a component as ``components.json`` has it: its place is its middle."""
        first, *others = self.of_component[one.id]
        scale = {} if first["scale"] == 1 else {"scale": first["scale"]}
        looks = [{"file": self._names[row["id"]], "scale": row["scale"]} for row in others]
        more = {
            "looks": looks,
            "pinned": one.pinned,
            "row": one.row_text,
            "section": one.section,
            "cut": one.cut,
            "field": one.field,
        }
        return {
            "type": one.type,
            "source": one.source,
            "rel_x": first["x"] + first["w"] // 2,
            "rel_y": first["y"] + first["h"] // 2,
            "w": first["w"],
            "h": first["h"],
            "icon_file": self._names[first["id"]],
            "label": one.label,
            "confidence": one.confidence,
            "page": one.page,
            "region": "default",
            "learned_at": one.learned_at,
            "last_seen": one.last_seen_at,
            "seen_count": one.seen_count,
            "consecutive_misses": one.consecutive_misses,
            **scale,
            **{key: value for key, value in more.items() if value},
        }


def _meta(
    store: Store,
    settings: Settings,
    components: Collection[Component],
    states: Mapping[str, Mapping[str, Any]],
) -> dict[str, Any]:
    app, _, site = str(store.address).partition("/")
    sizes = Counter(tuple(state["img_size"]) for state in states.values())
    tips = [row["text"] for row in store.rows(SQL.tips)]
    return {
        "app": app,
        "domain": site,
        # At least as often as any component was looked for.
        "detect_count": max(
            [
                int(store.value(SQL.screens_learned)),
                *(one.seen_count + one.consecutive_misses for one in components),
            ]
        ),
        "last_updated": max((one.last_seen_at for one in components), default=""),
        "img_size": list(sizes.most_common(1)[0][0]) if sizes else [],
        "forget_threshold": settings.integer("forget_threshold"),
        "tips": tips,
    }


def _states(store: Store, components: Mapping[int, Component]) -> dict[str, dict[str, Any]]:
    """Return the states that components define, by their ids."""
    told: dict[str, dict[str, Any]] = {}
    states = States(store)
    sizes = {row["id"]: row for row in store.rows(SQL.state_sizes)}
    for summary in states:
        state = states.get(summary.id)
        kept = [
            components[key] for one in state.components if (key := one.component_id) in components
        ]
        defining = [one.name for one in kept]
        if not defining:
            continue
        size = sizes[state.id]
        told[state.id] = {
            "name": state.name,
            "description": state.title,
            "page": state.page,
            "defining_components": defining,
            "first_seen": state.first_seen_at,
            "last_seen": state.last_seen_at,
            "visit_count": state.visit_count,
            # Of a state that came without them, those of its components are known.
            "visible_texts": state.texts or sorted({one.label for one in kept if one.label}),
            "img_size": [size["img_w"], size["img_h"]],
        }
    return told


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
    return {
        "target_state": ends[-1] if ends else "",
        "description": skill.description,
        "last_run": skill.last_run_at,
        "run_count": skill.runs,
        "success_count": skill.done,
        "notes": list(skill.facts),
        "triggers": list(skill.triggers),
        "parameters": dict(skill.parameters),
        "steps": [_step(step) for step in skill.steps],
    }


_STEP = ("action", "target", "beside", "detail", "from_state", "to_state", "output")


def _step(step: SkillStep) -> dict[str, Any]:
    told = {key: getattr(step, key) for key in _STEP}
    told["irreversible"] = step.irreversible
    return {key: value for key, value in told.items() if value}
