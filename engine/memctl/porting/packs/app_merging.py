"""Merges the memory of an app into a store: components, screens, edges and skills.

What is merged is a union of sets, the larger of each origin's count, or the value of the later
moment: in whichever order memories are merged, and however often, the same comes out.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memctl.base.clock import now
from memctl.base.errors import RefusedError, UsageError
from memctl.porting.packs.app_memory import read_memory
from memctl.porting.packs.component_merging import ComponentMerging
from memctl.porting.packs.likeness import united
from memctl.porting.packs.screen_merging import ScreenMerging
from memctl.procedural.skill_checking import fitted
from memctl.procedural.skill_records import SkillDraft, SkillStep
from memctl.procedural.skill_rows import free_name, shape_of
from memctl.procedural.skills import Skills
from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.porting.packs.app_memory import AppMemory, Entry, Level, MergeReport
    from memctl.store.store import Store

SQL = statements.load("store/sharing")


def merge_app(store: Store, theirs: AppMemory, report: MergeReport, level: Level) -> None:
    """Merge what another memory knows of the app. In a transaction."""
    mine = read_memory(store, "store")
    for origin, address in theirs.origins.items():
        if origin != mine.origin:
            store.execute(SQL.add_origin, {"id": origin, "address": address, "now": now()})
    components = ComponentMerging(store, mine, theirs, report, level)
    groups = united(mine, theirs, components.erased)
    screens = ScreenMerging(store, mine, theirs, report, groups.states)
    components.merge(groups.components, screens.ids)
    screens.merge(components.ids)
    SkillMerging(store, report, components.ids, screens.ids, level).merge(theirs)


# --- skills: those that do the same are one; others come as drafts

COMPONENTS = statements.load("store/component")

_MINED = ("support", "expected", "p_value", "chance_rate")
_PLACED = ("place", "onto")
_STEP = ("number", "action", "beside", "detail", "output", "mean_ms")


class SkillMerging:
    """One merge of skills.

    Parameters
    ----------
    component_ids, state_ids
        Place in their lists to the id here.
    """

    def __init__(
        self,
        store: Store,
        report: MergeReport,
        component_ids: Mapping[int, int],
        state_ids: Mapping[int, str],
        level: Level,
    ) -> None:
        self._store = store
        self._report = report
        self._components = component_ids
        self._states = state_ids
        self._level = level
        self._skills = Skills(store)

    def merge(self, theirs: AppMemory) -> None:
        """Add their skills. In a transaction.

        What a person here decided of a skill stays decided, unless another store of the same
        person decided later; of a pack each new one waits as a draft.
        """
        known = {row["shape"]: row for row in self._store.rows(SQL.skills)}
        for entry in theirs.skills:
            try:
                steps = self._steps(entry)
            except (UsageError, ValueError) as error:
                self._report.refused[f"skills: {error}"] += 1
                continue
            if steps is None:
                self._report.refused["skills that act on what did not come in"] += 1
                continue
            row = known.get(shape_of(steps))
            if row is None:
                self._add(entry, steps)
                continue
            self._report.united["skill"] += 1
            decided = entry.get("decided_at") or "", entry.get("status") or ""
            if self._level == "store" and decided > (row["decided_at"] or "", row["status"]):
                self._decide(row["id"], row["name"], entry)

    def _steps(self, entry: Entry) -> tuple[SkillStep, ...] | None:
        made = [self._step(step) for step in entry["steps"]]
        steps = tuple(step for step in made if step is not None)
        return steps if steps and len(steps) == len(made) else None

    def _step(self, step: Entry) -> SkillStep | None:
        number = None if step["component"] is None else self._components.get(step["component"], -1)
        if number == -1:
            return None
        name = None if number is None else self._store.value(COMPONENTS.name_of, {"id": number})
        values = {
            **{column: step.get(column) for column in _STEP},
            **{column: json.loads(step[column]) for column in _PLACED if step.get(column)},
            "effects": json.loads(step.get("effects") or "{}"),
            "component_id": number,
            "target": step["target"] if name is None else str(name),
            "from_state": self._state(step["from_state"]),
            "to_state": self._state(step["to_state"]),
            "irreversible": bool(step["irreversible"]),
            "page": step.get("page") or "",
            "tool": step.get("tool") or "",
        }
        return fitted(values, SkillStep, f"step {step['number']}")

    def _state(self, at: int | None) -> str | None:
        return None if at is None else self._states.get(at)

    def _add(self, entry: Entry, steps: tuple[SkillStep, ...]) -> None:
        mined: dict[str, Any] = {name: entry.get(name) for name in _MINED}
        draft = SkillDraft(
            free_name(entry["name"], self._skills),
            steps,
            description=entry["description"],
            origin="imported",
            url=entry["url"],
            triggers=tuple(entry["triggers"]),
            facts=tuple(entry["facts"]),
            parameters=entry["parameters"],
            specs=entry.get("specs", {}),
            verify=tuple(entry.get("verify", ())),
            aliases=tuple(entry.get("aliases", ())),
            **mined,
        )
        try:
            skill = self._skills.add(draft)
        except (RefusedError, UsageError) as error:
            self._report.refused[f"skills: {error.message}"] += 1
            return
        self._report.added["skill"] += 1
        if draft.name != entry["name"]:
            why = f"the same name, other steps; here it is {draft.name}"
            self._report.conflict("skill", entry["name"], why)
        if self._level == "store" and entry["status"] != "draft":
            self._decide(skill.id, skill.name, entry)

    def _decide(self, skill: str, name: str, entry: Entry) -> None:
        """Take over what another store of the same person decided later."""
        living = {"draft", "active"}
        row = next(row for row in self._store.rows(SQL.skills) if row["id"] == skill)
        if entry["status"] in living and row["status"] not in living and name in self._skills:
            self._report.conflict("skill", name, "another bears its name")
            return
        decision = {"id": skill, "status": entry["status"], "why": entry["why"]}
        self._store.execute(SQL.decide_skill, {**decision, "decided_at": entry["decided_at"]})
