"""Facts of months: some replaced, some waiting, some forgotten, some about to expire."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from memctl.base.categories import KINDS, UNSORTED_IMPORTANCE
from memctl.text.normal import equal_key, name_key

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from benchmarks.reports.growing.calendar import Calendar

__all__ = ["make_facts"]

Row = dict[str, Any]

_SHARES = {
    "identity": 2,
    "configuration": 14,
    "rule": 6,
    "preference": 10,
    "lesson": 8,
    "decision": 12,
    "technical": 18,
    "relationship": 8,
    "project": 12,
    "operational": 7,
    None: 3,
}
_ENDINGS = {"active": 84, "superseded": 9, "pending": 2, "forgotten": 3, "archived": 2}
_SOURCES = ("chat", "review", "ticket", "handbook", "")
_ATTRIBUTES = ("owner", "deadline", "port", "region", "budget", "channel", "licence", "timezone")
_CONFIDENCES = {"low": 1, "medium": 6, "high": 3}


def make_facts(
    calendar: Calendar, dice: random.Random, count: int
) -> Iterator[tuple[str, list[Row]]]:
    """Yield the tables of semantic memory with their rows."""
    facts: list[Row] = []
    history: list[Row] = []
    for number, day in enumerate(sorted(dice.uniform(0, calendar.days) for _ in range(count)), 1):
        fact = _fact(number, day, calendar, dice)
        ending = dice.choices(list(_ENDINGS), list(_ENDINGS.values()))[0]
        _end(fact, ending, number, calendar.at(dice.uniform(day, calendar.days)), count)
        facts.append(fact)
        history.append(_change(fact, "PENDING" if ending == "pending" else "ADD"))
        if ending in {"superseded", "forgotten"}:
            history.append(_change(fact, "SUPERSEDE" if ending == "superseded" else "DELETE"))
    yield "fact", facts
    yield "fact_history", history
    yield "guard_refusal", _refusals(calendar, dice)


def _fact(number: int, day: float, calendar: Calendar, dice: random.Random) -> Row:
    category = dice.choices(list(_SHARES), list(_SHARES.values()))[0]
    kind = KINDS.get(category or "")
    subject, attribute = f"Project {number // 3}", dice.choice(_ATTRIBUTES)
    value = f"{dice.randrange(100, 999)}-{number}"
    text = f"The {attribute} of {subject} is {value}"
    expires = kind is not None and kind.ending == "expires"
    return {
        "number": number,
        "id": _id(number),
        "text": text,
        "subject": subject,
        "attribute": attribute,
        "value": value,
        "category": category,
        "importance": kind.importance if kind else UNSORTED_IMPORTANCE,
        "confidence": dice.choices(list(_CONFIDENCES), list(_CONFIDENCES.values()))[0],
        "source": dice.choice(_SOURCES),
        "status": "active",
        "status_why": "",
        "immutable": int(kind.immutable) if kind else 0,
        "pinned": int(number % 150 == 0),
        "valid_from": calendar.at(day),
        "valid_to": None,
        "expires_at": calendar.at(day + kind.days) if expires and kind else None,
        "expires_by": "category" if expires else None,
        "archived_at": None,
        "superseded_by": None,
        "conflicts_with": None,
        "created_at": calendar.at(day),
        "updated_at": calendar.at(day),
        "equal_key": equal_key(text),
        "subject_key": name_key(subject),
        "attribute_key": name_key(attribute),
    }


def _end(fact: Row, ending: str, number: int, at: str, count: int) -> None:
    """Let a fact end, or wait, as it will have by now."""
    other = _id(number + 1) if number < count else None
    if ending == "archived":
        fact |= {"archived_at": at, "updated_at": at}
        return
    fact["status"] = ending
    if ending == "superseded":
        fact |= {"valid_to": at, "superseded_by": other, "status_why": "changed"}
    elif ending == "forgotten":
        fact["status_why"] = "forgotten on request"
    elif ending == "pending":
        fact |= {"conflicts_with": other, "status_why": f"contradicts {other}" if other else ""}
        return
    fact["updated_at"] = at


def _change(fact: Row, event: str) -> Row:
    begins = event in {"ADD", "PENDING"}
    return {
        "fact_id": fact["id"],
        "event": event,
        "old_text": None if begins else fact["text"],
        "new_text": fact["text"] if begins else None,
        "changed_at": fact["created_at"] if begins else fact["updated_at"],
        "actor": "main",
        "why": "" if begins else fact["status_why"],
    }


def _refusals(calendar: Calendar, dice: random.Random) -> list[Row]:
    return [
        {
            "rule": rule,
            "tier": tier,
            "day": calendar.at(day)[:10],
            "refusals": dice.randrange(1, 5),
        }
        for day in range(0, calendar.days, 3)
        for rule, tier in (("password", "episodic"), ("private key", "semantic"))
        if dice.random() < 0.5
    ]


def _id(number: int) -> str:
    return "f_" + hashlib.sha256(f"fact {number}".encode()).hexdigest()[:12]
