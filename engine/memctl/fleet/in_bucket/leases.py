"""Stores in a bucket that nobody owns: leased, copied down, worked, and put back on a condition.

A lease only spares double work; that nothing is undone is the condition of the write that puts the
store back. No machine's clock counts: a lease is as old as the bucket's own clock has it.
"""

from __future__ import annotations

import json
import os
import platform
import threading
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING
from uuid import uuid4

from memctl.base.errors import (
    BusyError,
    ChangedMeanwhileError,
    LeaseLostError,
    MemctlError,
    RefusedError,
    UsageError,
)
from memctl.base.whole_file import part_folder
from memctl.fleet.buckets import BucketObject, below, fetch, put, remove, server_now
from memctl.fleet.in_bucket.bucket_objects import copied, have_same_pages, parted, save, unpack
from memctl.store.store_file import make_folders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.fleet.store_queue import FleetStore

# Seconds after which a lease that nobody renewed is over: its worker was killed.
_USUAL, _LONGEST = 600.0, 86_400
# The bucket counts whole seconds.
_ROUNDED = 1.0


@contextmanager
def borrowed(store: FleetStore, *, writes: bool = True) -> Iterator[Path]:
    """Yield the file of a store; of one in a bucket a private copy, which is put back at the end.

    Parameters
    ----------
    writes
        Without it a store of a bucket is only read: no lease is taken, and nothing is put back.

    Raises
    ------
    BusyError
        When another process has leased it.
    LeaseLostError
        When somebody else took it, or wrote it, meanwhile; what was done is thrown away.
    RefusedError
        When the store belongs to a machine: it is worked there.
    """
    if not store.in_bucket:
        yield Path(store.where)
        return
    prefix, address = parted(store.where)
    with part_folder() as folder:
        path = (address.path(folder) if address else folder / "store.db").absolute()
        if not writes:
            unpack(store.where, fetch(store.where), path)
            yield path
            return
        server_now(prefix)
        _refuse_owned(store, fetch(store.where, content=False))
        with _leased(prefix, str(address)) as lease:
            known = fetch(store.where)
            _refuse_owned(store, known)
            before = folder / "before.db"
            unpack(store.where, known, before)
            make_folders(path.parent)
            copyfile(before, path)
            yield path
            lease.check()
            _put_back(store, path, before, known)


def _refuse_owned(store: FleetStore, known: BucketObject | None) -> None:
    owner = known.metadata.get("owner") if known else ""
    if owner:
        raise RefusedError(
            f'"{store.name}" belongs to {owner}',
            hint="run it there; memctl fleet push --release there gives it up",
        )


def _put_back(store: FleetStore, path: Path, before: Path, known: BucketObject | None) -> None:
    """Write a store's copy back, if it has changed here and nobody has written the object."""
    copy = path.with_name("checked.db")
    described = copied(path, copy)
    if known is None or have_same_pages(before, copy):
        return
    metadata = {**known.metadata, **described, "previous": known.version}
    try:
        save(store.where, copy, metadata, known)
    except ChangedMeanwhileError as error:
        raise _lost(store.where, "was written by somebody else") from error


def _lost(url: str, how: str) -> LeaseLostError:
    return LeaseLostError(
        f'"{url}" {how} meanwhile; what was done here was thrown away', hint="run it again"
    )


# -- the lease -----------------------------------------------------------------------------


class _Lease:
    """A lease that this process has, and renews while it works."""

    def __init__(self, url: str, store: str, held: BucketObject, seconds: float) -> None:
        self._url, self._store, self._held, self._seconds = url, store, held, seconds
        self._ended, self._writing = threading.Event(), threading.Lock()
        self._thread = threading.Thread(target=self._renew, daemon=True)
        self._thread.start()

    def _renew(self) -> None:
        while not self._ended.wait(self._seconds / 3):
            # A bucket that is away may be back in time; a lease that is lost shows in `check`.
            with self._writing, suppress(MemctlError):
                self._held = put(self._url, _promise(self._seconds), {}, self._held)

    def check(self) -> None:
        """Raise LeaseLostError when somebody else has taken it."""
        with self._writing:
            there = fetch(self._url, content=False)
        if there is None or there.e_tag != self._held.e_tag:
            raise _lost(self._store, "was taken by another worker")

    def end(self) -> None:
        """Give it back, if it is still ours."""
        self._ended.set()
        self._thread.join()
        with suppress(MemctlError):  # then it is over by itself
            self.check()
            remove(self._url)


@contextmanager
def _leased(prefix: str, store: str) -> Iterator[_Lease]:
    url, seconds = below(prefix, f"leases/{store}"), lease_seconds()
    there = fetch(url)
    if there is not None:
        _refuse_held(prefix, store, there)
    try:
        held = put(url, _promise(seconds), {}, there)
    except ChangedMeanwhileError as error:
        raise BusyError(f'"{store}" was just leased by another worker', hint="try again") from error
    lease = _Lease(url, below(prefix, store), held, seconds)
    try:
        yield lease
    finally:
        lease.end()


def _refuse_held(prefix: str, store: str, there: BucketObject) -> None:
    """Refuse a lease of another worker that is not over."""
    holder, promised = "another worker", _USUAL
    with suppress(ValueError, KeyError, TypeError):
        said = json.loads(there.data)
        holder, promised = str(said["holder"]), float(said["seconds"])
    left = promised + _ROUNDED - (server_now(prefix) - there.modified).total_seconds()
    if left > 0:
        raise BusyError(
            f'"{store}" is leased by {holder}',
            hint=f"unless it is renewed, the lease is over in {left:.0f} s: try again then",
        )


def _promise(seconds: float) -> bytes:
    """Return the content of a lease: by whom, for how long; no two are the same bytes."""
    said = {"holder": f"{platform.node()}:{os.getpid()}", "seconds": seconds, "once": uuid4().hex}
    return json.dumps(said).encode()


def lease_seconds() -> float:
    """Return the seconds of a lease without a renewal: MEMCTL_LEASE_SECONDS, else 10 minutes."""
    text = os.environ.get("MEMCTL_LEASE_SECONDS") or f"{_USUAL:.0f}"
    if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= _LONGEST):
        raise UsageError(
            f'MEMCTL_LEASE_SECONDS "{text}" is not a number of seconds',
            hint=f"it takes 1 to {_LONGEST}",
        )
    return float(text)
