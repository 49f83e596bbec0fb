"""``memctl skills``: how things are done, known, decided and given away."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from typer import Argument, Option

from memctl.base.errors import FileAccessError
from memctl_cli.call import Answer, Call
from memctl_cli.command import Commands
from memctl_cli.commands import skill_runs
from memctl_cli.commands.batches import carry_out
from memctl_cli.commands.options import (
    DryRun,
    Limit,
    Limited,
    SkillName,
    Text,
    Trigger,
    Verify,
    Why,
)
from memctl_cli.commands.skill_runs import checks
from memctl_cli.completed_values import offered
from memctl_cli.output.envelope import jsonable
from memctl_cli.output.records import listed, print_list, table_of
from memctl_cli.output.run_words import act_words, checks_of, plain_run, plain_skill
from memctl_cli.output.words import counted, shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.memory import Memory
    from memctl.procedural.intents import SkillMatch
    from memctl.procedural.mining import NearHabit
    from memctl.procedural.skill_records import Skill, SkillDraft, SkillRun, SkillRunStep
    from memctl.procedural.twin import Calibration
    from memctl_cli.output.console import Console

skills = Commands(help="How things are done: recorded, found in the log, foreseen, and run.")

Status = Annotated[
    Literal["draft", "active", "rejected", "archived"] | None,
    Option(help="Of that status; drafts and active ones by default."),
]


@dataclass(frozen=True)
class _StepRow:
    """A step of a skill as its table has it."""

    number: int
    acts: str
    proof: str
    state: str | None


@skills.command()
def detect(
    call: Call, keep: Annotated[bool, Option("--keep", help="Add them as drafts.")] = False
) -> Answer:
    """Find what is done again and again, tested against chance; adds nothing unless --keep.

    Example: memctl skills detect --keep
    """
    with call.memory(readonly=not keep) as memory:
        found = memory.skills.detect(keep=keep)
        near = [] if found else memory.skills.near_habits()
        floor = memory.settings.integer("skill_min_repeats")
    human = lambda console: _show_habits(console, found, near, floor)  # noqa: E731
    return Answer(found, human, extra={"near": jsonable(near)})


@skills.command()
def show(call: Call, name: SkillName) -> Answer:
    """Show a skill: its steps with their proof, its checks, origin and runs.

    Example: memctl skills show delete-an-order
    """
    with call.memory(existing=True, readonly=True) as memory:
        found, runs = memory.skills.get(name), memory.skills.runs(name, 5)
        states = _states_of(memory, found)
    data = {"skill": plain_skill(found), "runs": [plain_run(run) for run in runs]}
    return Answer(data, lambda console: _show_skill(console, found, states, runs))


@skills.command()
def trace(
    call: Call,
    number: Annotated[int, Argument(help="Number of a run.", metavar="RUN")],
    pictures: Annotated[
        Path | None, Option(help="A folder for the screens of what stopped.")
    ] = None,
) -> Answer:
    """Show how each step of a run went, with the screens before and after what stopped.

    Example: memctl skills trace 3 --pictures halted/
    """
    with call.memory(existing=True, readonly=True) as memory:
        found = memory.skills.trace(number)
    saved = _save(found, pictures, number) if pictures else []
    data = [asdict(one) for one in found]
    for one in data:
        del one["before_png"], one["after_png"]

    def show_trace(console: Console) -> None:
        print_list(console, "step: of a run", found)
        for path in saved:
            console.print(str(path), soft_wrap=True)

    return Answer(data, show_trace)


@skills.command()
def approve(
    call: Call,
    name: SkillName,
    url: Annotated[Text, Option(help="Where it is used; else where it was shown.")] = None,
) -> Answer:
    """Let a draft be used, at one site alone.

    Example: memctl skills approve delete-an-order

    Example: memctl skills approve delete-an-order --url http://localhost:8000/
    """
    from memctl.procedural.skill_checking import origin_of

    with call.memory(existing=True) as memory:
        found = memory.skills.approve(name, url=url)
    where = f", for {origin_of(found.url)}" if found.url else ""
    return Answer(found, f"{found.name} is {found.status}{where}")


@skills.command()
def reject(call: Call, name: SkillName, why: Why = "") -> Answer:
    """Let a skill not be used, nor be proposed again.

    Example: memctl skills reject delete-an-order --why "too risky"
    """
    with call.memory(existing=True) as memory:
        found = memory.skills.reject(name, why=why)
    return Answer(found, f"{found.name} is {found.status}")


@skills.command()
def archive(
    call: Call,
    names: Annotated[
        list[str],
        Argument(help="Names or ids of skills.", metavar="NAME", autocompletion=offered("skill")),
    ],
    why: Why = "",
    dry_run: DryRun = False,
) -> Answer:
    """Put skills away; approve brings one back.

    Example: memctl skills archive delete-an-order
    """
    with call.memory(existing=True) as memory:

        def act() -> list[Skill]:
            with memory.store.transaction():
                return [memory.skills.archive(name, why=why) for name in names]

        found = carry_out(call, memory, act, str, dry_run=dry_run, yes=True)
    would = "would be" if dry_run else "is"
    lines = "\n".join(f"{one.name} {would} {one.status}" for one in found)
    return Answer(found[0] if len(found) == 1 else found, lines, dry_run=dry_run)


@skills.command()
def update(
    call: Call,
    name: SkillName,
    to: Annotated[Text, Option("--name", help="A new name.")] = None,
    description: Annotated[Text, Option(help="What it does.")] = None,
    trigger: Trigger = None,
    verify: Verify = None,
) -> Answer:
    """Change what a skill is called, says, is asked for with, or is checked by.

    Example: memctl skills update delete-an-order --trigger "remove an order"

    Example: memctl skills update add-a-guest --verify "http=http://localhost:8000/ contains={who}"
    """
    with call.memory(existing=True) as memory:
        found = memory.skills.update(
            name, name=to, description=description, triggers=trigger, verify=checks(verify)
        )
        states = _states_of(memory, found)
    return Answer(found, lambda console: _show_skill(console, found, states))


@skills.command()
def match(
    call: Call, text: Annotated[str, Argument(help="What somebody asks for.")], limit: Limit = 5
) -> Answer:
    """Find the active skills that a text asks for, with the words that they share.

    Example: memctl skills match "remove Ann's order"
    """
    with call.memory(readonly=True) as memory:
        found = memory.skills.match(text, limit=limit)
    return Answer(found, lambda console: _show_matches(console, found))


@skills.command()
def export(
    call: Call,
    name: SkillName,
    folder: Annotated[Path, Argument(help="The folder that gets its folder.")],
) -> Answer:
    """Write a skill as a folder with SKILL.md and its steps as JSON.

    Example: memctl skills export delete-an-order skills/
    """
    with call.memory(existing=True, readonly=True) as memory:
        made = str(memory.skills.export(name, folder))
    return Answer({"folder": made}, made)


@skills.command("list")
def list_(call: Call, status: Status = None, limit: Limited = None) -> Answer:
    """List skills with the record of their runs, the newest first.

    Example: memctl skills list
    """
    with call.memory(readonly=True) as memory:
        found = memory.skills.list(status, limit=call.limit(limit))
    return Answer(found, listed("skill", found))


@skills.command("import")
def import_(
    call: Call, path: Annotated[Path, Argument(help="An exported folder, or its skill.json.")]
) -> Answer:
    """Add an exported skill as a draft.

    Example: memctl skills import skills/delete-an-order
    """
    with call.memory() as memory:
        found = memory.skills.read(path)
        states = _states_of(memory, found)
    return Answer(found, lambda console: _show_skill(console, found, states))


@skills.command()
def calibration(call: Call) -> Answer:
    """Compare the chances that runs were given with what happened.

    Example: memctl skills calibration
    """
    with call.memory(readonly=True) as memory:
        found = memory.skills.calibration()
    return Answer(found, lambda console: _show_calibration(console, found))


skills.add_typer(skill_runs.commands)


def _save(steps: Sequence[SkillRunStep], folder: Path, run: int) -> list[Path]:
    """Write the pictures of a run's steps into a folder, and return their paths."""
    saved = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for step in steps:
            for side, png in (("before", step.before_png), ("after", step.after_png)):
                if png:
                    path = folder / f"run-{run}-step-{step.number}-{side}.png"
                    path.write_bytes(png)
                    saved.append(path)
    except OSError as error:
        raise FileAccessError(f'"{folder}" cannot be written: {error.strerror}') from None
    return saved


def _states_of(memory: Memory, skill: Skill) -> Mapping[str, str | None]:
    """Return the names of the states that a skill's steps lead to, by their ids."""
    return memory.states.names_of(step.to_state for step in skill.steps if step.to_state)


def _show_skill(
    console: Console, skill: Skill, states: Mapping[str, str | None], runs: Sequence[SkillRun] = ()
) -> None:
    console.print(f"{skill.name} ({skill.id}), {skill.status}, {skill.origin}")
    for line in filter(None, (skill.description, skill.why)):
        console.print(shown(line))
    if skill.triggers:
        console.print(f"asked for with: {shown('; '.join(skill.triggers))}")
    if skill.parameters:
        console.print(f"parameters: {', '.join(skill.parameters)}")
    if skill.p_value is not None:
        console.print(
            f"found in {skill.support} sequences, {skill.expected:.2g} by chance"
            f" (p = {skill.p_value:.1e})"
        )
    steps = [
        _StepRow(
            step.number,
            act_words(step),
            step.effects.words(),
            states.get(step.to_state or "") or step.to_state,
        )
        for step in skill.steps
    ]
    print_list(console, "step: with its state" if any(states.values()) else "step", steps)
    for check in checks_of(skill):
        console.print(f"checked at the end: {shown(check)}")
    if runs:
        print_list(console, "run: of a skill", runs)


def _show_matches(console: Console, matchs: Sequence[SkillMatch]) -> None:
    print_list(console, "skill: asked for", matchs)
    if not matchs:
        console.print("no active skill is asked for with that")


def _show_habits(
    console: Console, found: Sequence[Skill | SkillDraft], near: Sequence[NearHabit], floor: int
) -> None:
    print_list(console, "draft", found)
    if near:
        console.print("The nearest candidates, and what each of them missed:")
        console.print(table_of("near habit", near))
    elif not found:
        console.print(
            "No two acts were done in the same order in two tasks; a habit needs"
            f" {floor} tasks.\nA session is a task, and a pause of ten minutes begins another."
        )


def _show_calibration(console: Console, found: Calibration) -> None:
    if found.brier is None or found.base is None:
        console.print("no run was predicted and ended yet: there is nothing to compare")
        return
    console.print(f"{counted(found.runs, 'run')}, {found.done} done")
    console.print(
        f"Brier score {found.brier:.3f}; of the share of runs done before {found.base:.3f}"
        " (0 is the best)"
    )
    print_list(console, "tenth", found.bins)
