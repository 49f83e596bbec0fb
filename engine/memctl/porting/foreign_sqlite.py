"""Opens SQLite files of others so that nothing of them is changed, not even beside them."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from memctl.base.errors import UnusableInputError
from memctl.porting.safe_files import head_of
from memctl.store.migrations import APPLICATION_ID

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlite_utils import Database


def is_sqlite(path: Path) -> bool:
    """Return whether a file begins as SQLite files do."""
    return path.is_file() and head_of(path, 16) == b"SQLite format 3\0"


def tables_of(path: Path) -> dict[str, set[str]]:
    """Return the tables of a file with their columns, to recognise it; nothing of a broken one."""
    if not is_sqlite(path):
        return {}
    try:
        with foreign_database(path, whole=False) as database:
            return {table.name: {one.name for one in table.columns} for table in database.tables}
    except UnusableInputError:
        return {}


@contextmanager
def foreign_database(path: Path, *, whole: bool = True) -> Iterator[Database]:
    """Open an SQLite file read-only; where its log holds what is not in it yet, a copy of both.

    Parameters
    ----------
    whole
        Look through the whole file first: of a damaged page SQLite may read wrong rows.

    Raises
    ------
    UnusableInputError
        When it cannot be read, is damaged, or is a store of memctl.
    """
    from sqlite_utils import Database

    with _settled(path) as file:
        address = f"file:{quote(str(file.resolve()))}?mode=ro&immutable=1"
        try:
            connection = sqlite3.connect(address, uri=True)
        except sqlite3.Error as error:
            raise UnusableInputError(f'"{path}" cannot be read: {error}') from None
        try:
            # What is no UTF-8 becomes U+FFFD.
            connection.text_factory = _text
            if connection.execute("pragma application_id").fetchone()[0] == APPLICATION_ID:
                raise UnusableInputError(
                    f'"{path}" is a store of memctl', hint=f"memctl import store {path}"
                )
            if (
                whole
                and (found := connection.execute("pragma quick_check(1)").fetchone()[0]) != "ok"
            ):
                raise UnusableInputError(f'"{path}" is damaged: {found}')
            yield Database(connection)
        except sqlite3.DatabaseError as error:
            raise UnusableInputError(f'"{path}" cannot be read: {error}') from None
        finally:
            connection.close()


def _text(data: bytes) -> Any:
    return data.decode("utf-8", "replace")


@contextmanager
def _settled(path: Path) -> Iterator[Path]:
    """Yield the file; where it has a log, a copy into which that was written."""
    log = path.with_name(path.name + "-wal")
    if not (log.exists() and log.stat().st_size):
        yield path
        return
    with TemporaryDirectory(prefix="memctl-", ignore_cleanup_errors=True) as folder:
        copy = Path(folder) / "copy.db"
        shutil.copyfile(path, copy)
        shutil.copyfile(log, f"{copy}-wal")
        connection = sqlite3.connect(copy)
        try:
            connection.execute("pragma wal_checkpoint(truncate)").fetchone()
        except sqlite3.DatabaseError as error:
            raise UnusableInputError(f'"{path}" cannot be read: {error}') from None
        finally:
            connection.close()
        yield copy
