"""An OpenClaw workspace, as it and its memory skills write it.

MEMORY.md in its forms (sections by tag, an index of files, what dreaming has promoted), daily notes,
SESSION-STATE.md as a journal, DREAMS.md, USER.md, SOUL.md, HEARTBEAT.md, todos.md, typed folders and
knowledge. Views and reports that are made of these are left out: the palace, dreaming, snapshots.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memctl.base.categories import category_of
from memctl.base.errors import UnusableInputError
from memctl.base.pattern import Pattern
from memctl.porting.exports.export_folder import layout_of
from memctl.porting.foreign_records import (
    EpisodeRecord,
    FactRecord,
    Format,
    JournalRecord,
    UnreadRecord,
)
from memctl.porting.formats import markdown_notes as notes
from memctl.porting.formats import memoryclaw
from memctl.porting.formats.claude_code import TYPES, topic_of
from memctl.porting.markdown_reading import note_parts
from memctl.porting.safe_files import files_in, is_within, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memctl.porting.foreign_records import ForeignRecord
    from memctl.porting.markdown_reading import NotePart

    Records = Iterator[ForeignRecord | UnreadRecord]

_MADE = ("palace", "dreaming", "session-snapshots")  # folders of memory/ that are made of the rest
_LINK = Pattern(r"\[([^\]]+)\]\(([^)\s]+)\)\s*(?:[-:\u2013\u2014]+\s*)?(.*)", 16)
_PROMOTED = Pattern(r"promoted from short-term memory(?:\s*\((\d{4}-\d\d-\d\d)\))?", 2)
_SCORE = Pattern(r"\s*\[score=[^\]]*\]")
_SOURCE = Pattern(r"source=([^\s\]]+)")
_IMPORTANCE = Pattern(r"<!-- *importance: *(\d+) *-->")
_STAMP = Pattern(r"\s*\*\(([^)]*)\)\*\s*\Z")
_DATED = Pattern(r"\*?\*?(\d{4}-\d\d-\d\d[T ]?[\d:]*Z?)(?: UTC)?\*?\*?:\s*")
_PAIR = Pattern(
    r"(?:\*\*(?P<bold>[^*\n]{1,80}?)(?::\*\*|\*\*:)|(?P<key>[^:*\n]{1,60}?):)[ \t]+(?P<value>.+)",
    16,
)
_WHEN = Pattern(r"^\*(?:Updated|Initialized):.*$", 8)  # 8: of each line
_NOTHING = frozenset({"[none]", "[none yet]", "none"})
_STATE = "SESSION-STATE"
_SECTIONS = {
    "current task": "task",
    "key context": "context",
    "recent decisions": "decide",
    "pending actions": "pending",
    "blockers": "blocker",
}


def recognises(path: Path) -> bool:
    """Return whether a folder is a workspace: by two of its files, or a state of a session."""
    names = ("MEMORY.md", "SOUL.md", "USER.md", "HEARTBEAT.md", "DREAMS.md", "AGENTS.md")
    count = sum((path / name).is_file() for name in names) + (path / "memory").is_dir()
    return count > 1 or (path / f"{_STATE}.md").is_file() or layout_of(path) == "openclaw"


def read(path: Path, options: Mapping[str, Any]) -> Records:
    """Yield the records of a workspace."""
    readers = {
        "MEMORY.md": _memory,
        "USER.md": _user,
        "SOUL.md": lambda file, where, _: notes.facts(file, where, "rule"),
        "HEARTBEAT.md": lambda file, where, _: notes.facts(file, where, "rule"),
        "DREAMS.md": _dreams,
        "dreams.md": _dreams,
        "todos.md": _todos,
        f"{_STATE}.md": _state,
    }
    for name, reader in readers.items():
        # A name is met once on a disk that does not tell letter case.
        if name in {note.name for note in path.glob("*.md") if is_within(note, path.resolve())}:
            yield from _read(reader, path / name, path)
    folder = path / "memory"
    for file in files_in(folder, ".md") if folder.is_dir() else ():
        yield from _of_memory(file, path)
    if (path / "knowledge").is_dir():
        yield from _knowledge(path / "knowledge", path)
    for name in ("palace", *(f"memory/{name}" for name in _MADE)):
        if (path / name).is_dir():
            yield UnreadRecord(name, "it is made of the rest, and is left out", counts=False)
    if memoryclaw.recognises(path / "memoryclaw"):
        yield from memoryclaw.read(path / "memoryclaw", options)


def _read(reader: Any, file: Path, root: Path) -> Records:
    where = file.relative_to(root).as_posix()
    try:
        yield from reader(file, where, root)
    except UnusableInputError as error:
        yield UnreadRecord(where, error.message)


def _knowledge(folder: Path, root: Path) -> Records:
    for file in files_in(folder, ".md"):
        category = category_of(file.stem.split("-")[0])
        yield from notes.records_of(file, file.relative_to(root).as_posix(), category)


def _of_memory(file: Path, root: Path) -> Records:
    """Yield the records of a file below memory/."""
    where = file.relative_to(root).as_posix()
    part = file.relative_to(root / "memory").parts[0]
    if part in _MADE:
        return
    if part == "session-states":
        yield from _read(_state, file, root)
    elif part in TYPES and part != file.name:
        yield from _read(lambda note, place, _: [topic_of(place, text_of(note), part)], file, root)
    elif file.name == "MEMORY.md":
        yield from _read(_memory, file, root)
    else:
        yield from notes.records_of(file, where)


def _memory(file: Path, where: str, root: Path) -> Records:
    """Yield the facts of MEMORY.md, in whichever of its forms."""
    for part in note_parts(notes.own_lines(file, where)):
        said = notes.unmarked(part.text)
        link = _LINK.fullmatch(said)
        promoted = _PROMOTED.fullmatch(part.heading)
        if link is not None and _is_read(file.parent / link[2], root):
            continue  # the index: the file itself is read
        if link is not None:
            said = f"{link[1]}: {link[3]}" if link[3] else link[1]
        if not said:
            continue
        if promoted is not None:
            yield _promoted(part, said, where, promoted[1])
        else:
            yield notes.fact_of(part, said, where, None, None)


def _is_read(target: Path, root: Path) -> bool:
    real = Path(os.path.realpath(target))
    return real.is_file() and real.is_relative_to((root / "memory").resolve())


def _promoted(part: NotePart, said: str, where: str, day: str | None) -> ForeignRecord:
    """Return a fact that dreaming has promoted, without its score."""
    source, weight = _SOURCE.search(said), _IMPORTANCE.search(part.text)
    return FactRecord(
        where=f"{where}:{part.line}",
        text=_SCORE.sub("", said).strip(),
        importance=min(int(weight[1]), 10) / 10 if weight else None,
        metadata={"promoted from": source[1]} if source else None,
        valid_from=day,
    )


def _user(file: Path, where: str, _: Path) -> Records:
    """Yield who the user is, and what they prefer."""
    for part in note_parts(notes.own_lines(file, where)):
        pair = _PAIR.fullmatch(part.text) if part.is_item else None
        place = f"{where}:{part.line}"
        if pair is not None:
            key, value = (pair["bold"] or pair["key"]).strip(), notes.unmarked(pair["value"])
            yield FactRecord(
                where=place,
                text=f"{key}: {value}",
                subject="user",
                attribute=key,
                value=value,
                category="identity",
            )
        # What is left to be filled in ends with its colon.
        elif (said := notes.unmarked(part.text)) and not (part.is_item and said.endswith(":")):
            yield notes.fact_of(part, said, where, "preference", None)


def _dreams(file: Path, where: str, _: Path) -> Records:
    """Yield the diary as episodes of low confidence: what was dreamt is no source of facts."""
    day: str | None = None
    for part in note_parts(notes.own_lines(file, where)):
        said = notes.unmarked(part.text)
        day = notes.day_in(part.heading) or notes.day_in(said[:40]) or day
        if not said or said.strip("*_ ") == day:
            continue
        first = said.split("\n", 1)[0]
        yield EpisodeRecord(
            where=f"{where}:{part.line}",
            summary=first,
            details="" if first == said else said,
            tags=("dream",),
            happened_at=day,
            confidence="low",
        )


def _todos(file: Path, where: str, _: Path) -> Records:
    """Yield items with a box as entries of the journal."""
    for part in note_parts(notes.own_lines(file, where)):
        if said := notes.unmarked(part.text):
            yield notes.todo_of(part, said, where)


def _state(file: Path, where: str, _: Path) -> Records:
    """Yield the state of a session as entries of its journal."""
    session = file.stem.removeprefix(_STATE).removeprefix("-") or "default"
    for part in note_parts(notes.own_lines(file, where)):
        entry = _SECTIONS.get(part.heading.lower())
        said = _STAMP.sub("", _WHEN.sub("", part.text)).strip()
        dated = _DATED.match(said)
        if entry in {"decide", "blocker"} and dated is not None:
            said = said[dated.end() :]
        pair = _PAIR.fullmatch(said) if entry == "context" else None
        plain = notes.unmarked(said).removesuffix("\u2713").strip()
        if entry is None or not plain or plain.lower() in _NOTHING:
            continue
        if entry == "context" and pair is None:
            entry = "decide"  # a value without a name
        yield JournalRecord(
            where=f"{where}:{part.line}",
            session=session,
            entry="done" if entry == "pending" and part.done else entry,
            text=notes.unmarked(pair["value"]) if pair else plain,
            name=(pair["bold"] or pair["key"]).strip() if pair else "",
        )


FORMATS = {"openclaw": Format(recognises, read)}
