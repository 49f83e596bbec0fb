"""Calls of tools, as an agent's host reports them: in their order, for skills to be mined from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.arguments import checked_class
from memctl.base.errors import NotFoundError
from memctl.guard import door
from memctl.store import statements
from memctl.store.collection import StoreCollection
from memctl.store.results import Result
from memctl.text.cleaning import cleaned
from memctl.working.entries import EntryRows
from memctl.working.session_names import session_in

if TYPE_CHECKING:
    import sqlite3

    from memctl.store.store import Store

SQL = statements.load("store/tool_call")

# Characters of one value of an input, and of what was answered: what is done counts, not contents.
_VALUE = 500
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class ToolCall(Result):
    """One call: `ok` is ``None`` where its outcome is unknown."""

    id: int
    session: str
    tool: str
    input: Any
    ok: bool | None
    told: str
    called_at: str


@checked_class
class ToolCalls(StoreCollection[ToolCall]):
    """The calls of tools in a store, each known by its id."""

    def __init__(self, store: Store) -> None:
        self._store = store

    # Its texts are masked one by one: a call with a secret in it happened all the same.
    @door.guarded("tool_call", unwritten=("input", "told"))
    def add(
        self,
        tool: str,
        input: Mapping[str, Any] | None = None,  # noqa: A002  (as hosts call it)
        *,
        session: str | None = None,
        ok: bool | None = None,
        told: str = "",
    ) -> int:
        """Keep one call, its secrets masked and long values cut; return its id.

        Parameters
        ----------
        tool
            The tool's name.
        input
            What it was called with: anything that JSON holds.
        session
            In which session.
        ok
            How it went; ``None`` where nobody says.
        told
            What it answered.

        Raises
        ------
        UsageError, UnusableInputError
            When the session is no name, or the tool's name is longer than 80 characters.
        """
        rows = EntryRows(self._store, session_in(self._store, session), "")
        given = {
            "session": rows.session,
            "tool": cleaned(tool, what="tool", limit=door.MAX_NAME),
            "input": json.dumps(self._plain(dict(input or {})), ensure_ascii=False),
            "ok": None if ok is None else int(ok),
            "told": self._masked(told),
            "now": clock.now(),
        }
        with self._store.transaction():
            rows.show_life()
            return self._store.insert(SQL.add_call, given)

    def get(self, call: int) -> ToolCall:
        """Return one call. Raises NotFoundError when there is none of this id."""
        row = self._store.row(SQL.call, {"id": call})
        if row is None:
            raise NotFoundError(f'there is no call "{call}"', hint="list shows the calls")
        return _call(row)

    def list(self, *, session: str | None = None, limit: int = 50) -> Sequence[ToolCall]:
        """Return the calls, the newest first; of one session where it is named, -1 for all."""
        if not self._store.exists:
            return []
        asked = {"session": session, "limit": limit}
        return [_call(row) for row in self._store.rows(SQL.calls, asked)]

    def _members(self) -> Sequence[ToolCall]:
        return self.list(limit=-1)

    def _plain(self, value: Any, depth: int = 0) -> Any:
        if isinstance(value, str):
            return self._masked(value)
        if value is None or isinstance(value, (bool, int)):
            return value
        if isinstance(value, float):
            return value if isfinite(value) else str(value)
        if depth == _DEEPEST:
            return "…"
        if isinstance(value, dict):
            return {
                self._masked(str(key)): self._named(str(key), member, depth)
                for key, member in value.items()
            }
        return [self._plain(member, depth + 1) for member in value]

    def _named(self, key: str, member: Any, depth: int) -> Any:
        """Return a member of an object; masked whole where its key makes it a secret."""
        if isinstance(member, str) and door.find_rule(self._store, f"{key}: {member}"):
            return self._masked(f"{key}: {member}").removeprefix(f"{key}: ")
        return self._plain(member, depth + 1)

    def _masked(self, text: str) -> str:
        # A secret at the cut would be half a secret, which no rule knows.
        masked = door.masked(self._store, door.clean(text[: 20 * _VALUE], what="text"))
        return masked if len(masked) <= _VALUE else f"{masked[: _VALUE - 1]}…"


def _call(row: sqlite3.Row) -> ToolCall:
    ok = None if row["ok"] is None else bool(row["ok"])
    return ToolCall(**{**dict(row), "input": json.loads(row["input"]), "ok": ok})
