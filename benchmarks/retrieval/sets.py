"""Public sets of conversations with questions, whatever shape their files have.

- LoCoMo (Maharana et al., ACL 2024): two people who chat; a folder, one JSON a conversation.
- BEAM (Tavakoli et al., 2025): a user and an assistant who writes pages; a folder, one JSON a chat.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

UPDATE = "knowledge update"
# The constants of the ranking are fitted on these; figures of the others are the ones to report.
_FITTED = {"LoCoMo": ("26", "30", "41"), "BEAM": ("1", "2", "3", "4", "5")}
_LABELS = {
    1: "multi-hop",
    2: "temporal",
    3: "open-domain",
    4: "single-hop",
    5: "adversarial",
}
_ADVERSARIAL = 5
_SESSION = re.compile(r"session_(\d+)$")
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")
_AT = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True)
class Turn:
    """One turn: who said what, when, in which session, and the caption of its image.

    A turn has a speaker's name (two people) or only a role (a user and an assistant).
    """

    name: str
    session: str
    text: str
    said_at: str
    role: str = "user"
    speaker: str = ""
    caption: str = ""

    @property
    def searched(self) -> str:
        """The text that others search: what was said, and the caption."""
        return f"{self.text} {self.caption}".strip()

    @property
    def announced(self) -> str:
        """The same with who said it, as a vector sees it."""
        return f"{self.speaker or self.role}: {self.searched}"


@dataclass(frozen=True)
class Question:
    """One question, its type, and the names of the turns that hold its answer.

    An unanswerable one has the turns that mislead, or none. `newer` and `older` are the turns of
    an update: those that state the present value, and those that state the one before; or the two
    sides of a contradiction, in no order of time.
    """

    text: str
    label: str
    evidence: frozenset[str]
    answerable: bool = True
    newer: frozenset[str] = frozenset()
    older: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Conversation:
    """One conversation of a set, with its questions in order."""

    kind: str
    name: str
    turns: list[Turn]
    questions: list[Question]

    @property
    def last_at(self) -> str:
        """When the questions are asked: at the end of the conversation."""
        return max(turn.said_at for turn in self.turns)

    @property
    def fitted(self) -> bool:
        """Whether the constants of the ranking were fitted on it."""
        return self.name in _FITTED.get(self.kind, ())

    @property
    def people(self) -> frozenset[str]:
        """The names of those who speak."""
        return frozenset(turn.speaker for turn in self.turns if turn.speaker)


def halves(conversations: list[Conversation]) -> dict[str, list[Conversation]]:
    """Return the conversations to report and those fitted on, each where there are any."""
    parts = {
        "kept aside": [c for c in conversations if not c.fitted],
        "fitted on": [c for c in conversations if c.fitted],
    }
    return {name: chosen for name, chosen in parts.items() if chosen}


def read_locomo(folder: Path) -> list[Conversation]:
    """Return the conversations of a folder by name; questions without evidence are left out."""
    where = (
        "LoCoMo conversations; they are at https://github.com/snap-research/locomo (CC BY-NC 4.0)"
    )
    return [_locomo(file) for file in _files(folder, where)]


def read_beam(folder: Path) -> list[Conversation]:
    """Return the chats of a folder by number.

    A file holds ``turns`` (``id``, ``role``, ``session``, ``at``, ``text``) and ``qa`` (``type``,
    ``question``, ``evidence``: ids of turns, and ``by_part`` for updates and contradictions).
    Questions without evidence are left out, but for those that the chat does not answer.
    """
    where = "BEAM chats; they are at https://github.com/mohammadtavakoli78/BEAM"
    return [_beam(file) for file in _files(folder, where)]


def _files(folder: Path, where: str) -> list[Path]:
    files = sorted(folder.glob("*.json"), key=lambda file: (len(file.stem), file.stem))
    if not files:
        raise SystemExit(f'"{folder}" holds no {where}')
    return files


def _locomo(file: Path) -> Conversation:
    data = json.loads(file.read_text("utf-8"))
    numbers = sorted(int(found[1]) for key in data if (found := _SESSION.match(key)) and data[key])
    turns = [turn for number in numbers for turn in _locomo_turns(data, number)]
    known = {turn.name for turn in turns}
    questions = [
        Question(
            entry["question"],
            _LABELS[entry["category"]],
            evidence,
            entry["category"] != _ADVERSARIAL,
        )
        for entry in data["qa"]
        if (evidence := _locomo_evidence(entry) & known)
    ]
    return Conversation("LoCoMo", file.stem, turns, questions)


def _locomo_turns(data: dict[str, Any], number: int) -> list[Turn]:
    at = _time(data[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y")
    return [
        Turn(
            turn["dia_id"],
            f"session_{number}",
            turn["text"],
            at,
            speaker=turn["speaker"],
            caption=turn.get("blip_caption") or "",
        )
        for turn in data[f"session_{number}"]
    ]


def _locomo_evidence(entry: dict[str, Any]) -> frozenset[str]:
    joined = " ".join(entry["evidence"])
    return frozenset(f"D{int(d)}:{int(t)}" for d, t in _EVIDENCE.findall(joined))


def _beam(file: Path) -> Conversation:
    data = json.loads(file.read_text("utf-8"))
    turns = [
        Turn(str(turn["id"]), turn["session"], turn["text"], turn["at"], turn["role"])
        for turn in data["turns"]
    ]
    questions = [_beam_question(entry) for entry in data["qa"]]
    kept = [each for each in questions if each.evidence or not each.answerable]
    return Conversation("BEAM", file.stem, turns, kept)


def _beam_question(entry: dict[str, Any]) -> Question:
    parts = entry.get("by_part", {})
    return Question(
        entry["question"],
        entry["type"].replace("_", " "),
        _names(entry["evidence"]),
        entry["type"] != "abstention",
        _names(parts.get("updated_info", parts.get("second_statement", ()))),
        _names(parts.get("original_info", parts.get("first_statement", ()))),
    )


def _time(text: str, shape: str) -> str:
    return datetime.strptime(text, shape).strftime(_AT)  # noqa: DTZ007  (the files name no zone)


def _names(ids: Iterable[object]) -> frozenset[str]:
    return frozenset(str(one) for one in ids)
