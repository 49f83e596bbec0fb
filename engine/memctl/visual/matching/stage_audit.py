"""Stage 4: brute force for a few templates a frame, in turn, so that no error persists.

The stages before are quick because they propose; this one asks nobody. Each frame, one
missing template is searched in one band of the screen by plain correlation, and the next
frame takes the next band. Templates that have nothing to be proposed by come first, and get
the whole screen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from memctl.visual.boxes import Box
from memctl.visual.matching.exhaustive import Area, search

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memctl.visual.matching.confirm import Account

__all__ = ["audit"]

BANDS = 16
HELPLESS = 4
"""Templates without any anchor that are searched in one frame; the others wait their turn."""


def audit(account: Account, bands: int) -> None:
    """Search by brute force what the account leaves open.

    Parameters
    ----------
    bands
        How many (template, band) pairs to search; 0 leaves only templates without anchors.
    """
    known, box = account.known, account.screen.area
    missing = known.usable.copy()
    missing[list(account.places)] = False
    helpless = np.flatnonzero(known.helpless & missing).tolist()
    turn, known.turn = known.turn, known.turn + 1
    for owner in _in_turn(helpless, turn, HELPLESS):
        _search(account, owner, box)
    account.count("audit: waiting", max(len(helpless) - HELPLESS, 0))
    others = np.flatnonzero(missing & ~known.helpless).tolist()
    for step in range(turn * bands, (turn + 1) * bands) if others else ():
        owner = others[step // BANDS % len(others)]
        _search(account, owner, _band(box, step % BANDS, int(known.h[owner])))


def _in_turn(owners: Sequence[int], turn: int, limit: int) -> list[int]:
    if len(owners) <= limit:
        return list(owners)
    return [owners[(turn * limit + i) % len(owners)] for i in range(limit)]


def _band(box: Box, number: int, height: int) -> Box:
    """Return the rows in which a template of this height starts in the band."""
    top = box.y + box.h * number // BANDS
    bottom = min(box.y + box.h * (number + 1) // BANDS + height - 1, box.bottom)
    return Box(box.x, top, box.w, bottom - top)


def _search(account: Account, owner: int, box: Box) -> None:
    template = account.known.templates[owner]
    found, _ = search(Area(account.screen.frame, box), template, account.settings)
    account.count("audit: searched", 1)
    if found:
        account.count("audit: found", 1)
        account.add(owner, found, "audit")
