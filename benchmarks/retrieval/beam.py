"""Reads BEAM chats (Tavakoli et al., 2025): a user and an assistant, one JSON a chat.

A file holds ``turns`` (``id``, ``role``, ``session``, ``at``, ``text``) and ``qa`` (``type``,
``question``, ``evidence``: ids of turns, and ``by_part`` for updates and contradictions).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from benchmarks.retrieval.conversations import Conversation, Question, Turn

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["UPDATE", "read_beam"]

UPDATE = "knowledge update"
_UNANSWERABLE = "abstention"


def read_beam(folder: Path) -> list[Conversation]:
    """Return the chats of a folder, in the order of their numbers.

    Questions without evidence are left out, but for those that the chat does not answer.
    """
    files = sorted(folder.glob("*.json"), key=lambda file: (len(file.stem), file.stem))
    if not files:
        raise SystemExit(
            f'"{folder}" holds no BEAM chats; they are at https://github.com/mohammadtavakoli78/BEAM'
        )
    return [_read(file) for file in files]


def _read(file: Path) -> Conversation:
    data = json.loads(file.read_text("utf-8"))
    turns = [
        Turn(str(turn["id"]), turn["session"], turn["text"], turn["at"], turn["role"])
        for turn in data["turns"]
    ]
    questions = [_question(entry) for entry in data["qa"]]
    kept = [each for each in questions if each.evidence or not each.answerable]
    return Conversation("BEAM", file.stem, turns, kept)


def _question(entry: dict[str, Any]) -> Question:
    parts = entry.get("by_part", {})
    return Question(
        entry["question"],
        entry["type"].replace("_", " "),
        _names(entry["evidence"]),
        entry["type"] != _UNANSWERABLE,
        _names(parts.get("updated_info", parts.get("second_statement", ()))),
        _names(parts.get("original_info", parts.get("first_statement", ()))),
    )


def _names(ids: Iterable[object]) -> frozenset[str]:
    return frozenset(str(one) for one in ids)
