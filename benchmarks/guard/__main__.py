"""Secrets that the guard refuses, harmless texts that it refuses by mistake, why, and its cost.

``python -m benchmarks.guard`` judges the lists of ``tests/guard/lists``, and beside it those of
detect-secrets and betterleaks that are installed. Other texts: ``--texts FILE``, JSON Lines with
``kind``, ``text`` and ``secret`` (true or false), or ``--secrets FILE`` and ``--harmless FILE``,
one text a line.
"""

from __future__ import annotations

import argparse
import json
import time
from base64 import b64decode
from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console
from rich.table import Table

from benchmarks.guard.rivals import rivals
from benchmarks.keeping import keep
from memctl.guard.door import reason, secret_rule
from memctl.guard.secret_search import told_place
from tests.guard.lists import HARMLESS, SECRETS, texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# People say such things to an agent all day: nothing in them looks like a secret.
TALK = (
    "Let us move the launch to 3 March, Ann said that the printers need two more days for it.",
    "I think we should book the table for six people at half past seven, what do you think?",
    "Great, thanks! I will bring the cake and Tom brings the drinks, see you on Saturday then.",
)
_ROUNDS = 7  # the least of them is the one that nothing disturbed


class Given(NamedTuple):
    """A text to be judged, and whether it holds a secret."""

    kind: str
    text: str
    secret: bool


def main() -> None:
    """Judge every list, print the figures, keep them."""
    given = _given(_arguments())
    # First: the guard keeps the words that it met.
    harmless = [one.text for one in given if not one.secret]
    costs = {"talk": _each(TALK, 500), "texts that look close": _each(harmless, 1)}
    judges: dict[str, Callable[[str], bool]] = {"memctl": lambda text: bool(secret_rule(text))}
    judges |= rivals()
    refused = {name: [judge(one.text) for one in given] for name, judge in judges.items()}
    figures = {
        which: {name: _by_kind(given, refused[name], secret=secret) for name in judges}
        for which, secret in (("secrets", True), ("harmless", False))
    }
    for which, by_judge in figures.items():
        _print_kinds(which, by_judge)
    reasons = _print_reasons([one for one in given if secret_rule(one.text)])
    for name, value in costs.items():
        Console().print(f"microseconds for {name}: {value:.1f}")
    result = {"refused": figures, "reasons": reasons, "cost": costs}
    Console().print(f"kept in {keep('guard', result)}", soft_wrap=True)


def _by_kind(
    given: list[Given], refused: list[bool], *, secret: bool
) -> dict[str, tuple[int, int]]:
    """Return, for each kind and for all, how many texts there are and how many are refused."""
    counts: dict[str, list[bool]] = defaultdict(list)
    for one, answer in zip(given, refused, strict=True):
        if one.secret is secret:
            counts[one.kind].append(answer)
            counts["all"].append(answer)
    return {kind: (len(answers), sum(answers)) for kind, answers in sorted(counts.items())}


def _print_kinds(which: str, by_judge: dict[str, dict[str, tuple[int, int]]]) -> None:
    table = Table(title=f"{which}: how many are refused")
    for at, heading in enumerate(("kind", "texts", *by_judge)):
        table.add_column(heading, justify="right" if at else "left")
    for kind, (count, _) in by_judge["memctl"].items():
        shares = (f"{one[kind][1]} ({one[kind][1] / count:.1%})" for one in by_judge.values())
        table.add_row(kind, str(count), *shares)
    Console().print(table)


def _print_reasons(refused: list[Given]) -> dict[str, int]:
    """Print why texts are refused, with one place of each rule, and every harmless one."""
    rules = [(secret_rule(one.text) or "", one) for one in refused]
    counts = Counter(rule for rule, _ in rules)
    examples = {rule: told_place(one.text) for rule, one in reversed(rules)}
    table = Table(title="why")
    for heading in ("rule", "in words", "refused", "the first"):
        table.add_column(heading)
    for rule, count in counts.most_common():
        table.add_row(rule, reason(rule), str(count), examples[rule].replace("[", r"\["))
    Console().print(table)
    for rule, one in rules:
        if not one.secret:
            place = told_place(one.text)
            Console().print(f"harmless, refused: {place} ({reason(rule)})", markup=False)
    return dict(counts)


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
    parser.add_argument("--texts", type=Path, help="JSON Lines with kind, text and secret")
    parser.add_argument("--secrets", type=Path, help="secrets, one a line")
    parser.add_argument("--harmless", type=Path, help="harmless texts, one a line")
    return parser.parse_args()


def _given(arguments: argparse.Namespace) -> list[Given]:
    if arguments.texts:
        lines = arguments.texts.read_text("utf-8").splitlines()
        return [_of_row(json.loads(line)) for line in lines if line.strip()]
    if arguments.secrets or arguments.harmless:
        return [*_lines(arguments.secrets, secret=True), *_lines(arguments.harmless, secret=False)]
    return [
        Given(name, one.text, name in SECRETS)
        for name in (*SECRETS, *HARMLESS)
        for one in texts(name)
    ]


def _of_row(row: dict[str, str | bool]) -> Given:
    """Read a row; ``text_b64`` is base64 of the bytes from behind, which no leak scanner reads."""
    packed = row.get("text_b64")
    text = b64decode(str(packed))[::-1].decode() if packed else str(row["text"])
    return Given(str(row["kind"]), text, bool(row["secret"]))


def _lines(file: Path | None, *, secret: bool) -> list[Given]:
    listed = file.read_text("utf-8").splitlines() if file else []
    return [Given("lines", line, secret) for line in listed if line.strip()]


if __name__ == "__main__":
    main()
