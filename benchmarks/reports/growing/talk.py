"""What was said in months, and the questions that were asked of it."""

from __future__ import annotations

import json
from bisect import bisect
from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from benchmarks.reports.growing.calendar import Calendar

__all__ = ["make_talk"]

Row = dict[str, Any]

_RECALLS_OF_A_TURN = 5
_RECALLS_OF_AN_EPISODE = 25
_TURNS_OF_A_SESSION = 40
_PEOPLE = ("Ann", "Bob", "Chen", "Dara")
_WORDS = [
    "invoice",
    "refund",
    "ferry",
    "budget",
    "launch",
    "review",
    "deploy",
    "server",
    "customer",
    "ticket",
    "contract",
    "meeting",
    "draft",
    "garden",
    "kitchen",
    "violin",
    "report",
    "release",
    "branch",
    "payment",
    "vendor",
    "schedule",
    "window",
    "harbour",
]
_UNKNOWN = ("quokka", "zeppelin", "marzipan", "gazebo", "ukulele", "papyrus")
_EMPTY, _FALLBACK, _RATED, _WENT_WELL, _TOLD_TWICE = 0.08, 0.06, 0.3, 0.8, 0.01


def make_talk(
    calendar: Calendar, dice: random.Random, recalls: int, facts: int
) -> Iterator[tuple[str, list[Row]]]:
    """Yield the tables of episodic memory with their rows; `facts` may be recalled, too."""
    turns = _days(calendar, dice, max(recalls // _RECALLS_OF_A_TURN, 1))
    episodes = _days(calendar, dice, max(recalls // _RECALLS_OF_AN_EPISODE, 1))
    yield "log", [_turn(number, day, calendar, dice) for number, day in enumerate(turns)]
    yield "episode", _episodes(episodes, calendar, dice)
    asked: list[Row] = []
    hits: list[Row] = []
    for number, day in enumerate(_days(calendar, dice, recalls), 1):
        known = {"turn": bisect(turns, day), "episode": bisect(episodes, day)}
        known["fact"] = int(facts * day / calendar.days)
        found = _found(number, known, dice)
        asked.append(_recall(number, day, found, calendar, dice))
        hits += found
    yield "recall", asked
    yield "recall_hit", hits


def _days(calendar: Calendar, dice: random.Random, count: int) -> list[float]:
    return sorted(dice.uniform(0, calendar.days) for _ in range(count))


def _sentence(dice: random.Random, words: int) -> str:
    return " ".join(dice.choices(_WORDS, k=words))


def _turn(number: int, day: float, calendar: Calendar, dice: random.Random) -> Row:
    at = calendar.at(day)
    return {
        "session": f"session {number // _TURNS_OF_A_SESSION}",
        "seq": number % _TURNS_OF_A_SESSION + 1,
        "role": "user" if number % 2 else "assistant",
        "speaker": dice.choice(_PEOPLE) if number % 2 else None,
        "text": _sentence(dice, dice.randrange(5, 25)),
        "logged_at": at,
        "recorded_at": at,
    }


def _episodes(days: list[float], calendar: Calendar, dice: random.Random) -> list[Row]:
    rows = [_episode(day, calendar, dice) for day in days]
    for row, later in pairwise(rows):
        if dice.random() < _TOLD_TWICE:
            later["summary"] = row["summary"]
    return rows


def _episode(day: float, calendar: Calendar, dice: random.Random) -> Row:
    at = calendar.at(day)
    return {
        "summary": _sentence(dice, dice.randrange(8, 20)),
        "tags": json.dumps(dice.sample(_WORDS, dice.randrange(3))),
        "participants": json.dumps(dice.sample(_PEOPLE, dice.randrange(3))),
        "happened_at": at,
        "remembered_at": at,
    }


def _found(number: int, known: dict[str, int], dice: random.Random) -> list[Row]:
    """Return what a question brought: a few rows of what was known then, the new ones more."""
    if not known["turn"] or dice.random() < _EMPTY:
        return []
    fallback = int(dice.random() < _FALLBACK)
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


def _recall(
    number: int, day: float, found: list[Row], calendar: Calendar, dice: random.Random
) -> Row:
    at = calendar.at(day)
    outcome = None
    if found and dice.random() < _RATED:
        outcome = "ok" if dice.random() < _WENT_WELL else "failed"
        for row in found[: dice.randrange(1, 3)] if outcome == "ok" else []:
            row["used_at"] = at
    unknown = [dice.choice(_UNKNOWN)] if not found else []
    vectors = "store" if found and found[0]["fallback"] else None
    return {
        "id": number,
        "asked_at": at,
        "question": " ".join([_sentence(dice, 4), *unknown]) + "?",
        "hits": len(found),
        "unknown_words": json.dumps(unknown),
        "fallback": vectors,
        "duration_ms": round(dice.lognormvariate(1.4, 0.6) * (4 if vectors else 1), 3),
        "outcome": outcome,
        "outcome_at": at if outcome else None,
    }
