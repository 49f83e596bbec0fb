"""Keeps what was answered, with the screenshots, so that rivals can be asked the same."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.identity.answers import Answer
    from benchmarks.identity.asking import Pupil
    from benchmarks.identity.pages import Box, Learned, Shot

__all__ = ["Noted", "Notes"]


@dataclass(frozen=True, slots=True)
class Noted:
    """An answer, the asked screenshot with what is marked on it, and what was learned."""

    answer: Answer
    shot: Shot
    marked: tuple[Box, ...]
    learned: Learned


@dataclass
class Notes:
    """All answers of a run.

    Parameters
    ----------
    every
        Every so many questions are asked by `locate` too: it costs a search each.
    """

    every: int = 12
    noted: list[Noted] = field(default_factory=list)
    match_ms: list[float] = field(default_factory=list)
    learn_ms: list[float] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    unlearned: dict[str, int] = field(default_factory=dict)
    _pick: random.Random = field(default_factory=lambda: random.Random(7))

    def add(self, answer: Answer, shot: Shot, marked: Sequence[Box], learned: Learned) -> None:
        """Keep an answer."""
        self.noted.append(Noted(answer, shot, tuple(marked), learned))

    def match(self, ms: float) -> None:
        """Keep the time of a match."""
        self.match_ms.append(ms)

    def say(self, remark: str) -> None:
        """Keep something that the reader should know."""
        self.remarks.append(remark)

    def pupil(self, what: str, one: Pupil) -> None:
        """Keep what a memory did not learn as things of their own, and how long it took."""
        self.learn_ms += one.learn_ms
        if one.unlearned:
            self.unlearned[what] = len(one.unlearned)
            names = ", ".join(box.label[:20] or box.name for box in one.unlearned[:4])
            self.say(f"{what}: {len(one.unlearned)} boxes made no component: {names}")

    def wants_locate(self) -> bool:
        """Return whether this question is one of those that `locate` gets too."""
        return bool(self.every) and self._pick.randrange(self.every) == 0

    @property
    def answers(self) -> list[Answer]:
        """The answers alone."""
        return [one.answer for one in self.noted]
