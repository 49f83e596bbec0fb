"""The places of stores: an address such as ``chromium/united.com`` becomes a path, safely.

::

    <home>/settings.toml                        settings of all stores
    <home>/apps/agent.db                        agent
    <home>/apps/chromium.db                     chromium
    <home>/apps/chromium/sites/united.com.db    chromium/united.com

A name is checked: what would be unsafe is refused with what is allowed. What people write of
one place leads to one store: capitals are small letters, a dot at the end goes, and a site,
as a host or a URL, is its host without ``www.`` and path, with its port where that is not the
usual one.

What stands at a path, in a home or elsewhere, is judged here for everybody. A home may be a link,
and so may what is above it: ``/tmp`` is one on some systems. A link inside of a home may lead to
another place of that home. One that leads out of it is not followed: what memctl writes stays in
the home.
"""

from __future__ import annotations

import os
import re
import shlex
import stat
from dataclasses import dataclass
from errno import EEXIST, ELOOP
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from memctl.base.errors import FileAccessError, UsageError
from memctl.base.pattern import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = Pattern(r"[a-z0-9](?:[a-z0-9._+-]{0,98}[a-z0-9_-])?", re.ASCII)
_ALLOWED = (
    "1 to 100 lower-case letters, digits, '-', '_', '.' and '+'; "
    "a letter or digit first, no '.' or '+' last"
)
# Device names that Windows reserves in every folder, with any extension.
_RESERVED = Pattern(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?")
# As it is copied from an address bar, which hides "http://".
_HOST_AND_PORT = re.compile(r"[^/:\s]+:\d+(?=/|$)")
# An app's folder of sites must not be where another app's file, or SQLite's beside it, is.
_FILE_NAME = Pattern(r".*\.db(?:-wal|-shm|-journal|-spool(?:-damaged)?)?")
_USUAL_PORTS = {"http": 80, "https": 443}
_KINDS = {
    stat.S_IFREG: "a file",
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}
_MOVE = "move it away, or choose another place"
_HOME = "move it away, or choose another place (--home, MEMCTL_HOME)"
_RIGHTS = "check the permissions of its folders"


@dataclass(frozen=True, slots=True)
class Address:
    """An app, or one site in a browser."""

    app: str  # or the browser
    site: str | None = None  # a host

    def __str__(self) -> str:
        return f"{self.app}/{self.site}" if self.site else self.app

    @property
    def browser(self) -> Address | None:
        """The store of the browser's own chrome, for a site; ``None`` for an app."""
        return Address(self.app) if self.site else None

    def path(self, home: Path) -> Path:
        """Return the store's file below `home`."""
        apps = home / "apps"
        if self.site is None:
            return apps / f"{self.app}.db"
        return apps / self.app / "sites" / f"{self.site}.db"

    def home_of(self, path: Path) -> Path | None:
        """Return the home that the store's file is in; ``None`` for one that lies elsewhere."""
        home = home_around(path)
        return home if home is not None and self.path(home) == path else None

    def command(self, path: Path) -> str:
        """Return how a command about the store in this file begins: ``memctl --home H --app A``.

        Empty where no address leads to the file. The home is left out where it is the platform's.
        """
        home = self.home_of(path)
        if home is None:
            return ""
        option = "" if home == usual_home() else f" --home {shlex.quote(str(home))}"
        return f"memctl{option} --app {self}"


def home_around(path: Path) -> Path | None:
    """Return the folder that is a home if `path` is a store's file in it; ``None`` elsewhere."""
    folder = path.parent
    apps = folder.parent.parent if folder.name == "sites" else folder
    return apps.parent if apps.name == "apps" else None


def default_home(explicit: str | os.PathLike[str] | None = None) -> Path:
    """Return the folder of all stores: `explicit`, else ``MEMCTL_HOME``, else the platform's.

    The path is absolute: a process that changes its folder keeps its memory. Raises UsageError when
    `explicit` is empty or no path, FileAccessError when no folder can have that name.
    """
    chosen = os.environ.get("MEMCTL_HOME") or None if explicit is None else explicit
    return usual_home() if chosen is None else _folder(os.fspath(chosen))


def usual_home() -> Path:
    """Return the platform's folder of all stores, where nobody names another."""
    import platformdirs

    return Path(platformdirs.user_data_dir("memctl", appauthor=False))


def parse_address(text: str) -> Address:
    """Read an address: ``APP`` or ``APP/SITE``, SITE a host or a URL.

    Raises UsageError when a part is empty, unsafe or reserved.
    """
    app, slash, rest = text.partition("/")
    if app.endswith(":") and rest.startswith("/"):
        raise UsageError(f'"{text}" names no browser', hint=f'write "chromium/{text}"')
    app = _checked(app, _plain(app), what="app name")
    if _FILE_NAME.fullmatch(app):
        raise UsageError(f'app name "{app}" is reserved for files', hint="choose another name")
    if not slash:
        return Address(app)
    with_port = _HOST_AND_PORT.match(rest)
    url = f"http://{rest}" if with_port else rest
    site = _site_of_url(url) if "://" in url else _site_of_host(rest)
    return Address(app, _checked(rest, site, what="site name"))


def stores(home: Path) -> Iterator[Address]:
    """Yield the address of every store below `home`, sorted; opens none of them.

    Whatever has the name of a store is one, a pipe or folder too: whoever opens it says what it is.

    Raises
    ------
    FileAccessError
        When a folder cannot be listed, is none, or is a link out of the home.
    """
    apps = home / "apps"
    there = names_in(apps, within=home)
    named = [name for name in there if name.endswith(".db")]
    for app in there:
        if os.path.lexists(apps / app / "sites"):
            sites = names_in(apps / app / "sites", within=home)
            named += [f"{app}/{site}" for site in sites if site.endswith(".db")]
    for name in named:
        try:
            address = parse_address(name.removesuffix(".db"))
        except UsageError:
            continue  # a file that memctl cannot have made
        if os.path.lexists(address.path(home)):
            yield address


def _folder(chosen: str) -> Path:
    if not chosen or "\0" in chosen:
        raise UsageError(f"home {chosen!r} is no path", hint="name a folder, or leave it out")
    try:
        folder = Path(chosen).expanduser().absolute()
    except RuntimeError as error:
        raise UsageError(f'home "{chosen}" names no user', hint="write the whole path") from error
    standing(folder, folder=True, hint="name a folder")
    return folder


def _checked(given: str, name: str, *, what: str) -> str:
    """Return the name that something given is read as; refuse what is no safe name."""
    if not _NAME.fullmatch(name) or ".." in name:
        raise UsageError(f'{what} "{given}" is not allowed', hint=f"allowed: {_ALLOWED}")
    if _RESERVED.fullmatch(name):
        raise UsageError(
            f'{what} "{given}" is reserved by some file systems', hint="choose another name"
        )
    return name


def _plain(name: str) -> str:
    """Return a name in small letters, without a dot at its end; what is not ASCII stays."""
    return (name.lower() if name.isascii() else name).removesuffix(".")


def _site_of_host(text: str) -> str:
    """Return the site that a host names, with a path behind it or not."""
    host, _, _ = text.partition("/")
    return _without_www(_plain(host if "." in host.strip(".") else text))


def _without_www(host: str) -> str:
    bare = host.removeprefix("www.")
    return bare if "." in bare else host  # www.com is a name of its own


def _site_of_url(url: str) -> str:
    parts = _split(url)
    host = parts.hostname or ""
    if "[" in parts.netloc:
        host = _name_of_ipv6(host, url)
    try:
        host = host.encode("idna").decode("ascii") if not host.isascii() else host
    except UnicodeError as error:
        raise UsageError(f'URL "{url}" has a host that cannot be encoded') from error
    host = _without_www(host.removesuffix("."))
    port = parts.port
    return host if port in {None, _USUAL_PORTS.get(parts.scheme)} else f"{host}+{port}"


def _name_of_ipv6(host: str, url: str) -> str:
    """Return an IPv6 address as a host name: all eight groups, in one way of writing each.

    ``[::1]`` becomes ``0-0-0-0-0-0-0-1.ipv6-literal.net``, as Windows transcribes addresses
    in UNC paths, where a colon is not allowed either.
    """
    import ipaddress

    try:
        address = ipaddress.IPv6Address(host)
    except ValueError as error:
        raise UsageError(f'URL "{url}" has no IPv6 address in its brackets') from error
    if address.scope_id is not None:
        raise UsageError(
            f'URL "{url}" names a network interface', hint="leave out the % and what follows"
        )
    packed = address.packed
    groups = (int.from_bytes(packed[at : at + 2]) for at in range(0, len(packed), 2))
    return "-".join(f"{group:x}" for group in groups) + ".ipv6-literal.net"


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise UsageError(f'URL "{url}" cannot be read: {error}') from error
    if not parts.hostname:
        raise UsageError(f'URL "{url}" names no host', hint='write "https://united.com/..."')
    return parts


# -- what stands at a path ------------------------------------------------------------------


def standing(
    path: Path, *, within: Path | None = None, folder: bool = False, hint: str = _MOVE
) -> os.stat_result | None:
    """Return the state of the file at `path`; ``None`` where nothing is. Opens nothing.

    Parameters
    ----------
    within
        A folder around it, out of which no link below may lead.
    folder
        Judge a folder instead of a file.
    hint
        What to do where something else is there.

    Raises
    ------
    FileAccessError
        When something else is there, a link leads nowhere, to itself or out of `within`, or it
        cannot be reached; its ``strerror`` says which.
    """
    try:
        there = os.stat(path)  # noqa: PTH116  (many calls come by)
    except FileNotFoundError:
        there = None
        nearest = next((each for each in (path, *path.parents) if os.path.lexists(each)), path)
        if not nearest.exists():
            raise _refused(nearest, f"{_link(nearest)}, where nothing is", hint) from None
    except NotADirectoryError:
        # What stands where a folder has to be is called by its name, not by what it would hold.
        above = next(each for each in path.parents if os.path.lexists(each) and not each.is_dir())
        standing(above, folder=True, hint=_HOME)
        raise
    except ValueError:  # half a sign, or NUL
        raise _refused(path, "a name that no file can have", hint) from None
    except OSError as error:
        why = "its symbolic links lead in a circle" if error.errno == ELOOP else error.strerror
        message = f'"{path}" cannot be reached: {why}'
        raise FileAccessError(
            message, hint=hint if error.errno == ELOOP else _RIGHTS, cause=error
        ) from error
    if within is not None:
        _refuse_links_out(path, within)
    if there and stat.S_IFMT(there.st_mode) != (stat.S_IFDIR if folder else stat.S_IFREG):
        kind = _KINDS.get(stat.S_IFMT(there.st_mode), "something else")
        raise _refused(path, f"{kind}, where a {'folder' if folder else 'file'} has to be", hint)
    return there


def names_in(folder: Path, *, within: Path | None = None) -> list[str]:
    """Return the names in a folder, sorted; none where nothing is.

    Raises
    ------
    FileAccessError
        As `standing`, and when it cannot be listed.
    """
    if standing(folder, within=within, folder=True) is None:
        return []
    try:
        os.stat(f"{folder}/.")  # noqa: PTH116  (a folder that may be listed may not be entered)
        return sorted(os.listdir(folder))  # noqa: PTH208
    except OSError as error:
        raise FileAccessError(
            f'"{folder}" cannot be listed: {error.strerror}', hint=_RIGHTS, cause=error
        ) from error


def _refuse_links_out(path: Path, within: Path) -> None:
    root = os.path.realpath(within)
    if os.path.realpath(path).startswith(os.path.join(root, "")):  # noqa: PTH118
        return
    for link in reversed((path, *path.parents)):
        if (
            link.is_symlink()
            and link.is_relative_to(within)
            and not link.resolve().is_relative_to(within.resolve())
        ):
            raise _refused(
                link,
                f'{_link(link)}, out of "{within}"',
                "put there what it leads to; a home itself may be a link: --home, MEMCTL_HOME",
            )


def _link(path: Path) -> str:
    return f'a symbolic link to "{os.readlink(path)}"'  # noqa: PTH115  (as it is written)


def _refused(path: Path, what: str, hint: str) -> FileAccessError:
    return FileAccessError(f'"{path}" is {what}', hint=hint, cause=OSError(EEXIST, f"it is {what}"))
