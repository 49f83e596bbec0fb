"""Replays: recalls of a growing store, replayed later; then again after changes of every kind.

An answer is the same byte for byte, or its replay names what was changed. A replay that says
"equal" is not believed: the rows that the recall had brought are compared with those of now.
"""

from __future__ import annotations

import random
import sqlite3
import tempfile
from collections import Counter
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any

import memctl
from benchmarks.retrieval.typos import misspelt
from memctl.base.errors import MemctlError, UsageError

if TYPE_CHECKING:
    from benchmarks.retrieval.conversations import Conversation, Turn
    from memctl.memory import Memory

__all__ = ["run_replays"]

_SEED = 16
_RECALLS = 1_000
_CHANGED = 20  # rows of each kind of change
_MISSPELT = 1 / 6  # of the questions, a word
_FACTS = 10  # one turn in so many is stored as a fact as well
_HEADS = ("equal", "named", "no cause", "wrongly equal", "receipt erased")


def run_replays(conversations: list[Conversation], recalls: int = _RECALLS) -> dict[str, Any]:
    """Record the recalls of a growing store, replay them twice, print and return the counts."""
    print(f"{'recalls replayed':20}" + "".join(f"{head:>15}" for head in _HEADS))
    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder, memctl.open("agent", folder) as memory:
        kept = _grown(memory, conversations, recalls)
        figures["only grown"] = _replayed(memory, kept, "only grown")
        _change(memory)
        figures["changed"] = _replayed(memory, kept, "rows changed")
    return figures


def _grown(memory: Memory, conversations: list[Conversation], recalls: int) -> list[int]:
    """Add the turns, some as facts too, and ask between them; return the ids of the recalls."""
    generator = random.Random(_SEED)
    turns = [turn for each in conversations for turn in each.turns]
    asked = [question.text for each in conversations for question in each.questions]
    step = max(1, len(turns) // recalls)
    kept: list[int] = []
    for start in range(0, len(turns), step):
        _add(memory, turns[start : start + step], start)
        if len(kept) < recalls:
            question = generator.choice(asked)
            if generator.random() < _MISSPELT:
                word = max(question.split(), key=len)
                question = question.replace(word, misspelt(word, generator))
            found = memory.recall(question, generator.choice((5, 10, 30)))
            kept += [found.id] if found.id is not None else []
    return kept


def _add(memory: Memory, turns: list[Turn], start: int) -> None:
    """Add turns, and now and then the first as a fact."""
    added = [
        {
            "text": turn.text,
            "details": turn.caption,
            "role": turn.role,
            "speaker": turn.speaker or None,
            "session": turn.session,
            "logged_at": turn.said_at,
        }
        for turn in turns
    ]
    memory.turns.add_many(added, skip_refused=True)
    if start // len(turns) % _FACTS == 0:
        subject, value = turns[0].speaker or turns[0].role, " ".join(turns[0].text.split()[:12])
        fact = {"subject": subject, "attribute": f"remark {start}", "value": value}
        with suppress(MemctlError):  # noise, or a secret
            memory.facts.store([fact])


def _change(memory: Memory) -> None:
    """Edit, archive and erase turns; edit, forget and erase facts; some by hand in SQLite."""
    generator = random.Random(_SEED)
    turns = generator.sample([turn.id for turn in memory.turns.list(limit=-1)], 4 * _CHANGED)
    facts = [fact.id for fact in memory.facts.list(limit=-1)]
    facts = generator.sample(facts, min(len(facts), 3 * _CHANGED))
    by_hand, archived, erased, exchanged = (turns[n::4] for n in range(4))
    memory.turns.archive(archived)
    memory.turns.erase(erased)
    for fact in facts[::3]:
        memory.facts.forget(fact)
    for fact in facts[1::3]:
        memory.facts.erase(fact)
    with closing(sqlite3.connect(memory.store.path)) as connection, connection:
        for turn in by_hand:
            connection.execute("update log set text = text || ' by hand' where id = ?", [turn])
        for turn in exchanged:
            connection.execute("update log set speaker = 'Nobody' where id = ?", [turn])
        for fact in facts[2::3]:
            connection.execute("update fact set text = text || ' by hand' where id = ?", [fact])


def _replayed(memory: Memory, recalls: list[int], title: str) -> dict[str, Any]:
    """Replay recalls, print how they compare, and return that with the causes that were named."""
    counts: Counter[str] = Counter()
    causes: Counter[str] = Counter()
    for recall in recalls:
        counts[_outcome(memory, recall, causes)] += 1
    print(f"{title:20}" + "".join(f"{counts[head]:15}" for head in _HEADS))
    return {**counts, "causes": dict(causes)}


def _outcome(memory: Memory, recall: int, causes: Counter[str]) -> str:
    try:
        replay = memory.recalls.replay(recall)
    except UsageError:
        return "receipt erased"
    if replay.equal:
        return "equal" if replay.then == replay.now else "wrongly equal"
    causes.update({_kind(difference) for difference in replay.differences})
    return "named" if replay.differences else "no cause"


def _kind(difference: str) -> str:
    """Return a difference without the row that it names."""
    return " ".join(word for word in difference.split() if not any(map(str.isdigit, word)))
