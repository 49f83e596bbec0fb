"""memctl's own layouts: Markdown that people edit, and JSON Lines, which lose nothing.

Markdown has turns and episodes by month, facts by category, skills as folders; JSON Lines what the
store is, then one item a line, with its kind and its digest.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from memctl.base.pattern import Pattern
from memctl.porting.exports.export_folder import FORMAT
from memctl.porting.exports.export_selection import TIERS
from memctl.porting.exports.kept_items import digest_of, id_of, text_of_item
from memctl.procedural.skill_folder import skill_json, write_skill

if TYPE_CHECKING:
    from typing import IO

    from memctl.porting.exports.export_folder import ExportFolder
    from memctl.porting.exports.exporter import ExportSource

_MONTH = 7  # characters of '2026-11'
_TIME = {"turn": "logged_at", "episode": "happened_at"}
_PAST = frozenset({"superseded", "forgotten"})
_PLAIN = Pattern(r"[a-z0-9_-]{1,40}")


def write_markdown(folder: ExportFolder, source: ExportSource) -> None:
    """Write the chosen rows of a store as Markdown."""
    for tier, kind in TIERS.items():
        begun: set[str] = set()
        for item in source.items(tier) if kind != "skill" else ():
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
    file.writelines(json.dumps(told, ensure_ascii=False) + "\n" for told in lines)
    for tier, kind in TIERS.items():
        for item in source.items(tier) if kind != "skill" else ():
            told = {"kind": kind, **item, "digest": digest_of(item)}
            file.write(json.dumps(told, ensure_ascii=False) + "\n")
    file.writelines(
        json.dumps({"kind": "skill", **skill_json(skill)}, ensure_ascii=False) + "\n"
        for skill in source.skills()
    )
