"""A store as months of use make it: seeded, written in bulk, sound for ``memctl doctor``.

What is on a screen is born, seen, missed and forgotten; facts are replaced, wait or expire; what was
said is asked for, and some of the answers are rated.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
from bisect import bisect
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any
from unittest import mock

import numpy as np

import memctl
from benchmarks.corpus import make_facts, texts
from memctl.base.categories import KINDS, UNSORTED_IMPORTANCE
from memctl.config.settings import KNOWN
from memctl.text.normal import equal_key, name_key
from memctl.visual.matching.template import FEATURE_VERSION, extract_alone
from memctl.visual.reading.image import encode_png, pixels_digest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

APP = "ledger"
SCREEN = (1280, 800)
Row = dict[str, Any]

_FORGOTTEN_AFTER = int(KNOWN["forget_threshold"].default)
_SLOTS = 20  # components of a page
_SIGHTINGS_OF_A_PAGE, _MOST_PAGES = 1500, 60
# Types with the days after which half of them are gone: text changes sooner than a frame.
_HALF_LIVES = {"icon": 400, "button": 300, "input": 500, "link": 120, "text": 60, "image": 90}
_LOOK_ALIKE, _MISTAKEN, _OVERLOOKED = 0.03, 0.002, 0.03  # shares of components and of sightings
_KINDS = {"match": 50, "learn": 45, "locate": 5}
_STAGES = {"last": 78, "hash": 9, "near": 6, "fuzzy": 7}
_WAYS = 5  # from each screen
_ENDINGS = {"active": 84, "superseded": 9, "pending": 2, "forgotten": 3, "archived": 2}
_RECALLS_OF_A_TURN, _RECALLS_OF_AN_EPISODE, _TURNS_OF_A_SESSION = 5, 25, 40
_EMPTY, _RATED, _WENT_WELL = 0.08, 0.3, 0.8  # shares of questions
_PEOPLE = ("Ann", "Bob", "Chen", "Dara")
_UNKNOWN = ("quokka", "zeppelin", "marzipan", "gazebo", "ukulele", "papyrus")


@dataclass(frozen=True, slots=True)
class Size:
    """Rows of three tables, from which all others follow; the days of its life, and when they end.

    ``end`` is what ``MEMCTL_NOW`` has to be for the reports.
    """

    sightings: int = 100_000
    recalls: int = 50_000
    facts: int = 20_000
    days: int = 180
    end: str = "2026-11-20T00:00:00Z"

    def at(self, day: float) -> str:
        """Return the time `day` days after the beginning, in whole seconds."""
        moment = datetime.fromisoformat(self.end) - timedelta(days=self.days - day)
        return moment.isoformat(timespec="seconds").replace("+00:00", "Z")

    def moments(self, dice: random.Random, count: int) -> list[float]:
        """Return so many days in their order."""
        return sorted(dice.uniform(0, self.days) for _ in range(count))


def grow(home: Path, size: Size, seed: int = 1) -> Path:
    """Make the store ``ledger`` below a home, and return its file; equal seeds make equal rows."""
    with (
        mock.patch.dict(os.environ, {"MEMCTL_NOW": size.at(0)}),
        memctl.open(APP, home) as memory,
        memory.store.transaction(),
    ):
        parts = (_screens, _facts, _talk)
        for number, part in enumerate(parts):
            for table, rows in part(size, random.Random(seed + number)):
                if rows:
                    columns = list(rows[0])
                    values = ", ".join(f":{column}" for column in columns)
                    # Names of our own tables and columns, none from outside.
                    insert = f"insert into {table} ({', '.join(columns)}) values ({values})"  # noqa: S608
                    memory.store.execute_many(insert, rows)
        memory.store.execute(
            "update store set learn_count = (select count(*) from observation where kind = 'learn')"
        )
    return memory.store.path


def _chosen(dice: random.Random, weights: dict[str, int]) -> str:
    return dice.choices(list(weights), list(weights.values()))[0]


# -- screens ---------------------------------------------------------------------------------


@dataclass
class _Thing:
    """A component: when it is on its page, and what became of it; those of one `look` are alike."""

    id: int
    type: str
    place: tuple[int, int, int, int]
    learned: float
    ends: float
    look: int
    seen: int = 0
    last_seen: float = 0.0
    misses: int = 0
    forgotten: float | None = None


@dataclass
class _Page:
    """A screen: what is on it, when it was looked at, and what its state has met."""

    number: int
    things: list[_Thing] = field(default_factory=list)
    visits: list[float] = field(default_factory=list)
    members: dict[int, _Thing] = field(default_factory=dict)

    @property
    def state_id(self) -> str:
        return "s_" + hashlib.sha256(f"page {self.number}".encode()).hexdigest()[:6]


class _Life:
    """The looks of an agent at some pages, until there are so many sightings."""

    def __init__(self, size: Size, dice: random.Random) -> None:
        self._size, self._dice = size, dice
        pages = min(max(size.sightings // _SIGHTINGS_OF_A_PAGE, 1), _MOST_PAGES)
        self.pages = [_Page(number) for number in range(1, pages + 1)]
        self.things: list[_Thing] = []
        self.observations: list[Row] = []
        self.sightings: list[Row] = []
        day, looks = 0.0, size.sightings / _SLOTS + 1
        while len(self.sightings) < size.sightings:
            left = max(looks - len(self.observations), 2)
            day += min(dice.expovariate(1), 5) * (size.days * 0.999 - day) / left
            self._look(self.pages[int(pages * dice.random() ** 2)], day)

    def _look(self, page: _Page, day: float) -> None:
        room = self._size.sightings - len(self.sightings)
        kind = _chosen(self._dice, _KINDS) if page.visits else "learn"
        expected = [self._dice.choice(page.things)] if kind == "locate" else list(page.things)
        rows = [self._sighting(thing, day) for thing in expected[:room]]
        new: list[_Thing] = []
        if kind == "learn":  # all at first, then what replaced the gone
            known = sum(thing.ends > day for thing in page.things)
            for _ in range(min(_SLOTS - known, room - len(rows))):
                new.append(self._thing(page, day))
                page.things.append(new[-1])
        rows += [self._found(thing, day, 1.0, "learned") for thing in new]
        page.things = [thing for thing in page.things if thing.forgotten is None] or page.things[:1]
        if kind != "locate":
            page.visits.append(day)
            page.members |= {thing.id: thing for thing in page.things}
        self.sightings += rows
        self._observe(kind, page, day, rows, len(new))

    def _thing(self, page: _Page, day: float) -> _Thing:
        dice, kind = self._dice, self._dice.choice(list(_HALF_LIVES))
        number = len(self.things) + 1
        look, w, h = number, dice.randrange(16, 40), dice.randrange(12, 24)
        if page.things and dice.random() < _LOOK_ALIKE:
            other = dice.choice(page.things)
            look, w, h = other.look, *other.place[2:]
        place = (dice.randrange(SCREEN[0] - w), dice.randrange(SCREEN[1] - h), w, h)
        ends = day + dice.expovariate(np.log(2) / _HALF_LIVES[kind])
        self.things.append(_Thing(number, kind, place, day, ends, look))
        return self.things[-1]

    def _sighting(self, thing: _Thing, day: float) -> Row:
        if thing.ends > day and self._dice.random() >= _OVERLOOKED:
            score = 1.0 if self._dice.random() < 0.8 else self._dice.uniform(0.8, 1)
            row = self._found(thing, day, score, _chosen(self._dice, _STAGES))
            if self._dice.random() < _MISTAKEN:
                row |= {"x": (row["x"] + SCREEN[0] // 2) % (SCREEN[0] - row["w"]), "score": 0.81}
            return row
        thing.misses += 1
        if thing.misses >= _FORGOTTEN_AFTER and thing.forgotten is None:
            thing.forgotten = day
        return self._row(thing, "no candidate")

    def _found(self, thing: _Thing, day: float, score: float, how: str) -> Row:
        thing.seen += 1
        thing.last_seen, thing.misses = day, 0
        place = dict(zip("xywh", thing.place, strict=True)) | {"template_id": thing.id}
        return self._row(thing, how) | place | {"found": 1, "score": round(score, 4)}

    def _row(self, thing: _Thing, how: str) -> Row:
        number = len(self.observations) + 1
        nowhere = dict.fromkeys(("template_id", "x", "y", "w", "h", "score"))
        return {
            "observation_id": number,
            "component_id": thing.id,
            "found": 0,
            **nowhere,
            "how": how,
        }

    def _observe(self, kind: str, page: _Page, day: float, rows: list[Row], learned: int) -> None:
        stages = {
            stage: round(self._dice.lognormvariate(2, 0.5), 3) for stage in ("decode", "last")
        }
        found = sum(row["found"] for row in rows)
        self.observations.append(
            {
                "id": len(self.observations) + 1,
                "kind": kind,
                "page": None,
                "scale": 1.0,
                "observed_at": self._size.at(day),
                "img_sha256": hashlib.sha256(f"{page.number} {day}".encode()).hexdigest(),
                "img_w": SCREEN[0],
                "img_h": SCREEN[1],
                "window_box": None,
                "app_version": "1.4" if day < self._size.days / 2 else "2.0",
                "state_id": page.state_id,
                "similarity": round(self._dice.uniform(0.6, 1), 4),
                "found": found,
                "absent": len(rows) - found,
                "learned": learned,
                "duration_ms": round(sum(stages.values()), 3),
                "stages": json.dumps(stages),
            }
        )


def _screens(size: Size, dice: random.Random) -> Iterator[tuple[str, list[Row]]]:
    """Yield the tables of visual memory, those that are pointed to before those that point."""
    life, at = _Life(size, dice), size.at
    visited = [page for page in life.pages if page.visits]
    yield "component", [_component(thing, size) for thing in life.things]
    yield "template", [_template(thing, size) for thing in life.things]
    yield (
        "state",
        [
            {
                "id": page.state_id,
                "page": f"page-{page.number}",
                "words": b"",
                "name": f"page-{page.number}" if page.number % 10 else None,
                "status": "confirmed" if len(page.visits) > 1 else "provisional",
                "visit_count": len(page.visits),
                "img_w": SCREEN[0],
                "img_h": SCREEN[1],
                "first_seen_at": at(page.visits[0]),
                "last_seen_at": at(page.visits[-1]),
            }
            for page in visited
        ],
    )
    yield (
        "state_component",
        [
            {
                "state_id": page.state_id,
                "component_id": thing.id,
                "defining": int(thing.learned == page.visits[0]),
                "x": thing.place[0],
                "y": thing.place[1],
            }
            for page in visited
            for thing in page.members.values()
        ],
    )
    yield "transition", list(_transitions(size, dice, [page.state_id for page in visited]))
    yield "observation", life.observations
    yield "sighting", life.sightings


def _component(thing: _Thing, size: Size) -> Row:
    x, y, w, h = thing.place
    gone = thing.forgotten is not None
    return {
        "id": thing.id,
        "name": f"{thing.type}_{thing.id}",
        "type": thing.type,
        "page": None,
        "source": "dom" if thing.id % 3 else "proposer",
        "label": f"{thing.type} {thing.id}" if thing.id % 5 else None,
        "scale": 1.0,
        "rel_x": x,
        "rel_y": y,
        "w": w,
        "h": h,
        "confidence": 0.9,
        "learned_at": size.at(thing.learned),
        "last_seen_at": size.at(thing.last_seen),
        "seen_count": thing.seen,
        "consecutive_misses": thing.misses,
        "pinned": int(thing.id % 200 == 0 and not gone),
        "forgotten_at": size.at(thing.forgotten) if thing.forgotten is not None else None,
        "forgotten_why": f"missed {_FORGOTTEN_AFTER} times in a row" if gone else None,
    }


def _template(thing: _Thing, size: Size) -> Row:
    """Return its one look: noise of its own, with real features."""
    _, _, w, h = thing.place
    bgr = np.random.default_rng(thing.look).integers(0, 256, (h, w, 3)).astype(np.uint8)
    return {
        "id": thing.id,
        "component_id": thing.id,
        "w": w,
        "h": h,
        "scale": 1.0,
        "png": encode_png(bgr),
        "sha256": pixels_digest(bgr),
        "features": extract_alone(bgr),
        "feature_version": FEATURE_VERSION,
        "learned_at": size.at(thing.learned),
    }


def _transitions(size: Size, dice: random.Random, states: list[str]) -> Iterator[Row]:
    """Yield ways from each screen to those beside it; some fail, one waits."""
    for number, start in enumerate(states):
        for step in range(1, min(_WAYS, len(states) - 1) + 1):
            successes = dice.randrange(1, 60) if step < _WAYS else 0
            recorded = dice.uniform(0, size.days / 2)
            yield {
                "from_state": start,
                "action": "click",
                "detail": f"way {step}",
                "to_state": states[(number + step) % len(states)],
                "status": "committed" if step < _WAYS else "pending",
                "successes": successes,
                "failures": int(successes * dice.random() ** 4),
                "total_ms": successes * dice.randrange(150, 900),
                "timed": successes,
                "recorded_at": size.at(recorded),
                "last_used_at": size.at(dice.uniform(recorded, size.days)),
            }


# -- facts -----------------------------------------------------------------------------------


def _facts(size: Size, dice: random.Random) -> Iterator[tuple[str, list[Row]]]:
    """Yield the tables of semantic memory: facts, some of which have ended, and their history."""
    facts, history = [], []
    moments = size.moments(dice, size.facts)
    for number, (day, case) in enumerate(zip(moments, make_facts(size.facts), strict=True), 1):
        fact = _fact(number, day, case[0], size, dice)
        ending = _chosen(dice, _ENDINGS)
        at, other = size.at(dice.uniform(day, size.days)), _id(number % size.facts + 1)
        fact |= {
            "superseded": {"valid_to": at, "superseded_by": other, "status_why": "changed"},
            "forgotten": {"status_why": "forgotten on request"},
            "pending": {"conflicts_with": other, "status_why": f"contradicts {other}"},
            "archived": {"archived_at": at},
        }.get(ending, {})
        fact["status"] = "active" if ending == "archived" else ending
        if ending in {"superseded", "forgotten", "archived"}:
            fact["updated_at"] = at
        facts.append(fact)
        about = {"fact_id": fact["id"], "actor": "main"}
        first = "PENDING" if ending == "pending" else "ADD"
        text = {"old_text": None, "new_text": fact["text"]}
        history.append(
            {**about, "event": first, **text, "changed_at": fact["created_at"], "why": ""}
        )
        if ending in {"superseded", "forgotten"}:
            event = "SUPERSEDE" if ending == "superseded" else "DELETE"
            text = {"old_text": fact["text"], "new_text": None}
            why = {"changed_at": at, "why": fact["status_why"]}
            history.append({**about, "event": event, **text, **why})
    yield "fact", facts
    yield "fact_history", history
    yield (
        "guard_refusal",
        [
            {"rule": rule, "tier": tier, "day": size.at(day)[:10], "refusals": dice.randrange(1, 5)}
            for day in range(0, size.days, 3)
            for rule, tier in (("password", "episodic"), ("private key", "semantic"))
        ],
    )


def _fact(number: int, day: float, text: str, size: Size, dice: random.Random) -> Row:
    category = dice.choice([*KINDS, None])
    kind = KINDS.get(category or "")
    expires = kind is not None and kind.ending == "expires"
    subject = f"Project {number // 3}"
    return {
        "number": number,
        "id": _id(number),
        "text": text,
        "subject": subject,
        "attribute": "owner",
        "value": str(number),
        "category": category,
        "importance": kind.importance if kind else UNSORTED_IMPORTANCE,
        "confidence": dice.choice(("low", "medium", "high")),
        "source": "chat",
        "status": "active",
        "status_why": "",
        "pinned": int(number % 150 == 0),
        "immutable": int(kind.immutable) if kind else 0,
        "valid_from": size.at(day),
        "valid_to": None,
        "archived_at": None,
        "expires_at": size.at(day + kind.days) if expires and kind else None,
        "expires_by": "category" if expires else None,
        "superseded_by": None,
        "conflicts_with": None,
        "created_at": size.at(day),
        "updated_at": size.at(day),
        "equal_key": equal_key(text),
        "subject_key": name_key(subject),
        "attribute_key": name_key("owner"),
    }


def _id(number: int) -> str:
    return "f_" + hashlib.sha256(f"fact {number}".encode()).hexdigest()[:12]


# -- talk ------------------------------------------------------------------------------------


def _talk(size: Size, dice: random.Random) -> Iterator[tuple[str, list[Row]]]:
    """Yield the tables of episodic memory: turns, episodes, questions and what they brought."""
    turns = size.moments(dice, max(size.recalls // _RECALLS_OF_A_TURN, 1))
    episodes = size.moments(dice, max(size.recalls // _RECALLS_OF_AN_EPISODE, 1))
    said = texts(len(turns))
    yield (
        "log",
        [
            {
                "session": f"session {number // _TURNS_OF_A_SESSION}",
                "seq": number % _TURNS_OF_A_SESSION + 1,
                "role": "user" if number % 2 else "assistant",
                "speaker": dice.choice(_PEOPLE) if number % 2 else None,
                "text": said[number],
                "logged_at": size.at(day),
                "recorded_at": size.at(day),
            }
            for number, day in enumerate(turns)
        ],
    )
    yield (
        "episode",
        [
            {
                # Now and then one is told twice.
                "summary": said[(number if number % 99 else 0) % len(said)],
                "tags": json.dumps(dice.sample(("work", "home", "travel"), dice.randrange(3))),
                "participants": json.dumps(dice.sample(_PEOPLE, dice.randrange(3))),
                "happened_at": size.at(day),
                "remembered_at": size.at(day),
            }
            for number, day in enumerate(episodes)
        ],
    )
    asked: list[Row] = []
    hits: list[Row] = []
    for number, day in enumerate(size.moments(dice, size.recalls), 1):
        known = {"turn": bisect(turns, day), "episode": bisect(episodes, day)}
        known["fact"] = int(size.facts * day / size.days)
        found = _hits(number, known, dice)
        asked.append(_recall(number, size.at(day), found, dice))
        hits += found
    yield "recall", asked
    yield "recall_hit", hits


def _hits(number: int, known: dict[str, int], dice: random.Random) -> list[Row]:
    """Return what a question brought: a few rows of what was known then, the new ones more."""
    if dice.random() < _EMPTY:
        return []
    fallback = int(dice.random() < 0.06)
    items: dict[tuple[str, int], None] = {}
    for _ in range(dice.randrange(1, 6)):
        kind = dice.choices(("turn", "episode", "fact"), (6, 2, 2))[0]
        if known[kind]:
            items[kind, known[kind] - int(known[kind] * dice.random() ** 3)] = None
    scores = sorted((round(dice.uniform(0.3, 2), 4) for _ in items), reverse=True)
    return [
        {
            "recall_id": number,
            "rank": rank,
            "kind": kind,
            "item_id": item,
            "score": score,
            "fallback": fallback,
            "used_at": None,
        }
        for rank, ((kind, item), score) in enumerate(zip(items, scores, strict=True), 1)
    ]


def _recall(number: int, at: str, found: list[Row], dice: random.Random) -> Row:
    outcome = None
    if found and dice.random() < _RATED:
        outcome = "ok" if dice.random() < _WENT_WELL else "failed"
        for row in found[:2] if outcome == "ok" else []:
            row["used_at"] = at
    unknown = [] if found else [dice.choice(_UNKNOWN)]
    vectors = "store" if found and found[0]["fallback"] else None
    return {
        "id": number,
        "asked_at": at,
        "hits": len(found),
        "question": " ".join(["when is the", *(unknown or ["launch"])]) + "?",
        "unknown_words": json.dumps(unknown),
        "fallback": vectors,
        "duration_ms": round(dice.lognormvariate(1.4, 0.6) * (4 if vectors else 1), 3),
        "outcome": outcome,
        "outcome_at": at if outcome else None,
    }
