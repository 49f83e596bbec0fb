"""The fast search: cheap exact stages first, then likeness, then a bit of brute force."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.matching.candidates import Candidates, joined
from memctl.visual.matching.confirm import Account
from memctl.visual.matching.findings import TOO_FLAT, TOO_LARGE
from memctl.visual.matching.stage_audit import audit
from memctl.visual.matching.stage_coarse import propose_coarse
from memctl.visual.matching.stage_fuzzy import propose_alike
from memctl.visual.matching.stage_hash import propose_hashed
from memctl.visual.matching.stage_last import propose_last

if TYPE_CHECKING:
    from memctl.visual.boxes import Box
    from memctl.visual.matching.prepared import TemplateSet
    from memctl.visual.matching.screen import Screen
    from memctl.visual.matching.settings import Settings
    from memctl.visual.matching.stopwatch import Stopwatch

__all__ = ["search_area"]


def search_area(
    screen: Screen,
    known: TemplateSet,
    settings: Settings,
    watch: Stopwatch,
    *,
    audited: bool = True,
) -> Account:
    """Find all templates of a set in one part of a screenshot.

    Parameters
    ----------
    audited
        False leaves out the brute force.
    """
    account = Account(known, screen, settings)
    _refuse_hopeless(account, known, screen.area)
    proposed = _proposals(account, watch)
    with watch.stage("verify"):
        account.take(proposed)
    if audited:
        with watch.stage("audit"):
            audit(account, settings.audit)
    with watch.stage("explain"):
        account.explain()
    return account


def _proposals(account: Account, watch: Stopwatch) -> Candidates:
    """Let every stage propose, whatever the others do."""
    known, screen, settings = account.known, account.screen, account.settings
    with watch.stage("last"):
        proposed = [propose_last(known, screen)]
    with watch.stage("hash"):
        proposed += propose_hashed(known, screen)
    if settings.anchors:
        with watch.stage("fuzzy"):
            candidates, dropped = propose_alike(known, screen, settings)
            account.count("fuzzy: dropped", dropped + screen.keypoints.dropped)
            proposed.append(candidates)
    if settings.coarse:
        with watch.stage("coarse"):
            candidates, waiting = propose_coarse(known, screen, settings.coarse)
            account.count("coarse: waiting", waiting)
            proposed.append(candidates)
    return joined(proposed)


def _refuse_hopeless(account: Account, known: TemplateSet, area: Box) -> None:
    for owner in np.flatnonzero(~known.usable).tolist():
        account.refuse(owner, TOO_FLAT)
    for owner in np.flatnonzero((known.w > area.w) | (known.h > area.h)).tolist():
        account.refuse(owner, TOO_LARGE)
