"""Journal of the task at hand: written before a reply, on the disk when the call returns."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base import clock
from memctl.base.arguments import checked_class
from memctl.base.errors import NotFoundError, UsageError
from memctl.guard import door
from memctl.store import statements
from memctl.store.pages import ListPage, read_page
from memctl.store.results import Result
from memctl.text.cleaning import cleaned
from memctl.working.entries import EntryRows, JournalEntry, JournalState, OpenItem
from memctl.working.session_names import checked_channel, session_in

if TYPE_CHECKING:
    from memctl.store.store import Store

SQL = statements.load("store/working")

_MAX_ENTRY = 10_000  # characters: a journal is read at every turn
_LISTED = 8
_SNAPSHOTS = 20  # that a journal keeps; the oldest go


@dataclass(frozen=True, slots=True)
class JournalSnapshot(Result):
    """A journal as it was: its number, when and why it was taken, and how many entries it has."""

    id: int
    taken_at: str
    why: str
    size: int


@checked_class
class Journal:
    """The journal of one session in one channel.

    What a call has written is on the disk when it returns: a killed process or a loss of power
    takes nothing of it. Nothing is overwritten; what a later entry replaces is marked as ended.

    Parameters
    ----------
    session
        Whose journal; that of nobody in particular by default.
    channel
        Where the session is held: it has a journal of its own in each.

    Raises
    ------
    UsageError
        When the session or channel is no name.
    """

    def __init__(
        self, store: Store, session: str | None = None, channel: str | None = None
    ) -> None:
        self._store = store
        self._rows = EntryRows(store, session_in(store, session), checked_channel(channel))

    @property
    def session(self) -> str:
        """The session whose journal it is."""
        return self._rows.session

    def of(self, session: str | None = None, channel: str | None = None) -> Journal:
        """Return the journal of another session or channel; of the same where none is named."""
        return Journal(
            self._store,
            self._rows.session if session is None else session,
            self._rows.channel if channel is None else channel,
        )

    # -- writing -------------------------------------------------------------------------

    @door.guarded("journal")
    def task(self, text: str) -> JournalEntry:
        """Set the task at hand; the one before ends.

        Raises
        ------
        UsageError, UnusableInputError, SecretRefusedError
            When the text is blank, longer than 10,000 characters or looks like a secret.
        """
        return self._replace("task", text)

    @door.guarded("journal")
    def plan(self, steps: Iterable[str]) -> tuple[JournalEntry, ...]:
        """Set the steps of the task; those before end.

        Raises
        ------
        UsageError, UnusableInputError, SecretRefusedError
            As `task`; nothing is changed.
        """
        texts = [_text(step) for step in steps]
        with self._writing():
            self._rows.end("step")
            return tuple(self._rows.add(JournalEntry("step", text)) for text in texts)

    @door.guarded("journal")
    def skill(self, name: str) -> JournalEntry:
        """Set the skill that is in use. Raises as `task`."""
        return self._replace("skill", name)

    @door.guarded("journal")
    def context(self, name: str, text: str) -> JournalEntry:
        """Set a named value; the one of this name before ends. Raises as `task`."""
        return self._replace("context", text, name=_name(name))

    @door.guarded("journal")
    def observe(self, text: str) -> JournalEntry:
        """Add what was seen. Raises as `task`."""
        return self._add("observation", text)

    @door.guarded("journal")
    def decide(self, text: str) -> JournalEntry:
        """Add a decision, or a correction. Raises as `task`."""
        return self._add("decision", text)

    @door.guarded("journal")
    def pending(self, text: str) -> JournalEntry:
        """Add what is to be done. Raises as `task`."""
        return self._add("pending", text)

    @door.guarded("journal")
    def blocker(self, text: str) -> JournalEntry:
        """Add what blocks the task. Raises as `task`."""
        return self._add("blocker", text)

    @door.guarded("journal")
    def done(self, item: int | str) -> JournalEntry:
        """Mark a step, a pending item or a blocker as done.

        Parameters
        ----------
        item
            Its text, letter case aside, or its number; of equal ones the oldest that is open.

        Raises
        ------
        NotFoundError
            When nothing of this text or number is open; the message names what is.
        """
        with self._writing():
            state = self.get()
            found = next((entry for entry in state.open if _is(entry, item)), None)
            if found is None:
                listed = "; ".join(f'{e.id} "{e.text:.40}"' for e in state.open[:_LISTED])
                raise NotFoundError(
                    f'nothing open is "{item!s:.60}"',
                    hint=f"open: {listed}" if listed else "nothing is open in this session",
                )
            self._store.execute(SQL.finish_entry, {"id": found.id, "now": clock.now()})
            return next(entry for entry in self.get().entries if entry.id == found.id)

    @door.guarded("journal")
    def clear(self) -> int:
        """End all present entries, which a snapshot keeps; return how many."""
        with self._writing():
            if not self.get().entries:
                return 0
            self._take("before clear")
            return self._rows.end()

    @door.guarded("journal")
    def snapshot(self, why: str = "asked for") -> JournalSnapshot:
        """Keep the present state; the oldest of more than 20 snapshots goes.

        Raises
        ------
        UsageError, UnusableInputError, SecretRefusedError
            As `task`, of `why`.
        """
        reason = _text(why, most=door.MAX_LABEL, what="why")
        with self._writing():
            return self._take(reason)

    @door.guarded("journal")
    def restore(self, snapshot: int | None = None) -> JournalState:
        """Make a snapshot the present state again; the present one is kept as a snapshot first.

        Parameters
        ----------
        snapshot
            Its number; the newest by default.

        Raises
        ------
        NotFoundError
            When there is none, or it is another session's.
        """
        with self._writing():
            chosen = next((one for one in self.snapshots() if snapshot in {None, one.id}), None)
            if chosen is None:
                raise NotFoundError(
                    f'the session "{self.session}" has no snapshot'
                    + (f' "{snapshot}"' if snapshot is not None else ""),
                    hint="memctl wal snapshots lists them",
                )
            entries = self._store.value(SQL.snapshot, {"id": chosen.id})
            self._take(f"before restore of {chosen.id}", spared=chosen.id)
            self._rows.end()
            for entry in json.loads(entries):
                self._rows.add(JournalEntry(**entry))
            return self.get()

    # -- reading -------------------------------------------------------------------------

    def get(self) -> JournalState:
        """Return the task of the session; empty where nothing was written."""
        return self._rows.present()

    def snapshots(self, *, limit: int | None = None) -> ListPage[JournalSnapshot]:
        """Return the snapshots of this journal, the newest first.

        Parameters
        ----------
        limit
            Most snapshots; ``None`` for all.
        """
        if not self._store.exists:
            return ListPage()
        return read_page(
            self._store, SQL.snapshots, self._rows.key, lambda row: JournalSnapshot(**row), limit
        )

    def open_items(self, *, everywhere: bool = True, limit: int = 50) -> Sequence[OpenItem]:
        """Return pending and blocking entries, the newest first.

        Parameters
        ----------
        everywhere
            Of all sessions; else of this one, in all its channels.
        limit
            Most items; -1 for all.
        """
        if not self._store.exists:
            return []
        asked = {"session": None if everywhere else self.session, "limit": limit}
        return [OpenItem(**dict(row)) for row in self._store.rows(SQL.open_items, asked)]

    # -- by the way ----------------------------------------------------------------------

    def _take(self, why: str, *, spared: int = 0) -> JournalSnapshot:
        entries = [entry.as_kept() for entry in self.get().entries]
        now, key = clock.now(), self._rows.key
        kept = {**key, "now": now, "why": why, "entries": json.dumps(entries, ensure_ascii=False)}
        number = self._store.insert(SQL.add_snapshot, kept)
        self._store.execute(SQL.drop_snapshots, {**key, "spared": spared, "most": _SNAPSHOTS})
        return JournalSnapshot(number, now, why, len(entries))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Let what is written inside be on the disk at the end."""
        with self._store.transaction(durable=True):
            self._rows.show_life()
            yield

    def _add(self, kind: str, text: str) -> JournalEntry:
        entry = JournalEntry(kind, _text(text))
        with self._writing():
            return self._rows.add(entry)

    def _replace(self, kind: str, text: str, *, name: str = "") -> JournalEntry:
        entry = JournalEntry(kind, _text(text), name)
        with self._writing():
            self._rows.end(kind, name or None)
            return self._rows.add(entry)


def _text(text: str, *, most: int = _MAX_ENTRY, what: str = "text") -> str:
    kept = cleaned(text, what=what, limit=most).strip()
    if not kept:
        raise UsageError(f"{what} is blank", hint="write what is to be kept")
    return kept


def _name(name: str) -> str:
    return " ".join(_text(name, most=door.MAX_NAME, what="name").split())


def _is(entry: JournalEntry, item: int | str) -> bool:
    if isinstance(item, int):
        return entry.id == item
    return entry.text.casefold() == item.strip().casefold() or str(entry.id) == item.strip()
