"""Sources of a report: one store, the files of a folder, or all stores of a home."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from memctl.base.errors import NotFoundError, UsageError
from memctl.base.home import Address, default_home, names_in, parse_address, stores

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.store.store import Store


@dataclass(frozen=True, slots=True)
class Source:
    """One store's file.

    Parameters
    ----------
    name
        What reports call it: its address, or its file's path in the folder that was asked;
        with the whole path behind it where another has the same.
    path
        The file.
    command
        How a command about it begins: ``memctl --home H --app A``; empty where no address
        leads to the file.
    """

    name: str
    path: Path
    command: str


def store_at(address: str, home: str | os.PathLike[str] | None = None) -> Source:
    """Return the store of one app or site; whether there is one is seen when it is read."""
    return _source(parse_address(address), default_home(home))


def source_of(store: Store) -> Source:
    """Return an open store as a source."""
    return Source(str(store.address), store.path, store.address.command(store.path))


def stores_at(home: str | os.PathLike[str] | None = None) -> tuple[Source, ...]:
    """Return every store of a home, sorted by address; none where nothing was written yet."""
    folder = default_home(home)
    return tuple(_source(address, folder) for address in stores(folder))


def files_in(folder: str | os.PathLike[str]) -> tuple[Source, ...]:
    """Return every file below a folder that is called ``*.db``, sorted by its path.

    Raises
    ------
    UsageError
        When it is no folder.
    NotFoundError
        When no such file is in it.
    """
    root = Path(folder)
    if not root.is_dir():
        raise UsageError(f'"{folder}" is no folder', hint="name a folder of .db files")
    names_in(root)  # what may not be listed is not empty
    files = sorted(path for path in root.rglob("*.db") if not path.is_dir())
    if not files:
        raise NotFoundError(f'"{folder}" holds no .db file', hint="name a folder of .db files")
    return tuple(_file(path, root) for path in files)


def distinct(sources: Iterable[Source]) -> list[Source]:
    """Return sources of different names: each file once, and of one name each with its path.

    Two homes may hold stores of one name; added up they would look like one.
    """
    by_file: dict[str, Source] = {}
    for source in sources:
        by_file.setdefault(os.path.realpath(source.path), source)
    names = Counter(source.name for source in by_file.values())
    return [
        replace(source, name=f"{source.name} ({source.path.absolute()})")
        if names[source.name] > 1
        else source
        for source in by_file.values()
    ]


def _source(address: Address, home: Path) -> Source:
    path = address.path(home)
    return Source(str(address), path, address.command(path))


def _file(path: Path, root: Path) -> Source:
    name = str(path.relative_to(root).with_suffix(""))
    return Source(name, path, "")
