"""A host's configuration with memctl in it, or without it again: every other byte as it was."""

from __future__ import annotations

import difflib
import json
import os
import re
import shutil
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.errors import FileAccessError, UnusableInputError
from memctl.base.whole_file import whole_file
from memctl.store.store_file import make_folders
from memctl_cli.hooks.json_text import JsonText

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl_cli.hooks.install import Change

_TAKE_BACK = 'mend it, or write the lines by hand: "memctl hook install HOST" prints them'


@dataclass(frozen=True, slots=True)
class HostFile:
    """A file that was changed, or would be: how, where the one before is kept, and its new text."""

    file: str
    difference: str
    backup: str | None
    text: str


def install_in(
    changes: Iterable[Change], receipt: Path, *, write: bool
) -> tuple[list[HostFile], list[str]]:
    """Make the changes of a host's files; return the files that differ, and remarks.

    What an earlier call has put there and is no longer wanted is taken back.

    Parameters
    ----------
    receipt
        The file in which is kept what was changed, so that it can be taken back.
    write
        Whether anything is written.

    Raises
    ------
    UnusableInputError
        When a file cannot be read as what it is; none is changed.
    FileAccessError
        When one cannot be read or written.
    """
    edited = _Edited()
    wanted = _plain(changes)
    earlier = _receipt(receipt).get("changes", [])
    known = {_key(one): one for one in earlier}
    kept = {_key(one) for one in wanted}
    for one in reversed(earlier):
        if _key(one) not in kept:
            edited.take_back(one)
    done = [edited.make(one, known.get(_key(one))) for one in wanted]
    return _written(edited, receipt, done, write=write), edited.remarks


def uninstall_from(
    changes: Iterable[Change], receipt: Path, *, write: bool
) -> tuple[list[HostFile], list[str]]:
    """Take back what `install_in` has changed; return the files that differ, and remarks.

    Without a receipt, what `changes` would have put there goes. What somebody has edited since
    is left.

    Raises
    ------
    UnusableInputError, FileAccessError
        As `install_in`.
    """
    edited = _Edited()
    made = _receipt(receipt).get("changes") or _plain(changes)
    for one in reversed(made):
        edited.take_back(one)
    return _written(edited, receipt, [], write=write), edited.remarks


def _plain(changes: Iterable[Change]) -> list[dict[str, Any]]:
    return [
        {
            "file": str(change.file),
            "path": list(change.path),
            "value": change.value,
            "how": change.how,
        }
        for change in changes
    ]


class _Edited:
    """The files of a host as they are, and as they are to be."""

    def __init__(self) -> None:
        self.before: dict[Path, bytes | None] = {}
        self.after: dict[Path, JsonText | _TomlText] = {}
        self.remarks: list[str] = []

    def make(self, change: dict[str, Any], earlier: dict[str, Any] | None) -> dict[str, Any]:
        """Make a change; return it with what it takes to undo it."""
        text, path, value = self._text(change), change["path"], change["value"]
        there = text.get(path)
        if change["how"] == "add":
            if isinstance(there, list) and value in there:
                return earlier or change
        elif there == value and isinstance(value, dict):
            return earlier or change
        elif there == value or (change["how"] == "ensure" and there is not None):
            return earlier or {**change, "how": "kept"}  # whoever put it there may want it
        done = {**change, "depth": next(n for n in range(len(path), -1, -1) if text.has(path[:n]))}
        if change["how"] != "add" and text.has(path):
            done["was"] = earlier["was"] if earlier and "was" in earlier else there
        try:
            if change["how"] == "add":
                text.add(path, value)
            else:
                text.put(path, value)
        except ValueError as error:
            raise self._refused(Path(change["file"]), error) from error
        return done

    def take_back(self, change: dict[str, Any]) -> None:
        """Undo a change, unless somebody has changed the place since."""
        try:
            self._take_back(change)
        except ValueError as error:
            raise self._refused(Path(change["file"]), error) from error

    def _take_back(self, change: dict[str, Any]) -> None:
        text, path, value = self._text(change), change["path"], change["value"]
        there = text.get(path)
        if change["how"] == "kept" or not text.has(path):
            return
        if change["how"] == "add":
            items = there if isinstance(there, list) else ()
            for at in [i for i, one in enumerate(items) if one == value][::-1]:
                text.remove([*path, at])
        elif there != value:
            self.remarks.append(f"{change['file']}: {'.'.join(path)} was changed since, and stays")
            return
        elif "was" in change:
            text.put(path, change["was"])
            return
        else:
            text.remove(path)
        # Empty containers go that came with the change.
        for end in range(len(path), change.get("depth", len(path) - 1), -1):
            if text.get(path[:end]) in ([], {}):
                text.remove(path[:end])

    def _text(self, change: dict[str, Any]) -> JsonText | _TomlText:
        file = Path(change["file"])
        if file not in self.after:
            try:
                data = self.before[file] = file.read_bytes() if file.exists() else None
                text = (data or b"").decode("utf-8")
                self.after[file] = _TomlText(text) if file.suffix == ".toml" else JsonText(text)
            except OSError as error:
                raise FileAccessError(
                    f'"{file}" cannot be read: {error.strerror}', hint="check its permissions"
                ) from error
            except (ValueError, RecursionError) as error:
                raise self._refused(file, error) from error
        return self.after[file]

    def _refused(self, file: Path, error: Exception) -> UnusableInputError:
        return UnusableInputError(f'"{file}" was left as it is: {error}', hint=_TAKE_BACK)


class _TomlText:
    """A text of TOML: a table is put at its end, and removed with the lines below its name."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._told: dict[str, Any] = tomllib.loads(text)

    def get(self, path: Sequence[str | int]) -> Any:
        found: Any = self._told
        for name in path:
            found = found.get(name) if isinstance(found, dict) else None
        return found

    def has(self, path: Sequence[str | int]) -> bool:
        return self.get(path) is not None

    def add(self, path: Sequence[str], _item: object) -> None:
        raise ValueError(f"{'.'.join(path)} is in TOML, where no list is edited")

    def put(self, path: Sequence[str], value: dict[str, Any]) -> None:
        if self.has(path):
            self.remove(path)
        newline = "\r\n" if "\r\n" in self.text else "\n"
        lines = [f"[{'.'.join(path)}]", *(f"{name} = {json.dumps(value[name])}" for name in value)]
        ended = self.text if self.text.endswith("\n") or not self.text else self.text + newline
        self._take((ended + newline if ended else "") + "".join(line + newline for line in lines))

    def remove(self, path: Sequence[str | int]) -> None:
        name = ".".join(map(str, path))
        lines = self.text.splitlines(keepends=True)
        heads = [at for at, line in enumerate(lines) if line.lstrip().startswith("[")]
        ours = [at for at in heads if lines[at].strip().startswith((f"[{name}]", f"[{name}."))]
        for begin in reversed(ours):
            end = next((at for at in heads if at > begin), len(lines))
            while end > begin and end < len(lines) and lines[end - 1].strip()[:1] in {"", "#"}:
                end -= 1  # what stands above the next table belongs to it
            blank = begin > 0 and not lines[begin - 1].strip()
            del lines[begin - blank : end]
        self._take("".join(lines))
        if self.has(path):
            raise ValueError(f"{name} is no table of its own")

    def _take(self, text: str) -> None:
        self._told = tomllib.loads(text)
        self.text = text


def _written(
    edited: _Edited, receipt: Path, done: list[dict[str, Any]], *, write: bool
) -> list[HostFile]:
    """Write what differs, where it is to be written; return it."""
    made = set(_receipt(receipt).get("made", ()))
    result = {file: told for file in edited.after if (told := _difference(edited, file, made))}
    if not write:
        return list(result.values())
    made |= {str(file) for file in result if edited.before[file] is None}
    try:
        if done:  # first: whoever is killed in between can take back what is there by then
            make_folders(receipt.parent)
            _replace(receipt, json.dumps({"made": sorted(made), "changes": done}, indent=2))
        for file, told in result.items():
            _write(file, edited.before[file], told)
        if not done:
            receipt.unlink(missing_ok=True)
    except FileAccessError:
        raise
    except OSError as error:
        raise FileAccessError(
            f'"{error.filename}" cannot be written: {error.strerror}',
            hint="check its permissions and the free space",
        ) from error
    return list(result.values())


def _difference(edited: _Edited, file: Path, made: set[str]) -> HostFile | None:
    before, after = edited.before[file], edited.after[file].text
    if after.strip() in {"", "{}"} and (before is None or str(file) in made):
        after = ""  # there was no file
    old = (before or b"").decode("utf-8")
    if old == after:
        return None
    name = str(file)
    lines = difflib.unified_diff(old.splitlines(), after.splitlines(), name, name, lineterm="", n=2)
    stamp = re.sub("[-:]", "", clock.now())
    backup = None if before is None else f"{name}.{stamp}.bak"
    return HostFile(name, "\n".join(lines), backup, after)


def _write(file: Path, before: bytes | None, told: HostFile) -> None:
    if (file.read_bytes() if file.exists() else None) != before:
        raise FileAccessError(f'"{file}" was changed meanwhile', hint="try again")
    if told.backup is not None:
        shutil.copy2(file, told.backup)
    if told.text:
        make_folders(file.parent)
        _replace(file.resolve(), told.text)
    else:
        file.unlink()


def _replace(file: Path, text: str) -> None:
    mode = file.stat().st_mode & 0o777 if file.exists() else 0o600
    with whole_file(file) as fresh:
        os.fchmod(fresh.fileno(), mode)
        fresh.write(text.encode())


def _receipt(file: Path) -> dict[str, Any]:
    """Return the earlier changes: ``made`` files, and ``changes``; nothing where it is no receipt."""
    try:
        loads = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    made, changes = (loads.get("made"), loads.get("changes")) if isinstance(loads, dict) else (0, 0)
    whole = _texts(made) and isinstance(changes, list) and all(map(_is_change, changes))
    return loads if whole else {}


def _texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(part, str) for part in value)


def _is_change(change: Any) -> bool:
    """Return whether an entry of a receipt is a change, as `_Edited.make` returns it."""
    return (
        isinstance(change, dict)
        and change.keys() >= {"file", "path", "value", "how"}
        and _texts([change["file"], change["how"]])
        and _texts(change["path"])
        and type(depth := change.get("depth", 0)) is int
        and 0 <= depth <= len(change["path"])
    )


def _key(change: dict[str, Any]) -> str:
    return json.dumps([change[name] for name in ("file", "path", "value")], sort_keys=True)
