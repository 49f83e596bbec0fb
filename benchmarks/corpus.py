"""Texts, facts with questions, and records to import: made here, seeded, the same for every engine."""

from __future__ import annotations

import json
import random
import tomllib
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_PEOPLE = ["Ana", "Bela", "Chidi", "Dora", "Emil", "Farah", "Goran", "Hana", "Ilse", "Jonas"]
_PLACES = ["Lisbon", "Graz", "Lagos", "Kyoto", "Quito", "Oslo", "Turin", "Perth", "Tunis", "Riga"]
_THINGS = ["billing", "search", "ingest", "archive", "portal", "ledger", "scanner", "router"]
_PROPERTIES = ["deadline", "owner", "region", "budget", "review day", "database", "language"]
_REASONS = ["costs", "latency", "the audit", "the new contract", "team size", "an old promise"]
# Of ten records: in a log most is said, less is worth an episode, least a fact.
KINDS = {
    "turns": ("turn",),
    "facts": ("fact",),
    "mixed": ("turn",) * 7 + ("episode",) * 2 + ("fact",),
}
_TURNS_OF_A_SESSION = 40
_DAYS = 28

# A fact, and the question that it answers.
Case = tuple[str, str]
_FOLDER = Path(__file__).parent


@cache
def statements() -> list[tuple[str, str]]:
    """Return statements with a place for a value, and the kind of that value."""
    lines = (_FOLDER / "statements.txt").read_text("utf-8").splitlines()
    parts = [line.split(" ~ ") for line in lines if not line.startswith("# ")]
    return [(first, pool) for first, _, pool, *_ in parts]


@cache
def values() -> dict[str, list[str]]:
    """Return the values of each kind of place."""
    pools: dict[str, list[str]] = tomllib.loads((_FOLDER / "values.toml").read_text("utf-8"))
    return pools


def make_facts(count: int, *, seed: int = 7) -> list[Case]:
    """Return facts of 8 to 20 words, each about a thing of its own."""
    chance = random.Random(seed)
    return [_case(number, chance) for number in range(count)]


def make_questions(cases: list[Case], count: int, *, seed: int = 11) -> list[Case]:
    """Return some of the cases, spread over all of them."""
    return random.Random(seed).sample(cases, min(count, len(cases)))


def sentences(dice: random.Random) -> Iterator[str]:
    """Yield statements that people make, each with a value at its place."""
    for first, pool in cycle(statements()):
        yield first.replace("{}", dice.choice(values()[pool]))


def texts(count: int, seed: int = 3) -> list[str]:
    """Return turns of one to four statements."""
    dice = random.Random(seed)
    said = sentences(dice)
    return [" ".join(next(said) for _ in range(dice.randint(1, 4))) for _ in range(count)]


def write_records(path: Path, kind: str, count: int) -> None:
    """Write records as JSON Lines; a seed makes them, the same for every size."""
    dice = random.Random(7)
    said = sentences(dice)
    with path.open("w", encoding="utf-8") as file:
        for number, made in zip(range(count), cycle(KINDS[kind]), strict=False):
            file.write(f"{json.dumps(_record(made, number, said, dice))}\n")


def _case(number: int, chance: random.Random) -> Case:
    thing = f"{chance.choice(_THINGS)} project {chance.choice(_PLACES)}{number}"
    prop = chance.choice(_PROPERTIES)
    person, place = chance.choice(_PEOPLE), chance.choice(_PLACES)
    fact = (
        f"The {prop} of {thing} is {place} {chance.randrange(1000)}, "
        f"agreed with {person} because of {chance.choice(_REASONS)}"
    )
    return fact, f"What is the {prop} of {thing}?"


def _record(kind: str, number: int, said: Iterator[str], dice: random.Random) -> dict[str, Any]:
    when = f"2026-03-{1 + number % _DAYS:02}T{number // _DAYS % 24:02}:00:00Z"
    if kind == "turn":
        return {
            "kind": kind,
            "role": ("user", "assistant")[number % 2],
            "session": f"session {number // _TURNS_OF_A_SESSION}",
            "text": " ".join(next(said) for _ in range(dice.randint(1, 4))),
            "logged_at": when,
        }
    who = dice.choice(values()["name"])
    if kind == "episode":
        return {
            "kind": kind,
            "summary": f"{who} said: {next(said)}",
            "details": " ".join(next(said) for _ in range(3)),
            "tags": [dice.choice(("work", "home", "travel")), "talk"],
            "participants": [who],
            "happened_at": when,
        }
    city = dice.choice(values()["city"])
    return {
        "kind": kind,
        "text": f"{who} of berth {number} moved to {city} and keeps a boat there.",
        "category": dice.choice(("preference", "technical", "relationship")),
    }
