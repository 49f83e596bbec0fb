"""Ladder of the ranking: each term of the score left out once, and what it was worth."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from benchmarks.retrieval.engines import ENGINES
from benchmarks.retrieval.measures import CUT, mean, score
from benchmarks.retrieval.sets import halves
from memctl.search.ranking import ranking
from memctl.search.ranking.terms import TERMS

if TYPE_CHECKING:
    from benchmarks.retrieval.engines import Engine
    from benchmarks.retrieval.measures import Score
    from benchmarks.retrieval.sets import Conversation


def run_ladder(conversations: list[Conversation], engine: str) -> list[dict[str, Any]]:
    """Ask everything with one term less each time, print a line for each, return the figures."""
    figures = []
    with ExitStack() as stack:
        engines = [ENGINES[engine](each) for each in conversations]
        for each in engines:
            stack.callback(each.close)
        stack.callback(vars(ranking).update, TERMS=TERMS)
        for name in ("", *dict.fromkeys(term.name for term in TERMS)):
            vars(ranking).update(TERMS=tuple(term for term in TERMS if term.name != name))
            scores = [_scores(*pair) for pair in zip(engines, conversations, strict=True)]
            step = _means(conversations, scores)
            figures.append({"without": name, **step})
            title = f"without {name}" if name else "as it is"
            print(f"{title:24}" + "  ".join(f"{k} {v}" for k, v in step.items()), flush=True)
    return figures


def _scores(engine: Engine, conversation: Conversation) -> list[Score]:
    return [
        score(engine.search(each.text, CUT), each.evidence)
        for each in conversation.questions
        if each.answerable and each.evidence
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
