"""Files as MemoryClaw reads them: an episode each, facts below what they are about, aliases as YAML.

Skills go out where tools do all of their steps: it knows no screens.
"""

from __future__ import annotations

import json
from textwrap import indent
from typing import TYPE_CHECKING, Any

from memctl.base.pattern import Pattern
from memctl.porting.exports.openclaw_layout import bullet
from memctl.procedural.skill_rows import skill_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.porting.exports.export_folder import ExportFolder
    from memctl.porting.exports.export_source import ExportSource
    from memctl.procedural.skill_records import Skill

__all__ = ["write"]

_SLUG, _SECOND = 50, 19  # characters of a slug, and of '2026-11-20T16:33:04'
_OTHERS = Pattern(r"[^\w\s-]")
_GAPS = Pattern(r"[\s/]+")
_PLACES = Pattern(r"\{([a-z][a-z0-9_]{0,39})\}(?!\w)")
_JOINED = Pattern(r"(?<!\$)\{([a-z][a-z0-9_]{0,39})\}(?=\w)")  # with the word behind it
# The file of facts of a category; of all others, facts.md.
_FILES = {"relationship": "contacts", "project": "projects", "preference": "preferences"}


def write(folder: ExportFolder, source: ExportSource) -> None:
    """Write the chosen rows of a store."""
    names: set[str] = set()
    for episode in source.items("episodes"):
        when = source.store.zone.local(episode["happened_at"], episode.get("utc_offset"))
        name = _name_of(when, episode, names)
        names.add(name)
        folder.append(f"episodes/{name}.md", _episode(episode))
    facts: dict[str, dict[str, list[str]]] = {}  # by file and thing
    for fact in source.items("facts"):
        stem = _FILES.get(fact.get("category", ""), "facts")
        of, line = _of_thing(fact)
        facts.setdefault(stem, {}).setdefault(of, []).append(bullet(line))
    for stem, things in facts.items():
        folder.append(f"semantic/{stem}.md", f"# {stem.capitalize()}\n\n")
        for of, lines in things.items():
            below = [bullet(f"{of}:"), *(indent(line, "  ") for line in lines)] if of else lines
            folder.append(f"semantic/{stem}.md", "".join(below))
    aliases: dict[str, list[str]] = {}
    for alias in source.items("aliases"):
        aliases.setdefault(alias["term"], []).append(alias["synonym"])
    if aliases:
        folder.append("semantic/aliases.yaml", _yaml(aliases))
    for skill in source.skills():
        if all(step.tool for step in skill.steps):
            ending = "json" if skill.status == "active" else "draft.json"
            told = json.dumps(_skill(skill), indent=1, ensure_ascii=False)
            folder.append(f"skills/{skill.name}.{ending}", told + "\n")


def _skill(skill: Skill) -> dict[str, Any]:
    own = next((one for one in skill.aliases if skill_name(one) == skill.name), skill.name)
    steps = [
        (one.tool, json.loads(_JOINED.sub(r"${\1}", _PLACES.sub(r"$\1", one.detail or "{}"))))
        for one in skill.steps
    ]
    return {
        "name": own,
        "status": "active" if skill.status == "active" else "draft",
        "description": skill.description,
        "triggers": list(skill.triggers),
        "parameters": [
            {
                "name": name,
                "type": spec.kind,
                "required": spec.required,
                "description": spec.description,
            }
            for name, spec in skill.specs.items()
        ],
        "preconditions": {
            name: {"type": spec.kind, "source": "user", "optional": not spec.required}
            for name, spec in skill.specs.items()
        },
        "steps": [{"action": tool, "tool": tool, "params": given} for tool, given in steps],
        "_meta": {"source": "memctl", "createdAt": skill.created_at, "note": skill.description},
    }


def _name_of(when: str, episode: Mapping[str, Any], taken: set[str]) -> str:
    when = when[:_SECOND].replace("T", "_").replace(":", "-")
    slug = _GAPS.sub("-", _OTHERS.sub("", episode["summary"].lower()).strip())[:_SLUG].strip("-")
    name = f"{when}_{slug or 'episode'}"
    return f"{name}-{episode['id']}" if name in taken else name


def _episode(episode: Mapping[str, Any]) -> str:
    head = {
        "timestamp": episode["happened_at"],
        "tags": episode.get("tags", []),
        "summary": episode["summary"],
        "participants": episode.get("participants", []),
        "confidence": episode.get("confidence", "medium"),
    }
    if episode.get("source"):
        head["source"] = episode["source"]
    details = episode.get("details", "")
    return f"---\n{_yaml(head)}---\n\n## Details\n\n{details}{'' if not details else chr(10)}"


def _of_thing(fact: Mapping[str, Any]) -> tuple[str, str]:
    """Return the thing that a fact stands below, and what is said of it; no thing for plain text."""
    of, attribute, value = (str(fact.get(name) or "") for name in ("subject", "attribute", "value"))
    if of and attribute and value and not {":", "*", "\n"} & {*of, *attribute}:
        return of, f"{attribute}: {value}"
    return "", str(fact["text"])


def _yaml(told: Mapping[str, Any]) -> str:
    import yaml

    return str(yaml.safe_dump(told, allow_unicode=True, sort_keys=False, width=10_000))
