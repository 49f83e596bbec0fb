"""Entries of the journal, and the present state of a session's journal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlite3

KINDS = ("task", "step", "observation", "skill", "context", "decision", "pending", "blocker")
# What can be done; a blocker that is done blocks no more.
DONE_KINDS = ("step", "pending", "blocker")
# Name of the context entry that holds what the user last asked: of use after a compaction, and none
# beside the next prompt.
LAST_PROMPT = "last prompt"


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One entry.

    Parameters
    ----------
    kind
        One of `KINDS`.
    text
        What was written.
    name
        The name of a context entry; empty for the others.
    written_at, done_at
        When; `done_at` of a step, a pending item or a blocker that is done.
    id
        Its number; 0 for one that was read out of a text.
    """

    kind: str
    text: str
    name: str = ""
    written_at: str = ""
    done_at: str | None = None
    id: int = 0

    @classmethod
    def of_row(cls, row: sqlite3.Row) -> JournalEntry:
        """Return the entry of a row."""
        return cls(
            row["kind"], row["text"], row["name"], row["written_at"], row["done_at"], row["id"]
        )

    def as_kept(self) -> dict[str, Any]:
        """Return what a snapshot keeps of it."""
        return {
            "kind": self.kind,
            "name": self.name,
            "text": self.text,
            "written_at": self.written_at,
            "done_at": self.done_at,
        }


@dataclass(frozen=True, slots=True)
class OpenItem:
    """Something that is pending, or blocks, in some session."""

    id: int
    session: str
    channel: str
    kind: str
    text: str
    written_at: str


@dataclass(frozen=True, slots=True)
class JournalState:
    """What a session is at.

    Parameters
    ----------
    session, channel
        Whose state it is.
    entries
        The present entries, in the order in which they were written.
    """

    session: str
    channel: str = ""
    entries: tuple[JournalEntry, ...] = ()

    @property
    def task(self) -> JournalEntry | None:
        """The task at hand."""
        return self._last("task")

    @property
    def skill(self) -> JournalEntry | None:
        """The skill that is in use."""
        return self._last("skill")

    @property
    def plan(self) -> tuple[JournalEntry, ...]:
        """The steps, in their order."""
        return self._of("step")

    @property
    def context(self) -> tuple[JournalEntry, ...]:
        """Named values, in the order in which they were set."""
        return self._of("context")

    @property
    def observations(self) -> tuple[JournalEntry, ...]:
        """What was seen, the newest last."""
        return self._of("observation")

    @property
    def decisions(self) -> tuple[JournalEntry, ...]:
        """Decisions, the newest first."""
        return self._of("decision")[::-1]

    @property
    def pending(self) -> tuple[JournalEntry, ...]:
        """Pending items, those that are done included, in their order."""
        return self._of("pending")

    @property
    def blockers(self) -> tuple[JournalEntry, ...]:
        """Blockers, those that block no more included, the newest first."""
        return self._of("blocker")[::-1]

    @property
    def open(self) -> tuple[JournalEntry, ...]:
        """What is to be done or blocks: steps, pending items and blockers that are not done."""
        return tuple(e for e in self.entries if e.kind in DONE_KINDS and e.done_at is None)

    def _of(self, kind: str) -> tuple[JournalEntry, ...]:
        return tuple(entry for entry in self.entries if entry.kind == kind)

    def _last(self, kind: str) -> JournalEntry | None:
        return next(iter(self._of(kind)[::-1]), None)
