"""Rankings of every engine for every question, what they are worth, and the tables of it."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import asdict, astuple, dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks.retrieval.engines import Memctl
from benchmarks.retrieval.sets import UPDATE, halves
from benchmarks.running import interval, percentile

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.retrieval.engines import Engine
    from benchmarks.retrieval.sets import Conversation, Question


HEADER = ("R@1", "R@5", "R@10", "any@10", "all@20", "all@40")
CUT = 40  # rows of an answer that are looked at
_BINS = 10


@dataclass(frozen=True)
class Score:
    """Shares between 0 and 1 of one ranking, or their means."""

    r1: float
    r5: float
    r10: float
    any10: float
    all20: float
    all40: float

    def percents(self) -> list[str]:
        """Return the figures as they are printed."""
        return [f"{100 * share:.1f}" for share in astuple(self)]


def score(ranked: Sequence[str], right: frozenset[str]) -> Score:
    """Score one ranking: R@k is the share of the right ones among the first k, all@k whether all are."""
    hits = [name in right for name in ranked[:CUT]]
    r1, r5, r10, r20, r40 = (sum(hits[:cut]) / len(right) for cut in (1, 5, 10, 20, CUT))
    return Score(r1, r5, r10, float(any(hits[:10])), float(r20 == 1), float(r40 == 1))


def mean(scores: Iterable[Score]) -> Score:
    """Return the mean of each figure; zeros for none."""
    rows = [astuple(one) for one in scores]
    return Score(*(np.mean(rows, axis=0).tolist() if rows else [0.0] * len(HEADER)))


def curve(said: Sequence[float], so: Sequence[bool]) -> list[tuple[float, float, int]]:
    """Return for each of ten bins what was said, what was so, and how many; empty bins not."""
    chances, truth = np.asarray(said, float), np.asarray(so, float)
    place = np.minimum((chances * _BINS).astype(int), _BINS - 1)
    return [
        (float(chances[chosen].mean()), float(truth[chosen].mean()), int(chosen.sum()))
        for number in range(_BINS)
        if (chosen := place == number).any()
    ]


def calibration(said: Sequence[float], so: Sequence[bool]) -> str:
    """Return the expected calibration error, the bins' distance weighed by their size, and the bins."""
    if not said:
        return "no rows"
    bins = curve(said, so)
    error = sum(count * abs(chance - share) for chance, share, count in bins) / len(said)
    told = "  ".join(f"{chance:.2f}>{share:.2f} ({count})" for chance, share, count in bins)
    return f"error {error:.3f}  {told}"


_WIDTH = 28
_FIRST = 5  # rows that an answer has by default
_NAMED = 10  # conversations whose names a title lists


class Key(NamedTuple):
    """The place of a question: its set, its conversation, its number in it."""

    kind: str
    conversation: str
    number: int

    def __str__(self) -> str:
        return "/".join(map(str, self))


@dataclass(frozen=True)
class Answer:
    """The names of the first turns that an engine ranked, and how long it took.

    memctl's have the confidence of each row; the others' have none.
    """

    ranked: list[str]
    ms: float
    confidences: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Run:
    """The answers of one engine to all questions."""

    engine: str
    answers: dict[Key, Answer]

    def scores(self, questions: dict[Key, Question]) -> list[Score]:
        """Return the scores of some questions, in their order."""
        return [score(self.answers[key].ranked, each.evidence) for key, each in questions.items()]

    def cells(self, questions: dict[Key, Question]) -> list[str]:
        """Return the cells of a line: scores, then what the first five rows hold, then the time."""
        given = [self.answers[key].ranked[:_FIRST] for key in questions]
        rows = sum(map(len, given))
        right = sum(
            len(each.evidence & {*some})
            for each, some in zip(questions.values(), given, strict=True)
        )
        p50 = percentile([self.answers[key].ms for key in questions], 0.5)
        precision = f"{100 * right / rows:.1f}" if rows else "-"
        per_question = f"{rows / max(1, len(questions)):.2f}"
        return [*mean(self.scores(questions)).percents(), precision, per_question, f"{p50:.2f}"]

    def sure(self, questions: dict[Key, Question]) -> tuple[list[float], list[bool]]:
        """Return the confidence of each row that is given by default, and whether it answers."""
        said, so = [], []
        for key, question in questions.items():
            one = self.answers[key]
            said += one.confidences[:_FIRST]
            answering = question.evidence if question.answerable else frozenset()
            so += [name in answering for name in one.ranked[: len(one.confidences)][:_FIRST]]
        return said, so

    def raw(self) -> dict[str, Any]:
        """Return everything that was measured, for the results file."""
        return {
            "engine": self.engine,
            "answers": {
                str(key): {**asdict(answer), "ranked": " ".join(answer.ranked)}
                for key, answer in self.answers.items()
            },
        }


@dataclass(frozen=True)
class Updates:
    """Whether the newer turn stands above, for each question that found one of the two.

    `both` are those that found both among the first ten, `either` also those that found one:
    the newer alone counts as above.
    """

    both: list[bool]
    either: list[bool]


def keys_of(conversations: list[Conversation]) -> dict[Key, Question]:
    """Return all questions by their places."""
    return {
        Key(each.kind, each.name, number): question
        for each in conversations
        for number, question in enumerate(each.questions)
    }


def measure(kind: type[Engine], conversations: list[Conversation]) -> Run:
    """Ask one engine every question of every conversation, each once."""
    run = Run(kind.name, {})
    for conversation in conversations:
        with closing(kind(conversation)) as engine:
            for key, question in keys_of([conversation]).items():
                started = time.process_time()
                ranked = engine.search(question.text, CUT)
                ms = round((time.process_time() - started) * 1000, 3)
                rows = engine.rows if isinstance(engine, Memctl) else ()
                run.answers[key] = Answer(ranked, ms, [row.confidence for row in rows])
    return run


def tables(runs: list[Run], conversations: list[Conversation]) -> str:
    """Return the tables that are printed: each set's half apart, all questions and by type.

    The first run is the one that is compared.
    """
    parts = []
    for half, chosen in halves(conversations).items():
        for kind in dict.fromkeys(each.kind for each in chosen):
            of_kind = [each for each in chosen if each.kind == kind]
            names = ", ".join(each.name for each in of_kind)
            parts += _half(
                runs,
                of_kind,
                f"{kind} {half} ({names if len(of_kind) <= _NAMED else len(of_kind)})",
            )
    return "\n\n".join([*parts, *_updates_table(runs, keys_of(conversations))])


def sure_table(runs: list[Run], conversations: list[Conversation]) -> str:
    """Return how well the confidence of each row is calibrated: what was said > what was so."""
    lines = ["Confidence of each of the first five rows, unanswerable questions included"]
    for half, chosen in halves(conversations).items():
        for kind in dict.fromkeys(each.kind for each in chosen):
            questions = keys_of([each for each in chosen if each.kind == kind])
            for run in runs:
                said, so = run.sure(questions)
                if said:
                    lines.append(f"{run.engine}, {kind} {half}: {calibration(said, so)}")
    return "\n".join(lines)


def line(title: str, cells: Iterable[str]) -> str:
    """Return one line of a table."""
    return f"{title:{_WIDTH}}" + "".join(f"{cell:>9}" for cell in cells)


def updates_of(run: Run, questions: dict[Key, Question]) -> Updates:
    """Return what a run did with the questions about a value that changed."""
    both, either = [], []
    for key, question in questions.items():
        ranked = run.answers[key].ranked
        newer = _place(ranked, question.newer - question.older)
        older = _place(ranked, question.older - question.newer)
        if max(newer, older) < _NAMED:
            both.append(newer < older)
        if min(newer, older) < _NAMED:
            either.append(newer < older)
    return Updates(both, either)


def _half(runs: list[Run], conversations: list[Conversation], title: str) -> list[str]:
    given = {key: each for key, each in keys_of(conversations).items() if each.evidence}
    answerable = {key: each for key, each in given.items() if each.answerable}
    parts = [_table(runs, answerable, f"{title}: all answerable questions")]
    parts += [_differences(runs, answerable, title)] if len(runs) > 1 else []
    for label in dict.fromkeys(each.label for each in given.values()):
        chosen = {key: each for key, each in given.items() if each.label == label}
        parts.append(_table(runs, chosen, f"{title}: {label}"))
    return parts


def _table(runs: list[Run], questions: dict[Key, Question], title: str) -> str:
    lines = [f"{title}, {len(questions)}", line("", (*HEADER, "right", "rows", "cpu ms"))]
    return "\n".join([*lines, *(line(run.engine, run.cells(questions)) for run in runs)])


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


def _updates_table(runs: Iterable[Run], questions: dict[Key, Question]) -> list[str]:
    chosen = {key: each for key, each in questions.items() if each.label == UPDATE and each.newer}
    if not chosen:
        return []
    lines = [f"Updates: the newer above the older, {len(chosen)} questions"]
    for run in runs:
        found = updates_of(run, chosen)
        lines.append(
            f"{run.engine:{_WIDTH}}both found {_share(found.both)}   one found {_share(found.either)}"
        )
    return ["\n".join(lines)]


def _place(ranked: list[str], wanted: frozenset[str]) -> int:
    return next((n for n, name in enumerate(ranked[:_NAMED]) if name in wanted), _NAMED)


def _share(above: list[bool]) -> str:
    if not above:
        return "none"
    low, high = interval(above)
    share = 100 * sum(above) / len(above)
    return f"{sum(above):2} of {len(above):2} {share:5.1f} % ({100 * low:.0f}, {100 * high:.0f})"
