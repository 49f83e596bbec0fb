"""``memctl memory``: facts, under the names of the memory tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from memctl.base.errors import NotFoundError, UsageError
from memctl_cli.call import Answer, Call, read_input
from memctl_cli.command import Commands
from memctl_cli.commands.batches import batch_shown, carry_out
from memctl_cli.commands.options import (
    Agent,
    Categories,
    Category,
    Confidence,
    DryRun,
    Duplicates,
    Explain,
    Limited,
    Most,
    Source,
    Text,
    Texts,
    User,
    Yes,
)
from memctl_cli.output.envelope import json_object
from memctl_cli.output.records import Column, listed, table, table_of
from memctl_cli.output.words import counted, reading_remarks, shown

if TYPE_CHECKING:
    from memctl.semantic.records import Fact, ForgottenFacts, Hits, Stored
    from memctl_cli.output.console import Console

memory = Commands(help="Facts: store, search, get, lookup, list, update, pin, forget, restore, ...")

Id = Annotated[str, Argument(help="Id of a fact: f_...", metavar="ID")]
OneId = Annotated[Text, Argument(help="Id of a fact.", metavar="ID")]
Query = Annotated[Text, Option("--query", help="A text that means one fact clearly.")]
Reach = Annotated[str, Option("--scope", help="all, session or long-term.")]
Filters = Annotated[Text, Option(help='JSON: {"importance": {"gte": 0.8}}.')]
Importance = Annotated[float | None, Option(help="0 to 1.")]
Metadata = Annotated[Text, Option(help="JSON object.")]
ExpiresAt = Annotated[Text, Option(help='A date, or "never".')]
AsOf = Annotated[Text, Option(help="Only facts that held at that time.")]

_CUT = 200  # characters of a fact that an answer repeats


def _add_act(verb: str, summary: str) -> None:
    def act(call: Call, memory_id: Id) -> Answer:
        with call.memory(reading=True) as opened:  # that it was served is noted
            return _one(getattr(opened.facts, verb)(memory_id))

    act.__doc__ = f"{summary}\n\n    Example: memctl memory {verb} f_3921fa271ecc\n"
    memory.command(verb)(act)


@memory.command()
def store(
    call: Call,
    facts: Annotated[
        Texts, Argument(help='Facts of one category; "-" reads standard input, one a line.')
    ] = None,
    category: Category = None,
    importance: Importance = None,
    user_id: Annotated[Text, Option("--user", help="The user whom the facts belong to.")] = None,
    agent_id: Annotated[Text, Option("--agent", help="The agent whom the facts belong to.")] = None,
    metadata: Metadata = None,
    long_term: Annotated[
        bool, Option("--long-term/--session-only", help="Keep beyond the session.")
    ] = True,
    confidence: Confidence = "medium",
    source: Source = None,
    valid_from: Annotated[Text, Option(help="The date that it holds from.")] = None,
    expires_at: ExpiresAt = None,
    about: Annotated[
        Text, Option(help="A slot of yours, as user.home: the newer fact replaces.")
    ] = None,
    replaces: Annotated[Text, Option(help="The fact that it replaces.", metavar="ID")] = None,
    keep_both: Annotated[
        bool, Option("--keep-both", help="Let it hold beside what it may replace.")
    ] = False,
    related: Annotated[int, Option(min=0, help="Most of the nearest facts that are named.")] = 3,
    yes: Yes = False,
) -> Answer:
    """Store facts of one category, in one call, and name the nearest facts that hold.

    Example: memctl memory store "Falcon's deadline is 1 December" -c project
    """
    lines = facts or []
    if lines == ["-"]:
        lines = [
            line for line in read_input("send one fact a line to it").splitlines() if line.strip()
        ]
    elif len(lines) > 1 and not any(" " in line for line in lines):
        # Whoever forgets the quotes would store a fact for each word.
        question = f"store {len(lines)} facts of one word each? A sentence in quotes is one fact"
        call.confirm(question, yes=yes)
    with call.memory() as opened:
        stored = opened.facts.store(
            lines,
            category=category,
            importance=importance,
            user_id=user_id,
            agent_id=agent_id,
            metadata=json_object(metadata, "--metadata"),
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
    name = "" if call.named else call.address
    return Answer(stored, lambda console: _show_stored(console, stored, name), len(stored.ids))


@memory.command()
def search(
    call: Call,
    query: Annotated[str, Argument(help="A question or words.")],
    limit: Most = None,
    user_id: User = None,
    agent_id: Agent = None,
    scope: Reach = "all",
    categories: Categories = None,
    filters: Filters = None,
    as_of: AsOf = None,
    max_tokens: Annotated[
        int | None, Option(min=0, help="Most tokens of all texts together.")
    ] = None,
    explain: Explain = False,
) -> Answer:
    """Find facts by their words, the most relevant first.

    Example: memctl memory search "Falcon deadline" --as-of 2026-11-20
    """
    with call.memory(reading=True) as opened:  # that it was served is noted
        hits = opened.facts.search(
            query,
            limit=limit,
            user_id=user_id,
            agent_id=agent_id,
            scope=scope,  # type: ignore[arg-type]  # checked by the engine
            categories=categories or (),
            filters=json_object(filters, "--filters"),
            as_of=as_of,
            max_tokens=max_tokens,
        )
    read = {"corrected": hits.corrected, "aliases": hits.aliases, "note": hits.note}
    human = lambda console: _show_hits(console, query, hits, explain=explain)  # noqa: E731
    return Answer(list(hits), human, extra={"query": read})


_add_act("get", "Show one fact with all its fields.")


@memory.command()
def lookup(
    call: Call,
    subject: Annotated[str, Argument(help="The thing, such as Falcon.")],
    attribute: Annotated[
        Text, Argument(help="One property, such as deadline; all by default.")
    ] = None,
    as_of: AsOf = None,
) -> Answer:
    """Show the current facts about one thing.

    Example: memctl memory lookup Falcon deadline
    """
    with call.memory(reading=True) as opened:  # that it was served is noted
        found = opened.facts.lookup(subject, attribute, as_of=as_of)
    return Answer(found, listed("fact", found))


@memory.command("list")
def list_(
    call: Call,
    user_id: User = None,
    agent_id: Agent = None,
    scope: Reach = "all",
    categories: Categories = None,
    filters: Filters = None,
    status: Annotated[
        str, Option(help="active, coming, pending, superseded, forgotten or any.")
    ] = "active",
    show_expired: Annotated[
        bool, Option("--show-expired", help="Expired and archived facts too.")
    ] = False,
    duplicates: Duplicates = False,
    limit: Limited = None,
    offset: Annotated[int, Option(min=0, help="Skip so many facts.")] = 0,
) -> Answer:
    """List every fact, the newest first.

    Example: memctl memory list --category decision --limit 20 --offset 20
    """
    with call.memory(readonly=True) as opened:
        found = opened.facts.list(
            user_id=user_id,
            agent_id=agent_id,
            scope=scope,  # type: ignore[arg-type]  # checked by the engine
            categories=categories or (),
            filters=json_object(filters, "--filters"),
            status=status,
            show_expired=show_expired,
            duplicates=duplicates,
            limit=call.limit(limit),
            offset=offset,
        )
    # In 80 columns there is room for importance or status.
    kind = "fact: with its status" if status == "any" else "fact"
    return Answer(found, listed(kind, found), extra={"next_offset": found.next_offset})


@memory.command()
def update(
    call: Call,
    memory_id: Id,
    text: Annotated[Text, Argument(help="The whole new text.")] = None,
    category: Category = None,
    importance: Importance = None,
    metadata: Metadata = None,
    expires_at: ExpiresAt = None,
) -> Answer:
    """Change a fact in place; its id and history stay.

    Another category brings its importance and lifetime.

    Example: memctl memory update f_3921fa271ecc "User drinks coffee"
    """
    with call.memory(reading=True) as opened:
        fact = opened.facts.update(
            memory_id,
            text,
            category=category,
            importance=importance,
            metadata=json_object(metadata, "--metadata"),
            expires_at=expires_at,
        )
    return _one(fact)


@memory.command()
def forget(
    call: Call,
    memory_id: OneId = None,
    query: Query = None,
    duplicates: Duplicates = False,
    user_id: User = None,
    agent_id: Agent = None,
    dry_run: DryRun = False,
    yes: Yes = False,
) -> Answer:
    """Forget one fact, by id or by a query that means one clearly; restore undoes it.

    Or all duplicates: of facts that say the same one stays, the pinned or else the oldest.

    Example: memctl memory forget --query "red bicycle"

    Example: memctl memory forget --duplicates --dry-run
    """
    if duplicates and (memory_id or query):
        raise UsageError("--duplicates chooses the facts", hint="name one fact, or all duplicates")
    with call.memory(reading=True) as opened:
        gone = carry_out(
            call,
            opened,
            lambda: opened.facts.forget(
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
            place = call.choose("Which one is meant?", rows)
            if place is not None:
                gone = opened.facts.forget(gone.candidates[place].fact.id)
    if not (duplicates or dry_run):
        return _gone(gone, code=0 if gone.forgotten else NotFoundError.exit_code)
    rows = [f"{fact.id} {fact.text}" for fact in gone.forgotten]
    human = batch_shown(rows, "fact", "forgotten", dry_run=dry_run)
    return Answer(gone, human, len(rows), dry_run=dry_run)


@memory.command()
def erase(
    call: Call,
    memory_id: OneId = None,
    query: Query = None,
    everything: Annotated[bool, Option("--all", help="Every fact within the scope.")] = False,
    user_id: User = None,
    agent_id: Agent = None,
    yes: Yes = False,
) -> Answer:
    """Remove one fact, or all of them, from the file; this cannot be undone.

    Example: memctl memory erase f_3921fa271ecc --yes
    """
    if everything and (memory_id or query or agent_id):
        raise UsageError("--all goes with --user alone", hint="name one fact, or all")
    question = "erase every fact for ever?" if everything else "erase it from the file for ever?"
    call.confirm(question, yes=yes)
    with call.memory(reading=True) as opened:
        if everything:
            return _gone(opened.facts.erase_all(confirm=True, user_id=user_id))
        return _gone(opened.facts.erase(memory_id, query=query, user_id=user_id, agent_id=agent_id))


@memory.command("delete-all")
def delete_all(call: Call, user_id: User = None, yes: Yes = False) -> Answer:
    """Forget every fact of the store, or of one user; restore undoes it, one by one.

    Example: memctl memory delete-all --user ann --yes
    """
    call.confirm("forget every fact?", yes=yes)
    with call.memory(reading=True) as opened:
        gone = opened.facts.delete_all(confirm=True, user_id=user_id)
    return Answer({"count": gone.found}, f"{counted(gone.found, 'fact')} forgotten", gone.found)


_add_act("restore", "Bring a forgotten, archived or expired fact back.")


@memory.command()
def slots(call: Call, limit: Limited = None) -> Answer:
    """List the slots that callers named with --about, and the fact that holds each.

    Example: memctl memory slots
    """
    with call.memory(readonly=True) as opened:
        found = opened.facts.slots(limit=call.limit(limit))
    return Answer(found, listed("slot", found))


_add_act("pin", "Keep a fact from expiring or being superseded by itself.")
_add_act("unpin", "Let a pinned fact expire or be superseded again.")


@memory.command()
def history(call: Call, memory_id: Id) -> Answer:
    """Show every change of one fact, oldest first.

    Example: memctl memory history f_3921fa271ecc
    """
    with call.memory(readonly=True) as opened:
        changes = opened.facts.history(memory_id)
    return Answer(changes, lambda console: console.print(table_of("change", changes)))


@memory.command()
def triage(
    call: Call,
    text: Annotated[str, Argument(help="A text that might become a fact.")],
    category: Category = None,
) -> Answer:
    """Tell whether a text would be kept as a fact, and why; nothing is written.

    Example: memctl memory triage "thanks a lot"
    """
    with call.memory(readonly=True) as opened:
        verdict = opened.facts.triage(text, category=category)
    return Answer(verdict, lambda console: console.print(table_of("gate of a fact", verdict.gates)))


@memory.command()
def guide(call: Call) -> Answer:
    """Print the protocol for an agent's system prompt.

    Example: memctl memory guide
    """
    with call.memory(readonly=True) as opened:
        text = opened.facts.guide()
    return Answer({"guide": text}, lambda console: console.print(text))


def _one(fact: Fact) -> Answer:
    cells = [(name, getattr(fact, name)) for name in fact.__dataclass_fields__]
    known = [cell for cell in cells if cell[1] not in (None, "", {})]
    columns = (Column("what", kind="name"), Column("value"))
    return Answer(fact, lambda console: console.print(table(columns, known)))


def _gone(gone: ForgottenFacts, code: int = 0) -> Answer:
    return Answer(gone, lambda on: _show_gone(on, gone), len(gone.forgotten), exit_code=code)


def _show_gone(console: Console, gone: ForgottenFacts) -> None:
    verb = "erased" if gone.erased else "forgotten"
    for fact in gone.forgotten:
        console.print(f"{verb} {fact.id}: {shown(fact.text)}")
    if not gone.bytes_gone:
        console.print("not yet gone from the -wal file: another process reads it; try again")
    if not gone.forgotten:
        which = "; which is meant? Name its id:" if gone.candidates else ""
        console.print(f"nothing was {verb}{which}")
        if gone.candidates:
            console.print(table_of("hit", gone.candidates))


def _show_hits(console: Console, query: str, hits: Hits, *, explain: bool) -> None:
    if hits:
        console.print(table_of("hit", hits))
    for hit in hits if explain else ():
        parts = ", ".join(f"{one.term} {one.value:g} ({one.why})" for one in hit.explain)
        console.print(f"{hit.fact.id}: {shown(parts)}")
    for line in filter(None, (*reading_remarks(hits.corrected, hits.aliases), hits.note)):
        console.print(shown(line))
    if not query.strip():
        console.print("memctl memory list shows every fact")


def _show_stored(console: Console, stored: Stored, store: str) -> None:
    """Print the fate of each text, and the store, where none was named."""
    for one in stored.written:
        why = f" ({one.told})" if one.told else ""
        text = one.text if len(one.text) <= _CUT else one.text[: _CUT - 1] + "…"
        console.print(f"{one.event} {one.id or '-'} {shown(text)}{shown(why, missing='')}")
        for near in one.related:
            may = "may replace" if near.may_replace else "near"
            console.print(f"  {may} {near.id} ({near.likeness:.0%}) {shown(near.text[:_CUT])}")
    if stored.note:
        console.print(stored.note)
    if store and stored.ids:
        console.print(f'in the store "{store}"; --app names another')
