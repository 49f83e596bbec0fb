"""memctl's own exports: the Markdown of `memctl export markdown`, and JSON Lines.

Of Markdown, what is new, what was edited and what is gone is found by the ids. A file of JSON Lines that
memctl wrote has a header; its records keep their ids and their history. Of any other, a line is a
record as a row of a table is.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

from memctl.base.categories import KINDS
from memctl.base.errors import UnusableInputError
from memctl.porting.exports.export_folder import header_in, layout_of, manifest_lines
from memctl.porting.exports.kept_items import COLUMNS, RULER, id_of, texts_in_body
from memctl.porting.foreign_records import Format, KeptRecord, SkillRecord, UnreadRecord
from memctl.porting.formats.table_rows import record_of
from memctl.porting.markdown_reading import are_properties, plain_text, properties_of
from memctl.porting.safe_files import files_in, is_within, lines_of
from memctl.procedural.skill_folder import draft_of, read_draft

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from memctl.porting.foreign_records import ForeignRecord, Records

_KEPT = frozenset({"id", "added_at", "made_at"})  # one of these has only what came out of a store

# --- JSON Lines


def _is_json_lines(path: Path) -> bool:
    return path.is_file() and path.suffix in {".jsonl", ".ndjson"}


def _read_json_lines(path: Path, options: Mapping[str, Any]) -> Records:
    """Yield the record of each line."""
    header = header_in(path)
    for number, line in lines_of(path):
        if not line.strip():
            continue
        where = f"{path.name}:{number}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield UnreadRecord(where, f"no JSON: {error}")
            continue
        if header is None:
            yield record_of(row, where, options.get("columns", {}))
        elif number > 1:
            yield _of_line(row, where, str(header.get("origin", "")))


def _count_json_lines(path: Path, options: Mapping[str, Any]) -> int:  # noqa: ARG001
    lines = sum(1 for _, line in lines_of(path) if line.strip())
    return lines - (header_in(path) is not None)


def _of_line(row: Any, where: str, origin: str) -> ForeignRecord | UnreadRecord:
    """Return the record of a line of memctl's own export; a line without an id is a new one."""
    kind = str(row.get("kind")) if isinstance(row, dict) else ""
    if kind == "skill":
        try:
            return SkillRecord(where=where, key=str(row.get("name")), draft=draft_of(row, where))
        except UnusableInputError as error:
            return UnreadRecord(where, error.message)
    if kind not in COLUMNS or not row.keys() & _KEPT:
        return record_of(row, where)
    item = {key: value for key, value in row.items() if key not in {"kind", "digest"}}
    return KeptRecord(
        where=where,
        key=id_of(kind, item),
        kind=kind,
        item=item,
        digest=str(row.get("digest", "")),
        origin=origin,
    )


# --- Markdown

# Folders and files of an export, in the order in which they are read: an episode names turns.
_PLACES = (
    ("turns", "turn"),
    ("episodes", "episode"),
    ("facts", "fact"),
    ("aliases.md", "alias"),
    ("knowledge.md", "knowledge"),
)
_NUMBERED = frozenset({"turn", "episode", "fact"})  # kinds whose items have ids


def _is_export(path: Path) -> bool:
    return layout_of(path) == "markdown"


def _read_markdown(path: Path, options: Mapping[str, Any]) -> Records:
    """Yield the items of a folder; with the option ``prune``, those that were taken out of it too."""
    header = header_in(path) or {}
    if header.get("unfinished"):
        raise UnusableInputError(
            f'the export into "{path}" was cut short: it is half of one',
            hint="export into it again",
        )
    origin = str(header.get("origin", ""))
    noted = {
        (line["kind"], line.get("id", "")): line.get("digest", "")
        for line in manifest_lines(path)
        if "kind" in line
    }
    met: set[tuple[str, str]] = set()
    wrong = False
    for place, kind in _PLACES:
        for file in _files(path, place):
            for record in _items(file, file.relative_to(path).as_posix(), kind):
                checked, why = record, ""
                if isinstance(record, KeptRecord):
                    name = kind, record.key
                    if name in met:
                        why = "its id stands twice: take its properties away where it is a new one"
                    elif kind in _NUMBERED and name not in noted:
                        why = (
                            f'"{record.key:.40}" is no id of this export: bring back what was there'
                        )
                    met.add(name)
                    digest = "" if why else noted.pop(name, "")
                    checked = replace(record, digest=digest, origin=origin)
                checked = UnreadRecord(record.where, why) if why else checked
                wrong = wrong or isinstance(checked, UnreadRecord)
                yield checked
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


def _items(file: Path, name: str, kind: str) -> Records:
    """Yield the items of a file: properties between rulers, and the text below them."""
    begun, properties, lines = 1, list[str](), list[str]()
    inside = False
    for number, line in lines_of(file):
        if line.rstrip() != RULER:
            (properties if inside else lines).append(line)
        elif inside:
            if not are_properties(properties):
                break
            inside = False
        else:
            yield from _item(f"{name}:{begun}", kind, file.stem, properties, lines)
            begun, properties, lines, inside = number, [], [], True
    if inside:
        yield UnreadRecord(
            f"{name}:{begun}",
            "--- stands above and below properties alone; in a text write *** instead, and read"
            " the rest of the file again",
        )
    else:
        yield from _item(f"{name}:{begun}", kind, file.stem, properties, lines)


def _item(where: str, kind: str, stem: str, properties: list[str], lines: list[str]) -> Records:
    if not properties:  # a new one, or the title of the file
        lines = [line for line in lines if not line.startswith("# ")]
    body = "\n".join(lines)
    if not properties and not body.strip():
        return
    try:
        item = properties_of("\n".join(properties), where)
    except UnusableInputError as error:
        yield UnreadRecord(where, error.message)
        return
    item = {
        key: plain_text(value) if isinstance(value, date) else value for key, value in item.items()
    }
    item |= texts_in_body(kind, body)
    if item.keys() & _KEPT:
        yield KeptRecord(where=where, key=id_of(kind, item), kind=kind, item=item)
    elif kind == "alias" and not properties:
        term, equals, synonym = body.strip().partition(" = ")
        why = "an alias is written TERM = SYNONYM"
        given = {"kind": kind, "term": term, "synonym": synonym}
        yield record_of(given, where) if equals else UnreadRecord(where, why)
    elif kind == "knowledge":
        yield UnreadRecord(where, "knowledge is made by memctl")
    else:
        category = {"category": stem} if kind == "fact" and stem in KINDS else {}
        yield record_of({"kind": kind, **category, **item}, where)


def _skills(path: Path) -> Records:
    folder = path / "skills"
    for file in files_in(folder, "skill.json") if folder.is_dir() else ():
        where = file.relative_to(path).as_posix()
        try:
            draft = read_draft(file)
        except UnusableInputError as error:
            yield UnreadRecord(where, error.message)
        else:
            yield SkillRecord(where=where, key=draft.name, draft=draft)


FORMATS = {
    "memctl": Format(_is_export, _read_markdown),
    "jsonl": Format(_is_json_lines, _read_json_lines, _count_json_lines),
}
