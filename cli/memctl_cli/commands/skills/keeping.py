"""``memctl skills list|detect|show|approve|reject|archive|update|match|export|import``."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from memctl.base.errors import FileAccessError
from memctl_cli.commands.batches import carry_out
from memctl_cli.commands.options import DryRun, Limit, Limited, Why
from memctl_cli.commands.skills.checking import Verify, checks
from memctl_cli.output.chances import chance
from memctl_cli.output.envelope import jsonable, print_list, rows, shown, table
from memctl_cli.output.run_words import act_words, checks_of, plain_run, plain_skill
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.memory import Memory
    from memctl.procedural.intents import SkillMatch
    from memctl.procedural.mining import NearHabit
    from memctl.procedural.skill_records import Skill, SkillDraft, SkillRun, SkillRunStep
    from memctl_cli.output.console import Console

Name = Annotated[str, typer.Argument(help="A skill's name or id.", metavar="NAME")]
Status = Annotated[
    Literal["draft", "active", "rejected", "archived"] | None,
    typer.Option("--status", help="Of that status; drafts and active ones by default."),
]


def register(app: typer.Typer) -> None:
    """Add the commands to a group."""
    for command in (detect, show, trace, approve, reject, archive, update, match, export):
        app.command()(command)
    app.command("list")(list_)
    app.command("import")(import_)


def list_(context: typer.Context, status: Status = None, limit: Limited = None) -> None:
    """List skills with the record of their runs, the newest first.

    Example: memctl skills list
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.skills.list(status, limit=session.limit(limit))
    session.answer(found, lambda console: _show_list(console, found), command="list")


def show(context: typer.Context, name: Name) -> None:
    """Show a skill: its steps with their proof, its checks, origin and runs.

    Example: memctl skills show delete-an-order
    """
    session = session_of(context)
    with session.memory(existing=True, readonly=True) as memory:
        found, runs = memory.skills.get(name), memory.skills.runs(name, 5)
        states = _states_of(memory, found)
    data = {"skill": plain_skill(found), "runs": [plain_run(one) for one in runs]}
    session.answer(data, lambda console: _show_skill(console, found, states, runs), command="show")


def trace(
    context: typer.Context,
    number: Annotated[int, typer.Argument(help="Number of a run.", metavar="RUN")],
    pictures: Annotated[
        Path | None, typer.Option("--pictures", help="A folder for the screens of what stopped.")
    ] = None,
) -> None:
    """Show how each step of a run went, with the screens before and after what stopped.

    Example: memctl skills trace 3 --pictures halted/
    """
    session = session_of(context)
    with session.memory(existing=True, readonly=True) as memory:
        found = memory.skills.trace(number)
    saved = _save(found, pictures, number) if pictures else []
    data = [
        {k: v for k, v in asdict(one).items() if k not in {"before_png", "after_png"}}
        for one in found
    ]

    def show_trace(console: Console) -> None:
        made = table("step", "outcome", "seconds", "looked at", "why", whole=("step",))
        cells = [(o.number, o.outcome, f"{o.seconds:.2f}", o.look, o.why) for o in found]
        print_list(console, made, cells, "step")
        for path in saved:
            console.print(str(path), soft_wrap=True)

    session.answer(data, show_trace, command="trace")


def _save(found: Sequence[SkillRunStep], folder: Path, run: int) -> list[Path]:
    """Write the pictures of a run's steps into a folder, and return their paths."""
    saved = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for one in found:
            for side, png in (("before", one.before_png), ("after", one.after_png)):
                if png:
                    path = folder / f"run-{run}-step-{one.number}-{side}.png"
                    path.write_bytes(png)
                    saved.append(path)
    except OSError as error:
        raise FileAccessError(f'"{folder}" cannot be written: {error.strerror}') from None
    return saved


def approve(
    context: typer.Context,
    name: Name,
    url: Annotated[
        str | None, typer.Option("--url", help="Where it is used; else where it was shown.")
    ] = None,
) -> None:
    """Let a draft be used, at one site alone.

    Example: memctl skills approve delete-an-order

    Example: memctl skills approve delete-an-order --url http://localhost:8000/
    """
    _decide(context, name, "approve", url=url)


def reject(context: typer.Context, name: Name, why: Why = "") -> None:
    """Let a skill not be used, nor be proposed again.

    Example: memctl skills reject delete-an-order --why "too risky"
    """
    _decide(context, name, "reject", why=why)


def archive(
    context: typer.Context,
    names: Annotated[list[str], typer.Argument(help="Names or ids of skills.", metavar="NAME")],
    why: Why = "",
    dry_run: DryRun = False,
) -> None:
    """Put skills away; approve brings one back.

    Example: memctl skills archive delete-an-order
    """
    session = session_of(context)

    with session.memory(existing=True) as memory:

        def act() -> list[Skill]:
            with memory.store.transaction():
                return [memory.skills.archive(name, why=why) for name in names]

        found = carry_out(session, memory, act, str, dry_run=dry_run, yes=True)
    would = "would be" if dry_run else "is"

    def show(console: Console) -> None:
        for one in found:
            console.print(f"{one.name} {would} {one.status}")

    session.answer(
        found[0] if len(found) == 1 else found,
        show,
        command="archive",
        dry_run=dry_run,
    )


def update(
    context: typer.Context,
    name: Name,
    to: Annotated[str | None, typer.Option("--name", help="A new name.")] = None,
    description: Annotated[str | None, typer.Option("--description", help="What it does.")] = None,
    trigger: Annotated[
        list[str] | None, typer.Option("--trigger", help="What it is asked for with; several.")
    ] = None,
    verify: Verify = None,
) -> None:
    """Change what a skill is called, says, is asked for with, or is checked by.

    Example: memctl skills update delete-an-order --trigger "remove an order"

    Example: memctl skills update add-a-guest --verify "http=http://localhost:8000/ contains={who}"
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        found = memory.skills.update(
            name, name=to, description=description, triggers=trigger, verify=checks(verify)
        )
        states = _states_of(memory, found)
    session.answer(found, lambda console: _show_skill(console, found, states), command="update")


def match(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="What somebody asks for.")],
    limit: Limit = 5,
) -> None:
    """Find the active skills that a text asks for, with the words that they share.

    Example: memctl skills match "remove Ann's order"
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.skills.match(text, limit=limit)
    session.answer(found, lambda console: _show_matches(console, found), command="match")


def export(
    context: typer.Context,
    name: Name,
    folder: Annotated[Path, typer.Argument(help="The folder that gets its folder.")],
) -> None:
    """Write a skill as a folder with SKILL.md and its steps as JSON.

    Example: memctl skills export delete-an-order skills/
    """
    session = session_of(context)
    with session.memory(existing=True, readonly=True) as memory:
        made = memory.skills.export(name, folder)
    told = {"folder": str(made)}
    session.answer(told, lambda console: console.print(f"{made}"), command="export")


def import_(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="An exported folder, or its skill.json.")],
) -> None:
    """Add an exported skill as a draft.

    Example: memctl skills import skills/delete-an-order
    """
    session = session_of(context)
    with session.memory() as memory:
        found = memory.skills.read(path)
        states = _states_of(memory, found)
    session.answer(found, lambda console: _show_skill(console, found, states), command="import")


def _decide(context: typer.Context, name: str, verb: str, **options: str | None) -> None:
    from memctl.procedural.skill_checking import origin_of

    session = session_of(context)
    with session.memory(existing=True) as memory:
        found = getattr(memory.skills, verb)(name, **options)
    told = f"{found.name} is {found.status}"
    if verb == "approve" and found.url:
        told += f", for {origin_of(found.url)}"
    session.answer(found, lambda console: console.print(told), command=verb)


def _show_list(console: Console, found: Sequence[Skill]) -> None:
    columns = ("name", "status", "steps", "runs", "done", "success")
    made = table(*columns, right=("steps", "runs", "done"), whole=columns, tight=True)
    cells = [
        (one.name, one.status, len(one.steps), one.runs, one.done, _rate(one)) for one in found
    ]
    print_list(console, made, cells, "skill", of=found)


def _rate(skill: Skill) -> str:
    tried = skill.done + skill.stopped
    return chance(skill.done, tried) if tried else "-"


def _states_of(memory: Memory, skill: Skill) -> Mapping[str, str | None]:
    """Return the names of the states that a skill's steps lead to, by their ids."""
    return memory.states.names_of(one.to_state for one in skill.steps if one.to_state)


def _show_skill(
    console: Console,
    skill: Skill,
    states: Mapping[str, str | None],
    runs: Sequence[SkillRun] = (),
) -> None:
    console.print(f"{skill.name} ({skill.id}), {skill.status}, {skill.origin}")
    for told in filter(None, (skill.description, skill.why)):
        console.print(shown(told))
    if skill.triggers:
        console.print(f"asked for with: {shown('; '.join(skill.triggers))}")
    if skill.parameters:
        console.print(f"parameters: {', '.join(skill.parameters)}")
    if skill.p_value is not None:
        console.print(
            f"found in {skill.support} sequences, {skill.expected:.2g} by chance"
            f" (p = {skill.p_value:.1e})"
        )
    named = any(states.values())
    made = table("step", "act", "proof", *(["leads to"] if named else []), whole=("step",))
    cells = [
        (one.number, act_words(one), one.effects.words())
        + ((states.get(one.to_state or "") or one.to_state,) if named else ())
        for one in skill.steps
    ]
    print_list(console, made, cells, "step")
    for check in checks_of(skill):
        console.print(f"checked at the end: {shown(check)}")
    if runs:
        done = table("run", "state", "step", "seconds", "looks", "why", whole=("run", "state"))
        rows = [(r.id, r.status, r.step, f"{r.seconds:.1f}", r.looks, r.why) for r in runs]
        print_list(console, done, rows, "run")


def _show_matches(console: Console, found: Sequence[SkillMatch]) -> None:
    made = table("skill", "score", "by", "words", whole=("skill",))
    cells = [
        (
            one.skill.name,
            f"{one.score:.2f}",
            one.trigger,
            ", ".join(f"{word} {weight:g}" for word, weight in one.terms),
        )
        for one in found
    ]
    print_list(console, made, cells, "skill")
    if not found:
        console.print("no active skill is asked for with that")


def detect(
    context: typer.Context,
    keep: Annotated[bool, typer.Option("--keep", help="Add them as drafts.")] = False,
) -> None:
    """Find what is done again and again, tested against chance; adds nothing unless --keep.

    Example: memctl skills detect --keep
    """
    session = session_of(context)
    with session.memory(readonly=not keep) as memory:
        found = memory.skills.detect(keep=keep)
        near = [] if found else memory.skills.near_habits()
        floor = memory.settings.integer("skill_min_repeats")
    session.answer(
        found,
        lambda console: _show_habits(console, found, near, floor),
        command="detect",
        extra={"near": jsonable(near)},
    )


def _show_habits(
    console: Console, found: Sequence[Skill | SkillDraft], near: Sequence[NearHabit], floor: int
) -> None:
    made = table("name", "times", "by chance", "p", "in shuffled logs", "steps", whole=("name",))
    cells = [
        (
            one.name,
            one.support,
            f"{one.expected or 0:.2g}",
            f"{one.p_value or 0:.1e}",
            f"{one.chance_rate or 0:g}",
            "; ".join(step.words for step in one.steps),
        )
        for one in found
    ]
    print_list(console, made, cells, "draft")
    if near:
        console.print("The nearest candidates, and what each of them missed:")
        right = ("tasks", "by chance", "p")
        columns = table("tasks", "by chance", "p", "acts", "missed", right=right, whole=right)
        figures = [
            (
                one.count,
                f"{one.expected:.2g}",
                f"{one.p_value:.1e}",
                "; ".join(name.replace(":", " ") for name in one.names),
                one.missed,
            )
            for one in near
        ]
        console.print(rows(columns, figures))
    elif not found:
        console.print(
            "No two acts were done in the same order in two tasks; a habit needs"
            f" {floor} tasks.\nA session is a task, and a pause of ten minutes begins another."
        )
