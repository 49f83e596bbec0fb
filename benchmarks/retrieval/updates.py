"""Updates: whether the turn that states the present value stands above the one before it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from benchmarks.retrieval.beam import UPDATE
from benchmarks.retrieval.measures import CUT, interval

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.retrieval.conversations import Question
    from benchmarks.retrieval.quality import Key, Run

__all__ = ["Updates", "updates_of", "updates_table"]


@dataclass(frozen=True)
class Updates:
    """Whether the newer turn stands above, for each question that found one of the two.

    `both` are those that found both among the first ten, `either` also those that found one:
    the newer alone counts as above.
    """

    both: list[bool]
    either: list[bool]


def updates_of(run: Run, questions: dict[Key, Question]) -> Updates:
    """Return what a run did with the questions about a value that changed."""
    both, either = [], []
    for key, question in questions.items():
        ranked = run.answers[key].ranked
        newer = _place(ranked, question.newer - question.older)
        older = _place(ranked, question.older - question.newer)
        if max(newer, older) < CUT:
            both.append(newer < older)
        if min(newer, older) < CUT:
            either.append(newer < older)
    return Updates(both, either)


def updates_table(runs: Iterable[Run], questions: dict[Key, Question]) -> str:
    """Return the table that is printed; empty without such questions."""
    chosen = {key: each for key, each in questions.items() if each.label == UPDATE and each.newer}
    if not chosen:
        return ""
    lines = [f"Updates: the newer above the older, {len(chosen)} questions"]
    for run in runs:
        found = updates_of(run, chosen)
        lines.append(
            f"{run.engine:28}both found {_share(found.both)}   one found {_share(found.either)}"
        )
    return "\n".join(lines)


def _place(ranked: list[str], wanted: frozenset[str]) -> int:
    return next((place for place, name in enumerate(ranked) if name in wanted), CUT)


def _share(above: list[bool]) -> str:
    if not above:
        return "none"
    low, high = interval(above)
    share = 100 * sum(above) / len(above)
    return f"{sum(above):2} of {len(above):2} {share:5.1f} % ({100 * low:.0f}, {100 * high:.0f})"
