"""The pages of skills and their runs: what a skill does, who decided on it, and how it went."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.errors import NotFoundError
from memctl.scenes.targets import Target
from memctl_cli.output.run_words import act_words, checks_of, verdict
from memctl_cli.ui.view import ROWS, Route, Undo, View, version_of

if TYPE_CHECKING:
    from starlette.responses import Response

    from memctl.procedural.skill_records import Skill, SkillRun

_PICTURES = 6_000_000  # bytes of all pictures of a page; those beyond are left out
_LARGEST = (640, 480)  # of a screen where a run stopped
_STATUSES = ("draft", "active", "rejected", "archived")
# What a skill can be told: the word for what was done, and the status that it has then.
_ACTS = {
    "approve": ("Approved", "active"),
    "reject": ("Rejected", "rejected"),
    "archive": ("Put away", "archived"),
}


def skills(view: View) -> Response:
    """Show the skills, the newest first."""
    status = view.asked("status")
    page = view.memory.skills.list(status or None, limit=ROWS)
    return view.page(
        "skills.html", skills=page, left=page.left, chosen=status, statuses=_STATUSES,
        version=_version,
    )  # fmt: skip


def skill(view: View) -> Response:
    """Show one skill: its steps with their pictures, its checks, and its runs."""
    from memctl.reports.page.pictures import Pictures, component_looks

    memory, pictures = view.memory, Pictures(_PICTURES)
    shown = memory.skills.get(view.part("id"))
    steps = []
    for step in shown.steps:
        looks = (
            component_looks(memory.store, step.component_id, pictures, changed=False)
            if step.component_id
            else ()
        )
        steps.append((step, act_words(step), looks))
    ends = {end for step in shown.steps for end in (step.from_state, step.to_state) if end}
    return view.page(
        "skill.html",
        skill=shown,
        version=_version,
        steps=steps,
        names=memory.states.names_of(ends),
        checks=checks_of(shown),
        runs=memory.skills.runs(shown.id, limit=ROWS),
        verdict=verdict,
    )


def act(view: View) -> Response:
    """Approve a skill, reject it, or put it away."""
    collection, name = view.memory.skills, view.part("act")
    if name not in _ACTS:
        raise NotFoundError(f'a skill has no "{name:.40}"')
    before = collection.get(view.part("id"))
    with view.unchanged(lambda: _version(collection.get(before.id))):
        after = getattr(collection, name)(before.id)
    back = next((act for act, (_, status) in _ACTS.items() if status == before.status), None)
    undo = None
    if back and back != name:
        undo = Undo(view.path("skills", after.id, back), {"version": _version(after)})
    return view.done(f"{_ACTS[name][0]}: {after.name}", view.path("skills", after.id), undo)


def run(view: View) -> Response:
    """Show one run: each step, what proves it, and the screen where it stopped."""
    from memctl.reports.page.pictures import Pictures

    pictures = Pictures(_PICTURES)
    shown, chosen = _run(view)
    words = {step.number: act_words(step) for step in shown.steps}
    steps = [
        (step, words.get(step.number, ""), [pictures.crop(png, _LARGEST) for png in pngs if png])
        for step in view.memory.skills.trace(chosen.id)
        for pngs in [(step.before_png, step.after_png)]
    ]
    return view.page(
        "run.html",
        skill=shown,
        run=chosen,
        steps=steps,
        verdict=verdict(chosen),
        target=Target.read,
        repairable=any(step.proposal for step, _, _ in steps),
    )


def judge(view: View) -> Response:
    """Say that a run was right or wrong, or let the skill have what the run proposes."""
    shown, judged = _run(view)
    name = view.part("act")
    if name == "repair":
        text = f"Repaired: {view.memory.skills.repair(judged.id).name}"
    else:
        view.memory.skills.feedback(judged.id, name)
        text = f"Run {judged.id} was {name}"
    return view.done(text, view.path("skills", shown.id, "runs", judged.id))


def _run(view: View) -> tuple[Skill, SkillRun]:
    """Return the skill and the run of it that a path names."""
    skill, number = view.memory.skills.get(view.part("id")), view.number("run")
    for known in view.memory.skills.runs(skill.id, limit=-1):
        if known.id == number:
            return skill, known
    raise NotFoundError(f'"{skill.name}" has no run {number}', hint="choose one of its runs")


def _version(skill: Skill) -> str:
    return version_of(skill, "name", "status", "why", "decided_at", "steps")


PAGES = (
    Route("skills", skills),
    Route("skills/{id}", skill),
    Route("skills/{id}/runs/{run}", run),
    Route("skills/{id}/runs/{run}/{act}", run, judge),
    Route("skills/{id}/{act}", skill, act),
)
