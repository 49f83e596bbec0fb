"""Transcripts of Claude Code: ``<session>.jsonl``, or a folder of them, its ``memory/`` folders with it.

A line is a turn where the user or Claude says something. Tools called in the same message are named
in its details; thinking, tools' calls and answers alone, sidechains (what agents said to each other), and what
the program itself put in, are left out. A transcript that has grown is read again: a line is known by its id.
"""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import TYPE_CHECKING, Any

from memctl.porting.foreign_records import UnreadRecord
from memctl.porting.formats.chats import claude_memory
from memctl.porting.formats.chats.conversations import spoken, turn_of
from memctl.porting.safe_files import files_in, head_of, lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from memctl.porting.foreign_records import ForeignRecord, TurnRecord

_SPEAKERS = frozenset({"user", "assistant"})
# Lines that hold no word of the two: by a flag that is set, or by how their text begins.
_NOT_SAID = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage")
_NOT_TYPED = re.compile(
    r"\s*(?:<(?:command|local-command|bash|task-notification|user-prompt-submit-hook)[\w-]*>"
    r"|\[Request interrupted by user|Caveat: The messages below were generated)"
)
_PUT_IN = re.compile(r"<(system-reminder|ide_\w+)>.*?</\1>\s*", re.DOTALL)
_LOOKED_AT = 20  # lines, or files of a folder, by which a transcript is recognised


def recognises(path: Path) -> bool:
    """Return whether a file is a transcript, or a folder holds one."""
    if path.is_dir():
        return any(map(_is_transcript, islice(files_in(path, ".jsonl"), _LOOKED_AT)))
    return path.suffix == ".jsonl" and _is_transcript(path)


def read(path: Path, options: Mapping[str, Any]) -> Iterator[ForeignRecord | UnreadRecord]:
    """Yield the turns of each transcript, then the memories beside them."""
    if path.is_file():
        yield from _turns(path, path.name)
        return
    for file in files_in(path, ".jsonl"):
        yield from _turns(file, file.relative_to(path).as_posix())
    for index in files_in(path, claude_memory.INDEX):
        if claude_memory.recognises(index.parent):
            yield from claude_memory.read(index.parent, options)


def _is_transcript(path: Path) -> bool:
    lines = head_of(path, 262_144).split(b"\n")[:_LOOKED_AT]
    return any(map(_is_of_transcript, map(_row, lines)))


def _is_of_transcript(row: Any) -> bool:
    return (
        isinstance(row, dict)
        and isinstance(row.get("type"), str)
        and (
            (row["type"] in _SPEAKERS and {"uuid", "message"} <= row.keys())
            or (row["type"] == "summary" and "leafUuid" in row)
            or "sessionId" in row
        )
    )


def _row(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _turns(path: Path, name: str) -> Iterator[TurnRecord | UnreadRecord]:
    aside = 0
    for number, line in lines_of(path):
        if not line.strip():
            continue
        where = f"{name}:{number}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield UnreadRecord(where, f"no JSON: {error}")
            continue
        if not isinstance(row, dict) or row.get("type") not in _SPEAKERS:
            continue
        if row.get("isSidechain"):
            aside += 1
            continue
        turn = _turn(row, where, path.stem)
        if turn is not None:
            yield turn
    if aside:
        yield UnreadRecord(name, f"{aside} lines of agents among themselves left out", counts=False)


def _turn(row: dict[str, Any], where: str, session: str) -> TurnRecord | None:
    message = row.get("message")
    if not isinstance(message, dict) or any(row.get(flag) for flag in _NOT_SAID):
        return None
    text, beside = spoken(message.get("content"))
    text = _PUT_IN.sub("", text)
    if row["type"] == "user" and _NOT_TYPED.match(text):
        return None
    return turn_of(
        text,
        beside,
        where=where,
        key=str(row.get("uuid") or ""),
        role=row["type"],
        session=str(row.get("sessionId") or session),
        logged_at=row.get("timestamp"),
    )
