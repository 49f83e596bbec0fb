"""Reports over all stores of a fleet: only what has changed since the last one is read again."""

from __future__ import annotations

import os
import platform
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memctl.base.arguments import checked
from memctl.base.errors import MemctlError, NotFoundError, UsageError
from memctl.base.home import home_around, parse_address
from memctl.base.whole_file import part_folder
from memctl.fleet.buckets import below, is_bucket, names, read, remove, write
from memctl.fleet.fleet_stores import Place, listed_stores
from memctl.fleet.report_parts import (
    BUCKET,
    PartName,
    kind_of,
    load_parts,
    part_of,
    sign_of,
    zone_in,
)
from memctl.fleet.spreading import spread, spread_where_they_lie
from memctl.fleet.store_queue import FleetStore
from memctl.reports.answers import Report
from memctl.reports.loading import ZONE_TABLE, engine, skipped
from memctl.reports.report import Loaded, Request, ask_reports
from memctl.reports.sources import Source
from memctl.store.results import Result

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from memctl.base.clock import When
    from memctl.config.setting import Value
    from memctl.reports.answers import Skipped

# Parts of a bucket that are fetched at once.
_AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class FleetReports(Result):
    """Reports over a fleet, and what it took to make them.

    Parameters
    ----------
    reports
        As `memctl.report` makes each.
    read
        Stores that were read, because they had changed or were new.
    kept
        Stores whose parts were still true.
    removed
        Parts that were removed before anything else: of stores that had changed or are gone.
    sources
        The stores whose files this machine has: a page draws the first of them.
    """

    reports: tuple[Report, ...]
    read: int
    kept: int
    removed: int
    sources: tuple[Source, ...]

    @property
    def skipped(self) -> tuple[Skipped, ...]:
        """The stores that could not be read."""
        return self.reports[0].skipped if self.reports else ()


@checked
def report(
    name: str,
    stores: Sequence[Place | FleetStore] | Place | None = None,
    *,
    into: Place,
    texts: bool = False,
    since: When | None = None,
    until: When | None = None,
    jobs: int = 1,
    scheduler: str | None = None,
    memory_limit: str | None = None,
) -> Report:
    """Answer questions about all stores of a fleet, as `memctl.report` does about those of a home.

    Parameters
    ----------
    name
        ``health``, ``decay``, ``recall``, ``matching``, ``growth`` or ``lift``.
    stores
        Places, as for `memctl.fleet.stores`; or what that has returned, all or some of it.
    into
        A folder or a bucket's URL for the parts: what reports load, one small file a store. The
        next report reads only those stores again that have changed.
    texts
        Keep texts in the parts: of facts, episodes and questions, the names and labels of
        components, who a fact is about. Without it answers have numbers in their place, equal
        ones for equal texts of a store, and words that were asked for are left out.
    since, until
        What happened from `since`, up to and without `until`.
    jobs, scheduler
        Who reads the stores, as for `memctl.fleet.run`.
    memory_limit
        How much memory the answers take at most: ``"500MB"``.

    Returns
    -------
    Report
        Stores that cannot be read are listed in ``skipped``.

    Raises
    ------
    UsageError
        When there is no such report, or the times are not allowed or backwards.
    NotFoundError
        When a place holds no store.
    """
    made = make_fleet_reports(
        [name],
        stores,
        into=into,
        texts=texts,
        since=since,
        until=until,
        jobs=jobs,
        scheduler=scheduler,
        memory_limit=memory_limit,
    )
    return made.reports[0]


def make_fleet_reports(
    asked: Iterable[str],
    stores: Sequence[Place | FleetStore] | Place | None = None,
    *,
    into: Place,
    texts: bool = False,
    since: When | None = None,
    until: When | None = None,
    now: When | None = None,
    settings: Mapping[str, Value] | None = None,
    jobs: int = 1,
    scheduler: str | None = None,
    memory_limit: str | None = None,
    progress: Callable[[str], object] = bool,
) -> FleetReports:
    """Return several reports over the same stores; see `report` and `make_reports`."""
    request = Request.of(asked, since, until, now)
    fleet = listed_stores(stores, scheduler)
    began = time.perf_counter()
    parts = _Parts(below(os.fspath(into), "parts"), kind_of(texts=texts))
    wrong: dict[FleetStore, MemctlError] = {}
    names_now: dict[FleetStore, str] = {}
    how: dict[str, Any] = {"jobs": jobs, "scheduler": scheduler}
    for signed in spread_where_they_lie(sign_of, fleet, **how):
        if signed.value is not None:
            names_now[signed.store] = parts.name_of(signed.store, *signed.value)
        elif signed.error is not None:
            wrong[signed.store] = signed.error
    # Whatever was erased must be gone from the parts, even where this comes to no end.
    removed = parts.remove_stale(names_now)
    missing = {store: name for store, name in names_now.items() if name not in parts.there}
    for store in fleet:
        if store not in missing:
            progress(f"unchanged {store.name}")
    left = 0
    for finished in spread(partial(part_of, texts=texts), list(missing), **how):
        if finished.error is None and finished.value is not None:
            parts.write(names_now[finished.store], finished.value)
        elif finished.error is not None:
            left += finished.left
            wrong[finished.store] = finished.error
        progress(f"read {finished.store.name}")
    if left:
        raise KeyboardInterrupt  # what was read is in the parts: the same call goes on
    sources = list(map(_source, fleet))
    could_be_read = {store.name: names_now[store] for store in fleet if store not in wrong}
    with engine(memory_limit) as connection, parts.files(could_be_read) as files:
        columns = {**request.columns, ZONE_TABLE: ("name",)}
        load_parts(connection, files, columns, settings or {})
        loaded = Loaded(
            sources,
            tuple(could_be_read),
            tuple(skipped(_source(store), wrong[store]) for store in fleet if store in wrong),
            zone_in(connection, next(iter(could_be_read), None), settings or {}),
            round((time.perf_counter() - began) * 1000, 3),
            texts,
        )
        made = ask_reports(connection, request, loaded, progress)
    read_anew = len([store for store in missing if store not in wrong])
    here = tuple(
        source for source in sources if source.name in could_be_read and source.path.is_file()
    )
    return FleetReports(made, read_anew, len(could_be_read) - read_anew, removed, here)


def _source(store: FleetStore) -> Source:
    """Return a store as reports know it, with the command that leads to it where it has an address."""
    path, command = Path(store.where), ""
    if home := home_around(path):
        with suppress(UsageError):
            address = parse_address(store.name.partition(" (")[0])
            command = address.command(path) if address.path(home) == path else ""
    return Source(store.name, path, command)


class _Parts:
    """The parts in a folder or a bucket, by their names; as they were listed, and written since."""

    def __init__(self, url: str, kind: str) -> None:
        self.url, self.kind = url, kind
        self.there = set(names(url))

    def name_of(self, store: FleetStore, node: str, sign: str) -> str:
        """Return the name of the part of a store as it is now."""
        machine = f"{node}@{store.machine}" if store.machine else node
        where = f"/{store.where.replace('://', '/', 1)}" if store.in_bucket else store.where
        return str(PartName(machine, where, sign, self.kind))

    def remove_stale(self, now: Mapping[FleetStore, str]) -> int:
        """Remove the parts of stores that have changed or are gone; return how many there were.

        Of stores that are not asked about, those of this machine: only it can look at them.
        """
        true = {
            (name.machine, name.where): str(name) for name in map(PartName.of, now.values()) if name
        }
        stale = [
            text
            for text in sorted(self.there)
            if (name := PartName.of(text))
            and (true[name[:2]] != text if name[:2] in true else _is_stale(name))
        ]
        with ThreadPoolExecutor(_AT_ONCE) as pool:
            list(pool.map(lambda text: remove(below(self.url, text)), stale))
        self.there.difference_update(stale)
        return len(stale)

    def write(self, name: str, data: bytes) -> None:
        """Write a part."""
        write(below(self.url, name), data)
        self.there.add(name)

    @contextmanager
    def files(self, parts: Mapping[str, str]) -> Iterator[dict[str, Path]]:
        """Yield the files of parts by what each is given for; those of a bucket are fetched."""
        if not is_bucket(self.url):
            folder = Path(self.url.removeprefix("file://")).absolute()
            yield {store: folder / name for store, name in parts.items()}
            return
        with part_folder() as fetched, ThreadPoolExecutor(_AT_ONCE) as pool:

            def fetch(number: int, name: str) -> Path:
                file = fetched / str(number)
                file.write_bytes(read(below(self.url, name)))
                return file

            yield dict(zip(parts, pool.map(fetch, range(len(parts)), parts.values()), strict=True))


def _is_stale(name: PartName) -> bool:
    where = name.where[1:].replace("/", "://", 1) if name.machine == BUCKET else name.where
    if name.machine != BUCKET and name.machine.partition("@")[0] != platform.node():
        return False
    try:
        return sign_of(FleetStore("", where, 0))[1] != name.sign
    except NotFoundError:
        return True
