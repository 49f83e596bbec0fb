"""Cache of a session: values at hand for a while, with an expiry."""

from __future__ import annotations

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
from memctl.working.entries import EntryRows
from memctl.working.session_names import session_in

if TYPE_CHECKING:
    from memctl.store.store import Store

SQL = statements.load("store/working")

_LONGEST = 366 * 86_400  # seconds: what is kept for longer is a fact


@dataclass(frozen=True, slots=True)
class CachedValue(Result):
    """A value of the cache; ``expires_at`` is ``None`` where it stays until it is removed."""

    name: str
    value: str
    set_at: str
    expires_at: str | None


@checked_class
class SessionCache:
    """The cache of one session, by default of the unnamed one."""

    def __init__(self, store: Store, session: str | None = None) -> None:
        self._store = store
        self._session = session_in(store, session)

    @door.guarded("cache")
    def set(self, name: str, value: str, *, seconds: int | None = None) -> CachedValue:
        """Keep a value; the one of this name before is replaced.

        Parameters
        ----------
        name
            At most 80 characters.
        value
            Any text.
        seconds
            How long it is kept, 1 to a year's; until it is removed by default.

        Raises
        ------
        UsageError, UnusableInputError, SecretRefusedError
            When the name is blank or too long, the time is out of range, or one of the two looks
            like a secret.
        """
        kept = cleaned(name, what="name", limit=door.MAX_NAME).strip()
        if not kept:
            raise UsageError("name is blank", hint="name the value")
        if seconds is not None and not 1 <= seconds <= _LONGEST:
            raise UsageError(f"{seconds} seconds are out of range", hint=f"1 to {_LONGEST}")
        now = clock.now()
        given = {
            "session": self._session,
            "name": kept,
            "value": cleaned(value, what="value"),
            "now": now,
            "expires_at": clock.moved(now, seconds=seconds) if seconds else None,
        }
        with self._store.transaction():
            EntryRows(self._store, self._session, "").show_life()
            self._store.execute(SQL.drop_expired, {"now": now})
            self._store.execute(SQL.set_cached, given)
        return self.get(kept)

    def get(self, name: str) -> CachedValue:
        """Return a value. Raises NotFoundError when there is none, or it has expired."""
        found = self._found(name)
        if not found:
            raise NotFoundError(
                f'nothing is cached as "{name:.40}"', hint="memctl cache list shows what is"
            )
        return found[0]

    def list(self, *, limit: int | None = None) -> ListPage[CachedValue]:
        """Return the values that have not expired, what was set last first.

        Parameters
        ----------
        limit
            Most values; ``None`` for all.
        """
        return self._found(None, limit)

    @door.guarded("cache")
    def remove(self, name: str) -> CachedValue:
        """Remove a value; return it. Raises NotFoundError when there is none."""
        with self._store.transaction():
            removed = self.get(name)
            self._remove(name)
        return removed

    @door.guarded("cache")
    def clear(self) -> int:
        """Remove all values of the session; return how many had not expired."""
        if not self._store.exists:
            return 0
        with self._store.transaction():
            count = len(self.list())
            self._remove(None)
        return count

    def _remove(self, name: str | None) -> None:
        self._store.execute(SQL.remove_cached, {"session": self._session, "name": name})

    def _found(self, name: str | None, limit: int | None = None) -> ListPage[CachedValue]:
        if not self._store.exists:
            return ListPage()
        asked = {"session": self._session, "name": name, "now": clock.now()}
        return read_page(
            self._store, SQL.cached, asked, lambda row: CachedValue(**dict(row)), limit
        )
