"""A recall that was kept, and the rows that it brought."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KeptRecall:
    """One question that was asked, secrets masked, and how it went.

    ``hits`` rows came back; ``fallback`` names the vectors that were asked as well, ``outcome``
    is ``ok``, ``failed`` or ``None`` where nobody said.
    """

    id: int
    asked_at: str
    question: str
    hits: int
    unknown: tuple[str, ...]
    fallback: str | None
    duration_ms: float
    outcome: str | None
    outcome_at: str | None
    forgotten_at: str | None


@dataclass(frozen=True, slots=True)
class KeptHit:
    """A row that a recall brought: ``text`` as it is now, ``None`` where it is out of reach."""

    rank: int
    kind: str
    id: int | str
    text: str | None
    score: float
    fallback: bool
    used_at: str | None

    @property
    def name(self) -> str:
        """Its name as `feedback` takes it: ``turn:12``, or the id of a fact."""
        return str(self.id) if self.kind == "fact" else f"{self.kind}:{self.id}"
