"""Secrets that the guard refuses, harmless texts that it refuses by mistake, and its cost.

``python -m benchmarks.guard`` judges the six lists of ``tests/guard/lists``. Another list:
``--secrets FILE`` and ``--harmless FILE``, one text a line.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from benchmarks.keeping import keep
from memctl.guard.door import secret_rule
from tests.guard.lists import HARMLESS, SECRETS, texts

if TYPE_CHECKING:
    from collections.abc import Iterable

# People say such things to an agent all day: nothing in them looks like a secret.
TALK = (
    "Let us move the launch to 3 March, Ann said that the printers need two more days for it.",
    "I think we should book the table for six people at half past seven, what do you think?",
    "Great, thanks! I will bring the cake and Tom brings the drinks, see you on Saturday then.",
)
_ROUNDS = 7  # the least of them is the one that nothing disturbed


def main() -> None:
    """Judge every list, print the figures, keep them."""
    arguments = _arguments()
    lists = {name: [(one.kind, one.text) for one in texts(name)] for name in (*SECRETS, *HARMLESS)}
    if arguments.secrets or arguments.harmless:
        lists = {"secrets": _lines(arguments.secrets), "harmless": _lines(arguments.harmless)}
    # First: the guard keeps the words that it met.
    harmless = [text for name in lists if "harmless" in name for _, text in lists[name]]
    costs = {"talk": _each(TALK, 500), "texts that look close": _each(harmless, 1)}
    figures = {name: judged(given) for name, given in lists.items()}
    table = Table(title="guard")
    for heading in ("list", "texts", "refused", "share"):
        table.add_column(heading, justify="left" if heading == "list" else "right")
    for name, one in figures.items():
        share = f"{one['refused'] / one['texts']:.2%}" if one["texts"] else "-"
        table.add_row(name, str(one["texts"]), f"{one['refused']} of {one['texts']}", share)
    Console().print(table)
    for name, value in costs.items():
        Console().print(f"microseconds for {name}: {value:.1f}")
    Console().print(f"kept in {keep('guard', {'lists': figures, 'cost': costs})}", soft_wrap=True)


def judged(given: list[tuple[str, str]]) -> dict[str, int]:
    """Return how many texts there are, how many are refused, and how many of each kind are not."""
    stored = Counter(kind for kind, text in given if secret_rule(text) is None)
    return {
        "texts": len(given),
        "refused": len(given) - stored.total(),
        **{f"stored: {kind}": count for kind, count in stored.items()},
    }


def _each(given: Iterable[str], times: int) -> float:
    """Return processor time for a text, in microseconds."""
    listed = [*given] * times
    spent = [0.0] if not listed else []
    for _ in range(_ROUNDS if listed else 0):
        begun = time.process_time()
        for text in listed:
            secret_rule(text)
        spent.append(time.process_time() - begun)
    return min(spent) / max(len(listed), 1) * 1e6


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--secrets", type=Path, help="secrets, one a line")
    parser.add_argument("--harmless", type=Path, help="harmless texts, one a line")
    return parser.parse_args()


def _lines(file: Path | None) -> list[tuple[str, str]]:
    listed = file.read_text("utf-8").splitlines() if file else []
    return [(f"line {number}", line) for number, line in enumerate(listed, 1) if line.strip()]


if __name__ == "__main__":
    main()
