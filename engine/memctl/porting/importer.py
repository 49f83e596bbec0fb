"""Takes records of other systems into a store, batch by batch, each record once.

A batch is one transaction, with the digests of its records: an import that was interrupted goes
on where it stood when it is run again, and one that was finished adds nothing.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.arguments import checked_class, checked_record
from memctl.base.errors import (
    FileAccessError,
    MemctlError,
    NotFoundError,
    RefusedError,
    SecretRefusedError,
    UnusableInputError,
    UsageError,
)
from memctl.base.home import standing
from memctl.base.near_words import one_of
from memctl.base.steps import step
from memctl.config.settings import Settings
from memctl.episodic.episodes import Episodes
from memctl.episodic.log import Log
from memctl.guard import door
from memctl.porting.foreign_records import (
    AliasRecord,
    EpisodeRecord,
    FactRecord,
    JournalRecord,
    KeptRecord,
    SkillRecord,
    TurnRecord,
    UnreadRecord,
)
from memctl.porting.formats import MODULES, format_of
from memctl.porting.formats.table_rows import OURS
from memctl.porting.restoring import Restorer
from memctl.procedural.skill_folder import known_here
from memctl.procedural.skills import Skills
from memctl.search.index.unindexed import index_rows
from memctl.semantic.facts import Facts
from memctl.store import statements
from memctl.store.results import Result
from memctl.text.aliases import Aliases
from memctl.upkeep.store_copies import rehearsal
from memctl.working.journal import Journal

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from memctl.base.scope import Scope
    from memctl.porting.foreign_records import ForeignRecord, Records
    from memctl.porting.screen_writing import ScreenWriter
    from memctl.store.store import Store

SQL = statements.load("store/porting")
_NAME_ONE = "name a file or a folder"
_MOST_UNUSED = 20  # names that are listed
_BATCH = 500  # records a transaction


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
        """Take the records of a file or a folder; return which were taken, known and refused.

        The parameters are those of `memctl.memory.Memory.import_from`; a dry run is done on a copy
        of the store, so that its counts are those of the import.

        Raises
        ------
        FileAccessError, UsageError
            When it cannot be read, or its format is not known.
        UnusableInputError
            When it is broken, or holds no record of its format. What stands before the break is taken.
        """
        _check_columns((options or {}).get("columns", {}))
        given = source_of(Path(path).expanduser(), source)
        answer = _Count(given.name, str(path), dry_run)
        records = given.read(dict(options or {}))
        with rehearsal(self._store) if dry_run else nullcontext(self._store) as store:
            settings = Settings(store, store.flags) if dry_run else self._settings
            run = _ImportRun(store, settings, self._scope, answer)
            for batch in _batches(records, answer):
                with store.transaction():
                    run.write(batch)
                while run.secrets:
                    door.count_refusal(store, run.secrets.pop())
                step(f"{answer.met} records")
                if progress is not None:
                    progress(answer.met)
        if not answer.met and not given.is_empty:
            raise UnusableInputError(
                f'"{path}" holds no record of "{given.name}"',
                hint="name its format: memctl import SOURCE PATH",
            )
        return Imported(**asdict(answer) | {"refused": answer.refused})


class _ImportRun:
    """An import into one store, batch by batch.

    Attributes
    ----------
    secrets
        The refusals of secrets, to be counted behind the transaction.
    """

    def __init__(
        self, store: Store, settings: Settings, scope: Scope | None, answer: _Count
    ) -> None:
        self._store = store
        self._answer = answer
        self._writer = _RecordWriter(store, settings, scope, answer.source, answer.remarks)
        self._restorer = Restorer(store, settings, scope)
        self._equal: Counter[bytes] = Counter()  # records without a key that were met
        self.secrets: list[SecretRefusedError] = []

    def write(self, batch: Sequence[ForeignRecord]) -> None:
        """Write the records of a batch that were not taken before."""
        kept = [record for record in batch if isinstance(record, KeptRecord)]
        for record in kept:
            self._restore(record)
        if kept:
            index_rows(self._store)
        by_kind: dict[type[ForeignRecord], list[tuple[ForeignRecord, str]]] = {}
        for new in self._new([record for record in batch if not isinstance(record, KeptRecord)]):
            by_kind.setdefault(type(new[0]), []).append(new)
        for group in by_kind.values():
            self._write(group)

    def _digest(self, record: ForeignRecord) -> str:
        """Return the digest of what a record is, and of which of its equals it is."""
        content = record.key if record.settled else (record.key, record.content)
        digest = hashlib.sha256(repr((record.called, content)).encode("utf-8", "surrogatepass"))
        if not record.key:
            place = digest.digest()[:8]
            self._equal[place] += 1
            digest.update(str(self._equal[place]).encode())
        return digest.hexdigest()

    def _new(self, batch: Sequence[ForeignRecord]) -> list[tuple[ForeignRecord, str]]:
        """Return the records that were not taken before, with their digests, each once."""
        digests: dict[str, ForeignRecord] = {}
        for record in batch:
            digests.setdefault(self._digest(record), record)
        asked = {"source": self._answer.source, "digests": json.dumps(list(digests))}
        for known, item in self._store.rows(SQL.known_digests, asked):
            self._writer.note(digests.pop(known), item)
        self._answer.known += len(batch) - len(digests)
        return [(record, digest) for digest, record in digests.items()]

    def _restore(self, record: KeptRecord) -> None:
        """Put an item of memctl's own into the store, or take it out."""
        export = {"digest": record.digest, "origin": record.origin}
        try:
            with self._savepoint():
                if record.item is None:
                    done = self._restorer.drop(record.kind, record.key, **export)
                else:
                    done = self._restorer.put(record.kind, record.item, **export)
        except (RefusedError, UsageError, NotFoundError) as error:
            self._refuse(record, error)
            return
        if done == "known":
            self._answer.known += 1
        else:
            self._answer.take(record.kind if done == "added" else f"{done} {record.kind}")

    def _write(self, group: list[tuple[ForeignRecord, str]]) -> None:
        """Write records of a kind at once; where one is refused, each half by itself."""
        try:
            with self._savepoint():
                self._write_all(group)
        except (RefusedError, UsageError) as error:
            if len(group) == 1:
                self._refuse(group[0][0], error)
                return
            middle = len(group) // 2
            self._write(group[:middle])
            self._write(group[middle:])

    def _refuse(self, record: ForeignRecord, error: MemctlError) -> None:
        self._answer.refuse(record.where, error.message)
        if isinstance(error, SecretRefusedError):
            self.secrets.append(error)

    def _write_all(self, group: list[tuple[ForeignRecord, str]]) -> None:
        kind = group[0][0].called
        items = self._writer.write([record for record, _ in group])
        noted = {"source": self._answer.source, "kind": kind, "imported_at": clock.now()}
        self._store.execute_many(
            SQL.note_imported,
            [
                {**noted, "digest": digest, "item": item}
                for (_, digest), item in zip(group, items, strict=True)
            ],
        )
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
            raise
        finally:
            self._store.execute("release record")


def _check_columns(columns: Mapping[str, str]) -> None:
    """Refuse a column of ours that is none: what was to be taken would be lost."""
    for ours in columns.values():
        if ours not in OURS:
            raise UsageError(
                f'there is no column "{ours}" of ours', hint=one_of(ours, sorted(OURS))
            )


def _batches(records: Records, answer: _Count) -> Iterator[list[ForeignRecord]]:
    """Yield records in batches; count those that the reader could not hand on."""
    batch: list[ForeignRecord] = []
    unused: set[str] = set()
    for record in records:
        if isinstance(record, UnreadRecord):
            if record.counts:
                answer.met += 1
                answer.refuse(record.where, record.why)
            else:
                answer.remarks.append(f"{record.where}: {record.why}")
            continue
        answer.met += 1
        unused.update(record.unused[: _MOST_UNUSED - len(unused)])
        try:
            batch.append(checked_record(record))
        except UsageError as error:
            answer.refuse(record.where, error.message)
            continue
        if len(batch) == _BATCH or record.slow:
            yield batch
            batch = []
    if batch:
        yield batch
    if unused:
        names = ", ".join(f"{name:.40}" for name in sorted(unused))
        answer.remarks.append(f"not taken, for want of a column: {names} (--column THEIRS=OURS)")


# --- what each kind becomes, by its tier's own door


class _RecordWriter:
    """Writes batches of records of one kind, inside the caller's transaction.

    Parameters
    ----------
    source
        The format that they come from: of episodes and facts, it is their source.
    remarks
        Takes what is worth saying of a record that was written.
    """

    def __init__(
        self, store: Store, settings: Settings, scope: Scope | None, source: str, remarks: list[str]
    ) -> None:
        self._store = store
        self._settings = settings
        self._scope = scope
        self._source = source
        self._remarks = remarks

    @cached_property
    def _screens(self) -> ScreenWriter:
        from memctl.porting.screen_writing import ScreenWriter  # loads OpenCV

        return ScreenWriter(self._store, self._settings, self._remarks)

    def write(self, records: Sequence[ForeignRecord]) -> list[str | None]:
        """Write records of one kind, all or none; return what each became, where it has an id.

        Raises
        ------
        RefusedError, UsageError
            When one of them is refused.
        """
        methods: dict[type[ForeignRecord], Callable[[Any], list[str | None]]] = {
            TurnRecord: self._turns,
            EpisodeRecord: self._episodes,
            FactRecord: self._facts,
            AliasRecord: self._aliases,
            JournalRecord: self._journal,
            SkillRecord: self._skills,
        }
        kind = type(records[0])
        return methods[kind](records) if kind in methods else self._screens.write(records)

    def note(self, record: ForeignRecord, item: str | None) -> None:
        """Note what a record became, now or in an earlier import: others after it name it."""
        if record.called in {"component", "state"}:
            self._screens.note(record, item)

    def _turns(self, records: Sequence[TurnRecord]) -> list[str | None]:
        if len(records) == 1:  # alone, it is named as what it is
            Log(self._store).add(**records[0].content)
        else:
            Log(self._store).add_many([record.content for record in records])
        return [None] * len(records)

    def _episodes(self, records: Sequence[EpisodeRecord]) -> list[str | None]:
        episodes = Episodes(self._store)
        if len(records) == 1:  # alone, it is named as what it is
            return [str(episodes.add(**records[0].content, source=self._source))]
        content = [record.content for record in records]
        return [str(episode) for episode in episodes.add_many(content, source=self._source)]

    def _facts(self, records: Sequence[FactRecord]) -> list[str | None]:
        """Store facts beside what is known: an import ends no fact of this store."""
        facts = []
        for record in records:
            if not (record.text or record.value):
                raise UsageError("the fact is empty")
            # What its source leaves empty is not said.
            parts: dict[str, Any] = {
                name: getattr(record, name) or None
                for name in ("text", "subject", "attribute", "value")
            }
            facts.append(replace(record, source=record.source or self._source, **parts))
        stored = Facts(self._store, self._settings, self._scope).store_all(
            facts, keep_both=True, related=0
        )
        if any(fact.event == "NOISE" for fact in stored.written):
            raise UsageError("one of the texts is not worth keeping")  # alone, it is named
        return [fact.id for fact in stored.written]

    def _aliases(self, records: Sequence[AliasRecord]) -> list[str | None]:
        for record in records:
            Aliases(self._store).add(record.term, record.synonym)
        return [None] * len(records)

    def _journal(self, records: Sequence[JournalRecord]) -> list[str | None]:
        for record in records:
            journal = Journal(self._store, record.session)
            if record.entry == "context":
                journal.context(record.name, record.text)
            elif record.entry == "done":
                journal.done(journal.pending(record.text).id)
            else:
                getattr(journal, record.entry)(record.text)
        return [None] * len(records)

    def _skills(self, records: Sequence[SkillRecord]) -> list[str | None]:
        skills = Skills(self._store)
        return [skills.add(known_here(record.draft, self._store)).id for record in records]


# --- what an import did, or would do

_LISTED = 1_000  # refused records that are listed; all are counted


@dataclass(frozen=True, slots=True)
class Imported(Result):
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


@dataclass(slots=True)
class _Count:
    """What an import has taken and refused so far; fields as in `Imported`."""

    source: str
    path: str
    dry_run: bool
    met: int = 0
    taken: dict[str, int] = field(default_factory=dict)
    known: int = 0
    refused: list[UnreadRecord] = field(default_factory=list)
    refusals: int = 0
    remarks: list[str] = field(default_factory=list)

    def take(self, kind: str, records: int = 1) -> None:
        """Count records of a kind as written."""
        self.taken[kind] = self.taken.get(kind, 0) + records

    def refuse(self, where: str, why: str) -> None:
        """Count a record as refused, and list it where there is room."""
        self.refusals += 1
        if len(self.refused) < _LISTED:
            self.refused.append(UnreadRecord(where, why))


def records_in(
    path: str | os.PathLike[str],
    source: str | None = None,
    options: Mapping[str, Any] | None = None,
) -> int | None:
    """Return how many records an import will meet; ``None`` where it takes an import to know."""
    with suppress(MemctlError):
        given = source_of(Path(path).expanduser(), source)
        total = None if given.is_empty else format_of(given.name).total
        return total and total(given.path, options or {})
    return None


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
        try:
            yield from () if self.is_empty else format_of(self.name).read(self.path, options)
        except MemctlError:
            raise
        except OSError as error:  # a folder where a file is due, a name that is too long
            name = error.filename or self.path
            raise FileAccessError(
                f'"{name}" cannot be read: {error.strerror or error}',
                hint="name its format: memctl import SOURCE PATH",
                cause=error,
            ) from error


def source_of(path: Path, name: str | None) -> ForeignSource:
    """Return a path with its format: the named one, or the first that recognises it.

    Raises
    ------
    UnusableInputError
        When there is nothing at the path.
    UsageError
        When there is no such format, or none recognises the path.
    """
    try:
        there = path.is_dir() or standing(path)
    except FileAccessError as error:
        raise UnusableInputError(error.message, hint=_NAME_ONE) from None
    if not there:
        raise UnusableInputError(f'"{path}" does not exist', hint=_NAME_ONE)
    if name is not None and name not in MODULES:
        raise UsageError(f'there is no format "{name}"', hint=one_of(name, MODULES))
    for known in MODULES if name is None else [name]:
        if name is not None or format_of(known).recognises(path):
            return ForeignSource(known, path)
    raise UsageError(
        f'the format of "{path}" is not recognised', hint=f"name it: {', '.join(MODULES)}"
    )
