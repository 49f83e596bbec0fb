"""Conversations whose questions name the turns that hold the answer, whatever set they are of."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Conversation", "Question", "Turn", "halves"]

# The constants of the ranking are fitted on these; figures of the others are the ones to report.
_FITTED = {"LoCoMo": ("26", "30", "41"), "BEAM": ("1", "2", "3", "4", "5")}


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
        return self.name in _FITTED[self.kind]

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
