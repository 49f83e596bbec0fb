"""Shows reports to people: a table for each answer, in 80 columns, in a pipe too."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from memctl.reports.answers import cell_text, shortened
from memctl_cli.output.envelope import counted, rows, shown, table
from memctl_cli.output.plain_table import wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.reports.answers import Answer, Cell, Column, Report
    from memctl_cli.output.console import Console

    Row = tuple[Cell, ...]

# Rows of an answer that are shown where no other number is asked for; files and --json have all.
_MOST = 16
# Characters of a text in a table: at most, and to where they are cut if room is short.
_LONGEST = 40
_SHORTEST = 12
# What a table adds to the width of each column, and at its edges.
_GAP = 2
_EDGES = 2


def show_reports(console: Console, made: Sequence[Report], limit: int | None = None) -> None:
    """Print every report: what is wrong first, then its answers, then what was not read.

    `limit` is the most findings, and rows of each answer.
    """
    most = limit or _MOST
    for report in made:
        _show_heading(console, report)
        _show_findings(console, report, most)
        for answer in report.answers:
            _show_answer(console, answer, most, many=len(report.stores) > 1)
    for skipped in made[0].skipped:
        console.print(f"skipped  {shown(skipped.told)}", soft_wrap=True)


def first_rows(report: Report, limit: int) -> Report:
    """Return a report with at most `limit` rows of each answer: those that are printed first."""
    answers = (replace(one, rows=tuple(_newest_first(one)[:limit])) for one in report.answers)
    return replace(report, answers=tuple(answers))


def _show_heading(console: Console, report: Report) -> None:
    stores = report.stores[0] if len(report.stores) == 1 else f"{len(report.stores)} stores"
    time = "".join(
        f", {word} {moment}"
        for word, moment in (("since", report.since), ("until", report.until))
        if moment
    )
    heading = f"{report.name.upper()}  {stores}{time}"
    console.print(f"\n{heading}\n{'=' * min(len(heading), console.width)}", style="bold")


def _show_findings(console: Console, report: Report, most: int) -> None:
    """Print what is wrong, wrapped; its commands are left whole, to be copied."""
    from memctl.reports.answers import SEVERITIES

    if report.findings:
        severities = "; ".join(f"{name}: {words}" for name, words in SEVERITIES.items())
        number = counted(len(report.findings), "finding")
        text = (
            f"{number} ({severities}). Under each, the command that shows it and changes nothing "
            "comes first, and then, where one can, the command that mends all of it."
        )
        console.print(f"\n{wrapped(text, console.width)}")
    for one in report.findings[:most]:
        text = shown(f"! {one.severity}  {one.store}: {one.text}")
        console.print(f"\n{wrapped(text, console.width, hang='  ')}")
        advice = shown(one.advice)
        console.print(f"  {wrapped(advice, console.width, hang='  ')}")
        for command in filter(None, (one.show, one.mend)):
            console.print(f"  {shown(command)}", style="bold", soft_wrap=True)
    if len(report.findings) > most:
        left = counted(len(report.findings) - most, "more finding")
        console.print(f"\n{left}: --limit {len(report.findings)}")


def _show_answer(console: Console, answer: Answer, most: int, *, many: bool) -> None:
    console.print(f"\n{answer.title}", style="bold")
    if not answer.rows:
        console.print(f"  {answer.nothing}")
        return
    columns, cells, empty = _used(answer, many=many)
    cut = console.folds
    texts = [
        [_cell(value, column, cut=cut) for column, value in zip(columns, row, strict=True)]
        for row in cells[:most]
    ]
    fitting, texts = _fitted(columns, texts, console.width) if cut else (columns, texts)
    headings = [column.name.replace("_", "\n") for column in fitting]

    def of_kind(*kinds: str) -> list[str]:
        return [one for one, column in zip(headings, fitting, strict=True) if column.kind in kinds]

    numbers = of_kind("id", "count", "share", "days", "ms", "bytes", "number")
    # Where too little would be left, a row is a record of all of its cells.
    console.print(rows(table(*headings, right=numbers, whole=of_kind("at"), tight=True), texts))
    if len(cells) > most:
        console.print(f"  {counted(len(cells) - most, 'more row')}: --limit {len(cells)}")
    for told, left in (
        ("no room here, but in --json, --csv and --html", columns[len(fitting) :]),
        ("not known of any row", empty),
    ):
        if left:
            names = ", ".join(column.name.replace("_", " ") for column in left)
            console.print(f"  {told}: {names}")


def _used(answer: Answer, *, many: bool) -> tuple[list[Column], list[Row], list[Column]]:
    """Return the columns that say something, the rows of these, and the columns that are empty.

    The name of a store is in the heading where there is one alone.
    """
    told = [one for one in enumerate(answer.columns) if many or one[1].name != "store"]
    kept = [place for place, _ in told if any(row[place] is not None for row in answer.rows)]
    return (
        [answer.columns[place] for place in kept],
        [tuple(row[place] for place in kept) for row in _newest_first(answer)],
        [column for place, column in told if place not in kept],
    )


def _newest_first(answer: Answer) -> Sequence[Row]:
    """Return the rows of an answer, those of a course of days from the last day back."""
    place = next((n for n, column in enumerate(answer.columns) if column.kind == "at"), None)
    if place is None:
        return answer.rows
    found: list[Row] = []
    for _, group in groupby(answer.rows, key=lambda row: row[:place]):
        members = list(group)
        times = [str(row[place] or "") for row in members]
        forward = times == sorted(times)
        found += (
            sorted(members, key=lambda row: str(row[place] or ""), reverse=True)
            if forward
            else members
        )
    return found


def _cell(value: Cell, column: Column, *, cut: bool) -> str:
    """Return a cell; an id is never cut, and nothing is where there is room for all."""
    text = " ".join(shown(cell_text(value, column.kind)).split())
    return shortened(text, _LONGEST) if cut and not _is_id(column) else text


def _is_id(column: Column) -> bool:
    return column.kind == "id" or column.name.endswith(("id", "ids"))


def _fitted(
    columns: list[Column], texts: list[list[str]], room: int
) -> tuple[list[Column], list[list[str]]]:
    """Make a table fit: cut its longest texts, and leave out columns from the right.

    All of it is returned where less than half of the columns would be left.
    """
    all_columns, all_texts = columns, texts
    while True:
        for _ in columns:
            widths = _widths(columns, texts)
            over = sum(widths) + _EDGES - room
            places = [n for n, one in enumerate(columns) if one.kind == "text" and not _is_id(one)]
            widest = max(places, key=lambda place: widths[place], default=None)
            if over <= 0:
                return columns, texts
            if widest is None or widths[widest] - _GAP <= _SHORTEST:
                break
            limit = max(widths[widest] - _GAP - over, _SHORTEST)
            texts = [
                [*row[:widest], shortened(row[widest], limit), *row[widest + 1 :]] for row in texts
            ]
        if 2 * len(columns) <= len(all_columns) + 1:
            return all_columns, all_texts
        columns = columns[:-1]
        texts = [row[: len(columns)] for row in all_texts]  # cut anew


def _widths(columns: Sequence[Column], texts: Sequence[Sequence[str]]) -> list[int]:
    return [
        max(
            *map(len, column.name.split("_")),
            *(min(len(row[place]), _LONGEST) for row in texts),
        )
        + _GAP
        for place, column in enumerate(columns)
    ]
