"""JSON Lines: what the store is, then one item a line, with its kind and its digest."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memctl.porting.exports.export_folder import FORMAT
from memctl.porting.exports.export_selection import TIERS
from memctl.porting.exports.kept_items import digest_of
from memctl.procedural.skill_folder import skill_json

if TYPE_CHECKING:
    from typing import IO

    from memctl.porting.exports.export_source import ExportSource

__all__ = ["write"]


def write(file: IO[str], source: ExportSource) -> None:
    """Write the chosen rows of a store."""
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
