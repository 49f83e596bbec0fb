"""Packs of an app's memory, and the memory of other stores: made, checked, merged."""

from __future__ import annotations

import dataclasses
import os
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from memctl.base import clock
from memctl.base.arguments import checked_class
from memctl.base.errors import OlderStoreError, RefusedError, UnusableInputError, UsageError
from memctl.base.home import parse_address, standing
from memctl.base.whole_file import part_folder
from memctl.guard import door
from memctl.porting.packs import signing
from memctl.porting.packs.app_memory import MergeReport, OfferedFact
from memctl.store import statements
from memctl.store.connections import connect, usual_timeout
from memctl.store.results import Result
from memctl.store.store import Store
from memctl.visual.reading.input_files import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memctl.config.settings import Settings
    from memctl.porting.packs.app_memory import AppMemory
    from memctl.semantic.records import Fact

STORE = statements.load("store/store")


@dataclass(frozen=True, slots=True)
class PackContents(Result):
    """The contents of a pack, and how much stays out.

    Parameters
    ----------
    address, origin
        The app or site, and the store that it is of.
    components, states, skills
        What each is called: a component by its name or label, a state by its name or page.
    pictures, transitions
        How many.
    left_out
        Why something stays out, and how much.
    path, size, signed_by
        The file, its bytes, and the public key; ``None`` where nothing was written, or signed.
    facts, withheld
        The facts that may go in, or went in, and those that stay out, each with the rule that says so.
    """

    address: str
    origin: str
    components: tuple[str, ...]
    states: tuple[str, ...]
    skills: tuple[str, ...]
    pictures: int
    transitions: int
    left_out: dict[str, int]
    path: str | None = None
    size: int | None = None
    signed_by: str | None = None
    facts: tuple[OfferedFact, ...] = ()
    withheld: tuple[OfferedFact, ...] = ()


@checked_class
class Packs:
    """What a store gives to others, and takes from them.

    Parameters
    ----------
    store, settings
        The open store, and its settings.
    project
        Whose facts may leave, beside those that hold everywhere; ``None``: all.
    """

    def __init__(self, store: Store, settings: Settings, project: str | None = None) -> None:
        self._store = store
        self._settings = settings
        self._project = project

    def contents(
        self, *, without: Sequence[str] = (), texts: bool = False, facts: Sequence[str] = ()
    ) -> PackContents:
        """Return the contents that a pack would have; nothing is written.

        Parameters
        ----------
        without
            Names or labels of components that stay out.
        texts
            Whether labelled content that stands on one screen alone goes in.
        facts
            Categories of facts: decision, rule, technical, lesson. Those that may leave are listed, and
            those that stay out, with the rule that says so.

        Raises
        ------
        RefusedError
            When facts of a category never leave.
        """
        from memctl.porting.packs.shared_facts import as_offered

        with self._store.snapshot():
            memory, may, stay = self._read(without, facts, texts=texts)
        return dataclasses.replace(
            _contents(memory), facts=tuple(map(as_offered, may)), withheld=tuple(stay)
        )

    def export_pack(
        self,
        path: str | os.PathLike[str],
        key: str | os.PathLike[str] | None = None,
        *,
        without: Sequence[str] = (),
        texts: bool = False,
        replace: bool = False,
        facts: Sequence[str] = (),
        approved: Sequence[str] | None = None,
    ) -> PackContents:
        """Write the app's screens, graph and skills, without anything personal, as one file.

        With `facts`, also the facts of these categories that a person has approved, each by its id: the
        pack then says all that this store shares, and whoever takes it in sees the rest withdrawn.

        Parameters
        ----------
        path
            The file to be made.
        key
            The file of a private key that signs it, as `new_key` makes it.
        without
            Names or labels of components that stay out.
        texts
            Whether labelled content that stands on one screen alone, such as headings, goes in:
            who says so has looked at `contents`.
        replace
            Write over a file that is there.
        facts
            Categories of facts, as for `contents`.
        approved
            Ids of the facts that may leave; none: the pack withdraws all that were shared.

        Raises
        ------
        UsageError
            When there is a file, and `replace` does not say to write over it.
        RefusedError
            When nobody has approved facts, or one that was approved does not leave.
        NotFoundError
            When there is no fact of an id.
        """
        from memctl.porting.packs.pack_file import write_pack
        from memctl.porting.packs.shared_facts import approved_facts, as_offered

        beside = [Path(f"{self._store.path}{end}") for end in ("", "-wal", "-shm")]
        if Path(path).absolute() in [file.absolute() for file in beside]:
            raise UsageError(f"{quoted(path)} is the store itself", hint="name another file")
        if bool(facts) is (approved is None):
            raise RefusedError(
                "nobody has said which facts may leave"
                if facts
                else "no category of facts is named",
                hint="facts names categories, approved the ids that contents lists",
            )
        with self._store.snapshot():
            memory, may, stay = self._read(without, facts, texts=texts)
            if approved is not None:
                memory.facts = approved_facts(self._store, may, stay, approved)
                memory.shared_at = clock.now()
                memory.origins = {**memory.origins, memory.origin: memory.address}
        private = None if key is None else os.fspath(key)
        size = write_pack(memory, path, key=private, replace=replace)
        return dataclasses.replace(
            _contents(memory),
            path=os.fspath(path),
            size=size,
            signed_by=None if private is None else signing.public_key(private),
            facts=tuple(as_offered(fact) for fact in may if fact.id in {*(approved or ())}),
            withheld=tuple(stay),
        )

    def _read(
        self, without: Sequence[str], facts: Sequence[str], *, texts: bool
    ) -> tuple[AppMemory, list[Fact], list[OfferedFact]]:
        """Read the contents of a pack, the facts that may go in, and those that stay out."""
        from memctl.porting.packs.app_memory import read_memory
        from memctl.porting.packs.shared_facts import offered_facts

        memory = read_memory(self._store, "pack", without, texts=texts)
        may, stay = offered_facts(self._store, facts, self._project) if facts else ([], [])
        return memory, may, stay

    @door.guarded("pack", unwritten=("path", "key"))
    def import_pack(
        self,
        path: str | os.PathLike[str],
        *,
        key: str | None = None,
        unsigned: bool = False,
        force: bool = False,
        dry_run: bool = False,
    ) -> MergeReport:
        """Merge a pack: unite what is the same, add the rest, list what contradicts.

        Parameters
        ----------
        path
            The pack.
        key
            The public key that must have signed it, or a file with it.
        unsigned
            Take a pack that nobody vouches for.
        force
            Take the pack of another app or site.
        dry_run
            Only say what would happen.

        Raises
        ------
        RefusedError
            When it is not signed by `key`, or is of another app.
        NewerStoreError
            When a newer memctl made it.
        UnusableInputError
            When it is no pack, or not whole. In each case nothing is written.
        """
        from memctl.porting.packs.app_merging import merge_app
        from memctl.porting.packs.pack_file import read_pack
        from memctl.porting.packs.shared_facts import merge_shared

        memory, signed_by = read_pack(path, key=key, unsigned=unsigned)
        self._check_address(memory.address, path, force=force)
        about = MergeReport(os.fspath(path), memory.address, memory.origin, signed_by)

        def merge(store: Store) -> None:
            merge_app(store, memory, about, "pack")
            if memory.facts is not None:
                merge_shared(store, self._settings, memory, Path(path).name, about)

        return self._merged(merge, about, dry_run=dry_run)

    @door.guarded("pack", unwritten=("path",))
    def import_store(
        self, path: str | os.PathLike[str], *, force: bool = False, dry_run: bool = False
    ) -> MergeReport:
        """Merge another store of the same app: turns, episodes, facts, screens, skills.

        The other file is only read. What was erased here does not come back.

        Parameters
        ----------
        path
            The file of the other store.
        force
            Take the store of another app or site.
        dry_run
            Only say what would happen.

        Raises
        ------
        RefusedError
            When it is the store of another app, or a copy of this one.
        StoreError
            When it is no store, damaged, or of a newer memctl.
        """
        from memctl.porting.packs.app_memory import read_memory
        from memctl.porting.packs.app_merging import merge_app
        from memctl.porting.packs.text_merging import merge_texts

        file = Path(path).absolute()
        if not standing(file):
            raise UsageError(f"there is no file {quoted(path)}", hint="check the path")
        if not file.stat().st_size:
            raise UnusableInputError(f"{quoted(path)} is empty", hint="name the file of a store")
        if self._store.path.exists() and file.samefile(self._store.path):
            raise UsageError(f"{quoted(path)} is the store itself", hint="name another store")
        with part_folder() as folder, _other(file, folder) as other:
            self._check_address(str(other.address), path, force=force)
            with other.snapshot():
                memory = read_memory(other, "store")
                about = MergeReport(os.fspath(path), memory.address, memory.origin)

                def merge(store: Store) -> None:
                    if store.value(STORE.own_origin) == memory.origin:
                        raise RefusedError(
                            f"{quoted(path)} is a copy of this store: what each has counted "
                            "since cannot be told apart",
                            hint="see docs/syncing.md",
                        )
                    merge_app(store, memory, about, "store")
                    merge_texts(store, other, about)

                return self._merged(merge, about, dry_run=dry_run)

    def _check_address(self, address: str, path: str | os.PathLike[str], *, force: bool) -> None:
        if address != str(self._store.address) and not force:
            raise RefusedError(
                f'{quoted(path)} is of "{address}", not of "{self._store.address}"',
                hint="--force takes it all the same",
            )

    def _merged(
        self, merge: Callable[[Store], None], about: MergeReport, *, dry_run: bool
    ) -> MergeReport:
        """Merge in one transaction; take it back where it was only to be tried."""
        if not dry_run:
            with self._store.transaction():
                merge(self._store)
            return about
        about = replace(about, written=False)  # of the same counts
        if self._store.exists:
            _tried(self._store, merge)
            return about
        with (
            part_folder() as folder,
            Store(folder / "tried.db", self._store.address) as empty,
        ):
            empty.obey(self._store)
            _tried(empty, merge)
        return about


class _TakenBackError(Exception):
    """Ends the transaction of a dry run."""


def _tried(store: Store, merge: Callable[[Store], None]) -> None:
    with suppress(_TakenBackError), store.transaction():
        merge(store)
        raise _TakenBackError


def _other(file: Path, folder: Path) -> Store:
    """Return another store, open read-only; an older one is brought up to date in a copy."""
    stem = parse_address("other")
    try:
        with Store(file, stem, readonly=True) as opened:
            address = opened.value(STORE.address)
        return Store(file, parse_address(address), readonly=True)
    except OlderStoreError as older:
        copy = folder / "copy.db"
        _copied(file, copy)
        try:
            with Store(copy, stem) as renewed:
                address = renewed.value(STORE.address)
        except OlderStoreError:
            raise older from None  # no write brings it up to date; it names the file, not the copy
        return Store(copy, parse_address(address), readonly=True)


def _copied(file: Path, copy: Path) -> None:
    """Copy the file of a store as SQLite sees it, its log included."""
    source, _ = connect(file, readonly=True, busy_timeout_ms=usual_timeout())
    with closing(source), closing(sqlite3.connect(copy)) as target:
        source.backup(target)


def _contents(memory: AppMemory) -> PackContents:
    return PackContents(
        memory.address,
        memory.origin,
        tuple(sorted(it["name"] or it["label"] or it["type"] for it in memory.components)),
        tuple(sorted(it["name"] or it["page"] or min(it["keys"])[33:] for it in memory.states)),
        tuple(it["name"] for it in memory.skills),
        len(memory.pngs),
        len(memory.transitions),
        memory.left_out,
    )
