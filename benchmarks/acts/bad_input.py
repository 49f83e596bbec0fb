"""Pages, values and answers that nobody expects: the cases beside the situations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.acts.layouts import LAYOUTS
from benchmarks.acts.people import rows_of
from benchmarks.acts.serving import FAULTS
from benchmarks.acts.situations import OTHER, Case

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.acts.layouts import Layout
    from benchmarks.acts.people import Row
    from benchmarks.acts.situations import Can

__all__ = ["bad_cases", "fault_cases"]

_SCRIPTED: tuple[tuple[str, Can, tuple[str, ...]], ...] = (
    ("vanishes", "no", ("_vanishes.js",)),
    ("moves", "yes", ("_moves.js",)),
    ("moves-on", "either", ("_moves_on.js",)),
    ("covered", "no", ("_covered.js",)),
    ("foreign", "either", ("_foreign.js",)),
    ("foreign-only", "no", ("_foreign.js", "_foreign_only.js")),
    ("confirm", "either", ("_confirm.js",)),
    ("alert", "yes", ("_alert.js",)),
)
_LONG = 10_000
# By layouts of all kinds of answers: shown at once or when the server said so, with errors or none.
_FAULTY = (
    "ids", "plain", "cards", "orders", "divgrid", "switches", "boxes", "menus", "rename", "virtual",
    "german", "chinese", "form", "enter", "tickets",
)  # fmt: skip
_CAN: dict[str, Can] = {"drop after": "unsure", "late": "yes"}


def bad_cases(layout: Layout) -> Iterator[Case]:
    """Return the cases of bad input of a layout: of tables and of forms."""
    if layout.name in {"form", "enter"}:
        name = "who" if layout.name == "form" else "task"
        rows, row, values = _parts(layout)
        yield Case(layout, "long", rows, row, {**values, name: "x" * _LONG}, "either")
    if layout.name not in {"ids", "plain"}:
        return
    for situation, can, scripts in _SCRIPTED:
        yield Case(layout, situation, *_parts(layout), can, scripts=scripts)
    yield Case(layout, "two-tabs", *_parts(layout), tabs=2)
    yield Case(layout, "download", *_parts(layout), "no", fault="download")
    rows, row, values = _parts(layout)
    yield Case(layout, "long", rows, None, {"who": "x" * _LONG}, "no")
    yield Case(
        layout, "stale", [one for one in rows if one is not row], row, values, "no", ghost=row
    )
    field = "city" if layout.name == "ids" else "mail"
    rows, row, values = _parts(layout)
    row[field] = row["name"]
    yield Case(layout, "twice-in-row", rows, row, values)
    rows, row, values = _parts(layout)
    rows[1][field] = row["name"]
    yield Case(layout, "in-two-rows", rows, row, values, "either")


def fault_cases() -> Iterator[Case]:
    """Return runs of several layouts whose server fails in each way."""
    for name in _FAULTY:
        for fault in FAULTS:
            can = _CAN.get(fault, "no")
            yield Case(LAYOUTS[name], fault, *_parts(LAYOUTS[name]), can, fault=fault)


def _parts(layout: Layout) -> tuple[list[Row], Row, dict[str, str]]:
    rows = rows_of(layout.names, layout.count)
    return rows, rows[OTHER], layout.values(rows[OTHER], 1)
