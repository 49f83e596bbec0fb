"""How many secrets are refused, and how many ordinary texts with them.

``python -m benchmarks.guard`` runs the guard over every list: secrets by format, and ordinary
texts that look close by kind; beside them it prints what each list found when the rules first
met it. Another list: ``--secrets FILE`` and ``--harmless FILE``, one text a line.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from benchmarks.guard.lists import FIRST_CONTACT, Labelled, own_lists
from benchmarks.keeping import keep
from memctl.guard.door import secret_rule
from memctl.guard.rules.rules import hits
from memctl.guard.rules.text_view import plain_view

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# What people say to an agent all day: nothing in it looks like a secret.
TALK = (
    "Let us move the launch to 3 March, Ann said that the printers need two more days for it.",
    "I think we should book the table for six people at half past seven, what do you think?",
    "Great, thanks! I will bring the cake and Tom brings the drinks, see you on Saturday then.",
)
_ROUNDS = 7  # the least of them is the one that nothing disturbed


def main() -> None:
    """Run every list, print what was refused, keep the figures."""
    arguments = _arguments()
    lists = own_lists()
    if arguments.secrets or arguments.harmless:
        lists = {"yours": (_lines(arguments.secrets), _lines(arguments.harmless))}
    # First: the guard keeps the words it met until it has twenty thousand, as the lists alone have.
    costs = _costs([text for _, both in lists.items() for _, text in both[1]])
    figures = {name: _judged(*both) for name, both in lists.items()}
    _show(figures)
    for name, value in costs.items():
        Console().print(f"{name.replace('_', ' ')}: {value:.1f}")
    kept = {
        "lists": figures,
        "first_contact": {name: one._asdict() for name, one in FIRST_CONTACT.items()},
        "microseconds": costs,
    }
    Console().print(f"kept in {keep('guard', kept)}", soft_wrap=True)


def _judged(secrets: Labelled, ordinary: Labelled) -> dict[str, object]:
    missed = [one for one in secrets if secret_rule(one[1]) is None]
    refused = [one for one in ordinary if secret_rule(one[1]) is not None]
    return {
        "secrets": len(secrets),
        "refused": len(secrets) - len(missed),
        "missed_by_format": dict(Counter(label for label, _ in missed)),
        "ordinary": len(ordinary),
        "falsely_refused": len(refused),
        "refused_by_kind": dict(Counter(label for label, _ in refused)),
    }


def _costs(ordinary: list[str]) -> dict[str, float]:
    """Return processor time for a text, in microseconds: with the gate, and without it."""
    return {
        "microseconds_for_a_line_of_talk": _each(secret_rule, TALK, 500),
        "the_same_without_the_gate": _each(_without_gate, TALK, 500),
        "microseconds_for_a_text_that_looks_close": _each(secret_rule, ordinary, 1),
        "that_without_the_gate": _each(_without_gate, ordinary, 1),
    }


def _without_gate(text: str) -> object:
    return next(hits(plain_view(text)), None)


def _each(ask: Callable[[str], object], texts: Iterable[str], times: int) -> float:
    listed = [*texts] * times
    if not listed:
        return 0.0
    spent = []
    for _ in range(_ROUNDS):
        begun = time.process_time()
        for text in listed:
            ask(text)
        spent.append(time.process_time() - begun)
    return min(spent) / len(listed) * 1e6


def _show(figures: dict[str, dict[str, object]]) -> None:
    table = Table(title="guard: now, and when the rules first met the list")
    for heading in ("list", "secrets refused", "at first", "ordinary refused", "at first"):
        table.add_column(heading, justify="left" if heading == "list" else "right")
    for name, one in figures.items():
        first = FIRST_CONTACT.get(name)
        table.add_row(
            name,
            _share(one["refused"], one["secrets"]),
            _share(first.refused, first.secrets) if first else "-",
            _share(one["falsely_refused"], one["ordinary"]),
            _share(first.falsely_refused, first.ordinary) if first else "-",
        )
    Console().print(table)


def _share(part: object, whole: object) -> str:
    if not isinstance(part, int) or not isinstance(whole, int) or not whole:
        return "-"
    return f"{part:,} of {whole:,} ({part / whole:.2%})"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--secrets", type=Path, help="secrets, one a line")
    parser.add_argument("--harmless", type=Path, help="ordinary texts, one a line")
    return parser.parse_args()


def _lines(file: Path | None) -> Labelled:
    return list(_labelled(file.read_text("utf-8").splitlines())) if file else []


def _labelled(lines: Iterable[str]) -> Iterable[tuple[str, str]]:
    return ((f"line {number}", line) for number, line in enumerate(lines, 1) if line.strip())


if __name__ == "__main__":
    main()
