"""``memctl memory``: facts, under the names of the memory tools."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from memctl.base.errors import NotFoundError, UsageError
from memctl_cli.commands.batches import carry_out, show_batch
from memctl_cli.commands.options import Agent, DryRun, Duplicates, Limited, Most, User, Yes
from memctl_cli.output.envelope import counted, print_list, shown, table
from memctl_cli.output.fact_text import (
    show_fact,
    show_facts,
    show_history,
    show_hits,
    show_page,
    show_stored,
    show_verdict,
)
from memctl_cli.output.remarks import reading_remarks
from memctl_cli.session import session_of
from memctl_cli.standard_input import read_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.semantic.records import Fact, ForgottenFacts
    from memctl_cli.output.console import Console
    from memctl_cli.session import Session

app = typer.Typer(help="Facts: store, search, get, lookup, list, update, pin, forget, restore, ...")

Id = Annotated[str, typer.Argument(help="Id of a fact: f_...", metavar="ID")]
OneId = Annotated[str | None, typer.Argument(help="Id of a fact.", metavar="ID")]
Query = Annotated[str | None, typer.Option("--query", help="A text that means one fact clearly.")]
Reach = Annotated[str, typer.Option("--scope", help="all, session or long-term.")]
Categories = Annotated[
    list[str] | None,
    typer.Option("--category", "-c", help="Only this category; may be given again."),
]
Filters = Annotated[
    str | None, typer.Option("--filters", help='JSON: {"importance": {"gte": 0.8}}.')
]


@app.command()
def store(
    context: typer.Context,
    facts: Annotated[
        list[str] | None,
        typer.Argument(help='Facts of one category; "-" reads standard input, one a line.'),
    ] = None,
    category: Annotated[
        str | None, typer.Option("--category", "-c", help="identity, rule, decision, ...")
    ] = None,
    importance: Annotated[float | None, typer.Option("--importance", help="0 to 1.")] = None,
    user_id: Annotated[
        str | None, typer.Option("--user", help="The user whom the facts belong to.")
    ] = None,
    agent_id: Annotated[
        str | None, typer.Option("--agent", help="The agent whom the facts belong to.")
    ] = None,
    metadata: Annotated[str | None, typer.Option("--metadata", help="JSON object.")] = None,
    long_term: Annotated[
        bool, typer.Option("--long-term/--session-only", help="Keep beyond the session.")
    ] = True,
    confidence: Annotated[str, typer.Option("--confidence", help="low, medium, high.")] = "medium",
    source: Annotated[
        str | None, typer.Option("--source", help="The source: a person, a file, a URL.")
    ] = None,
    valid_from: Annotated[
        str | None, typer.Option("--valid-from", help="The date that it holds from.")
    ] = None,
    expires_at: Annotated[
        str | None, typer.Option("--expires-at", help='A date, or "never".')
    ] = None,
    about: Annotated[
        str | None,
        typer.Option("--about", help="A slot of yours, as user.home: the newer fact replaces."),
    ] = None,
    replaces: Annotated[
        str | None, typer.Option("--replaces", help="The fact that it replaces.", metavar="ID")
    ] = None,
    keep_both: Annotated[
        bool, typer.Option("--keep-both", help="Let it hold beside what it may replace.")
    ] = False,
    related: Annotated[
        int, typer.Option("--related", min=0, help="Most of the nearest facts that are named.")
    ] = 3,
    yes: Yes = False,
) -> None:
    """Store facts of one category, in one call, and name the nearest facts that hold.

    Example: memctl memory store "Falcon's deadline is 1 December" -c project
    """
    session = session_of(context)
    lines = _lines(facts or [])
    if lines is facts and len(lines) > 1 and not any(" " in line for line in lines):
        # Whoever forgets the quotes would store a fact for each word.
        question = f"store {len(lines)} facts of one word each? A sentence in quotes is one fact"
        session.confirm(question, yes=yes)
    with session.memory() as memory:
        stored = memory.facts.store(
            lines,
            category=category,
            importance=importance,
            user_id=user_id,
            agent_id=agent_id,
            metadata=_json(metadata, "--metadata"),
            long_term=long_term,
            confidence=confidence,
            source=source,
            valid_from=valid_from,
            expires_at=expires_at,
            about=about,
            replaces=replaces,
            keep_both=keep_both,
            related=related,
        )
    session.answer(
        stored,
        lambda console: show_stored(console, stored, session.unnamed_store),
        command="store",
        count=len(stored.ids),
    )


@app.command()
def search(
    context: typer.Context,
    query: Annotated[str, typer.Argument(help="A question or words.")],
    limit: Most = None,
    user_id: User = None,
    agent_id: Agent = None,
    scope: Reach = "all",
    categories: Categories = None,
    filters: Filters = None,
    as_of: Annotated[
        str | None, typer.Option("--as-of", help="Only facts that held at that time.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", min=0, help="Most tokens of all texts together.")
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show how each score adds up.")
    ] = False,
) -> None:
    """Find facts by their words, the most relevant first.

    Example: memctl memory search "Falcon deadline" --as-of 2026-11-20
    """
    session = session_of(context)
    with session.memory(reading=True) as memory:  # that it was served is noted
        hits = memory.facts.search(
            query,
            limit=limit,
            user_id=user_id,
            agent_id=agent_id,
            scope=scope,  # type: ignore[arg-type]  # checked by the engine
            categories=categories or (),
            filters=_json(filters, "--filters"),
            as_of=as_of,
            max_tokens=max_tokens,
        )

    def show(console: Console) -> None:
        if hits:
            show_hits(console, hits, explain=explain)
        for line in reading_remarks(hits.corrected, hits.aliases):
            console.print(shown(line))
        if hits.note:
            console.print(shown(hits.note))
        if not query.strip():
            console.print("memctl memory list shows every fact")

    read = {"corrected": hits.corrected, "aliases": hits.aliases, "note": hits.note}
    session.answer(list(hits), show, command="search", extra={"query": read})


@app.command()
def get(context: typer.Context, memory_id: Id) -> None:
    """Show one fact with all its fields.

    Example: memctl memory get f_3921fa271ecc
    """
    session = session_of(context)
    with session.memory(reading=True) as memory:  # that it was served is noted
        fact = memory.facts.get(memory_id)
    session.answer(fact, lambda console: show_fact(console, fact), command="get")


@app.command()
def lookup(
    context: typer.Context,
    subject: Annotated[str, typer.Argument(help="The thing, such as Falcon.")],
    attribute: Annotated[
        str | None, typer.Argument(help="One property, such as deadline; all by default.")
    ] = None,
    as_of: Annotated[
        str | None, typer.Option("--as-of", help="Only facts that held at that time.")
    ] = None,
) -> None:
    """Show the current facts about one thing.

    Example: memctl memory lookup Falcon deadline
    """
    session = session_of(context)
    with session.memory(reading=True) as memory:  # that it was served is noted
        found = memory.facts.lookup(subject, attribute, as_of=as_of)
    session.answer(found, lambda console: show_facts(console, found), command="lookup")


@app.command("list")
def list_(
    context: typer.Context,
    user_id: User = None,
    agent_id: Agent = None,
    scope: Reach = "all",
    categories: Categories = None,
    filters: Filters = None,
    status: Annotated[
        str, typer.Option("--status", help="active, coming, pending, superseded, forgotten or any.")
    ] = "active",
    show_expired: Annotated[
        bool, typer.Option("--show-expired", help="Expired and archived facts too.")
    ] = False,
    duplicates: Duplicates = False,
    limit: Limited = None,
    offset: Annotated[int, typer.Option("--offset", min=0, help="Skip so many facts.")] = 0,
) -> None:
    """List every fact, the newest first.

    Example: memctl memory list --category decision --limit 20 --offset 20
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.facts.list(
            user_id=user_id,
            agent_id=agent_id,
            scope=scope,  # type: ignore[arg-type]  # checked by the engine
            categories=categories or (),
            filters=_json(filters, "--filters"),
            status=status,
            show_expired=show_expired,
            duplicates=duplicates,
            limit=session.limit(limit),
            offset=offset,
        )
    several = status == "any"
    session.answer(
        found,
        lambda console: show_page(console, found, statuses=several),
        command="list",
        extra={"next_offset": found.next_offset},
    )


@app.command()
def update(
    context: typer.Context,
    memory_id: Id,
    text: Annotated[str | None, typer.Argument(help="The whole new text.")] = None,
    category: Annotated[
        str | None,
        typer.Option(
            "--category", "-c", help="Another category, with its importance and lifetime."
        ),
    ] = None,
    importance: Annotated[float | None, typer.Option("--importance", help="0 to 1.")] = None,
    metadata: Annotated[str | None, typer.Option("--metadata", help="JSON object.")] = None,
    expires_at: Annotated[
        str | None, typer.Option("--expires-at", help='A date, or "never".')
    ] = None,
) -> None:
    """Change a fact in place; its id and history stay.

    Example: memctl memory update f_3921fa271ecc "User drinks coffee"
    """
    session = session_of(context)
    with session.memory(reading=True) as memory:
        fact = memory.facts.update(
            memory_id,
            text,
            category=category,
            importance=importance,
            metadata=_json(metadata, "--metadata"),
            expires_at=expires_at,
        )
    session.answer(fact, lambda console: show_fact(console, fact), command="update")


@app.command()
def forget(
    context: typer.Context,
    memory_id: OneId = None,
    query: Query = None,
    duplicates: Duplicates = False,
    user_id: User = None,
    agent_id: Agent = None,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> None:
    """Forget one fact, by id or by a query that means one clearly; restore undoes it.

    Or all duplicates: of facts that say the same one stays, the pinned or else the oldest.

    Example: memctl memory forget --query "red bicycle"

    Example: memctl memory forget --duplicates --dry-run
    """
    session = session_of(context)
    if duplicates and (memory_id or query):
        raise UsageError("--duplicates chooses the facts", hint="name one fact, or all duplicates")
    with session.memory(reading=True) as memory:
        gone = carry_out(
            session,
            memory,
            lambda: memory.facts.forget(
                memory_id, query=query, duplicates=duplicates, user_id=user_id, agent_id=agent_id
            ),
            lambda found: (
                f"forget {counted(len(found.forgotten), 'fact')}?" if found.forgotten else ""
            ),
            dry_run=dry_run,
            yes=yes or not duplicates,
        )
        if gone.candidates and not dry_run:
            rows = [f"{hit.fact.id}  {shown(hit.fact.text)}" for hit in gone.candidates]
            place = session.choose("Which one is meant?", rows)
            if place is not None:
                gone = memory.facts.forget(gone.candidates[place].fact.id)
    if duplicates or dry_run:
        _show_several(session, gone, dry_run=dry_run)
        return
    session.answer(
        gone, lambda console: _show_gone(console, gone), command="forget", count=len(gone.forgotten)
    )
    if not gone.forgotten:
        raise typer.Exit(NotFoundError.exit_code)


@app.command()
def erase(
    context: typer.Context,
    memory_id: OneId = None,
    query: Query = None,
    everything: Annotated[bool, typer.Option("--all", help="Every fact within the scope.")] = False,
    user_id: User = None,
    agent_id: Agent = None,
    yes: Yes = False,
) -> None:
    """Remove one fact, or all of them, from the file; this cannot be undone.

    Example: memctl memory erase f_3921fa271ecc --yes
    """
    session = session_of(context)
    if everything and (memory_id or query or agent_id):
        raise UsageError("--all goes with --user alone", hint="name one fact, or all")
    question = "erase every fact for ever?" if everything else "erase it from the file for ever?"
    session.confirm(question, yes=yes)
    with session.memory(reading=True) as memory:
        if everything:
            gone = memory.facts.erase_all(confirm=True, user_id=user_id)
        else:
            gone = memory.facts.erase(memory_id, query=query, user_id=user_id, agent_id=agent_id)
    session.answer(
        gone, lambda console: _show_gone(console, gone), command="erase", count=len(gone.forgotten)
    )


@app.command("delete-all")
def delete_all(context: typer.Context, user_id: User = None, yes: Yes = False) -> None:
    """Forget every fact of the store, or of one user; restore undoes it, one by one.

    Example: memctl memory delete-all --user ann --yes
    """
    session = session_of(context)
    session.confirm("forget every fact?", yes=yes)
    with session.memory(reading=True) as memory:
        gone = memory.facts.delete_all(confirm=True, user_id=user_id)
    session.answer(
        {"count": gone.found},
        lambda console: console.print(f"{counted(gone.found, 'fact')} forgotten"),
        command="delete-all",
        count=gone.found,
    )


@app.command()
def restore(context: typer.Context, memory_id: Id) -> None:
    """Bring a forgotten, archived or expired fact back.

    Example: memctl memory restore f_3921fa271ecc
    """
    session = session_of(context)
    with session.memory(reading=True) as memory:
        fact = memory.facts.restore(memory_id)
    session.answer(fact, lambda console: show_fact(console, fact), command="restore")


@app.command()
def slots(context: typer.Context, limit: Limited = None) -> None:
    """List the slots that callers named with --about, and the fact that holds each.

    Example: memctl memory slots
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        found = memory.facts.slots(limit=session.limit(limit))
    session.answer(found, lambda console: _show_slots(console, found), command="slots")


def _show_slots(console: Console, found: Sequence[Fact]) -> None:
    lines = [(fact.about, fact.text, fact.user_id, fact.project, fact.id) for fact in found]
    made = table("about", "fact", "user", "project", "id", whole=("about", "id"))
    print_list(console, made, [[shown(cell) for cell in line] for line in lines], "slot", of=found)


@app.command()
def pin(context: typer.Context, memory_id: Id) -> None:
    """Keep a fact from expiring or being superseded by itself.

    Example: memctl memory pin f_3921fa271ecc
    """
    session = session_of(context)
    with session.memory(reading=True) as memory:
        fact = memory.facts.pin(memory_id)
    session.answer(fact, lambda console: show_fact(console, fact), command="pin")


@app.command()
def unpin(context: typer.Context, memory_id: Id) -> None:
    """Let a pinned fact expire or be superseded again.

    Example: memctl memory unpin f_3921fa271ecc
    """
    session = session_of(context)
    with session.memory(reading=True) as memory:
        fact = memory.facts.unpin(memory_id)
    session.answer(fact, lambda console: show_fact(console, fact), command="unpin")


@app.command()
def history(context: typer.Context, memory_id: Id) -> None:
    """Show every change of one fact, oldest first.

    Example: memctl memory history f_3921fa271ecc
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        changes = memory.facts.history(memory_id)
    session.answer(changes, lambda console: show_history(console, changes), command="history")


@app.command()
def triage(
    context: typer.Context,
    text: Annotated[str, typer.Argument(help="A text that might become a fact.")],
    category: Annotated[
        str | None, typer.Option("--category", "-c", help="The category it would get.")
    ] = None,
) -> None:
    """Tell whether a text would be kept as a fact, and why; nothing is written.

    Example: memctl memory triage "thanks a lot"
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        verdict = memory.facts.triage(text, category=category)
    session.answer(verdict, lambda console: show_verdict(console, verdict), command="triage")


@app.command()
def guide(context: typer.Context) -> None:
    """Print the protocol for an agent's system prompt.

    Example: memctl memory guide
    """
    session = session_of(context)
    with session.memory(readonly=True) as memory:
        text = memory.facts.guide()
    session.answer({"guide": text}, lambda console: console.print(text), command="guide")


def _show_several(session: Session, gone: ForgottenFacts, *, dry_run: bool) -> None:
    rows = [f"{fact.id} {fact.text}" for fact in gone.forgotten]

    def show(console: Console) -> None:
        show_batch(console, rows, "fact", "forgotten", dry_run=dry_run)

    session.answer(gone, show, command="forget", count=len(rows), dry_run=dry_run)


def _show_gone(console: Console, gone: ForgottenFacts) -> None:
    verb = "erased" if gone.erased else "forgotten"
    for fact in gone.forgotten:
        console.print(f"{verb} {fact.id}: {shown(fact.text)}")
    if not gone.bytes_gone:
        console.print("not yet gone from the -wal file: another process reads it; try again")
    if not gone.forgotten:
        console.print(
            f"nothing was {verb}" + ("; which is meant? Name its id:" if gone.candidates else "")
        )
        if gone.candidates:
            show_hits(console, gone.candidates, explain=False)


def _lines(facts: list[str]) -> list[str]:
    if facts != ["-"]:
        return facts
    lines = read_text("send one fact a line to it").splitlines()
    return [line for line in lines if line.strip()]


def _json(text: str | None, what: str) -> dict[str, Any] | None:
    if text is None:
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{what} is not JSON: {error}", hint='{"field": "value"}') from error
    if not isinstance(value, dict):
        raise UsageError(f"{what} is not a JSON object", hint='{"field": "value"}')
    return value
