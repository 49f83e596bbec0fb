"""Exact recall: of the rows that are given, how many answer; and of what answers, how much is given.

A world is a file of facts, aliases, turns and questions, each question with the complete list of the
rows that answer it (``worlds/``; one JSON a line):

- ``alias``: ``alias``, ``for``;
- ``fact``: ``fact`` (its name), ``text``, ``project``, ``user``, ``said_at``, ``replaces``;
- ``turn``: ``turn`` (its name), ``session``, ``speaker``, ``text``, ``at``;
- ``question``: ``q``, ``kind``, ``project``, ``want`` (all that answer), ``ok`` (may come, too).
"""

from __future__ import annotations

import json
import tempfile
from collections import defaultdict
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import memctl
from memctl.base.errors import MemctlError
from memctl.search import engine

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["Judged", "Told", "ask_world", "load_world", "run_exact"]

WORLDS = Path(__file__).parent / "worlds"
_MOST = 20
_GIVEN = 5


@dataclass(frozen=True)
class Judged:
    """A row of an answer: its name in the world, its signals, and whether it answers."""

    name: str
    said: bool
    worth: float
    signals: dict[str, float]
    answers: bool


@dataclass
class Told:
    """A question of a world and the rows that share words with it, best first."""

    text: str
    kind: str
    want: frozenset[str]
    rows: list[Judged] = field(default_factory=list)


def ask_world(file: Path, settings: dict[str, str] | None = None) -> list[Told]:
    """Load a world into a store of its own, ask its questions, return what came with its signals."""
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
    now = next(line["now"] for line in lines if line["type"] == "world")
    asked: list[Told] = []
    with tempfile.TemporaryDirectory() as home, ExitStack() as doors:
        names = load_world(lines, home, settings)
        opened: dict[str | None, Any] = {}
        for line in lines:
            if line["type"] != "question":
                continue
            project = line["project"]
            if project not in opened:
                memory = memctl.open("agent", home, agent=project, settings=settings)
                opened[project] = doors.enter_context(memory)
            told = Told(line["q"], line["kind"], frozenset(line["want"]))
            right = told.want | frozenset(line["ok"])
            for row, signals in _ask(opened[project], line["q"], now):
                name = names.get((row.kind, row.id), row.name)
                judged = Judged(name, row.kind != "fact", row.worth, signals, name in right)
                told.rows.append(judged)
            asked.append(told)
    return asked


def run_exact(
    files: Iterable[Path], settings: dict[str, str] | None = None, *, fit: bool = False
) -> list[dict[str, Any]]:
    """Print how exact the answers to each world are; with `fit`, the weights that fit them best."""
    least = 0.3
    worlds = {file.stem: ask_world(file, settings) for file in files}
    figures = []
    for name, asked in worlds.items():
        print(f"\n{name}: {len(asked)} questions")
        figures += _report(asked, least)
    if fit:
        _fit(worlds, least)
    return figures


def load_world(
    lines: Iterable[dict[str, Any]], home: str, settings: dict[str, str] | None
) -> dict[tuple[str, int | str], str]:
    """Store the facts, aliases and turns of a world; return the name that each row has there."""
    names: dict[tuple[str, int | str], str] = {}
    ids: dict[str, str] = {}
    with memctl.open("agent", home, settings=settings) as memory:
        for line in lines:
            if line["type"] == "alias":
                memory.aliases.add(line["alias"], line["for"])
            elif line["type"] == "turn":
                made = memory.log(
                    line["text"],
                    speaker=line["speaker"],
                    session=line["session"],
                    logged_at=line["at"],
                )
                names["turn", made] = line["turn"]
            elif line["type"] == "fact":
                try:
                    written = memory.facts.store(
                        [line["text"]],
                        user_id=line["user"],
                        agent_id=line["project"],
                        valid_from=line["said_at"],
                        replaces=ids.get(line.get("replaces")),
                    ).written
                except MemctlError as error:
                    print(f"  {line['fact']} is refused: {error.message[:80]}")
                    continue
                ids[line["fact"]] = written[0].id
                names["fact", written[0].id] = line["fact"]
        if settings:
            memory.episodic.reembed()
    return names


def _ask(memory: Any, question: str, now: str) -> list[tuple[Any, dict[str, float]]]:
    """Return the rows of an answer, none cut, each with the signals that its worth comes from."""
    signals: dict[tuple[str, int | str], dict[str, float]] = {}
    judge = engine.worths

    def judged(question: Any, ranking: Any, ranked: Any, of_list: Any) -> Any:
        from memctl.search.ranking.worth import signals_of

        inside = [one for one in ranked if one.candidate.row not in of_list.outside]
        told = signals_of(question, ranking, inside, of_list)
        for one, signal in zip(inside, told, strict=True):
            cells = ranking.texts[one.candidate.row]
            signals[cells["kind"], cells["id"]] = signal
        return judge(question, ranking, ranked, of_list)

    engine.worths = judged
    try:
        found = memory.recall(question, now=now, limit=_MOST, min_worth=0, record=False)
    finally:
        engine.worths = judge
    judged_rows = (row for row in found if (row.kind, row.id) in signals)
    return [(row, signals[row.kind, row.id]) for row in judged_rows]


def _report(asked: Sequence[Told], least: float) -> list[dict[str, Any]]:
    print(
        f"{'kind':<12}{'n':>4}{'precision':>11}{'recall':>8}{'exact':>7}{'first':>7}{'quiet':>7}{'rows':>6}"
    )
    kinds: dict[str, list[Told]] = defaultdict(list)
    for told in asked:
        kinds[told.kind].append(told)
    figures = []
    for kind, some in [*kinds.items(), ("all", list(asked))]:
        figure = _figures(some, least)
        figures.append({"kind": kind, **figure})
        shares = "".join(
            f"{'-' if figure[name] is None else format(100 * figure[name], '.1f'):>{wide}}"
            for name, wide in (
                ("precision", 11),
                ("recall", 8),
                ("exact", 7),
                ("first", 7),
                ("quiet", 7),
            )
        )
        print(f"{kind:<12}{len(some):>4}{shares}{figure['rows']:>6.2f}")
    return figures


def _figures(asked: Sequence[Told], least: float) -> dict[str, Any]:
    given = right = exact = first = quiet = wanting = 0
    recall = 0.0
    for told in asked:
        rows = [row for row in told.rows if row.worth >= least][:_GIVEN]
        names = {row.name for row in rows}
        given += len(rows)
        right += sum(row.answers for row in rows)
        exact += told.want <= names and all(row.answers for row in rows)
        if told.want:
            wanting += 1
            recall += len(told.want & names) / len(told.want)
            first += bool(rows) and rows[0].name in told.want
        else:
            quiet += not rows
    nothing = len(asked) - wanting
    return {
        "precision": right / given if given else None,
        "recall": recall / wanting if wanting else None,
        "exact": exact / len(asked),
        "first": first / wanting if wanting else None,
        "quiet": quiet / nothing if nothing else None,
        "rows": given / len(asked),
    }


def _fit(worlds: dict[str, list[Told]], least: float) -> None:
    """Fit the weights on all worlds but one, print what they are worth there; then on all."""
    for name, of_world in worlds.items():
        others = [told for other, asked in worlds.items() if other != name for told in asked]
        names, weights = fitted(others)
        print(f"\nfitted without {name}, at {least}:")
        for cut in (0.1, 0.15, 0.2, 0.25, 0.3, 0.4):
            figure = _figures([_weighed(told, names, weights) for told in of_world], cut)
            print(
                f"  {cut:4}", {k: v if v is None else round(100 * v, 1) for k, v in figure.items()}
            )
    names, weights = fitted([told for asked in worlds.values() for told in asked])
    print("\nfitted on all:", {n: round(w, 2) for n, w in zip(names, weights, strict=True)})


def _weighed(told: Told, names: Sequence[str], weights: Any) -> Told:
    rows = []
    for row in told.rows:
        odds = sum(w * _of(row, name) for name, w in zip(names, weights, strict=True))
        worth = float(1 / (1 + np.exp(-odds)))
        rows.append(Judged(row.name, row.said, worth, row.signals, row.answers))
    return Told(told.text, told.kind, told.want, rows)


def _of(row: Judged, name: str) -> float:
    return 1.0 if name == "base" else row.signals.get(name, 0.0)


def fitted(asked: Sequence[Told], shrink: float = 1.0) -> tuple[list[str], Any]:
    """Return the names and weights of a logistic regression of "answers" on the signals of rows."""
    rows = [row for told in asked for row in told.rows]
    names = ["base", *rows[0].signals]
    signals = np.array([[_of(row, name) for name in names] for row in rows])
    answers = np.array([row.answers for row in rows], float)
    penalty = shrink * np.eye(len(names))
    penalty[0, 0] = 0.0
    weights = np.zeros(len(names))
    for _ in range(50):  # Newton's steps
        chance = 1 / (1 + np.exp(-signals @ weights))
        curve = signals.T @ (signals * (chance * (1 - chance) + 1e-9)[:, None]) + penalty
        slope = signals.T @ (answers - chance) - penalty @ weights
        step = np.linalg.solve(curve, slope)
        weights += step
        if abs(step).max() < 1e-6:
            break
    return names, weights
