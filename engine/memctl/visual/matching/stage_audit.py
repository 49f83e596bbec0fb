"""Stage 5: brute force for a few templates a frame, in turn, so that no error persists.

The stages before are quick because they propose; this one asks nobody. Each frame, one
missing template is searched in one tile of the screen by plain correlation, and the next
frame takes the next tile. Templates that have nothing to be proposed by come first, and get
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

COLUMNS = 16
ROWS = 16
TILES = COLUMNS * ROWS
HELPLESS = 4
"""Templates without any anchor that are searched in one frame; the others wait their turn."""


def audit(account: Account, tiles: int) -> None:
    """Search by brute force what the account leaves open.

    Parameters
    ----------
    tiles
        How many (template, tile) pairs to search; 0 leaves only templates without anchors.
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
    for step in range(turn * tiles, (turn + 1) * tiles) if others else ():
        owner = others[step // TILES % len(others)]
        tile = _tile(box, step % TILES, int(known.w[owner]), int(known.h[owner]))
        _search(account, owner, tile)


def _in_turn(owners: Sequence[int], turn: int, limit: int) -> list[int]:
    if len(owners) <= limit:
        return list(owners)
    return [owners[(turn * limit + i) % len(owners)] for i in range(limit)]


def _tile(box: Box, number: int, width: int, height: int) -> Box:
    """Return the pixels under templates of this size that start in the tile."""
    row, column = divmod(number, COLUMNS)
    left, right = (box.x + box.w * edge // COLUMNS for edge in (column, column + 1))
    top, bottom = (box.y + box.h * edge // ROWS for edge in (row, row + 1))
    right, bottom = min(right + width - 1, box.right), min(bottom + height - 1, box.bottom)
    return Box(left, top, right - left, bottom - top)


def _search(account: Account, owner: int, box: Box) -> None:
    template, look = account.known.templates[owner], account.known.look(owner)
    found, _ = search(Area(account.screen.frame, box), template, account.settings, look)
    account.count("audit: searched", 1)
    if found:
        account.count("audit: found", 1)
        account.add(owner, found, "audit")
