"""Questions that ask for all of something: whether the answer is complete, in order, and says what it lacks.

The worlds are those of `exact`; a question may also say ``order`` (its rows are wanted in the order
of time). What is asked is what is shipped: no cut, limit or setting is told.
"""

from __future__ import annotations

import json
import tempfile
from collections import defaultdict
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import memctl
from benchmarks.retrieval.exact import load_world

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["Listed", "ask_lists", "run_lists"]

# Too few to hold most lists of the worlds: whether the answer says that there is more.
_TIGHT = 2
_OF_ONE_ROW = frozenset(
    {"one", "alias", "paraphrase", "superseded", "scope", "name", "typo", "negation"}
)


@dataclass(frozen=True)
class Listed:
    """One question, the names of the rows that came, and whether a tight limit told of the others."""

    text: str
    kind: str
    want: frozenset[str]
    right: frozenset[str]
    given: tuple[str, ...]
    ordered: bool | None
    told: bool | None


def ask_lists(file: Path) -> list[Listed]:
    """Return the answers to those questions of a world that ask for all of something."""
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
    now = next(line["now"] for line in lines if line["type"] == "world")
    questions = [
        line for line in lines if line["type"] == "question" and line["kind"] not in _OF_ONE_ROW
    ]
    answers = []
    with tempfile.TemporaryDirectory() as home, ExitStack() as doors:
        names = load_world(lines, home, None)
        opened: dict[str | None, Any] = {}
        for line in questions:
            project = line["project"]
            if project not in opened:
                opened[project] = doors.enter_context(memctl.open("agent", home, agent=project))
            answers.append(_listed(opened[project], line, names, now))
    return answers


def run_lists(files: Iterable[Path]) -> list[dict[str, Any]]:
    """Print how complete the lists of each world are, by kind of question."""
    figures = []
    for file in files:
        asked = ask_lists(file)
        kinds: dict[str, list[Listed]] = defaultdict(list)
        for one in asked:
            kinds[one.kind].append(one)
        print(f"\n{file.stem}: {len(asked)} questions, none of which asks for one row")
        print(
            f"{'kind':<9}{'n':>4}{'complete':>10}{'recall':>8}{'precision':>11}{'exact':>7}", end=""
        )
        print(f"{'in order':>10}{'told':>6}{'quiet':>7}{'rows':>6}")
        for kind, some in [*kinds.items(), ("all", asked)]:
            figure = _figures(some)
            figures.append({"world": file.stem, "kind": kind, **figure})
            cells = "".join(
                f"{'-' if figure[name] is None else format(100 * figure[name], '.0f'):>{wide}}"
                for name, wide in _COLUMNS
            )
            print(f"{kind:<9}{len(some):>4}{cells}{figure['rows']:>6.2f}")
    return figures


_COLUMNS = (
    ("complete", 10),
    ("recall", 8),
    ("precision", 11),
    ("exact", 7),
    ("in order", 10),
    ("told", 6),
    ("quiet", 7),
)


def _listed(memory: Any, line: dict[str, Any], names: dict[Any, str], now: str) -> Listed:
    found = memory.recall(line["q"], now=now, record=False)
    want = frozenset(line["want"])
    ordered = None
    if line.get("order"):
        times = [row.happened_at for row in found]
        ordered = bool(times) and times == sorted(times)
    told = None
    if len(want) > _TIGHT:
        tight = memory.recall(line["q"], now=now, record=False, limit=_TIGHT)
        told = len(tight) < _TIGHT or getattr(tight, "more", 0) > 0
    given = tuple(names.get((row.kind, row.id), row.name) for row in found)
    return Listed(line["q"], line["kind"], want, want | frozenset(line["ok"]), given, ordered, told)


def _figures(asked: list[Listed]) -> dict[str, Any]:
    wanting = [one for one in asked if one.want]
    rows = [name in one.right for one in asked for name in one.given]
    return {
        "complete": _mean(one.want <= {*one.given} for one in wanting),
        "recall": _mean(len(one.want & {*one.given}) / len(one.want) for one in wanting),
        "precision": _mean(rows),
        "exact": _mean(one.want <= {*one.given} <= one.right for one in asked),
        "in order": _mean(one.ordered for one in asked if one.ordered is not None),
        "told": _mean(one.told for one in asked if one.told is not None),
        "quiet": _mean(not one.given for one in asked if not one.want),
        "rows": len(rows) / len(asked),
    }


def _mean(values: Iterable[float]) -> float | None:
    given = [float(value) for value in values]
    return sum(given) / len(given) if given else None
