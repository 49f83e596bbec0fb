"""The stores of a fleet: those of homes, of glob patterns, of buckets."""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from memctl.base.arguments import checked
from memctl.base.errors import NotFoundError
from memctl.base.home import default_home
from memctl.fleet.bucket_objects import stores_below
from memctl.fleet.buckets import is_bucket
from memctl.reports.sources import Source, distinct, files_in, stores_at
from memctl.store.results import Result

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Place = str | os.PathLike[str]


@dataclass(frozen=True, slots=True)
class FleetStore(Result):
    """One store of a fleet.

    Parameters
    ----------
    name
        What answers call it: its address, or its file's path in the folder that was asked; with the
        whole path behind it where another store has the same name.
    where
        Its file, or its URL in a bucket.
    bytes
        The size of its file, or of its object in the bucket.
    machine
        The machine whose workers hold the file; empty: this machine, or a bucket.
    """

    name: str
    where: str
    bytes: int
    machine: str = ""

    @property
    def in_bucket(self) -> bool:
        """Whether it lies in a bucket."""
        return is_bucket(self.where)


@checked
def stores(places: Sequence[Place] | Place | None = None) -> tuple[FleetStore, ...]:
    """Return every store of some places, sorted by name; none is opened.

    Parameters
    ----------
    places
        Each a home, a folder of ``.db`` files, a ``.db`` file, a glob pattern of these, or a bucket's
        URL (``s3://bucket/prefix``); by default the home that `memctl.open` would use.

    Raises
    ------
    UsageError
        When a place is no folder, file, pattern or URL.
    NotFoundError
        When a place holds no store.
    """
    named = [default_home()] if places is None else _each(places)
    result = [store for place in named for store in _stores_of(os.fspath(place))]
    return tuple(sorted(result, key=lambda store: (store.name, store.where)))


def _each(places: Sequence[Place] | Place) -> Sequence[Place]:
    return [places] if isinstance(places, (str, os.PathLike)) else places


def _stores_of(place: str) -> Iterator[FleetStore]:
    if is_bucket(place):
        yield from _stores_in_bucket(place)
        return
    for source in distinct(_sources(place)):
        yield FleetStore(source.name, str(source.path), source.path.stat().st_size)


def _stores_in_bucket(url: str) -> Iterator[FleetStore]:
    listed = list(stores_below(url))
    if not listed:
        raise NotFoundError(f'"{url}" holds no store', hint="memctl fleet push puts some there")
    for address, where, size in listed:
        yield FleetStore(str(address), where, size)


def _sources(place: str) -> Iterable[Source]:
    """Return the files of a place: a home by its addresses, any other folder by its paths."""
    written = os.path.expanduser(place)  # noqa: PTH111  (a pattern is no path)
    paths = [Path(path) for path in sorted(glob.glob(written, recursive=True))]  # noqa: PTH207
    if not paths:
        raise NotFoundError(f'"{place}" is not there', hint="name a home, a pattern or a bucket")
    result = [source for path in paths for source in _sources_at(path.absolute())]
    if not result:
        raise NotFoundError(f'"{place}" holds no store', hint="memctl stores lists those of a home")
    return result


def _sources_at(path: Path) -> Iterable[Source]:
    if path.is_file():
        return [Source(path.stem, path, "")] if path.suffix == ".db" else []
    if (path / "apps").is_dir():
        return stores_at(path)
    try:
        return files_in(path)
    except NotFoundError:
        return []
