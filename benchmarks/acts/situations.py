"""The situations in which a deed is asked for again, bad input and faults, and what would be right."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from benchmarks.acts.layouts import LAYOUTS, Row, longer_names, nobody, rows_of
from benchmarks.acts.serving import FAULTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from benchmarks.acts.layouts import Layout, Row, Values
    from benchmarks.outcomes import Can


# -- situations --------------------------------------------------

SHOWN, OTHER = 2, 5  # the row of the demonstration, and another one


@dataclass(frozen=True, slots=True)
class Case:
    """One run of a skill.

    Parameters
    ----------
    rows
        What the page has at first.
    target
        The row that is meant; ``None`` where there is none.
    values
        What the skill is given.
    can
        Whether it can be done.
    fault
        How the server fails: see `benchmarks.acts.serving.App`.
    scripts
        Files that are added to the page.
    viewport, dark
        How the browser is opened.
    tabs
        How often the page is open; the skill runs in the first tab.
    ghost
        A row that the page shows, though the server has it no more.
    """

    layout: Layout
    situation: str
    rows: list[Row]
    target: Row | None
    values: Values
    can: Can = "yes"
    fault: str = ""
    scripts: tuple[str, ...] = ()
    viewport: tuple[int, int] = (1280, 800)
    dark: bool = False
    tabs: int = 1
    ghost: Row | None = None
    expected: Sequence[Row] = field(init=False)

    def __post_init__(self) -> None:
        done = self.target is not None and self.can != "no"
        rows = self.layout.deed(self.rows, self.target or {}, self.values) if done else self.rows
        object.__setattr__(self, "expected", rows)

    @property
    def name(self) -> str:
        """Its name among all."""
        return f"{self.layout.name}/{self.situation}"


def base_case(layout: Layout) -> Case:
    """Return what is shown once."""
    rows = rows_of(layout.names, layout.count)
    return Case(layout, "shown", rows, rows[SHOWN], layout.values(rows[SHOWN], 0))


def cases_of(layout: Layout) -> Iterator[Case]:
    """Return the cases of a layout in the situations that make sense there."""
    for name, make in SITUATIONS.items():
        if layout.adds and name in _OF_ROWS:
            continue
        rows = rows_of(layout.names, layout.many if name == "far" else layout.count)
        case = make(layout, name, rows)
        # A page that asks no server is neither refused nor answered late.
        if case is not None and not (layout.client and case.fault):
            yield case


def _other(layout: Layout, name: str, rows: list[Row], can: Can = "yes", **how: Any) -> Case:
    return Case(layout, name, rows, rows[OTHER], layout.values(rows[OTHER], 1), can, **how)


def _with(can: Can = "yes", **how: Any) -> Callable[[Layout, str, list[Row]], Case]:
    return lambda layout, name, rows: _other(layout, name, rows, can, **how)


def _same(layout: Layout, name: str, rows: list[Row]) -> Case:
    return Case(layout, name, rows, rows[SHOWN], layout.values(rows[SHOWN], 0))


def _nobody(layout: Layout, name: str, rows: list[Row]) -> Case:
    ghost = {**rows[OTHER], "name": nobody(layout.names)}
    return Case(layout, name, rows, None, layout.values(ghost, 1), "no")


def _gone(layout: Layout, name: str, rows: list[Row]) -> Case:
    gone = rows.pop(OTHER)
    return Case(layout, name, rows, None, layout.values(gone, 1), "no")


def _order(layout: Layout, name: str, rows: list[Row]) -> Case:
    row, top = rows[OTHER], rows[:20]
    random.Random(7).shuffle(top)
    rows[:20] = top
    return Case(layout, name, rows, row, layout.values(row, 2))


def _namesake(layout: Layout, name: str, rows: list[Row]) -> Case:
    row = rows[OTHER]
    twin: Row = {**rows[1], **{key: row[key] for key in ("name", "order") if key in row}}
    rows.insert(OTHER + 2, twin | {"key": _new_key(rows)})
    return Case(layout, name, rows, row, layout.values(row, 1), "no")


def _longer_only(layout: Layout, name: str, rows: list[Row]) -> Case:
    row = rows[OTHER]
    values = layout.values(row, 1)
    row["name"] = longer_names(layout.names, row["name"])[0]
    return Case(layout, name, rows, row, values, "no")


def _longer_both(layout: Layout, name: str, rows: list[Row]) -> Case:
    row = rows[OTHER]
    for place, longer in enumerate(longer_names(layout.names, row["name"]), OTHER):
        rows.insert(place, {**row, "name": longer, "key": _new_key(rows)})
    return Case(layout, name, rows, row, layout.values(row, 1))


def _far(layout: Layout, name: str, rows: list[Row]) -> Case:
    return Case(layout, name, rows, rows[-4], layout.values(rows[-4], 3))


def _already(layout: Layout, name: str, rows: list[Row]) -> Case | None:
    row = rows[OTHER]
    values = layout.values(row, 1)
    row[layout.toggles] = values.get("to", True)
    return Case(layout, name, rows, row, values, "so") if layout.toggles else None


def _elsewhere(layout: Layout, name: str, rows: list[Row]) -> Case | None:
    rows[3]["name"] = rows[OTHER]["name"]  # in the other table
    return _other(layout, name, rows, "either") if layout.tables else None


def _new_key(rows: Sequence[Row]) -> int:
    return 1 + max(int(row["key"]) for row in rows)


_OF_ROWS = {"nobody", "gone", "namesake", "longer-only", "longer-both"}
SITUATIONS: Mapping[str, Callable[[Layout, str, list[Row]], Case | None]] = {
    "another": _with(),
    "same": _same,
    "nobody": _nobody,
    "gone": _gone,
    "order": _order,
    "namesake": _namesake,
    "longer-only": _longer_only,
    "longer-both": _longer_both,
    "slow": _with(fault="slow"),
    "refused": _with("no", fault="refused"),
    "dead": _with("no", scripts=("_dead.js",)),
    "asked": _with("either", scripts=("_asked.js",)),
    "far": _far,
    "already": _already,
    "elsewhere": _elsewhere,
    "dark": _with(dark=True),
    "narrow": _with(viewport=(820, 1100)),
    "wide": _with(viewport=(1700, 950)),
}


# -- bad input ---------------------------------------------------

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
