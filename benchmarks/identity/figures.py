"""Counts outcomes."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from benchmarks.identity.answers import ABSENT, RIGHT, WRONG

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from benchmarks.identity.answers import Answer

__all__ = ["Count", "count", "grouped"]


@dataclass(frozen=True, slots=True)
class Count:
    """How many questions ended how.

    Parameters
    ----------
    there, right
        Elements that could be seen, and those of them that were found.
    gone, absent
        Elements that could not be seen, and those of them that nothing was taken for.
    wrong
        Answers that point at something else, whether the element could be seen or not.
    """

    asked: int
    wrong: int
    there: int
    right: int
    gone: int
    absent: int

    @property
    def found_share(self) -> float | None:
        """Found, of what could be seen."""
        return self.right / self.there if self.there else None

    @property
    def absent_share(self) -> float | None:
        """Said to be absent, of what could not be seen."""
        return self.absent / self.gone if self.gone else None

    def as_json(self) -> dict[str, Any]:
        """Return the counts by name."""
        return asdict(self)


def count(answers: Iterable[Answer]) -> Count:
    """Count the outcomes of some answers."""
    seen = Counter((one.there, one.outcome) for one in answers)
    return Count(
        asked=seen.total(),
        wrong=sum(seen[there, WRONG] for there in (True, False, None)),
        there=sum(n for (there, _), n in seen.items() if there is True),
        right=seen[True, RIGHT],
        gone=sum(n for (there, _), n in seen.items() if there is False),
        absent=seen[False, ABSENT],
    )


def grouped(answers: Iterable[Answer], by: Callable[[Answer], str]) -> dict[str, Count]:
    """Count the outcomes of each group, in the order in which the groups appear."""
    groups: dict[str, list[Answer]] = {}
    for one in answers:
        groups.setdefault(by(one), []).append(one)
    return {name: count(some) for name, some in groups.items()}
