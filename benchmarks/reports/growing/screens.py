"""Screens that are looked at for months: what is on them is born, seen, missed and forgotten."""

from __future__ import annotations

import hashlib
import json
import math
from typing import TYPE_CHECKING

from benchmarks.reports.growing.things import (
    SCREEN,
    THRESHOLD,
    Page,
    Row,
    Thing,
    component_row,
    member_rows,
    state_row,
    template_row,
)
from benchmarks.reports.growing.transitions import make_transitions

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from benchmarks.reports.growing.calendar import Calendar

__all__ = ["Screens"]

_MOST_PAGES, _SIGHTINGS_OF_A_PAGE = 60, 1500
_SLOTS = 20  # components of a page
# Types with the days after which half of them are gone: text changes sooner than a frame.
_HALF_LIVES = {"icon": 400, "button": 300, "input": 500, "link": 120, "text": 60, "image": 90}
_AGEING = 1.2  # Weibull shape: over 1, the old go sooner than the new
_REDESIGN = 0.6  # of the months have passed when every third page is redesigned
_VERSIONS = ("1.4", "2.0")  # of the app, before the redesign and since
_LOST = 0.45  # of a page's components go in its redesign
_LONGEST_GAP = 5  # times the mean between two looks
_LOOK_ALIKE = 0.03  # of the components share their pixels with another of their page
_MISTAKEN = 0.002  # of the finds are of something that looks much like it
_OVERLOOKED = 0.03  # of the components that are there are not found
_KINDS = {"match": 50, "learn": 45, "locate": 5}
_STAGES = {"last": 78, "hash": 9, "near": 6, "fuzzy": 7}


class Screens:
    """An app of some pages and an agent that looks at them.

    Parameters
    ----------
    calendar
        The months.
    dice
        Seeded; every choice comes from it.
    """

    def __init__(self, calendar: Calendar, dice: random.Random) -> None:
        self._calendar = calendar
        self._dice = dice
        self._pages: list[Page] = []
        self._things: list[Thing] = []
        self._observations: list[Row] = []
        self._sightings: list[Row] = []
        self._redesign = _REDESIGN * calendar.days

    def live(self, sightings: int) -> None:
        """Look at screens until there are so many sightings, a little before the end."""
        pages = min(max(sightings // _SIGHTINGS_OF_A_PAGE, 1), _MOST_PAGES)
        self._pages = [Page(number) for number in range(1, pages + 1)]
        day = 0.0
        while len(self._sightings) < sightings:
            room = sightings - len(self._sightings)
            each = len(self._sightings) / max(len(self._observations), 1) or _SLOTS
            # The days that are left, shared among the looks that are left and the end.
            gap = (self._calendar.days - day) / (room / each + 1)
            day += min(self._dice.expovariate(1 / gap), gap * _LONGEST_GAP)
            self._look(self._choose_page(), min(day, self._calendar.days * 0.999), room)

    def tables(self) -> Iterator[tuple[str, list[Row]]]:
        """Yield the tables of visual memory with their rows, in the order of their references."""
        visited = [page for page in self._pages if page.visits]
        yield "component", [component_row(thing, self._calendar) for thing in self._things]
        yield "template", [template_row(thing, self._calendar) for thing in self._things]
        yield "state", [state_row(page, self._calendar) for page in visited]
        yield "state_component", [row for page in visited for row in member_rows(page)]
        yield (
            "transition",
            make_transitions(self._calendar, self._dice, [page.state_id for page in visited]),
        )
        yield "observation", self._observations
        yield "sighting", self._sightings

    # -- living --------------------------------------------------------------------------

    def _choose_page(self) -> Page:
        return self._pages[int(len(self._pages) * self._dice.random() ** 2)]

    def _look(self, page: Page, day: float, room: int) -> None:
        kind = self._choose(_KINDS) if page.visits else "learn"
        expected = list(page.things)
        if kind == "locate":
            expected = expected and [self._dice.choice(expected)]
        rows = [self._sight(thing, day) for thing in expected[:room]]
        new = self._renew(page, day, room - len(rows)) if kind == "learn" else []
        rows += [self._first(thing, day) for thing in new]
        page.things = [thing for thing in page.things if thing.forgotten is None]
        if kind != "locate":
            page.visits.append(day)
            page.members |= {thing.id: thing for thing in page.things}
            page.first = page.first or {thing.id for thing in new}
        self._sightings += rows
        self._observations.append(self._observation(kind, page, day, rows, len(new)))

    def _renew(self, page: Page, day: float, room: int) -> list[Thing]:
        """Return what is new on a page: all at first, then what replaced the gone.

        What is gone and not yet forgotten has its successor beside it in memory.
        """
        known = sum(thing.ends > day for thing in page.things)
        new = [self._thing(page, day) for _ in range(min(_SLOTS - known, room))]
        page.things += new
        return new

    def _thing(self, page: Page, day: float) -> Thing:
        kind = self._dice.choice(list(_HALF_LIVES))
        lasts = self._dice.weibullvariate(_HALF_LIVES[kind] / math.log(2) ** (1 / _AGEING), _AGEING)
        redesigned = page.number % 3 == 0 and day < self._redesign
        ends = day + lasts
        if redesigned and ends > self._redesign and self._dice.random() < _LOST:
            ends = self._redesign
        number = len(self._things) + 1
        look, w, h = number, self._dice.randrange(16, 40), self._dice.randrange(12, 24)
        if page.things and self._dice.random() < _LOOK_ALIKE:
            other = self._dice.choice(page.things)
            look, w, h = other.look, *other.place[2:]
        place = (self._dice.randrange(SCREEN[0] - w), self._dice.randrange(SCREEN[1] - h), w, h)
        thing = Thing(number, kind, place, day, ends, look)
        self._things.append(thing)
        return thing

    def _choose(self, weights: dict[str, int]) -> str:
        return self._dice.choices(list(weights), list(weights.values()))[0]

    # -- rows ----------------------------------------------------------------------------

    def _sight(self, thing: Thing, day: float) -> Row:
        if thing.ends > day and self._dice.random() >= _OVERLOOKED:
            score = 1.0 if self._dice.random() < 0.8 else self._dice.uniform(0.8, 1)
            row = self._found(thing, day, score, self._choose(_STAGES))
            if self._dice.random() < _MISTAKEN:
                row |= {"x": (row["x"] + SCREEN[0] // 2) % (SCREEN[0] - row["w"]), "score": 0.81}
            return row
        thing.misses += 1
        if thing.misses >= THRESHOLD:
            thing.forgotten = day
        return self._row(thing) | {"found": 0, "score": None, "how": "no candidate"}

    def _first(self, thing: Thing, day: float) -> Row:
        return self._found(thing, day, 1.0, "learned")

    def _found(self, thing: Thing, day: float, score: float, how: str) -> Row:
        thing.seen += 1
        thing.last_seen, thing.misses = day, 0
        x, y, w, h = thing.place
        place = {"template_id": thing.id, "x": x, "y": y, "w": w, "h": h}
        return self._row(thing) | place | {"found": 1, "score": round(score, 4), "how": how}

    def _row(self, thing: Thing) -> Row:
        nowhere = dict.fromkeys(("template_id", "x", "y", "w", "h"))
        number = len(self._observations) + 1
        return {"observation_id": number, "component_id": thing.id, **nowhere}

    def _observation(self, kind: str, page: Page, day: float, rows: list[Row], learned: int) -> Row:
        stages = {
            stage: round(self._dice.lognormvariate(2, 0.5), 3) for stage in ("decode", "last")
        }
        found = sum(row["found"] for row in rows)
        return {
            "id": len(self._observations) + 1,
            "kind": kind,
            "observed_at": self._calendar.at(day),
            "img_sha256": hashlib.sha256(f"{page.number} {day}".encode()).hexdigest(),
            "img_w": SCREEN[0],
            "img_h": SCREEN[1],
            "scale": 1.0,
            "page": page.name if kind == "learn" else None,
            "app_version": _VERSIONS[day >= self._redesign],
            "window_box": None,
            "state_id": page.state_id,
            "similarity": round(self._dice.uniform(0.6, 1), 4),
            "found": found,
            "absent": len(rows) - found,
            "learned": learned,
            "duration_ms": round(sum(stages.values()), 3),
            "stages": json.dumps(stages),
        }
