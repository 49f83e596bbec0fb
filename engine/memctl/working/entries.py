"""Entries of the journal: as rows of a session, as its present state, and as Markdown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.errors import OutOfScopeError
from memctl.store import statements
from memctl.store.results import Result

if TYPE_CHECKING:
    import sqlite3

    from memctl.store.store import Store

SQL = statements.load("store/working")

KINDS = ("task", "step", "observation", "skill", "context", "decision", "pending", "blocker")
# What can be done; a blocker that is done blocks no more.
DONE_KINDS = ("step", "pending", "blocker")
# Name of the context entry that holds what the user last asked: of use after a compaction, and none
# beside the next prompt.
LAST_PROMPT = "last prompt"


@dataclass(frozen=True, slots=True)
class JournalEntry(Result):
    """One entry."""

    kind: str  # one of `KINDS`
    text: str
    name: str = ""  # of a context entry
    written_at: str = ""
    done_at: str | None = None  # of a step, a pending item or a blocker
    id: int = 0

    @classmethod
    def of_row(cls, row: sqlite3.Row) -> JournalEntry:
        """Return the entry of a row."""
        return cls(**{name: row[name] for name in cls.__match_args__})

    def as_kept(self) -> dict[str, Any]:
        """Return its form in a snapshot."""
        return {name: getattr(self, name) for name in self.__match_args__ if name != "id"}


@dataclass(frozen=True, slots=True)
class OpenItem(Result):
    """Something that is pending, or blocks, in some session."""

    id: int
    session: str
    channel: str
    kind: str
    text: str
    written_at: str


@dataclass(frozen=True, slots=True)
class JournalState(Result):
    """The present entries of a session's journal in a channel, in the order of their writing."""

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


class EntryRows:
    """The rows of one session's journal in one channel."""

    def __init__(self, store: Store, session: str, channel: str) -> None:
        self.store = store
        self.session = session
        self.channel = channel

    @property
    def key(self) -> dict[str, Any]:
        """The parameters that choose this journal."""
        return {"session": self.session, "channel": self.channel}

    def present(self) -> JournalState:
        """Return the present state; empty where nothing was written."""
        rows = self.store.rows(SQL.entries, self.key) if self.store.exists else []
        return JournalState(self.session, self.channel, tuple(map(JournalEntry.of_row, rows)))

    def show_life(self) -> None:
        """Note a sign of life of the session, inside of a transaction.

        Raises
        ------
        OutOfScopeError
            When the session is somebody else's.
        """
        self.store.execute(SQL.session_alive, {**self.key, **self.store.owner, "now": clock.now()})
        asked = {"id": self.session, "going_on": 0}
        if self.store.scope.narrows and not self.store.rows(SQL.sessions, asked):
            raise OutOfScopeError(
                f"the session \"{self.session:.40}\" is another user's, agent's or project's",
                hint="name another session, or leave it out",
            )

    def add(self, entry: JournalEntry) -> JournalEntry:
        """Add an entry, inside of a transaction; return it with its number."""
        entry = replace(entry, written_at=entry.written_at or clock.now())
        number = self.store.insert(SQL.write_entry, {**self.key, **entry.as_kept()})
        return replace(entry, id=number)

    def end(self, kind: str | None = None, name: str | None = None) -> int:
        """End the present entries of a kind and name, or all, inside of a transaction; return how many."""
        asked = {**self.key, "kind": kind, "name": name, "now": clock.now()}
        return self.store.execute(SQL.end_entries, asked)


# -- as Markdown ---------------------------------------------------------------------------

# The sections, and the kinds that stand in each, in this order.
_SECTIONS = (
    ("Current Task", ("task", "skill", "step", "observation")),
    ("Key Context", ("context",)),
    ("Recent Decisions", ("decision",)),
    ("Pending Actions", ("pending",)),
    ("Blockers", ("blocker",)),
)
_WORDS = {
    "task": "task",
    "skill": "skill",
    "step": "step",
    "observation": "seen",
    "decision": "decided",
    "pending": "to do",
    "blocker": "blocker",
}


def as_markdown(state: JournalState) -> str:
    """Return a journal as Markdown: a title and five sections, each with one entry an item.

    An item is a line ``- what (when): text``; further lines of a text are indented by two spaces.
    """
    where = f" in {state.channel}" if state.channel else ""
    lines = [f"# Session {state.session}{where}"]
    for title, kinds in _SECTIONS:
        lines += ["", f"## {title}", ""]
        entries = [entry for kind in kinds for entry in state.entries if entry.kind == kind]
        lines += [_item(entry) for entry in entries] or ["None."]
    return "\n".join(lines) + "\n"


def _item(entry: JournalEntry) -> str:
    tick = ("[x] " if entry.done_at else "[ ] ") if entry.kind in DONE_KINDS else ""
    name = entry.name.replace("\\", "\\\\").replace("*", "\\*")
    what = _WORDS.get(entry.kind) or f"**{name}**"
    done = f", done {entry.done_at}" if entry.done_at else ""
    text = entry.text.replace("\n", "\n  ")
    return f"- {tick}{what} ({entry.written_at}{done}): {text}"
