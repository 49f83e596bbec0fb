"""Mines habits: acts that tasks repeat in the same order, more often than chance explains.

A pattern starts as the pair of acts that chance explains worst. It grows act by act, before, between
or after its own, while chance explains the new act as badly. Its acts are then taken out of the log,
and the next pattern is sought in the rest, so that parts of a pattern do not count once more.

Tasks that are equal act for act are tested apart, by their order alone: in a log of nothing but
repeats the frequencies of the acts are those of the habit, and say nothing about chance.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from memctl.base.errors import UsageError
from memctl.store.results import Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Floats = NDArray[np.float64]
    Numbers = Ints | Floats | float
    Pattern = tuple[int, ...]
    Place = tuple[int, tuple[int, ...]]

TAKEN = -1  # number of an act that belongs to a pattern: it fills its place and proves nothing else
GAP = 3
"""Other acts that may stand between two of a habit."""
_REACHES = (1, GAP + 1)  # what follows at once, and within the gap
_BEYOND = 2 * (GAP + 1)
_SIGNIFICANCE, _LONGEST = 1e-6, 12
_ACT = 1e-3  # how likely each act of a habit may be, among all acts that could stand in its place
_LOOSE = 0.5  # the same for candidates that are shown as near misses
_SAME = 0.8  # of the tasks with a part hold the whole pattern: the part is no habit of its own


class Act(NamedTuple):
    """What was done, such as ``click:Save``, with parameters that may differ each time."""

    name: str
    values: Mapping[str, str]


class Parameter(NamedTuple):
    """The different values of one key at one step of a habit, counted from 0, the earliest first."""

    step: int
    key: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Habit:
    """Acts that tasks repeat in the same order more often than by chance.

    ``count`` tasks hold it; ``expected`` would if each act followed the others as often as it
    stands elsewhere. ``p_value`` bounds the probability that chance repeats any pattern of this
    length as often. ``places`` are occurrences without a common act: a task and the positions in
    it, from 0. ``parameters`` are values that are not equal in all of them.
    """

    names: tuple[str, ...]
    count: int
    expected: float
    p_value: float
    places: tuple[Place, ...]
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True)
class NearHabit(Result):
    """A candidate that is no habit, with the figures of one, and the gate that it missed in words."""

    names: tuple[str, ...]
    count: int
    expected: float
    p_value: float
    missed: str


def mined(tasks: Sequence[Sequence[Act]], *, floor: int = 7) -> list[Habit]:
    """Find the habits in a log of tasks, the least likely by chance first.

    At least `floor` tasks hold a habit of 2 to 12 acts, with at most 3 other acts between two of
    them. With a probability of a millionth, either test finds one of some length in a log without
    order; all patterns of that length are considered in it.
    """
    if floor < 2:  # noqa: PLR2004
        raise UsageError(f"{floor} task is no habit", hint="floor from 2 on")
    log, names = read([[act.name for act in task] for task in tasks])
    patterns = _patterns(log, floor)
    habits = []
    for pattern in sorted(patterns, key=lambda pattern_key: (patterns[pattern_key], pattern_key)):
        places = _places(log, pattern)
        acts, count = tuple(names[act] for act in pattern), len({task for task, _ in places})
        expected, chance = chance_of(log, pattern)[1], math.exp(patterns[pattern])
        habits.append(Habit(acts, count, expected, chance, places, _parameters(tasks, places)))
    return habits


def near_misses(
    tasks: Sequence[Sequence[Act]], *, floor: int = 7, limit: int = 5
) -> list[NearHabit]:
    """Find the candidates that come closest to a habit, in what the habits leave of the log."""
    log, names = read([[act.name for act in task] for task in tasks])
    for pattern in _patterns(log, floor):
        log.take(log.rows(pattern))
    repeats = _repeated_tasks(log, 2)
    near = {}
    candidates = (near_miss for least in (floor, 2) for near_miss in _taken(log, least, _LOOSE))
    for pattern in islice(candidates, limit):
        chance, expected = chance_of(log, pattern)
        chance = math.exp(min(chance, repeats.get(pattern, 0.0)))
        count = len(log.tasks(log.rows(pattern)))
        missed = "one of its acts does not need the others"
        if count < floor:
            missed = f"too few tasks: {floor} are needed"
        elif chance > _SIGNIFICANCE:
            missed = f"chance is not ruled out: p is above {_SIGNIFICANCE:g}"
        acts = tuple(names[act] for act in pattern)
        near[pattern] = NearHabit(acts, count, expected, chance, missed)
    return sorted(near.values(), key=lambda near_miss: (near_miss.count < floor, near_miss.p_value))


def chance_rate(
    tasks: Sequence[Sequence[Act]], *, floor: int = 7, shuffles: int = 20, seed: int = 0
) -> float:
    """Return the habits found per log whose acts were shuffled across all tasks; 0 is right."""
    log, _ = read([[act.name for act in task] for task in tasks])
    random, real = np.random.default_rng(seed), log.acts[: log.size].copy()
    total = 0
    for _ in range(shuffles):
        log.acts[: log.size] = random.permutation(real)
        total += len(_patterns(log, floor))
    return total / shuffles


@dataclass(slots=True)
class ActionLog:
    """Tasks as numbers, one after the other.

    ``acts`` are numbers of names, from 0 to ``kinds - 1``, or ``TAKEN``; ``owners`` are the numbers
    of their tasks. Both end in places of no task (-1), as far as a window may reach beyond either end.
    ``shares`` is how much of all acts that are not taken each name is.
    """

    acts: Ints
    owners: Ints
    kinds: int
    shares: Floats = field(init=False)

    def __post_init__(self) -> None:
        tally = self.tally(np.arange(self.size))
        self.shares = tally / max(int(tally.sum()), 1)

    @property
    def size(self) -> int:
        """Number of acts."""
        return len(self.acts) - _BEYOND

    def take(self, rows: Ints) -> None:
        """Mark the acts of occurrences as taken."""
        self.acts[rows] = TAKEN
        self.__post_init__()

    def rows(self, names: Pattern) -> Ints:
        """Return the places of a pattern's acts, a row an occurrence."""
        rows = np.flatnonzero(self.acts == names[0])[:, None]
        for name in names[1:]:
            rows = self.followed(rows, name)
        return rows

    def followed(self, rows: Ints, name: int) -> Ints:
        """Return occurrences with a name behind them; one of those with the same two ends."""
        at, near = self.near(rows, rows.shape[1], GAP + 1)
        hit = self.acts[near] == name
        longer = np.column_stack([rows[at[hit]], near[hit]])
        ends = longer[:, 0] * len(self.acts) + longer[:, -1]  # millions, were all kept
        order = np.argsort(ends, kind="stable")
        kept: Ints = longer[order[np.diff(ends[order], prepend=-1) != 0]]
        return kept

    def near(self, rows: Ints, step: int, reach: int) -> tuple[Ints, Ints]:
        """Return the places where a further act may be, behind the numbers of their rows.

        Before the first and behind the last act they are at most `reach` places away.
        """
        low = rows[:, step - 1] + 1 if step else rows[:, 0] - reach
        high = rows[:, step] if 0 < step < rows.shape[1] else low + reach
        places = low[:, None] + np.arange(int((high - low).max(initial=0)))
        inside = places < high[:, None]
        inside &= self.owners[places % len(self.owners)] == self.owners[rows[:, :1]]
        return np.nonzero(inside)[0], places[inside]

    def tasks(self, rows: Ints) -> Ints:
        """Return the numbers of the tasks with an occurrence."""
        return distinct(self.owners[rows[:, 0]])

    def tally(self, places: Ints) -> Ints:
        """Count each name at some places."""
        acts = self.acts[places]
        return np.bincount(acts[acts != TAKEN], minlength=self.kinds)


def read(tasks: Sequence[Sequence[str]]) -> tuple[ActionLog, list[str]]:
    """Return tasks of names as a log, and the names that its numbers mean, sorted."""
    names = sorted({name for task in tasks for name in task})
    number = {name: at for at, name in enumerate(names)}
    beyond = np.full(_BEYOND, -1, np.int64)
    acts = np.fromiter((number[name] for task in tasks for name in task), np.int64)
    owners = np.repeat(np.arange(len(tasks)), [len(task) for task in tasks])
    acts, owners = np.append(acts, beyond), np.append(owners, beyond)
    return ActionLog(acts, owners, len(names)), names


def distinct(values: Ints) -> Ints:
    """Return different values, ascending; NumPy's ``unique`` hashes and takes ten times as long."""
    values = np.sort(values)
    kept: Ints = values[np.diff(values, prepend=-2) != 0]
    return kept


def _taken(log: ActionLog, floor: int, act: float, chance: float = 1.0) -> Iterator[Pattern]:
    """Take one pattern after the other out of a log, in `floor` tasks, of acts as unlikely as `act`.

    What chance brings more often than `chance` is left in it. A pattern may come again.
    """
    tried, likely = np.zeros((log.kinds, log.kinds), bool), np.zeros((0, 0))
    while log.kinds:
        if not likely.size:
            likely = np.where(tried, 0, _pairs(log, floor))
        pair = tuple(map(int, np.unravel_index(likely.argmin(), likely.shape)))
        if likely[pair] > math.log(act):
            return
        names = _grown(log, pair, floor, act)
        if chance_of(log, names)[0] > math.log(chance):
            tried[pair], likely[pair] = True, 0
            continue
        yield names
        log.take(log.rows(names))
        likely = np.zeros((0, 0))


def _pairs(log: ActionLog, floor: int) -> Floats:
    """Return the logarithm of the chance of each name, a row, with each other behind it."""
    first, wide = np.flatnonzero(log.acts[: log.size] != TAKEN), log.kinds + 1
    numbers = (log.owners[first] * log.kinds + log.acts[first]) * wide
    # A name's row counts the tasks in which each other follows it, and last all that hold it.
    codes, slots = [numbers + log.kinds], np.zeros(len(first))
    likely = np.zeros((log.kinds, log.kinds))
    for far in range(1, GAP + 2):
        behind = log.acts[first + far]
        inside = log.owners[first] == log.owners[first + far]
        slots += inside
        inside &= behind != TAKEN
        codes.append(numbers[inside] + behind[inside])
        if far in _REACHES:
            pairs = distinct(np.concatenate(codes)) % (log.kinds * wide)
            counts = np.bincount(pairs, minlength=log.kinds * wide).reshape(-1, wide)
            counts, tasks = counts[:, :-1], counts[:, -1:]
            # Tasks differ in places behind a name; at their mean the expectation is highest.
            places = np.bincount(log.acts[first], slots, log.kinds)[:, None] / np.maximum(tasks, 1)
            expected = tasks * (1 - (1 - log.shares) ** places)
            tails = np.where(counts < floor, 0, _log_tail(counts, tasks, expected))
            likely = np.minimum(likely, tails)
    return likely


def _grown(log: ActionLog, names: Pattern, floor: int, act: float) -> Pattern:
    while len(names) < _LONGEST:
        rows, steps = log.rows(names), len(names) + 1
        likely = np.stack([_further(log, rows, at, floor) for at in range(steps)], axis=1)
        name, step = divmod(int(likely.argmin()), steps)
        if likely[name, step] + math.log(len(_REACHES) * steps * log.kinds) > math.log(act):
            break
        names = (*names[:step], name, *names[step:])
    return names


def _further(log: ActionLog, rows: Ints, step: int, floor: int) -> Floats:
    """Return the logarithm of the chance of each name as a further act of a pattern."""
    chances = np.zeros(log.kinds)
    for reach in _REACHES if step in {0, rows.shape[1]} else _REACHES[-1:]:
        counts, tasks, expected = _expected(log, rows, step, reach)
        tails = np.where(counts < floor, 0, _log_tail(counts, tasks, expected))
        chances = np.minimum(chances, tails)
    return chances


def _patterns(log: ActionLog, floor: int) -> dict[Pattern, float]:
    """Return the patterns of the habits of a log, each with the logarithm of its chance."""
    repeats = _repeated_tasks(log, floor)
    result = {
        pattern: chance for pattern, chance in repeats.items() if chance <= math.log(_SIGNIFICANCE)
    }
    for pattern in _taken(replace(log, acts=log.acts.copy()), floor, _ACT, _SIGNIFICANCE):
        result[pattern] = min(chance_of(log, pattern)[0], result.get(pattern, 0.0))
    tasks = {pattern: set(log.tasks(log.rows(pattern)).tolist()) for pattern in result}

    def is_told(part: Pattern, whole: Pattern) -> bool:
        rest, common = iter(whole), tasks[part] & tasks[whole]
        longer = len(part) < len(whole) and all(name in rest for name in part)
        return longer and len(common) >= _SAME * len(tasks[part])

    return {
        pattern: result[pattern]
        for pattern in result
        if not any(is_told(pattern, other) for other in result)
    }


def _repeated_tasks(log: ActionLog, floor: int) -> dict[Pattern, float]:
    """Return tasks that come again act for act, with the logarithm of the chance of their order.

    Were all orders of the same acts as likely, a task of ``k`` different acts would have this one
    with a probability of ``1 / k!``. All orders of all acts that enough tasks share are considered.
    """
    ends = np.flatnonzero(np.diff(log.owners[: log.size])) + 1
    tasks = (tuple(one.tolist()) for one in np.split(log.acts[: log.size], ends))
    same = Counter(task for task in tasks if len(task) <= _LONGEST and TAKEN not in task)
    shared: Counter[Pattern] = Counter()
    for task, count in same.items():
        shared[tuple(sorted(task))] += count
    tests = sum(count >= floor for count in shared.values())
    result = {}
    for task, count in same.items():
        twice = math.prod(math.factorial(each) for each in Counter(task).values())
        orders, of = math.factorial(len(task)) // twice, shared[tuple(sorted(task))]
        if count >= floor and orders > 1:
            result[task] = min(
                0.0, float(_log_tail(count, of, of / orders)) + math.log(orders * tests)
            )
    return result


def chance_of(log: ActionLog, names: Pattern) -> tuple[float, float]:
    """Return the probability of a pattern by chance, and the expected number of tasks with it.

    The first is the natural logarithm of the probability that chance brings any pattern of this
    length as often: the tests of the steps joined as Fisher did (Statistical Methods for Research
    Workers, 1932, 21.1), times the number of all patterns, ``kinds ** len(names)`` (Bonferroni).
    """
    rows, joined = log.rows(names[:1]), 0.0
    due = float(len(log.tasks(rows)))
    for step, name in enumerate(names[1:], 1):
        counts, tasks, expected = _expected(log, rows, step, GAP + 1)
        joined += float(_log_tail(counts, tasks, expected)[name])
        due *= float(expected[name]) / max(tasks, 1)
        rows = log.followed(rows, name)
    term, terms = 1.0, 1.0
    for step in range(1, len(names) - 1):
        term *= -joined / step
        terms += term
    return min(0.0, joined + math.log(terms) + len(names) * math.log(log.kinds)), due


def _expected(log: ActionLog, rows: Ints, step: int, reach: int) -> tuple[Ints, int, Floats]:
    """Count the tasks in which each name is beside occurrences, and how many would be by chance.

    A name is expected as often as it stands elsewhere in the same tasks, and no less often than in
    the whole log. Of tasks with ``w`` free places, a share of ``1 - (1 - rate) ** w`` hold it.
    """
    places = distinct(log.near(rows, step, reach)[1])
    places = places[log.acts[places] != TAKEN]
    owners, acts = log.owners[places], log.acts[places]
    counts = np.bincount(distinct(owners * log.kinds + acts) % log.kinds, minlength=log.kinds)
    held = np.zeros(log.owners.max() + 2, bool)  # the last is of no task
    held[log.owners[rows[:, 0]]] = True
    elsewhere = log.tally(np.flatnonzero(held[log.owners])) - log.tally(
        distinct(np.append(places, rows))
    )
    rates = np.maximum(log.shares, elsewhere / max(int(elsewhere.sum()), 1))
    widths = np.bincount(np.bincount(owners)[distinct(owners)], minlength=1)
    missing = (1 - rates) ** np.arange(len(widths))[:, None]
    tasks = int(held.sum())
    expected: Floats = widths.astype(np.float64) @ (1 - missing)
    if tasks and 0 < step < rows.shape[1]:
        # A double of a neighbour may stand on either side of it: it has the whole gap to be in.
        beside = log.acts[rows[0, step - 1 : step + 1]]
        doubled = tasks * (1 - (1 - rates[beside]) ** GAP)
        expected[beside] = np.maximum(expected[beside], doubled)
    return counts, tasks, expected


def _log_tail(counts: Numbers, tasks: Numbers, expected: Numbers) -> Floats:
    """Return the logarithm of a bound of the probability that chance brings as many or more.

    Hoeffding (1963, theorem 1): of ``tasks`` independent cases whose chances, equal or not, add up
    to ``expected``, ``counts`` or more come true with a probability of at most
    ``exp(-tasks * KL(counts / tasks, expected / tasks))``; 0 where no more came than expected.
    """
    cases = np.maximum(tasks, 1)
    came, due = counts / cases, np.clip(expected / cases, 1e-12, 1 - 1e-12)
    with np.errstate(divide="ignore", invalid="ignore"):
        did = np.where(came > 0, came * np.log(came / due), 0)
        did_not = np.where(came < 1, (1 - came) * np.log((1 - came) / (1 - due)), 0)
    return np.where(came > due, -cases * (did + did_not), 0.0)


def _places(log: ActionLog, names: Pattern) -> tuple[Place, ...]:
    """Return the occurrences that share no act; of those that do, the one that ends first."""
    rows = log.rows(names)
    owners = log.owners[rows[:, 0]]
    within = rows - np.searchsorted(log.owners[: log.size], owners)[:, None]
    result: list[Place] = []
    free = 0
    for at in np.lexsort((-rows[:, 0], rows[:, -1])).tolist():
        if rows[at, 0] >= free:
            free = int(rows[at, -1]) + 1
            result.append((int(owners[at]), tuple(within[at].tolist())))
    return tuple(result)


def _parameters(tasks: Sequence[Sequence[Act]], places: Sequence[Place]) -> tuple[Parameter, ...]:
    """Return the values that differ between occurrences, or lack in one."""
    result = []
    for step in range(len(places[0][1])):
        seen = [tasks[task][positions[step]].values for task, positions in places]
        for key in sorted({key for values in seen for key in values}):
            values = tuple(
                dict.fromkeys(values_seen[key] for values_seen in seen if key in values_seen)
            )
            if len(values) > 1 or not all(key in values_seen for values_seen in seen):
                result.append(Parameter(step, key, values))
    return tuple(result)
