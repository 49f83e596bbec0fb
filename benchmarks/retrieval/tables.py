"""Tables of the answers: each set's half apart, all questions and by type."""

from __future__ import annotations

from dataclasses import astuple
from typing import TYPE_CHECKING

from benchmarks.retrieval.conversations import halves
from benchmarks.retrieval.measures import complete, interval, mean
from benchmarks.retrieval.quality import keys_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.retrieval.conversations import Conversation, Question
    from benchmarks.retrieval.quality import Key, Run

__all__ = ["HEADER", "line", "tables"]

HEADER = ("R@1", "R@5", "R@10", "any@10")
_WIDTH = 28


def tables(runs: list[Run], conversations: list[Conversation]) -> str:
    """Return the tables that are printed; the first run is the one that is compared."""
    parts = []
    for half, chosen in halves(conversations).items():
        for kind in dict.fromkeys(each.kind for each in chosen):
            of_kind = [each for each in chosen if each.kind == kind]
            parts += _half(runs, of_kind, f"{kind} {half} ({', '.join(c.name for c in of_kind)})")
    return "\n\n".join(parts)


def line(title: str, cells: Iterable[str]) -> str:
    """Return one line of a table."""
    return f"{title:{_WIDTH}}" + "".join(f"{cell:>9}" for cell in cells)


def _half(runs: list[Run], conversations: list[Conversation], title: str) -> list[str]:
    given = {key: each for key, each in keys_of(conversations).items() if each.evidence}
    answerable = {key: each for key, each in given.items() if each.answerable}
    parts = [_table(runs, answerable, f"{title}: all answerable questions")]
    parts += [_differences(runs, answerable, title)] if len(runs) > 1 else []
    for label in dict.fromkeys(each.label for each in given.values()):
        chosen = {key: each for key, each in given.items() if each.label == label}
        parts.append(_table(runs, chosen, f"{title}: {label}"))
    several = {key: each for key, each in answerable.items() if len(each.evidence) > 1}
    return [*parts, _all_of_it(runs, several, title)] if several else parts


def _all_of_it(runs: list[Run], several: dict[Key, Question], title: str) -> str:
    """Return the table of questions whose answer stands in several turns: how much of it comes."""
    lines = [
        f"{title}: answered by several turns, {len(several)}",
        line("", ("R@20", "R@40", "all@20", "all@40", "n")),
    ]
    for label in ("all", *dict.fromkeys(each.label for each in several.values())):
        chosen = {key: q for key, q in several.items() if label in ("all", q.label)}
        lines.append(f"{label}:")
        for run in runs:
            if not any(run.answers[key].deep for key in chosen):
                continue  # an earlier run, before these were asked for
            shares = [complete(run.answers[key].deep, q.evidence) for key, q in chosen.items()]
            means = (sum(column) / len(column) for column in zip(*shares, strict=True))
            cells = [*(f"{100 * share:.1f}" for share in means), str(len(chosen))]
            lines.append(line(f"  {run.engine}", cells))
    return "\n".join(lines)


def _table(runs: list[Run], questions: dict[Key, Question], title: str) -> str:
    lines = [f"{title}, {len(questions)}", line("", (*HEADER, "p50 ms"))]
    for run in runs:
        cells = [*mean(run.scores(questions)).percents(), f"{run.p50(questions):.2f}"]
        lines.append(line(run.engine, cells))
    return "\n".join(lines)


def _differences(runs: list[Run], questions: dict[Key, Question], title: str) -> str:
    """Return what the first run is better by, question by question."""
    first, *others = runs
    lines = [f"{title}: {first.engine} against each, points with 95 % bootstrap intervals"]
    for other in others:
        pairs = zip(first.scores(questions), other.scores(questions), strict=True)
        differences = [
            [100 * (now - then) for now, then in zip(astuple(a), astuple(b), strict=True)]
            for a, b in pairs
        ]
        cells = [_with_interval(column) for column in zip(*differences, strict=True)]
        texts = zip(HEADER, cells, strict=True)
        lines.append(f"{other.engine:{_WIDTH}}" + "".join(f"{h} {c:22}" for h, c in texts).rstrip())
    return "\n".join(lines)


def _with_interval(differences: Sequence[float]) -> str:
    low, high = interval(differences)
    return f"{sum(differences) / len(differences):+.1f} ({low:.1f}, {high:.1f})"
