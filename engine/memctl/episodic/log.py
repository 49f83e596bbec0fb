"""The log: raw turns of threads, word for word."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.arguments import checked_class
from memctl.base.clock import When
from memctl.base.errors import (
    NotFoundError,
    RefusedError,
    SecretRefusedError,
    UnusableInputError,
    UsageError,
)
from memctl.config.settings import Settings
from memctl.episodic.retention import Retention, follow_turns
from memctl.episodic.segments import merge_if_due
from memctl.guard import door
from memctl.search.index.unindexed import index_rows, index_rows_if_free
from memctl.store import statements
from memctl.store.pages import ListPage, page_after, place_after, read_page
from memctl.store.results import Result
from memctl.text.cleaning import cleaned, cleaned_name, text_of
from memctl.text.fences import without_block, without_recalled
from memctl.text.own_words import own_words

if TYPE_CHECKING:
    import sqlite3

    from memctl.base.user_zone import UserZone
    from memctl.store.store import Store

SQL = statements.load("store/episodic")
RETENTION = statements.load("store/episodic_retention")

# When the words of a turn reach the index: the triggers of the table log read it.
_SOON, _WITH_THE_BATCH = 1, 2
# After a batch of so many, or once so many were added one by one, it is asked whether the
# segments of the index are to be merged.
_MANY = 1000
_KINDS = ("", "turn", "episode")
_PEOPLE = ("user", "human")


@dataclass(frozen=True, slots=True)
class Turn(Result):
    """One turn of a thread."""

    id: int
    session: str  # its thread
    seq: int  # its place there, from 1
    role: str
    speaker: str | None
    text: str
    details: str  # what came along: a caption, a tool's output
    logged_at: str
    utc_offset: int | None  # minutes that the clock was ahead of UTC there, where that is known
    processed_at: str | None  # when consolidation last read it
    archived_at: str | None  # ``None`` while it lives
    archived_why: str | None
    user_id: str = ""  # empty for nobody's in particular, as the next two
    agent_id: str = ""
    project: str = ""


@dataclass(frozen=True, slots=True)
class Moment(Result):
    """One line of the timeline: a turn, or the sentence of an episode."""

    kind: str  # turn or episode
    id: int
    happened_at: str
    utc_offset: int | None
    thread: str | None
    who: str | None  # who said it, or took part
    text: str
    archived_at: str | None


@dataclass(frozen=True, slots=True)
class RefusedTurn(Result):
    """A turn of a batch that was refused: its place in the batch, from 0, and why."""

    place: int
    why: str


@dataclass(frozen=True, slots=True)
class AddedTurns(Result):
    """A batch of turns that was added: how many, and those that were refused."""

    added: int
    refused: tuple[RefusedTurn, ...] = ()


@checked_class
class Log(Retention[Turn]):
    """The turns of one store, each known by its id."""

    _kind = "turn"

    def __init__(self, store: Store) -> None:
        self._store = store
        store.before_closing(index_rows_if_free)

    # The text of a message is looked at below, once it was read out of its shape.
    @door.guarded("turn", unwritten=("text", "details"))
    def add(
        self,
        text: Any,
        role: str = "user",
        speaker: str | None = None,
        session: str | None = None,
        logged_at: When | None = None,
        details: Any = "",
    ) -> int:
        """Add one turn at the end of its thread; return its id. As `memctl.Memory.log`."""
        given = {
            "text": text,
            "role": role,
            "speaker": speaker,
            "session": session,
            "logged_at": logged_at,
            "details": details,
        }
        turn = self._row(given, _SOON, self._store.zone)
        with self._store.transaction():
            added = self._store.insert(SQL.add_turn, turn)
        if added % _MANY == 0:
            self._store.before_closing(merge_if_due)
        return added

    # Each turn is looked at below, so that the one that is refused is named.
    @door.guarded("turn", unwritten=("turns",))
    def add_many(
        self, turns: Iterable[Mapping[str, Any]], *, skip_refused: bool = False
    ) -> AddedTurns:
        """Add turns in one transaction, all or none; return how many.

        Parameters
        ----------
        turns
            Each a mapping of `add`'s parameters.
        skip_refused
            Leave out those that are refused, and add the rest.

        Raises
        ------
        UnusableInputError, UsageError, SecretRefusedError
            When a turn is refused, named by its place: ``turns[17]``; nothing is written.
        """
        rows: list[dict[str, Any]] = []
        refused: list[RefusedTurn] = []
        zone = self._store.zone
        for place, turn in enumerate(turns):
            try:
                rows.append(self._row(turn, _WITH_THE_BATCH, zone, f"turns[{place}]"))
            except (RefusedError, UsageError) as error:
                if not skip_refused:
                    raise
                if isinstance(error, SecretRefusedError):
                    door.count_refusal(self._store, error)
                refused.append(RefusedTurn(place, error.message))
        if rows:
            with self._store.transaction():
                self._store.execute_many(SQL.add_turn, rows)
                index_rows(self._store)
        if len(rows) >= _MANY:
            merge_if_due(self._store)
        return AddedTurns(len(rows), tuple(refused))

    def get(self, turn: int) -> Turn:
        """Return one turn. Raises NotFoundError when there is none of this id."""
        row = self._store.row(SQL.turn, {"id": turn})
        if row is None:
            raise NotFoundError(f'there is no turn "{turn}"', hint="memctl turns list shows them")
        return _turn(row)

    @door.guarded("retention")
    def archive(self, ids: Iterable[int], *, why: str = "asked for") -> int:
        """Mark turns as archived: recall leaves them out, nothing is lost; return how many.

        An episode whose turns are all archived goes with them, and comes back with any of them.

        Raises
        ------
        NotFoundError
            When one of them does not exist; nothing is archived.
        """
        return self._mark(RETENTION.archive_turns, list(ids), "archived", why=why)

    @door.guarded("retention")
    def archive_old(self, days: int | timedelta | None = None) -> int:
        """Archive the turns that are older than so many days; return how many.

        Parameters
        ----------
        days
            1 or more, or a `timedelta`; by default the setting ``log_archive_days``.

        Raises
        ------
        UsageError
            When nothing can be that old.
        """
        if days is None:
            days = Settings(self._store, self._store.flags).integer("log_archive_days")
        days = days.days if isinstance(days, timedelta) else days
        why = f"older than {days} days"
        parameters = {"before": clock.days_ago(days), "now": clock.now(), "why": why}
        with self._store.transaction():
            archived = self._store.execute(RETENTION.archive_turns_before, parameters)
            follow_turns(self._store, parameters["now"])
            return archived

    def unprocessed(self, *, session: str | None = None, limit: int = 1000) -> list[Turn]:
        """Return the living turns that consolidation has still to read, in their order.

        Parameters
        ----------
        session
            Only those of this thread.
        limit
            Most rows.
        """
        asked = {"session": session, "limit": limit}
        return [_turn(row) for row in self._store.rows(SQL.turns_to_process, asked)]

    @door.guarded("turn")
    def mark_processed(self, turns: Iterable[int], *, processed: bool = True) -> None:
        """Mark turns as read by consolidation, or as to be read again."""
        when = clock.now() if processed else None
        rows = [{"id": turn, "processed_at": when} for turn in turns]
        with self._store.transaction():
            self._store.execute_many(SQL.mark_processed, rows)

    def list(
        self, *, session: str | None = None, archived: bool = False, limit: int | None = None
    ) -> ListPage[Turn]:
        """Return the turns, the newest first: the living, or those archived.

        Parameters
        ----------
        session
            Only those of this thread.
        archived
            The archived ones instead of the living.
        limit
            Most turns; ``None`` or -1 for all.
        """
        if not self._store.exists:
            return ListPage()
        parameters = {"session": session, "archived": int(archived)}
        return read_page(self._store, SQL.turns, parameters, _turn, limit)

    def timeline(
        self,
        *,
        kind: str = "",
        thread: str | None = None,
        archived: bool = False,
        after: str = "",
        limit: int = 50,
    ) -> ListPage[Moment]:
        """Return turns and episodes in one list, the newest first.

        Parameters
        ----------
        kind
            ``turn`` or ``episode`` alone; empty for both.
        thread
            Only those of this thread.
        archived
            Archived turns and forgotten episodes instead of the living.
        after
            ``next_after`` of the page before; empty for the first. The end is not counted.
        limit
            Most of them.

        Raises
        ------
        UsageError
            When the kind or the place is none.
        """
        if kind not in _KINDS or limit < 1:
            raise UsageError(f'kind "{kind}" or limit {limit} is not allowed', hint="turn, episode")
        asked = {"kind": kind, "thread": thread, "archived": int(archived), "limit": limit + 1}
        asked |= place_after(after)
        rows = self._store.rows(SQL.timeline, asked) if self._store.exists else []
        return page_after(
            rows, lambda row: Moment(*row), limit, lambda row: (row["happened_at"], row["id"])
        )

    def _members(self) -> Sequence[Turn]:
        return self.list()

    def _size(self) -> int:
        return int(self._store.value(SQL.count_turns))

    def _row(
        self, turn: Mapping[str, Any], indexed: int, zone: UserZone, name: str = "turn"
    ) -> dict[str, Any]:
        """Return the columns of a turn that is given by the parameters of `add`; refuse secrets.

        `name` names it where it is refused.
        """
        text = without_recalled(cleaned(text_of(turn.get("text")), what="text"), what=f'"{name}"')
        if not text.strip():
            raise UnusableInputError(f'"{name}" is empty', hint="pass what was said")
        role = cleaned(turn.get("role") or "user", what="role", limit=door.MAX_NAME) or "user"
        pasted = ""
        if role in _PEOPLE:
            own, pasted = own_words(text)
            # What a machine wrote is kept, but is no person's word.
            text, role = (own, role) if own else (pasted or text, "system")
            pasted = pasted if own else ""
        logged_at = turn.get("logged_at")
        now = clock.now()
        what = "logged_at" if name == "turn" else f"{name}.logged_at"
        when, offset = zone.told(logged_at or zone.now(), what=what)
        given = turn.get("details")
        details = cleaned(without_block(text_of(given)), what="details") if given else ""
        row: dict[str, Any] = {
            "text": text,
            "role": role,
            "speaker": cleaned_name(turn.get("speaker"), what="speaker"),
            "session": cleaned_name(turn.get("session"), what="session") or zone.day(when, offset),
            "logged_at": when,
            "utc_offset": offset,
            "details": "\n\n".join(part for part in (pasted, details) if part),
            "recorded_at": now,
            "later": indexed,
            **self._store.owner,
        }
        door.refuse_secrets(self._store, "turn", name, [text, row["details"]])
        if indexed == _WITH_THE_BATCH:  # of one turn, the door has looked at these
            for column in ("speaker", "session", "role"):
                door.refuse_secrets(self._store, "turn", name, [row[column]])
        return row


def _turn(row: sqlite3.Row) -> Turn:
    return Turn(*(row[name] for name in Turn.__match_args__))
