"""The spool of a store: turns of hooks that could not be written, kept beside it until they can.

A hook whose store is locked, too slow, full or damaged appends its turn to ``agent.db-spool``, one
line of JSON each; whoever writes next takes them in. Each turn has an id that the store notes
together with the turn, so that a process that is killed in between takes nothing in twice.
"""

from __future__ import annotations

import json
import os
import time
import uuid
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from errno import ENOSPC
from typing import TYPE_CHECKING

from memctl.base import clock
from memctl.base.errors import BusyError, FileAccessError, RefusedError, UsageError
from memctl.base.home import home_around, standing
from memctl.base.whole_file import whole_file
from memctl.episodic.log import Log
from memctl.store import statements
from memctl.store.sqlite_errors import UNWRITABLE
from memctl.store.store_file import make_folders

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.store.store import Store

SQL = statements.load("store/porting")

_SOURCE = "spool"
# A store that cannot be written for weeks does not fill the disk.
_MOST_BYTES = 20_000_000
_AT_ONCE = 200  # turns: others wait for them
_PATIENCE = 0.5  # seconds until whoever is at the file is through with it
_PAUSE = 0.005


@dataclass(frozen=True, slots=True)
class SpooledTurn:
    """A turn that waits.

    Parameters
    ----------
    text, role, session, said_at
        The turn as `memctl.Memory.log` takes it.
    owner
        Whose it is: ``user_id``, ``agent_id`` and ``project``.
    id
        What it is known by, so that it is taken in once.
    """

    text: str
    role: str
    session: str
    said_at: str
    owner: dict[str, str] = field(default_factory=dict)
    id: str = field(default_factory=lambda: uuid.uuid4().hex)


@dataclass(frozen=True, slots=True)
class TakenIn:
    """Counts of what became of a spool: turns taken in and refused, lines that no turn can be read from."""

    turns: int = 0
    refused: int = 0
    damaged: int = 0

    def __str__(self) -> str:
        """Return the part of it that somebody has to know; empty where all was taken in."""
        told = []
        if self.refused:
            told.append(f"{self.refused} of the turns that waited were refused")
        if self.damaged:
            told.append(f"{self.damaged} damaged lines of the spool were set aside")
        return "; ".join(told)


def spool(store: Path, turn: SpooledTurn) -> None:
    """Append a turn to the spool of the store in a file; it is on the disk then.

    Raises
    ------
    FileAccessError
        When it cannot be written, or is full.
    BusyError
        When another process is at it for longer than half a second.
    """
    path = _spool_of(store)
    line = json.dumps(asdict(turn)).encode() + b"\n"
    try:
        make_folders(path.parent)
        with _alone(path) as file:
            end = os.lseek(file, 0, os.SEEK_END)
            if end + len(line) > _MOST_BYTES:
                raise FileAccessError(f'"{path}" is full', hint="memctl doctor says why it waits")
            # What was cut off by a loss of power is a line of its own.
            cut_off = end and _read(file, end - 1) != b"\n"
            try:
                _write(file, b"\n" + line if cut_off else line)
            except OSError:
                os.ftruncate(file, end)
                raise
    except OSError as error:
        raise FileAccessError(
            f'"{path}" cannot be written: {error.strerror}',
            hint="check the free space and the permissions of its folder",
            cause=error,
        ) from error


def waiting_in(store: Path) -> tuple[int, int]:
    """Return how many turns wait in the spool of a store, and how many damaged lines lie aside.

    Raises
    ------
    FileAccessError
        When something else has the name of the spool: no turn can wait.
    """
    counts = []
    for path in (_spool_of(store), _damaged_of(store)):
        try:
            counts.append(len(path.read_bytes().splitlines()) if standing(path) else 0)
        except FileAccessError:
            raise
        except OSError:
            counts.append(0)
    return counts[0], counts[1]


def take_in(store: Store) -> TakenIn:
    """Add the turns of a store's spool to its log, in their order, each once.

    What looks like a secret is refused as it would have been then. A line that is damaged is set
    aside in ``agent.db-spool-damaged``. Where the store is still locked or full, they go on waiting.
    """
    path = _spool_of(store.path)
    if store.readonly or not path.exists():
        return TakenIn()
    try:
        with _alone(path) as file:
            lines = _lines(file)
            batch, later = lines[:_AT_ONCE], lines[_AT_ONCE:]
            turns = [_turn(line) for line in batch]
            damaged = [line for line, turn in zip(batch, turns, strict=True) if turn is None]
            taken, refused = _add(store, [turn for turn in turns if turn is not None])
            if damaged:
                _set_aside(_damaged_of(store.path), damaged)
            _leave(path, later)
    except (BusyError, OSError, *UNWRITABLE):
        return TakenIn()
    return TakenIn(taken, refused, len(damaged))


def forget_damaged(store: Path) -> None:
    """Remove the damaged lines of a store's spool: nobody can read them."""
    path = _damaged_of(store)
    if path.exists():
        with _alone(path):
            _leave(path, [])


def _add(store: Store, turns: list[SpooledTurn]) -> tuple[int, int]:
    """Add turns in one transaction; return how many, and how many were refused."""
    log = Log(store)
    taken = refused = 0
    if not store.exists:  # the first write makes it, which cannot be told to hurry
        with store.transaction():
            pass
    with store.at_once(), store.transaction():
        asked = {"source": _SOURCE, "digests": json.dumps([turn.id for turn in turns])}
        known = {row["digest"] for row in store.rows(SQL.known_digests, asked)}
        for turn in turns:
            if turn.id in known:
                continue
            item = None
            try:
                with store.writing_as({**store.owner, **turn.owner}):
                    number = log.add(
                        turn.text, turn.role, session=turn.session, logged_at=turn.said_at
                    )
                item = f"turn:{number}"
                taken += 1
            except (RefusedError, UsageError):
                refused += 1
            noted = {
                "source": _SOURCE,
                "digest": turn.id,
                "kind": "turn",
                "item": item,
                "imported_at": clock.now(),
            }
            store.execute(SQL.note_imported, noted)
    return taken, refused


def _turn(line: bytes) -> SpooledTurn | None:
    """Return the turn that a line is; ``None`` for a damaged one."""
    try:
        told = json.loads(line)
        texts = {name: told[name] for name in ("text", "role", "session", "said_at", "id")}
        owner = dict(told["owner"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    whole = all(isinstance(value, str) for value in (*texts.values(), *owner.values()))
    return SpooledTurn(**texts, owner=owner) if whole else None


def _spool_of(store: Path) -> Path:
    return store.with_name(f"{store.name}-spool")


def _damaged_of(store: Path) -> Path:
    return store.with_name(f"{store.name}-spool-damaged")


def _lines(file: int) -> list[bytes]:
    return [line for line in _read(file, 0).split(b"\n") if line.strip()]


def _set_aside(path: Path, lines: list[bytes]) -> None:
    with _alone(path) as file:
        _write(file, b"".join(line + b"\n" for line in lines))


def _leave(path: Path, lines: list[bytes]) -> None:
    """Leave some lines in a file, or no file; what went is overwritten, as SQLite does it."""
    with path.open("r+b") as old:
        if lines:
            with whole_file(path) as fresh:
                fresh.write(b"".join(line + b"\n" for line in lines))
        else:
            path.unlink()
        old.write(b"\0" * os.fstat(old.fileno()).st_size)
        old.flush()
        os.fsync(old.fileno())


def _read(file: int, begin: int) -> bytes:
    size = os.lseek(file, 0, os.SEEK_END)
    os.lseek(file, begin, os.SEEK_SET)
    return os.read(file, size - begin)


def _write(file: int, data: bytes) -> None:
    """Append to a file, all of it or an error, and wait for the disk."""
    if os.write(file, data) < len(data):
        raise OSError(ENOSPC, os.strerror(ENOSPC))
    os.fsync(file)


@contextmanager
def _alone(path: Path) -> Iterator[int]:
    """Open a file, made where it is not there, with every other process kept out of it."""
    deadline = time.monotonic() + _PATIENCE
    standing(path, within=home_around(path))
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            if _locked(file) and _is(path, file):
                yield file
                return
        finally:
            os.close(file)
        if time.monotonic() > deadline:
            raise BusyError(f'"{path}" is in use', hint="try again")
        time.sleep(_PAUSE)


def _locked(file: int) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows moves no file that somebody has open
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _is(path: Path, file: int) -> bool:
    """Return whether a file is still the one at its path: whoever emptied it has removed it."""
    try:
        return os.path.samestat(path.stat(), os.fstat(file))
    except FileNotFoundError:
        return False
