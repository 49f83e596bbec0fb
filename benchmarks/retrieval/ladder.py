"""Ladder of the ranking: its steps switched off one after another, and what each was worth.

A step is data: constants of the ranking and the values that switch it off. The stores are made
once, so a constant that says what is indexed has no place here.
"""

from __future__ import annotations

import importlib
import math
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from benchmarks.retrieval.conversations import halves
from benchmarks.retrieval.engines import Memctl
from benchmarks.retrieval.measures import CUT, mean, score

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import ModuleType

    from benchmarks.retrieval.conversations import Conversation
    from benchmarks.retrieval.measures import Score

__all__ = ["LADDER", "Step", "constants", "run_ladder", "switched"]

Step = tuple[str, dict[str, Any]]

_MODULE = "memctl.search.ranking.ranking_constants"
_NOTHING = (0.0, 0.0, 0.0, 0.0)
_AS_PERSONS = (0.4, 0.4, 0.3, 0.2)
LADDER: Sequence[Step] = (
    ("a reply asked for", {"REPLY": 0.0}),
    ("a standing wish", {"WISH": 0.0}),
    ("rows of whoever asks", {"ASKER": 0.0}),
    ("roles of rows around", {"INHERITED": (_AS_PERSONS,) * 3}),
    ("long rows inherit less", {"LONG": math.inf}),
    ("a date", {"DATE": 0.0, "WHEN": 0.0}),
    ("a named person", {"PARTICIPANT": 0.0, "SUBJECT": 0.0}),
    ("the thread as one document", {"THREAD": 0.0}),
    ("rows that ask, rows that open", {"ASKS": 0.0, "OPENING": 0.0}),
    ("the answer after a question", {"BEFORE_QUESTION": 0.0}),
    ("rows around", {"INHERITED": (_NOTHING,) * 3, "NEXT_TO": (0.0, 0.0)}),
)


def constants() -> ModuleType:
    """Return the module of the ranking's constants.

    Raises
    ------
    SystemExit
        When this engine keeps them elsewhere.
    """
    try:
        return importlib.import_module(_MODULE)
    except ModuleNotFoundError:
        raise SystemExit(f'this engine has no "{_MODULE}": measure a later one') from None


@contextmanager
def switched(module: ModuleType, values: Mapping[str, Any]) -> Iterator[None]:
    """Set constants of a module for a while.

    Raises
    ------
    AttributeError
        When the module has no such constant; nothing is set then.
    """
    before = {name: getattr(module, name) for name in values}
    try:
        for name, value in values.items():
            setattr(module, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(module, name, value)


def run_ladder(conversations: list[Conversation]) -> list[dict[str, Any]]:
    """Ask everything with one step less each time, print a line for each, return the figures."""
    module = constants()
    figures = []
    with ExitStack() as stack:
        engines = [Memctl(each) for each in conversations]
        for engine in engines:
            stack.callback(engine.close)
        for name, values in (("as it is", {}), *LADDER):
            stack.enter_context(switched(module, values))
            scores = [_scores(*pair) for pair in zip(engines, conversations, strict=True)]
            step = _means(conversations, scores)
            figures.append({"without": name, **step})
            print(f"{name:32}" + "  ".join(f"{k} {v}" for k, v in step.items()), flush=True)
    return figures


def _scores(engine: Memctl, conversation: Conversation) -> list[Score]:
    return [
        score(engine.search(each.text, CUT), each.evidence)
        for each in conversation.questions
        if each.answerable
    ]


def _means(conversations: list[Conversation], scores: list[list[Score]]) -> dict[str, str]:
    """Return R@1/R@5/R@10 of each set's half."""
    of = {(c.kind, c.name): each for c, each in zip(conversations, scores, strict=True)}
    means = {}
    for half, chosen in halves(conversations).items():
        for kind in dict.fromkeys(each.kind for each in chosen):
            found = [s for c in chosen if c.kind == kind for s in of[c.kind, c.name]]
            means[f"{kind} {half}"] = "/".join(mean(found).percents()[:3])
    return means
