"""Policies: how a store treats a fact of a category, and the guide for agents."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from memctl.base.categories import KINDS, UNSORTED_IMPORTANCE, check_category
from memctl.base.clock import moved
from memctl.base.packaged import text_in
from memctl.base.user_zone import is_bare_day

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memctl.base.user_zone import UserZone
    from memctl.config.settings import Settings

_NEVER = "never"
_LAST_SECOND = "T23:59:59Z"
_COMPANION = (
    "You accompany a person: people and pets in their life, plans, health that they speak of, "
    "routines and feelings in their own words are worth keeping."
)


@dataclass(frozen=True, slots=True)
class Policy:
    """The policy of one category, from the table of kinds and a store's settings of every fact."""

    category: str | None
    importance: float
    days: int
    immutable: bool
    threshold: float
    max_batch: int
    max_fact: int
    include: tuple[str, ...]
    exclude: tuple[str, ...]

    @classmethod
    def of(cls, settings: Settings, category: str | None) -> Policy:
        """Read the policy for `category`; UsageError where it is unknown."""
        if category is not None:
            check_category(category)
        return _policy(category, *settings.several(*_SETTINGS).values())


_SETTINGS = ("importance_threshold", "max_batch", "max_fact", "include_rules", "exclude_rules")


@lru_cache(maxsize=64)
def _policy(
    category: str | None,
    threshold: float,
    max_batch: int,
    max_fact: int,
    include: str,
    exclude: str,
) -> Policy:
    """Return the policy that the values of `_SETTINGS` make, in their order."""
    kind = KINDS.get(category or "")
    # A lifetime counted from the last recall archives; it is no date of expiry.
    days = kind.days if kind and kind.ending != "archived" else 0
    return Policy(
        category,
        kind.importance if kind else UNSORTED_IMPORTANCE,
        days,
        bool(kind and kind.immutable),
        threshold,
        max_batch,
        max_fact,
        _phrases(include),
        _phrases(exclude),
    )


def expiry(policy: Policy, now: str) -> dict[str, str | None]:
    """Return ``expires_at`` and ``expires_by`` of a new fact of a category."""
    if policy.days:
        return {"expires_at": moved(now, days=policy.days), "expires_by": "category"}
    return {"expires_at": None, "expires_by": None}


def given_expiry(given: str, zone: UserZone) -> dict[str, str | None]:
    """Return ``expires_at`` and ``expires_by`` by a caller's word: a date, ``never``, or nothing."""
    if given in {_NEVER, ""}:
        return {"expires_at": None, "expires_by": None}
    return {"expires_at": _end_of(given, zone, what="expires_at"), "expires_by": "given"}


def _end_of(value: str, zone: UserZone, *, what: str) -> str:
    """Return when something ends that lasts until a time, or through a bare day: its midnight.

    The last day there is ends with its last second.
    """
    last = zone.told(value, what=what, last=True).at
    if not is_bare_day(value):
        return last
    try:
        return moved(last, seconds=1)
    except OverflowError:
        return last


def moved_with(time: str, start: str, new_start: str) -> str:
    """Return `time` as far after a new start as it was after the old one."""
    if start == new_start:
        return time
    try:
        after = datetime.fromisoformat(time) - datetime.fromisoformat(start)
        return _stored(datetime.fromisoformat(new_start) + after)
    except OverflowError:
        return f"9999-12-31{_LAST_SECOND}"


def _stored(time: datetime) -> str:
    """Return a time in the stored shape."""
    return time.isoformat(timespec="seconds").replace("+00:00", "Z")


def guide(settings: Settings, held: Mapping[str, int] = MappingProxyType({})) -> str:
    """Return the protocol as Markdown, with the store's own rules, under 600 tokens without them.

    Parameters
    ----------
    held
        How many facts of each category hold.
    """
    rules = settings.several("domain", "include_rules", "exclude_rules", "importance_threshold")
    own = [_COMPANION] if rules["domain"] == "companion" else []
    if rules["include_rules"]:
        own.append(f"Always worth keeping: {rules['include_rules']}.")
    if rules["exclude_rules"]:
        own.append(f"Never keep: {rules['exclude_rules']}.")
    if rules["importance_threshold"]:
        own.append(f"Facts below importance {rules['importance_threshold']} are not kept.")
    if held:
        counts = ", ".join(f"{category} {count}" for category, count in held.items())
        own.append(f"Facts that hold: {counts}.")
    overlay = "\n## Here\n" + "\n".join(f"- {line}" for line in own) if own else ""
    text = text_in("memctl.semantic", "guide.md")
    return text.format(categories=", ".join(KINDS), overlay=overlay).rstrip() + "\n"


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(phrase.strip().casefold() for phrase in text.split(";") if phrase.strip())
