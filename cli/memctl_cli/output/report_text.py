"""Shows reports to people, what they wrote, and what changed since an earlier one."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from memctl.base.counting import counted as number_of
from memctl.base.counting import sized
from memctl.reports.answers import cell_text, shortened
from memctl_cli.output import records
from memctl_cli.output.plain_table import wrapped
from memctl_cli.output.words import counted, shown, shown_time

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from memctl.reports.answers import Answer, Cell, Column, Report
    from memctl.reports.key_figures import ReportChanges
    from memctl_cli.output.console import Console

    Row = tuple[Cell, ...]

# Rows of an answer that are shown where no other number is asked for; files and --json have all.
_MOST = 16
_MOST_SKIPPED = 20
# Characters of a text in a table: at most, and to where they are cut if room is short.
_LONGEST = 40
_SHORTEST = 12
# What a table adds to the width of each column, and at its edges.
_GAP = 2
_EDGES = 2
_NUMBER_KINDS = frozenset({"id", "count", "share", "days", "ms", "bytes", "number"})


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
    for skipped in made[0].skipped[:_MOST_SKIPPED]:
        console.print(f"skipped  {shown(skipped.text)}", soft_wrap=True)
    if (more := len(made[0].skipped) - _MOST_SKIPPED) > 0:
        console.print(f"and {more:,} more: --json has all")


def show_page(console: Console, path: Path, made: Sequence[Report]) -> None:
    """Print one line: which page was written, how large it is, and what is on it."""
    from memctl.reports.key_figures import score_of

    score = score_of(made).value
    parts = [
        number_of(len(made), "report"),
        number_of(len(made[0].stores), "store"),
        *([number_of(len(made[0].skipped), "file") + " not read"] if made[0].skipped else []),
        number_of(sum(len(one.findings) for one in made), "finding"),
        "too few data for a score" if score is None else f"score {score:.0f} of 100",
    ]
    size = sized(path.stat().st_size)
    console.print(f"written  {shown(path)}  {size}: {', '.join(parts)}", soft_wrap=True)


def show_changes(console: Console, comparison: ReportChanges) -> None:
    """Print the figures that changed since an earlier report, and how many did not."""
    changed = [(one.label, *one.texts) for one in comparison.changed]
    since = f"since {shown(shown_time(comparison.made_at)[:16].replace('T', ' '))}"
    if changed:
        numbers = (records.Column(name, kind="number") for name in ("then", "now", "change"))
        console.print(records.table((records.Column(since), *numbers), changed))
    same = number_of(len(comparison.changes) - len(changed), "figure")
    console.print(f"{since}: {same} unchanged")
    if comparison.remark:
        console.print(shown(comparison.remark), soft_wrap=True)


def first_rows(report: Report, limit: int) -> Report:
    """Return a report with at most `limit` rows of each answer: those that are printed first."""
    answers = (
        replace(answer, rows=tuple(_newest_first(answer)[:limit])) for answer in report.answers
    )
    return replace(report, answers=tuple(answers))


def _show_heading(console: Console, report: Report) -> None:
    stores = report.stores[0] if len(report.stores) == 1 else f"{len(report.stores)} stores"
    since = f", since {report.since}" if report.since else ""
    until = f", until {report.until}" if report.until else ""
    heading = f"{report.name.upper()}  {stores}{since}{until}"
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
    for finding in report.findings[:most]:
        text = shown(f"! {finding.severity}  {finding.store}: {finding.text}")
        console.print(f"\n{wrapped(text, console.width, hang='  ')}")
        console.print(f"  {wrapped(shown(finding.advice), console.width, hang='  ')}")
        for command in filter(None, (finding.show, finding.mend)):
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
    # Where too little would be left, a row is a record of all of its cells.
    fitting, texts = _fitted(columns, texts, console.width) if cut else (columns, texts)
    drawn = [
        records.Column(
            _heading(one),
            kind="number" if one.kind in _NUMBER_KINDS else "name" if one.kind == "at" else "text",
        )
        for one in fitting
    ]
    console.print(records.table(drawn, texts))
    if len(cells) > most:
        console.print(f"  {counted(len(cells) - most, 'more row')}: --limit {len(cells)}")
    for remark, left in (
        ("no room here, but in --json, --csv and --html", columns[len(fitting) :]),
        ("not known of any row", empty),
    ):
        if left:
            names = ", ".join(column.name.replace("_", " ") for column in left)
            console.print(f"  {remark}: {names}")


def _used(answer: Answer, *, many: bool) -> tuple[list[Column], list[Row], list[Column]]:
    """Return the columns with a value, the rows of these, and the columns that are empty.

    The name of a store is in the heading where there is one alone.
    """
    wanted = [one for one in enumerate(answer.columns) if many or one[1].name != "store"]
    kept = [place for place, _ in wanted if any(row[place] is not None for row in answer.rows)]
    return (
        [answer.columns[place] for place in kept],
        [tuple(row[place] for place in kept) for row in _newest_first(answer)],
        [column for place, column in wanted if place not in kept],
    )


def _newest_first(answer: Answer) -> Sequence[Row]:
    """Return the rows of an answer, those of a course of days from the last day back."""
    place = next((n for n, column in enumerate(answer.columns) if column.kind == "at"), None)
    if place is None:
        return answer.rows

    def time(row: Row) -> str:
        return str(row[place] or "")

    result: list[Row] = []
    for _, group in groupby(answer.rows, key=lambda row: row[:place]):
        members = list(group)
        forward = sorted(members, key=time) == members
        result += sorted(members, key=time, reverse=True) if forward else members
    return result


def _cell(value: Cell, column: Column, *, cut: bool) -> str:
    """Return a cell; an id is never cut, and nothing is where there is room for all."""
    if isinstance(value, str) and column.kind == "text" and (not cut or _is_id(column)):
        return " ".join(shown(value).split())
    return cell_text(value, column.kind)


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
            places = [
                n
                for n, column in enumerate(columns)
                if column.kind == "text" and not _is_id(column)
            ]
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


def _heading(column: Column) -> str:
    """Return a column's name, with the unit where its cells bear none."""
    name = column.name if column.kind != "ms" else f"{column.name.removesuffix('_ms')}_ms"
    return name.replace("_", "\n")


def _widths(columns: Sequence[Column], texts: Sequence[Sequence[str]]) -> list[int]:
    return [
        max(
            *map(len, _heading(column).split("\n")),
            *(min(len(row[place]), _LONGEST) for row in texts),
        )
        + _GAP
        for place, column in enumerate(columns)
    ]
