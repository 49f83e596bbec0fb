"""Every error that memctl raises on purpose, in one tree; all of it is exported by ``memctl``.

::

    MemctlError                        exit 1  anything else
    ├── UsageError                     exit 2  ValueError   a name, an option, a value
    │   ├── WrongTypeError             exit 2  TypeError    an argument of a wrong type
    │   ├── UnusableInputError         exit 2  ValueError   no image, broken boxes
    │   ├── ClosedStoreError           exit 2  ValueError   a call after close()
    │   ├── MissingFactsError          exit 2  ValueError   neither facts nor a text
    │   ├── MissingParamError          exit 2  ValueError   neither an id nor a query
    │   ├── MixedBatchError            exit 2  ValueError   several categories in one batch
    │   └── FilterError                exit 2  ValueError   a filter that cannot be read
    ├── RefusedError                   exit 3  understood, and refused by a rule
    │   ├── SecretRefusedError         exit 3  the text looks like a secret; nothing was written
    │   ├── ReadOnlyError              exit 3  the store is read-only, or may not be written
    │   │   └── SubagentBlockedError   exit 3  a subagent reads, and writes nothing
    │   ├── OutOfScopeError            exit 3  another user's or agent's facts
    │   ├── ChangedMeanwhileError      exit 3  somebody else has changed it since it was read
    │   ├── ConfirmationRequiredError  exit 3  deleting everything without saying so
    │   ├── ImmutableFactError         exit 3  a fact that refuses to be changed
    │   ├── AllNoiseError              exit 3  no text of the batch is worth keeping
    │   └── RecalledTextError          exit 3  recalled text, offered back as new
    ├── NotFoundError                  exit 4  LookupError  no such component, row or store
    ├── StoreError                     exit 5  the file cannot serve as a store
    │   ├── StoreDamagedError          exit 5  it is ours and it is broken
    │   ├── ForeignStoreError          exit 5  it is not ours, or somebody altered its schema
    │   ├── OlderStoreError            exit 5  an earlier memctl wrote it
    │   ├── NewerStoreError            exit 5  a later memctl wrote it
    │   └── StaleStoreError            exit 5  OSError      it was deleted or replaced meanwhile
    ├── EndpointError                  exit 1  the server of a language model: no usable answer
    ├── BusyError                      exit 6  OSError      another process holds the write lock
    │   └── LeaseLostError             exit 6  OSError      another worker took a store of a bucket
    ├── DiskFullError                  exit 1  OSError      there is no room
    └── FileAccessError                exit 1  OSError      a file or folder cannot be reached

The third column is Python's own class that catches the error too. Where the operating system
failed, that is OSError, with its ``errno``. A closed store is none of these: nothing failed but
the caller, and Python's files raise ValueError for it as well.

A message names the thing in quotes; ``hint`` says what to do about it.
"""

from __future__ import annotations

import os
from errno import EBUSY, ENOSPC, ESTALE
from typing import Any, ClassVar, Literal


class MemctlError(Exception):
    """Base class of every error that memctl raises on purpose.

    ``message`` is one line with the thing in quotes and what is wrong with it, ``hint`` one line
    with what to do; empty where there is nothing to do.
    """

    code: ClassVar[str] = "error"  # in the answers of ``--json`` and MCP
    exit_code: ClassVar[int] = 1  # of a command

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self._hint = ""
        self.hint = hint

    @property
    def hint(self) -> str:
        """What to do about it; a traceback shows it as a note (PEP 678)."""
        return self._hint

    @hint.setter
    def hint(self, hint: str) -> None:
        if self._hint:
            self.__notes__ = [note for note in self.__notes__ if note != f"hint: {self._hint}"]
        self._hint = hint
        if hint:
            self.add_note(f"hint: {hint}")

    def __str__(self) -> str:
        return self.message  # OSError would put its number before it

    def __reduce__(self) -> tuple[Any, ...]:
        # Exceptions are copied and pickled by calling the class, which takes more than a message.
        return _copied, (type(self), self.args), self.__dict__


def _copied(kind: type[MemctlError], args: tuple[object, ...]) -> MemctlError:
    error = kind.__new__(kind, *args)
    error.args = args
    return error


class UsageError(MemctlError, ValueError):
    """A call that cannot be meant: an unknown key, a bad name, a value out of range."""

    code = "usage"
    exit_code = 2


class WrongTypeError(UsageError, TypeError):
    """An argument of a type that its parameter does not take."""

    code = "wrong_type"


class UnusableInputError(UsageError):
    """Input that cannot be used: a file that is no image, a box that is no box."""

    code = "unusable_input"


class ClosedStoreError(UsageError):
    """A call on a store after its ``close()``: a ValueError, as for Python's closed files."""

    code = "store_closed"


class MissingFactsError(UsageError):
    """Neither facts nor a text."""

    code = "missing_facts"


class MissingParamError(UsageError):
    """Neither an id nor a query."""

    code = "missing_param"


class MixedBatchError(UsageError):
    """Facts of several categories in one batch."""

    code = "mixed_batch"


class FilterError(UsageError):
    """A filter that cannot be read: an unknown field or operator, a bad value."""

    code = "bad_filter"


class RefusedError(MemctlError):
    """A call that was understood and is refused by a rule."""

    code = "refused"
    exit_code = 3


class SecretRefusedError(RefusedError):
    """A text that looks like a secret; the message shows where, the secret masked."""

    code = "secret_refused"


class ReadOnlyError(RefusedError):
    """A write to a store that was opened read-only, or whose file may not be written."""

    code = "read_only"


class SubagentBlockedError(ReadOnlyError):
    """A write by a subagent: it reads what its parent reads, and changes nothing."""

    code = "subagent_blocked"


class OutOfScopeError(RefusedError):
    """A user or agent outside of the scope that the store was opened with."""

    code = "out_of_scope"


class ChangedMeanwhileError(RefusedError):
    """A change of what somebody else has changed since it was read; nothing was written."""

    code = "changed_meanwhile"


class ConfirmationRequiredError(RefusedError):
    """Deleting everything without saying so."""

    code = "confirmation_required"


class ImmutableFactError(RefusedError):
    """A change to a fact that refuses to be changed."""

    code = "immutable"


class AllNoiseError(RefusedError):
    """Not one text of the batch is worth keeping."""

    code = "all_noise"


class RecalledTextError(RefusedError):
    """Recalled text, offered back as if it were new."""

    code = "recalled_text"


class NotFoundError(MemctlError, LookupError):
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

    def __init__(
        self,
        message: str,
        *,
        hint: str = "memctl recover saves what can be read; memctl restore brings a backup back",
    ) -> None:
        super().__init__(message, hint=hint)


class ForeignStoreError(StoreError):
    """A file that is not ours, or whose schema somebody altered."""

    code = "store_foreign"


class OlderStoreError(StoreError):
    """A store of an earlier memctl that cannot be brought up to date, or only by a write."""

    code = "store_older"


class NewerStoreError(StoreError):
    """A store that a later memctl wrote."""

    code = "store_newer"


class StaleStoreError(StoreError, OSError):
    """A write to a store whose file was deleted or replaced after it was opened."""

    code = "store_stale"
    errno = ESTALE
    strerror = os.strerror(ESTALE)


class EndpointError(MemctlError):
    """The server of a language model gave no usable answer.

    ``status`` is ``unavailable``: off, not reached or paused; ``timeout``: no answer in time;
    ``failed``: an error, or an answer that is refused.
    """

    code = "endpoint"

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        status: Literal["unavailable", "timeout", "failed"] = "failed",
    ) -> None:
        super().__init__(message, hint=hint)
        self.status = status


class BusyError(MemctlError, OSError):
    """Another process kept the write lock for longer than the time-out."""

    code = "busy"
    exit_code = 6
    errno = EBUSY
    strerror = os.strerror(EBUSY)


class LeaseLostError(BusyError):
    """A store of a bucket that somebody else took or wrote meanwhile; the work was thrown away."""

    code = "lost"


class DiskFullError(MemctlError, OSError):
    """There is no room for what was to be written; nothing of the call was."""

    code = "disk_full"
    errno = ENOSPC
    strerror = os.strerror(ENOSPC)


class FileAccessError(MemctlError, OSError):
    """A file or folder that cannot be reached, opened or made, mostly for its permissions."""

    code = "file_access"
    # As class attributes, so that those of an instance are copied along with it.
    errno: int | None = None
    strerror: str | None = None

    def __init__(self, message: str, *, hint: str = "", cause: OSError | None = None) -> None:
        super().__init__(message, hint=hint)
        if cause is not None:
            self.errno, self.strerror = cause.errno, cause.strerror
