"""Mining habits: sequences of actions that come again in the same order, tested against chance.

Occurrence lists are projected act by act as PrefixSpan does (Pei et al., 2004), with a limit on
the gap between neighbours; how patterns grow and what chance would bring stands in ``growing.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from memctl.base.errors import UsageError
from memctl.procedural.action_log import read
from memctl.procedural.growing import Grower, chance_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memctl.procedural.action_log import ActionLog

__all__ = ["Act", "Habit", "Parameter", "chance_rate", "mined"]

_SAME = 0.8  # share of a part's sequences that hold the whole pattern, where the part is no other


class Act(NamedTuple):
    """An action of a sequence.

    ``name`` says what was done to what, such as ``click:Save``; actions of one name are the same.
    ``values`` are its parameters, such as ``{"text": "..."}``, which may differ each time.
    """

    name: str
    values: Mapping[str, str]


class Parameter(NamedTuple):
    """The values of one key at one step of a habit.

    ``step`` counts from 0. ``values`` are different, in the order in which they came first.
    """

    step: int
    key: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Habit:
    """A pattern of actions that came again in the same order more often than by chance.

    ``names`` are the names of its actions. ``count`` is the number of sequences that hold it,
    ``expected`` how many would by chance. ``p_value`` is a bound, from 0 to 1, of the probability
    that chance brings any pattern of this length as often. ``places`` are its occurrences that
    share no act, each with the number of the sequence and the positions in it, both from 0.
    ``parameters`` are values that differ between occurrences or are missing in some;
    ``constants``, of one value each, are those that never do.
    """

    names: tuple[str, ...]
    count: int
    expected: float
    p_value: float
    places: tuple[tuple[int, tuple[int, ...]], ...]
    parameters: tuple[Parameter, ...]
    constants: tuple[Parameter, ...]


def mined(
    sequences: Sequence[Sequence[Act]],
    *,
    floor: int = 7,
    gap: int = 3,
    significance: float = 1e-6,
    longest: int = 12,
) -> list[Habit]:
    """Find the habits in sequences of actions.

    Parameters
    ----------
    sequences
        What was done, one sequence a session or task, each in order.
    floor
        The fewest sequences that hold a habit, at least 2.
    gap
        How many other acts may stand between neighbours, at least 0.
    significance
        The probability, above 0 and at most 1, that a log of acts without order yields a habit of
        some length; the number of all patterns of that length is considered in it. Each act
        of a habit, too, follows from the others with a chance of at most 1 in 1,000, among all acts that
        could stand in its place.
    longest
        The most acts of a habit, at least 2.

    Returns
    -------
    list
        Habits, the least likely by chance first; equal ones by their names. A part of a longer
        habit is returned when it is a habit without the occurrences of the longer one, too, and
        less than 80 % of its sequences hold the longer one.

    Raises
    ------
    UsageError
        When an option is out of its range.
    """
    _check(floor, gap, significance, longest)
    log, names = read([[act.name for act in one] for one in sequences], gap)
    found = []
    for pattern in _patterns(log, floor, significance, longest):
        likely, expected = chance_of(log, pattern)
        places = _places(log, pattern)
        parameters, constants = _values(sequences, places)
        habit = Habit(
            tuple(names[number] for number in pattern),
            len({number for number, _ in places}),
            expected,
            exp(likely),
            places,
            tuple(parameters),
            tuple(constants),
        )
        found.append((likely, habit.names, habit))
    return [habit for _, _, habit in sorted(found, key=lambda one: one[:2])]


def chance_rate(
    sequences: Sequence[Sequence[Act]],
    *,
    shuffles: int = 20,
    seed: int = 0,
    floor: int = 7,
    gap: int = 3,
    significance: float = 1e-6,
    longest: int = 12,
) -> float:
    """Return how many habits the miner finds where there is no order: 0 in a miner that is right.

    Acts are shuffled across the whole log: each sequence keeps its length and each name its
    frequency.

    Parameters
    ----------
    sequences, floor, gap, significance, longest
        As for `mined`.
    shuffles
        How many shuffled logs are mined, at least 1.
    seed
        Of the random source; the same seed gives the same logs.

    Returns
    -------
    float
        Habits per shuffled log.

    Raises
    ------
    UsageError
        When an option is out of its range.
    """
    _check(floor, gap, significance, longest)
    if shuffles < 1:
        raise UsageError(f"shuffles is {shuffles}", hint="at least 1")
    log, _ = read([[act.name for act in one] for one in sequences], gap)
    random = np.random.default_rng(seed)
    real = slice(log.size)
    found = 0
    for _ in range(shuffles):
        acts = log.acts.copy()
        acts[real] = random.permutation(acts[real])
        found += len(_patterns(log.copy(acts), floor, significance, longest))
    return found / shuffles


def _check(floor: int, gap: int, significance: float, longest: int) -> None:
    least = {"floor": (floor, 2), "gap": (gap, 0), "longest": (longest, 2)}
    for name, (value, low) in least.items():
        if value < low:
            raise UsageError(f"{name} is {value}", hint=f"at least {low}")
    if not 0 < significance <= 1:
        raise UsageError(f"significance is {significance}", hint="above 0, at most 1")


def _patterns(
    log: ActionLog, floor: int, significance: float, longest: int
) -> list[tuple[int, ...]]:
    """Return the patterns of a log without parts of others that say the same."""
    grower = Grower(log.copy(), floor, longest, significance)
    found = {names: _owners(log, names) for names in grower.patterns()}
    return [
        names
        for names, owners in found.items()
        if not any(
            _is_part(names, other) and len(owners & whole) >= _SAME * len(owners)
            for other, whole in found.items()
        )
    ]


def _owners(log: ActionLog, names: tuple[int, ...]) -> set[int]:
    return set(log.owners[log.rows(names)[:, 0]].tolist())


def _is_part(part: tuple[int, ...], whole: tuple[int, ...]) -> bool:
    rest = iter(whole)
    return len(part) < len(whole) and all(name in rest for name in part)


def _places(log: ActionLog, names: tuple[int, ...]) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Return the occurrences that share no act; of those that do, the one that ends first."""
    rows = log.rows(names)
    owners = log.owners[rows[:, 0]]
    starts = np.searchsorted(log.owners[: log.size], owners)
    found: list[tuple[int, tuple[int, ...]]] = []
    free = 0
    for at in np.lexsort((-rows[:, 0], rows[:, -1])).tolist():
        if rows[at, 0] >= free:
            free = int(rows[at, -1]) + 1
            found.append((int(owners[at]), tuple((rows[at] - starts[at]).tolist())))
    return tuple(found)


def _values(
    sequences: Sequence[Sequence[Act]], places: Sequence[tuple[int, tuple[int, ...]]]
) -> tuple[list[Parameter], list[Parameter]]:
    """Return what differs between occurrences, and what never does."""
    differing: list[Parameter] = []
    constant: list[Parameter] = []
    for step in range(len(places[0][1])):
        seen = [sequences[number][positions[step]].values for number, positions in places]
        for key in sorted({key for values in seen for key in values}):
            values = dict.fromkeys(one[key] for one in seen if key in one)
            always = len(values) == 1 and all(key in one for one in seen)
            (constant if always else differing).append(Parameter(step, key, tuple(values)))
    return differing, constant
