"""The log of actions as numbers: where a pattern occurs in it, and what stands near by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

__all__ = ["TAKEN", "ActionLog", "distinct", "read"]

TAKEN = -1
"""The number of an act that belongs to a habit already: it fills its place and is no evidence."""


_SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")


@dataclass(frozen=True, slots=True)
class ActionLog:
    """Sequences of actions, one after the other in flat arrays.

    ``acts`` is ``(N,)``, the number of each act's name from 0 to ``kinds - 1``, or ``TAKEN``;
    ``owners`` is ``(N,)``, the number of its sequence. Both end in places of no sequence (-1),
    as many as a window may reach beyond the last act or, as negative places, before the first.
    ``gap`` counts the other acts that may stand between neighbours of a pattern.
    """

    acts: Ints
    owners: Ints
    kinds: int
    gap: int

    @property
    def size(self) -> int:
        """How many acts there are."""
        return len(self.acts) - 2 * (self.gap + 1)

    def copy(self, acts: Ints | None = None) -> ActionLog:
        """Return the same log with acts of its own, or with those given."""
        own = self.acts.copy() if acts is None else acts
        return ActionLog(own, self.owners, self.kinds, self.gap)

    def rows(self, names: Sequence[int], wide: int = 0) -> Ints:
        """Return where a pattern occurs.

        Parameters
        ----------
        names
            Numbers of names, in order, at least one.
        wide
            The step that may stand as far from the one before as if one act between them had
            been left out; 0 for none.

        Returns
        -------
        array
            ``(occurrences, len(names))`` places in ``acts``, in ascending order. Of occurrences
            that begin and end at the same acts one is kept, so that their number stays below
            ``N`` times the widest span, however often a name is repeated.
        """
        rows = np.flatnonzero(self.acts == names[0])[:, None]
        for step, name in enumerate(names[1:], 1):
            rows = self.followed(rows, name, (self.gap + 1) * (1 + (step == wide)))
        return rows

    def followed(self, rows: Ints, name: int, reach: int) -> Ints:
        """Return the occurrences that a name follows, with it, as ``rows`` returns them."""
        at, near = self.near(rows, rows.shape[1], reach)
        hit = self.acts[near] == name
        longer = np.column_stack([rows[at[hit]], near[hit]])
        ends = longer[:, 0] * len(self.acts) + longer[:, -1]
        order = np.argsort(ends, kind="stable")
        kept: Ints = longer[order[np.diff(ends[order], prepend=-1) != 0]]
        return kept

    def near(self, rows: Ints, step: int, reach: int) -> tuple[Ints, Ints]:
        """Return the places at which a further act may stand beside occurrences.

        Parameters
        ----------
        rows
            ``(occurrences, steps)`` places.
        step
            Which step the further act would be: 0 is before all, ``steps`` is after all.
        reach
            How many places before the first or after the last are looked at. Between two
            steps, all are.

        Returns
        -------
        tuple
            The occurrence and the place, two arrays of equal length.
        """
        steps = rows.shape[1]
        low = rows[:, step - 1] + 1 if step else rows[:, 0] - reach
        high = rows[:, step] if 0 < step < steps else low + reach
        width = int((high - low).max(initial=0))
        places = low[:, None] + np.arange(width)
        inside = places < high[:, None]
        inside &= self.owners[places % len(self.owners)] == self.owners[rows[:, :1]]
        return np.nonzero(inside)[0], places[inside]

    def holding(self, rows: Ints) -> Ints:
        """Return the places of all acts in the sequences that hold an occurrence."""
        held = distinct(self.owners[rows[:, 0]])
        low, high = (np.searchsorted(self.owners[: self.size], held, side) for side in _SIDES)
        lengths = high - low
        within = np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        places: Ints = np.repeat(low, lengths) + within
        return places

    def tally(self, places: Ints) -> Ints:
        """Return ``(kinds,)``, how often each name stands at places."""
        acts = self.acts[places]
        return np.bincount(acts[acts != TAKEN], minlength=self.kinds)

    def pair_counts(self, places: Ints, reach: int) -> Ints:
        """Return ``(kinds, kinds)``: in how many sequences one name follows another.

        Parameters
        ----------
        places
            All places of the sequences to look at.
        reach
            1 counts what follows at once; 3 also what follows after one or two others.
        """
        codes = []
        for far in range(1, reach + 1):
            both = (self.owners[places] == self.owners[places + far]) & (self.acts[places] != TAKEN)
            first = places[both & (self.acts[places + far] != TAKEN)]
            pair = self.acts[first] * self.kinds + self.acts[first + far]
            codes.append(self.owners[first] * self.kinds**2 + pair)
        pairs = distinct(np.concatenate(codes)) % self.kinds**2
        return np.bincount(pairs, minlength=self.kinds**2).reshape(self.kinds, self.kinds)

    def windows(self, places: Ints, reach: int) -> tuple[Ints, Ints]:
        """Return ``(kinds,)`` sequences that hold a name, and ``(kinds,)`` places after it."""
        used = places[self.acts[places] != TAKEN]
        codes = distinct(self.owners[used] * self.kinds + self.acts[used])
        after = np.zeros(len(used), np.int64)
        for far in range(1, reach + 1):
            after += self.owners[used] == self.owners[used + far]
        slots = np.bincount(self.acts[used], after, self.kinds).astype(np.int64)
        return np.bincount(codes % self.kinds, minlength=self.kinds), slots


def distinct(values: Ints) -> Ints:
    """Return different values, ascending; NumPy's ``unique`` hashes and takes ten times as long."""
    values = np.sort(values)
    kept: Ints = values[np.diff(values, prepend=-2) != 0]
    return kept


def read(sequences: Sequence[Sequence[str]], gap: int) -> tuple[ActionLog, list[str]]:
    """Return sequences of names as a log, and the names that its numbers stand for, sorted."""
    names = sorted({name for one in sequences for name in one})
    number = {name: at for at, name in enumerate(names)}
    lengths = [len(one) for one in sequences]
    beyond = np.full(2 * (gap + 1), -1, np.int64)
    acts = _array(number[name] for one in sequences for name in one)
    owners = np.repeat(np.arange(len(lengths)), lengths)
    log = ActionLog(
        np.concatenate([acts, beyond]), np.concatenate([owners, beyond]), len(names), gap
    )
    return log, names


def _array(values: Iterable[int]) -> Ints:
    return np.fromiter(values, np.int64)
