"""Parts of a report: answers with described columns, findings, and skipped files."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from memctl.base.counting import sized
from memctl.store.results import Result

if TYPE_CHECKING:
    from collections.abc import Mapping

Kind = Literal["text", "id", "count", "share", "days", "ms", "bytes", "at", "number"]
SQL_TYPES: Mapping[Kind, str] = {
    "text": "varchar",
    "id": "bigint",
    "count": "bigint",
    "share": "double",
    "days": "double",
    "ms": "double",
    "bytes": "bigint",
    "at": "timestamp",
    "number": "double",
}
"""What cells of each kind are in DuckDB and in files."""

Cell = str | int | float | None

_WHOLE = 1_000  # from here on the digits behind the point say nothing
_MINUTES = "YYYY-MM-DDTHH:MM"

Severity = Literal["high", "medium", "low"]
SEVERITIES: Mapping[Severity, str] = {
    "high": "answers are wrong or missing",
    "medium": "costs room, time or trust",
    "low": "waits for somebody",
}
"""What each severity means, the highest first."""


@dataclass(frozen=True, slots=True)
class Column(Result):
    """One column of an answer.

    Parameters
    ----------
    name
        What it is called, in rows, tables and files.
    kind
        What its cells are: ``text``; ``id``, a whole number that a command takes; ``count``, a
        whole number from 0; ``share``, 0 to 1;
        ``days`` and ``ms``, lengths of time; ``bytes``, a whole number; ``at``, a time such
        as ``2026-11-20T16:33:04Z`` where its name ends in ``_at``, else a day such as
        ``2026-11-20``; ``number``, any other.
        A cell of any kind may be ``None``: not known, or not defined.
    about
        What it means, in a few words.
    """

    name: str
    kind: Kind
    about: str

    @property
    def sql_type(self) -> str:
        """What its cells are in DuckDB: a time whose name does not end in ``_at`` is a day."""
        is_day = self.kind == "at" and not self.name.endswith("_at")
        return "date" if is_day else SQL_TYPES[self.kind]


@dataclass(frozen=True, slots=True)
class Answer(Result):
    """One question of a report, answered.

    Parameters
    ----------
    name
        ``survival``, ``latency``, ...: the statement in ``sql/reports/``.
    title
        What it shows, in a few words.
    about
        How to read it, and how it was computed.
    columns
        What each row holds, in order.
    rows
        One cell a column each.
    nothing
        What it means that there are no rows.
    """

    name: str
    title: str
    about: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    nothing: str = ""

    def records(self) -> list[dict[str, Cell]]:
        """Return the rows as dicts by column name."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows]


@dataclass(frozen=True, slots=True)
class Finding(Result):
    """One cause of something wrong in one store, with its extent and what mends it.

    Parameters
    ----------
    store
        Where.
    subject
        What it is about, in a word or two: ``"stale components"``.
    severity
        ``high``, ``medium`` or ``low``, as `SEVERITIES` says.
    total
        How many cases there are, from 1.
    worst
        The worst of them, at most three, each in a few words.
    since_at
        Since when, as far as the store tells.
    text
        What is wrong, how often and since when, with the worst.
    advice
        What to do about it, in words.
    show
        The command that shows the cases, or what `mend` would do, and changes nothing; empty
        where the report's own tables show them, or no address leads to the store.
    mend
        The command that mends all of them, complete; empty where only a person can.
    """

    store: str
    subject: str
    severity: Severity
    total: int
    worst: tuple[str, ...]
    since_at: str | None
    text: str
    advice: str
    show: str
    mend: str


@dataclass(frozen=True, slots=True)
class Skipped(Result):
    """A store that could not be read.

    Parameters
    ----------
    path
        Its file.
    code
        The code of the error: ``store_damaged``, ``store_foreign``, ``store_newer``, ...
    why
        What is wrong, and what to do about it.
    """

    path: str
    code: str
    why: str

    @property
    def text(self) -> str:
        """What is wrong, with the file once."""
        return self.why if self.path in self.why else f"{self.path}: {self.why}"


@dataclass(frozen=True, slots=True)
class Report(Result):
    """The answers to the questions of one report, over one store or many.

    Parameters
    ----------
    name
        ``health``, ``decay``, ``recall``, ``matching``, ``growth`` or ``lift``.
    made_at
        The moment that ages are counted to.
    since, until
        Which time was asked for: from `since`, up to and without `until`; ``None``: no limit.
    stores
        The names of the stores that were read; the column ``store`` of answers holds them.
    skipped
        The files that could not be read.
    answers
        In the order of the report.
    findings
        What is wrong, the highest severity first.
    ms
        What took how long: ``load``, and each answer by its name.
    """

    name: str
    made_at: str
    since: str | None
    until: str | None
    stores: tuple[str, ...]
    skipped: tuple[Skipped, ...]
    answers: tuple[Answer, ...]
    findings: tuple[Finding, ...] = ()
    ms: dict[str, float] = field(default_factory=dict)

    def answer(self, name: str) -> Answer:
        """Return the answer of this name. Raises KeyError where the report has none."""
        for answer in self.answers:
            if answer.name == name:
                return answer
        raise KeyError(f'the report "{self.name}" has no answer "{name}"')


def cell_text(cell: Cell, kind: Kind) -> str:
    """Return a cell as people read it: ``97.3%``, ``1.2 MB``, ``2026-11-20 16:33``."""
    if cell is None:
        return "-"
    if isinstance(cell, str) or kind == "id":
        text = str(cell)
        return text[: len(_MINUTES)].replace("T", " ") if kind == "at" else text
    if kind == "share":
        return f"{cell:.1%}"
    if kind == "bytes":
        return sized(cell)
    if kind == "days":
        return _days(cell)
    number = f"{cell:,.0f}" if cell == int(cell) or abs(cell) >= _WHOLE else f"{cell:.3g}"
    return f"{number} ms" if kind == "ms" else number


def _days(days: float) -> str:
    for unit, per_day in (("d", 1), ("h", 24), ("min", 1_440)):
        if abs(days) * per_day >= 1:
            return f"{days * per_day:,.1f} {unit}"
    return f"{days * 86_400:.0f} s"


def shortened(text: str, most: int) -> str:
    """Return a text of at most so many letters."""
    return text if len(text) <= most else text[: most - 1] + "\N{HORIZONTAL ELLIPSIS}"
