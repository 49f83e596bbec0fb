"""Ten thousand facts and their questions, made here: the same for every engine, seeded."""

from __future__ import annotations

import random

__all__ = ["Case", "make_facts", "make_questions"]

_PEOPLE = ["Ana", "Bela", "Chidi", "Dora", "Emil", "Farah", "Goran", "Hana", "Ilse", "Jonas"]
_PLACES = ["Lisbon", "Graz", "Lagos", "Kyoto", "Quito", "Oslo", "Turin", "Perth", "Tunis", "Riga"]
_THINGS = ["billing", "search", "ingest", "archive", "portal", "ledger", "scanner", "router"]
_PROPERTIES = ["deadline", "owner", "region", "budget", "review day", "database", "language"]
_REASONS = ["costs", "latency", "the audit", "the new contract", "team size", "an old promise"]

# A fact, and the question that it answers.
Case = tuple[str, str]


def make_facts(count: int, *, seed: int = 7) -> list[Case]:
    """Return `count` facts of 8 to 20 words, each about a thing of its own."""
    chance = random.Random(seed)
    return [_case(number, chance) for number in range(count)]


def make_questions(cases: list[Case], count: int, *, seed: int = 11) -> list[Case]:
    """Return `count` of the cases, spread over all of them."""
    return random.Random(seed).sample(cases, min(count, len(cases)))


def _case(number: int, chance: random.Random) -> Case:
    thing = f"{chance.choice(_THINGS)} project {chance.choice(_PLACES)}{number}"
    prop = chance.choice(_PROPERTIES)
    person, place = chance.choice(_PEOPLE), chance.choice(_PLACES)
    fact = (
        f"The {prop} of {thing} is {place} {chance.randrange(1000)}, "
        f"agreed with {person} because of {chance.choice(_REASONS)}"
    )
    return fact, f"What is the {prop} of {thing}?"
