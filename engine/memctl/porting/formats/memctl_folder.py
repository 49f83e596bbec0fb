"""memctl's own Markdown, as `memctl export markdown` writes it: what is new, what was edited, what is gone."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from memctl.base.categories import KINDS
from memctl.base.errors import UnusableInputError
from memctl.base.pattern import Pattern
from memctl.porting.exports.export_folder import header_in, layout_of, manifest_lines
from memctl.porting.exports.item_text import item_texts
from memctl.porting.exports.kept_items import id_of
from memctl.porting.foreign_records import (
    AliasRecord,
    EpisodeRecord,
    FactRecord,
    KeptRecord,
    SkillRecord,
    TurnRecord,
    UnreadRecord,
)
from memctl.porting.safe_files import files_in, is_within, lines_of
from memctl.procedural.skill_folder import read_draft

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from memctl.porting.exports.item_text import ItemText
    from memctl.porting.foreign_records import ForeignRecord

# Folders and files of an export, in the order in which they are read: an episode names turns.
_PLACES = (
    ("turns", "turn"),
    ("episodes", "episode"),
    ("facts", "fact"),
    ("aliases.md", "alias"),
    ("knowledge.md", "knowledge"),
)
_NUMBERED = frozenset({"turn", "episode", "fact"})  # kinds whose items have ids
_DAY = Pattern(r"\d{4}-\d\d-\d\d")


def recognises(path: Path) -> bool:
    """Return whether a folder is an export of memctl's own."""
    return layout_of(path) == "markdown"


def read(path: Path, options: Mapping[str, Any]) -> Iterator[ForeignRecord | UnreadRecord]:
    """Yield the items of a folder; with the option ``prune``, those that were taken out of it too."""
    origin = str((header_in(path) or {}).get("origin", ""))
    noted = {
        (one["kind"], one.get("id", "")): one.get("digest", "")
        for one in manifest_lines(path)
        if "kind" in one
    }
    met: set[tuple[str, str]] = set()
    wrong = False
    for name, kind in _PLACES:
        for file in _files(path, name):
            for one in _records(file, file.relative_to(path).as_posix(), kind):
                told = one
                if isinstance(one, KeptRecord) and (kind, one.key) in met:
                    why = "its id stands twice: take its comment away where it is a new one"
                    told = UnreadRecord(one.where, why)
                elif (
                    isinstance(one, KeptRecord)
                    and kind in _NUMBERED
                    and (kind, one.key) not in noted
                ):
                    why = f'"{one.key:.40}" is no id of this export: bring back what stood there'
                    told = UnreadRecord(one.where, why)
                elif isinstance(one, KeptRecord):
                    met.add((kind, one.key))
                    told = replace(one, digest=noted.pop((kind, one.key), ""), origin=origin)
                wrong = wrong or isinstance(told, UnreadRecord)
                yield told
    yield from _skills(path)
    if noted and (wrong or not options.get("prune")):
        todo = "--prune forgets nothing before all is read" if wrong else "--prune forgets them"
        why = f"{len(noted)} of its items are not in it any more; {todo}"
        yield UnreadRecord(path.name, why, counts=False)
        return
    for (kind, key), digest in noted.items():
        yield KeptRecord(
            where=path.name, key=key, kind=kind, item=None, digest=digest, origin=origin
        )


def _files(path: Path, name: str) -> Iterator[Path]:
    """Yield the files of a folder, or the one file, of an export."""
    place = path / name
    if place.is_dir():
        yield from files_in(place, ".md")
    elif is_within(place, path.resolve()):
        yield place


def _records(file: Path, name: str, kind: str) -> Iterator[ForeignRecord | UnreadRecord]:
    for one in item_texts(lines_of(file)):
        where = f"{name}:{one.line}"
        if one.wrong:
            yield UnreadRecord(where, one.wrong)
        elif one.properties is None:
            yield _new(kind, one, where, file.stem)
        else:
            item = one.item(kind)
            yield KeptRecord(where=where, key=id_of(kind, item), kind=kind, item=item)


def _new(kind: str, one: ItemText, where: str, stem: str) -> ForeignRecord | UnreadRecord:
    """Return what somebody has added to a file, by hand and without an id."""
    day = one.heading if _DAY.fullmatch(one.heading) else None
    if kind == "turn":
        return TurnRecord(where=where, text=one.text, logged_at=day)
    if kind == "episode":
        return EpisodeRecord(where=where, summary=one.text, happened_at=day)
    if kind == "fact":
        return FactRecord(where=where, text=one.text, category=stem if stem in KINDS else None)
    term, equals, synonym = one.text.partition(" = ")
    if kind == "alias" and equals:
        return AliasRecord(where=where, term=term, synonym=synonym)
    return UnreadRecord(where, "an alias is written TERM = SYNONYM; knowledge is made by memctl")


def _skills(path: Path) -> Iterator[ForeignRecord | UnreadRecord]:
    folder = path / "skills"
    for file in files_in(folder, "skill.json") if folder.is_dir() else ():
        where = file.relative_to(path).as_posix()
        try:
            draft = read_draft(file)
        except UnusableInputError as error:
            yield UnreadRecord(where, error.message)
        else:
            yield SkillRecord(where=where, key=draft.name, draft=draft)
