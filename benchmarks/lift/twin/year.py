"""A year of use: skills are taught and run, and each run is predicted before it happens."""

from __future__ import annotations

import heapq
import random
import tempfile
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import memctl
from benchmarks.lift.twin.app import App, rates
from benchmarks.lift.twin.kept import Kept
from benchmarks.lift.twin.rivals import Rivals

if TYPE_CHECKING:
    from benchmarks.lift.twin.app import Way

__all__ = ["Case", "lived"]

_RECENT = 30.0  # days in which a drift counts as one
_RETRY = 1 / 48  # days until a run is tried again
_GIVES_UP = 3  # runs in a row that did not succeed


@dataclass(frozen=True, slots=True)
class Case:
    """A run, or a step of one: what was predicted, and what happened.

    Parameters
    ----------
    kind
        ``run`` or ``step``.
    store
        The store that it is of: what happens in one store hangs together.
    said
        The chance of success by each predictor.
    happened
        Whether it succeeded.
    drifted
        Whether a way of it became another in the 30 days before.
    days
        Since the skill was run last; -1 for the first run.
    """

    kind: Literal["run", "step"]
    store: int
    said: dict[str, float]
    happened: bool
    drifted: bool
    days: float


@dataclass(slots=True)
class _Habit:
    """A skill, as somebody uses it."""

    name: str
    walk: list[Way]
    every: float
    last: float = -1.0
    stopped: int = 0


def lived(store: int, seed: int, calm: bool) -> list[Case]:
    """Return the cases of one store's year; of a `calm` app, or of one that drifts."""
    with (
        tempfile.TemporaryDirectory(prefix="memctl-twin-") as folder,
        memctl.open("generated", Path(folder)) as memory,
    ):
        chance, told = random.Random(seed), rates(calm=calm)
        app = App(chance, told)
        return _Year(Kept(memory, app), app, chance, told, store).cases()


class _Year:
    def __init__(
        self, kept: Kept, app: App, chance: random.Random, told: dict[str, Any], store: int
    ) -> None:
        self._kept = kept
        self._app = app
        self._chance = chance
        self._told = told
        self._number = store
        self._rivals = Rivals()
        self._cases: list[Case] = []
        # What comes next: the day, a number that keeps the order, and a skill, an act or a look.
        self._agenda: list[tuple[float, int, _Habit | str]] = []

    def cases(self) -> list[Case]:
        chance, told = self._chance, self._told
        for kind in ("act", "look"):
            self._plan(chance.expovariate(told[f"{kind}s_a_day"]), kind)
        for number in range(told["skills"]):
            habit = _Habit(f"skill-{number}", self._walk(), chance.choice(told["run_every"]))
            self._plan(chance.uniform(0, told["taught_until"]), habit)
        while self._agenda:
            day, _, what = heapq.heappop(self._agenda)
            if isinstance(what, _Habit):
                self._use(what, day)
                continue
            getattr(self, f"_{what}")(day)
            self._plan(day + chance.expovariate(told[f"{what}s_a_day"]), what)
        return self._cases

    def _plan(self, day: float, what: _Habit | str) -> None:
        if day < self._told["days"]:
            heapq.heappush(self._agenda, (day, len(self._agenda) + int(day * 1e6), what))

    def _walk(self) -> list[Way]:
        walk = [self._chance.choice(self._app.ways)]
        for _ in range(self._chance.randint(*self._told["skill_steps"]) - 1):
            walk.append(self._chance.choice(self._app.leaving(walk[-1].end)))
        return walk

    # -- what happens --------------------------------------------------------------------

    def _act(self, day: float) -> None:
        way = self._chance.choice(self._app.ways)
        outcome = self._outcome(way, day)
        if outcome != "halted":  # what is not there is not pressed
            self._kept.act(way, day, failed=outcome == "failed")

    def _look(self, day: float) -> None:
        self._kept.look(self._chance.randrange(self._told["screens"]), day)

    def _use(self, habit: _Habit, day: float) -> None:
        """Teach a skill the first time, run it from then on."""
        if habit.last < 0 and not self._taught(habit, day):
            return
        self._plan(self._run(habit, day), habit)

    def _taught(self, habit: _Habit, day: float) -> bool:
        """Demonstrate a skill; a day on which that does not succeed is put off by one."""
        if not all(way.at(day).there and way.at(day).chance > 0.5 for way in habit.walk):
            self._plan(day + 1, habit)
            return False
        for way in habit.walk:
            self._kept.look(way.start, day, kind="learn")
            for _ in range(1 + self._chance.randint(*self._told["done_before"])):
                self._kept.act(way, day, failed=False)
        self._kept.teach(habit.name, habit.walk)
        return True

    def _run(self, habit: _Habit, day: float) -> float:
        """Predict a run, let it happen, and write it; return the day of the next."""
        twin = self._kept.foresee(habit.name, day)
        steps = [one.probability for one in twin.steps]
        outcomes = self._outcomes(habit, day)
        self._note(habit, day, twin.probability, steps, outcomes)
        with self._kept.together():
            self._kept.ran(habit.name, twin, day, outcomes)
            for way, outcome in zip(habit.walk, outcomes, strict=False):
                if outcome != "halted":
                    self._kept.act(way, day, failed=outcome == "failed")
            last = habit.walk[len(outcomes) - 1]
            if outcomes[-1] != "done" and self._chance.random() < self._told["recognised"]:
                self._kept.look(last.start, day)
        habit.last = day
        habit.stopped = 0 if outcomes[-1] == "done" else habit.stopped + 1
        return self._next(habit, day)

    def _next(self, habit: _Habit, day: float) -> float:
        chance, told = self._chance, self._told
        tired = habit.stopped >= _GIVES_UP and chance.random() < told["given_up"]
        if tired or chance.random() < told["pause"]:
            return day + chance.expovariate(1 / told["pause_days"])
        if habit.stopped and chance.random() < told["again"]:
            return day + _RETRY
        return day + chance.expovariate(1 / habit.every)

    def _outcomes(self, habit: _Habit, day: float) -> list[str]:
        disturbed = -1
        if self._chance.random() < self._told["disturbed"]:
            disturbed = self._chance.randrange(len(habit.walk))
        outcomes = []
        for number, way in enumerate(habit.walk):
            outcomes.append("failed" if number == disturbed else self._outcome(way, day))
            if outcomes[-1] != "done":
                break
        return outcomes

    def _outcome(self, way: Way, day: float) -> str:
        now = way.at(day)
        if not now.there:
            return "halted"
        led = self._chance.random() < now.chance and not self._app.down(day)
        return "done" if led else "failed"

    def _note(
        self, habit: _Habit, day: float, whole: float, steps: list[float], outcomes: list[str]
    ) -> None:
        """Keep what was predicted and what happened, then let the rivals learn of it."""
        days = day - habit.last if habit.last >= 0 else -1.0
        drifts = [way.drifted(day, _RECENT) for way in habit.walk]
        truths = [self._truth(way, day) for way in habit.walk]
        tries: list[tuple[Literal["run", "step"], int, float, float, bool, bool]] = [
            ("run", 0, whole, prod(truths), outcomes[-1] == "done", any(drifts))
        ]
        tries += [
            ("step", at, steps[at], truths[at], outcome == "done", drifts[at])
            for at, outcome in enumerate(outcomes)
        ]
        for kind, place, predicted, truth, happened, drifted in tries:
            rivals = self._rivals.say(kind, (kind, habit.name, place))
            said = {"twin": predicted, **rivals, "truth": truth}
            self._cases.append(Case(kind, self._number, said, happened, drifted, days))
        for kind, place, _, _, happened, _ in tries:
            self._rivals.learn(kind, (kind, habit.name, place), happened)

    def _truth(self, way: Way, day: float) -> float:
        """Return the chance of a way as the generator knows it, but for what disturbs a run."""
        now = way.at(day)
        return now.chance if now.there and not self._app.down(day) else 0.0
