"""Recall over the tiers: turns, episodes and facts in one list.

It stands one floor above the tiers, which do not know each other. Where a store holds no
facts, nothing of them is loaded; else `memctl.merging` puts the rows of all tiers together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memctl import queries
from memctl.episodic.memory import several
from memctl.episodic.recall import check_limits
from memctl.episodic.results import Recalled
from memctl.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from memctl.episodic.memory import Episodic
    from memctl.semantic.finding import FactFinder
    from memctl.settings import Settings
    from memctl.store import Store

__all__ = ["KINDS", "Asked", "recall_across"]

READ = queries.load("store/fact_read")

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


def recall_across(
    facts: Callable[[], FactFinder],
    episodic: Episodic,
    store: Store,
    settings: Settings,
    asked: Asked,
    *,
    record: bool = True,
) -> Recalled:
    """Return the best rows of all tiers, best first; of equals, facts before the rest.

    `max_tokens` is a hard cap on what all rows cost together, `limit` on how many there
    are. Rows that only vectors brought stand behind those that words did, and are looked
    for only where words of all tiers brought too few. `facts` is called where the store
    holds one: what finds them takes longer to load than a recall.
    """
    asks_facts = asked.of_facts and not asked.barring and _holds_facts(store)
    if asked.of_rows and not asks_facts:
        return of_episodic(episodic, asked, record=record)
    if not store.exists:
        return Recalled((), note="nothing was remembered yet")
    from memctl.merging import recall_merged

    return recall_merged(
        facts(), episodic, store, settings, asked, asks_facts=asks_facts, record=record
    )


def _holds_facts(store: Store) -> bool:
    """Whether the store has a fact at all, whoever's; one row is looked at."""
    return store.exists and store.row(READ.any_fact) is not None


def of_episodic(episodic: Episodic, asked: Asked, *, primary: int = 0, record: bool) -> Recalled:
    """Return the turns and episodes alone; `primary` facts cover enough of the question."""
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
        record=record,
    )
