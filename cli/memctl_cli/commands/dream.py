"""``memctl dream``: consolidation, what it did, why, and how it is taken back."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from typer import Argument, Option

from memctl.base import clock
from memctl.base.errors import NotFoundError
from memctl.store.pages import page_of
from memctl_cli.call import Answer, Call
from memctl_cli.command import Commands
from memctl_cli.commands.options import Apply, Categories, Limit, Limited, Text, Yes
from memctl_cli.completed_values import offered
from memctl_cli.output.plain_table import wrapped
from memctl_cli.output.records import listed, print_list
from memctl_cli.output.words import counted, shown, shown_day

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memctl.consolidation.checking.verification import VerifiedFacts
    from memctl.consolidation.dream_results import (
        DecayReport,
        DreamReport,
        DreamStatus,
        Explanation,
        SublimationReport,
    )
    from memctl_cli.output.console import Console

dream = Commands(help="Consolidation: logs become episodes and facts, with a reason for each.")

Profile = Annotated[
    Text,
    Option(
        metavar="NAME",
        help="memctl, openclaw or never-forget, then numbers that differ; else the setting's.",
    ),
]
At = Annotated[str, Option(metavar="HH:MM", help="Each night at that time.")]
View = Literal["timeline", "projects", "technology", "custom"]

_COLUMNS = 80


@dream.command()
def run(
    call: Call,
    phase: Annotated[Literal["light", "rem", "deep"] | None, Option(help="That one alone.")] = None,
    apply: Apply = False,
    if_due: Annotated[bool, Option("--if-due", help="Do nothing unless a run is due.")] = False,
    again: Annotated[
        Text,
        Option(
            metavar="SESSION", help="Read its turns once more.", autocompletion=offered("session")
        ),
    ] = None,
    profile: Profile = None,
    tidy: Annotated[bool, Option("--tidy", help="Merge, rewrite and expire facts, too.")] = False,
    out: Annotated[
        Path | None, Option(metavar="DIR", help="Write the diary DREAMS.md into this folder.")
    ] = None,
) -> Answer:
    """Read what is new, and promote what deserves it; shows what it would do unless --apply.

    Example: memctl dream run --apply
    """
    from memctl.consolidation.views.palace import checked_folder, write_view

    path = None if out is None else checked_folder(out) / "DREAMS.md"
    memory = call.memory(existing=True, readonly=not apply)
    with _goes_on_later("run", apply=apply), memory:
        report = memory.dream.run(
            phase=phase, apply=apply, if_due=if_due, again=again, profile=profile, tidy=tidy
        )
        diary = memory.dream.diary() if path else ""
    if path is not None:
        write_view(path, diary)
    return Answer(report, lambda console: _show_report(console, report, path))


@dream.command()
def status(call: Call, limit: Limit = 5) -> Answer:
    """Show what waits for the next run, and what the last ones did.

    Example: memctl dream status
    """
    with call.memory(readonly=True) as memory:
        found = memory.dream.status(limit=limit)
    return Answer(found, lambda console: _show_status(console, found))


@dream.command()
def candidates(
    call: Call,
    status: Annotated[
        Literal["staged", "promoted", "dropped"], Option(help="Of that status.")
    ] = "staged",
    limit: Limited = None,
) -> Answer:
    """List the statements that wait for a promotion, what was said last first.

    Example: memctl dream candidates --status dropped
    """
    with call.memory(readonly=True) as memory:
        found = memory.dream.candidates(status=status, limit=call.limit(limit))
    return Answer(found, listed("candidate", found))


@dream.command()
def explain(
    call: Call,
    what: Annotated[
        str, Argument(metavar="ID|TEXT", help="Number of a candidate, a fact's id, or words.")
    ],
    profile: Profile = None,
) -> Answer:
    """Show why a statement was promoted or not, and what it lacks.

    Example: memctl dream explain "the launch is on Friday"
    """
    with call.memory(existing=True, readonly=True) as memory:
        found = memory.dream.explain(what, profile=profile)
    return Answer(found, lambda console: _show_explanation(console, found))


@dream.command()
def promote(
    call: Call, candidate: Annotated[int, Argument(help="Number of a candidate.", metavar="ID")]
) -> Answer:
    """Promote one candidate, whatever its score.

    Example: memctl dream promote 12
    """
    with call.memory(existing=True) as memory:
        report = memory.dream.promote(candidate)
    return Answer(report, lambda console: _show_report(console, report))


@dream.command()
def rollback(
    call: Call,
    number: Annotated[int, Argument(help="Number of a run.", metavar="RUN")],
    yes: Yes = False,
) -> Answer:
    """Take back what a run concluded; what somebody has changed since stays, and is named.

    Example: memctl dream rollback 3 --yes
    """
    with call.memory(existing=True) as memory:
        chosen = memory.dream.to_roll_back(number)
        call.confirm(f"take back run {', '.join(map(str, chosen))}?", yes=yes)
        done = memory.dream.rollback(number)

    def show(console: Console) -> None:
        _say(console, f"taken back: run {', '.join(map(str, done.runs))}")
        if done.left:
            _say(console, f"left as they are: {', '.join(done.left)}")

    return Answer(done, show)


@dream.command()
def verify(
    call: Call,
    paths: Annotated[
        Path | None, Option(help="Look up the files that facts name below it.")
    ] = None,
    out: Annotated[
        Path | None, Option(metavar="DIR", help="Write the report verify/DATE.md below it.")
    ] = None,
) -> Answer:
    """Check the facts that hold, and suggest what to do; changes nothing.

    Example: memctl dream verify --paths ~/project
    """
    from memctl.consolidation.views.palace import checked_folder, write_view

    folder = None if out is None else checked_folder(out)
    path = None
    with call.memory(existing=True, readonly=True) as memory:
        found = memory.dream.verify(paths=paths)
        if folder is not None:
            path = folder / "verify" / f"{memory.store.zone.day(clock.now())}.md"
            write_view(path, memory.dream.verification_report(paths=paths))
    return Answer(found, lambda console: _show_verified(console, found, path))


@dream.command()
def install(call: Call, at: At = "03:00") -> Answer:
    """Print what lets a dream run each night: a line for cron, and a timer for systemd.

    Example: memctl dream install --at 03:00
    """
    from memctl_cli.dream_schedule import schedule_of

    made = schedule_of(call.address, call.home_folder, at)

    def show(console: Console) -> None:
        for title, text in (
            ("crontab -e takes this line:", made.cron),
            (f"or ~/.config/systemd/user/{made.unit}.service:", made.service),
            (f"and ~/.config/systemd/user/{made.unit}.timer:", made.timer),
            ("then:", "\n".join(made.install)),
        ):
            console.print(title)
            console.print(shown(text), soft_wrap=True)
            console.print("")

    return Answer(made, show)


@dream.command()
def uninstall(call: Call) -> Answer:
    """Print the commands that take the nightly dream away again.

    Example: memctl dream uninstall
    """
    from memctl_cli.dream_schedule import schedule_of

    lines = schedule_of(call.address, call.home_folder, "03:00").uninstall
    return Answer({"uninstall": lines}, "\n".join(lines))


@dream.command()
def decay(call: Call, apply: Apply = False, limit: Limit = 20) -> Answer:
    """Archive what nobody used for as long as its kind lasts, and old turns; shows it first.

    Example: memctl dream decay --apply
    """
    memory = call.memory(existing=True, readonly=not apply)
    with _goes_on_later("decay", apply=apply), memory:
        report = memory.dream.decay(apply=apply)
    return Answer(report, lambda console: _show_decay(console, report, limit))


@dream.command()
def sublimate(call: Call, apply: Apply = False) -> Answer:
    """Make entries of three or more related facts, each line cited; shows them first.

    Example: memctl dream sublimate --apply
    """
    memory = call.memory(existing=True, readonly=not apply)
    with _goes_on_later("sublimate", apply=apply), memory:
        report = memory.dream.sublimate(apply=apply)
    return Answer(report, lambda console: _show_sublimation(console, report))


@dream.command()
def knowledge(
    call: Call,
    number: Annotated[
        int | None, Argument(metavar="ID", help="One entry, whole; all by default.")
    ] = None,
    limit: Limited = None,
) -> Answer:
    """List the entries of knowledge, the newest first, or print one.

    Example: memctl dream knowledge
    """
    with call.memory(existing=True, readonly=True) as memory:
        entries = [one for one in memory.dream.knowledge if number in {None, one.id}]
    found = page_of(entries, call.limit(limit))
    if number is None:
        return Answer(found, listed("entry", found))
    if not found:
        raise NotFoundError(
            f"there is no entry {number}", hint="memctl dream knowledge lists the entries"
        )
    return Answer(found, found[0].body)


@dream.command("tidy")
def propose_tidying(call: Call, limit: Limited = None) -> Answer:
    """List facts to purge, merge, rewrite or let go, each with its reason; changes nothing.

    Example: memctl dream tidy
    """
    with call.memory(existing=True, readonly=True) as memory:
        found = page_of(memory.dream.tidy(), call.limit(limit))
    return Answer(found, listed("proposal", found))


@dream.command()
def palace(
    call: Call,
    view: Annotated[View | None, Argument(help="One view; else those of the folder.")] = None,
    out: Annotated[
        Path | None, Option(metavar="DIR", help="Write the views into this folder.")
    ] = None,
    category: Categories = None,
) -> Answer:
    """Print a view of the memory, or write all of them into a folder.

    A custom view is of the categories that are given.

    Example: memctl dream palace projects
    """
    from memctl.consolidation.views.palace import write_view

    chosen = [view] if view else ["timeline", *(["projects", "technology"] if out else [])]
    with call.memory(existing=True, readonly=True) as memory:
        made = {one: memory.dream.palace(one, categories=category or ()) for one in chosen}
    paths = {} if out is None else {one: str(out.expanduser() / f"{one}.md") for one in made}
    for one, path in paths.items():
        write_view(Path(path), made[one])
    return Answer({"views": made, "files": paths}, "\n".join(paths.values() or made.values()))


@contextmanager
def _goes_on_later(command: str, *, apply: bool) -> Iterator[None]:
    """Name on standard error, where a run that writes is interrupted, the command that goes on."""
    try:
        yield
    except KeyboardInterrupt:
        if apply:
            line = f'stopped; the next "memctl dream {command} --apply" goes on from here'
            print(f"memctl: {line}", file=sys.stderr)  # noqa: T201  (this is the CLI)
        raise


def _say(console: Console, text: str) -> None:
    """Print a text in lines of at most 80 columns, broken between words."""
    width = min(console.width, _COLUMNS)
    console.print(wrapped(shown(text), width, whole=True), soft_wrap=True)


def _show_report(console: Console, report: DreamReport, path: Path | None = None) -> None:
    if report.run is not None:
        _say(console, f"run {report.run}, {report.diary}")
    elif report.why:
        _say(console, report.why)
    else:
        _say(console, "nothing was written (--apply does)")
        _say(console, report.diary)
    phases = report.phases
    if read := phases.get("read"):
        kinds = ("turn", "episode", "statement", "signal")
        counts = ", ".join(counted(read.get(f"{kind}s", 0), kind) for kind in kinds)
        left = f"left out {read.get('excluded', 0)}, failed {read.get('failed', 0)}"
        _say(console, f"read: {counts}; {left}")
    if "light" in phases:
        light = phases["light"]
        _say(console, f"light: {light['staged']} staged, {light['merged']} merged")
    if names := phases.get("rem", {}).get("truths"):
        _say(console, f"rem: lasting: {'; '.join(names)}")
    if "deep" in phases:
        _show_deep(console, phases["deep"])
    if tidied := phases.get("tidy"):
        counts = ", ".join(f"{name} {count}" for name, count in tidied.items() if name != "changes")
        _say(console, f"tidied: {counts}")
        if tidied.get("changes"):
            print_list(console, "change: by tidying", tidied["changes"])
    if path is not None:
        console.print(shown(str(path)), soft_wrap=True)


def _show_deep(console: Console, deep: Mapping[str, Any]) -> None:
    ranked = f" of {deep['ranked']} ranked" if "ranked" in deep else ""
    waiting = deep.get("waiting")
    more = f", {waiting} more wait for the next run (limit)" if waiting else ""
    _say(console, f"deep: {deep['promoted']} promoted{ranked}{more}")
    if deep.get("promotions"):
        print_list(console, "promotion", deep["promotions"])
    if stopped := deep.get("stopped"):
        gates = ", ".join(f"{name} {count}" for name, count in stopped.items())
        _say(console, f"stopped by: {gates}")
    if deep.get("nearest"):
        print_list(console, "candidate: nearest", deep["nearest"])


def _show_status(console: Console, found: DreamStatus) -> None:
    _say(console, f"{'due' if found.due else 'not due'}: {found.why}")
    counts = ", ".join(f"{count} {name}" for name, count in found.candidates.items()) or "none"
    _say(console, f"candidates: {counts}")
    turns, recalls = counted(found.unread_turns, "turn"), counted(found.unread_recalls, "recall")
    _say(console, f"not read: {turns}, {recalls}")
    for failure in found.failures:
        _say(
            console, f"failed: {failure['session']}, again {failure['next_at']}: {failure['error']}"
        )
    print_list(console, "run", found.runs)


def _show_explanation(console: Console, explanation: Explanation) -> None:
    if not explanation.exact:
        _say(console, "no candidate says that; the nearest one:")
    _say(console, f"candidate {explanation.candidate}, {explanation.status}: {explanation.text}")
    if explanation.why:
        _say(console, f"why: {explanation.why}")
    if explanation.fact:
        _say(console, f"fact: {explanation.fact}")
    _say(console, f"score: {explanation.score:.3f} ({explanation.profile})")
    parts = ", ".join(f"{name} {value:.2g}" for name, value in explanation.parts.items() if value)
    if parts:
        _say(console, f"  {parts}")
    print_list(console, "gate", explanation.gates)
    if explanation.nearest:
        _say(
            console,
            f"{'lacks' if explanation.stopped_by else 'nearest gate'}: {explanation.nearest}",
        )
    for source in explanation.sources:
        _say(
            console,
            f"turn {source.turn}, {shown_day(source.said_at, source.utc_offset)}: {source.text}",
        )


def _show_verified(console: Console, facts: VerifiedFacts, path: Path | None) -> None:
    for finding in facts.findings:
        what = shown(f"{finding.fact_id} {finding.kind}: {finding.what}")
        console.print(wrapped(what, console.width, hang="    "))
        for command in finding.suggestion.splitlines():
            console.print(f"  {shown(command)}", soft_wrap=True)
    console.print(counted(len(facts.findings), "finding"))
    if facts.turns:
        print_list(console, "later turn", facts.turns)
    consistency = f", consistency {facts.consistency:g} of 10" if facts.checked else ""
    console.print(f"{counted(facts.checked, 'fact')} checked{consistency}: {shown(facts.verdict)}")
    if path is not None:
        console.print(shown(str(path)), soft_wrap=True)


def _show_decay(console: Console, report: DecayReport, limit: int) -> None:
    print_list(console, "row that fades", page_of(report.fading, limit))
    rows = counted(len(report.fading), "row")
    if report.applied:
        undo = "memory restore and turns restore bring them back"
        console.print(f"run {report.run}: archived {rows}; {undo}")
    elif report.fading:
        console.print(f"{rows} would be archived (--apply does)")


def _show_sublimation(console: Console, report: SublimationReport) -> None:
    print_list(console, "entry: proposed", report.proposed)
    if report.applied:
        console.print(f"run {report.run}: memctl dream knowledge shows them")
    elif report.proposed:
        console.print(f"{counted(len(report.proposed), 'proposal')} (--apply writes the entries)")
