"""A generated app: a graph of screens whose ways fail, drift, get missing and come back."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import random

__all__ = ["App", "Way", "rates"]


def rates(*, calm: bool = False) -> dict[str, Any]:
    """Return the rates of ``rates.toml``; `calm` those of an app that hardly changes."""
    told = tomllib.loads((Path(__file__).parent / "rates.toml").read_text("utf-8"))
    other = told.pop("calm")
    return {**told, **(other if calm else {})}


class Spell(NamedTuple):
    """From a day on a way is there or not, and leads where it should with a chance."""

    since: float
    there: bool
    chance: float


@dataclass(slots=True)
class Way:
    """A component of a screen, and the screen that pressing it leads to."""

    number: int
    start: int
    end: int
    spells: list[Spell] = field(default_factory=list)

    def at(self, day: float) -> Spell:
        """Return how it is on a day."""
        return next(one for one in reversed(self.spells) if one.since <= day)

    def drifted(self, day: float, within: float) -> bool:
        """Return whether it became another within some days before."""
        return any(day - within <= one.since <= day for one in self.spells[1:])


class App:
    """An app over a year.

    Parameters
    ----------
    chance
        The random source.
    told
        The rates.
    """

    def __init__(self, chance: random.Random, told: dict[str, Any]) -> None:
        self._chance = chance
        self._told = told
        self.ways: list[Way] = []
        for screen in range(told["screens"]):
            others = [one for one in range(told["screens"]) if one != screen]
            for end in chance.sample(others, chance.randint(*told["ways"])):
                self.ways.append(Way(len(self.ways), screen, end))
        released = self._releases()
        for way in self.ways:
            self._live(way, released.get(way.number, []))
        self._outages = [
            (begins, begins + chance.expovariate(1 / told["outage_days"]))
            for begins in self._moments(told["outages_a_year"])
        ]

    def leaving(self, screen: int) -> list[Way]:
        """Return the ways that leave a screen."""
        return [way for way in self.ways if way.start == screen]

    def down(self, day: float) -> bool:
        """Return whether nothing works."""
        return any(begins <= day < ends for begins, ends in self._outages)

    def _moments(self, a_year: float) -> list[float]:
        found, day = [], self._chance.expovariate(a_year / 365)
        while day < self._told["days"]:
            found.append(day)
            day += self._chance.expovariate(a_year / 365)
        return found

    def _releases(self) -> dict[int, list[tuple[float, float]]]:
        """Return, for the ways that releases hurt, from when until when."""
        chance, told = self._chance, self._told
        hurt: dict[int, list[tuple[float, float]]] = {}
        for day in self._moments(told["releases_a_year"]):
            ends = day + chance.expovariate(1 / told["repaired_after"])
            screens = {
                one for one in range(told["screens"]) if chance.random() < told["release_screens"]
            }
            for way in self.ways:
                if way.start in screens and chance.random() < told["release_ways"]:
                    hurt.setdefault(way.number, []).append((day, ends))
        return hurt

    def _live(self, way: Way, released: list[tuple[float, float]]) -> None:
        """Give a way its spells: its own drifts and those of releases, in the order of time."""
        chance, told = self._chance, self._told
        usual = self._rate()
        way.spells.append(Spell(-1e9, there=True, chance=usual))
        own = [(day, 0.0) for day in self._moments(told["drifts_a_year"])]
        for day, known_end in sorted(own + released):
            if day < way.spells[-1].since:
                continue  # it is hurt already
            kinds = told["drift_kinds"]
            kind = (
                chance.choice(["missing", "broken"])
                if known_end
                else chance.choices(list(kinds), list(kinds.values()))[0]
            )
            if kind == "other_rate":
                usual = self._rate(flaky=not chance.random() < 0.5)
                way.spells.append(Spell(day, there=True, chance=usual))
                continue
            lost = kind in {"missing", "gone"}
            way.spells.append(Spell(day, there=not lost, chance=told["broken_chance"]))
            if kind == "gone":
                return
            ends = known_end or day + chance.expovariate(1 / told["repaired_after"])
            way.spells.append(Spell(ends, there=True, chance=usual))

    def _rate(self, *, flaky: bool | None = None) -> float:
        if flaky is None:
            flaky = self._chance.random() < self._told["flaky"]
        return self._chance.uniform(*self._told["flaky_chance" if flaky else "solid_chance"])
