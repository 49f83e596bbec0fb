"""Claude Code: transcripts of sessions, and the memory beside them.

A transcript is ``SESSION.jsonl``, or lies in a folder of them. A line is a turn where the user or Claude
says something; tools called in it are named in its details. Thinking, calls and answers of tools alone,
sidechains (what agents say to each other), and what the program puts in are left out.

A memory is a folder with ``MEMORY.md`` and a file a topic. A topic is one fact, its category by its type;
so is each paragraph or item of ``MEMORY.md`` that leads to no topic.
"""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import TYPE_CHECKING, Any

from memctl.base.categories import category_of
from memctl.base.errors import MemctlError, UnusableInputError
from memctl.porting.foreign_records import FactRecord, Format, UnreadRecord
from memctl.porting.foreign_values import text_of_value
from memctl.porting.formats.chats import spoken, turn_of
from memctl.porting.markdown_reading import front_matter, front_text, note_parts, plain_text
from memctl.porting.safe_files import files_in, head_of, lines_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from memctl.porting.foreign_records import Records, TurnRecord

# --- transcripts

_SPEAKERS = frozenset({"user", "assistant"})
# Lines that hold no word of the two: by a flag that is set, or by how their text begins.
_NOT_SAID = ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "isApiErrorMessage")
_NOT_TYPED = re.compile(
    r"\s*(?:<(?:command|local-command|bash|task-notification|user-prompt-submit-hook)[\w-]*>"
    r"|\[Request interrupted by user|Caveat: The messages below were generated)"
)
_PUT_IN = re.compile(r"<(system-reminder|ide_\w+)>.*?</\1>\s*", re.DOTALL)
_LOOKED_AT = 20  # lines, or files of a folder, by which a transcript is recognised


def _has_transcript(path: Path) -> bool:
    if path.is_dir():
        return any(map(_is_transcript, islice(files_in(path, ".jsonl"), _LOOKED_AT)))
    return path.suffix == ".jsonl" and _is_transcript(path)


def _is_transcript(path: Path) -> bool:
    return any(
        isinstance(row, dict)
        and isinstance(row.get("type"), str)
        and (
            (row["type"] in _SPEAKERS and {"uuid", "message"} <= row.keys())
            or (row["type"] == "summary" and "leafUuid" in row)
            or "sessionId" in row
        )
        for row in map(_row, head_of(path, 262_144).split(b"\n")[:_LOOKED_AT])
    )


def _row(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _read_transcripts(path: Path, options: Mapping[str, Any]) -> Records:
    """Yield the turns of each transcript, then the memories beside them."""
    if path.is_file():
        yield from _turns(path, path.name)
        return
    for file in files_in(path, ".jsonl"):
        yield from _turns(file, file.relative_to(path).as_posix())
    for index in files_in(path, _INDEX):
        if _is_memory(index.parent):
            yield from _read_memory(index.parent, options)


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
        if not isinstance(row, dict) or text_of_value(row.get("type")) not in _SPEAKERS:
            continue
        if row.get("isSidechain"):
            aside += 1
        elif turn := _turn(row, where, path.stem):
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


# --- memories

_INDEX = "MEMORY.md"
TYPES = frozenset({"user", "feedback", "project", "reference"})
_LINK = re.compile(r"\[[^\]]*\]\(([^)#]+\.md)\)")
_HEADING = re.compile(r"^##[ \t]+(.*?)[ \t#]*$", re.MULTILINE)
_SECTION = re.compile(r"^(Why|How to apply): ", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LABEL = re.compile(r"\*\*(Why|How to apply):?\*\*:?", re.IGNORECASE)
_TOPICS = 50  # topic files by which a folder is recognised


def _is_memory(path: Path) -> bool:
    """Return whether a folder's topics have types, or it lies below ``projects``."""
    if not (path / _INDEX).is_file():
        return False
    if path.name == "memory" and path.parent.parent.name == "projects":
        return True
    topics = (topic for topic in sorted(path.glob("*.md"))[:_TOPICS] if topic.name != _INDEX)
    return any(map(_is_topic, topics))


def _is_topic(path: Path) -> bool:
    try:
        return _type_of(front_matter(text_of(path), path.name)[0]) in TYPES
    except MemctlError:
        return False


def _read_memory(path: Path, options: Mapping[str, Any]) -> Records:
    """Yield a fact for each topic file, then for each line of the index that leads to none."""
    del options
    topics = set()
    for file in files_in(path, ".md"):
        name = file.relative_to(path).as_posix()
        if name != _INDEX:
            topics.add(name)
            try:
                yield topic_of(name, text_of(file))
            except UnusableInputError as error:
                yield UnreadRecord(name, error.message)
    for part in note_parts(lines_of(path / _INDEX)):
        if not topics.intersection(_LINK.findall(part.text)):
            text = ": ".join([*part.headings[-1:], *part.parents, part.text])
            yield FactRecord(where=f"{_INDEX}:{part.line}", text=text)


def _type_of(front: Mapping[str, Any]) -> str:
    """Return the type of a topic, which newer files have below ``metadata``."""
    about = front.get("metadata")
    return str(front.get("type") or (about.get("type") if isinstance(about, dict) else "") or "")


def topic_of(name: str, text: str, folder: str = "") -> FactRecord | UnreadRecord:
    """Return the fact of a file, with why and how to apply it; `folder` is its type where it has none."""
    front, body = front_matter(text, name)
    kind = _type_of(front) or folder
    said = plain_text(front.get("text")) or _said(body) or plain_text(front.get("description"))
    if not said:
        return UnreadRecord(name, "it says nothing")
    titles = {key: plain_text(front.get(key)) for key in ("name", "description")}
    about = {key: value for key, value in titles.items() if value and not _begins(said, value)}
    weight = front.get("importance")
    return FactRecord(
        where=name,
        key=name,
        text=said,
        category=category_of(plain_text(front.get("category", kind))) or None,
        importance=weight if isinstance(weight, float) and 0 <= weight <= 1 else None,
        metadata={**about, "type": kind} if about else None,
        valid_from=plain_text(front.get("created")) or None,
        expires_at=plain_text(front.get("expires")) or None,
    )


def _begins(said: str, title: str) -> bool:
    """Return whether a title is no more than the text's own words, whole or cut."""
    line = " ".join(said.split())
    return title == line or (title.endswith("\u2026") and line.startswith(title[:-1]))


def topic_text(front: Mapping[str, Any], text: str) -> str:
    """Return a file that `topic_of` reads; a text that Markdown would change is one of its properties."""
    first, *parts = _SECTION.split(f"{text}\n")
    title = "Rule" if front.get("type") == "feedback" else "Fact"
    sections = [(title, first), *zip(parts[::2], parts[1::2], strict=True)]
    body = "\n".join(f"## {heading}\n\n{said.strip()}\n" for heading, said in sections)
    if _said(body) != text:
        front, body = {**front, "text": text}, ""
    return f"{front_text(front)}{body and chr(10)}{body}"


def _said(body: str) -> str:
    body = _LABEL.sub(lambda label: f"{label[1]}:", _COMMENT.sub("", body))
    first, *parts = _HEADING.split(body)
    said = [
        text if heading.lower() in {"rule", "fact"} else f"{heading}: {text}"
        for heading, part in zip(parts[::2], parts[1::2], strict=True)
        if (text := part.strip())
    ]
    return "\n".join(filter(None, (first.strip(), *said)))


FORMATS = {
    "claude-code": Format(_has_transcript, _read_transcripts),
    "claude-memory": Format(_is_memory, _read_memory),
}
