"""A workspace as OpenClaw and its memory skills read it: MEMORY.md by tags, and daily notes.

Facts that hold stand in MEMORY.md under ``## [TAG] Category``, what happened in ``memory/DAY.md``. Ids,
history and times of facts have no place in it: memctl's own Markdown keeps them.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from memctl.base.categories import tag_of

if TYPE_CHECKING:
    from memctl.porting.exports.export_folder import ExportFolder
    from memctl.porting.exports.export_source import ExportSource

__all__ = ["bullet", "write"]

_DAY, _MINUTE = 10, 16  # characters of '2026-11-20' and '2026-11-20T16:33'


def write(folder: ExportFolder, source: ExportSource) -> None:
    """Write the chosen rows of a store."""
    sections: defaultdict[str, list[str]] = defaultdict(list)
    for fact in source.items("facts"):
        sections[_section(fact.get("category"))].append(bullet(fact["text"]))
    if sections:
        parts = [f"## {title}\n\n{''.join(sections[title])}" for title in sorted(sections)]
        folder.append("MEMORY.md", "# Memory\n\n" + "\n".join(parts))
    begun = set()
    for episode in source.items("episodes"):
        when = source.store.zone.local(episode["happened_at"], episode.get("utc_offset"))
        name = f"memory/{when[:_DAY]}.md"
        if name not in begun:
            begun.add(name)
            folder.append(name, f"# {when[:_DAY]}\n\n## Episodes\n\n")
        told = "\n".join(filter(None, (episode["summary"], episode.get("details"))))
        folder.append(name, bullet(f"{when[_DAY + 1 : _MINUTE]} {told}"))


def bullet(text: str) -> str:
    """Return a text as a list item, its further lines indented."""
    return "- " + text.strip().replace("\n", "\n  ") + "\n"


def _section(category: str | None) -> str:
    tag = tag_of(category)
    return f"[{tag}] {str(category).capitalize()}" if tag else "Notes"
