"""Recalls that were kept: as rows, their feedback, listed, shown and forgotten; and what prompts were given."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.arguments import checked_class
from memctl.base.errors import BusyError, NotFoundError, UsageError
from memctl.base.pattern import Pattern
from memctl.guard import door
from memctl.store import statements
from memctl.store.collection import StoreCollection
from memctl.store.pages import ListPage, read_page
from memctl.store.results import Result
from memctl.store.sqlite_errors import UNWRITABLE
from memctl.text.closed_words import word_heads

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from memctl.search.recall_request import RecallRequest
    from memctl.search.recall_results import Recalled
    from memctl.semantic.facts import Facts
    from memctl.store.store import Store


SQL = statements.load("store/episodic_recording")

# How long an answer waits for another process's write, to be recorded: most are over by then.
_PATIENCE_MS = 100
_OUTCOMES = ("ok", "failed")
_KINDS = ("", "turn", "episode")
# An older version of a fact has its revision behind its id.
_FACT_ID = Pattern(r"f_[0-9a-z_]+(?:\.\d+)*")
_MAX_DIGITS = 18  # SQLite's integers have 19


@dataclass(frozen=True, slots=True)
class KeptRecall(Result):
    """One question that was asked, secrets masked, and how it went.

    ``hits`` rows came back; ``fallback`` names the vectors that were asked as well, ``outcome``
    is ``ok``, ``failed`` or ``None`` where nobody said.
    """

    id: int
    asked_at: str
    question: str
    hits: int
    unknown: tuple[str, ...]
    fallback: str | None
    duration_ms: float
    outcome: str | None
    outcome_at: str | None
    forgotten_at: str | None


@dataclass(frozen=True, slots=True)
class KeptHit(Result):
    """A row that a recall brought: ``text`` as it is now, ``None`` where it is out of reach."""

    rank: int
    kind: str
    id: int | str
    text: str | None
    score: float
    fallback: bool
    used_at: str | None

    @property
    def name(self) -> str:
        """Its name as `feedback` takes it: ``turn:12``, or the id of a fact."""
        return str(self.id) if self.kind == "fact" else f"{self.kind}:{self.id}"


@dataclass(frozen=True, slots=True)
class Feedback(Result):
    """Feedback on one recall: how many of its rows helped, and how it went."""

    recall: int
    used: int
    outcome: str | None


@checked_class
class Recalls(StoreCollection[KeptRecall]):
    """The recalls that a store has kept, each known by its id; `facts` are those within reach."""

    def __init__(self, store: Store, facts: Callable[[], Facts]) -> None:
        self._store = store
        self._facts = facts

    def list(
        self, *, forgotten: bool = False, empty: bool = False, limit: int | None = None
    ) -> ListPage[KeptRecall]:
        """Return the recalls, the newest first.

        Parameters
        ----------
        forgotten
            The forgotten ones instead.
        empty
            Only those that brought nothing.
        limit
            Most recalls; ``None`` or -1 for all.
        """
        if not self._store.exists:
            return ListPage()
        parameters = {"forgotten": int(forgotten), "empty": int(empty)}
        return read_page(self._store, SQL.recalls, parameters, _recall, limit)

    def get(self, recall: int) -> KeptRecall:
        """Return one recall. Raises NotFoundError when there is none of this id."""
        row = self._store.row(SQL.recall, {"id": recall})
        if row is None:
            raise NotFoundError(f'there is no recall "{recall}"', hint="memctl recalls list")
        return _recall(row)

    def hits(self, recall: int) -> Sequence[KeptHit]:
        """Return the rows that a recall brought, best first, without erased ones.

        Raises NotFoundError when there is no such recall.
        """
        kept = self.get(recall)
        rows = self._store.rows(SQL.hits_of, {"recall_id": kept.id})
        facts = self._facts() if any(row["kind"] == "fact" for row in rows) else None
        return [_hit(row, facts) for row in rows]

    @door.guarded("recall")
    def forget(self, recall: int) -> KeptRecall:
        """Mark a recall as forgotten: `list` leaves it out; `restore` undoes it.

        Raises NotFoundError when there is no such recall.
        """
        return self._mark(recall, clock.now())

    @door.guarded("recall")
    def restore(self, recall: int) -> KeptRecall:
        """Bring a forgotten recall back.

        Raises NotFoundError when there is no such recall, UsageError when it is not forgotten.
        """
        if self.get(recall).forgotten_at is None:
            raise UsageError(f'the recall "{recall}" is not forgotten')
        return self._mark(recall, None)

    def _mark(self, recall: int, forgotten_at: str | None) -> KeptRecall:
        with self._store.transaction():
            kept = self.get(recall)
            self._store.execute(SQL.mark_forgotten, {"id": kept.id, "forgotten_at": forgotten_at})
            return self.get(recall)

    def _members(self) -> Sequence[KeptRecall]:
        return self.list(limit=-1)

    def _size(self) -> int:
        return int(self._store.value(SQL.count_recalls))


def _recall(row: sqlite3.Row) -> KeptRecall:
    fields = dict(row)
    unknown = json.loads(fields.pop("unknown_words"))
    return KeptRecall(**fields, unknown=tuple(map(str, unknown)))


def _hit(row: sqlite3.Row, facts: Facts | None) -> KeptHit:
    fields: dict[str, Any] = dict(row)
    if facts is not None and row["kind"] == "fact":
        try:
            fields["text"] = facts.get(row["id"]).text
        except NotFoundError:  # another user's or agent's
            fields["text"] = None
    return KeptHit(**{**fields, "fallback": bool(row["fallback"])})


# -- keeping and feedback ------------------------------------------------------------------


def keep(store: Store, request: RecallRequest, recalled: Recalled) -> Recalled:
    """Keep a recall, and return it with its id, or with the reason why it could not be kept.

    A blank question is not kept. An answer takes its usual time, also while another process holds
    the file's lock, on a full disk and where the file may not be written.
    """
    if not (request.record and recalled.masked.strip()) or store.readonly:
        return recalled
    try:
        with store.at_once(within_ms=_PATIENCE_MS):
            return replace(recalled, id=record(store, recalled.masked, recalled))
    except (BusyError, *UNWRITABLE) as error:
        return replace(recalled, unrecorded=f"this recall was not recorded: {error.message}")


def record(store: Store, question: str, recalled: Recalled) -> int:
    """Keep one recall, of a `masked_question`, in one transaction; return its id."""
    with store.transaction(activity=True):
        numbers = _numbers(store, [str(row.id) for row in recalled if row.kind == "fact"])
        recall = store.insert(
            SQL.record_recall,
            {
                "asked_at": clock.now(),
                "question": question,
                "hits": len(recalled),
                "unknown_words": json.dumps(recalled.unknown, ensure_ascii=False),
                "fallback": recalled.fallback,
                "duration_ms": round(recalled.duration_ms, 3),
                **store.owner,
            },
        )
        hits = [
            [
                rank,
                row.kind,
                numbers[str(row.id)] if row.kind == "fact" else row.id,
                row.score,
                int(row.fallback),
            ]
            for rank, row in enumerate(recalled, 1)
            # A fact that was erased since it was found leaves no trace here.
            if row.kind != "fact" or str(row.id) in numbers
        ]
        store.execute(SQL.record_hits, {"recall_id": recall, "hits": json.dumps(hits)})
    return recall


def give_feedback(
    store: Store, recall: int, *, used: Iterable[int | str] = (), outcome: str | None = None
) -> Feedback:
    """Mark which rows of a recall helped, and how it went, as `memctl.Memory.feedback`."""
    if outcome is not None and outcome not in _OUTCOMES:
        raise UsageError(f'outcome "{outcome}" is unknown', hint="it is ok or failed")
    now = clock.now()
    with store.transaction():
        if store.row(SQL.recall, {"id": recall}) is None:
            raise NotFoundError(f'there is no recall "{recall}"', hint="recall prints its id")
        items = [str(item) for item in used]
        for item in items:
            _mark(store, recall, item, now)
        if items:
            store.execute(SQL.mark_injected_used, {"recall_id": recall, "now": now})
        if outcome is not None:
            store.execute(SQL.set_outcome, {"id": recall, "outcome": outcome, "now": now})
    return Feedback(recall, len(items), outcome)


def _numbers(store: Store, facts: list[str]) -> dict[str, int]:
    """Return the numbers of some facts."""
    if not facts:
        return {}
    rows = store.rows(SQL.fact_numbers, {"ids": json.dumps(facts)})
    return {row["id"]: row["number"] for row in rows}


def _mark(store: Store, recall: int, item: str, now: str) -> None:
    kind, number = _kind_and_number(store, item)
    parameters = {"recall_id": recall, "item_id": number, "kind": kind, "now": now}
    marked = store.execute(SQL.mark_used, parameters)
    if not marked:
        raise NotFoundError(
            f'recall "{recall}" did not bring "{item}"', hint="name rows that it brought"
        )
    if marked > 1:
        raise UsageError(f'"{item}" is several rows', hint=f'write "turn:{number}"')


def _kind_and_number(store: Store, item: str) -> tuple[str | None, int | None]:
    """Return the kind that an id names, ``None`` where it names none, and its number."""
    kind, _, name = item.rpartition(":")
    if kind == "fact" or (not kind and not name.isdecimal()):
        if _FACT_ID.fullmatch(name):
            return "fact", _numbers(store, [name]).get(name)
    elif kind in _KINDS and name.isdecimal() and len(name) <= _MAX_DIGITS:
        return kind or None, int(name)
    raise UsageError(f'"{item:.40}" is no row', hint='write 12, "turn:12" or "f_3921fa271ecc"')


# -- Rows that a prompt was given ----------------------------------------------------------


INJECTED = statements.load("store/injected")

# The share of a row's new words that a reply says where it uses the row.
_SAID_AGAIN = 1 / 3


def record_injected(
    store: Store, session: str, hook: str, rows: Iterable[str], tokens: int
) -> bool:
    """Record a block that was put into a prompt; return whether it could be.

    A prompt does not wait for its record: where another process writes, or the store cannot be
    written, there is none.

    Parameters
    ----------
    session
        The session whose prompt it was.
    hook
        What put it there: ``prompt``, ``start``, ``context``, ...
    rows
        Names of the rows in it, as `feedback` takes them: ``turn:12``, or the id of a fact. Others
        may be named in the same way (``journal:3``): they count as given.
    tokens
        Estimated tokens of the block.
    """
    if store.readonly or not store.exists:
        return False
    injection = {
        "session": session,
        "hook": hook,
        "tokens": tokens,
        "injected_at": clock.now(),
        **store.owner,
    }
    names = list(dict.fromkeys(rows))
    try:
        with store.at_once(), store.transaction(activity=True):
            number = store.insert(INJECTED.record, injection)
            store.execute(INJECTED.record_rows, {"injection": number, "names": json.dumps(names)})
    except (BusyError, *UNWRITABLE):
        return False
    return True


def told_in(store: Store, session: str, *, hook: str | None = None) -> set[str]:
    """Return the names of the rows that are in a session's prompts.

    Parameters
    ----------
    session
        Its name.
    hook
        Only what this one put there; any by default.
    """
    if not store.exists:
        return set()
    asked = {**_whose(store, session), "hook": hook}
    return {row["name"] for row in store.rows(INJECTED.told, asked)}


def forget_told(store: Store, session: str) -> None:
    """Forget what a session's prompts were given: a compaction has taken it out of them."""
    if store.exists:
        with store.transaction(activity=True):
            store.execute(INJECTED.forget, {**_whose(store, session), "now": clock.now()})


def mark_used(store: Store, session: str, reply: str) -> int:
    """Mark the injected rows that a reply uses; return how many.

    A reply uses a row where it repeats a third of the words that the row adds to the prompt.
    """
    rows = store.rows(INJECTED.unused, {"session": session}) if store.exists else []
    if not rows:
        return 0
    prompt = word_heads(store.value(INJECTED.last_prompt, {"session": session}) or "")
    said = word_heads(reply) - prompt
    used = [row for row in rows if _uses(said, word_heads(row["text"]) - prompt)]
    if used:
        now = clock.now()
        with store.transaction(activity=True):
            for row in used:
                marked = {"injection": row["injection_id"], "name": row["name"], "now": now}
                store.execute(INJECTED.mark_used, marked)
    return len(used)


def _uses(said: set[str], added: set[str]) -> bool:
    return bool(added) and len(said & added) >= _SAID_AGAIN * len(added)


def _whose(store: Store, session: str) -> dict[str, str]:
    owner = store.owner
    return {"session": session, "user_id": owner["user_id"], "agent_id": owner["agent_id"]}
