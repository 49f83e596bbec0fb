"""One question to recall, with everything that limits and narrows its answer."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.errors import UsageError
from memctl.base.near_words import one_of
from memctl.base.user_zone import UserZone

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from memctl.text.aliases import Aliases

MAX_LIMIT = 1000

# Rows within a budget where no limit is given.
_LIMIT_OF_A_BUDGET = 200

_ASCII_LOWER = {ord(letter): letter.lower() for letter in ascii_uppercase}
_KINDS = ("turn", "episode", "fact", "state")
_STATUSES = ("living", "archived", "all")
_BOUNDS = (
    ("limit", 1, MAX_LIMIT), ("max_tokens", 0, inf), ("min_confidence", 0, 1), ("min_worth", 0, 1)
)  # fmt: skip


@dataclass(frozen=True)
class RecallRequest:
    """One question and the limits of its answer; made once, by the face.

    The fields are the parameters of `memctl.memory.Memory.recall`; `patient`, whether whoever asks
    waits for a model to load and for new rows to get their vectors; the zone of the store's user; and
    the `usual` number of rows, where neither a limit nor a budget is given.

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
    usual: int = 5

    def __post_init__(self) -> None:
        for name in ("tags", "participants", "kinds"):
            given = getattr(self, name)
            texts = (given,) if isinstance(given, str) else tuple(given)
            object.__setattr__(self, name, texts)
        choices = [("kind", kind, _KINDS) for kind in self.kinds]
        for name, word, known in (*choices, ("status", self.status, _STATUSES)):
            if word not in known:
                raise UsageError(f'{name} "{word}" is unknown', hint=one_of(word, known))
        for name, least, most in _BOUNDS:
            number = getattr(self, name)
            if number is not None and not least <= number <= most:
                takes = f"{least} or more" if most == inf else f"{least} to {most}"
                raise UsageError(f'{name} "{number}" is not allowed', hint=f"it takes {takes}")

    @property
    def most(self) -> int:
        """The most rows that may come: a budget ends the answer by itself, where no limit is given."""
        if self.limit is not None:
            return self.limit
        return self.usual if self.max_tokens is None else _LIMIT_OF_A_BUDGET

    @cached_property
    def moment(self) -> str:
        """The time that "yesterday" is counted from, as the user's clock shows it."""
        given = self._time(self.now, "now") or self._time(self.as_of, "as_of", last=True)
        return self.asked_in.local(given) if given else self.zone.now()

    @cached_property
    def asked_in(self) -> UserZone:
        """The zone of whoever asks: the user's, else that of the given time."""
        for given, what in ((self.now, "now"), (self.as_of, "as_of")):
            if given:
                self.zone.told(given, what=what)  # refuses what is no time
                return self.zone.asking(given)
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

    def parameters(self, aliases: Aliases) -> dict[str, Any]:
        """Return the parameters that the statements of search.sql name.

        Parameters
        ----------
        aliases
            The aliases of the store: whoever took part may be asked for by any of his names.

        Raises
        ------
        UsageError
            When a time is none.
        """
        return {
            "since": self._time(self.since, "since"),
            "until": self._time(self.until, "until", last=True),
            "tags": json.dumps([tag.lower() for tag in self.tags]),
            "participants": json.dumps(_in_any_case(tuple(self.participants), aliases)),
            "thread": self.thread,
            "status": self.status,
            "as_of": self.held_at,
            "turns": not self.kinds or "turn" in set(self.kinds),
            "episodes": not self.kinds or "episode" in set(self.kinds),
        }

    @property
    def held_at(self) -> str | None:
        """The time at which answering facts are valid; ``None`` for now."""
        return self._time(self.as_of, "as_of", last=True)

    def _time(self, text: str | None, what: str, *, last: bool = False) -> str | None:
        """Return a time as it is kept; with `last`, all of a day that is named without an hour."""
        return self.asked_in.told(text, what=what, last=last).at if text else None


def _in_any_case(names: Collection[str], aliases: Aliases) -> list[str]:
    """Return the spellings of some names as SQLite's ``lower`` has them: it lowers ASCII alone."""
    spelt = aliases.spellings(*names) if names else ()
    forms = {
        form
        for spelling in spelt
        for form in (spelling, spelling.lower(), spelling.title(), spelling.upper())
    }
    return sorted(form.translate(_ASCII_LOWER) for form in forms)
