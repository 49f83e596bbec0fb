"""Records of an extraction: facts that are worth keeping, and skipped passages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from memctl.base.categories import Tag
from memctl.semantic.records import Written
from memctl.store.results import Result

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.base.user_zone import UserZone
    from memctl.episodic.log import Turn


class Said(NamedTuple):
    """A turn, or a text: by whom, and when by the user's clock."""

    text: str
    said_at: str
    role: str = "user"
    speaker: str | None = None
    turn: int | None = None
    offset: int = 0  # characters of the whole before it
    dated: bool = True  # whether its time is known

    def place(self, start: int, end: int) -> SourcePlace:
        """Return the place of some of its characters."""
        return SourcePlace(self.turn, self.offset + start, self.offset + end)


def said_in(turns: Iterable[Turn], zone: UserZone) -> list[Said]:
    """Return turns of the log word for word, by the user's clock."""
    return [
        Said(t.text, zone.local(t.logged_at, t.utc_offset), t.role, t.speaker, t.id) for t in turns
    ]


@dataclass(frozen=True, slots=True)
class SourcePlace(Result):
    """The source of a fact: characters `start` to `end` (exclusive) of a turn, or of the text.

    `turn` is the id of a turn of the log; ``None`` where a text was given.
    """

    turn: int | None
    start: int
    end: int

    @property
    def name(self) -> str:
        """The place in words: ``turn:12`` or ``characters 0-24``."""
        return f"characters {self.start}-{self.end}" if self.turn is None else f"turn:{self.turn}"


@dataclass(frozen=True, slots=True)
class FactCandidate(Result):
    """A fact that is worth keeping."""

    text: str  # as it would be stored: names instead of "I", dates instead of "tomorrow"
    category: str | None  # ``None`` where no word speaks for one
    tag: Tag | None
    confidence: float  # 0 to 1
    source: SourcePlace
    said: str  # its words there
    said_at: str | None  # in ISO 8601, where it is known
    why: str  # what speaks for it


@dataclass(frozen=True, slots=True)
class SkippedPassage(Result):
    """A passage that is not kept, and why; a secret in it is masked."""

    text: str
    source: SourcePlace
    why: str


@dataclass(frozen=True, slots=True)
class Extracted(Result):
    """The facts of a text, the best first, and the rest of it."""

    facts: tuple[FactCandidate, ...]  # at most 10
    skipped: tuple[SkippedPassage, ...]  # in the order of the text
    written: tuple[Written, ...] = ()  # what became of each fact, where they were stored
