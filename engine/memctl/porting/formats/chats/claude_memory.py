"""Auto memory of Claude Code: a folder with ``MEMORY.md`` and a file a topic.

A topic file is one fact: what it says, with ``**Why:**`` and ``**How to apply:**``. Its type decides the
category. A line of ``MEMORY.md`` that leads to a topic file says what that says and is left out; any
other paragraph or point is a fact of its own, below its heading.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memctl.base.categories import category_of
from memctl.base.errors import MemctlError, UnusableInputError
from memctl.porting.foreign_records import FactRecord, UnreadRecord
from memctl.porting.front_matter import front_matter, plain_text, yaml_text
from memctl.porting.note_lines import note_parts
from memctl.porting.safe_files import files_in, lines_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from memctl.porting.foreign_records import ForeignRecord

INDEX = "MEMORY.md"
TYPES = frozenset({"user", "feedback", "project", "reference"})
_LINK = re.compile(r"\[[^\]]*\]\(([^)#]+\.md)\)")
_HEADING = re.compile(r"^##[ \t]+(.*?)[ \t#]*$", re.MULTILINE)
_SECTION = re.compile(r"^(Why|How to apply): ", re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LABEL = re.compile(r"\*\*(Why|How to apply):?\*\*:?", re.IGNORECASE)
_LOOKED_AT = 50  # topic files by which a folder is recognised


def recognises(path: Path) -> bool:
    """Return whether a folder is such a memory: its topics have types, or lie below ``projects``."""
    if not (path / INDEX).is_file():
        return False
    if path.name == "memory" and path.parent.parent.name == "projects":
        return True
    topics = (one for one in sorted(path.glob("*.md"))[:_LOOKED_AT] if one.name != INDEX)
    return any(map(_is_topic, topics))


def read(path: Path, options: Mapping[str, Any]) -> Iterator[ForeignRecord | UnreadRecord]:
    """Yield a fact for each topic file, then for each line of the index that stands for none."""
    del options
    topics = set()
    for file in files_in(path, ".md"):
        name = file.relative_to(path).as_posix()
        if name == INDEX:
            continue
        topics.add(name)
        try:
            yield topic_of(name, text_of(file))
        except UnusableInputError as error:
            yield UnreadRecord(name, error.message)
    yield from _index(path / INDEX, topics)


def _is_topic(path: Path) -> bool:
    try:
        return _type_of(front_matter(text_of(path), path.name)[0]) in TYPES
    except MemctlError:
        return False


def _type_of(front: Mapping[str, Any]) -> str:
    """Return the type of a topic, which newer files have below ``metadata``."""
    about = front.get("metadata")
    return str(front.get("type") or (about.get("type") if isinstance(about, dict) else "") or "")


def topic_of(name: str, text: str, folder: str = "") -> FactRecord | UnreadRecord:
    """Return the fact of a file: what it says, why, and how to apply it; `folder` may say its type."""
    front, body = front_matter(text, name)
    kind = _type_of(front) or folder
    said = plain_text(front.get("text")) or _said(body) or plain_text(front.get("description"))
    if not said:
        return UnreadRecord(name, "it says nothing")
    told = {key: plain_text(front.get(key)) for key in ("name", "description")}
    about = {key: value for key, value in told.items() if value and not _begins(said, value)}
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
    """Return a file that `topic_of` reads; a text that Markdown would change stands in its properties."""
    first, *parts = _SECTION.split(f"{text}\n")
    title = "Rule" if front.get("type") == "feedback" else "Fact"
    sections = [(title, first), *zip(parts[::2], parts[1::2], strict=True)]
    body = "\n".join(f"## {heading}\n\n{said.strip()}\n" for heading, said in sections)
    if _said(body) != text:
        front, body = {**front, "text": text}, ""
    return f"---\n{yaml_text(front)}---\n{body and chr(10)}{body}"


def _said(body: str) -> str:
    body = _LABEL.sub(lambda found: f"{found[1]}:", _COMMENT.sub("", body))
    first, *parts = _HEADING.split(body)
    said = [
        text if heading.lower() in {"rule", "fact"} else f"{heading}: {text}"
        for heading, part in zip(parts[::2], parts[1::2], strict=True)
        if (text := part.strip())
    ]
    return "\n".join(filter(None, (first.strip(), *said)))


def _index(path: Path, topics: set[str]) -> Iterator[FactRecord]:
    for part in note_parts(lines_of(path)):
        if topics.intersection(_LINK.findall(part.text)):
            continue
        yield FactRecord(
            where=f"{INDEX}:{part.line}",
            text=": ".join([*part.headings[-1:], *part.parents, part.text]),
        )
