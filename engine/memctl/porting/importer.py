"""Takes records of other systems into a store, batch by batch, each record once.

A batch is one transaction, with the digests of its records: an import that was interrupted goes
on where it stood when it is run again, and one that was finished adds nothing.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.arguments import checked_class
from memctl.base.errors import (
    NotFoundError,
    RefusedError,
    SecretRefusedError,
    UnusableInputError,
    UsageError,
)
from memctl.base.near_words import one_of
from memctl.base.steps import step
from memctl.config.settings import Settings
from memctl.guard import door
from memctl.porting.foreign_records import KeptRecord, UnreadRecord
from memctl.porting.formats import MODULES, format_of
from memctl.porting.formats.table_rows import OURS
from memctl.porting.record_writing import KINDS, RecordWriter
from memctl.porting.restoring import Restorer
from memctl.search.index.unindexed import index_rows
from memctl.store import statements
from memctl.store.store import Store
from memctl.upkeep.rehearsal import rehearsal

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from memctl.base.scope import Scope
    from memctl.porting.foreign_records import ForeignRecord, Records

SQL = statements.load("store/porting")
_MOST_UNUSED = 20  # names that are told
_BATCH = 500  # records a transaction
_NO_CONTENT = frozenset({"where", "settled", "unused"})  # what a record is does not depend on these


@checked_class
class Importer:
    """Takes records into one store.

    Parameters
    ----------
    scope
        Whose facts they become.
    """

    def __init__(self, store: Store, settings: Settings, scope: Scope | None = None) -> None:
        self._store = store
        self._settings = settings
        self._scope = scope

    # Each record is looked at when it is written, so that the one that is refused is named.
    @door.guarded("import", unwritten=("path", "progress"))
    def take(
        self,
        path: str | os.PathLike[str],
        source: str | None = None,
        *,
        dry_run: bool = False,
        options: Mapping[str, Any] | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> Imported:
        """Take what a file or a folder holds; return what was taken, known and refused.

        Parameters
        ----------
        path
            The file or folder.
        source
            Its format; found out where nothing is said.
        dry_run
            Do it on a copy of the store: the counts are those of the import, nothing is written.
        options
            What a format asks for: ``table`` of a database, ``columns`` of a table;
            ``prune`` forgets what was taken out of memctl's own Markdown.
        progress
            Called with the number of records that were met, after each batch.

        Raises
        ------
        FileAccessError, UsageError
            When it cannot be read, or its format is not known.
        UnusableInputError
            When it is broken, or holds no record of its format. What stands before the break is taken.
        """
        _check_columns((options or {}).get("columns", {}))
        found = source_of(Path(path).expanduser(), source)
        answer = Imported(found.name, str(path), dry_run=dry_run)
        records = found.read(dict(options or {}))
        with self._target(dry_run=dry_run) as store, closing(_EqualRecords()) as equal:
            run = _ImportRun(store, self._settings_of(store), self._scope, answer, equal)
            for batch in _batches(records, answer):
                with store.transaction():
                    secrets = run.write(batch)
                for secret in secrets:
                    door.count_refusal(store, secret)
                step(f"{answer.met} records")
                if progress is not None:
                    progress(answer.met)
        if not answer.met and not found.is_empty:
            raise UnusableInputError(
                f'"{path}" holds no record of "{found.name}"',
                hint="name its format: memctl import SOURCE PATH",
            )
        return answer

    def _settings_of(self, store: Store) -> Settings:
        return self._settings if store is self._store else Settings(store, store.flags)

    @contextmanager
    def _target(self, *, dry_run: bool) -> Iterator[Store]:
        """Open the store that is written: this one, or for a dry run a copy that goes."""
        if not dry_run:
            yield self._store
        elif self._store.exists:
            with rehearsal(self._store) as copy:
                yield copy
        else:
            with (
                TemporaryDirectory(prefix="memctl-", ignore_cleanup_errors=True) as folder,
                Store(Path(folder) / "rehearsal.db", self._store.address) as made,
            ):
                made.obey(self._store)
                yield made


class _ImportRun:
    """One import into one store."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        scope: Scope | None,
        answer: Imported,
        equal: _EqualRecords,
    ) -> None:
        self._store = store
        self._answer = answer
        self._writer = RecordWriter(store, settings, scope, answer.source)
        self._restorer = Restorer(store, settings, scope)
        self._equal = equal

    def write(self, batch: Sequence[ForeignRecord]) -> list[SecretRefusedError]:
        """Write the records of a batch that were not taken before; return secrets it refused."""
        secrets: list[SecretRefusedError] = []
        kept = [one for one in batch if isinstance(one, KeptRecord)]
        for one in kept:
            self._restore(one, secrets)
        if kept:
            index_rows(self._store)
        by_kind: dict[str, list[tuple[ForeignRecord, str]]] = {}
        for other, digest in self._new([one for one in batch if not isinstance(one, KeptRecord)]):
            by_kind.setdefault(KINDS[type(other)], []).append((other, digest))
        for kind, group in by_kind.items():
            self._write(kind, group, secrets)
        return secrets

    def _digest(self, record: ForeignRecord) -> str:
        """Return the digest of what a record is, and of which of its equals it is."""
        content: list[Any] = [record.key]
        if not record.settled:
            names = (one.name for one in fields(record) if one.name not in _NO_CONTENT)
            content = [(name, getattr(record, name)) for name in names]
        told = repr((KINDS[type(record)], content)).encode("utf-8", "surrogatepass")
        if not record.key:
            place = hashlib.blake2b(told, digest_size=8).digest()
            told += str(self._equal.count(place)).encode()
        return hashlib.sha256(told).hexdigest()

    def _new(self, batch: Sequence[ForeignRecord]) -> list[tuple[ForeignRecord, str]]:
        """Return the records that were not taken before, with their digests, each once."""
        digests: dict[str, ForeignRecord] = {}
        for one in batch:
            digests.setdefault(self._digest(one), one)
        asked = {"source": self._answer.source, "digests": json.dumps(list(digests))}
        for known, item in self._store.rows(SQL.known_digests, asked):
            self._writer.note(digests.pop(known), item)
        self._answer.known += len(batch) - len(digests)
        return [(one, digest) for digest, one in digests.items()]

    def _restore(self, one: KeptRecord, secrets: list[SecretRefusedError]) -> None:
        """Put one item of memctl's own into the store, or take one out."""
        told = {"digest": one.digest, "origin": one.origin}
        try:
            with self._savepoint():
                if one.item is None:
                    done = self._restorer.drop(one.kind, one.key, **told)
                else:
                    done = self._restorer.put(one.kind, one.item, **told)
        except (RefusedError, UsageError, NotFoundError) as error:
            self._answer.refuse(one.where, error.message)
            if isinstance(error, SecretRefusedError):
                secrets.append(error)
            return
        if done == "known":
            self._answer.known += 1
        else:
            self._answer.take(one.kind if done == "added" else f"{done} {one.kind}")

    def _write(
        self, kind: str, group: list[tuple[ForeignRecord, str]], secrets: list[SecretRefusedError]
    ) -> None:
        """Write records of a kind at once; where one is refused, each half by itself."""
        try:
            with self._savepoint():
                self._write_all(kind, group)
        except (RefusedError, UsageError) as error:
            if len(group) == 1:
                self._answer.refuse(group[0][0].where, error.message)
                if isinstance(error, SecretRefusedError):
                    secrets.append(error)
                return
            middle = len(group) // 2
            self._write(kind, group[:middle], secrets)
            self._write(kind, group[middle:], secrets)

    def _write_all(self, kind: str, group: list[tuple[ForeignRecord, str]]) -> None:
        items = self._writer.write([record for record, _ in group])
        noted = [
            {
                "source": self._answer.source,
                "digest": digest,
                "kind": kind,
                "item": item,
                "imported_at": clock.now(),
            }
            for (_, digest), item in zip(group, items, strict=True)
        ]
        self._store.execute_many(SQL.note_imported, noted)
        for (record, _), item in zip(group, items, strict=True):
            self._writer.note(record, item)
        self._answer.take(kind, len(group))

    @contextmanager
    def _savepoint(self) -> Iterator[None]:
        """Undo what is inside where it fails, and leave the transaction as it was."""
        self._store.execute("savepoint record")
        try:
            yield
        except BaseException:
            self._store.execute("rollback to record")
            self._store.execute("release record")
            raise
        self._store.execute("release record")


class _EqualRecords:
    """How often each record was met: in a file of its own, which goes, so that memory stays flat."""

    def __init__(self) -> None:
        self._connection = sqlite3.connect("", isolation_level=None)
        for statement in (SQL.keep_no_journal, SQL.make_equal, "begin"):
            self._connection.execute(statement)

    def count(self, place: bytes) -> int:
        """Count a record, by eight bytes of its digest; return how often it was met, from 1."""
        told = {"place": int.from_bytes(place, "big", signed=True)}
        return int(self._connection.execute(SQL.count_equal, told).fetchone()[0])

    def close(self) -> None:
        """Let the file go."""
        self._connection.close()


def _check_columns(columns: Mapping[str, str]) -> None:
    """Refuse a column of ours that is none: what was to be taken would be lost."""
    for ours in columns.values():
        if ours not in OURS:
            raise UsageError(
                f'there is no column "{ours}" of ours', hint=one_of(ours, sorted(OURS))
            )


def _batches(records: Records, answer: Imported) -> Iterator[list[ForeignRecord]]:
    """Yield records in batches; count those that the reader could not hand on."""
    batch: list[ForeignRecord] = []
    unused: set[str] = set()
    for one in records:
        if isinstance(one, UnreadRecord):
            if one.counts:
                answer.met += 1
                answer.refuse(one.where, one.why)
            else:
                answer.remarks.append(f"{one.where}: {one.why}")
            continue
        answer.met += 1
        unused.update(one.unused[: _MOST_UNUSED - len(unused)])
        batch.append(one)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch
    if unused:
        names = ", ".join(f"{name:.40}" for name in sorted(unused))
        answer.remarks.append(f"not taken, for want of a column: {names} (--column THEIRS=OURS)")


# --- what an import did, or would do

_LISTED = 1_000  # refused records that are listed; all are counted


@dataclass(slots=True)
class Imported:
    """The answer of an import.

    Parameters
    ----------
    source, path
        The format, and the file or folder.
    dry_run
        Whether nothing was written.
    met
        Records that were met.
    taken
        Records that were written, by kind: turn, episode, fact, alias, skill, ...
    known
        Records that an earlier import has taken.
    refused
        Records that were refused, with why: the first thousand.
    refusals
        How many were refused.
    remarks
        What is worth saying of the source.
    """

    source: str
    path: str
    dry_run: bool = False
    met: int = 0
    taken: dict[str, int] = field(default_factory=dict)
    known: int = 0
    refused: list[UnreadRecord] = field(default_factory=list)
    refusals: int = 0
    remarks: list[str] = field(default_factory=list)

    @property
    def written(self) -> int:
        """How many records were written, of all kinds."""
        return sum(self.taken.values())

    def take(self, kind: str, records: int = 1) -> None:
        """Count records of a kind as written."""
        self.taken[kind] = self.taken.get(kind, 0) + records

    def refuse(self, where: str, why: str) -> None:
        """Count a record as refused, and list it where there is room."""
        self.refusals += 1
        if len(self.refused) < _LISTED:
            self.refused.append(UnreadRecord(where, why))


@dataclass(frozen=True, slots=True)
class ForeignSource:
    """A file or folder, and its format."""

    name: str
    path: Path

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in it: no byte, no file."""
        if self.path.is_dir():
            return not any(self.path.iterdir())
        return self.path.stat().st_size == 0

    def read(self, options: Mapping[str, Any]) -> Records:
        """Yield its records; of what is empty, none."""
        return iter(()) if self.is_empty else format_of(self.name).read(self.path, options)


def source_of(path: Path, name: str | None) -> ForeignSource:
    """Return a path with its format: the named one, or the first that recognises it.

    Raises
    ------
    UnusableInputError
        When there is nothing at the path.
    UsageError
        When there is no such format, or none recognises the path.
    """
    if not path.exists():
        raise UnusableInputError(f'"{path}" does not exist', hint="name a file or a folder")
    if name is not None and name not in MODULES:
        raise UsageError(f'there is no format "{name}"', hint=one_of(name, MODULES))
    for known in MODULES if name is None else [name]:
        if name is not None or format_of(known).recognises(path):
            return ForeignSource(known, path)
    raise UsageError(
        f'the format of "{path}" is not recognised', hint=f"name it: {', '.join(MODULES)}"
    )
