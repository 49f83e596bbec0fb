"""Functions over whole stores: open one, list those of a home, report on many, restore, recover."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from memctl.async_memory import AsyncMemory
from memctl.base.arguments import LazyAnnotations, as_written, checked
from memctl.base.clock import When
from memctl.base.errors import FileAccessError, OlderStoreError, UsageError
from memctl.base.home import Address, default_home, parse_address
from memctl.base.projects import project_of
from memctl.base.scope import Scope
from memctl.config.settings import Settings
from memctl.guard.door import refuse_secret_names
from memctl.memory import Memory
from memctl.store import statements
from memctl.store.store import Store

if TYPE_CHECKING:
    from memctl.config.setting import Value
    from memctl.reports.answers import Report
    from memctl.upkeep.recovery import Recovered
    from memctl.upkeep.status import StoreFile
    from memctl.upkeep.store_copies import Restored
    from memctl.visual.comparing import Difference
    from memctl.visual.ignored_areas import Area
    from memctl.visual.reading.image import ImageSource

SQL = statements.load("store/store")

P = ParamSpec("P")
R = TypeVar("R")


@checked
def diff_screens(
    first: ImageSource,
    second: ImageSource,
    *,
    channels: str = "bgr",
    ignore: Sequence[Area] = (),
) -> Difference:
    """Compare two screenshots: what appeared, went, moved, scrolled or changed.

    `memctl.Memory.diff` names the changes by the components that it knows as well.

    Parameters
    ----------
    first, second
        Images as for `memctl.Memory.learn`.
    channels
        ``"rgb"`` for arrays whose first channel is red.
    ignore
        As for `memctl.Memory.diff`.

    Raises
    ------
    UsageError
        When their sizes differ by more than their scale.
    UnusableInputError
        When an image cannot be used.
    """
    from memctl.visual.comparing import compare_images
    from memctl.visual.reading.image import as_bgr

    pictures = as_bgr(first, channels), as_bgr(second, channels)
    return compare_images(*pictures, ignore=ignore).difference


@checked
def open_memory(
    address: str | os.PathLike[str] = "agent",
    home: str | os.PathLike[str] | None = None,
    *,
    readonly: bool = False,
    settings: Mapping[str, Value] | None = None,
    user: str | None = None,
    agent: str | None = None,
    session: str | None = None,
    project: str | os.PathLike[str] | None = None,
    subagent: bool = False,
) -> Memory:
    """Open the memory of an app or site; the first write creates its file.

    Parameters
    ----------
    address
        ``"agent"``, an app, or ``"browser/site"``; the site may be a URL. A `pathlib.Path` is
        that very file, in a home or elsewhere; its address is the one in it, or its stem.
    home
        Folder of all stores; else ``MEMCTL_HOME``, else the platform's data folder.
    readonly
        Let SQLite refuse every write.
    settings
        Values that win over the environment and the store, for this memory only.
    user, agent
        Whose rows: turns, episodes, facts and all that is made of them. Set here, narrowed by
        calls, widened by none; everybody's by default.
    session
        The session that is going on: the journal, the cache and passing facts are its own.
    project
        A name: rows of other projects are out of reach, those of none are not; ``""``: those of
        none alone. A `pathlib.Path` is the folder that an agent works in: the project is its
        repository, or that of the setting ``project``; a session that goes on stays in its own.
    subagent
        Open read-only; each write is refused as ``subagent_blocked``.

    Raises
    ------
    UsageError
        When the address or a setting is not allowed, or a home is given with a path.
    FileAccessError
        When a path names a folder.
    SecretRefusedError
        When the name of app, user, agent, session or project looks like a secret.

    Examples
    --------
    >>> with open_memory("chromium/https://www.united.com/en", home="/tmp/m") as memory:
    ...     print(memory.address)
    chromium/united.com
    """
    if isinstance(address, str):
        if address.startswith(("/", "~", "./", "../")):
            raise UsageError(
                f'"{address}" is a path, not an address',
                hint="a file is opened with memctl.open(pathlib.Path(...))",
            )
        where = parse_address(address)
        file = where.path(default_home(home))
    else:
        if home is not None:
            raise UsageError("a path needs no home", hint="name the file, or an address in a home")
        file = Path(address).expanduser().absolute()
        if os.path.isdir(file):  # noqa: PTH112  (unlike Path.is_dir, it never raises)
            raise FileAccessError(
                f'"{file}" is a folder, not a store', hint=f'name a file in it, or home="{file}"'
            )
        where = _address_of(file)
    chrome = _chrome_of(where, file)
    name = project if isinstance(project, str) else None
    # Most apps have no digit in their name, and need no table of secrets loaded.
    app = str(where) if any(map(str.isdigit, str(where))) else None
    refuse_secret_names(app=app, user=user, agent=agent, session=session, project=name)
    scope = Scope(user, agent, session, subagent, name)
    store = Store(file, where, readonly=readonly, subagent=subagent)
    if isinstance(project, os.PathLike):  # only the open store knows
        scope = replace(scope, project=_project_at(Path(project), store, settings, session))
    store.narrow(scope)
    return Memory(store, flags=settings, chrome=chrome, scope=scope)


def _takes_as(
    other: Callable[P, object],
) -> Callable[[Callable[..., R]], Callable[P, R]]:
    """Give a function that hands its arguments on the signature of the other one."""

    def decorate(function: Callable[..., R]) -> Callable[P, R]:
        function.__dict__["__wrapped__"] = other  # `inspect.signature` reads it there
        given = {"return": function.__annotations__["return"]}
        function.__annotations__ = as_written(other) | given
        function.__annotations__ = LazyAnnotations(function)
        return function

    return decorate


@_takes_as(open_memory)
def open_async(*args: Any, **named: Any) -> AsyncMemory:
    """Open the memory of an app or site for asyncio; takes the arguments of `memctl.open`.

    The file is opened, and what is wrong with the arguments is raised, by ``async with``, or by
    the first call.

    Examples
    --------
    >>> async def answer(question):
    ...     async with open_async("agent", "/tmp/m") as memory:
    ...         return await memory.recall(question)
    """
    address = args[0] if args else named.get("address", "agent")
    return AsyncMemory(partial(open_memory, *args, **named), str(address))


def _project_at(
    folder: Path, store: Store, flags: Mapping[str, Value] | None, session: str | None
) -> str | None:
    """Return the project of a folder; ``None`` where all is one memory."""
    chosen = str(Settings(store, flags)["project"])
    if chosen != "auto":
        return None if chosen == "none" else chosen
    going_on = session and store.exists and store.value(SQL.project_of_session, {"id": session})
    return str(going_on or project_of(folder))


def _address_of(file: Path) -> Address:
    """Return the address in a file, else that of its stem."""
    address = None
    with Store(file, Address(file.stem), readonly=True) as store, suppress(OlderStoreError):
        address = store.value(SQL.address) if store.exists else None
    return parse_address(address or file.stem)


def _chrome_of(where: Address, file: Path) -> Memory | None:
    """Return the memory of the browser around a site, in the home that the site's file is in."""
    home = file.parents[3] if where.browser and len(file.parents) > 3 else None  # noqa: PLR2004
    if where.browser is None or home is None or where.path(home) != file:
        return None
    return Memory(Store(where.browser.path(home), where.browser, readonly=True))


@checked
def list_stores(home: str | os.PathLike[str] | None = None) -> list[StoreFile]:
    """Return the stores of a home, as for `memctl.open`: address, path and size in bytes, sorted."""
    from memctl.upkeep.status import stores_in

    return stores_in(default_home(home))


@checked
def report_stores(
    name: str,
    home: str | os.PathLike[str] | None = None,
    *,
    folder: str | os.PathLike[str] | None = None,
    since: When | None = None,
    until: When | None = None,
) -> Report:
    """Answer questions about all stores of a home, or about all files in a folder.

    Parameters
    ----------
    name
        ``health``, ``decay``, ``recall``, ``matching``, ``growth`` or ``lift``.
    home
        Folder of all stores; else ``MEMCTL_HOME``, else the platform's data folder.
    folder
        Any folder with ``.db`` files, asked instead of a home.
    since, until
        What happened from `since`, up to and without `until`: ISO-8601 text, a `datetime`, a
        `date` or a `timedelta` from now.

    Returns
    -------
    Report
        Its ``answers`` hold the name of the store in their first column; stores that cannot
        be read are listed in ``skipped``.

    Raises
    ------
    UsageError
        When there is no such report or folder, or the times are not allowed or backwards.
    """
    from memctl.reports.report import make_report
    from memctl.reports.sources import files_in, stores_at

    sources = stores_at(home) if folder is None else files_in(folder)
    return make_report(name, sources, since=since, until=until)


@checked
def restore_backup(
    backup: str | os.PathLike[str],
    address: str = "agent",
    home: str | os.PathLike[str] | None = None,
    *,
    force: bool = False,
) -> Restored:
    """Replace a store by a backup; what was in it is kept beside the backups.

    Parameters
    ----------
    backup
        A file of `memctl.Memory.backup` or `memctl.recover`, or any copy of a store.
    address, home
        The store, as for `memctl.open`; nobody may have it open.
    force
        Take the backup of another app or site.

    Raises
    ------
    RefusedError
        When the backup is of another address, or is the store itself.
    StoreError
        When the backup is damaged, foreign, or of a later memctl; the store is left alone.
    BusyError
        When somebody has the store open.
    DiskFullError, FileAccessError
        When there is no room, or no right; the store is left as it was.
    """
    from memctl.upkeep.store_copies import restore_store

    where = parse_address(address)
    file = Path(backup).expanduser().absolute()
    return restore_store(file, where.path(default_home(home)), where, force=force)


@checked
def recover_store(
    address: str = "agent",
    home: str | os.PathLike[str] | None = None,
    out: str | os.PathLike[str] | None = None,
) -> Recovered:
    """Write what can be read of a damaged store into a new file; the damaged one is left alone.

    Parameters
    ----------
    address, home
        The store, as for `memctl.open`; nobody may have it open.
    out
        The new file; by default ``backups/ADDRESS/TIME-recovered.db`` in the home.

    Returns
    -------
    Recovered
        The file, whole and checked, and for each table how many rows were kept and lost.

    Raises
    ------
    NotFoundError
        When there is no store.
    ForeignStoreError
        When not one row of it can be told from noise: it is no store.
    BusyError
        When somebody has the store open.
    DiskFullError, FileAccessError
        When the new file cannot be written; nothing is left of it.
    """
    from memctl.upkeep.recovery import recover

    where = parse_address(address)
    target = None if out is None else Path(out).expanduser().absolute()
    return recover(where.path(default_home(home)), where, target)
