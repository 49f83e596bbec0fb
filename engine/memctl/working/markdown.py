"""Journal as Markdown: five sections for people and prompts, which parse back to the same entries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.errors import UnusableInputError
from memctl.base.pattern import Pattern
from memctl.working.entries import JournalEntry, JournalState

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["as_markdown", "from_markdown"]

# The sections, and the kinds that stand in each, in this order.
_SECTIONS = (
    ("Current Task", ("task", "skill", "step", "observation")),
    ("Key Context", ("context",)),
    ("Recent Decisions", ("decision",)),
    ("Pending Actions", ("pending",)),
    ("Blockers", ("blocker",)),
)
_NOTHING = "None."
# What stands before the text of an entry: "- [x] step (written, done TIME): ".
_HEAD = Pattern(
    r"- (?:\[([ x])\] )?(?:(task|skill|step|seen|blocker|decided|to do) |\*\*((?:[^*\\]|\\.)*)\*\* )"
    r"\(([0-9TZ:.+-]+)(?:, done ([0-9TZ:.+-]+))?\): (.*)",
)
_WORDS = {
    "task": "task",
    "skill": "skill",
    "step": "step",
    "observation": "seen",
    "decision": "decided",
    "pending": "to do",
    "blocker": "blocker",
}
_KINDS = {word: kind for kind, word in _WORDS.items()}
_TICKED = ("step", "pending", "blocker")
_TITLE = Pattern(r"# Session ([^ ]+)(?: in ([^ ]+))?")
_ESCAPED = Pattern(r"\\(.)")


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


def from_markdown(text: str) -> JournalState:
    """Return the journal that `as_markdown` wrote: entries by section, without their numbers.

    Raises
    ------
    UnusableInputError
        When a line is none of a journal; it is named.
    """
    first, *lines = text.rstrip("\n").split("\n")
    title = _TITLE.fullmatch(first)
    if title is None:
        raise UnusableInputError("line 1 is no title of a journal", hint='it is "# Session NAME"')
    entries = tuple(_entry(item) for item in _items(lines))
    return JournalState(title[1], title[2] or "", entries)


def _item(entry: JournalEntry) -> str:
    tick = ("[x] " if entry.done_at else "[ ] ") if entry.kind in _TICKED else ""
    what = _WORDS.get(entry.kind) or f"**{_escaped(entry.name)}**"
    done = f", done {entry.done_at}" if entry.done_at else ""
    text = entry.text.replace("\n", "\n  ")
    return f"- {tick}{what} ({entry.written_at}{done}): {text}"


def _escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace("*", "\\*")


def _items(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield each item with the number of its first line, its further lines unindented."""
    item: list[str] = []
    begun = 0
    for number, line in enumerate(lines, 2):
        if item and line.startswith("  "):
            item.append(line[2:])
            continue
        if item:
            yield begun, "\n".join(item)
            item = []
        if line.startswith("- "):
            begun, item = number, [line]
        elif line not in {"", _NOTHING, *(f"## {title}" for title, _ in _SECTIONS)}:
            raise UnusableInputError(
                f"line {number} is none of a journal: {line:.40}", hint="memctl wal get prints one"
            )
    if item:
        yield begun, "\n".join(item)


def _entry(item: tuple[int, str]) -> JournalEntry:
    number, text = item
    first, *rest = text.split("\n")
    head = _HEAD.fullmatch(first)
    if head is None:
        raise UnusableInputError(
            f"line {number} is no entry of a journal: {first:.40}", hint="- to do (TIME): TEXT"
        )
    _, word, name, written_at, done_at, begin = head.groups()
    kind = _KINDS[word] if word else "context"
    kept = _ESCAPED.sub(r"\1", name) if name is not None else ""
    return JournalEntry(kind, "\n".join([begin, *rest]), kept, written_at, done_at)
