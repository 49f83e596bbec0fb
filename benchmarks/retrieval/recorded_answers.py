"""Recalls recorded on a store that grows: turns, episodes and facts are added, questions between.

What came back is kept beside the store, so that a replay that says "equal" can be held against it.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any

from benchmarks.retrieval.engines import CLEANED
from benchmarks.retrieval.typos import misspelt
from memctl.base.errors import SecretRefusedError

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from benchmarks.retrieval.conversations import Conversation, Question, Turn
    from memctl.memory import Memory

__all__ = ["Asking", "RecordedAnswer", "recorded", "while_growing"]

_BATCHES = 8  # of one conversation
_WORD = re.compile(r"[a-z]{5,}")


@dataclass(frozen=True)
class RecordedAnswer:
    """The rows that one recall brought: the name, text and score of each, the best first."""

    recall: int
    rows: tuple[tuple[str, str | None, float], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its rows."""
        return tuple(name for name, _, _ in self.rows)


@dataclass(frozen=True)
class Asking:
    """A question that is asked once more, with its limits and filters."""

    question: str
    limits: dict[str, Any]


def recorded(memory: Memory, asking: Asking) -> RecordedAnswer:
    """Ask, and return what was kept of the answer, once it is known to be the answer."""
    found = memory.recall(asking.question, **asking.limits)
    if found.id is None:
        raise SystemExit(f"a recall was not recorded: {found.unrecorded}")
    hits = memory.recalls.hits(found.id)
    answer = RecordedAnswer(found.id, tuple((h.name, h.text, h.score) for h in hits))
    if answer.names != tuple(row.name for row in found):
        raise SystemExit(f"recall {found.id} kept other rows than it brought")
    return answer


def while_growing(
    memory: Memory, conversations: Sequence[Conversation], recalls: int, generator: random.Random
) -> Iterator[tuple[Asking, RecordedAnswer]]:
    """Add the conversations in batches and yield what was asked between them, `recalls` in all.

    The questions of a conversation are spread over its batches; one that has few asks them again,
    with other limits, of a store that has grown since.
    """
    asked = 0
    parts = [(one, part) for one in conversations for part in _parts(one.turns)]
    questions = {one.name: cycle(one.questions) for one in conversations if one.questions}
    for done, (conversation, turns) in enumerate(parts, 1):
        ids = _logged(memory, conversation, turns)
        _remembered(memory, conversation, turns, ids, generator)
        upto = recalls * done // len(parts)
        for question in islice(questions.get(conversation.name, ()), upto - asked):
            asking = Asking(_typed(question.text, generator), _limits(turns, generator))
            yield asking, recorded(memory, asking)
            asked += 1


def _parts(turns: Sequence[Turn]) -> list[Sequence[Turn]]:
    size = -(-len(turns) // _BATCHES)
    return [turns[start : start + size] for start in range(0, len(turns), size)]


def _logged(memory: Memory, conversation: Conversation, turns: Sequence[Turn]) -> list[int]:
    """Add turns; return their ids. Those that look like secrets are refused."""
    added = []
    with memory.store.transaction():
        for turn in turns:
            try:
                number = memory.log(
                    turn.text,
                    role=turn.role,
                    speaker=turn.speaker or None,
                    session=_session(conversation, turn),
                    logged_at=turn.said_at,
                    details=turn.caption,
                )
            except SecretRefusedError:
                continue
            added.append(number)
    return added


def _session(conversation: Conversation, turn: Turn) -> str:
    return f"{conversation.kind}-{conversation.name}-{turn.session}"


def _remembered(
    memory: Memory,
    conversation: Conversation,
    turns: Sequence[Turn],
    ids: Sequence[int],
    generator: random.Random,
) -> None:
    """Add an episode of a batch, and a fact of words that are asked for."""
    last = turns[-1]
    first, second, third = generator.sample(_words(conversation.questions), 3)
    who = f"{last.speaker}'s" if last.speaker else "User's"
    with suppress(SecretRefusedError):  # "password" is asked for, too
        memory.remember(
            f"They talked about {first}, {second} and {third}",
            participants=sorted({turn.speaker for turn in turns if turn.speaker}),
            happened_at=last.said_at,
            thread=_session(conversation, last),
            turns=ids[:1],
        )
        memory.facts.store(
            [f"{who} {first} {second} favourite is {third}"], valid_from=last.said_at
        )


def _words(questions: Sequence[Question]) -> list[str]:
    found = {word for one in questions for word in _WORD.findall(one.text.lower())} - CLEANED
    return [*sorted(found), "garden", "harbour", "violin"]


def _typed(question: str, generator: random.Random) -> str:
    """Return a question as it may be typed: one in six with a word misspelt."""
    words = _WORD.findall(question)
    if not words or generator.randrange(6):
        return question
    word = generator.choice(words)
    return question.replace(word, misspelt(word, generator), 1)


def _limits(turns: Sequence[Turn], generator: random.Random) -> dict[str, Any]:
    """Return the limits and filters of one recall; of two, one has none."""
    last = turns[-1]
    some: list[dict[str, Any]] = [
        {"limit": 10},
        {"max_tokens": 400},
        {"kinds": ("turn", "fact")},
        {"as_of": last.said_at},
        {"until": turns[0].said_at},
        {"participants": (last.speaker or last.role,)},
    ]
    chosen = generator.choice(some) if generator.randrange(2) else {}
    return {"now": last.said_at, **chosen}
