"""Parquet: one table a kind, its columns those of the store, and the changes of facts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memctl.porting.exports.export_selection import TIERS
from memctl.porting.exports.kept_items import COLUMNS
from memctl.procedural.skill_folder import skill_json
from memctl.reports.answers import Answer, Column
from memctl.reports.loading import engine
from memctl.reports.output_files import write_answer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memctl.porting.exports.export_folder import ExportFolder
    from memctl.porting.exports.exporter import ExportSource
    from memctl.reports.answers import Cell, Kind

_KINDS: Mapping[str, Kind] = {
    "time": "at", "number": "number", "whole": "count", "offset": "count", "flag": "count",
}  # fmt: skip
_CHANGE = ("event", "old_text", "new_text", "actor", "why")


def write(folder: ExportFolder, source: ExportSource) -> None:
    """Write the chosen rows of a store."""
    with engine() as connection:
        for name, columns, rows in _tables(source):
            if rows:
                answer = Answer(name, name, "", columns, tuple(rows))
                write_answer(connection, answer, folder.path / f"{name}.parquet", "parquet")


def _tables(
    source: ExportSource,
) -> Iterator[tuple[str, tuple[Column, ...], list[tuple[Cell, ...]]]]:
    for tier, kind in TIERS.items():
        if kind == "skill":
            continue
        told = [one for one in COLUMNS[kind] if one.holds != "history"]
        columns = tuple(Column(one.name, _KINDS.get(one.holds, "text"), "") for one in told)
        changes: list[tuple[Cell, ...]] = []
        rows = []
        for item in source.items(tier):
            rows.append(tuple(_cell(item.get(one.name, one.usual)) for one in told))
            changes += [_change(item["id"], one) for one in item.get("history", ())]
        yield tier, columns, rows
        if kind == "fact":
            yield "history", (*_texts("fact_id", *_CHANGE), Column("changed_at", "at", "")), changes
    yield "skills", _texts("name", "description", "skill"), [*_skills(source)]


def _texts(*names: str) -> tuple[Column, ...]:
    return tuple(Column(name, "text", "") for name in names)


def _skills(source: ExportSource) -> Iterator[tuple[Cell, ...]]:
    for skill in source.skills():
        told = json.dumps(skill_json(skill), ensure_ascii=False)
        yield skill.name, skill.description, told


def _change(fact: str, one: Mapping[str, Any]) -> tuple[Cell, ...]:
    texts: Iterable[str | None] = (one.get(name) for name in _CHANGE)
    return (fact, *texts, one["changed_at"])


def _cell(value: Any) -> Cell:
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    return int(value) if isinstance(value, bool) else value
