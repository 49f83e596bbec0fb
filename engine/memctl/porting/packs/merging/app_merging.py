"""Merges the memory of an app into a store: components, screens, edges and skills.

What is merged is a union of sets, the larger of each origin's count, or the value of the later
moment: in whichever order memories are merged, and however often, the same comes out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.clock import now
from memctl.porting.packs.merging.component_merging import ComponentMerging
from memctl.porting.packs.merging.screen_merging import ScreenMerging
from memctl.porting.packs.merging.skill_merging import SkillMerging
from memctl.porting.packs.taking import taken
from memctl.store import statements

if TYPE_CHECKING:
    from memctl.config.settings import Settings
    from memctl.porting.packs.app_memory import AppMemory
    from memctl.porting.packs.merging.merge_report import MergeReport
    from memctl.porting.packs.policy import Level
    from memctl.store.store import Store

__all__ = ["merge_app"]

SQL = statements.load("store/sharing")


def merge_app(
    store: Store, settings: Settings, theirs: AppMemory, report: MergeReport, level: Level
) -> None:
    """Merge what another memory knows of the app. In a transaction."""
    mine = taken(store, level)
    for origin, address in theirs.origins.items():
        if origin != mine.origin:
            store.execute(SQL.add_origin, {"id": origin, "address": address, "now": now()})
    components = ComponentMerging(store, mine, theirs, report, level)
    screens = ScreenMerging(store, mine, theirs, report)
    same = components.recognise()
    known = screens.recognise(same, settings.number("state_merge"))
    components.merge(known)
    screens.merge(components.ids)
    SkillMerging(store, report, components.ids, screens.ids, level).merge(theirs)
