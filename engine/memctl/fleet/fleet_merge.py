"""Learn once, know everywhere: what many machines know of an app, folded into one pack and handed out."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import time
from collections import Counter
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.base.arguments import checked
from memctl.base.counting import counted
from memctl.base.errors import MemctlError, NotFoundError, UsageError
from memctl.base.home import Address, home_around, parse_address
from memctl.base.near_words import near_words
from memctl.base.whole_file import part_folder
from memctl.entry import open_memory
from memctl.fleet.buckets import is_bucket
from memctl.fleet.fleet_run import Outcome, outcome_of, written
from memctl.fleet.fleet_stores import Place, matching, named_in
from memctl.fleet.fleet_stores import stores as stores_of
from memctl.fleet.in_bucket.leases import borrowed
from memctl.fleet.spreading import spread
from memctl.fleet.store_queue import INTERRUPTED, Finished, FleetStore, left_error
from memctl.store.results import Result
from memctl.store.store_file import is_no_sqlite
from memctl.visual.reading.input_files import quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from memctl.memory import Memory
    from memctl.porting.packs.app_memory import AppMemory, MergeReport
    from memctl.porting.packs.packs import PackContents

# Packs that are folded one after another. A merge reads all counts of those before it, so that more
# are folded in groups of so many first.
_FAN_IN = 64
_KINDS = ("components", "states", "transitions", "skills")


@dataclass(frozen=True, slots=True)
class FleetConflict(Result):
    """A difference between machines: both rows are kept, or one waits.

    Parameters
    ----------
    kind, name, why
        As of a conflict of `memctl.Memory.packs`.
    source
        Whose row differs from those before it.
    """

    kind: str
    name: str
    why: str
    source: str


@dataclass(frozen=True, slots=True)
class FleetMerge(Result):
    """What a merge of many machines' memory of one app did.

    Parameters
    ----------
    app
        The app or site.
    path, size, signed_by
        The pack, its bytes, and the public key; ``None`` where nothing was written, or signed.
    knows
        How many components, states, transitions, skills and pictures the pack has.
    sources
        What became of each store and pack that was to be merged.
    conflicts
        What two of them know differently.
    left_out
        Why something stays out of the pack, and how much.
    handed
        What became of each store that the pack was handed to; ``None``: it was not handed out.
    interrupted
        A Ctrl-C ended it: the same call goes on.
    """

    app: str
    path: str | None
    size: int | None
    signed_by: str | None
    knows: dict[str, int]
    sources: tuple[Outcome, ...]
    conflicts: tuple[FleetConflict, ...]
    left_out: dict[str, int]
    handed: tuple[Outcome, ...] | None = None
    interrupted: bool = False

    @property
    def counts(self) -> dict[str, int]:
        """How many sources are in each state."""
        return dict(Counter(outcome.state for outcome in self.sources))

    @property
    def failed(self) -> tuple[Outcome, ...]:
        """The sources that are not in the pack, and the stores that did not take it."""
        every = (*self.sources, *(self.handed or ()))
        return tuple(outcome for outcome in every if outcome.state in {"failed", "lost"})


@checked
def merge(
    app: str,
    sources: Sequence[Place] | Place,
    *,
    into: str | os.PathLike[str],
    key: str | None = None,
    unsigned: bool = False,
    sign: str | os.PathLike[str] | None = None,
    replace: bool = False,
    hand_out: bool = False,
    dry_run: bool = False,
    jobs: int = 1,
    scheduler: str | None = None,
    progress: Callable[[Outcome], object] = bool,
) -> FleetMerge:
    """Fold what many stores and packs know of an app into one pack, and hand that out.

    The same sources make the same bytes, in whichever order they are named. Nothing personal goes in,
    as of `memctl.Memory.packs`. What cannot be read is left out, and named in ``failed``.

    Parameters
    ----------
    app
        The app or site: of all stores those of this address are merged.
    sources
        Each a ``.pack`` file, a pattern of these, or a place as for `memctl.fleet.stores`.
    into
        The pack to be made.
    key, unsigned
        The public key that must have signed the packs that are named; or: nobody needs to have.
    sign
        The file of a private key that signs the new pack.
    replace
        Write over a file that is there.
    hand_out
        Merge the pack into each store of the sources, too.
    dry_run
        Only say what would happen; nothing is written.
    jobs, scheduler
        Who reads and writes the stores, as for `memctl.fleet.run`.
    progress
        Called with the outcome of each source, and of each store that it is handed to.

    Raises
    ------
    UsageError
        When `into` is there already, or is one of the sources.
    NotFoundError
        When a source is not there, or none of them knows the app.
    """
    from memctl.porting.packs.pack_file import write_pack
    from memctl.porting.packs.signing import public_key

    address, target = parse_address(app), Path(into)
    packs, stores = _chosen(address, sources, scheduler)
    _refuse_target(target, [*packs, *(store.where for store in stores)], replace=replace)
    private = None if sign is None else os.fspath(sign)
    signed_by = private and public_key(private)
    with part_folder() as folder:
        fold = _Fold(str(address), folder, progress)
        for pack in packs:
            fold.add_file(pack, key, unsigned=unsigned)
        task = partial(_exported, str(address))
        for finished in spread(task, stores, jobs=jobs, scheduler=scheduler):
            fold.add_store(finished)
        merged = fold.merged()
        done = fold.report(merged)
        if not done.sources:
            raise _no_source(address)
        if merged is None:
            return done
        made = folder / "made.pack" if dry_run else target
        size = write_pack(merged, made, key=private, replace=True)
        if not dry_run:
            done = dataclasses.replace(done, path=str(target), size=size, signed_by=signed_by)
        if not hand_out:
            return done
        give = partial(_handed, made.read_bytes(), dry_run=dry_run)
        run = written("hand out", give, fold.givers, progress, jobs=jobs, scheduler=scheduler)
    return dataclasses.replace(done, handed=run.outcomes, interrupted=run.interrupted)


# -- the sources ----------------------------------------------------------------------------


def _chosen(
    address: Address, sources: Sequence[Place] | Place, scheduler: str | None
) -> tuple[list[str], list[FleetStore]]:
    """Return the packs of some sources, and the stores that are of an address, or may be."""
    packs: list[str] = []
    places: list[str] = []
    for place in named_in(sources):
        there = [] if is_bucket(place) else matching(place)
        of_packs = [path for path in there if path.endswith(".pack")]
        packs += of_packs
        places += [place] if not there or len(of_packs) < len(there) else []
    stores = stores_of(places, scheduler=scheduler) if places else ()
    chosen = [store for store in {*stores} if _may_be_of(address, store)]
    if not packs and not chosen:
        raise _no_source(address, {store.name.partition(" (")[0] for store in stores})
    return packs, chosen


def _may_be_of(address: Address, store: FleetStore) -> bool:
    """Return whether a store is of an address, or lies where only opening it shows whose it is."""
    path = Path(store.where.removesuffix(".zst"))
    return home_around(path) is None or address.home_of(path) is not None


def _no_source(address: Address, others: Collection[str] = ()) -> NotFoundError:
    near = near_words(str(address), sorted(others), 1)
    hint = f'did you mean "{near[0]}"?' if near else "memctl fleet stores lists what they hold"
    return NotFoundError(f'no source holds a store of "{address}"', hint=hint)


def _refuse_target(target: Path, sources: Iterable[str], *, replace: bool) -> None:
    """Refuse to write over a source, over any file unasked, or into no folder."""
    if not target.absolute().parent.is_dir():
        raise UsageError(
            f"no folder is there for {quoted(target)}", hint="make it, or name another"
        )
    if not target.exists():
        return
    if any(target.samefile(path) for path in map(Path, sources) if path.exists()):
        raise UsageError(f"{quoted(target)} is one of the sources", hint="name another file")
    if target.is_file() and not is_no_sqlite(target):
        raise UsageError(f"{quoted(target)} is a store", hint="name a file for the pack")
    if not replace:
        raise UsageError(f"{quoted(target)} is there already", hint="--replace writes over it")


def _exported(app: str, store: FleetStore) -> tuple[bytes, PackContents] | None:
    """Return the pack of a store, and its contents; ``None``: it is of another app."""
    with borrowed(store, writes=False) as file, open_memory(file, readonly=True) as memory:
        if str(memory.address) != app:
            return None
        with part_folder() as folder:
            path = folder / "app.pack"
            contents = memory.packs.export_pack(path)
            return path.read_bytes(), contents


def _handed(pack: bytes, store: FleetStore, *, dry_run: bool) -> str:
    """Merge a pack into a store; return what is new there."""
    with part_folder() as folder, borrowed(store) as file, open_memory(file) as memory:
        path = folder / "fleet.pack"
        path.write_bytes(pack)
        report = memory.packs.import_pack(path, unsigned=True, dry_run=dry_run)
    new = ", ".join(counted(number, kind) for kind, number in sorted(report.added.items()))
    return f"new: {new}" if new else "nothing new"


# -- the fold -------------------------------------------------------------------------------


class _Given(NamedTuple):
    """A pack that is to be folded; `key` and `unsigned` are for its reader."""

    digest: str
    path: Path
    source: FleetStore
    text: str
    key: str | None = None
    unsigned: bool = True


class _Fold:
    """Packs of one app, folded one after another in the order of their digests."""

    def __init__(self, app: str, folder: Path, progress: Callable[[Outcome], object]) -> None:
        self._app, self._folder, self._progress = app, folder, progress
        self._waiting: list[_Given] = []
        self._outcomes: dict[str, Outcome] = {}
        self._conflicts: list[FleetConflict] = []
        self._left_out: Counter[str] = Counter()
        self._interrupted = False
        self.givers: list[FleetStore] = []

    def add_file(self, path: str, key: str | None, *, unsigned: bool) -> None:
        """Add a pack that is named."""
        try:
            data = Path(path).read_bytes()
        except OSError:
            data = b""  # what is wrong with it, its reader says
        digest, source = hashlib.sha256(data).hexdigest(), FleetStore(path, path, len(data))
        self._waiting.append(_Given(digest, Path(path), source, "merged", key, unsigned=unsigned))

    def add_store(self, finished: Finished[tuple[bytes, PackContents] | None]) -> None:
        """Add the pack of a store, unless that is of another app."""
        self._interrupted |= finished.interrupted
        if finished.error is not None:
            self._end(finished)
        elif finished.value is not None:
            data, contents = finished.value
            path = self._folder / f"{len(self._waiting)}.pack"
            path.write_bytes(data)
            self._left_out.update(contents.left_out)
            text = f"{counted(len(contents.components), 'component')}, {counted(len(contents.states), 'state')}"
            digest = hashlib.sha256(data).hexdigest()
            self._waiting.append(_Given(digest, path, finished.store, text))
            self.givers.append(finished.store)
            self._progress(outcome_of(Finished(finished.store, text, None, finished.ms)))

    def merged(self) -> AppMemory | None:
        """Fold all packs into one memory; ``None`` where none could be read, or a Ctrl-C came."""
        level = sorted(self._waiting, key=lambda given: given.digest)
        if self._interrupted:
            for given in level:
                self._end(Finished[Any](given.source, None, left_error(INTERRUPTED), 0))
            return None
        while len(level) > _FAN_IN:
            groups = [level[at : at + _FAN_IN] for at in range(0, len(level), _FAN_IN)]
            level = [given for group in groups for given in self._grouped(group)]
        return self._united(level)

    def _grouped(self, group: list[_Given]) -> Iterator[_Given]:
        """Yield the pack of a group; none where none of it could be read."""
        from memctl.porting.packs.pack_file import write_pack

        memory = self._united(group)
        if memory is not None:
            path = self._folder / f"{group[0].digest}.group.pack"
            size = write_pack(memory, path, key=None, replace=True)
            name = f"{group[0].source.name} and {counted(len(group) - 1, 'other')}"
            yield _Given(group[0].digest, path, FleetStore(name, "", size), "")

    def _united(self, group: Iterable[_Given]) -> AppMemory | None:
        from memctl.porting.packs.app_memory import read_memory

        with part_folder(self._folder) as home, open_memory(self._app, home) as memory:
            for given in group:
                self._import(memory, given)
            if not memory.store.exists:
                return None
            merged = read_memory(memory.store, "pack", counts=False)
        # The id of a store that is gone would make other bytes each time.
        origins = "\n".join(sorted(merged.origins))
        merged.origin = hashlib.sha256(origins.encode()).hexdigest()[:32]
        return merged

    def _import(self, memory: Memory, given: _Given) -> None:
        began, source = time.perf_counter(), given.source
        text, error = given.text, None
        try:
            report = memory.packs.import_pack(given.path, key=given.key, unsigned=given.unsigned)
        except MemctlError as raised:
            error = raised
        else:
            self._note(report, source.name)
        if source.where:
            self._end(Finished(source, text, error, (time.perf_counter() - began) * 1000))

    def _note(self, report: MergeReport, source: str) -> None:
        self._left_out.update(report.refused)
        if facts := report.added["fact"] + report.united["fact"]:
            self._left_out["facts, which travel in the packs of their own stores"] += facts
        self._conflicts += [FleetConflict(c.kind, c.name, c.why, source) for c in report.conflicts]

    def _end(self, finished: Finished[Any]) -> None:
        outcome = outcome_of(finished)
        self._outcomes[outcome.machine + outcome.where] = outcome
        if finished.store not in self.givers:
            self._progress(outcome)

    def report(self, merged: AppMemory | None) -> FleetMerge:
        """Return the report of the fold, before anything is written."""
        knows = {kind: len(getattr(merged, kind)) for kind in _KINDS} if merged else {}
        if merged:
            knows["pictures"] = len(merged.pngs)
        sources = tuple(sorted(self._outcomes.values(), key=attrgetter("name", "where")))
        noted = sources, tuple(self._conflicts), dict(self._left_out)
        done = FleetMerge(self._app, None, None, None, knows, *noted)
        return dataclasses.replace(done, interrupted=self._interrupted)
