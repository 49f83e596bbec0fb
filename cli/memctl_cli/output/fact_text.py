"""Shows facts to people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.clock import now
from memctl_cli.output.envelope import print_list, rows, shown, shown_day, shown_time, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.semantic.records import Change, Fact, FactPage, Hit, Stored
    from memctl.semantic.triage import Verdict
    from memctl_cli.output.console import Console
    from memctl_cli.output.plain_table import Table

_KIND = "tag, category"
_CUT = 200  # characters of a fact that an answer repeats


def show_facts(console: Console, found: Sequence[Fact]) -> None:
    """Print facts as a table."""
    made, cells = _facts(found, statuses=False)
    print_list(console, made, cells, "fact")


def show_page(console: Console, page: FactPage, *, statuses: bool) -> None:
    """Print a page of facts, and how many more there are; with `statuses`, how each stands."""
    made, cells = _facts(page, statuses=statuses)
    print_list(console, made, cells, "fact", of=page)


def _facts(found: Sequence[Fact], *, statuses: bool) -> tuple[Table, list[tuple[object, ...]]]:
    # In 80 columns there is room for one of the two.
    third = "status" if statuses else "import-\nance"
    columns = ("id", _KIND, third, "days", "source", "fact")
    made = table(*columns, right=("days",), whole=("id", _KIND, third), tight=True)
    cells: list[tuple[object, ...]] = [
        (
            one.id,
            _kind(one),
            _stands(one) if statuses else f"{one.importance:.0%}",
            one.age_days,
            one.source,
            one.text,
        )
        for one in found
    ]
    return made, cells


def _kind(fact: Fact) -> str:
    """Return a fact's tag and category: two words, so that they stand below each other if need be."""
    return f"{fact.tag or '-'} {fact.category or ''}".strip()


def _stands(fact: Fact) -> str:
    """Return a fact's status, as it is today where it is of another day."""
    if fact.status == "active" and fact.valid_from > max(now(), fact.created_at):
        return "coming"
    if fact.status == "superseded" and fact.valid_to and fact.valid_to > now():
        return f"to {shown_day(fact.valid_to)}"
    return "to check" if fact.doubt and fact.status == "active" else fact.status


def show_hits(console: Console, hits: Sequence[Hit], *, explain: bool) -> None:
    """Print facts that were found, the best first; with `explain`, what adds up to each score."""
    columns = ("score", "id", _KIND, "days", "source", "fact")
    made = table(*columns, right=("score", "days"), whole=("id", _KIND), tight=True)
    cells = [
        (h.score, one.id, _kind(one), one.age_days, one.source, one.text)
        for h in hits
        for one in (h.fact,)
    ]
    console.print(rows(made, cells))
    if explain:
        for hit in hits:
            parts = ", ".join(f"{one.term} {one.value:g} ({one.why})" for one in hit.explain)
            console.print(f"{hit.fact.id}: {shown(parts)}")


def show_fact(console: Console, fact: Fact) -> None:
    """Print all that is known of one fact."""
    made = table("what", "value", whole=("what",))
    cells = [(name, getattr(fact, name)) for name in fact.__dataclass_fields__]
    console.print(rows(made, [cell for cell in cells if cell[1] not in (None, "", {})]))


def show_history(console: Console, changes: Sequence[Change]) -> None:
    """Print the changes of one fact."""
    columns = ("when", "event", "by", "was", "became", "why")
    made = table(*columns, whole=("when", "event", "by"), tight=True)
    cells = [
        (shown_time(one.changed_at), one.event, one.actor, one.old_text, one.new_text, one.why)
        for one in changes
    ]
    console.print(rows(made, cells))


def show_stored(console: Console, stored: Stored, store: str = "") -> None:
    """Print the fate of each text that was to be stored, and in which store where none was named."""
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


def show_verdict(console: Console, verdict: Verdict) -> None:
    """Print the gates that a text passes or fails."""
    made = table("gate", "verdict", "why", whole=("gate", "verdict"))
    console.print(
        rows(made, [(one.gate, "pass" if one.passed else "fail", one.why) for one in verdict.gates])
    )
