"""Reads LoCoMo conversations (Maharana et al., ACL 2024): one JSON a conversation."""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import TYPE_CHECKING, Any

from benchmarks.retrieval.conversations import Conversation, Question, Turn

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["read_locomo"]

_LABELS = {
    1: "multi-hop",
    2: "temporal",
    3: "open-domain",
    4: "single-hop",
    5: "adversarial",
}
_UNANSWERABLE = 5
_SESSION = re.compile(r"session_(\d+)$")
_DATE = "%I:%M %p on %d %B, %Y"
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")


def read_locomo(folder: Path) -> list[Conversation]:
    """Return the conversations of a folder, in the order of their names.

    Questions without evidence are left out.
    """
    files = sorted(folder.glob("*.json"))
    if not files:
        raise SystemExit(
            f'"{folder}" holds no LoCoMo conversations; they are at '
            "https://github.com/snap-research/locomo (CC BY-NC 4.0)"
        )
    return [_read(file) for file in files]


def _read(file: Path) -> Conversation:
    data = json.loads(file.read_text("utf-8"))
    numbers = sorted(int(found[1]) for key in data if (found := _SESSION.match(key)) and data[key])
    turns = [turn for number in numbers for turn in _turns(data, number)]
    known = {turn.name for turn in turns}
    questions = [
        Question(
            entry["question"],
            _LABELS[entry["category"]],
            evidence,
            entry["category"] != _UNANSWERABLE,
        )
        for entry in data["qa"]
        if (evidence := _evidence(entry) & known)
    ]
    return Conversation("LoCoMo", file.stem, turns, questions)


def _turns(data: dict[str, Any], number: int) -> list[Turn]:
    moment = datetime.strptime(data[f"session_{number}_date_time"], _DATE)  # noqa: DTZ007
    return [
        Turn(
            turn["dia_id"],
            f"session_{number}",
            turn["text"],
            moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
            speaker=turn["speaker"],
            caption=turn.get("blip_caption") or "",
        )
        for turn in data[f"session_{number}"]
    ]


def _evidence(entry: dict[str, Any]) -> frozenset[str]:
    joined = " ".join(entry["evidence"])
    return frozenset(f"D{int(d)}:{int(t)}" for d, t in _EVIDENCE.findall(joined))
