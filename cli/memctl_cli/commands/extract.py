"""``memctl extract``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from memctl.base.errors import UsageError
from memctl_cli.output.envelope import counted, print_list, shown, table
from memctl_cli.session import session_of
from memctl_cli.standard_input import read_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.extraction.extracted import Extracted
    from memctl.memory import Memory
    from memctl_cli.output.console import Console

_CUT = 80  # characters of a skipped passage


def extract(
    context: typer.Context,
    text: Annotated[
        str | None, typer.Argument(help='What was said; "-" reads it from standard input.')
    ] = None,
    from_log: Annotated[
        bool,
        typer.Option("--from-log", help="Read the last 200 turns of the log, or of --session."),
    ] = False,
    thread: Annotated[
        str | None, typer.Option("--thread", help="Only this thread of the log.")
    ] = None,
    said_at: Annotated[
        str | None,
        typer.Option("--said-at", help='When it was said: "tomorrow" is counted from it.'),
    ] = None,
    speaker: Annotated[
        str | None, typer.Option("--speaker", help='The name that "I" becomes, instead of User.')
    ] = None,
    store: Annotated[
        bool, typer.Option("--store", help="Store the facts; without it nothing is written.")
    ] = False,
    endpoint: Annotated[
        bool, typer.Option("--endpoint", help="Ask the language model that the settings name.")
    ] = False,
    template: Annotated[
        bool, typer.Option("--template", help="Print the prompt for a language model, and leave.")
    ] = False,
) -> None:
    """Find the facts that are worth keeping in a text or in the log: at most ten.

    Example: memctl extract "I prefer tea. We meet Ana tomorrow." --said-at 2026-11-23
    """
    session = session_of(context)
    if template:
        from memctl.extraction.proposed_facts import prompt

        told = prompt()
        session.answer({"prompt": told}, lambda console: console.print(told, soft_wrap=True))
        return
    given = [text is not None, from_log or thread is not None]
    if sum(given) != 1:
        raise UsageError("extract reads one text, or the log", hint='give TEXT, "-" or --from-log')
    said = read_text("send what was said to it") if text == "-" else text
    with session.memory(readonly=not store) as memory:
        found = memory.extract(
            said,
            said_at=said_at,
            speaker=speaker,
            thread=None if said is not None else thread or session.session,
            store=store,
            ask=_model(memory) if endpoint else None,
        )
    session.answer(found, lambda console: _show(console, found), count=len(found.facts))


def _model(memory: Memory) -> Callable[[str, str], Any]:
    """Return what asks the language model of the settings."""
    from memctl.endpoint.endpoint import Endpoint

    return Endpoint(memory.store, memory.settings).json


def _show(console: Console, found: Extracted) -> None:
    made = table(
        *("tag", "fact", "category", "sure", "source"), whole=("tag", "category"), tight=True
    )
    cells = [
        (one.tag, one.text, one.category, f"{one.confidence:.2f}", one.source.name)
        for one in found.facts
    ]
    print_list(console, made, cells, "fact", note="" if found.written else "nothing was stored")
    for one in found.written:
        console.print(shown(f"{one.event} {one.id or '-'} {one.text:.{_CUT}}{_because(one.why)}"))
    if found.skipped:
        skipped = table("skipped", "why", tight=True)
        left = [(one.text[:_CUT], one.why) for one in found.skipped]
        print_list(console, skipped, left, "passage skipped", "passages skipped")
    if found.facts and not found.written:
        console.print(f"store {counted(len(found.facts), 'fact')}: memctl extract ... --store")


def _because(why: str) -> str:
    return f" ({why})" if why else ""
