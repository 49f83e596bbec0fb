"""Folders of other memory systems, written from the present facts: OpenClaw's workspace and MemoryClaw's.

Both are read back by `memctl.porting.formats`. Ids, history and the sources of facts have no place in
them: memctl's own Markdown keeps those.
"""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import groupby
from textwrap import indent
from typing import TYPE_CHECKING, Any

from memctl.base.categories import KINDS, category_of
from memctl.base.pattern import Pattern
from memctl.porting.formats.claude_code import topic_text
from memctl.porting.markdown_reading import front_text, yaml_text
from memctl.procedural.skill_rows import skill_name
from memctl.store import statements
from memctl.working.entries import LAST_PROMPT, EntryRows

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.porting.exports.export_folder import ExportFolder
    from memctl.porting.exports.exporter import ExportSource
    from memctl.procedural.skill_records import Skill
    from memctl.working.entries import JournalEntry, JournalState

SQL = statements.load("store/exporting")
WORKING = statements.load("store/working")
_DAY, _MINUTE, _SECOND = 10, 16, 19  # characters of '2026-11-20T16:33:04'
_TITLE, _SLUG, _DETAIL = 40, 50, 140  # characters
_LINE = 149  # characters of a line of the index
_OTHERS = Pattern(r"[^\w\s-]")
_GAPS = Pattern(r"[\s/]+")
_EMPTY_LINES = Pattern(r"\n\s*\n")


# --- OpenClaw


def write_openclaw(folder: ExportFolder, source: ExportSource) -> None:
    """Write a file for each fact by its type, their index, daily notes, and what is to be done."""
    _facts_by_type(folder, source)
    episodes = ((_local(source, episode), episode) for episode in source.items("episodes"))
    for day, listed in groupby(episodes, key=lambda pair: pair[0][:_DAY]):
        tagged = sorted(listed, key=lambda pair: pair[1].get("tags", []))
        tags = None
        for when, episode in tagged:
            if tags != (tags := episode.get("tags", [])):
                title = f"## {', '.join(tags)}" if tags else f"# {day}"
                folder.append(f"memory/{day}.md", f"{title}\n\n")
            text = f"{when[_DAY + 1 : _MINUTE]} {_text_of(episode)}"
            folder.append(f"memory/{day}.md", bullet(text))
    if source.is_whole:
        _journals(folder, source)


def _facts_by_type(folder: ExportFolder, source: ExportSource) -> None:
    """Write ``memory/TYPE/NAME.md`` for each fact, and MEMORY.md with a line for each file."""
    index: defaultdict[str, list[str]] = defaultdict(list)
    names: set[str] = set()
    for fact in source.items("facts"):
        category = fact.get("category", "")
        known = KINDS.get(category)
        kind = (known and known.content_type) or ("project" if known else "reference")
        usual = known.importance if known else None
        about = fact.get("metadata", {})
        line = " ".join(fact["text"].split())
        title = str(about.get("name") or _cut(line, _TITLE))
        name = _free(f"memory/{kind}/{_slug(title) or 'fact'}", fact["id"], names)
        front = {
            "name": title,
            "description": str(about.get("description") or _cut(line, _DETAIL)),
            "type": kind,
            "created": fact.get("valid_from"),
            "expires": fact.get("expires_at"),
            "category": category if category_of(kind) != category else None,
            "importance": fact["importance"] if fact["importance"] != usual else None,
        }
        folder.append(
            f"{name}.md",
            topic_text(
                {key: value for key, value in front.items() if value is not None}, fact["text"]
            ),
        )
        link = f"- [{_cut(_plain(title), _TITLE)}]({name}.md) \u2014 "
        index[kind].append(link + _cut(_plain(str(front["description"])), _LINE - len(link)) + "\n")
    parts = [f"## {kind.capitalize()}\n\n{''.join(index[kind])}" for kind in sorted(index)]
    if parts:
        folder.append("MEMORY.md", "# Memory\n\n" + "\n".join(parts))


def _journals(folder: ExportFolder, source: ExportSource) -> None:
    """Write todos.md, SESSION-STATE.md, and a state of each other session."""
    for row in source.store.rows(SQL.journals):
        whose = {"id": row["session"], "going_on": 0}
        if source.store.scope.narrows and not source.store.rows(WORKING.sessions, whose):
            continue  # another user's, agent's or project's
        state = EntryRows(source.store, row["session"], row["channel"]).present()
        source.counts["journal entry"] += len(state.entries)
        where = "-".join(filter(None, (state.session, state.channel)))
        if where == "todos":
            folder.append("todos.md", "# Todos\n\n" + "".join(map(_boxed, state.pending)))
            continue
        other = f"memory/session-states/SESSION-STATE-{where}.md"
        folder.append("SESSION-STATE.md" if where == "default" else other, _state_text(state))


def _state_text(state: JournalState) -> str:
    dated = [_dated(entry) for entry in reversed(state.decisions)]
    blocked = [_dated(entry) for entry in reversed(state.blockers) if entry.done_at is None]
    values = [
        bullet(f"**{entry.name}**: {entry.text}")
        for entry in state.context
        if entry.name != LAST_PROMPT
    ]
    task = _EMPTY_LINES.sub("\n", state.task.text) + "\n" if state.task else ""
    sections = {
        "Current Task": task or "[None]\n",
        "Key Context": "".join(values) or "[None yet]\n",
        "Recent Decisions": "".join(dated) or "[None yet]\n",
        "Pending Actions": "".join(map(_boxed, (*state.plan, *state.pending))) or "- [ ] None\n",
        "Blockers": "".join(blocked) or "[None]\n",
    }
    begun = min((entry.written_at for entry in state.entries), default="")[:_MINUTE].replace(
        "T", " "
    )
    parts = [f"## {title}\n\n{text}" for title, text in sections.items()]
    return "\n".join(["# Session State\n", *parts, f"*Initialized: {begun} UTC*\n"])


def _boxed(entry: JournalEntry) -> str:
    return bullet(f"[{'x' if entry.done_at else ' '}] {entry.text}")


def _dated(entry: JournalEntry) -> str:
    return bullet(f"**{entry.written_at[:_MINUTE].replace('T', ' ')} UTC**: {entry.text}")


def _text_of(episode: Mapping[str, Any]) -> str:
    """Return the text of an episode, its summary once."""
    summary, details = episode["summary"], episode.get("details", "")
    begun = details.startswith(summary.removesuffix("\u2026"))
    return details if begun else "\n".join(filter(None, (summary, details)))


# --- MemoryClaw

_PLACES = Pattern(r"\{([a-z][a-z0-9_]{0,39})\}(?!\w)")
_JOINED = Pattern(r"(?<!\$)\{([a-z][a-z0-9_]{0,39})\}(?=\w)")  # with the word behind it
# The file of facts of a category; of all others, facts.md.
_FILES = {"relationship": "contacts", "project": "projects", "preference": "preferences"}


def write_memoryclaw(folder: ExportFolder, source: ExportSource) -> None:
    """Write an episode a file, facts as ``- Key: value``, aliases as YAML, skills of tools as JSON.

    Skills go out where tools do all of their steps: it knows no screens.
    """
    names: set[str] = set()
    for episode in source.items("episodes"):
        when = _local(source, episode)[:_SECOND].replace("T", "_").replace(":", "-")
        name = _free(
            f"episodes/{when}_{_slug(episode['summary']) or 'episode'}", episode["id"], names
        )
        folder.append(f"{name}.md", _episode(episode))
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
        folder.append("semantic/aliases.yaml", yaml_text(aliases))
    for skill in source.skills():
        if all(step.tool for step in skill.steps):
            ending = "json" if skill.status == "active" else "draft.json"
            text = json.dumps(_skill(skill), indent=1, ensure_ascii=False)
            folder.append(f"skills/{skill.name}.{ending}", text + "\n")


def _skill(skill: Skill) -> dict[str, Any]:
    own = next((name for name in skill.aliases if skill_name(name) == skill.name), skill.name)
    steps = [
        (step.tool, json.loads(_JOINED.sub(r"${\1}", _PLACES.sub(r"$\1", step.detail or "{}"))))
        for step in skill.steps
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
    return f"{front_text(head)}\n## Details\n\n{details}{'' if not details else chr(10)}"


# --- of both


def _local(source: ExportSource, episode: Mapping[str, Any]) -> str:
    return source.store.zone.local(episode["happened_at"], episode.get("utc_offset"))


def _of_thing(fact: Mapping[str, Any]) -> tuple[str, str]:
    """Return the subject of a fact and the statement about it; no subject for plain text."""
    of, attribute, value = (str(fact.get(name) or "") for name in ("subject", "attribute", "value"))
    if of and attribute and value and not {":", "*", "\n"} & {*of, *attribute}:
        return of, f"{attribute}: {value}"
    return "", str(fact["text"])


def bullet(text: str) -> str:
    """Return a text as one list item: its further lines indented, no empty one among them."""
    return "- " + _EMPTY_LINES.sub("\n", text.strip()).replace("\n", "\n  ") + "\n"


def _slug(text: str) -> str:
    return _GAPS.sub("-", _OTHERS.sub("", text.lower()).strip())[:_SLUG].strip("-")


def _free(name: str, key: str, taken: set[str]) -> str:
    """Return a name that no other file has, with the row's id where it would be another one."""
    free = f"{name}-{key}" if name in taken else name
    taken.add(free)
    return free


def _cut(text: str, most: int) -> str:
    """Return the beginning of a text, up to a blank where there is one near."""
    if len(text) <= most:
        return text
    begun = text[: most - 1]
    return (begun.rpartition(" ")[0] if " " in begun[most // 2 :] else begun) + "\u2026"


def _plain(text: str) -> str:
    """Return a text for a line of the index, without what would end its link."""
    return " ".join(text.replace("[", "(").replace("]", ")").replace("**", "").split())
