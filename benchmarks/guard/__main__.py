"""How many secrets are refused, and how many ordinary texts with them.

``python -m benchmarks.guard`` runs the guard over two corpora, written by different hands than
its rules: generated secrets by format, and ordinary texts that look close by kind. Another
corpus: ``--secrets FILE`` and ``--harmless FILE``, one text a line.
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
from memctl.guard import secret_rule
from tests.guard.harmless_corpus import HARMLESS
from tests.guard.secrets_corpus import secret_cases

if TYPE_CHECKING:
    from collections.abc import Iterable

Labelled = list[tuple[str, str]]


def main() -> None:
    """Run both corpora, print what was refused, keep the figures."""
    arguments = _arguments()
    secrets = _lines(arguments.secrets) or [(case.format, case.text) for case in secret_cases()]
    harmless = _lines(arguments.harmless) or list(HARMLESS)
    missed = [one for one in secrets if secret_rule(one[1]) is None]
    started = time.process_time()
    refused = [one for one in harmless if secret_rule(one[1]) is not None]
    each = (time.process_time() - started) / len(harmless) * 1e6
    figures = {
        "secrets": len(secrets),
        "recall": 1 - len(missed) / len(secrets),
        "missed_by_format": dict(Counter(label for label, _ in missed)),
        "ordinary": len(harmless),
        "false_refusals": len(refused) / len(harmless),
        "refused_by_kind": dict(Counter(label for label, _ in refused)),
        "microseconds_for_an_ordinary_text": each,
    }
    _show(figures)
    Console().print(f"kept in {keep('guard', figures)}", soft_wrap=True)


def _show(figures: dict[str, object]) -> None:
    table = Table(title="guard")
    table.add_column("figure")
    table.add_column("value", justify="right")
    for name, value in figures.items():
        shown = f"{value:.4f}" if isinstance(value, float) else str(value)
        table.add_row(name.replace("_", " "), shown)
    Console().print(table)


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
