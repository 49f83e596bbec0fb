"""``memctl skills repair|feedback``: what a person says after a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from memctl.base.errors import FileAccessError, UsageError
from memctl.scenes.targets import Target
from memctl_cli.commands.batches import carry_out
from memctl_cli.commands.options import DryRun, Yes
from memctl_cli.output.envelope import shown
from memctl_cli.output.run_words import plain_run
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.procedural.skill_records import SkillRunStep
    from memctl_cli.output.console import Console

Run = Annotated[int, typer.Argument(help="Number of a run.", metavar="RUN")]


def register(app: typer.Typer) -> None:
    """Add the commands to a group."""
    app.command()(repair)
    app.command()(feedback)


def repair(
    context: typer.Context,
    number: Run,
    png: Annotated[
        Path | None,
        typer.Option("--png", help="Draw to this file where it halted, and ring the new place."),
    ] = None,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """Take over what a halted run found in place of what it looked for.

    A run proposes it where a label or a place has changed, and one thing alone
    fits all else that is known. Old and new are shown, and you are asked.

    Example: memctl skills repair 3 --png proposed.png
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        step = _proposing(memory, number)
        old, new = (Target.read(step.proposal[key]).words() for key in ("old", "new"))  # type: ignore[index]
        picture = _draw(png, step) if png is not None else False
        if picture:
            typer.echo(f"drawn to {png}", err=True)
        mended = carry_out(
            session,
            memory,
            lambda: memory.skills.repair(number),
            lambda skill: (
                f'is step {step.number} of {skill.name} "{new}" from now on, instead of "{old}"?'
            ),
            dry_run=dry_run,
            yes=yes,
        )
    data = {"skill": mended.name, "step": step.number, "old": old, "new": new}

    def show(console: Console) -> None:
        console.print(f"{mended.name}, step {step.number}{' would be' if dry_run else ''}:")
        console.print(f"  old: {shown(old)}")
        console.print(f"  new: {shown(new)}")

    session.answer(data, show, command="repair", dry_run=dry_run)


def feedback(
    context: typer.Context,
    number: Run,
    verdict: Annotated[Literal["right", "wrong"], typer.Argument(help="right or wrong.")],
) -> None:
    """Say whether a run did right; a wrong one lowers its skill's chance.

    Example: memctl skills feedback 3 wrong
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        run = memory.skills.feedback(number, verdict)
        skill = memory.skills.get(run.skill_id)
    told = (
        f"run {run.id} was {verdict}; {skill.name}: {skill.done} of {skill.done + skill.stopped}"
        " runs done"
    )
    session.answer(plain_run(run), lambda console: console.print(told), command="feedback")


def _proposing(memory: Memory, run: int) -> SkillRunStep:
    """Return the step of a run that proposes something.

    Raises
    ------
    UsageError
        When none does.
    """
    step = next((one for one in memory.skills.trace(run) if one.proposal), None)
    if step is None:
        raise UsageError(
            f"run {run} proposes nothing", hint="only a run that found one other thing does"
        )
    return step


def _draw(png: Path, step: SkillRunStep) -> bool:
    """Write the screen where a step halted, the new place ringed; return whether there is one."""
    from memctl_cli.drawing.strip import ringed

    told: Any = step.proposal
    if step.after_png is None:
        typer.echo("no picture was kept of where it halted", err=True)
        return False
    try:
        png.write_bytes(ringed(step.after_png, told.get("at")))
    except OSError as error:
        raise FileAccessError(f'"{png}" cannot be written: {error.strerror}') from None
    return True
