"""``memctl alias``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl_cli.commands.options import Limited
from memctl_cli.output.envelope import counted, print_list, shown_day, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.text.aliases import Alias, Entity
    from memctl_cli.output.console import Console

app = typer.Typer(help="Aliases, words that mean the same: add, list, remove.")

Word = Annotated[str, typer.Argument(help="A word or a short phrase.")]


@app.command()
def add(context: typer.Context, term: Word, synonym: Word) -> None:
    """Let two words find each other, both ways.

    Example: memctl alias add NYC "New York"
    """
    session = session_of(context)
    with session.memory() as memory:
        added = memory.aliases.add(term, synonym)
    session.answer(
        added,
        lambda console: console.print(f"{added.term} and {added.synonym} mean the same"),
        command="add",
    )


@app.command("list")
def list_(
    context: typer.Context,
    limit: Limited = None,
    *,
    entities: Annotated[
        bool, typer.Option("--entities", help="People and things, each with all of its names.")
    ] = False,
) -> None:
    """List the aliases, what was added last first; or who and what has several names.

    Example: memctl alias list --entities
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        if entities:
            known = memory.aliases.entities(limit=session.limit(limit))
            return session.answer(known, lambda on: _show_entities(on, known), command="list")
        found = memory.aliases.list(limit=session.limit(limit))
    return session.answer(found, lambda console: _show(console, found), command="list")


@app.command()
def remove(
    context: typer.Context,
    term: Word,
    synonym: Annotated[
        str | None, typer.Argument(help="The other word; without it, all aliases of the first.")
    ] = None,
) -> None:
    """Remove one alias of a word, or all of them.

    Example: memctl alias remove NYC
    """
    session = session_of(context)
    with session.memory(existing=True) as memory:
        removed = memory.aliases.remove(term, synonym)
    session.answer(
        {"removed": removed},
        lambda console: console.print(f"{counted(removed, 'alias', 'aliases')} removed"),
        command="remove",
    )


def _show_entities(console: Console, found: Sequence[Entity]) -> None:
    cells = [(", ".join(one.names), one.kind) for one in found]
    made = table("names", "kind", whole=("kind",))
    print_list(console, made, cells, "entity", "entities", of=found)


def _show(console: Console, found: Sequence[Alias]) -> None:
    made = table("word", "means the same as", "since", whole=("word", "means the same as", "since"))
    cells = [(a.term, a.synonym, shown_day(a.added_at)) for a in found]
    print_list(console, made, cells, "alias", "aliases", of=found)
