"""``memctl recall``, ``recalls``, ``feedback``, ``alias`` and ``reembed``: questions and answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from memctl_cli.call import Answer, Call
from memctl_cli.command import Commands
from memctl_cli.commands.options import Explain, Forgotten, Limited, Most, Recorded, Text, Texts
from memctl_cli.completed_values import offered
from memctl_cli.output.envelope import jsonable
from memctl_cli.output.records import Column, listed, print_list, table, table_of
from memctl_cli.output.words import counted, reading_remarks, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.recall.recalls import KeptHit, KeptRecall
    from memctl.search.answer.explanation import WhyNot
    from memctl.search.recall_results import Recalled, ScoreTerm
    from memctl_cli.output.console import Console

recalls = Commands(help="Recalls that were kept: list, show, forget, restore.")
alias = Commands(help="Aliases, words that mean the same: add, list, remove.")

Number = Annotated[int, Argument(help="A recall's number, as recall prints it.")]
Word = Annotated[str, Argument(help="A word or a short phrase.")]


def recall(
    call: Call,
    query: Annotated[str, Argument(help="A question or words; signs like * or - have no meaning.")],
    limit: Most = None,
    max_tokens: Annotated[int | None, Option(help="Most tokens of all rows together.")] = None,
    as_of: Annotated[
        Text, Option(help="Only what had happened, and facts that held, by then.")
    ] = None,
    now: Annotated[Text, Option(help='The time that "yesterday" is counted from.')] = None,
    since: Annotated[Text, Option(help="Only turns and episodes from this time on.")] = None,
    until: Annotated[Text, Option(help="Only turns and episodes up to this time.")] = None,
    tag: Annotated[Texts, Option(help="Only episodes with this tag; may be given again.")] = None,
    participant: Annotated[
        Texts, Option(help="Only what this person said or took part in; may be given again.")
    ] = None,
    thread: Annotated[
        Text, Option(help="Only of this session or thread.", autocompletion=offered("session"))
    ] = None,
    status: Annotated[str, Option(help="living, archived or all.")] = "living",
    kind: Annotated[
        Texts,
        Option(
            help="Only turn, episode, fact or state; may be given again.",
            autocompletion=offered("kind"),
        ),
    ] = None,
    min_confidence: Annotated[
        float, Option(min=0, max=1, help="No rows where it is less sure: 0.5.")
    ] = 0.0,
    every: Annotated[
        bool, Option("--all", help="Also the rows that are not likely to answer.")
    ] = False,
    explain: Explain = False,
    why_not: Annotated[
        Text, Option(help="Say where a row stands that was expected: turn:12.")
    ] = None,
    record: Recorded = True,
) -> Answer:
    """Find the turns, episodes, facts and screens that answer a question, in one list.

    Example: memctl recall "When does the ferry leave?" --explain
    """
    asked: dict[str, Any] = {
        "max_tokens": max_tokens,
        "as_of": as_of,
        "now": now,
        "since": since,
        "until": until,
        "tags": tag or (),
        "participants": participant or (),
        "thread": thread,
        "status": status,
        "kinds": kind or (),
    }
    if why_not is not None:
        with call.memory(readonly=True) as memory:
            place = memory.why_not(query, why_not, limit, **asked)
        return Answer(place, lambda console: _show_place(console, place))
    with call.memory(readonly=not record, reading=True) as memory:
        asked["min_worth"] = 0.0 if every else None
        found = memory.recall(query, limit, min_confidence=min_confidence, record=record, **asked)
        data = jsonable(list(found))  # rows are explained while their store is open
    human = lambda console: _show_recalled(console, query, found, explain=explain)  # noqa: E731
    return Answer(data, human, extra={"recall": jsonable(found.about())})


def feedback(
    call: Call,
    recall: Number,
    used: Annotated[
        Texts, Option(help='A row that helped: "turn:12", or a fact\'s id; may be given again.')
    ] = None,
    outcome: Annotated[Text, Option(help="ok or failed.")] = None,
) -> Answer:
    """Mark the rows of a recall that helped, and its outcome.

    Example: memctl feedback 3 --used turn:12 --outcome ok
    """
    with call.memory(reading=True) as memory:
        given = memory.feedback(recall, used or (), outcome)
    return Answer(given, f"recall {given.recall}: {counted(given.used, 'row')} marked as used")


def reembed(call: Call) -> Answer:
    """Compute the vectors of all turns and episodes again (setting: fallback).

    Example: memctl --set fallback=store reembed
    """
    with call.memory() as memory:
        made = memory.reembed()
    return Answer(made, f"{counted(made.rows, 'vector')} of {made.dims} numbers by {made.model}")


@recalls.command("list")
def list_recalls(
    call: Call,
    forgotten: Forgotten = False,
    empty: Annotated[bool, Option("--empty", help="Only those that brought nothing.")] = False,
    limit: Limited = None,
) -> Answer:
    """List the recalls, the newest first.

    Example: memctl recalls list --limit 10
    """
    with call.memory(readonly=True) as memory:
        found = memory.recalls.list(forgotten=forgotten, empty=empty, limit=call.limit(limit))
    return Answer(found, listed("recall", found))


@recalls.command()
def show(call: Call, recall: Number) -> Answer:
    """Show one recall, and the rows that it brought.

    Example: memctl recalls show 3
    """
    with call.memory(readonly=True) as memory:
        found, hits = memory.recalls.get(recall), memory.recalls.hits(recall)
    data = {**jsonable(found), "rows": jsonable(hits)}
    return Answer(data, lambda console: _show_recall(console, found, hits))


@recalls.command()
def forget(call: Call, recall: Number) -> Answer:
    """Mark a recall as forgotten: the list leaves it out; restore undoes it.

    Example: memctl recalls forget 3
    """
    with call.memory(existing=True) as memory:
        found = memory.recalls.forget(recall)
    return Answer(found, f"recall {found.id} is forgotten; restore brings it back")


@recalls.command()
def restore(call: Call, recall: Number) -> Answer:
    """Bring a forgotten recall back.

    Example: memctl recalls restore 3
    """
    with call.memory(existing=True) as memory:
        found = memory.recalls.restore(recall)
    return Answer(found, f"recall {found.id} is back")


@alias.command()
def add(call: Call, term: Word, synonym: Word) -> Answer:
    """Let two words find each other, both ways.

    Example: memctl alias add NYC "New York"
    """
    with call.memory() as memory:
        added = memory.aliases.add(term, synonym)
    return Answer(added, f"{added.term} and {added.synonym} mean the same")


@alias.command("list")
def list_aliases(
    call: Call,
    limit: Limited = None,
    *,
    entities: Annotated[
        bool, Option("--entities", help="People and things, each with all of its names.")
    ] = False,
) -> Answer:
    """List the aliases, what was added last first; or who and what has several names.

    Example: memctl alias list --entities
    """
    with call.memory(readonly=True) as memory:
        if entities:
            known = memory.aliases.entities(limit=call.limit(limit))
            return Answer(known, listed("entity", known))
        found = memory.aliases.list(limit=call.limit(limit))
    return Answer(found, listed("alias", found))


@alias.command()
def remove(
    call: Call,
    term: Word,
    synonym: Annotated[
        Text, Argument(help="The other word; without it, all aliases of the first.")
    ] = None,
) -> Answer:
    """Remove one alias of a word, or all of them.

    Example: memctl alias remove NYC
    """
    with call.memory(existing=True) as memory:
        removed = memory.aliases.remove(term, synonym)
    return Answer({"removed": removed}, f"{counted(removed, 'alias')} removed")


def _show_recalled(console: Console, query: str, recalled: Recalled, *, explain: bool) -> None:
    if recalled:
        console.print(table_of("recalled row", recalled))
    if explain:
        for row in recalled:
            _show_terms(console, row.name, row.explain, row.score)
    for line in _remarks(recalled):
        console.print(shown(line))
    if not query.strip():
        console.print("memctl turns list, episodes list and memory list show what there is")


def _show_place(console: Console, place: WhyNot) -> None:
    console.print(shown(f"{place.row}: {place.why}"))
    if place.place is not None:
        console.print(f"place {place.place} of {place.of} ranked rows")
    for what, words in (("holds", place.matched), ("lacks", place.lacking)):
        if words:
            console.print(shown(f"{what}: {', '.join(words)}"))
    if place.explain:
        _show_terms(console, place.row, place.explain, place.score)


def _show_terms(console: Console, name: str, terms: Sequence[ScoreTerm], score: float) -> None:
    columns = (Column(name), Column("adds", kind="number"), Column("because"))
    cells = [(term.term, f"{term.value:.4f}", term.why) for term in terms]
    console.print(table(columns, [*cells, ("score", f"{score:.4f}", "the sum")]))


def _remarks(recalled: Recalled) -> list[str]:
    lines = [recalled.note] if recalled.note else []
    lines += reading_remarks(recalled.corrected, recalled.aliases)
    if recalled:
        lines.append(
            f"confidence {recalled.confidence:.2f} that it is among the first five\n"
            "(as on the questions of the eight long talks that it was fitted on)"
        )
    for row in recalled:
        if row.earlier_than:
            undecided = ", undecided" if row.kind == "fact" else ""
            lines.append(f"{row.name} is earlier{undecided}: {row.earlier_than} says so newer")
    lines += [f"{row.name} is shared in {row.shared}" for row in recalled if row.shared]
    lines += [f"{row.name} is to be checked: it {row.doubt}" for row in recalled if row.doubt]
    if recalled.left_out:
        others = counted(recalled.left_out, "more row is", "more rows are")
        shows = "--all shows what is found all the same"
        lines.append(f"{others} not likely to answer: {shows}" if recalled else shows)
    if recalled.unknown and recalled:
        lines.append("found nowhere: " + ", ".join(recalled.unknown))
    lines += filter(None, (recalled.waiting, recalled.unrecorded))
    if any(row.fallback for row in recalled):
        lines.append("~ no keyword brought it; similar by vectors")
    kept = [row for row in recalled if row.kind != "state"]
    if recalled.id is not None and kept:
        lines.append(f"what helped: memctl feedback {recalled.id} --used {kept[0].name}")
    return lines


def _show_recall(console: Console, recall: KeptRecall, hits: Sequence[KeptHit]) -> None:
    console.print(shown(f"recall {recall.id}  {recall.asked_at}\n{recall.question}"))
    print_list(console, "row", hits)
    if recall.unknown:
        console.print(shown("found nowhere: " + ", ".join(recall.unknown)))
