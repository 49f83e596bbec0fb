"""Tables that read at 80 columns."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from benchmarks.identity.figures import Count, count, grouped

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from benchmarks.identity.answers import Answer
    from benchmarks.identity.notes import Notes

__all__ = ["print_half", "print_rivals"]

CONSOLE = Console(width=80)
CAPTION = (
    "wrong: something else was taken for what was asked. found: of what could be seen. absent: "
    "of what could not be seen, nothing was taken for it."
)

CAPTION_RIVALS = f"{CAPTION} ms: of a call; a match of memctl answers for all that it knows."


def print_half(half: str, notes: Notes) -> None:
    """Print everything about memctl in one half."""
    by_match = [one for one in notes.answers if one.given.by == "match"]
    siblings = [one for one in by_match if one.asked.part == "siblings"]
    rows = [one for one in by_match if one.asked.part == "rows"]
    if siblings:
        _print_siblings(half, siblings)
    if rows:
        _print_rows(half, rows)
    beside = [one for one in notes.answers if one.given.by == "beside"]
    if beside:
        _print(
            f"Located beside a name, {half}", "change", grouped(beside, _variation), count(beside)
        )
    else:
        CONSOLE.print("locate ... beside: not there")
    _print_calls(half, notes)
    for remark in notes.remarks:
        CONSOLE.print(f"[dim]{remark}[/dim]", markup=True, highlight=False)


def _print_siblings(half: str, answers: Sequence[Answer]) -> None:
    alone = [one for one in answers if one.asked.memory == "one of them"]
    plain = [one for one in alone if one.asked.kind != "confusable"]
    unlike = [one for one in alone if one.asked.kind == "confusable"]
    both = [one for one in answers if one.asked.memory == "both"]
    _print(f"Siblings, {half}", "variation", grouped(plain, _variation), count(plain))
    _print(f"Confusables, {half}", "variation", grouped(unlike, _variation), count(unlike))
    _print(f"Siblings by style, {half}", "style", grouped(plain, _group), count(plain))
    _print(f"Siblings by kind, {half}", "kind", grouped(alone, _kind), count(alone))
    _print(
        f"Both siblings known, {half}",
        "variation",
        grouped(both, lambda one: f"{one.asked.variation}{_mark(one)}"),
        count(both),
    )


def _print_rows(half: str, answers: Sequence[Answer]) -> None:
    for memory in ("all boxes", "buttons only"):
        some = [one for one in answers if one.asked.memory == memory]
        rows = [one for one in some if one.asked.kind == "rows"]
        odd = [one for one in some if one.asked.kind != "rows"]
        _print(f"Rows, {memory}, {half}", "change", grouped(rows, _variation), count(rows))
        _print(f"Rows by layout, {memory}, {half}", "layout", grouped(rows, _group), count(rows))
        _print(
            f"Degenerate rows, {memory}, {half}",
            "layout",
            grouped(odd, lambda one: f"{one.asked.group}, {_moved(one)}"),
            count(odd),
        )


def _print_calls(half: str, notes: Notes) -> None:
    table = Table(title=f"Calls, {half}", caption="locate: a sample of the questions of match")
    for column in ("call", "calls", "median ms", "wrong", "found", "absent"):
        table.add_column(column, justify="left" if column == "call" else "right")
    located = [one for one in notes.answers if one.given.by == "locate"]
    times = {
        "learn": notes.learn_ms,
        "match": notes.match_ms,
        "locate": [one.given.ms for one in located],
    }
    for call, ms in times.items():
        some = [one for one in notes.answers if one.given.by == call]
        cells = _cells(count(some)) if some else ("", "", "", "")
        shown = f"{median(ms):.0f}" if ms else "-"
        table.add_row(call, str(len(ms)), shown, cells[1], cells[2], cells[3])
    CONSOLE.print(table)


def print_rivals(half: str, answers: Mapping[str, Sequence[Answer]]) -> None:
    """Print what each rival said to the same questions."""
    asked = {one.asked.part for listed in answers.values() for one in listed}
    for part in sorted(asked, reverse=True):
        table = Table(title=f"The same questions, {part}, {half}", caption=CAPTION_RIVALS)
        table.add_column("who", no_wrap=True)
        for column in ("asked", "wrong", "found", "absent", "median ms"):
            table.add_column(column, justify="right")
        for who, listed in answers.items():
            some = [one for one in listed if one.asked.part == part]
            if some:
                ms = median(one.given.ms for one in some)
                table.add_row(who, *_cells(count(some)), f"{ms:.1f}" if ms else "-")
        CONSOLE.print(table)


def _print(title: str, what: str, groups: Mapping[str, Count], whole: Count) -> None:
    if not whole.asked:
        return
    table = Table(title=title, caption=CAPTION)
    table.add_column(what, no_wrap=True)
    for column in ("asked", "wrong", "found", "absent"):
        table.add_column(column, justify="right")
    for name, one in groups.items():
        table.add_row(name, *_cells(one))
    table.add_section()
    table.add_row("all", *_cells(whole))
    CONSOLE.print(table)


def _cells(one: Count) -> tuple[str, str, str, str]:
    return (
        str(one.asked),
        str(one.wrong),
        _share(one.right, one.there),
        _share(one.absent, one.gone),
    )


def _share(some: int, whole: int) -> str:
    return f"{some}/{whole} {some / whole:4.0%}" if whole else "-"


def _mark(one: Answer) -> str:
    return ", confusable" if one.asked.kind == "confusable" else ""


def _moved(one: Answer) -> str:
    return "unchanged" if one.asked.variation == "unchanged" else "changed"


def _attribute(name: str) -> Callable[[Answer], str]:
    return lambda one: str(getattr(one.asked, name))


_variation, _group, _kind = (_attribute(name) for name in ("variation", "group", "kind"))
