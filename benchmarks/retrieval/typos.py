"""One typo a question: how much of what it costs is won back by repairing it."""

from __future__ import annotations

import random
import re
import string
from statistics import fmean
from typing import TYPE_CHECKING

from benchmarks.retrieval.engines import CLEANED, Memctl
from benchmarks.retrieval.measures import score

if TYPE_CHECKING:
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
