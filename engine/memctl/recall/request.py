"""One question to all tiers, and what narrows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memctl.base.errors import UsageError
from memctl.episodic.episodic import several
from memctl.episodic.search.recall import check_limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memctl.episodic.episodic import Episodic
    from memctl.episodic.recall_results import Recalled

__all__ = ["KINDS", "Asked", "barred", "of_episodic"]

KINDS = ("turn", "episode", "fact")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question and what narrows it; the parameters of `memctl.memory.Memory.recall`."""

    query: Any
    limit: int = 5
    max_tokens: int | None = None
    as_of: str | None = None
    now: str | None = None
    since: str | None = None
    until: str | None = None
    tags: Iterable[str] = ()
    participants: Iterable[str] = ()
    thread: str | None = None
    status: str = "living"
    kinds: Iterable[str] = ()

    def __post_init__(self) -> None:
        unknown = [kind for kind in several(self.kinds) if kind not in KINDS]
        if unknown:
            raise UsageError(f'kind "{unknown[0]}" is unknown', hint=f"one of {', '.join(KINDS)}")
        check_limits(self.limit, self.max_tokens)

    @property
    def of_facts(self) -> bool:
        """Whether a fact could answer by its kind."""
        return not self.kinds or "fact" in several(self.kinds)

    @property
    def of_rows(self) -> bool:
        """Whether a turn or an episode could answer by its kind."""
        return not self.kinds or set(several(self.kinds)) != {"fact"}

    @property
    def barring(self) -> str:
        """The filter that no fact can pass, for none has what it asks for; else empty."""
        asked = {
            "since": self.since,
            "until": self.until,
            "tags": several(self.tags),
            "participants": several(self.participants),
            "thread": self.thread,
            "status": self.status == "archived",
        }
        return next((name for name, value in asked.items() if value), "")


def barred(name: str) -> str:
    """Return what is said where a filter keeps facts from being asked."""
    if name == "status":
        return "no fact is archived as turns are: leave that filter out"
    return f'facts have no such thing as "{name}": leave that filter out'


def of_episodic(
    episodic: Episodic,
    asked: Asked,
    *,
    primary: int = 0,
    elsewhere: Callable[[str], bool] = lambda _: False,
    record: bool,
) -> Recalled:
    """Return the turns and episodes alone.

    Parameters
    ----------
    primary
        Facts that cover enough of the question.
    elsewhere
        Whether a fact holds a word.
    """
    return episodic.recall(
        asked.query,
        asked.limit,
        asked.max_tokens,
        asked.as_of,
        now=asked.now,
        since=asked.since,
        until=asked.until,
        tags=asked.tags,
        participants=asked.participants,
        thread=asked.thread,
        status=asked.status,
        kinds=[kind for kind in several(asked.kinds) if kind != "fact"],
        primary=primary,
        elsewhere=elsewhere,
        record=record,
    )
