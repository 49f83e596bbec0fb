"""Growing patterns of actions, act by act, as long as each act comes more often than by chance.

A pattern begins as the pair of names that is least likely by chance. It grows by the one act,
before, between or after its own, that is least likely, until none is left that chance would not
bring. The acts of its occurrences then count as explained, and the next pattern is sought in what
remains: parts of a pattern are no evidence for patterns of their own, however frequent they are.
"""

from __future__ import annotations

from dataclasses import replace
from math import log
from typing import TYPE_CHECKING

import numpy as np

from memctl.procedural.action_log import TAKEN, distinct

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from memctl.procedural.action_log import ActionLog, Ints

    Floats = NDArray[np.float64]

__all__ = ["Grower", "chance_of"]

_SEED = log(1e-3)  # how unlikely a pair is at which growing begins; it proves nothing yet
_ACT = log(1e-3)  # how unlikely each act of a pattern is, among all acts that could stand there


class Grower:
    """Finds the patterns of a log one after the other.

    Parameters
    ----------
    taken
        The log; acts of the patterns found are set to ``TAKEN`` in it.
    floor
        The fewest sequences that hold a pattern.
    longest
        The most acts of a pattern.
    significance
        How likely a log without habits may yield a pattern at all.
    """

    def __init__(self, taken: ActionLog, floor: int, longest: int, significance: float) -> None:
        self._log = taken
        self._floor = floor
        self._longest = longest
        self._significance = log(significance)
        self._reaches = sorted({1, taken.gap + 1})
        places = np.arange(taken.size)
        self._pairs = [taken.pair_counts(places, reach) for reach in self._reaches]
        self._windows = [np.stack(taken.windows(places, reach)) for reach in self._reaches]
        self._tried = np.zeros((taken.kinds, taken.kinds), bool)
        self._shares = _shares(taken)

    def patterns(self) -> Iterator[tuple[int, ...]]:
        """Yield the patterns, each as the numbers of its names; one may come again."""
        while (pair := self._seed()) is not None:
            grown = self._grown(pair)
            names = self._trimmed(grown)
            if names and names != grown:  # a part of what was cut in two may not be whole
                names = self._trimmed(self._grown(names))
            rows = self._log.rows(names) if names else np.zeros((0, 1), np.int64)
            few = len(distinct(self._log.owners[rows[:, 0]])) < self._floor
            if few or chance_of(self._log, names)[0] > self._significance:
                self._tried[pair] = True
            else:
                self._take(rows)
                yield names

    def _seed(self) -> tuple[int, int] | None:
        """Return the pair that is least likely by chance, of those not tried in vain."""
        if not self._log.kinds:
            return None
        likely = np.zeros_like(self._tried, np.float64)
        for pairs, (holders, slots) in zip(self._pairs, self._windows, strict=True):
            # Sequences differ in places after a name; at their mean the expectation is highest.
            width = slots / np.maximum(holders, 1)
            expected = holders[:, None] * (1 - (1 - self._shares) ** width[:, None])
            likely = np.minimum(likely, _log_tail(pairs, holders[:, None], expected))
        likely[self._tried | (self._pairs[-1] < self._floor)] = 0
        first, second = np.unravel_index(int(likely.argmin()), likely.shape)
        return (int(first), int(second)) if likely[first, second] <= _SEED else None

    def _grown(self, names: tuple[int, ...]) -> tuple[int, ...]:
        while len(names) < self._longest:
            rows = self._log.rows(names)
            around = self._log.tally(self._log.holding(rows))
            least, name, step = min(
                (*self._likely(rows, step, around), step) for step in range(len(names) + 1)
            )
            if least + self._tests(len(names)) > _ACT:
                break
            names = (*names[:step], name, *names[step:])
        return names

    def _likely(self, rows: Ints, step: int, around: Ints) -> tuple[float, int]:
        """Return the logarithm of the chance of the least likely further act, and its name."""
        likely = self._tails(self._log, rows, step, around, self._shares)
        name = int(likely.argmin())
        return float(likely[name]), name

    def _tails(
        self, taken: ActionLog, rows: Ints, step: int, around: Ints, shares: Floats
    ) -> Floats:
        """Return ``(kinds,)``, the logarithm of the chance of each name as a further act."""
        tails = np.zeros(taken.kinds)
        for reach in self._reaches if step in {0, rows.shape[1]} else self._reaches[-1:]:
            counts, held, expected = _expected(taken, rows, step, reach, shares, around)
            found = _log_tail(counts, np.array(held), expected)
            tails = np.minimum(tails, np.where(counts < self._floor, 0, found))
        return tails

    def _tests(self, steps: int) -> float:
        """Return the logarithm of how many further acts a pattern of some steps is tested for."""
        return log(len(self._reaches) * (steps + 1) * self._log.kinds)

    def _trimmed(self, names: tuple[int, ...]) -> tuple[int, ...]:
        """Return a pattern without acts that do not follow from the others; empty if none do.

        Two patterns that stand side by side by chance are one no more: the longer is left.
        """
        while len(names) > 1:
            inner = [at for at in range(1, len(names) - 1) if names[at] not in _beside(names, at)]
            parts = [(names[:at], names[at:]) for at in range(1, len(names))]
            tried = [(self._joined(*part), max(part, key=len)) for part in parts]
            tried += [(self._inside(names, at), names[:at] + names[at + 1 :]) for at in inner]
            worst, rest = max(tried, key=lambda one: one[0])
            if worst + self._tests(len(names) - 1) <= _ACT:
                return names
            names = rest
        return ()

    def _joined(self, left: tuple[int, ...], right: tuple[int, ...]) -> float:
        """Return the logarithm of the chance that one pattern follows another so often."""
        begins = np.where(self._log.acts == TAKEN, TAKEN, 0)
        begins[self._log.rows(right)[:, 0]] = 1
        begun = replace(self._log, acts=begins, kinds=2)
        rows = self._log.rows(left)
        around = begun.tally(begun.holding(rows))
        return float(self._tails(begun, rows, len(left), around, _shares(begun))[1])

    def _inside(self, names: tuple[int, ...], step: int) -> float:
        """Return the logarithm of the chance of one act between the others."""
        rows = self._log.rows(names[:step] + names[step + 1 :], wide=step)
        around = self._log.tally(self._log.holding(rows))
        return float(self._tails(self._log, rows, step, around, self._shares)[names[step]])

    def _take(self, rows: Ints) -> None:
        """Count the acts of occurrences as explained."""
        places = self._log.holding(rows)
        self._count(places, -1)
        self._log.acts[rows.ravel()] = TAKEN
        self._count(places, 1)
        self._shares = _shares(self._log)

    def _count(self, places: Ints, sign: int) -> None:
        for at, reach in enumerate(self._reaches):
            self._pairs[at] += sign * self._log.pair_counts(places, reach)
            self._windows[at] += sign * np.stack(self._log.windows(places, reach))


def _beside(names: tuple[int, ...], at: int) -> tuple[int, int]:
    return names[at - 1], names[at + 1]


def chance_of(taken: ActionLog, names: tuple[int, ...]) -> tuple[float, float]:
    """Return how likely a pattern is by chance, and how many sequences would hold it.

    Returns
    -------
    tuple
        The natural logarithm of the probability, at most 0, that chance brings any pattern of as
        many steps so often; and the sequences that would hold this one, did each act follow the
        earlier ones as often as it stands elsewhere. The tests of the steps are joined as Fisher
        did (Statistical Methods for Research Workers, 1932, 21.1), and multiplied by the number
        of patterns, ``kinds ** len(names)`` (Bonferroni).
    """
    shares = _shares(taken)
    reach, rows, joined = taken.gap + 1, taken.rows(names[:1]), 0.0
    expected = float(len(distinct(taken.owners[rows[:, 0]])))
    for step, name in enumerate(names[1:], 1):
        around = taken.tally(taken.holding(rows))
        counts, held, by_chance = _expected(taken, rows, step, reach, shares, around)
        joined += float(_log_tail(counts, np.array(held), by_chance)[name])
        expected *= float(by_chance[name]) / max(held, 1)
        rows = taken.followed(rows, name, reach)
    term, terms = 1.0, 1.0
    for step in range(1, len(names) - 1):
        term *= -joined / step
        terms += term
    return min(0.0, joined + log(terms) + len(names) * log(taken.kinds)), expected


def _expected(
    taken: ActionLog, rows: Ints, step: int, reach: int, shares: Floats, around: Ints
) -> tuple[Ints, int, Floats]:
    """Count the sequences in which each name stands beside occurrences, and expect them.

    A name is expected as often as it stands elsewhere in the same sequences, and no less often
    than in the whole log: so an act that is frequent, or frequent in such sequences, follows
    nothing. Of a sequence with ``w`` free places, ``1 - (1 - rate) ** w`` hold it.
    """
    places = distinct(taken.near(rows, step, reach)[1])
    places = places[taken.acts[places] != TAKEN]
    owners, acts = taken.owners[places], taken.acts[places]
    counts = np.bincount(distinct(owners * taken.kinds + acts) % taken.kinds, minlength=taken.kinds)
    elsewhere = around - taken.tally(distinct(np.append(places, rows)))
    rates = np.maximum(shares, elsewhere / max(int(elsewhere.sum()), 1))
    widths = np.bincount(np.bincount(owners)[distinct(owners)], minlength=1)
    missing = (1 - rates) ** np.arange(len(widths))[:, None]
    held = len(distinct(taken.owners[rows[:, 0]]))
    expected: Floats = widths.astype(np.float64) @ (1 - missing)
    if held and 0 < step < rows.shape[1]:
        # A double of a neighbour may stand on either side of it: it has the whole gap to be in.
        beside = taken.acts[rows[0, step - 1 : step + 1]]
        doubled = held * (1 - (1 - rates[beside]) ** taken.gap)
        expected[beside] = np.maximum(expected[beside], doubled)
    return counts.astype(np.int64), held, expected


def _shares(taken: ActionLog) -> Floats:
    """Return ``(kinds,)``, each name's share of all acts that are left."""
    tally = taken.tally(np.arange(taken.size))
    return tally / max(int(tally.sum()), 1)


def _log_tail(counts: Ints, held: Ints, expected: Floats) -> Floats:
    """Bound the probability that chance brings as many sequences or more.

    Hoeffding (1963, theorem 1): of ``held`` independent cases whose chances, equal or not, sum
    up to ``expected``, ``counts`` or more come true with a probability of at most
    ``exp(-held * KL(counts / held, expected / held))``. It is never above Chernoff's bound of a
    Poisson tail, and far below where most sequences hold the act.

    Returns
    -------
    array
        Its natural logarithm, 0 where no more came than were expected.
    """
    cases = np.maximum(held, 1)
    came, due = counts / cases, np.clip(expected / cases, 1e-12, 1 - 1e-12)
    with np.errstate(divide="ignore", invalid="ignore"):
        did = np.where(came > 0, came * np.log(came / due), 0)
        did_not = np.where(came < 1, (1 - came) * np.log((1 - came) / (1 - due)), 0)
    return np.where(came > due, -cases * (did + did_not), 0.0)
