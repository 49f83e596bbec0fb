"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from memctl.base.home import standing

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def whole_file(path: Path, *, text: bool = False, new: bool = False) -> Iterator[IO[Any]]:
    """Yield a file, its owner's alone, that gets its name once the block has ended well.

    It is on the disk then. Where the block raises, an earlier file is as it was. With `text` it
    takes text, in UTF-8 with plain line ends, instead of bytes. With `new` a file that is there by
    then stays, and FileExistsError is raised: of several makers one wins. FileAccessError is raised
    where a folder, pipe or device has the name.
    """
    import tempfile  # with what it reads itself a tenth of a hook

    standing(path)
    handle, fresh = tempfile.mkstemp(dir=path.parent, prefix=".memctl-")
    kind: dict[str, Any] = {"encoding": "utf-8", "newline": "\n"} if text else {}
    try:
        with os.fdopen(handle, "w" if text else "wb", **kind) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if new:
            path.hardlink_to(fresh)
        else:
            Path(fresh).replace(path)
    finally:
        Path(fresh).unlink(missing_ok=True)
