"""Files that are written whole or not at all, and what a killed process left of them.

What is not whole yet has a name that says whose it is: ``.memctl-HOST-PROCESS-RANDOM.part``. Once the
process is dead, the next one that writes into the same folder takes it away.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from memctl.base.home import standing

if TYPE_CHECKING:
    from collections.abc import Iterator

_PART = re.compile(r"\.memctl-([0-9a-f]{8})-(\d{1,10})-\w+\.part(?:-[\w-]+)?")
_FORGOTTEN = 86_400  # seconds after which a process elsewhere, whose life nobody can see, is dead
_swept = set[Path]()


@contextmanager
def whole_file(path: Path, *, text: bool = False, new: bool = False) -> Iterator[IO[Any]]:
    """Yield a file, its owner's alone, that gets its name once the block has ended well.

    It is on the disk then, name and all. Where the block raises, an earlier file is as it was. With
    `text` it takes text, in UTF-8 with plain line ends, instead of bytes. With `new` a file that is
    there by then stays, and FileExistsError is raised: of several makers one wins. FileAccessError
    is raised where a folder, pipe or device has the name.
    """
    standing(path)
    kind: dict[str, Any] = {"encoding": "utf-8", "newline": "\n"} if text else {}
    with part_file(path.parent) as part:
        with part.open("w" if text else "wb", **kind) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        give_name(part, path, new=new)


def give_name(part: Path, path: Path, *, new: bool = False) -> None:
    """Give a part that is on the disk its name, for good; with `new` only where nothing has it."""
    if new:
        path.hardlink_to(part)  # unlike a rename, it replaces nothing
    else:
        part.replace(path)
    sync(path.parent)


def sync(path: Path) -> None:
    """Write a file's bytes, or a folder's names, through to the disk.

    Not every file system, nor every right, lets a folder be synced: then it is as safe as it can be.
    """
    is_folder = path.is_dir()
    with suppress(*[OSError] if is_folder else []):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def part_file(folder: Path) -> Iterator[Path]:
    """Yield an empty file of its owner's, which is gone after the block unless it got a name."""
    import tempfile  # with what it reads itself a tenth of a hook

    _sweep_once(folder)
    handle, name = tempfile.mkstemp(dir=folder, prefix=_prefix(), suffix=".part")
    os.close(handle)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


@contextmanager
def part_folder(folder: Path | None = None) -> Iterator[Path]:
    """Yield an empty folder of its owner's, which is gone after the block unless it got a name.

    Without `folder` it is in the system's folder for temporary files.
    """
    import tempfile

    place = Path(folder or tempfile.gettempdir())
    _sweep_once(place)
    part = Path(tempfile.mkdtemp(dir=place, prefix=_prefix(), suffix=".part"))
    try:
        yield part
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _host() -> str:
    import platform
    from zlib import crc32

    numbers = ""
    with suppress(OSError):  # a sandbox of the same machine counts its processes anew
        numbers = str(Path("/proc/self/ns/pid").readlink())
    return f"{crc32((platform.node() + numbers).encode()):08x}"


def _prefix() -> str:
    return f".memctl-{_host()}-{os.getpid()}-"


def _sweep_once(folder: Path) -> None:
    if folder not in _swept:
        _swept.add(folder)
        sweep(folder)


def sweep(folder: Path) -> None:
    """Remove what killed processes left in a folder; what a living one writes stays."""
    for path in leftovers(folder):
        with suppress(OSError):  # another user's
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def leftovers(folder: Path) -> list[Path]:
    """Return the unfinished files and folders of dead processes in a folder."""
    try:
        return sorted(path for path in folder.iterdir() if _is_left(path))
    except OSError:  # it is not there, or not ours to look into
        return []


def _is_left(path: Path) -> bool:
    match = _PART.fullmatch(path.name)
    if match is None:
        return False
    if match[1] == _host():
        return not process_lives(int(match[2]))
    return time.time() - path.stat().st_mtime > _FORGOTTEN


def process_lives(pid: int) -> bool:
    """Return whether a process of this machine still runs."""
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True  # it is somebody else's, or no number that could be asked for
    return True
