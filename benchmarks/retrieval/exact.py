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
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import memctl
from benchmarks.retrieval.engines import fused_settings
from benchmarks.retrieval.quality import calibration
from memctl.base.errors import MemctlError
from memctl.config.settings import KNOWN
from memctl.search import engine
from memctl.search.ranking.worth import WEIGHTS, least_given, signals_of, worths

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WORLDS = Path(__file__).parent / "worlds"
_MOST = 20
_GIVEN = 5
_LIFTED = 0.5  # the worth of a row that holds every word, at least
_CUTS = (0.1, 0.15, 0.2, 0.25, 0.3, 0.4)
_SHARES = ("precision", "recall", "exact", "first", "quiet")


@dataclass(frozen=True)
class Judged:
    """A row of an answer: its name in the world, its signals, and whether it answers."""

    name: str
    said: bool
    worth: float
    confidence: float
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
                chances = (row.kind != "fact", row.worth, row.confidence)
                told.rows.append(Judged(name, *chances, signals, name in right))
            asked.append(told)
    return asked


def run_exact(more: Iterable[Path], *, fit: bool = False) -> list[dict[str, Any]]:
    """Print how exact the answers to each world are, by words alone and with MiniLM fused.

    Parameters
    ----------
    more
        Files of worlds beside those of the project.
    fit
        Whether weights are fitted and printed, as ``search/ranking/worth.py`` has them.
    """
    figures, fits = [], []
    for title, settings in _ways().items():
        worlds = {
            file.stem: ask_world(file, settings) for file in [*sorted(WORLDS.iterdir()), *more]
        }
        for name, asked in worlds.items():
            print(f"\n{name}, {title}: {len(asked)} questions")
            figures += [{"world": name, "way": title, **one} for one in _report(asked)]
        if fit:
            fits.append(_fit(worlds, title))
    if fits:
        _print_weights(fits)
    return figures


def _ways() -> dict[str, dict[str, str] | None]:
    ways: dict[str, dict[str, str] | None] = {"by words": None}
    try:
        ways["MiniLM fused"] = fused_settings()
    except ImportError as error:
        print(f"MiniLM is left out: {error.name} is not installed")
    return ways


def load_world(
    lines: Iterable[dict[str, Any]], home: str, settings: dict[str, str] | None
) -> dict[tuple[str, int | str], str]:
    """Load a world into the store `agent` of a home; return the names of its rows by kind and id."""
    names: dict[tuple[str, int | str], str] = {}
    ids: dict[str, str] = {}
    with memctl.open("agent", home, settings=settings) as memory:
        for line in lines:
            if line["type"] == "alias":
                memory.aliases.add(line["alias"], line["for"])
            elif line["type"] == "turn":
                turn = memory.log(
                    line["text"],
                    speaker=line["speaker"],
                    session=line["session"],
                    logged_at=line["at"],
                )
                names["turn", turn] = line["turn"]
            elif line["type"] == "fact":
                try:
                    written = memory.facts.store(
                        [line["text"]],
                        user_id=line["user"],
                        agent_id=line["project"],
                        valid_from=line["said_at"],
                        replaces=ids.get(line.get("replaces", "")),
                    ).written
                except MemctlError as error:
                    print(f"  {line['fact']} is refused: {error.message[:80]}")
                    continue
                fact = str(written[0].id)
                ids[line["fact"]] = fact
                names["fact", fact] = line["fact"]
        if settings:
            memory.reembed()
    return names


def _ask(memory: Any, question: str, now: str) -> list[tuple[Any, dict[str, float]]]:
    """Return the rows of an answer, none cut, each with the signals that its worth comes from."""
    signals: dict[tuple[str, int | str], dict[str, float]] = {}

    def judged(question: Any, ranking: Any, ranked: Any, of_list: Any) -> Any:
        told = signals_of(question, ranking, ranked, of_list)
        for one, signal in zip(ranked, told, strict=True):
            cells = ranking.texts.get(one.candidate.row)
            if cells is not None and signal is not None:
                signals[cells["kind"], cells["id"]] = signal
        return worths(question, ranking, ranked, of_list)

    vars(engine).update(worths=judged)
    try:
        found = memory.recall(question, now=now, limit=_MOST, min_worth=0, record=False)
    finally:
        vars(engine).update(worths=worths)
    judged_rows = (row for row in found if (row.kind, row.id) in signals)
    return [(row, signals[row.kind, row.id]) for row in judged_rows]


def _report(asked: Sequence[Told]) -> list[dict[str, Any]]:
    least = float(KNOWN["recall_min_worth"].default)
    print(f"{'kind':<12}{'n':>4}" + "".join(f"{name:>11}" for name in (*_SHARES, "rows")))
    kinds: dict[str, list[Told]] = defaultdict(list)
    for told in asked:
        kinds[told.kind].append(told)
    figures = []
    for kind, some in [*kinds.items(), ("all", list(asked))]:
        figure = _figures(some, least)
        figures.append({"kind": kind, **figure})
        shares = "".join(f"{_percent(figure[name]):>11}" for name in _SHARES)
        print(f"{kind:<12}{len(some):>4}{shares}{figure['rows']:>11.2f}")
    for what, said in (("facts", False), ("turns", True)):
        rows = [row for told in asked for row in told.rows[:_GIVEN] if row.said == said]
        told_so = calibration([row.confidence for row in rows], [row.answers for row in rows])
        print(f"confidence of each of the first five, {what}: {told_so}")
    return figures


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f}"


def _figures(asked: Sequence[Told], least: float) -> dict[str, Any]:
    given = right = exact = first = quiet = wanting = 0
    recall = 0.0
    for told in asked:
        model = any(row.signals["meaning"] for row in told.rows)
        cut = least_given(told.rows, least, model=model)
        rows = [row for row in told.rows if row.worth >= cut][:_GIVEN]
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


def _fit(worlds: dict[str, list[Told]], title: str) -> dict[str, float]:
    """Print what weights fitted on all worlds but one are worth there; return those of all."""
    for name, of_world in worlds.items():
        others = [told for other, asked in worlds.items() if other != name for told in asked]
        if not others:
            continue
        weights = fitted(others)
        print(f"\n{title}, fitted without {name}:")
        for cut in _CUTS:
            figure = _figures([_weighed(told, weights) for told in of_world], cut)
            print(f"  {cut:4}", "  ".join(f"{k} {_percent(figure[k])}" for k in _SHARES))
    return fitted([told for asked in worlds.values() for told in asked])


def _print_weights(fits: Sequence[dict[str, float]]) -> None:
    """Print the weights as ``search/ranking/worth.py`` has them: by words, then with a model."""
    print("\nWEIGHTS = {")
    for name in fits[0]:
        print(f'    "{name}": ({", ".join(str(round(weights[name], 2)) for weights in fits)}),')
    print("}")


def _weighed(told: Told, weights: dict[str, float]) -> Told:
    rows = []
    for row in told.rows:
        odds = sum(weight * _of(row, name) for name, weight in weights.items())
        least = _LIFTED if row.signals["every word of it"] else 0.0
        rows.append(replace(row, worth=max(least, float(1 / (1 + np.exp(-odds))))))
    return replace(told, rows=rows)


def _of(row: Judged, name: str) -> float:
    return 1.0 if name == "base" else row.signals.get(name, 0.0)


def fitted(asked: Sequence[Told], shrink: float = 1.0) -> dict[str, float]:
    """Return the weights of a logistic regression of "answers" on the signals of rows, by name."""
    rows = [row for told in asked for row in told.rows if row.worth]
    names = list(WEIGHTS)
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
    return dict(zip(names, map(float, weights), strict=True))
