"""Which rows leave a store: tiers, times, tags, states; named ones are profiles."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memctl.base.categories import KINDS
from memctl.base.errors import UsageError
from memctl.base.near_words import one_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.base.clock import When
    from memctl.base.user_zone import UserZone

TIERS: Mapping[str, str] = {
    "turns": "turn",
    "episodes": "episode",
    "facts": "fact",
    "aliases": "alias",
    "knowledge": "knowledge",
    "skills": "skill",
}
"""The tiers that are exported, with the kind of their rows."""

STATES = ("active", "pending", "superseded", "forgotten")
"""States of rows: a fact's status; what is archived is forgotten, a skill that is a draft pending."""

_KEYS = ("tiers", "since", "until", "tags", "states")


@dataclass(frozen=True, slots=True)
class ExportSelection:
    """The rows that are exported; all where nothing is said."""

    tiers: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    tags: tuple[str, ...] = ()
    states: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        tiers: Sequence[str] = (),
        since: When | None = None,
        until: When | None = None,
        tags: Sequence[str] = (),
        states: Sequence[str] = (),
        *,
        zone: UserZone,
    ) -> ExportSelection:
        """Return a selection whose words and times are checked.

        Raises
        ------
        UsageError
            When a word or a time is not allowed, or the times are backwards.
        """
        _check(tiers, tuple(TIERS), "tier")
        _check(states, STATES, "state")
        begin = zone.told(since, what="since").at if since is not None else None
        end = zone.told(until, what="until").at if until is not None else None
        if begin and end and begin >= end:
            raise UsageError("since is not before until", hint="swap them")
        return cls(tuple(tiers), begin, end, tuple(tags), tuple(states))

    @classmethod
    def profile(cls, name: str, profiles: str, zone: UserZone) -> ExportSelection:
        """Return a named selection of the setting ``export_profiles``.

        Raises
        ------
        UsageError
            When there is none of the name.
        """
        known = json.loads(profiles) if profiles else {}
        if name not in known:
            hint = (
                one_of(name, sorted(known)) if known else "the setting export_profiles holds none"
            )
            raise UsageError(f'there is no export profile "{name}"', hint=hint)
        try:
            return cls.of(**known[name], zone=zone)
        except TypeError as error:
            raise UsageError(
                f'the export profile "{name}" cannot be used: {error}',
                hint=f"it may hold: {', '.join(_KEYS)}",
            ) from None

    def has(self, tier: str) -> bool:
        """Return whether rows of a tier are exported."""
        if self.tiers:
            return tier in self.tiers
        # Neither bears a tag, and a skill no day: where these are asked for, it is for other rows.
        return tier != "skills" or not (self.since or self.until or self.tags)

    @property
    def asked(self) -> dict[str, Any]:
        """The parameters of the statements that read rows."""
        tags = [
            *self.tags,
            *(kind.category for kind in KINDS.values() if kind.tag.lower() in _low(self.tags)),
        ]
        return {
            "since": self.since,
            "until": self.until,
            "states": json.dumps(self.states) if self.states else None,
            "tags": json.dumps(tags) if tags else None,
        }

    @property
    def told(self) -> dict[str, Any]:
        """What is chosen, as JSON has it; nothing where it is all."""
        return {key: value for key in _KEYS if (value := getattr(self, key))}


def _low(words: Sequence[str]) -> set[str]:
    return {word.lower() for word in words}


def _check(words: Sequence[str], allowed: Sequence[str], what: str) -> None:
    for word in words:
        if word not in allowed:
            raise UsageError(f'there is no {what} "{word}"', hint=one_of(word, allowed))
