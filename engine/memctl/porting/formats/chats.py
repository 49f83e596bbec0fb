"""Exports of conversations with assistants: ChatGPT, claude.ai, Open WebUI, LibreChat.

An export is a JSON file, a zip file with it, or a folder of its numbered parts. A conversation is a
thread, and its title an episode of it. Of one that was branched, the turns on the way to its current
message are taken, else those on the way to its newest. Tools that were called and files that were
attached are named in a turn's details; thinking and what tools answered are left out.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.porting.foreign_records import (
    EpisodeRecord,
    Format,
    TurnRecord,
    UnreadRecord,
)
from memctl.porting.foreign_values import text_of_value
from memctl.porting.safe_files import is_within, json_items, members_of, opened

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from memctl.base.clock import When
    from memctl.porting.foreign_records import Records

    Message = dict[str, Any]

# Large exports are cut: conversations-000.json, conversations-001.json.
_NAMED = re.compile(r"(?:.*/)?conversations(?:[-_]\d+)?\.json")
_BELOW = re.compile(
    rb'\s*\{(?:(?!"mapping"|"chat_messages").)*?"conversations"\s*:\s*\[', re.DOTALL
)
_HEAD = 65_536  # bytes in which the first conversation shows its keys
_SPEAKERS = frozenset({"user", "assistant"})
# Reasoning and calls of tools, as Open WebUI has them in a text.
_ASIDE = re.compile(
    r'<details\s+type="(?:reasoning|tool_calls|code_interpreter)".*?(?:</details>\s*|\Z)', re.DOTALL
)
_MILLISECONDS = 1e11  # seconds from here on are milliseconds


class _Chat(NamedTuple):
    """A conversation: its messages in their order, each with its place and its id.

    `lacks` is the key without which it is none.
    """

    id: Any
    title: Any
    began_at: When | None
    messages: list[tuple[str, str, Any]]
    lacks: str = ""


class _Said(NamedTuple):
    """The words of a message, and what came along with them."""

    text: str
    beside: list[str]
    role: str
    speaker: str | None = None
    at: When | None = None
    id: str = ""


class _Service(NamedTuple):
    """A service: the keys that its first conversation shows, and how it is taken apart."""

    name: str
    keys: tuple[str, ...]
    chat: Callable[[Message], _Chat]
    said: Callable[[Message], _Said | None]

    def recognises(self, path: Path) -> bool:
        if not (path.is_dir() or path.suffix in {".json", ".zip"}):
            return False
        parts = _parts(path)
        head = _head(*parts[0]) if parts else b""
        return all(re.search(rb'"%s"\s*:' % key.encode(), head) for key in self.keys)

    def read(self, path: Path, options: Mapping[str, Any]) -> Records:
        del options
        for file, member in _parts(path):
            key = "conversations" if _BELOW.match(_head(file, member)) else None
            for number, chat in enumerate(json_items(file, member=member, key=key)):
                where = f"{member or file.name}[{number}]"
                if isinstance(chat, dict):
                    yield from self._conversation(self.chat(chat), where)
                else:
                    yield UnreadRecord(where, "no conversation: it is no object")

    def _conversation(self, chat: _Chat, where: str) -> Records:
        if chat.lacks:
            yield UnreadRecord(where, f"no conversation of {self.name}: it has no {chat.lacks}")
            return
        session, now, turns = str(chat.id or "") or None, chat.began_at, 0
        for place, key, message in chat.messages:
            if not isinstance(message, dict):
                yield UnreadRecord(where + place, "no message: it is no object")
                turns += 1
                continue
            said = self.said(message)
            now = (said and said.at) or now
            turn = said and turn_of(
                said.text,
                said.beside,
                where=where + place,
                key=said.id or key,
                role=said.role,
                speaker=said.speaker,
                session=session,
                logged_at=now,
            )
            if turn:
                turns += 1
                yield turn
        if not turns:
            yield UnreadRecord(where, "nothing was said in it", counts=False)
        elif chat.title:
            yield EpisodeRecord(
                where=where,
                key=f"title {session or ''}",
                settled=session is not None,
                summary=str(chat.title),
                happened_at=chat.began_at,
                thread=session,
            )


def spoken(content: Any) -> tuple[str, list[str]]:
    """Return the text of a message's blocks, and the tools called and files attached beside it."""
    texts: list[str] = []
    beside: list[str] = []
    for block in content if isinstance(content, list) else [content]:
        if isinstance(block, str):
            texts.append(block)
        elif isinstance(block, dict):
            kind = text_of_value(block.get("type"))
            if kind in {"text", "voice_note"}:
                text = block.get("text")  # an assistant's has its notes beside it
                texts.append(str((text.get("value") if isinstance(text, dict) else text) or ""))
            elif kind == "tool_use":
                beside.append(f"called: {block.get('name')}")
            elif kind in {"image", "document"}:
                beside.append(f"attached: {block.get('title') or kind}")
    return "\n".join(text for text in texts if text.strip()), beside


def turn_of(text: str, beside: list[str], **columns: Any) -> TurnRecord | None:
    """Return the turn of a message; none for an empty one without attachments."""
    attached = [name for name in beside if name.startswith("attached: ")]
    if not text.strip() and not attached:
        return None
    return TurnRecord(
        text=text.strip() or "\n".join(attached),
        details="\n".join(dict.fromkeys(beside)) if text.strip() else "",
        settled=bool(columns.get("key")),
        **columns,
    )


def _thread(
    messages: Mapping[str, Message], last: Any, parent: str, made: Callable[[Message], Any]
) -> list[str]:
    """Return the ids from a tree's first message to `last`, or to the newest without answers.

    `parent` is the key of a message's parent, `made` returns its time.
    """
    left, last = dict(messages), text_of_value(last)
    if last not in left:
        answered = {text_of_value(message.get(parent)) for message in left.values()}
        leaves = (key for key in left if key not in answered)
        last = max(leaves, key=lambda key: str(made(left[key]) or ""), default=None)
    way = []
    while last in left:
        way.append(last)
        last = text_of_value(left.pop(last).get(parent))  # each once: a circle ends
    return way[::-1]


def _object(value: Any) -> Message:
    return value if isinstance(value, dict) else {}


def _objects(value: Any) -> list[Message]:
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def _time(seconds: Any) -> datetime | None:
    """Return a time by its seconds, or milliseconds, since 1970."""
    try:
        since = float(seconds)
        return datetime.fromtimestamp(since / 1000 if since > _MILLISECONDS else since, UTC)
    except (TypeError, ValueError, OverflowError, OSError):
        return None


# --- ChatGPT


def _of_chatgpt(given: Message) -> _Chat:
    nodes = {key: node for key, node in _object(given.get("mapping")).items() if _object(node)}
    way = _thread(
        nodes,
        given.get("current_node"),
        "parent",
        lambda node: _object(node.get("message")).get("create_time"),
    )
    messages = [(f".mapping.{key}", key, _object(nodes[key].get("message"))) for key in way]
    return _Chat(
        given.get("conversation_id") or given.get("id"),
        given.get("title"),
        _time(given.get("create_time")),
        messages,
        "" if isinstance(given.get("mapping"), dict) else "mapping",
    )


def _said_in_chatgpt(message: Message) -> _Said | None:
    """Return a message of one to the other; none of thoughts, code for tools, and settings."""
    author, content = _object(message.get("author")), _object(message.get("content"))
    about, role = _object(message.get("metadata")), text_of_value(author.get("role"))
    if (
        role not in _SPEAKERS
        or text_of_value(message.get("recipient")) not in {"", "all"}
        or text_of_value(content.get("content_type")) not in {"text", "multimodal_text"}
        or about.get("is_visually_hidden_from_conversation")
    ):
        return None
    files = _objects(about.get("attachments"))
    beside = [f"attached: {file.get('name') or 'file'}" for file in files]
    texts: list[str] = []
    parts = content.get("parts")
    for part in parts if isinstance(parts, list) else [content.get("text")]:
        text = _object(part).get("text", part)  # an object's is what was heard
        if isinstance(text, str):
            texts.append(text)
        elif isinstance(part, dict) and not beside:
            kind = str(part.get("content_type") or "file").removesuffix("_asset_pointer")
            beside.append(f"attached: {kind.replace('_', ' ')}")
    text = "\n".join(text for text in texts if text.strip())
    at, key = _time(message.get("create_time")), str(message.get("id") or "")
    return _Said(text, beside, role, author.get("name") or None, at, key)


# --- claude.ai


def _of_claude(given: Message) -> _Chat:
    messages = given.get("chat_messages")
    listed = messages if isinstance(messages, list) else []
    by_id = {text_of_value(message.get("uuid")): message for message in _objects(listed)}
    last = text_of_value(given.get("current_leaf_message_uuid"))
    if last and last in by_id:
        listed = [by_id[key] for key in _thread(by_id, last, "parent_message_uuid", len)]
    return _Chat(
        given.get("uuid"),
        given.get("name"),
        given.get("created_at"),
        [(f".chat_messages[{number}]", "", message) for number, message in enumerate(listed)],
        "" if isinstance(messages, list) else "chat_messages",
    )


def _said_in_claude(message: Message) -> _Said:
    text, beside = spoken(message.get("content") or [])
    for name in ("attachments", "files", "files_v2"):
        for file in _objects(message.get(name)):
            beside.append(f"attached: {file.get('file_name') or file.get('file_type') or 'file'}")
    sender = str(message.get("sender") or message.get("role") or "user")
    return _Said(
        text or str(message.get("text") or ""),
        beside,
        "user" if sender == "human" else sender,
        at=message.get("created_at"),
        id=str(message.get("uuid") or ""),
    )


# --- Open WebUI


def _of_open_webui(given: Message) -> _Chat:
    chat = _object(given.get("chat")) or given
    history = _object(chat.get("history"))
    tree = {
        key: message
        for key, message in _object(history.get("messages")).items()
        if _object(message)
    }
    way = _thread(
        tree, history.get("currentId"), "parentId", lambda message: message.get("timestamp")
    )
    return _Chat(
        given.get("id") or chat.get("id"),
        given.get("title") or chat.get("title"),
        _time(given.get("created_at") or chat.get("timestamp")),
        [(f".{key}", key, tree[key]) for key in way],
        "" if isinstance(history.get("messages"), dict) else "history of messages",
    )


def _said_in_open_webui(message: Message) -> _Said | None:
    role = text_of_value(message.get("role"))
    if role not in _SPEAKERS:
        return None
    text, beside = spoken(message.get("content"))
    files = message.get("files")
    for file in files if isinstance(files, list) else []:
        beside.append(f"attached: {file.get('name') if isinstance(file, dict) else 'file'}")
    return _Said(_ASIDE.sub("", text), beside, role, at=_time(message.get("timestamp")))


# --- LibreChat


def _of_librechat(given: Message) -> _Chat:
    listed = given.get("messages") or given.get("messagesTree")
    tree: dict[str, Message] = {}
    left: list[tuple[Message, str | None]] = [
        (message, None) for message in reversed(_objects(listed))
    ]
    while left:
        message, parent = left.pop()
        key = str(message.get("messageId") or len(tree))
        tree[key] = {**message, "parent": parent or message.get("parentMessageId")}
        left += [(child, key) for child in reversed(_objects(message.get("children")))]
    way = _thread(tree, None, "parent", lambda message: message.get("createdAt"))
    return _Chat(
        given.get("conversationId"),
        given.get("title"),
        next((message.get("createdAt") for message in tree.values()), None),
        [(f".{key}", key, tree[key]) for key in way],
        "" if tree else "messages",
    )


def _said_in_librechat(message: Message) -> _Said:
    text, beside = spoken(message.get("content") or message.get("text"))
    text = text or str(message.get("text") or "")
    if message.get("isCreatedByUser"):
        return _Said(text, beside, "user", at=message.get("createdAt"))
    speaker = str(message.get("sender") or "") or None
    return _Said(text, beside, "assistant", speaker, message.get("createdAt"))


# --- files of an export


def _parts(path: Path) -> list[tuple[Path, str]]:
    """Return the files of an export, each with its name in the zip file where it is one."""
    if path.is_dir():
        root = path.resolve()
        files = sorted(part for part in path.iterdir() if _NAMED.fullmatch(part.name))
        return [(part, "") for part in files if is_within(part, root)]
    members = members_of(path)
    if members:
        return [(path, name) for name in members if _NAMED.fullmatch(name)]
    return [(path, "")]


def _head(path: Path, member: str) -> bytes:
    with opened(path, member) as file:
        return file.read(_HEAD)


_SERVICES = {
    "claude-ai": _Service("claude.ai", ("chat_messages",), _of_claude, _said_in_claude),
    "chatgpt": _Service("ChatGPT", ("mapping", "create_time"), _of_chatgpt, _said_in_chatgpt),
    # `currentId` may stand behind a long chat.
    "open-webui": _Service(
        "Open WebUI", ("history", "parentId"), _of_open_webui, _said_in_open_webui
    ),
    "librechat": _Service(
        "LibreChat", ("conversationId", "isCreatedByUser"), _of_librechat, _said_in_librechat
    ),
}
FORMATS = {name: Format(service.recognises, service.read) for name, service in _SERVICES.items()}
