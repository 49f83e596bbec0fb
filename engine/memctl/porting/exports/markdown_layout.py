"""memctl's own Markdown: turns and episodes by month, facts by category, skills as folders."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl.base.pattern import Pattern
from memctl.porting.exports.export_selection import TIERS
from memctl.porting.exports.item_text import text_of_item
from memctl.porting.exports.kept_items import digest_of, id_of
from memctl.procedural.skill_folder import write_skill

if TYPE_CHECKING:
    from memctl.porting.exports.export_folder import ExportFolder
    from memctl.porting.exports.export_source import ExportSource

__all__ = ["write"]

_MONTH = 7  # characters of '2026-11'
_TIME = {"turn": "logged_at", "episode": "happened_at"}
_PAST = frozenset({"superseded", "forgotten"})
_PLAIN = Pattern(r"[a-z0-9_-]{1,40}")


def write(folder: ExportFolder, source: ExportSource) -> None:
    """Write the chosen rows of a store."""
    for tier, kind in TIERS.items():
        headings: dict[str, str] = {}
        for item in source.items(tier) if kind != "skill" else ():
            day = source.day(str(item[_TIME[kind]]), item) if kind in _TIME else ""
            name = _file_of(kind, item, day)
            if name not in headings:
                folder.append(name, f"# {_title(name)}\n")
            if headings.get(name, "") != day:
                folder.append(name, f"\n## {day}\n")
            headings[name] = day
            folder.append(name, f"\n{text_of_item(kind, item)}")
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
