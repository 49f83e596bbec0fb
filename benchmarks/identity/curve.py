"""Both errors on one curve: siblings taken and true ones refused, by the allowed strangeness."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.identity.answers import Answer

__all__ = ["print_curve"]

ALLOWED = (0.5, 0.75, 1.0, 1.15, 1.3, 1.5, 2.0)
"""Shares of what memctl allows a label to differ by; 1 is what it ships."""


def print_curve(half: str, answers: Iterable[Answer]) -> None:
    """Print, for each allowance, how many places of siblings and of true ones would pass.

    Counted are places that passed every other check; a component that was found nowhere has no
    strangeness. Of a refused true one the best refused place counts.
    """
    asked = [
        one
        for one in answers
        if one.asked.part == "siblings"
        and one.given.by == "match"
        and one.asked.memory == "one of them"
        and one.asked.kind != "confusable"
        and one.given.strangeness is not None
        and one.there is not None
    ]
    table = Table(title=f"Allowed strangeness, {half}", caption="1: as shipped")
    table.add_column("allowed", justify="right")
    for name in ("own scale", "other scales"):
        table.add_column(f"{name}: siblings taken", justify="right")
        table.add_column("true ones kept", justify="right")
    for allowed in ALLOWED:
        cells = [f"{allowed:g}"]
        for other in (False, True):
            some = [one for one in asked if one.asked.variation.startswith("scale") is other]
            for there in (False, True):
                values = [one.given.strangeness or 0.0 for one in some if one.there is there]
                passed = sum(value <= allowed for value in values)
                cells.append(f"{passed}/{len(values)}")
        table.add_row(*cells)
    Console(width=80).print(table)
