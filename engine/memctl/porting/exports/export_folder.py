"""Folders and files of an export: written beside, put in their place one by one, owned by us alone.

A folder names what memctl has written into it in ``memctl-export.jsonl``: its first line says what the
export is, the others name each file and each item with its digest. So an export may be repeated
where nothing else stands, and no edit is lost by it.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from memctl.base.errors import FileAccessError, RefusedError, UnusableInputError, UsageError
from memctl.base.whole_file import give_name, leftovers, part_folder, sync, whole_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path
    from typing import IO

MANIFEST = "memctl-export.jsonl"
FORMAT = "memctl export 1"
_HELD = 1_000_000  # characters that are written at once
_LONGEST = 100_000  # characters of a manifest's line


class ExportFolder:
    """A folder that is being filled, inside of the target and out of sight.

    Attributes
    ----------
    path
        Where files are written that are not written line by line.
    """

    def __init__(self, target: Path, fresh: Path, header: Mapping[str, Any]) -> None:
        self._target = target
        self.path = fresh
        self._header = header
        self._items: list[str] = []
        self._unwritten: defaultdict[str, list[str]] = defaultdict(list)
        self._size = 0

    def append(self, name: str, text: str) -> None:
        """Add text to the end of a file, which is made by the first."""
        self._unwritten[name].append(text)
        self._size += len(text)
        if self._size > _HELD:
            self._write()

    def _write(self) -> None:
        """Write the items in memory: to open a file for each takes longer than all the rest."""
        for name, texts in self._unwritten.items():
            path = self.path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("a", encoding="utf-8", newline="\n") as file:
                file.writelines(texts)
        self._unwritten.clear()
        self._size = 0

    def note(self, kind: str, key: str, digest: str) -> None:
        """Add an item to the manifest."""
        self._items.append(_line({"kind": kind, "id": key, "digest": digest}))

    def finish(self) -> int:
        """Put the files in their place, and take away those of an earlier export; return how many."""
        self._write()
        names = sorted(
            path.relative_to(self.path).as_posix()
            for path in self.path.rglob("*")
            if path.is_file()
        )
        files = [_line({"file": name, "sha256": _sha256(self.path / name)}) for name in names]
        earlier = [line for line in manifest_lines(self._target) if "file" in line]
        if self._target.exists():  # who is killed from here on is followed: these files are ours
            self._state_all([*map(_line, earlier), *files], unfinished=True)
            self._place(MANIFEST)
        self._state_all([*self._items, *files])
        for path in self.path.rglob("*"):
            path.chmod(0o700 if path.is_dir() else 0o600)
            sync(path)
        if not self._target.exists():
            sync(self.path)
            give_name(self.path, self._target)
            return len(names)
        for name in [*names, MANIFEST]:
            self._place(name)
        for name in sorted({line["file"] for line in earlier} - {*names}):
            if _is_inside(self._target / name, self._target):
                (self._target / name).unlink(missing_ok=True)
        return len(names)

    def _state_all(self, lines: list[str], **more: object) -> None:
        """Write the manifest of these lines, where the files are before they are put in their place."""
        head = _line({"format": FORMAT, **self._header, **more})
        (self.path / MANIFEST).write_text("".join([head, *lines]), "utf-8", newline="\n")

    def _place(self, name: str) -> None:
        place = self._target / name
        _make_inside(place.parent, self._target)
        give_name(self.path / name, place)


@contextmanager
def export_folder(
    target: Path, header: Mapping[str, Any], *, force: bool
) -> Iterator[ExportFolder]:
    """Open a folder to be filled; nothing in the target changes before `ExportFolder.finish`.

    Raises
    ------
    RefusedError
        When something stands there that memctl has not written, or that was edited since, and it is
        not forced.
    FileAccessError
        When it cannot be written.
    """
    check_name(target)
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise RefusedError(f'"{target}" is no folder', hint="choose another path")
    if not force:
        _refuse_others(target)
    place = target if target.exists() else target.parent
    with _writing(target):
        place.mkdir(parents=True, exist_ok=True)
        with part_folder(place) as fresh:
            yield ExportFolder(target, fresh, header)


@contextmanager
def written_file(target: Path, *, force: bool) -> Iterator[IO[str]]:
    """Open a file that appears under its name when it is complete.

    Raises
    ------
    RefusedError
        When a file is there that is no earlier export, and it is not forced.
    FileAccessError
        When it cannot be written.
    """
    check_name(target)
    if target.is_dir():
        raise RefusedError(f'"{target}" is a folder', hint="name a file")
    if target.exists() and not force and header_in(target) is None:
        raise RefusedError(
            f'"{target}" exists, and is no earlier export', hint="add --force to replace it"
        )
    with _writing(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(target, text=True) as file:
            yield file


def header_in(path: Path) -> dict[str, Any] | None:
    """Return the first line of an export's file, or of the manifest in its folder; else nothing."""
    file = path / MANIFEST if path.is_dir() else path
    try:
        with file.open(encoding="utf-8") as opened:
            first = json.loads(opened.readline(_LONGEST))
    except (OSError, ValueError, RecursionError):
        return None
    return first if isinstance(first, dict) and first.get("format") == FORMAT else None


def layout_of(path: Path) -> str:
    """Return the layout of a folder that memctl has exported; empty for any other."""
    return str((header_in(path) or {}).get("layout", "")) if path.is_dir() else ""


def manifest_lines(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of a folder's manifest behind its first; none where it is no export.

    Raises
    ------
    UnusableInputError
        When a line is none of a manifest.
    """
    if header_in(folder) is None:
        return
    with (folder / MANIFEST).open(encoding="utf-8", errors="replace") as file:
        file.readline(_LONGEST)
        for number, line in enumerate(file, 2):
            try:
                record = json.loads(line)
            except (ValueError, RecursionError):
                record = None
            if not isinstance(record, dict) or not all(isinstance(v, str) for v in record.values()):
                raise UnusableInputError(
                    f'"{folder / MANIFEST}", line {number} is none of a manifest',
                    hint="bring back the file as memctl wrote it",
                )
            yield record


def check_name(target: Path) -> None:
    """Refuse a path that no terminal can show."""
    if not str(target).isprintable():
        raise UsageError(
            "the name of an export holds what cannot be printed", hint="choose another path"
        )


def _line(record: Mapping[str, Any]) -> str:
    return json.dumps(record, ensure_ascii=False) + "\n"


def _refuse_others(target: Path) -> None:
    if not target.is_dir() or not {*target.iterdir()}.difference(leftovers(target)):
        return
    if header_in(target) is None:
        raise RefusedError(
            f'"{target}" is not empty, and no earlier export',
            hint="choose another folder, or add --force to write into this one",
        )
    written = defaultdict[str, set[str]](set)
    for line in manifest_lines(target):
        if "file" in line:
            written[line["file"]].add(line.get("sha256", ""))
    for name, digests in written.items():
        path = target / name
        if _is_inside(path, target) and path.is_file() and _sha256(path) not in digests:
            raise RefusedError(
                f'"{path}" was edited since it was exported',
                hint="import it first, or add --force to write over it",
            )


def _make_inside(folder: Path, root: Path) -> None:
    """Make a folder below the root, whose every folder is one and no link."""
    place = root
    for part in folder.relative_to(root).parts:
        place = place / part
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            raise RefusedError(f'"{place}" is in the way', hint="move it away")
        place.mkdir(mode=0o700, exist_ok=True)


def _is_inside(path: Path, root: Path) -> bool:
    return path.parent.resolve().is_relative_to(root.resolve())


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except FileAccessError:
        raise
    except OSError as error:
        raise FileAccessError(
            f'"{path}" cannot be written: {error.strerror or error}',
            hint="check its permissions and the free space",
        ) from error
