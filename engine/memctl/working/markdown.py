"""Journal as Markdown: five sections for people and prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memctl.working.entries import JournalEntry, JournalState

# The sections, and the kinds that stand in each, in this order.
_SECTIONS = (
    ("Current Task", ("task", "skill", "step", "observation")),
    ("Key Context", ("context",)),
    ("Recent Decisions", ("decision",)),
    ("Pending Actions", ("pending",)),
    ("Blockers", ("blocker",)),
)
_NOTHING = "None."
_WORDS = {
    "task": "task",
    "skill": "skill",
    "step": "step",
    "observation": "seen",
    "decision": "decided",
    "pending": "to do",
    "blocker": "blocker",
}
_TICKED = ("step", "pending", "blocker")


def as_markdown(state: JournalState) -> str:
    """Return a journal as Markdown: a title and five sections, each with one entry an item.

    An item is a line ``- what (when): text``; further lines of a text are indented by two spaces.
    """
    where = f" in {state.channel}" if state.channel else ""
    lines = [f"# Session {state.session}{where}"]
    for title, kinds in _SECTIONS:
        lines += ["", f"## {title}", ""]
        entries = [entry for kind in kinds for entry in state.entries if entry.kind == kind]
        lines += [_item(entry) for entry in entries] or [_NOTHING]
    return "\n".join(lines) + "\n"


def _item(entry: JournalEntry) -> str:
    tick = ("[x] " if entry.done_at else "[ ] ") if entry.kind in _TICKED else ""
    what = _WORDS.get(entry.kind) or f"**{_escaped(entry.name)}**"
    done = f", done {entry.done_at}" if entry.done_at else ""
    text = entry.text.replace("\n", "\n  ")
    return f"- {tick}{what} ({entry.written_at}{done}): {text}"


def _escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace("*", "\\*")
