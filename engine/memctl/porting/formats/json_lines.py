"""JSON Lines: one record a line, its ``kind`` turn, episode, fact or alias.

A file that `memctl export jsonl` wrote says so in its first line: its records keep their ids and their
history, and one that was edited changes what it is here.

The other keys are those of the record: ``text``, ``role``, ``logged_at``, ``summary``, ``tags``, ...
Where no kind is said, an object with a ``summary`` is an episode, one with ``term`` an alias, and one
with a ``role``, ``speaker`` or ``session`` a turn; any other is a fact. Tables and arrays of JSON are
read in the same way, row by row.
"""

from __future__ import annotations

import json
from dataclasses import MISSING, fields
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from memctl.base.errors import UnusableInputError, UsageError
from memctl.base.near_words import one_of
from memctl.porting.exports.export_folder import header_in
from memctl.porting.exports.kept_items import COLUMNS, id_of
from memctl.porting.foreign_records import (
    AliasRecord,
    EpisodeRecord,
    FactRecord,
    ForeignRecord,
    KeptRecord,
    SkillRecord,
    TurnRecord,
    UnreadRecord,
)
from memctl.porting.safe_files import lines_of
from memctl.procedural.skill_folder import draft_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

_NO_COLUMNS = frozenset({"where", "settled", "unused"})
_KINDS: Mapping[str, type[ForeignRecord]] = {
    "turn": TurnRecord,
    "episode": EpisodeRecord,
    "fact": FactRecord,
    "alias": AliasRecord,
}
OURS = frozenset({"kind", "id"}).union(
    *({one.name for one in fields(kind)} - _NO_COLUMNS for kind in _KINDS.values())
)
"""Every key that a record may have."""
_LISTS = frozenset({"tags", "participants"})
_TIMES = frozenset({"logged_at", "happened_at", "valid_from", "expires_at"})
_TEXTS = frozenset(
    {"text", "summary", "details", "subject", "attribute", "value", "role", "speaker", "session"}
    | {"thread", "term", "synonym", "user_id", "agent_id", "category", "confidence", "key"}
)
_MILLISECONDS = 100_000_000_000  # of numbers from here on, these are milliseconds since 1970


def recognises(path: Path) -> bool:
    """Return whether a file is named as JSON Lines are."""
    return path.is_file() and path.suffix in {".jsonl", ".ndjson"}


def read(path: Path, options: Mapping[str, Any]) -> Iterator[ForeignRecord | UnreadRecord]:
    """Yield the record of each line; the option ``columns`` maps their keys to ours."""
    columns = options.get("columns", {})
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
        if number == 1 and row == header:
            continue
        if header is None:
            yield record_of(row, where, columns)
        else:
            yield _kept(row, where, header)


def _kept(row: Any, where: str, header: Mapping[str, Any]) -> ForeignRecord | UnreadRecord:
    """Return the record of a line of memctl's own export; a line without an id is a new one."""
    kind = str(row.get("kind")) if isinstance(row, dict) else ""
    if kind == "skill":
        try:
            return SkillRecord(where=where, key=str(row.get("name")), draft=draft_of(row, where))
        except UnusableInputError as error:
            return UnreadRecord(where, error.message)
    if kind not in COLUMNS or not row.keys() & {"id", "added_at", "made_at"}:
        return record_of(row, where)
    item = {key: value for key, value in row.items() if key not in {"kind", "digest"}}
    return KeptRecord(
        where=where,
        key=id_of(kind, item),
        kind=kind,
        item=item,
        digest=str(row.get("digest", "")),
        origin=str(header.get("origin", "")),
    )


def record_of(
    row: object, where: str, columns: Mapping[str, str] | None = None
) -> ForeignRecord | UnreadRecord:
    """Return the record that an object's keys describe; `columns` maps keys of others to ours."""
    if not isinstance(row, dict):
        return UnreadRecord(where, "no object")
    ours = columns or {}
    named = sorted(row.items(), key=lambda pair: pair[0] in ours) if ours else row.items()
    given = {ours.get(key, str(key)): value for key, value in named if value is not None}
    kind = given.pop("kind", None) or _kind_of(given)
    if not isinstance(kind, str) or kind not in _KINDS:
        return UnreadRecord(where, f'there is no kind "{kind!s:.40}"; one of {", ".join(_KINDS)}')
    made = _KINDS[kind]
    known = {one.name for one in fields(made)} - _NO_COLUMNS
    given["key"] = str(given.pop("id", given.get("key", "")))
    lacking = [name for name in _needed(made) if name not in given]
    if lacking:
        return UnreadRecord(where, f'{kind}: it has no "{lacking[0]}"')
    try:
        read = {key: _read(key, value) for key, value in given.items() if key in known}
        for key, value in read.items():
            _check(made, key, value)
        return made(where=where, unused=tuple(sorted(given.keys() - known)), **read)
    except (TypeError, ValueError, OverflowError, OSError) as error:
        return UnreadRecord(where, f"{kind}: {error}")


def _needed(made: type[ForeignRecord]) -> list[str]:
    return [one.name for one in fields(made) if one.default is MISSING and one.name != "where"]


def _read(name: str, value: Any) -> Any:
    """Return a value as its column has it; tables hold texts and numbers alone."""
    if name in _LISTS:
        return tuple(map(str, value)) if isinstance(value, list) else _parts(str(value))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        if name in _TIMES:
            return datetime.fromtimestamp(value / (1000 if value >= _MILLISECONDS else 1), UTC)
        return str(value) if name in _TEXTS else value
    if isinstance(value, str) and name == "importance":
        return float(value)
    if isinstance(value, str) and name == "metadata":
        return json.loads(value)
    return value


def _check(made: type[ForeignRecord], name: str, value: Any) -> None:
    """Refuse a value of another type than its column's; a turn may be said in blocks."""
    due: tuple[type, ...] = (str,) if name in _TEXTS else (str, datetime)
    if name in {"importance", "metadata"}:
        due = (int, float) if name == "importance" else (dict,)
    elif made is TurnRecord and name in {"text", "details"}:
        due = (str, list, dict)
    elif name in _LISTS:
        due = (tuple,)
    if isinstance(value, bool) or not isinstance(value, due):
        raise TypeError(f'"{name}" cannot be of type {type(value).__name__}')  # it may be a secret


def _parts(text: str) -> tuple[str, ...]:
    """Return the names in a cell: a JSON array, or parted by commas or semicolons."""
    if text.startswith("["):
        return tuple(map(str, json.loads(text)))
    return tuple(part.strip() for part in text.replace(";", ",").split(",") if part.strip())


def _kind_of(given: Mapping[str, Any]) -> str:
    if "summary" in given:
        return "episode"
    if "term" in given:
        return "alias"
    return "turn" if given.keys() & {"role", "speaker", "session"} else "fact"


# --- columns of tables: which of ours each is

# One of these says what a record is about; without any there is nothing to take.
_NEEDED = frozenset({"text", "value", "summary", "term"})


def check_columns(names: Iterable[str], columns: Mapping[str, str], what: str) -> None:
    """Refuse a table of which no column can be taken, or that lacks one which was named.

    Raises
    ------
    UsageError
        When a column that was named is not there.
    UnusableInputError
        When no column is a text of ours.
    """
    names = list(names)
    lacking = [theirs for theirs in columns if theirs not in names]
    if lacking:
        raise UsageError(f'{what} has no column "{lacking[0]}"', hint=one_of(lacking[0], names))
    if not _NEEDED & {columns.get(name, name) for name in names}:
        raise UnusableInputError(
            f"{what} has no column text, summary or term; it has: {', '.join(names) or 'none'}",
            hint="say which is: --column body=text",
        )
