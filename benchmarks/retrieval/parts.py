"""What parts of recall are worth: each term of the score left out, a misspelt word repaired."""

from __future__ import annotations

import random
import re
import string
from contextlib import ExitStack
from statistics import fmean
from typing import TYPE_CHECKING, Any

from benchmarks.retrieval.engines import CLEANED, ENGINES, Memctl
from benchmarks.retrieval.quality import CUT, mean, score
from benchmarks.retrieval.sets import halves
from memctl.search.ranking import ranking
from memctl.search.ranking.terms import TERMS

if TYPE_CHECKING:
    from benchmarks.retrieval.engines import Engine
    from benchmarks.retrieval.quality import Score
    from benchmarks.retrieval.sets import Conversation

_SEED = 7
_WORD = re.compile(r"[A-Za-z]{4,}")


def run_typos(conversations: list[Conversation]) -> dict[str, float]:
    """Misspell the longest word of each question; print and return R@10 of three ways.

    A misspelt word that nobody repairs is a word that occurs nowhere: the question without
    it is what the typo would cost.
    """
    generator = random.Random(_SEED)
    found: dict[str, list[float]] = {"clean": [], "without the word": [], "misspelt": []}
    for conversation in conversations:
        engine = Memctl(conversation)
        names = {name.lower() for name in conversation.people}
        for question in conversation.questions:
            words = [w for w in _WORD.findall(question.text) if w.lower() not in CLEANED | names]
            if not words or not question.answerable:
                continue
            word = max(words, key=len)
            for name, instead in (
                ("clean", word),
                ("without the word", ""),
                ("misspelt", misspelt(word, generator)),
            ):
                asked = question.text.replace(word, instead)
                found[name].append(score(engine.search(asked, 10), question.evidence).r10)
        engine.close()
    figures = {name: 100 * fmean(values) for name, values in found.items()}
    lost = figures["clean"] - figures["without the word"]
    figures["won back, %"] = 100 * (figures["misspelt"] - figures["without the word"]) / lost
    for name, value in figures.items():
        print(f"{name:20}{value:7.1f}")
    return figures


def misspelt(word: str, generator: random.Random) -> str:
    """Return `word` with one letter inserted, left out, replaced or exchanged with its neighbour."""
    place = generator.randrange(len(word) - 1)
    letter = generator.choice(string.ascii_lowercase.replace(word[place].lower(), ""))
    head, here, following, tail = word[:place], word[place], word[place + 1], word[place + 2 :]
    return generator.choice(
        [
            head + letter + here + following + tail,
            head + following + tail,
            head + letter + following + tail,
            head + following + here + tail,
        ]
    )


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
