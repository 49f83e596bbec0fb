"""The settings of all stores of a home: its ``settings.toml``, read and written.

::

    # Comments stay when memctl writes a line.
    forget_threshold = 30
    endpoint_url = "http://localhost:11434/v1"

One key a line; keys and values are those of the settings. The file is its user's, as the
environment is. It is read once, and again after it has changed.
"""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import closing, contextmanager
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from memctl.base.errors import FileAccessError, MemctlError, UsageError
from memctl.base.home import standing
from memctl.base.whole_file import whole_file
from memctl.store.connections import usual_timeout
from memctl.store.sqlite_errors import translated
from memctl.store.store_file import make_folders

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_LARGEST = 1_000_000  # bytes
_MEND = "mend it with an editor, or move it away"


class HomeSettings:
    """The content of a ``settings.toml``; equal to nothing but itself, so that it can be compared fast.

    Parameters
    ----------
    path
        The file; ``None`` for a store that is in no home.
    text
        Its text, empty where there is no file.

    Attributes
    ----------
    values
        Its values, as TOML types them.

    Raises
    ------
    UsageError
        When it is no TOML, or holds more than keys with plain values.
    """

    __slots__ = ("path", "text", "values")

    def __init__(self, path: Path | None = None, text: str = "") -> None:
        self.path = path
        self.text = text
        self.values: Mapping[str, str | float] = MappingProxyType(self._read() if text else {})

    def place(self, key: str) -> str:
        """Return the file and line of a key: ``/home/ann/memctl/settings.toml:3``."""
        return f"{self.path}:{self._line(key)}"

    def _read(self) -> dict[str, str | float]:
        import tomllib

        try:
            table = tomllib.loads(self.text)
        except (ValueError, RecursionError) as error:
            end = f"at {_place(self.text.encode(), len(self.text.encode()))}"
            said = str(error).replace("at end of document", end)
            raise UsageError(f'"{self.path}" is no TOML: {said}', hint=_MEND) from None
        for key, value in table.items():
            if kind := _strange(value):
                raise UsageError(
                    f'setting "{key}" cannot be a {kind} ({self.place(key)})',
                    hint="write one line a setting: forget_threshold = 30",
                )
        return table

    def _line(self, key: str) -> int:
        """Return the line of a key: the text above it is TOML without it."""
        import tomllib

        written = re.compile(rf"^[ \t\[]*(['\"]?){re.escape(key)}\1[ \t]*[=.\]]", re.MULTILINE)
        for match in written.finditer(self.text):
            try:
                tomllib.loads(self.text[: match.start()])
            except ValueError:
                continue  # it stands inside of a text of several lines
            return self.text.count("\n", 0, match.start()) + 1
        return 1


def _strange(value: object) -> str:
    """Return the kind of a value that no setting can have; empty for a plain one."""
    if isinstance(value, int):  # True and False are numbers to Python
        return "number of more than 64 bits" if value.bit_length() > 63 else ""  # noqa: PLR2004
    if isinstance(value, (str, float)):
        return ""
    return {"dict": "table", "list": "list"}.get(type(value).__name__, "date or time")


_NONE = HomeSettings()
# What each file said, and by which state of the file.
_read: dict[Path, tuple[tuple[int, ...], HomeSettings]] = {}


@cache
def _file_of(home: Path) -> Path:
    return home / "settings.toml"


def read_home_settings(home: Path | None) -> HomeSettings:
    """Read the ``settings.toml`` of a home; it is empty where there is none.

    Raises
    ------
    UsageError
        When it is no TOML, or holds more than keys with plain values.
    FileAccessError
        When it cannot be read.
    """
    if home is None:
        return _NONE
    path = _file_of(home)
    found = standing(path, hint=_MEND)
    state = (found.st_mtime_ns, found.st_size, found.st_ino) if found else ()
    known = _read.get(path)
    if known is None or known[0] != state:
        known = _read[path] = state, HomeSettings(path, _text(path) if found else "")
    return known[1]


def _text(path: Path) -> str:
    if path.stat().st_size > _LARGEST:
        raise _unreadable(path, f"it has more than {_LARGEST:,} bytes")
    try:
        content = path.read_bytes()
        return content.decode("utf-8-sig")
    except OSError as error:
        raise _unreadable(path, error.strerror, error) from error
    except UnicodeDecodeError as error:
        raise UsageError(
            f'"{path}" is no TOML: no UTF-8 (at {_place(content, error.start)})', hint=_MEND
        ) from None


def _place(content: bytes, at: int) -> str:
    above = content[:at]
    return f"line {above.count(10) + 1}, column {at - above.rfind(10)}"


def write_home_setting(home: Path, key: str, value: str | float | None) -> None:
    """Write one key of the ``settings.toml`` of a home, or remove it; all else stays as it is.

    The file is written whole or not at all, 0600, by one process at a time. Where it is a link
    to another file of the home, that is written; a link that leads out of the home is only read.

    Parameters
    ----------
    home
        The folder; made where it is not there.
    key
        The setting.
    value
        Its value; ``None`` removes the line.

    Raises
    ------
    UsageError
        When the file is no TOML: nothing is written.
    BusyError
        When another process writes it for longer than the time-out.
    DiskFullError, FileAccessError
        When it cannot be written; it is as it was.
    """
    import tomlkit

    path = home / "settings.toml"
    try:
        make_folders(home)
        with _alone(home):
            made = tomlkit.parse(read_home_settings(home).text)
            if value is not None:
                # TOML reads "\r\n" in a text of several lines as "\n".
                lines = isinstance(value, str) and "\n" in value and "\r" not in value
                made[key] = tomlkit.string(str(value), multiline=True) if lines else value
            elif key in made:
                del made[key]
            else:
                return
            standing(path, within=home)
            with whole_file(path.resolve()) as file:
                file.write(tomlkit.dumps(made).encode())
    except MemctlError:
        raise
    except OSError as error:
        raise FileAccessError(
            f'"{path}" cannot be written: {error.strerror}',
            hint="check its permissions, its folder's and the free space",
            cause=error,
        ) from error


@contextmanager
def _alone(home: Path) -> Iterator[None]:
    """Keep other processes from writing: SQLite's lock of an empty file goes with its holder."""
    lock = home / "settings.lock"
    if not standing(lock, within=home):
        os.close(os.open(lock, os.O_CREAT | os.O_RDWR, 0o600))
    with (
        translated(lock),
        closing(sqlite3.connect(lock, timeout=usual_timeout() / 1000)) as connection,
    ):
        connection.execute("begin exclusive")
        yield


def _unreadable(path: Path, why: str | None, cause: OSError | None = None) -> FileAccessError:
    return FileAccessError(f'"{path}" cannot be read: {why}', hint=_MEND, cause=cause)
