"""Backup of many stores into a bucket, and the way back: push, pull."""

from __future__ import annotations

import os
import platform
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memctl.base.arguments import checked
from memctl.base.counting import sized
from memctl.base.errors import NotFoundError, RefusedError, UsageError
from memctl.base.home import default_home, parse_address
from memctl.base.whole_file import part_folder
from memctl.fleet.buckets import BucketObject, fetch, is_bucket, server_now
from memctl.fleet.change_marks import change_mark
from memctl.fleet.fleet_run import Outcome, Run, as_they_come
from memctl.fleet.fleet_stores import Place, listed_stores
from memctl.fleet.fleet_stores import stores as stores_of
from memctl.fleet.in_bucket.bucket_objects import (
    copied,
    have_same_pages,
    heading,
    save,
    unpack,
    url_of,
)
from memctl.fleet.spreading import spread
from memctl.fleet.store_queue import PATIENCE, Finished, FleetStore
from memctl.store.connections import connected_alone, usual_timeout
from memctl.store.results import Result
from memctl.store.sqlite_errors import translated
from memctl.store.store_file import beside
from memctl.upkeep.store_copies import dated_name, keep_file, restore_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from sqlite3 import Connection


@dataclass(frozen=True, slots=True)
class OldVersion(Result):
    """An earlier version of a store's object, with what was erased since perhaps still in it.

    Parameters
    ----------
    where
        The object's URL.
    version
        As the bucket names it; empty: an older one than is known, behind a version that is gone.
    """

    where: str
    version: str


@dataclass(frozen=True, slots=True)
class Pushed(Run):
    """The outcome of a push, and the versions in the bucket from before an erasure."""

    old_versions: tuple[OldVersion, ...] = ()


@checked
def push(
    stores: Sequence[Place | FleetStore] | Place | None,
    into: str,
    *,
    release: bool = False,
    jobs: int = 1,
    scheduler: str | None = None,
    patience: float = PATIENCE,
    progress: Callable[[Outcome], object] = bool,
) -> Pushed:
    """Back stores up into a bucket, each as a checked copy that is read back; those unchanged stay.

    An object belongs to the machine and file that pushed it: another's is refused by name, and so is
    a write that came between. Doing it again goes on where it stopped.

    Parameters
    ----------
    stores
        Places, as for `memctl.fleet.stores`; or what that has returned, all or some of it.
    into
        The bucket's URL: ``s3://bucket/prefix``.
    release
        Give the stores up: each file goes into its home's backups, and `memctl.fleet.run` may work
        the object from any machine. Nobody may have them open.
    jobs, scheduler, patience, progress
        As for `memctl.fleet.run`.

    Raises
    ------
    RefusedError
        When it is no bucket, or one that cannot write on a condition.
    NotFoundError
        When a place holds no store, or there is no such bucket.
    """
    server_now(into)
    task = partial(_push, into.rstrip("/"), release)
    chosen = listed_stores(stores, scheduler)
    how: dict[str, Any] = {"jobs": jobs, "scheduler": scheduler, "patience": patience}
    old: list[OldVersion] = []

    def texts() -> Iterator[Finished[str]]:
        for finished in spread(task, chosen, **how):
            text, versions = finished.value or (None, ())
            old.extend(versions)
            yield Finished(finished.store, text, finished.error, finished.ms, finished.tries)

    done = as_they_come("push", texts(), progress)
    old.sort(key=attrgetter("where", "version"))
    return Pushed(done.verb, done.outcomes, done.interrupted, old_versions=tuple(old))


def _push(into: str, release: bool, store: FleetStore) -> tuple[str, tuple[OldVersion, ...]]:
    """Push a store; return what was done, and the versions to look through for what was erased."""
    if store.in_bucket:
        raise UsageError(
            f'"{store.where}" is in a bucket', hint="push takes stores of this machine"
        )
    path = Path(store.where)
    server_now(into)
    here = heading(path) | {"mark": change_mark(path), "owner": _name_of(path)}
    url = url_of(into, parse_address(here["address"]))
    known = fetch(url, content=False)
    before = known.metadata if known else {}
    if known:
        _refuse_another(store, here, before, release=release)
    with ExitStack() as until_done:
        until_done.enter_context(translated(path))
        folder = until_done.enter_context(part_folder())
        if release:
            alone = until_done.enter_context(connected_alone(path, busy_timeout_ms=usual_timeout()))
            return _released(alone, path, here, url, known, folder), ()
        if before.get("mark") != here["mark"]:
            copy = folder / "copy.db"
            here |= copied(path, copy)
            if before.get("digest") != here["digest"]:
                here["previous"] = known.version if known else ""
                made = save(url, copy, here, known)
                return f"{sized(len(made.data))} sent", _holding_erased(url, made)
    return "unchanged", _holding_erased(url, known) if known else ()


def _name_of(path: Path) -> str:
    """Return whose an object is that is pushed from a file: its machine's, and the file's."""
    return f"{platform.node()}:{path}"


def _refuse_another(
    store: FleetStore, here: dict[str, str], there: dict[str, str], *, release: bool
) -> None:
    """Refuse to write an object of another store, of another machine, or of nobody."""
    if there.get("origin") != here["origin"]:
        raise RefusedError(
            f'the bucket has another store of the name "{here["address"]}"',
            hint="memctl fleet pull brings that one back; or push this one to another prefix",
        )
    owner = there.get("owner", "")
    if owner == here["owner"] or (release and not owner):  # a release that was interrupted goes on
        return
    if owner:
        hint = "push it from there; where that machine is lost, fleet pull --own takes it over"
        raise RefusedError(f'"{store.name}" in the bucket belongs to {owner}', hint=hint)
    raise RefusedError(
        f'"{store.name}" in the bucket was given up: it may have been worked since',
        hint="memctl fleet pull --own brings it back",
    )


def _released(
    alone: Connection,
    path: Path,
    here: dict[str, str],
    url: str,
    known: BucketObject | None,
    folder: Path,
) -> str:
    """Push a store that nobody else has open as nobody's; then move its file to the backups."""
    copy = folder / "copy.db"
    here |= copied(alone, copy) | {"owner": "", "mark": ""}
    before = known.metadata if known else {}
    if known and not before.get("owner"):
        if before.get("digest") != here["digest"]:
            raise RefusedError(
                f'"{url}" was given up, and worked since',
                hint="move the file away, or push it to another prefix",
            )
    else:
        save(url, copy, here | {"previous": known.version if known else ""}, known)
    kept = dated_name(path, parse_address(here["address"]), "released")
    keep_file(path, kept)
    for file in (path, *beside(path)):
        file.unlink(missing_ok=True)
    return f"given up; its file is {kept}"


def _holding_erased(url: str, made: BucketObject) -> tuple[OldVersion, ...]:
    """Return the versions before this one from before its latest erasure: each names the one before."""
    result = []
    kept: BucketObject | None = made
    while kept and made.version and made.metadata.get("erasures") != "0":
        previous = kept.metadata.get("previous", "")
        if not previous:
            break
        kept = fetch(url, version=previous, content=False)
        if kept is None:
            result.append(OldVersion(url, ""))
        elif kept.metadata.get("erasures") != made.metadata["erasures"]:
            result.append(OldVersion(url, previous))
    return tuple(result)


# -- the way back --------------------------------------------------------------------------


@checked
def pull(
    url: str,
    home: str | os.PathLike[str] | None = None,
    *,
    app: str | None = None,
    force: bool = False,
    own: bool = False,
    jobs: int = 1,
    progress: Callable[[Outcome], object] = bool,
) -> Run:
    """Restore the stores of a bucket into a home, each checked; those that are equal stay.

    Parameters
    ----------
    url
        A bucket's prefix, or the object of a single store.
    home
        As for `memctl.open`.
    app
        The address of the single store that is wanted.
    force
        Replace stores that are there and differ; what was there is kept in the home's backups.
    own
        Make the objects this machine's: it pushes them from now on, and whose they were is refused.
        For a machine that was lost, and for stores that were given up.
    jobs, progress
        As for `memctl.fleet.run`.

    Raises
    ------
    NotFoundError
        When there is no such bucket or store.
    UsageError
        When it is no bucket's URL.
    """
    if not is_bucket(url):
        raise UsageError(f'"{url}" is no bucket', hint="memctl restore brings back a file")
    wanted = None if app is None else str(parse_address(app))
    listed = [store for store in stores_of(url) if wanted in {None, store.name}]
    if not listed:
        raise NotFoundError(f'"{url}" has no store "{wanted}"', hint=f"memctl fleet stores {url}")
    if own:
        server_now(url)
    task = partial(_pull, default_home(home), force, own)
    return as_they_come("pull", spread(task, listed, jobs=jobs), progress)


def _pull(home: Path, force: bool, own: bool, store: FleetStore) -> str:
    address = parse_address(store.name)
    path, kept = address.path(home), fetch(store.where)
    with part_folder() as folder:
        fetched = folder / "fetched.db"
        unpack(store.where, kept, fetched)
        owner = _name_of(path)
        if own and kept and kept.metadata.get("owner") != owner:
            traits = {"owner": owner, "mark": "", "previous": kept.version}
            save(store.where, fetched, kept.metadata | traits, kept)
        if path.is_file() and path.stat().st_size and not force:
            here = folder / "here.db"
            copied(path, here)
            if have_same_pages(here, fetched):
                return "as it is there already"
            raise RefusedError(
                f'"{store.name}" is there already, and differs',
                hint="--force replaces it, and keeps what was there in the backups",
            )
        restored = restore_store(fetched, path, address)
    return f"restored; {restored.kept} is what was there" if restored.kept else "restored"
