"""memctl's own layouts: Markdown that people edit, JSON Lines that lose nothing, Parquet.

Markdown has turns and episodes by month, facts by category, skills as folders; JSON Lines what the
store is, then one item a line, with its kind and its digest; Parquet a table a kind.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memctl.base.pattern import Pattern
from memctl.porting.exports.export_folder import FORMAT
from memctl.porting.exports.exporter import TIERS
from memctl.porting.exports.kept_items import COLUMNS, digest_of, id_of, text_of_item
from memctl.procedural.skill_folder import skill_json, write_skill
from memctl.reports.answers import Answer, Column
from memctl.reports.loading import engine
from memctl.reports.output_files import write_answer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import IO

    from memctl.porting.exports.export_folder import ExportFolder
    from memctl.porting.exports.exporter import ExportSource
    from memctl.reports.answers import Cell, Kind

_MONTH = 7  # characters of '2026-11'
_TIME = {"turn": "logged_at", "episode": "happened_at"}
_PAST = frozenset({"superseded", "forgotten"})
_PLAIN = Pattern(r"[a-z0-9_-]{1,40}")


def write_markdown(folder: ExportFolder, source: ExportSource) -> None:
    """Write the chosen rows of a store as Markdown."""
    for tier, kind in TIERS.items():
        begun: set[str] = set()
        for item in source.items(tier):
            day = source.day(str(item[_TIME[kind]]), item) if kind in _TIME else ""
            name = _file_of(kind, item, day)
            if name not in begun:
                folder.append(name, f"# {_title(name)}\n")
                begun.add(name)
            folder.append(name, text_of_item(kind, item))
            folder.note(kind, id_of(kind, item), digest_of(item))
    for skill in source.skills():
        write_skill(skill, folder.path / "skills")


def _file_of(kind: str, item: dict[str, Any], day: str) -> str:
    if kind in _TIME:
        return f"{kind}s/{day[:_MONTH]}.md"
    if kind == "fact":
        return f"facts/{_category_file(item)}.md"
    return "aliases.md" if kind == "alias" else "knowledge.md"


def _category_file(item: dict[str, Any]) -> str:
    if item.get("status") in _PAST:
        return "past"
    category = str(item.get("category", ""))
    return category if _PLAIN.fullmatch(category) else "uncategorised"


def _title(name: str) -> str:
    tier, _, part = name.removesuffix(".md").partition("/")
    return f"{tier.capitalize()}: {part}" if part else tier.capitalize()


def write_jsonl(file: IO[str], source: ExportSource) -> None:
    """Write the chosen rows of a store as JSON Lines."""
    lines = ({"format": FORMAT, "layout": "jsonl", **source.header},)
    file.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    for tier, kind in TIERS.items():
        for item in source.items(tier):
            row = {"kind": kind, **item, "digest": digest_of(item)}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    file.writelines(
        json.dumps({"kind": "skill", **skill_json(skill)}, ensure_ascii=False) + "\n"
        for skill in source.skills()
    )


# --- Parquet

_KINDS: Mapping[str, Kind] = {
    "time": "at", "number": "number", "whole": "count", "offset": "count", "flag": "count",
}  # fmt: skip
_CHANGE = ("event", "old_text", "new_text", "actor", "why")


def write_parquet(folder: ExportFolder, source: ExportSource) -> None:
    """Write a table a kind, its columns those of the store, and the changes of facts."""
    with engine() as connection:
        for name, columns, rows in _tables(source):
            if rows:
                answer = Answer(name, name, "", columns, tuple(rows))
                write_answer(connection, answer, folder.path / f"{name}.parquet", "parquet")


def _tables(
    source: ExportSource,
) -> Iterator[tuple[str, tuple[Column, ...], list[tuple[Cell, ...]]]]:
    for tier, kind in TIERS.items():
        shown = [column for column in COLUMNS[kind] if column.holds != "history"]
        columns = tuple(
            Column(column.name, _KINDS.get(column.holds, "text"), "") for column in shown
        )
        changes: list[tuple[Cell, ...]] = []
        rows = []
        for item in source.items(tier):
            rows.append(tuple(_cell(item.get(column.name, column.usual)) for column in shown))
            changes += [_change(item["id"], change) for change in item.get("history", ())]
        yield tier, columns, rows
        if kind == "fact":
            yield "history", (*_texts("fact_id", *_CHANGE), Column("changed_at", "at", "")), changes
    yield "skills", _texts("name", "description", "skill"), [*_skills(source)]


def _texts(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name, "text", "") for name in names)


def _skills(source: ExportSource) -> Iterator[tuple[Cell, ...]]:
    for skill in source.skills():
        text = json.dumps(skill_json(skill), ensure_ascii=False)
        yield skill.name, skill.description, text


def _change(fact: str, change: Mapping[str, Any]) -> tuple[Cell, ...]:
    texts: Iterable[str | None] = (change.get(name) for name in _CHANGE)
    return (fact, *texts, change["changed_at"])


def _cell(value: Any) -> Cell:
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    return int(value) if isinstance(value, bool) else value
