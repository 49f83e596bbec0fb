"""The stores of a fleet: those of homes, of glob patterns, of buckets."""

from __future__ import annotations

import glob
import os
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memctl.base.arguments import checked
from memctl.base.errors import NotFoundError, UsageError
from memctl.base.home import default_home
from memctl.fleet.buckets import is_bucket
from memctl.fleet.in_bucket.bucket_objects import stores_below
from memctl.fleet.store_queue import FleetStore
from memctl.reports.sources import Source, distinct, files_in, stores_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

Place = str | os.PathLike[str]


@checked
def stores(
    places: Sequence[Place] | Place | None = None, *, scheduler: str | None = None
) -> tuple[FleetStore, ...]:
    """Return every store of some places, sorted by name; none is opened.

    Parameters
    ----------
    places
        Each a home, a folder of ``.db`` files, a ``.db`` file, a glob pattern of these, or a bucket's
        URL (``s3://bucket/prefix``); by default the home that `memctl.open` would use.
    scheduler
        The address of a Dask scheduler: the stores of those places on the machines of its workers.

    Raises
    ------
    UsageError
        When a place is no folder, file, pattern or URL; when there is no such scheduler.
    MemctlError, RefusedError
        When the scheduler does not answer, or has workers of another memctl.
    NotFoundError
        When a place holds no store.
    """
    named = None if places is None else named_in(places)
    if scheduler is None or scheduler == "local":
        result = _here([str(default_home())] if named is None else named)
    else:
        result = _on_machines(named, scheduler)
    return tuple(sorted(_named_apart(result), key=lambda store: (store.name, store.where)))


def listed_stores(
    named: Sequence[Place | FleetStore] | Place | None, scheduler: str | None = None
) -> tuple[FleetStore, ...]:
    """Return the stores of an argument: what `stores` has listed before is not looked for again."""
    if named is None or isinstance(named, (str, os.PathLike)):
        return stores(named, scheduler=scheduler)
    listed = [store for store in named if isinstance(store, FleetStore)]
    places = [place for place in named if not isinstance(place, FleetStore)]
    return (*listed, *(stores(places, scheduler=scheduler) if places else ()))


def _on_machines(places: list[str] | None, scheduler: str) -> list[FleetStore]:
    """Return the stores of buckets, and those that the workers of each machine announce."""
    from memctl.fleet.dask_cluster import call_everywhere

    buckets = [place for place in places or [] if is_bucket(place)]
    folders = None if places is None else [place for place in places if not is_bucket(place)]
    for place in folders or []:
        if not place.startswith(("/", "~")):
            raise UsageError(f'"{place}" is no path of every machine', hint="begin it with / or ~")
    result = _here(buckets)
    if folders is None or folders:
        announced = call_everywhere(scheduler, announced_stores, folders)
        result += _of_machines(announced)
    if not result:
        raise NotFoundError("no worker holds a store of these places", hint="see where they are")
    return result


def announced_stores(places: list[str] | None) -> list[tuple[FleetStore, str]]:
    """Return the stores that this machine has of some places, each with the mark of its file."""
    sources: list[Source] = []
    for place in [str(default_home())] if places is None else places:
        with suppress(NotFoundError):
            sources += _sources(place)
    result: list[tuple[FleetStore, str]] = []
    for store in _each_once(sources):
        kept = os.stat(store.where)  # noqa: PTH116  (a path that was listed)
        mark = f"{store.where} {kept.st_ino} {kept.st_size} {kept.st_mtime_ns}"
        result.append((store, mark))
    return result


def _of_machines(announced: Mapping[str, Sequence[tuple[FleetStore, str]]]) -> list[FleetStore]:
    """Return each file once, with its machine."""
    holders: dict[str, list[tuple[str, FleetStore]]] = {}
    for machine, stores_there in announced.items():
        for store, mark in stores_there:
            holders.setdefault(mark, []).append((machine, store))
    return [
        replace(store, machine=machine, also_on=tuple(other for other, _ in others))
        for (machine, store), *others in holders.values()
    ]


def _named_apart(stores: Iterable[FleetStore]) -> Iterator[FleetStore]:
    """Yield each store once; those of one name get their machines, and on one machine their files."""
    once = {(store.machine, store.where): store for store in stores}.values()
    names = Counter(store.name for store in once)
    there = Counter((store.machine, store.name) for store in once)
    for store in once:
        where = store.where if there[store.machine, store.name] > 1 or not store.machine else ""
        apart = ":".join(filter(None, (store.machine, where)))
        yield replace(store, name=f"{store.name} ({apart})") if names[store.name] > 1 else store


def named_in(places: Sequence[Place] | Place) -> list[str]:
    """Return the places of an argument that takes a single one, too."""
    each = [places] if isinstance(places, (str, os.PathLike)) else places
    return [os.fspath(place) for place in each]


def _here(places: Sequence[str]) -> list[FleetStore]:
    """Return the stores of buckets, and those of this machine."""
    files = (source for place in places if not is_bucket(place) for source in _sources(place))
    objects = (store for place in places if is_bucket(place) for store in _stores_in_bucket(place))
    return [*_each_once(files), *objects]


def _each_once(sources: Iterable[Source]) -> Iterator[FleetStore]:
    """Yield each file of some places, whose names may overlap, once."""
    for source in distinct(sources):
        size = source.path.stat().st_size if source.path.is_file() else 0  # what it is, a run says
        yield FleetStore(source.name, str(source.path), size)


def _stores_in_bucket(url: str) -> Iterator[FleetStore]:
    listed = list(stores_below(url))
    if not listed:
        raise NotFoundError(f'"{url}" holds no store', hint="memctl fleet push puts some there")
    for address, where, size in listed:
        yield FleetStore(str(address), where, size)


def _sources(place: str) -> Iterable[Source]:
    """Return the files of a place: a home by its addresses, any other folder by its paths."""
    paths = matching(place)
    if not paths:
        raise NotFoundError(f'"{place}" is not there', hint="name a home, a pattern or a bucket")
    result = [source for path in paths for source in _sources_at(Path(path).absolute())]
    if not result:
        raise NotFoundError(f'"{place}" holds no store', hint="memctl stores lists those of a home")
    return result


def matching(place: str) -> list[str]:
    """Return the paths that a path or pattern names; one that is there is no pattern."""
    written = os.path.expanduser(place)  # noqa: PTH111  (a pattern is no path)
    if os.path.lexists(written):
        return [written]
    return sorted(glob.glob(written, recursive=True))  # noqa: PTH207


def _sources_at(path: Path) -> Iterable[Source]:
    if path.is_file():
        return [Source(path.stem, path, "")] if path.suffix == ".db" else []
    if (path / "apps").is_dir():
        return stores_at(path)
    try:
        return files_in(path)
    except NotFoundError:
        return []
