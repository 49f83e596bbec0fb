"""A folder of basic-memory: Markdown notes with observations and relations.

``- [category] text #tag (context)`` is a fact of its note, and so are ``- relation [[Target]]`` and each
paragraph and other point. The note's title opens the fact, as what it is about; its permalink, the
category as it stands, and the tags are kept as metadata.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any

from memctl.base.categories import KINDS
from memctl.base.errors import MemctlError, UnusableInputError
from memctl.porting.foreign_records import FactRecord, UnreadRecord
from memctl.porting.formats.markdown_notes import todo_of
from memctl.porting.front_matter import front_matter, texts_of
from memctl.porting.note_lines import note_parts
from memctl.porting.safe_files import files_in, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from memctl.porting.foreign_records import ForeignRecord
    from memctl.porting.note_lines import NotePart

# A link, `- [name](address)`, is no observation.
_OBSERVATION = re.compile(r"\[(?P<kind>[^\[\]()\n]{2,})\]\s+(?P<text>.*)", re.DOTALL)
_RELATION = re.compile(
    r"(?P<how>[^\[\]]*?)\s*\[\[(?P<to>[^\[\]]+)\]\]\s*(?:\((?P<context>[^)]*)\))?\s*"
)
_TAG = re.compile(r"(?<!\S)#([\w/-]+)")
_CATEGORIES = {"tech": "technical", "config": "configuration", "person": "relationship"} | {
    name: name for name in KINDS
}
_LOOKED_AT = 50  # notes by which a folder is recognised


def recognises(path: Path) -> bool:
    """Return whether one of a folder's first notes has a permalink."""
    return path.is_dir() and any(map(_is_note, islice(files_in(path, ".md"), _LOOKED_AT)))


def read(path: Path, options: Mapping[str, Any]) -> Iterator[ForeignRecord | UnreadRecord]:
    """Yield the facts of each note."""
    del options
    for file in files_in(path, ".md") if path.is_dir() else [path]:
        name = file.relative_to(path).as_posix() if path.is_dir() else path.name
        try:
            yield from _note(name, text_of(file))
        except UnusableInputError as error:
            yield UnreadRecord(name, error.message)


def _is_note(path: Path) -> bool:
    try:
        return "permalink" in front_matter(text_of(path), path.name)[0]
    except MemctlError:
        return False


def _note(name: str, text: str) -> Iterator[ForeignRecord]:
    front, body = front_matter(text, name)
    title = str(front.get("title") or name.rsplit("/", 1)[-1].removesuffix(".md"))
    about = {"note": str(front.get("permalink") or name), "type": front.get("type")}
    tags = texts_of(front.get("tags"))
    first = text.count("\n", 0, len(text) - len(body)) + 1
    for part in note_parts(enumerate(body.split("\n"), first)):
        if part.done is not None:
            yield todo_of(part, part.text, name)
            continue
        said, kind, own = _read(part, title)
        told = {
            **about,
            "observation": kind,
            "tags": [tag.removeprefix("#") for tag in [*tags, *own]],
        }
        yield FactRecord(
            where=f"{name}:{part.line}",
            text=said,
            category=_CATEGORIES.get(kind.casefold()),
            metadata={key: value for key, value in told.items() if value},
        )


def _read(part: NotePart, title: str) -> tuple[str, str, list[str]]:
    """Return what a part says of its note, the category of an observation, and its tags."""
    relation = _RELATION.fullmatch(part.text) if part.is_item else None
    if relation:
        how = relation["how"].strip().replace("_", " ") or "relates to"
        context = f" ({relation['context']})" if relation["context"] else ""
        return f"{title} {how} {relation['to']}{context}", "", []
    found = _OBSERVATION.fullmatch(part.text) if part.is_item else None
    if found:
        said = " ".join(_TAG.sub("", found["text"]).split())
        return f"{title}: {said}", found["kind"].strip(), _TAG.findall(found["text"])
    return f"{title}: {part.text}", "", []
