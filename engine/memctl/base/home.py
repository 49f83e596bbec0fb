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
"""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass
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
    `explicit` is empty or no path, FileAccessError when there is a file of that name.
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
    """Yield the address of every store file below `home`, sorted; opens none of them."""
    apps = home / "apps"
    names = [path.stem for path in sorted(apps.glob("*.db"))]
    names += [f"{path.parts[-3]}/{path.stem}" for path in sorted(apps.glob("*/sites/*.db"))]
    for name in names:
        try:
            address = parse_address(name)
        except UsageError:
            continue  # a file that memctl cannot have made
        if address.path(home).is_file():
            yield address


def _folder(chosen: str) -> Path:
    if not chosen or "\0" in chosen:
        raise UsageError(f"home {chosen!r} is no path", hint="name a folder, or leave it out")
    try:
        folder = Path(chosen).expanduser().absolute()
    except RuntimeError as error:
        raise UsageError(f'home "{chosen}" names no user', hint="write the whole path") from error
    if os.path.isfile(folder):  # noqa: PTH113  (unlike Path.is_file, it never raises)
        raise FileAccessError(
            f'home "{chosen}" cannot be created: it is a file', hint="name a folder"
        )
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
