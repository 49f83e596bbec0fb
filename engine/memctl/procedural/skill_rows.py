"""Rows of skills: written from drafts, and read as records."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from itertools import chain, count
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.pattern import Pattern
from memctl.procedural.skill_checking import described, listed
from memctl.procedural.skill_records import (
    ParameterSpec,
    Skill,
    SkillRun,
    SkillRunStep,
    SkillStep,
)  # fmt: skip
from memctl.scenes.effects import Effects
from memctl.scenes.targets import Target
from memctl.scenes.wording import loosened, names_in_braces
from memctl.store import statements
from memctl.visual.graph.transitions import wilson_lower_bound

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Container, Sequence

    from memctl.procedural.skill_records import SkillDraft
    from memctl.store.store import Store

SQL = statements.load("store/skill")

# Acts that cannot be undone, by what stands on their target or its dialog.
_DESTRUCTION = Pattern(
    r"(?i)\b(?:delete|remove|erase|discard|destroy|drop|purge|wipe|unsubscribe|deactivate|terminate"
    r"|send|submit|pay|buy|order now|place order|publish|post|confirm|approve|overwrite|revoke|cancel"
    r"|archive|reset|l\u00f6schen|l\u00f6sche|entfernen|stornieren|senden|bezahlen|kaufen|supprimer|envoyer"
    r"|annuler|eliminar|borrar|enviar|elimina|rimuovi|usu\u0144|verwijderen|excluir|apagar)\b"
    r"|\u5220\u9664|\u522a\u9664|\u79fb\u9664|\u6e05\u7a7a|\u53d1\u9001|\u652f\u4ed8|\u524a\u9664|\u9001\u4fe1|\u0644\u062d\u0630\u0641|\u062d\u0630\u0641|\u05de\u05d7\u05e7"
)
_HARMLESS = frozenset(["type", "hover", "scroll", "goto", "read"])
_MEASURED = (
    "support", "expected", "p_value", "chance_rate", "shown_looks", "shown_seconds",
)  # fmt: skip
_PLAIN = (
    "id", "name", "description", "status", "origin", "url", "why", "created_at", "decided_at",
    "runs", "done", "stopped", "last_run_at", *_MEASURED,
)  # fmt: skip
_LISTS = ("triggers", "facts", "verify", "aliases")
_TARGETS = ("place", "onto")


def is_irreversible(step: SkillStep) -> bool:
    """Return whether a step cannot be undone, by its changes when it was shown, or its words."""
    if step.irreversible or step.effects.sent or step.effects.asked:
        return True
    texts = (step.target, step.place.name if step.place else None)
    says = any(_DESTRUCTION.search((text or "").replace("_", " ")) for text in texts)
    return says and step.action not in _HARMLESS


def shape_of(steps: Sequence[SkillStep]) -> str:
    """Return a digest of what steps do: their acts and targets, with the names of what varies.

    The same words on two pages are two deeds.
    """
    result: list[Any] = [
        (s.tool or s.action, s.place.words() if s.place else s.target, s.beside, s.detail,
         *([loosened(s.page.partition("?")[0], None)] if s.page else []))
        for s in steps
    ]  # fmt: skip
    return hashlib.blake2b(json.dumps(result).encode(), digest_size=10).hexdigest()


def skill_name(words: str) -> str:
    """Return a name of some words, as SKILL.md wants it: at most 64 small letters, digits, hyphens."""
    plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in words.lower())
    return "-".join(part for part in plain.split("-") if part)[:64].strip("-") or "skill"


def free_name(name: str, taken: Container[str]) -> str:
    """Return a name, with a number where it is taken by another skill."""
    names = chain([name], (f"{name[:60]}-{number}" for number in count(2)))
    return next(one for one in names if one not in taken)


def step_names(step: SkillStep) -> frozenset[str]:
    """Return the names of the parameters of a step."""
    texts = (step.detail, step.beside, step.target)
    held = {name for text in texts for name in names_in_braces(text)}
    targets = [one for one in (step.place, step.onto) if one is not None]
    return frozenset(held).union(*(target.names for target in targets))


def insert(store: Store, draft: SkillDraft, name: str, shape: str) -> str:
    """Write a draft, and return its id. In a transaction."""
    row = {
        "name": name,
        "description": described(draft.description),
        "origin": draft.origin,
        "shape": shape,
        "url": draft.url,
        "verify": json.dumps(list(draft.verify), ensure_ascii=False),
        "now": clock.now(),
        **{key: listed(getattr(draft, key)) for key in ("triggers", "facts", "aliases")},
        **{key: getattr(draft, key) for key in _MEASURED},
    }
    skill = str(store.value(SQL.add, row))
    for number, step in enumerate(draft.steps, 1):
        columns = {key: getattr(step, key) for key in SkillStep.__dataclass_fields__}
        columns |= {key: target_json(columns[key]) for key in _TARGETS}
        columns["effects"] = json.dumps(step.effects.plain(), ensure_ascii=False)
        columns |= {key: columns[key] or None for key in ("page", "tool")}
        columns |= {"irreversible": int(is_irreversible(step)), "skill": skill, "number": number}
        store.execute(SQL.add_step, columns)
    used = {step_name for step in draft.steps for step_name in step_names(step)}
    for parameter in sorted(used | draft.parameters.keys() | draft.specs.keys()):
        columns = asdict(draft.specs.get(parameter, ParameterSpec()))
        columns |= {
            "skill": skill,
            "name": parameter,
            "example": draft.parameters.get(parameter, ""),
        }
        store.execute(SQL.add_parameter, columns)
    for kind, item in draft.sources:
        store.execute(SQL.add_source, {"skill": skill, "kind": kind, "item": item})
    return skill


def target_json(target: Target | None) -> str | None:
    """Return a target as its cell has it."""
    return None if target is None else json.dumps(target.plain(), ensure_ascii=False)


def read(store: Store, row: sqlite3.Row) -> Skill:
    """Return a skill as stored."""
    asked, tried = {"skill": row["id"]}, row["done"] + row["stopped"]
    parameters = store.rows(SQL.parameters, asked)
    result: dict[str, Any] = {key: row[key] for key in _PLAIN}
    result |= {key: tuple(json.loads(row[key])) for key in _LISTS}
    return Skill(
        **result,
        steps=tuple(_step(one) for one in store.rows(SQL.steps, asked)),
        parameters={one["name"]: one["example"] for one in parameters},
        specs={
            parameter["name"]: ParameterSpec(
                parameter["kind"], parameter["description"], bool(parameter["required"])
            )
            for parameter in parameters
        },
        sources=tuple((one["kind"], one["item_id"]) for one in store.rows(SQL.sources, asked)),
        success=round(wilson_lower_bound(row["done"], tried), 4) if tried else None,
    )


def _step(row: sqlite3.Row) -> SkillStep:
    result = {name: row[name] for name in SkillStep.__dataclass_fields__}
    if row["component_name"] is None:  # it was forgotten, or there was none
        result["component_id"] = None
    elif row["place"] is None:
        result["target"] = row["component_name"]
    result |= {key: row[key] and Target.read(json.loads(row[key])) for key in _TARGETS}
    result["effects"] = Effects.read(json.loads(row["effects"] or "{}"))
    result |= {key: row[key] or "" for key in ("page", "tool")}
    return SkillStep(**{**result, "irreversible": bool(row["irreversible"])})


def run_of(row: sqlite3.Row) -> SkillRun:
    """Return a run as stored."""
    kept = {name: row[name] for name in SkillRun.__dataclass_fields__}
    result = {name: json.loads(row[name]) for name in ("params", "outputs")}
    return SkillRun(**{**kept, **result})


def run_step_of(row: sqlite3.Row) -> SkillRunStep:
    """Return a step of a run as stored."""
    kept = {name: row[name] for name in SkillRunStep.__dataclass_fields__}
    proposal = None if row["proposal"] is None else json.loads(row["proposal"])
    return SkillRunStep(**{**kept, "proposal": proposal})


def line_of(skill: Skill) -> str:
    """Return a skill in a line, as a prompt has it."""
    takes = "".join(f" --param {name}=..." for name in skill.parameters)
    proof = f"{skill.done} of {skill.done + skill.stopped} runs done"
    risk = ", cannot be undone" if any(step.irreversible for step in skill.steps) else ""
    return f"{skill.name}: {len(skill.steps)} steps, {proof}{risk}; skills run {skill.name}{takes}"
