"""``memctl skills run|next|resume|drop|record|draft|repair|feedback``: skills as they are done."""

from __future__ import annotations

import json
import re
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer
from typer import Argument, Option

from memctl.base.errors import FileAccessError, MemctlError, UnusableInputError, UsageError
from memctl_cli.call import Answer, Call
from memctl_cli.command import Commands
from memctl_cli.commands.batches import carry_out
from memctl_cli.commands.options import (
    Dark,
    DryRun,
    Params,
    Profile,
    Scale,
    SkillName,
    Text,
    Texts,
    Trigger,
    Verify,
    Viewport,
    Yes,
)
from memctl_cli.commands.screens import browser_options
from memctl_cli.output.records import print_list
from memctl_cli.output.run_words import act_words, checks_of, plain_run, plain_skill, verdict
from memctl_cli.output.words import counted, percent, shown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.drivers.demonstration import Demonstration
    from memctl.memory import Memory
    from memctl.procedural.next_act import NextAct
    from memctl.procedural.skill_records import (
        Skill,
        SkillRun,
        SkillRunStep,
        SkillStep,
        WatchedStep,
    )
    from memctl.procedural.twin import Twin
    from memctl_cli.output.console import Console

commands = Commands()

Url = Annotated[Text, Option(help="Where the app is; else the skill's own.")]
Run = Annotated[int, Argument(help="Number of a run.", metavar="RUN")]
KilledRun = Annotated[int, Argument(help="Number of a killed run.", metavar="RUN")]
Tools = Annotated[
    str,
    Option(
        metavar="COMMAND",
        help="Does the steps of tools: gets the tool's name, and its input as JSON.",
    ),
]
NewName = Annotated[str, Argument(help="What the skill is to be called.")]

_NOT_DONE = 3
_LISTEN = 0.5  # seconds between two looks at whether it is over
# What the first word of a check is called in it, and what begins the others.
_FIRST = {"http": "url", "sql": "file", "command": "command"}
_PARTS = re.compile(r"\s+(?=(?:contains|lacks|query|equals)=)")
_FORMS = '"reload", "none", "http=URL contains=TEXT" or JSON'


@commands.command()
def record(
    call: Call,
    name: NewName,
    url: Annotated[str, Option(help="The page to begin at.")],
    param: Params = None,
    output: Annotated[
        Texts, Option(metavar="KEY=COMPONENT", help="A text to read at the end.")
    ] = None,
    trigger: Trigger = None,
    description: Annotated[str, Option(help="What it does.")] = "",
    verify: Verify = None,
    seconds: Annotated[float, Option(min=1, max=86_400, help="The longest it may take.")] = 600.0,
    headless: Annotated[
        bool, Option("--headless", help="Show no window: for what acts by itself.")
    ] = False,
    viewport: Viewport = None,
    scale: Scale = None,
    dark: Dark = False,
    profile: Profile = None,
) -> Answer:
    """Watch what you do in a browser until Enter, or its page is closed; adds a draft.

    A value given as --param is sought in what is typed, on what is pressed,
    in all text of its row or card, and in the URL; each step says where it
    stands. One that stands nowhere is refused.

    Example: memctl skills record delete-an-order --url http://localhost:8000/ --param who="Ann Berg"

    Example: memctl skills record pay --url http://localhost:8000/ --verify reload
    """
    call.look_at(url)
    options = browser_options(url, viewport, scale, dark, profile)
    from memctl.drivers.demonstration import Demonstration

    with call.memory() as memory:
        with memory.browser(**options, headless=headless) as driver:
            driver.goto(url)
            with Demonstration(driver) as seen:
                typer.echo("watching; press Enter here when it is done", err=True)
                _watch(seen, seconds)
        skill = memory.skills.record(
            name,
            seen.acts,
            url=url,
            description=description,
            triggers=trigger or (),
            parameters=_values_of(param),
            outputs=_values_of(output),
            verify=checks(verify) or (),
        )
    return Answer(plain_skill(skill), lambda console: _show_draft(console, skill))


@commands.command()
def draft(
    call: Call,
    name: NewName,
    last: Annotated[
        bool, Option("--last", help="Of the acts that were done last; the one way there is.")
    ] = False,
    whose: Annotated[
        Text, Option("--session", help="Of that session; else of whoever did them.")
    ] = None,
    acts: Annotated[int, Option(min=1, max=200, help="At most so many acts.")] = 20,
) -> Answer:
    """Make a draft of the acts that an agent did last, by the log of transitions.

    A pause of ten minutes ends a task: acts before it are left out.

    Example: memctl --app shop skills draft book-a-table --last --acts 4
    """
    if not last:
        raise UsageError("a draft of what?", hint="--last: of the acts that were done last")
    with call.memory(existing=True) as memory:
        skill = memory.skills.draft_last(name, acts=acts, session=whose)
    return Answer(plain_skill(skill), lambda console: _show_draft(console, skill))


@commands.command()
def run(
    call: Call,
    name: SkillName,
    url: Url = None,
    param: Params = None,
    dry_run: Annotated[bool, Option("--dry-run", help="Foresee the run; nothing is done.")] = False,
    png: Annotated[
        Path | None, Option(help="Draw the run to this file: each step's screen, and the act.")
    ] = None,
    tools: Tools = "",
    viewport: Viewport = None,
    scale: Scale = None,
    dark: Dark = False,
    profile: Profile = None,
) -> Answer:
    """Run a skill in a browser, or by tools, step by step, each proven before the next.

    Exit 0 is "done": each change that was seen when it was shown came again.
    Exit 3 is one of three. "failed": the app refused it, or nothing changed;
    "uncertain": nobody can tell, look before you do it again; "halted": the
    next step was not done. No act is done again by itself.

    Example: memctl skills run delete-an-order --dry-run --param who="Ann Berg"

    Example: memctl skills run send-email --tools ./tools.sh --param to=ann@example.com

    Example: memctl skills run delete-an-order --param who="Ann Berg" --png run.png
    """
    call.look_at(url or "")
    values = _values_of(param)
    if dry_run:
        with call.memory(existing=True, readonly=True) as memory:
            twin = memory.skills.foresee(name, values)
        return Answer(twin, lambda console: _show_twin(console, twin))
    with call.memory(existing=True) as memory:
        skill = memory.skills.get(name)
        where = url or skill.url
        by_tools = all(step.tool for step in skill.steps)
        if by_tools or skill.status != "active":  # of what is not approved nothing is opened
            return _ended(memory.skills.run(name, None, values, url=where, tools=tools, tell=_tell))
        if where is None:
            raise UsageError(f'"{skill.name}" names no page', hint="give --url")
        options = browser_options(where, viewport, scale, dark, profile)
        with memory.browser(**options) as driver:
            seen: list[WatchedStep] = []
            watch = None if png is None else seen.append
            ended = memory.skills.run(
                name, driver, values, url=where, opens=True, tools=tools, tell=_tell, watch=watch
            )
            if png is not None:
                _draw_run(png, skill.name, ended, seen, driver)
    return _ended(ended)


@commands.command()
def resume(
    call: Call,
    number: KilledRun,
    url: Annotated[str, Option(help="Where the app is now.")],
    param: Params = None,
    tools: Tools = "",
    profile: Profile = None,
) -> Answer:
    """Go on with a run that was killed, behind its last step.

    Example: memctl skills resume 3 --url http://localhost:8000/
    """
    from memctl.procedural.skill_checking import refuse_address

    refuse_address(url, None)
    call.look_at(url)
    options = browser_options(url, None, None, dark=False, profile=profile)
    with call.memory(existing=True) as memory, memory.browser(**options) as driver:
        return _ended(
            memory.skills.resume(
                number, driver, _values_of(param), url=url, opens=True, tools=tools, tell=_tell
            )
        )


@commands.command()
def drop(call: Call, number: KilledRun) -> Answer:
    """Give up a run that was killed.

    Example: memctl skills drop 3
    """
    with call.memory(existing=True) as memory:
        ended = memory.skills.drop(number)
    return Answer(plain_run(ended), f"run {ended.id}: given up after step {ended.step}")


@commands.command("next")
def next_(
    call: Call,
    name: SkillName,
    image: Annotated[
        Text, Argument(help="A screenshot, a URL or screen; none for a tool's step.")
    ] = None,
    after: Annotated[int, Option(min=0, help="The step that was done last.")] = 0,
    boxes: Annotated[Text, Option(help="JSON with boxes.")] = None,
    param: Params = None,
) -> Answer:
    """Say what to do now, for a host that acts with its own hands; exit 3 where it must halt.

    Example: memctl skills next delete-an-order now.png --after 1 --param who="Ann Berg" --json
    """
    call.look_at(image or "")
    with call.memory(existing=True, readonly=True) as memory:
        found = memory.skills.next(name, image, _values_of(param), boxes=boxes, after=after)
    return Answer(found, _next_words(found), exit_code=_NOT_DONE if found.halt else 0)


@commands.command()
def repair(
    call: Call,
    number: Run,
    png: Annotated[
        Path | None, Option(help="Draw to this file where it halted, and ring the new place.")
    ] = None,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> Answer:
    """Take over what a halted run found in place of what it looked for.

    A run proposes it where a label or a place has changed, and one thing alone
    fits all else that is known. Old and new are shown, and you are asked.

    Example: memctl skills repair 3 --png proposed.png
    """
    from memctl.scenes.targets import Target

    with call.memory(existing=True) as memory:
        step = _proposing(memory, number)
        proposal: Any = step.proposal
        old, new = (Target.read(proposal[key]).words() for key in ("old", "new"))
        if png is not None:
            _draw_proposal(png, step)
        mended = carry_out(
            call,
            memory,
            lambda: memory.skills.repair(number),
            lambda skill: (
                f'is step {step.number} of {skill.name} "{new}" from now on, instead of "{old}"?'
            ),
            dry_run=dry_run,
            yes=yes,
        )
    would = " would be" if dry_run else ""
    lines = f"{mended.name}, step {step.number}{would}:\n  old: {old}\n  new: {new}"
    data = {"skill": mended.name, "step": step.number, "old": old, "new": new}
    return Answer(data, lines, dry_run=dry_run)


@commands.command()
def feedback(
    call: Call,
    number: Run,
    verdict: Annotated[Literal["right", "wrong"], Argument(help="right or wrong.")],
) -> Answer:
    """Say whether a run did right; a wrong one lowers its skill's chance.

    Example: memctl skills feedback 3 wrong
    """
    with call.memory(existing=True) as memory:
        judged = memory.skills.feedback(number, verdict)
        skill = memory.skills.get(judged.skill_id)
    runs = f"{skill.done} of {skill.done + skill.stopped} runs done"
    return Answer(plain_run(judged), f"run {judged.id} was {verdict}; {skill.name}: {runs}")


def checks(given: Sequence[str] | None) -> list[Mapping[str, Any] | str] | None:
    """Return the checks of ``--verify`` as Python takes them; ``None`` where none is given.

    Raises
    ------
    UsageError
        When one cannot be read.
    """
    return None if given is None else [_check(one.strip()) for one in given]


def _check(text: str) -> Mapping[str, Any] | str:
    if text.startswith("{"):
        try:
            return dict(json.loads(text))
        except ValueError as error:
            raise UsageError(f"a check is no JSON: {error}", hint=_FORMS) from None
    kind, equals, rest = text.partition("=")
    if not equals:
        return text
    if kind not in _FIRST:
        raise UsageError(f'there is no check "{kind:.40}"', hint=_FORMS)
    first, *others = _PARTS.split(rest)
    check = {"kind": kind, _FIRST[kind]: first}
    for other in others:
        key, _, value = other.partition("=")
        check |= {"contains": value, "not": "true"} if key == "lacks" else {key: value}
    return check


def _values_of(given: list[str] | None) -> dict[str, str]:
    """Return the values of ``KEY=VALUE`` words."""
    values = {}
    for word in given or []:
        key, equals, value = word.partition("=")
        if not equals or not key.strip():
            raise UsageError(f'"{word:.40}" is no KEY=VALUE', hint='such as --param who="Ann Berg"')
        values[key.strip()] = value
    return values


def _watch(seen: Demonstration, seconds: float) -> None:
    """Watch until somebody presses Enter, the page is closed, or the time is over."""
    ended = threading.Event()

    def listen() -> None:
        if sys.stdin is not None and sys.stdin.readline():
            ended.set()

    threading.Thread(target=listen, daemon=True).start()
    until = time.monotonic() + seconds
    printed = 0
    while not ended.is_set() and time.monotonic() < until:
        try:
            seen.wait(_LISTEN)
        except UnusableInputError:  # the page was closed: what was done before is kept
            return
        for act in seen.acts[printed:]:
            typer.echo(f"  {act.kind} {act.label or act.field or act.text}".rstrip(), err=True)
        printed = len(seen.acts)


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


def _draw_proposal(png: Path, step: SkillRunStep) -> None:
    """Write the screen where a step halted, the new place ringed."""
    from memctl_cli.drawing.sheets import ringed

    proposal: Any = step.proposal
    if step.after_png is None:
        typer.echo("no picture was kept of where it halted", err=True)
        return
    try:
        png.write_bytes(ringed(step.after_png, proposal.get("at")))
    except OSError as error:
        raise FileAccessError(f'"{png}" cannot be written: {error.strerror}') from None
    typer.echo(f"drawn to {png}", err=True)


def _draw_run(
    png: Path, name: str, ended: SkillRun, seen: list[WatchedStep], driver: BrowserDriver
) -> None:
    from memctl_cli.drawing.sheets import draw_run

    last = b""
    with suppress(MemctlError):  # the page may be gone
        last = driver.look().png
    png.write_bytes(draw_run(name, ended, seen, last))


def _tell(line: str) -> None:
    typer.echo(line, err=True)


def _ended(run: SkillRun) -> Answer:
    how, _, means = verdict(run).partition(": ")
    lines = [f"run {run.id}: {how}, {run.seconds:.1f} s, {run.looks} full looks"]
    lines += [line for line in (means, run.why) if line]
    lines += [f"{name}: {shown(value)}" for name, value in run.outputs.items()]
    code = 0 if run.status == "done" else _NOT_DONE
    return Answer(plain_run(run), "\n".join(lines), exit_code=code)


def _show_twin(console: Console, twin: Twin) -> None:
    print_list(console, "step: foreseen", twin.steps)
    console.print(
        f"the whole run: {percent(twin.probability)}, about {twin.seconds:.1f} s;"
        f" the weakest step is {twin.weakest}"
    )
    if twin.halts:
        console.print(f"it would halt: {shown(twin.halts)}")


def _next_words(act: NextAct) -> str:
    if act.halt:
        return f"halt: {act.halt}"
    if act.done:
        return "done: there is no further step"
    place = "" if act.x is None else f" at {act.x}, {act.y}"
    return f"{act.step}. {act.words}{place}"


def _show_draft(console: Console, skill: Skill) -> None:
    console.print(f"{skill.name}: {counted(len(skill.steps), 'step')}, {skill.status}")
    for step in skill.steps:
        console.print(f"  {step.number}. {shown(act_words(step))}")
        if proof := step.effects.words():
            console.print(f"     proof: {shown(proof)}")
    for step in skill.steps:
        for text in _followed(step):
            console.print(shown(f'step {step.number} always follows "{text}":'))
            console.print(shown(f'  record it with --param NAME="{text}" where that varies'))
    for check in checks_of(skill):
        console.print(f"checked at the end: {shown(check)}")
    if skill.status == "draft":
        console.print(f"memctl skills approve {skill.name} lets it be used")


def _followed(step: SkillStep) -> list[str]:
    """Return the texts of its row that a step follows, whatever its parameters are."""
    from memctl.scenes.wording import names_in_braces

    anchors = () if step.place is None else step.place.anchors
    rows = [anchor.text for anchor in anchors if anchor.how in {"row", "band"}]
    return [] if any(map(names_in_braces, rows)) else rows
