"""Known replies: four content words of what an assistant said find that reply again.

The words are taken from the reply itself: the two rarest that another turn holds as well, and two
from the middle of the rest. A word that stands in this reply alone would give it away.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import TYPE_CHECKING

from benchmarks.retrieval.engines import CLEANED, ENGINES
from benchmarks.retrieval.measures import HEADER, mean
from benchmarks.retrieval.quality import keys_of, line, measure
from benchmarks.retrieval.sets import Conversation, Question, halves

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_SEED = 16
_A_CHAT = 30  # replies of one chat that are asked for
_MIDDLE = 6  # words around the middle of which two are drawn
_LABEL = "known reply"
_WORD = re.compile(r"[a-z]{4,}")


def run_replies(conversations: list[Conversation], engines: Iterable[str]) -> dict[str, Any]:
    """Ask for known replies, print where they were found, return the raw answers."""
    asked = [each for c in conversations if (each := known_replies(c)).questions]
    runs = [measure(ENGINES[name], asked) for name in engines]
    for half, chosen in halves(asked).items():
        questions = keys_of(chosen)
        print(line(f"known replies, {half}, {len(questions)}", HEADER))
        for run in runs:
            print(line(run.engine, mean(run.scores(questions)).percents()))
    return {run.engine: run.raw()["answers"] for run in runs}


def known_replies(conversation: Conversation) -> Conversation:
    """Return the conversation with questions for replies of its assistant in place of its own."""
    words = {turn.name: _words(turn.text) for turn in conversation.turns}
    held = Counter(word for of_turn in words.values() for word in of_turn)
    generator = random.Random(f"{_SEED}/{conversation.name}")
    replies = [turn.name for turn in conversation.turns if turn.role == "assistant"]
    generator.shuffle(replies)
    asked = ((name, _four(words[name], held, generator)) for name in replies)
    questions = [
        Question(f"what did you tell me about {' '.join(four)}?", _LABEL, frozenset({name}))
        for name, four in asked
        if four
    ]
    return Conversation(
        conversation.kind, conversation.name, conversation.turns, questions[:_A_CHAT]
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower())) - CLEANED


def _four(words: frozenset[str], held: Counter[str], generator: random.Random) -> list[str]:
    """Return two rare and two middling words in a drawn order; none where there are too few."""
    known = sorted((word for word in words if held[word] > 1), key=lambda word: (held[word], word))
    rare, rest = known[:2], known[2:]
    start = max(0, (len(rest) - _MIDDLE) // 2)
    middling = rest[start : start + _MIDDLE]
    if len(middling) < _MIDDLE:
        return []
    four = [*rare, *generator.sample(middling, 2)]
    generator.shuffle(four)
    return four
