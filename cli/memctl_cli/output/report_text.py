"""Shows reports to people: a table for each answer, in 80 columns, in a pipe too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl_cli.output.envelope import counted, rows, shown, table
from memctl_cli.output.units import size_text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memctl.reports import Answer, Column, Report
    from memctl_cli.output.console import Console

__all__ = ["cell_text", "show_reports"]

# Rows of an answer that are shown; files and --json have all.
_MOST = 16
# Characters of a text in a table: at most, and to where they are cut if room is short.
_LONGEST = 40
_SHORTEST = 12
# From here on the digits behind the point say nothing.
_WHOLE = 1000
# What a table adds to the width of each column, and at its edges.
_GAP = 2
_EDGES = 2

Row = tuple[object, ...]


def show_reports(console: Console, made: Sequence[Report]) -> None:
    """Print every report: what is wrong first, then its answers, then what was not read."""
    for report in made:
        _show_heading(console, report)
        _show_findings(console, report)
        for answer in report.answers:
            _show_answer(console, answer, many=len(report.stores) > 1)
    for skipped in made[0].skipped:
        console.print(f"skipped  {shown(skipped.path)}: {shown(skipped.why)}", soft_wrap=True)


def cell_text(value: object, kind: str) -> str:
    """Return a cell as people read it: ``97.3 %``, ``1.2 MB``, ``2026-11-20 16:33``."""
    if value is None:
        return "-"
    if not isinstance(value, (int, float)):
        text = shown(value).replace("\n", " ")
        return text[:16].replace("T", " ") if kind == "at" else _cut(text, _LONGEST)
    return _NUMBERS[kind](value)


def _days(value: float) -> str:
    for unit, size in (("d", 1.0), ("h", 24.0), ("min", 1440.0)):
        if abs(value) * size >= 1:
            return f"{value * size:,.1f} {unit}"
    return f"{value * 86400:.0f} s"


def _number(value: float) -> str:
    return f"{value:.0f}" if float(value).is_integer() or abs(value) >= _WHOLE else f"{value:.3g}"


_NUMBERS: Mapping[str, Callable[[float], str]] = {
    "text": str,
    "at": str,
    "id": str,
    "count": lambda value: f"{value:,.0f}",
    "share": lambda value: f"{value:.1%}",
    "days": _days,
    "ms": lambda value: f"{value:,.1f}",
    "bytes": size_text,
    "number": _number,
}


def _show_heading(console: Console, report: Report) -> None:
    stores = report.stores[0] if len(report.stores) == 1 else f"{len(report.stores)} stores"
    time = "".join(
        f", {word} {moment}"
        for word, moment in (("since", report.since), ("until", report.until))
        if moment
    )
    heading = f"{report.name.upper()}  {stores}{time}"
    console.print(f"\n{heading}\n{'=' * min(len(heading), console.width)}", style="bold")


def _show_findings(console: Console, report: Report) -> None:
    """Print what is wrong, wrapped; its commands are left whole, to be copied."""
    from textwrap import fill

    from memctl.reports.answers import SEVERITIES

    if report.findings:
        severities = "; ".join(f"{name}: {words}" for name, words in SEVERITIES.items())
        number = counted(len(report.findings), "finding")
        text = (
            f"{number} ({severities}). Under each, the command that shows it and changes nothing "
            "comes first, and then, where one can, the command that mends all of it."
        )
        console.print(f"\n{fill(text, console.width)}")
    for one in report.findings[:_MOST]:
        text = shown(f"! {one.severity}  {one.store}: {one.text}")
        console.print(f"\n{fill(text, console.width, subsequent_indent='  ')}")
        advice = shown(one.advice)
        console.print(fill(advice, console.width, initial_indent="  ", subsequent_indent="  "))
        for command in filter(None, (one.show, one.mend)):
            console.print(f"  {shown(command)}", style="bold", soft_wrap=True)
    if len(report.findings) > _MOST:
        console.print(f"\nand {len(report.findings) - _MOST} more; --json lists all")


def _show_answer(console: Console, answer: Answer, *, many: bool) -> None:
    console.print(f"\n{answer.title}", style="bold")
    if not answer.rows:
        console.print(f"  {answer.nothing}")
        return
    columns, cells = _used(answer, many=many)
    texts = [
        [cell_text(value, column.kind) for column, value in zip(columns, row, strict=True)]
        for row in cells[:_MOST]
    ]
    fitting, texts = _fitted(columns, texts, console.width)
    headings = [_heading(column) for column in fitting]
    numbers = [
        heading
        for heading, column in zip(headings, fitting, strict=True)
        if column.kind not in {"text", "at"}
    ]
    made = table(*headings, right=numbers, tight=True)
    console.print(rows(made, texts))
    more = [f"{len(cells) - _MOST:,} more rows"] if len(cells) > _MOST else []
    more += [column.name.replace("_", " ") for column in columns[len(fitting) :]]
    if more:
        console.print(f"  not shown, but in --json, --csv and --html: {', '.join(more)}")


def _used(answer: Answer, *, many: bool) -> tuple[list[Column], list[Row]]:
    """Leave out columns that say nothing here: the one store's name, what is nowhere known."""
    kept = [
        place
        for place, column in enumerate(answer.columns)
        if (many or column.name != "store") and any(row[place] is not None for row in answer.rows)
    ]
    return (
        [answer.columns[place] for place in kept],
        [tuple(row[place] for place in kept) for row in answer.rows],
    )


def _fitted(
    columns: list[Column], texts: list[list[str]], room: int
) -> tuple[list[Column], list[list[str]]]:
    """Make a table fit: cut its longest texts, and leave out columns from the right."""
    while True:
        for _ in columns:
            widths = _widths(columns, texts)
            over = sum(widths) + _EDGES - room
            places = [n for n, column in enumerate(columns) if column.kind == "text"]
            widest = max(places, key=lambda place: widths[place], default=None)
            if over <= 0:
                return columns, texts
            if widest is None or widths[widest] - _GAP <= _SHORTEST:
                break
            limit = max(widths[widest] - _GAP - over, _SHORTEST)
            texts = [[*row[:widest], _cut(row[widest], limit), *row[widest + 1 :]] for row in texts]
        if len(columns) == 1:
            return columns, texts
        columns, texts = columns[:-1], [row[:-1] for row in texts]


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _heading(column: Column) -> str:
    return column.name.replace("_", "\n")


def _widths(columns: Sequence[Column], texts: Sequence[Sequence[str]]) -> list[int]:
    return [
        max(*map(len, _heading(column).split("\n")), *(len(row[place]) for row in texts)) + _GAP
        for place, column in enumerate(columns)
    ]
