"""Writes a file as a whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from memctl.reports.output_files import check_output, unwritable

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["save"]


def save(path: str | os.PathLike[str], make: Callable[[], bytes], *, force: bool) -> Path:
    """Write what `make` returns, readable by its owner alone, and return the file's path.

    It is called once the path is known to be free, so that no work is done in vain; the file
    appears under its name when it is complete.

    Raises
    ------
    RefusedError
        When a file is there and is not to be replaced, or a folder.
    MemctlError
        When it cannot be written; what was there is as it was.
    """
    target = Path(path)
    check_output(target, force=force, folder=False)
    content = make()
    fresh = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, fresh = tempfile.mkstemp(dir=target.parent, prefix=".memctl-")
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        check_output(target, force=force, folder=False)  # it took a while to make
        Path(fresh).replace(target)
        fresh = None
    except OSError as error:
        raise unwritable(target, error) from error
    finally:
        if fresh is not None:
            Path(fresh).unlink(missing_ok=True)
    return target
