"""A rehearsal: a copy of a store, on which a run is tried without a byte of the store changing."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from memctl.store.store import Store

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def rehearsal(store: Store) -> Iterator[Store]:
    """Open a copy of a store, as it is now; works where it is read-only, or not there yet.

    Raises
    ------
    DiskFullError, FileAccessError
        When there is no room for the copy.
    """
    with TemporaryDirectory(prefix="memctl-", ignore_cleanup_errors=True) as folder:
        path = Path(folder) / "rehearsal.db"
        if store.exists:
            with closing(sqlite3.connect(path)) as copy:
                store.connection().backup(copy)
        with Store(path, store.address) as made:
            made.obey(store)
            yield made
