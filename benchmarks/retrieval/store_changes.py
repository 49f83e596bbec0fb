"""Changes of a store whose recalls are replayed: edits, archiving, superseding, erasing, settings."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterable, Sequence

    from memctl.memory import Memory

__all__ = ["CHANGES", "Change", "Changed"]

# The words that name the change of a row, by the name of the row.
Changed = dict[str, str]


@dataclass(frozen=True)
class Change:
    """One step of changes: its title, the kinds of cause that it may have, and what makes it.

    `asks` questions are asked again after it, for what a later step undoes.
    """

    title: str
    causes: tuple[str, ...]
    make: Callable[[Memory, Picked], Changed]
    asks: int = 0


@dataclass(frozen=True)
class Picked:
    """Rows to change, drawn among those that recalls brought and among all."""

    brought: Sequence[str]
    size: int
    generator: random.Random

    def of(self, kind: str, everything: Iterable[str] = ()) -> list[str]:
        """Return the ids of some rows of a kind: as many that recalls brought as others."""
        brought = sorted({name for name in self.brought if _kind(name) == kind})
        others = sorted(set(everything) - set(brought))
        drawn = [*self._some(brought), *self._some(others)]
        return sorted({name.rpartition(":")[2] for name in drawn})

    def numbers(self, kind: str, everything: Iterable[int] = ()) -> list[int]:
        """Return the same as numbers."""
        return sorted(map(int, self.of(kind, (f"{kind}:{each}" for each in everything))))

    def _some(self, names: Sequence[str]) -> list[str]:
        return self.generator.sample(names, min(self.size, len(names)))


def _edit(memory: Memory, picked: Picked) -> Changed:
    """Change the texts of turns by hand, as `sqlite3` does."""
    turns = picked.numbers("turn", (turn.id for turn in memory.turns.list(limit=-1)))
    with closing(sqlite3.connect(memory.store.path)) as connection, connection:
        connection.executemany(
            "update log set text = 'Edited: ' || substr(text, length(text) / 3) where id = ?",
            [(turn,) for turn in turns],
        )
    return _told("turn", turns)


def _archive(memory: Memory, picked: Picked) -> Changed:
    """Archive turns and forget episodes."""
    turns, episodes = picked.numbers("turn"), picked.numbers("episode")
    memory.turns.archive(turns)
    memory.episodes.forget(episodes)
    return _told("turn", turns) | _told("episode", episodes)


def _undo(memory: Memory, picked: Picked) -> Changed:
    """Bring back all that is archived, and change facts."""
    turns = [turn.id for turn in memory.turns.list(archived=True, limit=-1)]
    episodes = [one.id for one in memory.episodes.list(forgotten=True, limit=-1)]
    memory.turns.restore(turns)
    memory.episodes.restore(episodes)
    facts = _other_facts(memory, picked)
    return _told("turn", turns) | _told("episode", episodes) | facts


def _other_facts(memory: Memory, picked: Picked) -> Changed:
    """Say of facts that they were otherwise when they were asked for; change others in place."""
    before = [memory.facts.get(fact) for fact in picked.of("fact")]
    active = [fact for fact in before if fact.status == "active"]
    for number, fact in enumerate(active):
        if number % 2:
            memory.facts.update(fact.id, f"{fact.text} for sure")
        else:
            said = f"{fact.text.rpartition(' is ')[0]} is cancelled"
            memory.facts.store([said], valid_from=fact.valid_from)
    return _told("fact", (fact.id for fact in active if memory.facts.get(fact.id) != fact))


def _end(memory: Memory, picked: Picked) -> Changed:
    """Erase rows, say of words that they mean the same, and ask the store's own vectors as well."""
    memory.aliases.add("hobby", "research")
    memory.aliases.add("meeting", "schedule")
    memory.turns.erase(picked.numbers("turn"))
    living = {one.id for one in memory.episodes.list(limit=-1)}
    memory.episodes.erase([one for one in picked.numbers("episode") if one in living])
    for fact in picked.of("fact"):
        memory.facts.erase(fact)
    memory.settings.set("fallback", "store")
    return {}


_ERASED = ("turn erased", "episode erased", "fact erased")
_RESTORED = ("turn restored", "episode restored")
CHANGES = (
    Change("turns edited by hand in SQLite", ("turn edited",), _edit),
    Change("turns, episodes archived", ("turn archived", "episode archived"), _archive, asks=100),
    Change("these restored, facts changed", (*_RESTORED, "fact changed", "fact edited"), _undo),
    Change("rows erased, the fallback on", (*_ERASED, "aliases", "setting"), _end),
)


def _told(kind: str, ids: Iterable[object]) -> Changed:
    prefix = "" if kind == "fact" else f"{kind}:"
    return {f"{prefix}{one}": f"{kind} {one} was" for one in ids}


def _kind(name: str) -> str:
    return name.rpartition(":")[0] or "fact"
