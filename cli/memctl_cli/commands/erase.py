"""``memctl erase``."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memctl.base.errors import UsageError
from memctl_cli.commands.options import Why, Yes
from memctl_cli.output.envelope import counted, shown
from memctl_cli.output.units import size_text
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl.upkeep.eraser import Erasure
    from memctl.upkeep.erasure_proof import Proof
    from memctl_cli.output.console import Console

_NOT_PROVEN = 1
_MOST_SHOWN = 8
_HOLDS = {True: "holds what was erased", False: "nothing of it found", None: "cannot be read"}


def erase(
    context: typer.Context,
    ids: Annotated[
        list[str] | None,
        typer.Argument(help="turn:12, episode:3, f_..., s_..., recall:7, or a component's name."),
    ] = None,
    query: Annotated[
        str | None, typer.Option("--query", help="All that holds every word of it.")
    ] = None,
    component: Annotated[
        str | None, typer.Option("--component", help="A thing on a screen, by name or id.")
    ] = None,
    state: Annotated[
        str | None, typer.Option("--state", help="A screen, and what stands on no other.")
    ] = None,
    participant: Annotated[
        str | None, typer.Option("--participant", help="What a person said or is told of.")
    ] = None,
    before: Annotated[
        str | None, typer.Option("--before", help="All from before a date.", metavar="DATE")
    ] = None,
    why: Why = "asked for",
    finish: Annotated[
        bool, typer.Option("--finish", help="Finish one that another process or the disk held up.")
    ] = False,
    yes: Yes = False,
) -> None:
    """Remove rows, what is linked with them and every byte of both, and prove it.

    It shows what would go, and asks. It cannot be undone. Exit 1: bytes are left.

    Example: memctl erase turn:12 f_3921fa271ecc
    """
    session = session_of(context)
    chosen: dict[str, Any] = {
        "query": query,
        "component": component,
        "state": state,
        "participant": participant,
        "before": before,
    }
    if finish and (ids or any(value is not None for value in chosen.values())):
        raise UsageError("--finish chooses nothing", hint="give it alone")
    with session.memory(existing=True) as memory:
        if finish:
            erased = memory.erase(finish=True)
        else:
            if not yes:
                plan = memory.erase(*(ids or ()), **chosen, dry_run=True)
                if not session.as_json:
                    session.answer(plan, lambda console: _show_plan(console, plan))
                session.confirm(f"erase {_told(plan)} for ever?", yes=yes)
            erased = memory.erase(*(ids or ()), **chosen, why=why, confirm=True)
        command = memory.store.address.command(memory.store.path) or "memctl"
    session.answer(erased, lambda console: _show(console, erased, command), count=len(erased.items))
    if erased.proof is None or not erased.proof.proven:
        raise typer.Exit(_NOT_PROVEN)


def _told(plan: Erasure) -> str:
    traces = sum(plan.rows.values()) + sum(plan.blanked.values()) - len(plan.items)
    return f"{counted(len(plan.items), 'row')} and {counted(max(traces, 0), 'trace')} of it"


def _show_plan(console: Console, plan: Erasure) -> None:
    console.print(f"would go: {_listed(plan.items)}")
    _show_counts(console, plan)


def _show(console: Console, erased: Erasure, command: str) -> None:
    if erased.items:
        console.print(f"erased: {_listed(erased.items)}")
        _show_counts(console, erased)
    if erased.proof is not None:
        _show_proof(console, erased.proof)
    if erased.others:
        console.print(f"still said by {counted(erased.others, 'other row')}:")
        console.print(f"  {_listed(erased.still_said, of=erased.others)}")
        ids = " ".join(shlex.quote(one) for one in erased.still_said)
        console.print(shown(f"  to erase them, too: {command} erase {ids}"), soft_wrap=True)
    for copy in erased.copies:
        found = _HOLDS[copy.holds]
        console.print(shown(f"copy made earlier: {copy.path} ({found})"))
    console.print("copies and exports that lie elsewhere are not known")


def _show_counts(console: Console, erased: Erasure) -> None:
    went = ", ".join(f"{count} {table}" for table, count in erased.rows.items())
    console.print(f"  rows: {went}")
    if erased.blanked:
        told = ", ".join(f"{count} {cell}" for cell, count in erased.blanked.items())
        console.print(f"  emptied: {told}")


def _show_proof(console: Console, proof: Proof) -> None:
    for file in proof.files:
        console.print(shown(f"read {file.name}: {size_text(file.bytes)}"))
    looked = f"{counted(proof.pieces, 'piece')} and {counted(proof.words, 'word')} looked for"
    if proof.proven:
        anew = "written anew; the word index holds nothing that no row says"
        console.print(f"{looked}: 0 found" if proof.pieces else anew)
        return
    if proof.unfinished:
        console.print(shown(f"rows are gone; not proven yet: {proof.unfinished}"))
    if proof.found:
        console.print(f"{looked}: {len(proof.found)} left")
        for place in proof.found[:_MOST_SHOWN]:
            console.print(shown(f"  {place}"))


def _listed(items: tuple[str, ...], *, of: int | None = None) -> str:
    more = (len(items) if of is None else of) - min(len(items), _MOST_SHOWN)
    return shown(", ".join(items[:_MOST_SHOWN]) + (f" and {more:,} more" if more else ""))
