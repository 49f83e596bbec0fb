"""``memctl recall``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from memctl_cli.commands.options import Most, Recorded
from memctl_cli.output.envelope import counted, jsonable, rows, shown, table
from memctl_cli.output.remarks import reading_remarks
from memctl_cli.session import session_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.search.answer.explanation import WhyNot
    from memctl.search.recall_results import Recalled, Row, ScoreTerm
    from memctl_cli.output.console import Console


def recall(
    context: typer.Context,
    query: Annotated[
        str, typer.Argument(help="A question or words; signs like * or - have no meaning.")
    ],
    limit: Most = None,
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", help="Most tokens of all rows together.")
    ] = None,
    as_of: Annotated[
        str | None,
        typer.Option("--as-of", help="Only what had happened, and facts that held, by then."),
    ] = None,
    now: Annotated[
        str | None, typer.Option(help='The time that "yesterday" is counted from.')
    ] = None,
    since: Annotated[
        str | None, typer.Option(help="Only turns and episodes from this time on.")
    ] = None,
    until: Annotated[
        str | None, typer.Option(help="Only turns and episodes up to this time.")
    ] = None,
    tag: Annotated[
        list[str] | None, typer.Option(help="Only episodes with this tag; may be given again.")
    ] = None,
    participant: Annotated[
        list[str] | None,
        typer.Option(help="Only what this person said or took part in; may be given again."),
    ] = None,
    thread: Annotated[str | None, typer.Option(help="Only of this session or thread.")] = None,
    status: Annotated[str, typer.Option(help="living, archived or all.")] = "living",
    kind: Annotated[
        list[str] | None,
        typer.Option(help="Only turn, episode, fact or state; may be given again."),
    ] = None,
    min_confidence: Annotated[
        float,
        typer.Option("--min-confidence", min=0, max=1, help="No rows where it is less sure: 0.5."),
    ] = 0.0,
    every: Annotated[
        bool, typer.Option("--all", help="Also the rows that are not likely to answer.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show how each score adds up.")
    ] = False,
    why_not: Annotated[
        str | None,
        typer.Option("--why-not", help="Say where a row stands that was expected: turn:12."),
    ] = None,
    record: Recorded = True,
) -> None:
    """Find the turns, episodes, facts and screens that answer a question, in one list.

    Example: memctl recall "When does the ferry leave?" --explain
    """
    session = session_of(context)
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
        with session.memory(readonly=True) as memory:
            place = memory.why_not(query, why_not, limit, **asked)
        session.answer(place, lambda console: _show_place(console, place))
        return
    with session.memory(readonly=not record, reading=True) as memory:
        asked["min_worth"] = 0.0 if every else None
        found = memory.recall(query, limit, min_confidence=min_confidence, record=record, **asked)
        data = jsonable(list(found))  # rows are explained while their store is open
    session.answer(
        data,
        lambda console: _show(console, query, found, explain=explain),
        extra={"recall": jsonable(found.about())},
    )


def _show(console: Console, query: str, found: Recalled, *, explain: bool) -> None:
    made = table(
        "id", "when", "who", "score", "what", right=("score",), whole=("id", "when", "who")
    )
    cells = [
        (
            ("~ " if row.fallback else "") + row.name,
            row.day,
            ", ".join(row.who),
            row.score,
            _one_line(row),
        )
        for row in found
    ]
    if cells:
        console.print(rows(made, cells))
    if explain:
        for row in found:
            _show_terms(console, row.name, row.explain, row.score)
    for line in _remarks(found):
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


def _one_line(row: Row) -> str:
    tag = f"[{row.tag or '-'}] " if row.kind == "fact" else ""
    text = tag + " ".join(f"{row.text} {row.details}".split())
    return text if len(text) <= 300 else text[:299] + "…"  # noqa: PLR2004  (some lines)


def _show_terms(console: Console, name: str, terms: Sequence[ScoreTerm], score: float) -> None:
    made = table(name, "adds", "because", right=("adds",))
    cells = [(term.term, f"{term.value:.4f}", term.why) for term in terms]
    console.print(rows(made, [*cells, ("score", f"{score:.4f}", "the sum")]))


def _remarks(found: Recalled) -> list[str]:
    lines = [found.note] if found.note else []
    lines += reading_remarks(found.corrected, found.aliases)
    if found:
        lines.append(
            f"confidence {found.confidence:.2f} that it is among the first five\n"
            "(as on the questions of the eight long talks that it was fitted on)"
        )
    lines += [
        f"{row.name} is earlier{_undecided(row)}: {row.earlier_than} says so newer"
        for row in found
        if row.earlier_than
    ]
    lines += [f"{row.name} is to be checked: it {row.doubt}" for row in found if row.doubt]
    if found.left_out:
        others = counted(found.left_out, "more row is", "more rows are")
        shows = "--all shows what is found all the same"
        lines.append(f"{others} not likely to answer: {shows}" if found else shows)
    if found.unknown and found:
        lines.append("found nowhere: " + ", ".join(found.unknown))
    lines += [line for line in (found.waiting, found.unrecorded) if line]
    if any(row.fallback for row in found):
        lines.append("~ no keyword brought it; similar by vectors")
    kept = [row for row in found if row.kind != "state"]
    if found.id is not None and kept:
        lines.append(f"what helped: memctl feedback {found.id} --used {kept[0].name}")
    return lines


def _undecided(row: Row) -> str:
    return ", undecided" if row.kind == "fact" else ""
