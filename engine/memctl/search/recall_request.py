"""One question to recall, with everything that limits and narrows its answer."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.errors import UsageError
from memctl.base.near_words import one_of
from memctl.base.user_zone import UserZone

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["MAX_LIMIT", "RecallRequest"]

MAX_LIMIT = 1000

# Rows where no limit is given: without a budget, and within one.
_LIMIT = 5
_LIMIT_OF_A_BUDGET = 200

_KINDS = ("turn", "episode", "fact", "state")
_STATUSES = ("living", "archived", "all")


@dataclass(frozen=True)
class RecallRequest:
    """One question and the limits of its answer; made once, by the face.

    The fields are the parameters of `memctl.memory.Memory.recall`, the zone of the store's user, and
    whether whoever asks waits for a model to load and for new rows to get their vectors.

    Raises
    ------
    UsageError
        When a limit, a kind or the status is none.
    """

    query: Any
    limit: int | None = None
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
    min_confidence: float = 0.0
    min_worth: float | None = None
    record: bool = True
    patient: bool = True
    zone: UserZone = field(default_factory=UserZone)

    def __post_init__(self) -> None:
        for name in ("tags", "participants", "kinds"):
            given = getattr(self, name)
            texts = (given,) if isinstance(given, str) else tuple(given)
            object.__setattr__(self, name, texts)
        unknown = [kind for kind in self.kinds if kind not in _KINDS]
        if unknown:
            raise UsageError(f'kind "{unknown[0]}" is unknown', hint=one_of(unknown[0], _KINDS))
        if self.limit is not None and not 1 <= self.limit <= MAX_LIMIT:
            raise UsageError(
                f'limit "{self.limit}" is not allowed', hint=f"it takes 1 to {MAX_LIMIT}"
            )
        if self.max_tokens is not None and self.max_tokens < 0:
            raise UsageError(
                f'max_tokens "{self.max_tokens}" is not allowed', hint="it takes 0 or more"
            )
        for name in ("min_confidence", "min_worth"):
            if not 0 <= (given := getattr(self, name) or 0) <= 1:
                raise UsageError(f'{name} "{given}" is not allowed', hint="it takes 0 to 1")
        if self.status not in _STATUSES:
            raise UsageError(
                f'status "{self.status}" is unknown', hint=one_of(self.status, _STATUSES)
            )

    @property
    def most(self) -> int:
        """The most rows that may come: a budget ends the answer by itself, where no limit is given."""
        if self.limit is not None:
            return self.limit
        return _LIMIT if self.max_tokens is None else _LIMIT_OF_A_BUDGET

    @cached_property
    def moment(self) -> str:
        """The time that "yesterday" is counted from, as the user's clock shows it."""
        told = self._time(self.now, "now") or self._time(self.as_of, "as_of", last=True)
        return self.asked_in.local(told) if told else self.zone.now()

    @cached_property
    def asked_in(self) -> UserZone:
        """The zone of whoever asks: the user's, else the one that the time is told in."""
        for told, what in ((self.now, "now"), (self.as_of, "as_of")):
            if told:
                self.zone.told(told, what=what)  # refuses what is no time
                return self.zone.asking(told)
        return self.zone.asking(clock.told_now())

    @property
    def allows_facts(self) -> bool:
        """Return whether facts are among the kinds asked for."""
        return not self.kinds or "fact" in set(self.kinds)

    @property
    def allows_turns_or_episodes(self) -> bool:
        """Return whether turns or episodes are among the kinds asked for."""
        return not self.kinds or not {"turn", "episode"}.isdisjoint(self.kinds)

    @property
    def allows_states(self) -> bool:
        """Return whether states are asked for: by their kind, or where no filter bars them."""
        filters = (self.tags, self.participants, self.thread, self.since, self.until, self.as_of)
        barred = any(filters) or self.status != "living"
        return "state" in self.kinds or not (self.kinds or barred)

    @property
    def no_facts_note(self) -> str:
        """The note on a filter that no fact can pass, for none has such a field; else empty."""
        for name in ("since", "until", "tags", "participants", "thread"):
            if getattr(self, name):
                return f'facts have no such thing as "{name}": leave that filter out'
        if self.status == "archived":
            return "no fact is archived as turns are: leave that filter out"
        return ""

    @property
    def narrows(self) -> bool:
        """Return whether turns or episodes are left out for more than being archived."""
        times = (self.since, self.until, self.as_of, self.thread)
        lists = (self.tags, self.participants, self.kinds)
        return any(each is not None for each in times) or any(lists) or self.status != "living"

    def parameters(self) -> dict[str, Any]:
        """Return the parameters that the statements of episodic_recall.sql name.

        Raises
        ------
        UsageError
            When a time is none.
        """
        return {
            "since": self._time(self.since, "since"),
            "until": self._time(self.until, "until", last=True),
            "tags": json.dumps([tag.lower() for tag in self.tags]),
            "participants": json.dumps([name.lower() for name in self.participants]),
            "thread": self.thread,
            "status": self.status,
            "as_of": self._time(self.as_of, "as_of", last=True),
            "turns": not self.kinds or "turn" in set(self.kinds),
            "episodes": not self.kinds or "episode" in set(self.kinds),
        }

    def _time(self, text: str | None, what: str, *, last: bool = False) -> str | None:
        """Return a time as it is kept; with `last`, all of a day that is named without an hour."""
        return self.asked_in.told(text, what=what, last=last).at if text else None
