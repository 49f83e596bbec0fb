"""``memctl classify``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from memctl.base.errors import UsageError
from memctl_cli.output.envelope import counted, print_list, rows, shown, table
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from memctl.semantic.deciding.classifying import Classification
    from memctl_cli.output.console import Console


def classify(
    context: typer.Context,
    summary: Annotated[
        bool, typer.Option("--summary", help="Only how many facts have which tag.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what --apply would do; the default.")
    ] = False,
    apply: Annotated[
        bool, typer.Option("--apply", help="Give the facts their categories; history keeps it.")
    ] = False,
    min_confidence: Annotated[
        float, typer.Option("--min-confidence", help="0 to 1; below it a fact stays as it is.")
    ] = 0.3,
) -> None:
    """Find a category for the facts that have none, by their words.

    Example: memctl classify --dry-run
    """
    if summary + dry_run + apply > 1:
        raise UsageError(
            "--summary, --dry-run and --apply exclude each other", hint="give one of them"
        )
    session = session_of(context)
    with session.memory(readonly=not apply) as memory:
        made = memory.facts.classify(apply=apply, min_confidence=min_confidence)
    facts = [] if summary else list(made.facts)
    session.answer(
        facts,
        lambda console: _show(console, made, summary=summary, applied=apply),
        count=len(facts),
        extra={"counts": dict(made.counts)},
    )


def _show(console: Console, made: Classification, *, summary: bool, applied: bool) -> None:
    if summary:
        counts = table("tag", "facts", right=("facts",), whole=("tag",))
        console.print(rows(counts, [(tag, str(count)) for tag, count in made.counts.items()]))
        return
    columns = ("id", "fact", "tag", "category", "sure", "words")
    what = table(*columns, right=("sure",), whole=("id", "tag", "category"), tight=True)
    cells = [
        (one.id, one.text, one.tag, one.category, f"{one.confidence:.2f}", _why(one.why, one.words))
        for one in made.facts
    ]
    print_list(console, what, cells, "fact without a category", "facts without a category")
    ready = sum(one.category is not None for one in made.facts)
    if ready:
        said = "have one now" if applied else "would get one: memctl classify --apply"
        console.print(shown(f"{counted(ready, 'fact')} {said}"))


def _why(why: str, words: tuple[str, ...]) -> str:
    return f"not sure: {why}" if why else ", ".join(words)
