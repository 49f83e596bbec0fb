"""Skills of one store: added as drafts, decided by a person, matched with what somebody asks."""

from __future__ import annotations

import hashlib
import json
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.arguments import checked_class, of_class
from memctl.base.errors import NotFoundError, UsageError
from memctl.base.near_words import meant, one_of
from memctl.base.pattern import Pattern
from memctl.guard import door
from memctl.procedural.intents import chosen, matching
from memctl.procedural.parameters import names_in_braces
from memctl.procedural.skill_records import Skill, SkillDraft, SkillRun, SkillRunStep, SkillStep
from memctl.store import statements
from memctl.store.collection import StoreCollection
from memctl.store.pages import ListPage, read_page
from memctl.visual.graph.pathfinding import wilson_lower_bound

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

    from memctl.procedural.intents import SkillMatch
    from memctl.store.store import Store

__all__ = ["Skills", "shape_of", "skill_name"]

SQL = statements.load("store/skill")

# As the open format of SKILL.md wants a name: at most 64 small letters, digits and hyphens.
_NAME = Pattern(r"[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?")
_MAX_DESCRIPTION = 1_024
_LIVING = ("draft", "active")
_ALL = (*_LIVING, "rejected", "archived")
# Acts that cannot be undone, by what stands on their target.
_IRREVERSIBLE = Pattern(
    r"(?i)\b(?:delete|remove|erase|discard|send|submit|pay|buy|order|publish|post|confirm|approve|"
    r"overwrite|revoke|cancel|l\u00f6schen|senden|bezahlen|kaufen|supprimer|envoyer|eliminar|enviar)\b"
)


@checked_class
class Skills(StoreCollection[Skill]):
    """The skills of a store, each known by its id or name.

    Parameters
    ----------
    store
        The open store.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    @door.guarded("skill")
    def add(self, draft: SkillDraft) -> Skill:
        """Add a draft; one that does the same as a skill that is there, or was rejected, is that one.

        Raises
        ------
        UsageError
            When it has no step, its name is none, or is taken by a skill that does otherwise.
        SecretRefusedError
            When something of it looks like a secret.
        """
        if not of_class("draft", draft, SkillDraft).steps:
            raise UsageError(f'"{draft.name}" has no step', hint="record one: memctl skills record")
        name = _checked_name(draft.name)
        shape = shape_of(draft.steps)
        texts = [part for step in draft.steps for part in (step.target, step.beside, step.detail)]
        about = [draft.description, *draft.triggers, *draft.facts, *draft.parameters.values()]
        door.refuse_secrets(self._store, "skill", "the skill", [*texts, *about])
        with self._store.transaction():
            known = self._store.row(SQL.of_shape, {"shape": shape})
            if known is not None:
                return self.get(known["id"])
            if self._store.row(SQL.named, {"key": name}) is not None:
                raise UsageError(f'there is a skill "{name}" already', hint="give another name")
            skill = self._insert(draft, name, shape)
        return self.get(skill)

    def decided(self, draft: SkillDraft) -> bool:
        """Return whether a skill that does the same is there, or was rejected."""
        shape = shape_of(of_class("draft", draft, SkillDraft).steps)
        return self._store.row(SQL.of_shape, {"shape": shape}) is not None

    def list(self, status: str | None = None, *, limit: int | None = None) -> ListPage[Skill]:
        """Return the living skills, or those of a status, the newest first.

        Parameters
        ----------
        status
            ``draft``, ``active``, ``rejected`` or ``archived``; drafts and active ones by default.
        limit
            Most skills; ``None`` for all.
        """
        if status is not None and status not in _ALL:
            raise UsageError(f'there is no status "{status}"', hint=one_of(status, _ALL))
        if not self._store.exists:
            return ListPage()
        chosen_ones = _LIVING if status is None else (status,)
        asked = {"statuses": json.dumps(chosen_ones)}
        with self._store.snapshot():
            found = read_page(self._store, SQL.listed, asked, itemgetter("id"), limit)
            rows = self._store.rows(SQL.details, {"ids": json.dumps(found)})
            skills = {row["id"]: self._skill(row) for row in rows}
        return ListPage((skills[one] for one in found), total=found.total)

    def get(self, key: str) -> Skill:
        """Return a skill by its id or name.

        Raises
        ------
        NotFoundError
            When there is none.
        """
        row = self._store.row(SQL.named, {"key": key}) if self._store.exists else None
        if row is None:
            names = [skill.name for skill in self.list()]
            hint = meant(key, names, "memctl skills list")
            raise NotFoundError(f'there is no skill "{key:.64}"', hint=hint)
        return self._skill(row)

    @door.guarded("skill")
    def approve(self, key: str) -> Skill:
        """Let a draft be used; a rejected or archived one comes back."""
        return self._decided(key, "active", "")

    @door.guarded("skill")
    def reject(self, key: str, *, why: str = "") -> Skill:
        """Let a skill not be used, and not be proposed again."""
        return self._decided(key, "rejected", why)

    @door.guarded("skill")
    def archive(self, key: str, *, why: str = "") -> Skill:
        """Put a skill away; it may be proposed again."""
        return self._decided(key, "archived", why)

    @door.guarded("skill")
    def update(
        self,
        key: str,
        *,
        name: str | None = None,
        description: str | None = None,
        triggers: Sequence[str] | None = None,
    ) -> Skill:
        """Change what a skill is called, what it says of itself, and what it is asked for with."""
        skill = self.get(key)
        changed = {
            "id": skill.id,
            "name": skill.name if name is None else _checked_name(name),
            "description": skill.description if description is None else _described(description),
            "triggers": _listed(skill.triggers if triggers is None else triggers),
        }
        with self._store.transaction():
            taken = self._store.row(SQL.named, {"key": changed["name"]})
            if taken is not None and taken["id"] != skill.id:
                raise UsageError(f'there is a skill "{name}" already', hint="give another name")
            self._store.execute(SQL.change, changed)
        return self.get(skill.id)

    def match(self, question: str, *, limit: int = 5) -> Sequence[SkillMatch]:
        """Return the active skills that a text may ask for, the likeliest first."""
        return matching(question, self.list("active"), limit=limit)

    def meant(self, question: str) -> SkillMatch | None:
        """Return the active skill that a text asks for; ``None`` where two are as likely."""
        return chosen(self.match(question))

    def told(self, question: str, *, limit: int = 3) -> Sequence[str]:
        """Return a line of each active skill that a text asks for, as a prompt has it."""
        if not self._store.exists or not self._store.value(SQL.any_active):
            return []
        return [_line(one.skill) for one in self.match(question, limit=limit)]

    def runs(self, key: str, limit: int = 20) -> Sequence[SkillRun]:
        """Return the runs of a skill, the newest first; -1 for all."""
        asked = {"skill": self.get(key).id, "limit": limit}
        return [run_of(row) for row in self._store.rows(SQL.runs, asked)]

    def trace(self, run: int) -> Sequence[SkillRunStep]:
        """Return the steps of a run, as they went.

        Raises
        ------
        NotFoundError
            When there is no such run.
        """
        if not self._store.exists or self._store.row(SQL.run, {"id": run}) is None:
            raise NotFoundError(f"there is no run {run}", hint="memctl skills show NAME")
        return [
            SkillRunStep(**{name: row[name] for name in SkillRunStep.__dataclass_fields__})
            for row in self._store.rows(SQL.run_steps, {"run": run})
        ]

    def _members(self) -> Sequence[Skill]:
        return self.list()

    def _decided(self, key: str, status: str, why: str) -> Skill:
        skill = self.get(key)
        with self._store.transaction():
            if status == "active":
                other = self._store.row(SQL.named, {"key": skill.name})
                if other is not None and other["id"] != skill.id:
                    raise UsageError(
                        f'another skill is called "{skill.name}" by now', hint="rename that one"
                    )
            decided = {"id": skill.id, "status": status, "why": why, "now": clock.now()}
            self._store.execute(SQL.decide, decided)
        return self.get(skill.id)

    def _insert(self, draft: SkillDraft, name: str, shape: str) -> str:
        row = {
            "name": name,
            "description": _described(draft.description),
            "origin": draft.origin,
            "shape": shape,
            "url": draft.url,
            "triggers": _listed(draft.triggers),
            "facts": _listed(draft.facts),
            "now": clock.now(),
            **{key: getattr(draft, key) for key in _MEASURED},
        }
        skill = str(self._store.value(SQL.add, row))
        for number, step in enumerate(draft.steps, 1):
            given = {key: getattr(step, key) for key in _STEP}
            risky = step.irreversible or is_irreversible(step)
            kept = {**given, "skill": skill, "number": number, "irreversible": int(risky)}
            self._store.execute(SQL.add_step, kept)
            for appears, components in ((1, step.appearing), (0, step.vanishing)):
                for component in components:
                    proof = {"skill": skill, "number": number, "component": component}
                    self._store.execute(SQL.add_proof, {**proof, "appears": appears})
        used = {name for step in draft.steps for name in _names(step)}
        for parameter in sorted(used | draft.parameters.keys()):
            example = draft.parameters.get(parameter, "")
            asked = {"skill": skill, "name": parameter, "example": example}
            self._store.execute(SQL.add_parameter, asked)
        for kind, item in draft.sources:
            self._store.execute(SQL.add_source, {"skill": skill, "kind": kind, "item": item})
        return skill

    def _skill(self, row: sqlite3.Row) -> Skill:
        asked = {"skill": row["id"]}
        told = {key: row[key] for key in (*_PLAIN, *_MEASURED)}
        tried = row["done"] + row["stopped"]
        return Skill(
            **told,
            triggers=tuple(json.loads(row["triggers"])),
            facts=tuple(json.loads(row["facts"])),
            steps=tuple(_step(one) for one in self._store.rows(SQL.steps, asked)),
            parameters={o["name"]: o["example"] for o in self._store.rows(SQL.parameters, asked)},
            sources=tuple((o["kind"], o["item_id"]) for o in self._store.rows(SQL.sources, asked)),
            success=round(wilson_lower_bound(row["done"], tried), 4) if tried else None,
        )


_MEASURED = (
    "support", "expected", "p_value", "chance_rate", "shown_looks", "shown_seconds",
)  # fmt: skip
_STEP = (
    "action", "component_id", "target", "beside", "detail", "from_state", "to_state", "output",
    "mean_ms",
)  # fmt: skip
_PLAIN = (
    "id", "name", "description", "status", "origin", "url", "why", "created_at", "decided_at",
    "runs", "done", "stopped", "last_run_at",
)  # fmt: skip


def skill_name(words: str) -> str:
    """Return a name of some words, as SKILL.md wants it: at most 64 small letters, digits, hyphens."""
    plain = "".join(c if c.isascii() and c.isalnum() else "-" for c in words.lower())
    return "-".join(part for part in plain.split("-") if part)[:64].strip("-") or "skill"


def is_irreversible(step: SkillStep) -> bool:
    """Return whether what stands on a step's target says that the act cannot be undone."""
    pressed = step.action in {"click", "double click", "key"}
    return pressed and bool(_IRREVERSIBLE.search((step.target or "").replace("_", " ")))


def run_of(row: sqlite3.Row) -> SkillRun:
    """Return a run as the store holds it."""
    kept = {name: row[name] for name in SkillRun.__dataclass_fields__}
    read = {name: json.loads(row[name]) for name in ("params", "outputs")}
    return SkillRun(**{**kept, **read})


def _line(skill: Skill) -> str:
    takes = "".join(f" --param {name}=..." for name in skill.parameters)
    proof = f"{skill.done} of {skill.done + skill.stopped} runs done"
    risk = ", cannot be undone" if any(step.irreversible for step in skill.steps) else ""
    return f"{skill.name}: {len(skill.steps)} steps, {proof}{risk}; skills run {skill.name}{takes}"


def _step(row: sqlite3.Row) -> SkillStep:
    kept = {name: row[name] for name in SkillStep.__dataclass_fields__}
    living = row["component_id"] if row["component_name"] is not None else None
    kept |= {"irreversible": bool(row["irreversible"]), "component_id": living}
    kept["target"] = row["component_name"] or row["target"]
    kept |= {name: tuple(json.loads(row[name])) for name in ("appearing", "vanishing")}
    return SkillStep(**kept)


def _names(step: SkillStep) -> list[str]:
    return [name for text in (step.detail, step.beside) for name in names_in_braces(text)]


def shape_of(steps: Sequence[SkillStep]) -> str:
    """Return a digest of what steps do: their acts and targets, with the names of what varies."""
    told: list[Any] = [(s.action, s.component_id or s.target, s.beside, s.detail) for s in steps]
    return hashlib.blake2b(json.dumps(told).encode(), digest_size=10).hexdigest()


def _checked_name(name: str) -> str:
    if not _NAME.fullmatch(name) or "--" in name:
        raise UsageError(
            f'"{name:.64}" is no name of a skill', hint="small letters, digits, hyphens, at most 64"
        )
    return name


def _described(text: str) -> str:
    return door.clean(text, what="description", limit=_MAX_DESCRIPTION).strip()


def _listed(texts: Sequence[str]) -> str:
    plain = [door.clean(text, what="text", limit=door.MAX_LABEL).strip() for text in texts]
    return json.dumps(list(dict.fromkeys(filter(None, plain))), ensure_ascii=False)
