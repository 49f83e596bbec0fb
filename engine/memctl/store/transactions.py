"""What a store keeps of one thread, and the transactions on that thread's connection."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from memctl.store.connections import SQLITE_ERRORS, raise_translated, translated

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path
    from types import TracebackType

    from memctl.store.opening import Opened

__all__ = ["OfThread", "Transaction"]


_serials = count()


class OfThread:
    """The connection of one thread and process, and what is known of it.

    Attributes
    ----------
    pid, connection
        The process and what it opened: after a fork it is not the child's.
    obstacle, stamp
        What keeps it from being written, and the file as it is read; see `memctl.store.opening.Opened`.
    writing
        Whether it is inside a transaction.
    serial
        Which of this process's connections it is; SQLite counts commits for each from the same
        number on.
    settings
        The settings as the store holds them, with SQLite's ``data_version`` at that moment;
        ``None``: to be read again.
    """

    __slots__ = ("connection", "obstacle", "pid", "serial", "settings", "stamp", "writing")

    def __init__(self, pid: int, opened: Opened) -> None:
        self.pid = pid
        self.connection = opened.connection
        self.obstacle = opened.obstacle
        self.stamp = opened.stamp
        self.serial = next(_serials)
        self.writing = False
        self.settings: tuple[int, Mapping[str, str]] | None = None


class Transaction:
    """``begin immediate`` at its beginning, ``commit`` or ``rollback`` at its end.

    Every write passes here: a class costs a fifth of a generator.

    Parameters
    ----------
    path
        The file, for messages.
    thread
        Whose connection it is.
    ended
        Called when it is over, however it ended.
    """

    __slots__ = ("_ended", "_path", "_thread")

    def __init__(self, path: Path, thread: OfThread, ended: Callable[[], object]) -> None:
        self._path = path
        self._thread = thread
        self._ended = ended

    def __enter__(self) -> None:
        try:
            self._thread.connection.execute("begin immediate")
        except SQLITE_ERRORS as wrong:
            raise_translated(wrong, self._path)
        self._thread.writing = True

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if error is None:
                self._thread.connection.execute("commit")
        except SQLITE_ERRORS as wrong:
            self._undo()
            raise_translated(wrong, self._path)
        except BaseException:
            self._undo()
            raise
        finally:
            self._thread.writing = False
            self._ended()
        if error is not None:
            self._undo()
            translated(self._path).__exit__(kind, error, trace)

    def _undo(self) -> None:
        self._thread.settings = None  # what was read meanwhile never was
        if self._thread.connection.in_transaction:  # a full disk has rolled back already
            self._thread.connection.execute("rollback")
