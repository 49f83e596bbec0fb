"""Files that a user hands over: read with a limit, refused with one line."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from memctl.base.errors import UnusableInputError


def quoted(path: str | os.PathLike[str]) -> str:
    """Return the path in quotes, on one line whatever is in it."""
    shown = "".join(c if c.isprintable() else "?" for c in os.fsdecode(path))
    return f'"{shown}"'


def read_limited(path: str | os.PathLike[str], *, most: int, what: str) -> bytes:
    """Read a whole file of at most ``most`` bytes.

    ``path``: where the file is. ``most``: bytes; one more than that and the file is refused, unread
    beyond. ``what``: what the file should have been, for the message: ``"an image"``. Raises
    UnusableInputError if there is no such file, it is a folder, a pipe or a device (some never
    end), cannot be read or is too large.
    """
    name = quoted(path)
    if not os.fspath(path):  # to Path it is the folder of the process
        raise UnusableInputError(f"the path of {what} is empty", hint="name a file")
    try:
        _check_regular(Path(path), name, what)
        with Path(path).open("rb") as file:
            data = file.read(most + 1)
    except UnusableInputError:
        raise  # a ValueError too
    except FileNotFoundError:
        raise UnusableInputError(f"there is no file {name}", hint="check the path") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UnusableInputError(f"{name} cannot be read: {reason}") from error
    if len(data) > most:
        raise UnusableInputError(f"{name} is too large for {what}: over {most:,} bytes")
    return data


def _check_regular(path: Path, name: str, what: str) -> None:
    """Refuse what may never end, or wait for somebody to write, before it is opened."""
    mode = path.stat().st_mode
    if stat.S_ISDIR(mode):
        raise UnusableInputError(f"{name} is a folder, not {what}", hint="name a file in it")
    if not stat.S_ISREG(mode):
        hint = '"-" reads standard input' if what == "an image" else "save it in a file first"
        raise UnusableInputError(f"{name} is a pipe or device, not {what}", hint=hint)
