"""Files that a user hands over: read with a limit, refused with one line."""

from __future__ import annotations

import os
from pathlib import Path

from memctl.errors import UnusableInputError

__all__ = ["quoted", "read_limited"]


def quoted(path: str | os.PathLike[str]) -> str:
    """Return the path in quotes, on one line whatever it holds."""
    shown = "".join(c if c.isprintable() else "?" for c in os.fsdecode(path))
    return f'"{shown}"'


def read_limited(path: str | os.PathLike[str], *, most: int, what: str) -> bytes:
    """Read a whole file of at most ``most`` bytes.

    Parameters
    ----------
    path
        Where the file is.
    most
        Bytes; one more than that and the file is refused, unread beyond.
    what
        What the file should have been, for the message: ``"an image"``.

    Raises
    ------
    UnusableInputError
        If there is no such file, it is a folder, cannot be read or is too large.
    """
    name = quoted(path)
    try:
        with Path(path).open("rb") as file:
            data = file.read(most + 1)
    except FileNotFoundError:
        raise UnusableInputError(f"there is no file {name}", hint="check the path") from None
    except IsADirectoryError:
        raise UnusableInputError(f"{name} is a folder, not {what}") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UnusableInputError(f"{name} cannot be read: {reason}") from error
    if len(data) > most:
        raise UnusableInputError(f"{name} is too large for {what}: over {most:,} bytes")
    return data
