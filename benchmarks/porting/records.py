"""Records to import, as many as asked for: what people say, what happened, what is true."""

from __future__ import annotations

import json
import random
from functools import cache
from itertools import cycle
from typing import TYPE_CHECKING, Any

from benchmarks.consolidation.generator import frames, values

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["KINDS", "write_records"]

# Of ten records: in a log most is said, less is worth an episode, least a fact.
KINDS = {
    "turns": ("turn",),
    "episodes": ("episode",),
    "facts": ("fact",),
    "mixed": ("turn",) * 7 + ("episode",) * 2 + ("fact",),
}
_TURNS_OF_A_SESSION = 40
_DAYS = 28


_values = cache(values)


def write_records(path: Path, kind: str, count: int) -> None:
    """Write `count` records as JSON Lines; a seed makes them, the same for every size."""
    dice = random.Random(7)
    sentences = _sentences(dice)
    with path.open("w", encoding="utf-8") as file:
        for number, made in zip(range(count), cycle(KINDS[kind]), strict=False):
            row = _record(made, number, sentences, dice)
            file.write(f"{json.dumps(row)}\n")


def _sentences(dice: random.Random) -> Iterator[str]:
    """Yield statements that people make, each with a value at its place."""
    for frame in cycle(frames()):
        yield frame.first.replace("{}", dice.choice(_values()[frame.pool]))


def _record(
    kind: str, number: int, sentences: Iterator[str], dice: random.Random
) -> dict[str, Any]:
    when = f"2026-03-{1 + number % _DAYS:02}T{number // _DAYS % 24:02}:00:00Z"
    if kind == "turn":
        return {
            "kind": kind,
            "role": ("user", "assistant")[number % 2],
            "session": f"session {number // _TURNS_OF_A_SESSION}",
            "text": " ".join(next(sentences) for _ in range(dice.randint(1, 4))),
            "logged_at": when,
        }
    who = dice.choice(_values()["name"])
    if kind == "episode":
        return {
            "kind": kind,
            "summary": f"{who} said: {next(sentences)}",
            "details": " ".join(next(sentences) for _ in range(3)),
            "tags": [dice.choice(("work", "home", "travel")), "talk"],
            "participants": [who],
            "happened_at": when,
        }
    city = dice.choice(_values()["city"])
    return {
        "kind": kind,
        "text": f"{who} of berth {number} moved to {city} and keeps a boat there.",
        "category": dice.choice(("preference", "technical", "relationship")),
    }
