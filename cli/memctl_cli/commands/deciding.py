"""``memctl pending``, ``classify`` and ``extract``: facts that are decided, sorted and found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from memctl.base.errors import UsageError
from memctl.store.pages import page_of
from memctl_cli.call import Answer, Call, read_input
from memctl_cli.command import Commands
from memctl_cli.commands.options import Limited, Text
from memctl_cli.completed_values import offered
from memctl_cli.output.records import Column, listed, page_text, print_list, table
from memctl_cli.output.words import counted, shown

if TYPE_CHECKING:
    from memctl.extraction.extracted import Extracted
    from memctl.semantic.deciding.classifying import Classification
    from memctl_cli.output.console import Console

pending = Commands(help="Facts that wait for a decision: list, approve, reject.")

Id = Annotated[str, Argument(help="Id of a fact that waits.", metavar="ID")]


@pending.command("list")
def list_(call: Call, limit: Limited = None) -> Answer:
    """List the facts that wait, those that may replace an older one, and those to be checked.

    Example: memctl pending list
    """
    with call.memory(readonly=True) as memory:
        most = call.limit(limit)
        found = memory.facts.pending(limit=most)
        undecided = page_of(memory.facts.undecided(), most)
        doubtful = page_of(memory.facts.doubtful(), most)

    def show(console: Console) -> None:
        if found or not (undecided or doubtful):
            print_list(console, "fact that waits", found)
        for pair in undecided:
            newer = pair.newer.id
            console.print(f"{newer} {shown(pair.newer.text)}")
            console.print(f"  may replace {pair.older.id} {shown(pair.older.text)}")
            console.print(
                f"  memctl pending approve {newer}: it does; memctl pending reject: both hold"
            )
        for fact in doubtful:
            console.print(f"{fact.id} is to be checked: {shown(fact.text)}")
            console.print(f"  it {shown(fact.doubt)}")
        if undecided.left:
            console.print(page_text(undecided, "pair to decide", "pairs to decide"))
        if doubtful.left:
            console.print(page_text(doubtful, "fact to be checked", "facts to be checked"))

    return Answer(found, show, extra={"undecided": undecided, "doubtful": doubtful})


@pending.command()
def approve(call: Call, memory_id: Id) -> Answer:
    """Accept a waiting fact; the facts that it contradicts are superseded.

    A fact that holds and may replace an older one replaces it.

    When another fact says the same by then, that one stays instead.

    Example: memctl pending approve f_3921fa271ecc
    """
    with call.memory(reading=True) as memory:
        fact = memory.facts.approve(memory_id)

    def show(console: Console) -> None:
        print_list(console, "fact", [fact])
        if fact.status != "active":
            console.print(f"{fact.id} {fact.status_why}, which holds: nothing was added")

    return Answer(fact, show)


@pending.command()
def reject(
    call: Call,
    memory_id: Id,
    why: Annotated[str, Option(help="The reason, kept in the history.")] = "",
) -> Answer:
    """Decline a waiting fact; it is not offered again, and memory restore brings it back.

    Of a fact that holds and may replace an older one, both go on to hold.

    Example: memctl pending reject f_3921fa271ecc --why "it never did"
    """
    with call.memory(reading=True) as memory:
        fact = memory.facts.reject(memory_id, why=why)
    return Answer(fact, listed("fact", [fact]))


def classify(
    call: Call,
    summary: Annotated[
        bool, Option("--summary", help="Only how many facts have which tag.")
    ] = False,
    dry_run: Annotated[
        bool, Option("--dry-run", help="Show what --apply would do; the default.")
    ] = False,
    apply: Annotated[
        bool, Option("--apply", help="Give the facts their categories; history keeps it.")
    ] = False,
    min_confidence: Annotated[float, Option(help="0 to 1; below it a fact stays as it is.")] = 0.3,
) -> Answer:
    """Find a category for the facts that have none, by their words.

    Example: memctl classify --dry-run
    """
    if summary + dry_run + apply > 1:
        raise UsageError(
            "--summary, --dry-run and --apply exclude each other", hint="give one of them"
        )
    with call.memory(readonly=not apply) as memory:
        made = memory.facts.classify(apply=apply, min_confidence=min_confidence)
    facts = [] if summary else list(made.facts)
    human = lambda on: _show_classified(on, made, summary=summary, applied=apply)  # noqa: E731
    return Answer(facts, human, len(facts), {"counts": dict(made.counts)})


def extract(
    call: Call,
    text: Annotated[Text, Argument(help='What was said; "-" reads it from standard input.')] = None,
    from_log: Annotated[
        bool, Option("--from-log", help="Read the last 200 turns of the log, or of --session.")
    ] = False,
    thread: Annotated[
        Text, Option(help="Only this thread of the log.", autocompletion=offered("session"))
    ] = None,
    said_at: Annotated[
        Text, Option(help='When it was said: "tomorrow" is counted from it.')
    ] = None,
    speaker: Annotated[Text, Option(help='The name that "I" becomes, instead of User.')] = None,
    store: Annotated[
        bool, Option("--store", help="Store the facts; without it nothing is written.")
    ] = False,
    endpoint: Annotated[
        bool, Option("--endpoint", help="Ask the language model that the settings name.")
    ] = False,
    template: Annotated[
        bool, Option("--template", help="Print the prompt for a language model, and leave.")
    ] = False,
) -> Answer:
    """Find the facts that are worth keeping in a text or in the log: at most ten.

    Example: memctl extract "I prefer tea. We meet Ana tomorrow." --said-at 2026-11-23
    """
    if template:
        from memctl.extraction.extractor import prompt

        return Answer({"prompt": prompt()}, prompt())
    if (text is not None) == (from_log or thread is not None):
        raise UsageError("extract reads one text, or the log", hint='give TEXT, "-" or --from-log')
    said = read_input("send what was said to it") if text == "-" else text
    with call.memory(readonly=not store) as memory:
        ask = None
        if endpoint:
            from memctl.endpoint.endpoint import Endpoint

            ask = Endpoint(memory.store, memory.settings).json
        found = memory.extract(
            said,
            said_at=said_at,
            speaker=speaker,
            thread=None if said is not None else thread or call.session,
            store=store,
            ask=ask,
        )
    return Answer(found, lambda console: _show_extracted(console, found), len(found.facts))


def _show_classified(
    console: Console, made: Classification, *, summary: bool, applied: bool
) -> None:
    if summary:
        columns = (Column("tag", kind="name"), Column("facts", kind="number"))
        console.print(table(columns, made.counts.items()))
        return
    print_list(console, "fact without a category", made.facts)
    if ready := sum(fact.category is not None for fact in made.facts):
        fate = "have one now" if applied else "would get one: memctl classify --apply"
        console.print(f"{counted(ready, 'fact')} {fate}")


def _show_extracted(console: Console, extracted: Extracted) -> None:
    print_list(
        console,
        "fact: extracted",
        extracted.facts,
        "" if extracted.written else "nothing was stored",
    )
    for one in extracted.written:
        why = f" ({one.why})" if one.why else ""
        console.print(shown(f"{one.event} {one.id or '-'} {one.text:.80}{why}"))
    if extracted.skipped:
        print_list(console, "passage skipped", extracted.skipped)
    if extracted.facts and not extracted.written:
        console.print(f"store {counted(len(extracted.facts), 'fact')}: memctl extract ... --store")
