"""``memctl dream run|status|candidates|explain|promote|rollback``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from memctl_cli.commands.dream.stopping import goes_on_later
from memctl_cli.commands.options import Limit, Limited, Yes
from memctl_cli.output.envelope import counted, print_list, shown, shown_day, table
from memctl_cli.output.plain_table import wrapped
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.consolidation.dream_results import DreamReport, DreamStatus, Explanation
    from memctl_cli.output.console import Console

Profile = Annotated[
    str | None,
    typer.Option(
        "--profile",
        metavar="NAME",
        help="memctl, openclaw or never-forget, then numbers that differ; else the setting's.",
    ),
]
Out = Annotated[
    Path | None,
    typer.Option("--out", metavar="DIR", help="Write the diary DREAMS.md into this folder."),
]
Apply = Annotated[bool, typer.Option("--apply", help="Write; without it, only show.")]

_COLUMNS = 80


def register(app: typer.Typer) -> None:
    """Add the commands to a group."""
    for command in (run, status, candidates, explain, promote, rollback):
        app.command()(command)


def run(
    context: typer.Context,
    phase: Annotated[
        Literal["light", "rem", "deep"] | None, typer.Option("--phase", help="That one alone.")
    ] = None,
    apply: Apply = False,
    if_due: Annotated[
        bool, typer.Option("--if-due", help="Do nothing unless a run is due.")
    ] = False,
    again: Annotated[
        str | None, typer.Option("--again", metavar="SESSION", help="Read its turns once more.")
    ] = None,
    profile: Profile = None,
    tidy: Annotated[
        bool, typer.Option("--tidy", help="Merge, rewrite and expire facts, too.")
    ] = False,
    out: Out = None,
) -> None:
    """Read what is new, and promote what deserves it; shows what it would do unless --apply.

    Example: memctl dream run --apply
    """
    from memctl.consolidation.views.palace import checked_folder, write_view

    session = session_of(context)
    path = None if out is None else checked_folder(out) / "DREAMS.md"
    memory = session.memory(existing=True, readonly=not apply)
    with goes_on_later("run", apply=apply), memory:
        report = memory.dream.run(
            phase=phase, apply=apply, if_due=if_due, again=again, profile=profile, tidy=tidy
        )
        diary = memory.dream.diary() if path else ""
    if path is not None:
        write_view(path, diary)

    def show(console: Console) -> None:
        _show_report(console, report)
        if path is not None:
            console.print(shown(str(path)), soft_wrap=True)

    session.answer(report, show, command="run")


def status(context: typer.Context, limit: Limit = 5) -> None:
    """Show what waits for the next run, and what the last ones did.

    Example: memctl dream status
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.dream.status(limit=limit)
    session.answer(found, lambda console: _show_status(console, found), command="status")


def candidates(
    context: typer.Context,
    status: Annotated[
        Literal["staged", "promoted", "dropped"], typer.Option("--status", help="Of that status.")
    ] = "staged",
    limit: Limited = None,
) -> None:
    """List the statements that wait for a promotion, what was said last first.

    Example: memctl dream candidates --status dropped
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.dream.candidates(status=status, limit=session.limit(limit))

    def show(console: Console) -> None:
        made = table("id", "said last", "score", "why", "statement", whole=("id", "said last"))
        cells = [
            (one.id, shown_day(one.last_said_at), one.score, one.stopped_by or one.why, one.text)
            for one in found
        ]
        print_list(console, made, cells, "candidate", of=found)

    session.answer(found, show, command="candidates")


def explain(
    context: typer.Context,
    what: Annotated[
        str, typer.Argument(metavar="ID|TEXT", help="Number of a candidate, a fact's id, or words.")
    ],
    profile: Profile = None,
) -> None:
    """Show why a statement was promoted or not, and what it lacks.

    Example: memctl dream explain "the launch is on Friday"
    """
    session = session_of(context)
    with session.memory(existing=True, readonly=True) as memory:
        found = memory.dream.explain(what, profile=profile)
    session.answer(found, lambda console: _show_explanation(console, found), command="explain")


def promote(
    context: typer.Context,
    candidate: Annotated[int, typer.Argument(help="Number of a candidate.", metavar="ID")],
) -> None:
    """Promote one candidate, whatever its score.

    Example: memctl dream promote 12
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        report = memory.dream.promote(candidate)
    session.answer(report, lambda console: _show_report(console, report), command="promote")


def rollback(
    context: typer.Context,
    number: Annotated[int, typer.Argument(help="Number of a run.", metavar="RUN")],
    yes: Yes = False,
) -> None:
    """Take back what a run concluded; what somebody has changed since stays, and is named.

    Example: memctl dream rollback 3 --yes
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        chosen = memory.dream.to_roll_back(number)
        session.confirm(f"take back run {', '.join(map(str, chosen))}?", yes=yes)
        done = memory.dream.rollback(number)

    def show(console: Console) -> None:
        _say(console, f"taken back: run {', '.join(map(str, done.runs))}")
        if done.left:
            _say(console, f"left as they are: {', '.join(done.left)}")

    session.answer(done, show, command="rollback")


def _say(console: Console, text: str) -> None:
    """Print a text in lines of at most 80 columns, broken between words."""
    console.print(wrapped(text, min(console.width, _COLUMNS), whole=True), soft_wrap=True)


def _show_report(console: Console, report: DreamReport) -> None:
    if report.run is not None:
        _say(console, f"run {report.run}, {shown(report.diary)}")
    elif report.why:
        _say(console, shown(report.why))
    else:
        _say(console, "nothing was written (--apply does)")
        _say(console, shown(report.diary))
    read = report.phases.get("read")
    if read:
        kinds = ("turn", "episode", "statement", "signal")
        told = ", ".join(counted(read.get(f"{kind}s", 0), kind) for kind in kinds)
        left = f"left out {read.get('excluded', 0)}, failed {read.get('failed', 0)}"
        _say(console, f"read: {told}; {left}")
    if "light" in report.phases:
        light = report.phases["light"]
        _say(console, f"light: {light['staged']} staged, {light['merged']} merged")
    if "rem" in report.phases:
        _show_names(console, "rem: lasting", report.phases["rem"].get("truths", []))
    if "deep" in report.phases:
        _show_deep(console, report.phases["deep"])
    if report.phases.get("tidy"):
        _show_tidied(console, report.phases["tidy"])


def _show_names(console: Console, title: str, names: list[str]) -> None:
    if names:
        _say(console, f"{title}: {shown('; '.join(names))}")


def _show_deep(console: Console, deep: Mapping[str, object]) -> None:
    told = f"deep: {deep['promoted']} promoted"
    if "ranked" in deep:
        told += f" of {deep['ranked']} ranked"
    if deep.get("waiting"):
        told += f", {deep['waiting']} more wait for the next run (limit)"
    _say(console, told)
    _show_promotions(console, deep.get("promotions"))
    stopped = deep.get("stopped")
    if isinstance(stopped, dict) and stopped:
        gates = ", ".join(f"{name} {count}" for name, count in stopped.items())
        _say(console, f"stopped by: {shown(gates)}")
    nearest = deep.get("nearest")
    if isinstance(nearest, list) and nearest:
        made = table("nearest", "score", "stopped by", "is", "wanted", "statement")
        cells = [
            (one["candidate"], one["score"], one["gate"], one["value"], one["wanted"], one["text"])
            for one in nearest
        ]
        print_list(console, made, cells, "candidate")


def _show_tidied(console: Console, tidied: Mapping[str, object]) -> None:
    counts = ", ".join(f"{name} {count}" for name, count in tidied.items() if name != "changes")
    _say(console, f"tidied: {counts}")
    changes = tidied.get("changes")
    if isinstance(changes, list) and changes:
        rows = table("what", "fact", "why", "text", whole=("what", "fact"))
        cells = [(one["phase"], one["fact"], one["why"], one["text"]) for one in changes]
        print_list(console, rows, cells, "change")


def _show_promotions(console: Console, made: object) -> None:
    if not isinstance(made, list) or not made:
        return
    rows = table("candidate", "became", "statement", whole=("candidate",))
    cells = [(one["candidate"], _became(one), one["text"]) for one in made]
    print_list(console, rows, cells, "promotion")


def _became(one: Mapping[str, str]) -> str:
    """Return in words what became of a candidate."""
    if one["why"]:
        return f"dropped: {one['why']}"
    told = {
        "PENDING": "waits for a person, against {other}",
        "SUPERSEDE": "replaces {other}",
        "SKIP": "known already",
    }
    fact = f"{one['fact']} " if one["fact"] else ""
    return fact + told.get(one["event"], "a fact").format(other=one["other"])


def _show_status(console: Console, found: DreamStatus) -> None:
    _say(console, f"{'due' if found.due else 'not due'}: {shown(found.why)}")
    counts = ", ".join(f"{count} {name}" for name, count in found.candidates.items()) or "none"
    _say(console, f"candidates: {counts}")
    _say(
        console,
        f"not read: {counted(found.unread_turns, 'turn')},"
        f" {counted(found.unread_recalls, 'recall')}",
    )
    for failure in found.failures:
        _say(
            console,
            f"failed: {shown(failure['session'])}, again {failure['next_at']}:"
            f" {shown(failure['error'])}",
        )
    made = table("run", "what", "as of", "state", "diary", whole=("as of", "state"))
    cells = [(one.id, one.kind, one.as_of, one.status, one.diary) for one in found.runs]
    print_list(console, made, cells, "run")


def _show_explanation(console: Console, found: Explanation) -> None:
    if not found.exact:
        _say(console, "no candidate says that; the nearest one:")
    _say(console, f"candidate {found.candidate}, {found.status}: {shown(found.text)}")
    if found.why:
        _say(console, f"why: {shown(found.why)}")
    if found.fact:
        _say(console, f"fact: {found.fact}")
    _say(console, f"score: {found.score:.3f} ({found.profile})")
    parts = ", ".join(f"{name} {value:.2g}" for name, value in found.parts.items() if value)
    if parts:
        _say(console, f"  {parts}")
    made = table("gate", "is", "wanted", "passed")
    cells = [(g.name, g.value, g.wanted, "yes" if g.passed else "no") for g in found.gates]
    print_list(console, made, cells, "gate")
    if found.nearest:
        title = "lacks" if found.stopped_by else "nearest gate"
        _say(console, f"{title}: {shown(found.nearest)}")
    for one in found.sources:
        _say(
            console, f"turn {one.turn}, {shown_day(one.said_at, one.utc_offset)}: {shown(one.text)}"
        )
