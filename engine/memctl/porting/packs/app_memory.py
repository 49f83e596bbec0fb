"""The memory of an app as it travels: its controls, screens, edges and skills, free of any file's ids.

Components and states are told by where they stand in their lists, which are sorted by their
smallest key: a key is the origin that knows a thing and its id there. So stores that know the same
say the same, whichever of them was merged into the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

Entry = dict[str, Any]


class Tally(dict[str, int]):
    """Counts by name; 0 for what was not counted."""

    def __missing__(self, key: str) -> int:
        return 0


LOOK = (
    "type", "source", "label", "page", "scale", "rel_x", "rel_y", "w", "h", "confidence", "cut",
    "field", "twins",
)  # fmt: skip
"""Columns of a component that are true of when it was last seen, all of one moment."""

COUNTED = ("successes", "failures", "total_ms", "timed")
"""Counts of a transition."""


@dataclass
class AppMemory:
    """What a store or a pack knows of an app.

    Parameters
    ----------
    origin, address
        The store that says so, and the app or site.
    origins
        Every store whose counts are in it, with its address.
    components
        ``keys`` (key to the number of sightings), `LOOK`, ``name`` (``None``: nobody named it),
        times, and ``pictures``.
    forgotten
        Keys and times of components that were forgotten; nothing else of them.
    states
        ``keys``, names, times, size, and ``components``: lists of place in `components`, whether
        it defines the state, x and y at scale 1.
    transitions
        ``from``, ``to`` and ``component`` as places in the lists, and ``shares``: origin to counts.
    skills
        Each with its ``steps``.
    pngs
        SHA-256 of a picture's pixels to the picture.
    component_ids, state_ids
        Ids in the file that it was read from, by place in the list; a pack has none.
    left_out
        What stays out of a pack, and how much of it.
    """

    origin: str
    address: str
    origins: Mapping[str, str] = field(default_factory=dict)
    components: list[Entry] = field(default_factory=list)
    forgotten: list[Entry] = field(default_factory=list)
    states: list[Entry] = field(default_factory=list)
    transitions: list[Entry] = field(default_factory=list)
    skills: list[Entry] = field(default_factory=list)
    pngs: dict[str, bytes] = field(default_factory=dict)
    component_ids: list[int] = field(default_factory=list)
    state_ids: list[str] = field(default_factory=list)
    left_out: Tally = field(default_factory=Tally)

    @property
    def told(self) -> dict[str, list[Entry]]:
        """All that it says, as lists of plain objects."""
        names = ("components", "forgotten", "states", "transitions", "skills")
        return {name: getattr(self, name) for name in names}


def key_of(origin: str, number: object) -> str:
    """Return the key of a thing: who knows it, and its id there."""
    return f"{origin}:{number}"


def parts_of(key: str) -> tuple[str, str]:
    """Return the origin of a key, and the id there."""
    origin, _, number = key.partition(":")
    return origin, number


def counted_by_others(entry: Entry, origin: str) -> int:
    """Return what other stores than one have counted of a thing."""
    return sum(number for key, number in entry["keys"].items() if parts_of(key)[0] != origin)


def later(one: Entry, other: Entry, columns: tuple[str, ...], at: str) -> Entry:
    """Return some columns of the entry of the later moment; of one moment, of the greater values.

    It is the same whichever is named first.
    """
    return {name: _latest(one, other, columns, at)[name] for name in columns}


def _latest(one: Entry, other: Entry, columns: tuple[str, ...], at: str) -> Entry:
    return max(one, other, key=lambda entry: (entry[at], repr([entry[name] for name in columns])))
