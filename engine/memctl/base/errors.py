"""Every error that memctl raises on purpose.

::

    MemctlError                     exit 1   anything else: disk full, home not writable
    ├── UsageError                  exit 2   wrong usage: a name, an option, a value
    │   └── UnusableInputError      exit 2   input that cannot be used: no image, broken boxes
    ├── RefusedError                exit 3   understood, and refused
    │   ├── SecretRefusedError      exit 3   the text looks like a secret; nothing was written
    │   └── ReadOnlyError           exit 3   the store was opened read-only, or may not be written
    │       └── SubagentBlockedError  exit 3   a subagent reads, and writes nothing
    ├── NotFoundError               exit 4   no such component, state, row or store
    ├── StoreError                  exit 5   the file cannot serve as a store
    │   ├── StoreDamagedError       exit 5   it is ours and it is broken
    │   ├── ForeignStoreError       exit 5   it is not ours, or somebody altered its schema
    │   ├── OlderStoreError         exit 5   read-only, and of an earlier memctl
    │   └── NewerStoreError         exit 5   a later memctl wrote it
    ├── BusyError                   exit 6   another process holds the write lock past the time-out
    └── DiskFullError               exit 1   there is no room; nothing was written

A message names the thing in quotes; ``hint`` says what to do about it.
"""

from __future__ import annotations

from typing import ClassVar

__all__ = [
    "BusyError",
    "DiskFullError",
    "ForeignStoreError",
    "MemctlError",
    "NewerStoreError",
    "NotFoundError",
    "OlderStoreError",
    "ReadOnlyError",
    "RefusedError",
    "SecretRefusedError",
    "StoreDamagedError",
    "StoreError",
    "SubagentBlockedError",
    "UnusableInputError",
    "UsageError",
]


class MemctlError(Exception):
    """Base class of every error that memctl raises on purpose.

    Parameters
    ----------
    message
        One line that names the thing in quotes and says what is wrong.
    hint
        One line that says what to do; empty where there is nothing to do.
    """

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(MemctlError):
    """A call that cannot be meant: an unknown key, a bad name, a value out of range."""

    code = "usage"
    exit_code = 2


class UnusableInputError(UsageError):
    """Input that cannot be used: a file that is no image, a box that is no box."""

    code = "unusable_input"


class RefusedError(MemctlError):
    """A call that was understood and is refused by a rule."""

    code = "refused"
    exit_code = 3


class SecretRefusedError(RefusedError):
    """A text that looks like a secret; the message never repeats it."""

    code = "secret_refused"


class ReadOnlyError(RefusedError):
    """A write to a store that was opened read-only, or whose file may not be written."""

    code = "read_only"


class SubagentBlockedError(ReadOnlyError):
    """A write by a subagent: it reads what its parent reads, and changes nothing."""

    code = "subagent_blocked"


class NotFoundError(MemctlError):
    """No such thing in this store, or no such store."""

    code = "not_found"
    exit_code = 4


class StoreError(MemctlError):
    """A file that cannot serve as a store."""

    code = "store"
    exit_code = 5


class StoreDamagedError(StoreError):
    """A store of ours that is broken."""

    code = "store_damaged"


class ForeignStoreError(StoreError):
    """A file that is not ours, or whose schema somebody altered."""

    code = "store_foreign"


class OlderStoreError(StoreError):
    """A store that an earlier memctl wrote, opened read-only: it cannot be brought up to date."""

    code = "store_older"


class NewerStoreError(StoreError):
    """A store that a later memctl wrote."""

    code = "store_newer"


class BusyError(MemctlError):
    """Another process held the write lock for longer than the time-out."""

    code = "busy"
    exit_code = 6


class DiskFullError(MemctlError):
    """There is no room for what was to be written; nothing of the call was."""

    code = "disk_full"
