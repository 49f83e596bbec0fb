"""Rows of the endpoint in the store: its last answers, and its circuit breaker.

A hook or a command is a process of its own: what the next one is to know stands in the store's
cache, under a name that no session can have.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.errors import BusyError, EndpointError
from memctl.guard import door
from memctl.store import statements
from memctl.store.sqlite_errors import UNWRITABLE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.config.settings import Settings
    from memctl.store.store import Store

SQL = statements.load("store/working")

_OWNER = "_endpoint"


class EndpointRows:
    """The rows of one endpoint. A store that is read-only or was not made yet holds none.

    Parameters
    ----------
    store, settings
        The open store and its settings.
    url
        The endpoint's address: each has a breaker of its own.
    """

    def __init__(self, store: Store, settings: Settings, url: str) -> None:
        self._store = store
        self._settings = settings
        self._breaker = f"time-outs of {url}"

    def answer(self, key: str) -> str | None:
        """Return the answer that was kept under a key; ``None`` where none is, or it is old."""
        return self._value(key)

    @door.guarded("endpoint", unwritten=("key",), by_the_way=True)
    def keep_answer(self, key: str, answer: str) -> None:
        """Keep an answer under a key for ``endpoint_cache_seconds``.

        Raises
        ------
        SecretRefusedError
            When the answer looks like a secret, in a store that keeps nothing too.
        """
        self._set(key, answer, self._settings.integer("endpoint_cache_seconds"))

    def refuse_paused(self) -> None:
        """Raise EndpointError while the breaker is open."""
        if self._timeouts() >= self._settings.integer("endpoint_timeouts"):
            raise EndpointError(
                "the endpoint was late too often and is left alone for a while",
                hint="memctl config get endpoint_pause_seconds shows for how long",
                status="unavailable",
            )

    @door.guarded("endpoint", by_the_way=True)
    def count_timeout(self) -> None:
        """Count a time-out; the last one that is allowed opens the breaker for a while."""
        count = self._timeouts() + 1
        last = count >= self._settings.integer("endpoint_timeouts")
        pause = self._settings.integer("endpoint_pause_seconds") if last else None
        self._set(self._breaker, str(count), pause)

    @door.guarded("endpoint", by_the_way=True)
    def forget_timeouts(self) -> None:
        """Close the breaker: an answer came in time."""
        if self._timeouts():
            self._write(SQL.remove_cached, {"session": _OWNER, "name": self._breaker})

    def _timeouts(self) -> int:
        return int(self._value(self._breaker) or 0)

    def _value(self, name: str) -> str | None:
        if not self._store.exists or self._store.readonly:
            return None
        asked = {"session": _OWNER, "name": name, "now": clock.now()}
        row = self._store.row(SQL.cached, asked)
        return str(row["value"]) if row is not None else None

    def _set(self, name: str, value: str, seconds: int | None) -> None:
        now = clock.now()
        ends = datetime.fromisoformat(now) + timedelta(seconds=seconds or 0)
        given = {
            "session": _OWNER,
            "name": name,
            "value": value,
            "now": now,
            "expires_at": clock.parse_time(ends) if seconds else None,
        }
        self._write(SQL.set_cached, given)

    def _write(self, sql: str, given: Mapping[str, Any]) -> None:
        if not self._store.exists or not self._store.writable:
            return
        with suppress(BusyError, *UNWRITABLE), self._store.transaction():
            self._store.execute(SQL.drop_expired, {"now": clock.now()})
            self._store.execute(sql, given)
