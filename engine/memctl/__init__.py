"""memctl: the memory of an agent that uses apps, in one SQLite file per app."""

from memctl.base.errors import (
    BusyError,
    DiskFullError,
    ForeignStoreError,
    MemctlError,
    NewerStoreError,
    NotFoundError,
    OlderStoreError,
    ReadOnlyError,
    RefusedError,
    SecretRefusedError,
    StoreDamagedError,
    StoreError,
    SubagentBlockedError,
    UnusableInputError,
    UsageError,
)
from memctl.memory import Memory
from memctl.memory import open_memory as open  # noqa: A004  (memctl.open, like gzip.open)
from memctl.memory import report_stores as report

__all__ = [
    "BusyError",
    "DiskFullError",
    "ForeignStoreError",
    "MemctlError",
    "Memory",
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
    "open",
    "report",
]
