"""How much of everything the page shows, so that it stays small whatever the stores hold."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Limits", "fair_shares"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What the page holds at most.

    Parameters
    ----------
    stores
        Stores whose graph and components are shown: the most looked at.
    states, ways, components
        Shown of all these stores together, the most visited, used and seen ones.
    rows
        Rows of one answer's table.
    findings
        Findings listed.
    crop_bytes, screen_bytes
        Bytes of the components' and of the screens' pictures, as text.
    """

    stores: int = 12
    states: int = 240
    ways: int = 1_000
    components: int = 1_500
    rows: int = 100
    findings: int = 200
    crop_bytes: int = 1_800_000
    screen_bytes: int = 900_000

    def halved(self) -> Limits:
        """Return limits half as large, and at least one of each."""
        return Limits(*(max(getattr(self, name) // 2, 1) for name in self.__slots__))


def fair_shares(wanted: list[int], most: int) -> list[int]:
    """Divide `most` among those who want some: nobody more than wanted, the rest evenly.

    Parameters
    ----------
    wanted
        How many each wants, 0 or more.
    most
        How many there are, 0 or more.

    Returns
    -------
    list of int
        How many each gets: their sum is `most`, or that of `wanted` where it is less.

    Notes
    -----
    Max-min fairness: what a small one does not need goes to the larger ones.
    """
    shares = [0] * len(wanted)
    left = most
    waiting = sorted(range(len(wanted)), key=wanted.__getitem__)
    for place, index in enumerate(waiting):
        shares[index] = min(wanted[index], left // (len(waiting) - place))
        left -= shares[index]
    return shares
