"""Exports of conversations: where they stand in a file, a folder or a zip file, and what was said."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.porting.foreign_records import EpisodeRecord, TurnRecord, UnreadRecord
from memctl.porting.safe_files import is_within, json_items, members_of, opened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from memctl.base.clock import When
    from memctl.porting.foreign_records import ForeignRecord

# Large exports are cut: conversations-000.json, conversations-001.json.
_NAMED = re.compile(r"(?:.*/)?conversations(?:[-_]\d+)?\.json")
_BELOW = re.compile(
    rb'\s*\{(?:(?!"mapping"|"chat_messages").)*?"conversations"\s*:\s*\[', re.DOTALL
)
_HEAD = 65_536  # bytes in which the first conversation shows its keys


class Conversation(NamedTuple):
    """One conversation of an export, as its reader takes it apart."""

    id: str
    title: str
    began_at: When | None
    turns: Iterator[TurnRecord | UnreadRecord]


def holds(path: Path, *keys: str) -> bool:
    """Return whether the first conversation of an export shows such keys."""
    if not (path.is_dir() or path.suffix in {".json", ".zip"}):
        return False
    parts = _parts(path)
    if not parts:
        return False
    head = _head(*parts[0])
    return all(re.search(rb'"%s"\s*:' % key.encode(), head) for key in keys)


def conversations(
    path: Path, read: Callable[[dict[str, Any], str], Conversation]
) -> Iterator[ForeignRecord | UnreadRecord]:
    """Yield the turns of each conversation in an export, and its title as an episode of its thread.

    Parameters
    ----------
    read
        Takes one conversation apart: its object, and its place for people.
    """
    for file, member in _parts(path):
        name = member or file.name
        for number, one in enumerate(json_items(file, member=member, at=_at(file, member))):
            where = f"{name}[{number}]"
            if not isinstance(one, dict):
                yield UnreadRecord(where, "no conversation: it is no object")
                continue
            found = read(one, where)
            spoken = 0
            for turn in found.turns:
                spoken += 1
                yield turn
            if not spoken:
                yield UnreadRecord(where, "nothing was said in it", counts=False)
            elif found.title:
                yield EpisodeRecord(
                    where=where,
                    key=f"title {found.id}",
                    settled=bool(found.id),
                    summary=found.title,
                    happened_at=found.began_at,
                    thread=found.id or None,
                )


def spoken(content: Any) -> tuple[str, list[str]]:
    """Return what is said in a message's blocks, and what came along: tools called, files attached.

    What is only thought, and what a tool answered, is left out.
    """
    texts: list[str] = []
    beside: list[str] = []
    for block in content if isinstance(content, list) else [content]:
        if isinstance(block, str):
            texts.append(block)
        elif isinstance(block, dict):
            kind = block.get("type")
            if kind in {"text", "voice_note"}:
                text = block.get("text")  # an assistant's has its notes beside it
                texts.append(str((text.get("value") if isinstance(text, dict) else text) or ""))
            elif kind == "tool_use":
                beside.append(f"called: {block.get('name')}")
            elif kind in {"image", "document"}:
                beside.append(f"attached: {block.get('title') or kind}")
    return "\n".join(text for text in texts if text.strip()), beside


def turn_of(text: str, beside: list[str], **columns: Any) -> TurnRecord | None:
    """Return the turn of a message; none where nothing was said or attached."""
    attached = [one for one in beside if one.startswith("attached: ")]
    if not text.strip() and not attached:
        return None
    return TurnRecord(
        text=text.strip() or "\n".join(attached),
        details="\n".join(dict.fromkeys(beside)) if text.strip() else "",
        settled=bool(columns.get("key")),
        **columns,
    )


def way_up(
    messages: Mapping[str, dict[str, Any]],
    last: Any,
    parent: str,
    created: Callable[[dict[str, Any]], Any],
) -> list[str]:
    """Return the ids from the first message of a tree to `last`, or to the newest without answers.

    Parameters
    ----------
    parent
        The key of a message under which its parent's id stands.
    created
        When a message was made, to compare it with others.
    """
    left = dict(messages)
    if last not in left:
        answered = {one.get(parent) for one in left.values()}
        leaves = (name for name in left if name not in answered)
        last = max(leaves, key=lambda name: created(left[name]), default=None)
    found = []
    while last in left:
        found.append(last)
        last = left.pop(last).get(parent)  # each once: a circle ends
    return found[::-1]


def _parts(path: Path) -> list[tuple[Path, str]]:
    """Return the files of an export, each with its name in the zip file where it is one."""
    if path.is_dir():
        root = path.resolve()
        found = sorted(one for one in path.iterdir() if _NAMED.fullmatch(one.name))
        return [(one, "") for one in found if is_within(one, root)]
    members = members_of(path)
    if members:
        return [(path, name) for name in members if _NAMED.fullmatch(name)]
    return [(path, "")]


def _head(path: Path, member: str) -> bytes:
    with opened(path, member) as file:
        return file.read(_HEAD)


def _at(path: Path, member: str) -> str:
    """Return where the conversations stand: in an array, in one below a key, or a single one."""
    head = _head(path, member).lstrip(b"\xef\xbb\xbf \t\r\n")
    if head.startswith(b"["):
        return "item"
    return "conversations.item" if _BELOW.match(head) else ""
