"""A backup: one whole, checked file, made while others write."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memctl.upkeep.store_copies import (
    checked_copy,
    copy_pages,
    dated_name,
    named_when_whole,
    refuse_target,
)

if TYPE_CHECKING:
    import os

    from memctl.store.store import Store
    from memctl.upkeep.store_copies import StoreCopy


def back_up(
    store: Store, target: str | os.PathLike[str] | None = None, *, force: bool = False
) -> StoreCopy:
    """Copy a store as it is now into one file, which is checked before it gets its name.

    Parameters
    ----------
    target
        The file; by default ``backups/ADDRESS/TIME.db`` in the home of the store.
    force
        Replace a file that is there.

    Raises
    ------
    NotFoundError
        When nothing was written yet.
    RefusedError
        When the target is the store itself, or there already.
    StoreDamagedError
        When the store is damaged: no copy is kept that could not be restored.
    DiskFullError, FileAccessError
        When it cannot be written; no half file is left.

    Notes
    -----
    Every backup is whole. SQLite's backup API copies in steps, but keeps no list of what changed
    since an earlier copy; what does, ships the write-ahead log, and needs a process that never
    ends and a chain of files none of which may be missing. A store is some megabytes, of which
    the API copies hundreds a second, and one file that stands for itself can be checked, moved and
    restored without any other. It reads one moment of the store: others write on, and the copy
    does not begin anew when they do, as it would if it let go between its steps.
    """
    connection = store.connection()
    store.refuse_stale()
    path = dated_name(store.path, store.address) if target is None else _absolute(target)
    refuse_target(path, store.path, replace=force)
    with named_when_whole(path, replace=force) as part:
        copy_pages(connection, part)
        made = checked_copy(part)
    return replace(made, path=str(path))


def _absolute(target: str | os.PathLike[str]) -> Path:
    return Path(target).expanduser().absolute()
