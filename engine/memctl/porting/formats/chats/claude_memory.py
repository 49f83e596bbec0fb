"""Auto memory of Claude Code: a folder with ``MEMORY.md`` and a file a topic.

A topic file is one fact: what it says, with ``**Why:**`` and ``**How to apply:**``. Its type decides the
category. A line of ``MEMORY.md`` that leads to a topic file says what that says and is left out; any
other paragraph or point is a fact of its own, below its heading.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memctl.base.errors import MemctlError, UnusableInputError
from memctl.porting.foreign_records import FactRecord, UnreadRecord
from memctl.porting.front_matter import front_matter
from memctl.porting.note_lines import note_parts
from memctl.porting.safe_files import files_in, lines_of, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from memctl.porting.foreign_records import ForeignRecord

__all__ = ["CATEGORIES", "INDEX", "read", "recognises"]

INDEX = "MEMORY.md"
# The category of each type: of its kind in the table of kinds the one that fits most, and can change.
CATEGORIES = {
    "user": "preference",
    "feedback": "rule",
    "project": "project",
    "reference": "technical",
}
_LINK = re.compile(r"\[[^\]]*\]\(([^)#]+\.md)\)")
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
            yield _topic(name, text_of(file))
        except UnusableInputError as error:
            yield UnreadRecord(name, error.message)
    yield from _index(path / INDEX, topics)


def _is_topic(path: Path) -> bool:
    try:
        return _type_of(front_matter(text_of(path), path.name)[0]) in CATEGORIES
    except MemctlError:
        return False


def _type_of(front: Mapping[str, Any]) -> str:
    """Return the type of a topic, which newer files have below ``metadata``."""
    about = front.get("metadata")
    return str(front.get("type") or (about.get("type") if isinstance(about, dict) else "") or "")


def _topic(name: str, text: str) -> FactRecord:
    front, body = front_matter(text, name)
    kind = _type_of(front)
    told = {"name": front.get("name"), "description": front.get("description"), "type": kind}
    said = _LABEL.sub(lambda found: f"{found[1]}:", body).strip()
    return FactRecord(
        where=name,
        key=name,
        text=said or str(front.get("description") or ""),
        category=CATEGORIES.get(kind),
        metadata={key: str(value) for key, value in told.items() if value},
    )


def _index(path: Path, topics: set[str]) -> Iterator[FactRecord]:
    for part in note_parts(lines_of(path)):
        if topics.intersection(_LINK.findall(part.text)):
            continue
        yield FactRecord(
            where=f"{INDEX}:{part.line}",
            text=": ".join([*part.headings[-1:], *part.parents, part.text]),
        )
