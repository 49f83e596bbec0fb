"""Records of an extraction: the facts that are worth keeping, and what was skipped with the reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memctl.base.categories import Tag
    from memctl.semantic.records import Written


class Said(NamedTuple):
    """Something that was said: its text, by whom, when by the user's clock, and in which turn."""

    text: str
    said_at: str
    role: str = "user"
    speaker: str | None = None
    turn: int | None = None
    offset: int = 0  # characters of the whole before it
    dated: bool = True  # whether somebody told when


@dataclass(frozen=True, slots=True)
class SourcePlace:
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
class FactCandidate:
    """A fact that is worth keeping.

    Parameters
    ----------
    text
        It as it would be stored: names instead of "I", dates instead of "tomorrow".
    category, tag
        ``None`` where no word speaks for one.
    confidence
        0 to 1.
    source, said, said_at
        Where it was said, in which words, and when, in ISO 8601: ``None`` where nobody told.
    why
        What speaks for it.
    """

    text: str
    category: str | None
    tag: Tag | None
    confidence: float
    source: SourcePlace
    said: str
    said_at: str | None
    why: str


@dataclass(frozen=True, slots=True)
class SkippedPassage:
    """A passage that is not kept, and why; a secret in it is masked."""

    text: str
    source: SourcePlace
    why: str


@dataclass(frozen=True, slots=True)
class Extracted:
    """The facts of a text, the best first, what was skipped, and what became of those stored.

    Parameters
    ----------
    facts
        At most 10.
    skipped
        In the order of the text.
    written
        What became of each fact that was stored; empty where nothing was to be.
    """

    facts: tuple[FactCandidate, ...]
    skipped: tuple[SkippedPassage, ...]
    written: tuple[Written, ...] = ()
