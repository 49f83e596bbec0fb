"""What an export reads: the chosen rows of a store, counted as they go."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from memctl.porting.exports.export_selection import TIERS
from memctl.porting.exports.kept_items import EVERYBODY, items_of, own_origin
from memctl.procedural.skills import Skills

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from memctl.base.scope import Scope
    from memctl.config.settings import Settings
    from memctl.porting.exports.export_selection import ExportSelection
    from memctl.procedural.skill_records import Skill
    from memctl.store.store import Store

__all__ = ["ExportSource"]

_REPORTED = 500  # rows after which progress is told
# Statuses of skills by the state that is asked for; without one, those that live.
_SKILLS = {
    "active": "active",
    "pending": "draft",
    "superseded": "archived",
    "forgotten": "rejected",
}


class ExportSource:
    """The chosen rows of one store.

    Parameters
    ----------
    scope
        Whose facts leave it.
    chosen
        Which rows.
    progress
        Called with the number of rows that were read, now and then.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        scope: Scope | None,
        chosen: ExportSelection,
        progress: Callable[[int], object] | None = None,
    ) -> None:
        self.store = store
        self.settings = settings
        self._scope = scope.reading() if scope else EVERYBODY
        self._chosen = chosen
        self._progress = progress
        self.counts: Counter[str] = Counter()

    @property
    def header(self) -> dict[str, Any]:
        """What names the store, and what is chosen of it."""
        told = {"origin": own_origin(self.store), "address": str(self.store.address)}
        return {**told, **({"chosen": self._chosen.told} if self._chosen.told else {})}

    @property
    def is_whole(self) -> bool:
        """Whether no tier, time or tag was chosen, so that what has none of these goes out too."""
        return not self._chosen.told.keys() - {"states"}

    def items(self, tier: str) -> Iterator[dict[str, Any]]:
        """Yield the items of a tier; none where it is not chosen."""
        if not self._chosen.has(tier):
            return
        kind = TIERS[tier]
        for item in items_of(self.store, kind, self._chosen.asked, self._scope):
            self._count(kind)
            yield item

    def day(self, at: str, item: dict[str, Any]) -> str:
        """Return the user's day of a time of an item, ``2026-11-20``."""
        return self.store.zone.day(at, item.get("utc_offset"))

    def skills(self) -> Iterator[Skill]:
        """Yield the skills, in the order of their names."""
        if not self._chosen.has("skills"):
            return
        skills = Skills(self.store)
        lists = [skills.list(_SKILLS[state]) for state in self._chosen.states] or [skills.list()]
        for skill in sorted((one for some in lists for one in some), key=lambda one: one.name):
            self._count("skill")
            yield skill

    def _count(self, kind: str) -> None:
        self.counts[kind] += 1
        if self._progress is not None and self.counts.total() % _REPORTED == 0:
            self._progress(self.counts.total())
