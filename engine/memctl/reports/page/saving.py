"""Writes a file as a whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from memctl.errors import MemctlError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["save"]


def save(path: str | os.PathLike[str], make: Callable[[], bytes], *, force: bool) -> Path:
    """Write what `make` returns, readable by its owner alone, and return the file's path.

    It is called once the path is known to be free, so that no work is done in vain; the file
    appears under its name when it is complete.

    Raises
    ------
    UsageError
        When something is there and is not to be replaced, or the folder does not exist.
    MemctlError
        When it cannot be written.
    """
    target = Path(path)
    _check(target, force=force)
    content = make()
    made = claimed = None
    try:
        if not force:
            target.open("xb").close()  # ours from now on, whoever else writes there
            claimed = target
        handle, made = tempfile.mkstemp(dir=target.parent, prefix=".memctl-")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(made).replace(target)
        made = claimed = None
    except FileExistsError as error:
        raise _exists(target) from error
    except OSError as error:
        raise MemctlError(
            f'"{target}" cannot be written: {error.strerror}',
            hint="make room, or choose another place",
        ) from error
    finally:
        for left in (made, claimed):
            if left is not None:
                Path(left).unlink(missing_ok=True)
    return target


def _check(target: Path, *, force: bool) -> None:
    if target.is_dir():
        raise UsageError(f'"{target}" is a folder', hint="name a file in it")
    if not target.parent.is_dir():
        raise UsageError(f'there is no folder "{target.parent}"', hint="make it first")
    if target.exists() and not force:
        raise _exists(target)


def _exists(target: Path) -> UsageError:
    return UsageError(f'"{target}" exists', hint="replace it with --force")
