"""memctl: the memory of an agent that uses apps, in one SQLite file per app."""

import typing

from memctl.async_memory import AsyncMemory
from memctl.base.errors import (
    AllNoiseError,
    BusyError,
    ChangedMeanwhileError,
    ClosedStoreError,
    ConfirmationRequiredError,
    DiskFullError,
    EndpointError,
    FileAccessError,
    FilterError,
    ForeignStoreError,
    ImmutableFactError,
    LeaseLostError,
    MemctlError,
    MissingFactsError,
    MissingParamError,
    MixedBatchError,
    NewerStoreError,
    NotFoundError,
    OlderStoreError,
    OutOfScopeError,
    ReadOnlyError,
    RecalledTextError,
    RefusedError,
    SecretRefusedError,
    StaleStoreError,
    StoreDamagedError,
    StoreError,
    SubagentBlockedError,
    UnusableInputError,
    UsageError,
    WrongTypeError,
)
from memctl.entry import diff_screens as diff
from memctl.entry import list_stores as stores
from memctl.entry import open_async as aopen
from memctl.entry import open_memory as open  # noqa: A004  (memctl.open, like gzip.open)
from memctl.entry import recover_store as recover
from memctl.entry import report_stores as report
from memctl.entry import restore_backup as restore
from memctl.memory import Memory

__version__: str

__all__ = [
    "AllNoiseError",
    "AsyncMemory",
    "BusyError",
    "ChangedMeanwhileError",
    "ClosedStoreError",
    "ConfirmationRequiredError",
    "DiskFullError",
    "EndpointError",
    "FileAccessError",
    "FilterError",
    "ForeignStoreError",
    "ImmutableFactError",
    "LeaseLostError",
    "MemctlError",
    "Memory",
    "MissingFactsError",
    "MissingParamError",
    "MixedBatchError",
    "NewerStoreError",
    "NotFoundError",
    "OlderStoreError",
    "OutOfScopeError",
    "ReadOnlyError",
    "RecalledTextError",
    "RefusedError",
    "SecretRefusedError",
    "StaleStoreError",
    "StoreDamagedError",
    "StoreError",
    "SubagentBlockedError",
    "UnusableInputError",
    "UsageError",
    "WrongTypeError",
    "aopen",
    "diff",
    "fleet",
    "open",
    "recover",
    "report",
    "restore",
    "stores",
]

if typing.TYPE_CHECKING:
    from memctl import fleet
else:

    def __getattr__(name: str) -> object:
        """Load what few ask for and takes longer than an import: the version, the fleet."""
        if name == "__version__":
            from importlib.metadata import version

            return version("memctl-engine")
        if name == "fleet":
            from importlib import import_module

            return import_module("memctl.fleet")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
