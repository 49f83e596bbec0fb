"""MemoryClaw: episodes, facts, aliases, what waits for a person, skills as drafts, raw logs.

Facts of ``_pending.md`` come in with low confidence, so that they wait here too. A field of a nested
block is of the thing above it: the deadline of one project is not that of another. Its index and its
configuration, which may hold keys, are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl.base.errors import UnusableInputError
from memctl.base.pattern import Pattern
from memctl.porting.exports.export_folder import layout_of
from memctl.porting.foreign_records import (
    AliasRecord,
    EpisodeRecord,
    FactRecord,
    Format,
    SkillRecord,
    TurnRecord,
    UnreadRecord,
)
from memctl.porting.markdown_reading import front_matter, note_parts, plain_text, texts_of, yaml_of
from memctl.porting.safe_files import files_in, json_of, lines_of, text_of
from memctl.procedural.skill_folder import draft_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from memctl.porting.foreign_records import ForeignRecord
    from memctl.porting.markdown_reading import NotePart

    Records = Iterator[ForeignRecord | UnreadRecord]

_CATEGORIES = {
    "contacts": "relationship",
    "projects": "project",
    "preferences": "preference",
}
_LONGEST = 1_100_000  # characters of a turn: more than is kept
_CONFIDENCES = frozenset({"low", "medium", "high"})
_BLOCK = Pattern(r"### ([\w-]+) \((\d{4}-\d\d-\d\d[ T]\d\d:\d\d(?::\d\d)?)\)")
_WAITING = Pattern(r"(?>(.+?):\s+)(.*?)\(([^()]*)\)\s*(.*)", 16)  # 16: a dot is any sign
_DATE = Pattern(r"\d{4}-\d\d-\d\d(?:[T ][\d:.]+Z?)?")
_HEAD = Pattern(r"\A\s*#{1,6} details[ \t]*(?:\n|\Z)", 2)  # 2: whatever the case


def recognises(path: Path) -> bool:
    """Return whether a folder has MemoryClaw's folders."""
    logged = any((path / name).is_dir() for name in ("episodes", "logs"))
    return ((path / "semantic").is_dir() and logged) or layout_of(path) == "memoryclaw"


def read(path: Path, options: Mapping[str, Any]) -> Records:
    """Yield its logs, episodes, facts, aliases and skills."""
    del options
    readers = {"logs": _log, "episodes": _episode, "semantic": _semantic, "skills": _skill}
    for name, reader in readers.items():
        for file in files_in(path / name) if (path / name).is_dir() else ():
            try:
                yield from reader(file, file.relative_to(path).as_posix())
            except UnusableInputError as error:
                yield UnreadRecord(file.relative_to(path).as_posix(), error.message)
    for name in ("config.yaml", "index"):
        if (path / name).exists():
            yield UnreadRecord(name, "it is no memory, and is left out", counts=False)


def _log(file: Path, where: str) -> Records:
    """Yield the turns of a log; its front matter is above the first of them."""
    head: list[str] = []
    size = 0
    turn: tuple[int, str, str] | None = None
    said: list[str] = []
    for number, line in lines_of(file):
        begin = _BLOCK.fullmatch(line.strip())
        if begin is None:
            size += len(line) + 1
            if size <= _LONGEST:  # what is longer is refused as it is
                (head if turn is None else said).append(line)
            continue
        if turn is not None:
            yield _turn(turn, said, where, file.stem)
        turn, said, size = (number, begin[1], begin[2]), [], 0
    if turn is not None:
        yield _turn(turn, said, where, file.stem)
    elif front_matter("\n".join(head), where)[1].strip():
        yield UnreadRecord(where, 'it has no turn: "### role (YYYY-MM-DD HH:MM)"')


def _turn(turn: tuple[int, str, str], said: list[str], where: str, stem: str) -> ForeignRecord:
    number, role, when = turn
    return TurnRecord(
        where=f"{where}:{number}",
        text="\n".join(said).strip(),
        role=role,
        session=stem.removesuffix("_raw"),
        logged_at=when,
    )


def _episode(file: Path, where: str) -> Records:
    if file.suffix != ".md":
        return
    front, body = front_matter(text_of(file), where)
    summary = plain_text(front.get("summary")).strip()
    if not summary:
        yield UnreadRecord(where, "it has no summary")
        return
    confidence = plain_text(front.get("confidence")).lower()
    yield EpisodeRecord(
        where=where,
        key=file.name,
        summary=summary,
        details=_HEAD.sub("", body).strip(),
        tags=texts_of(front.get("tags")),
        participants=texts_of(front.get("participants")),
        happened_at=plain_text(front.get("timestamp")) or _time_in(file.stem),
        confidence=confidence if confidence in _CONFIDENCES else "medium",
    )


def _time_in(stem: str) -> str | None:
    """Return the time that a file's name begins with: ``2026-11-20_16-33-04_...``."""
    day, _, rest = stem.partition("_")
    clock, _, _ = rest.partition("_")
    time = f"{day}T{clock.replace('-', ':')}"
    return time if _DATE.fullmatch(time) else None


def _semantic(file: Path, where: str) -> Records:
    if file.name in {"aliases.yaml", "aliases.yml"}:
        yield from _aliases(yaml_of(text_of(file), where), where)
    elif file.suffix == ".md":
        for part in note_parts(lines_of(file)):
            if file.stem == "_pending":
                yield _waiting(part, where)
            else:
                yield from _facts(part, f"{where}:{part.line}", _CATEGORIES.get(file.stem))


def _aliases(words: Any, where: str) -> Records:
    if not isinstance(words, dict):
        if words is not None:
            yield UnreadRecord(where, "it is no mapping of words to lists of words")
        return
    for term, synonyms in words.items():
        for synonym in texts_of(synonyms):
            yield AliasRecord(where=where, term=plain_text(term), synonym=synonym)


def _facts(part: NotePart, where: str, category: str | None) -> Records:
    """Yield the fact of an item, or one of each field below the name of a thing."""
    first, *fields = _unmarked(part.text).split("\n")
    if first.endswith(":"):  # the name of what stands below it
        for field in fields:
            yield _fact(first.removesuffix(":"), field.strip(), where, category)
        return
    of = part.parents[-1].removesuffix(":") if part.parents else ""
    if not of and len(part.headings) > 1:
        of = part.heading
    yield _fact(of, "\n".join([first, *fields]), where, category)


def _fact(of: str, said: str, where: str, category: str | None) -> ForeignRecord:
    key, colon, value = said.partition(":")
    if not (of and colon and value.strip()):
        return FactRecord(where=where, text=said, category=category)
    return FactRecord(
        where=where,
        text=f"{of} {said}",
        subject=of,
        attribute=key.strip(),
        value=value.strip(),
        category=category,
    )


def _waiting(part: NotePart, where: str) -> ForeignRecord | UnreadRecord:
    """Return a fact that waits: ``entity field: value (confidence, source, added)``, and a mark."""
    place = f"{where}:{part.line}"
    waiting = _WAITING.fullmatch(_unmarked(part.text))
    if waiting is None:
        return UnreadRecord(place, "it is no fact that waits: entity field: value (...)")
    about, value, notes, mark = waiting.groups()
    added = _DATE.search(notes)
    metadata = {"noted": notes.strip(), **({"conflict": mark.strip()} if mark.strip() else {})}
    return FactRecord(
        where=place,
        text=f"{about}: {value.strip()}",
        confidence="low",
        metadata=metadata,
        valid_from=added[0] if added else None,
    )


def _unmarked(text: str) -> str:
    return text.replace("**", "").strip()


def _skill(file: Path, where: str) -> Records:
    if file.suffix != ".json":
        yield UnreadRecord(where, "code is not taken; only skills in JSON are", counts=False)
        return
    yield SkillRecord(where=where, key=file.name, draft=draft_of(json_of(file), where))


FORMATS = {"memoryclaw": Format(recognises, read)}
