"""Plays a generated year into a real store, a dream each night, and scores what was promoted.

A promotion is right if it rests on a turn of a durable statement that still held; a second one of
the same statement is wrong. Recall counts every statement that was said, also those said once. The
figures follow assumed rates and templates: trust their order, not their values.

memctl does not record what a hook asks for each message (`context` asks so); whether the rest is a
person's or the assistant's search, it is not told. OpenClaw's rules count every recall, or, as the
third row, those of a person, which is more than any store knows.

At the year's end, promoted facts whose value changed, and whose new value was promoted, too, are
counted, and those that rest on them: ended, named (doubtful, or as one that a newer fact may
replace, below which recall ranks it), or sure still.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections import defaultdict
from datetime import datetime, timedelta
from itertools import groupby
from math import exp, log
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import memctl
from benchmarks.consolidation.generator import (
    Asked,
    Said,
    Truth,
    Year,
    generate,
    lines_of,
    rates_of,
)
from memctl.text.closed_words import content_words

if TYPE_CHECKING:
    from collections.abc import Iterable

_FIRST = frozenset(["i", "i'm", "my", "me", "we", "our"])
_SOURCES = """
select p.candidate_id, p.promoted_at, s.log_id
from promotion p
join candidate_source s on s.candidate_id = p.candidate_id
order by p.id
"""
_ENDS = """
select
    p.candidate_id,
    f.valid_to is not null or f.status <> 'active' as ended,
    f.doubt is not null or exists (
        select 1 from fact n where n.may_replace = f.id and n.status = 'active'
    ) as named
from promotion p
join fact f on f.id = p.fact_id
"""


class _Hit(NamedTuple):
    """One turn that a recall brought up."""

    turn: int
    rank: int
    at: str
    query: str
    by: str


class _Kept(NamedTuple):
    """One thing that a system keeps: when, and the turns that it rests on."""

    at: str
    turns: frozenset[int]


def played(
    setting: str,
    *,
    seed: int = 1,
    nights: int | None = None,
    sessions: int | None = None,
    profile: str | None = None,
    untold: bool = False,
    told: bool = False,
) -> dict[str, Any]:
    """Play a year, or its first nights, and return the figures of memctl and of the rivals.

    With `untold`, what the hook asks is recorded like a search; with `told`, it is a year of another
    hand, with three people.
    """
    rates = rates_of(setting)
    rates |= {"sessions": sessions} if sessions else {}
    year = generate(rates, seed, told=told)
    with tempfile.TemporaryDirectory(prefix="memctl-year-") as name:
        return _play(Path(name), year, nights or int(rates["days"]), profile, untold=untold)


def _play(
    home: Path, year: Year, nights: int, profile: str | None, *, untold: bool
) -> dict[str, Any]:
    turns: dict[int, Said] = {}
    months: dict[str, list[float]] = defaultdict(list)
    sizes: dict[str, int] = {}
    hits: list[_Hit] = []
    both: list[Said | Asked] = [*year.said, *year.asked]
    events = sorted(both, key=lambda one: one.at)
    boot = home / "AGENTS.md"
    boot.write_text("\n".join(lines_of("boot")), "utf-8")
    days = [(day, list(some)) for day, some in groupby(events, lambda one: one.at[:10])][:nights]
    for day, some in days:
        with memctl.open("agent", home, settings={"boot_files": str(boot)}) as memory:
            for one in some:
                os.environ["MEMCTL_NOW"] = one.at
                if isinstance(one, Said):
                    number = memory.log(
                        one.text,
                        one.role,
                        one.speaker or None,
                        session=one.session,
                        logged_at=one.at,
                    )
                    turns[number] = one
                else:
                    hook = one.by == "hook" and not untold
                    found = memory.recall(one.query, limit=5, record=not hook)
                    hits += [
                        _Hit(int(row.id), rank, one.at, one.query, one.by)
                        for rank, row in enumerate(found, 1)
                        if row.kind == "turn"
                    ]
            night = datetime.fromisoformat(day) + timedelta(days=1, hours=9)
            os.environ["MEMCTL_NOW"] = night.strftime("%Y-%m-%dT%H:%M:%SZ")
            began = time.perf_counter()
            memory.dream.run(profile=profile, apply=True)
            months[day[:7]].append(time.perf_counter() - began)
        sizes[day[:7]] = sum(file.stat().st_size for file in (home / "apps").iterdir())
    with memctl.open("agent", home) as memory:
        promoted = memory.store.rows(_SOURCES)
        ends = {row[0]: (bool(row[1]), bool(row[2])) for row in memory.store.rows(_ENDS)}
    del os.environ["MEMCTL_NOW"]
    ours: dict[tuple[int, str], set[int]] = defaultdict(set)
    for candidate, at, turn in promoted:
        ours[candidate, at].add(turn)
    kept = {
        "memctl": [_Kept(at, frozenset(some)) for (_, at), some in ours.items()],
        "OpenClaw .80, 3, 3": _openclaw(hits, 0.80),
        "OpenClaw .75, 3, 3, a person's": _openclaw(
            [hit for hit in hits if hit.by == "person"], 0.75
        ),
        "first person": [
            _Kept(one.at, frozenset([number]))
            for number, one in turns.items()
            if one.role == "user" and not _FIRST.isdisjoint(one.text.lower().split())
        ],
    }
    scores = {name: _scored(some, turns, year.truths) for name, some in kept.items()}
    grown = {
        month: {"seconds a night": round(sum(some) / len(some), 3), "bytes": sizes[month]}
        for month, some in months.items()
    }
    told = {number: {turns[turn].truth for turn in some} for (number, _), some in ours.items()}
    return {
        "nights": len(days),
        "turns": len(turns),
        "kept": scores,
        "changed": _changed(told, ends, year.truths, events[-1].at),
        "months": grown,
    }


def _changed(
    told: dict[int, set[int]], ends: dict[int, tuple[bool, bool]], truths: list[Truth], at: str
) -> dict[str, int]:
    """Count promoted facts whose value changed, and those that rest on one, by what became of them."""
    kept = set().union(*told.values()) if told else set()
    newer = {one.replaces for place, one in enumerate(truths) if place in kept} - {-1}
    counts: dict[str, int] = defaultdict(int)
    for number, some in told.items():
        of = some - {-1}
        gone = bool(of) and not any(truths[place].holds(at) for place in of)
        resting = any(truths[place].rests_on in newer for place in of)
        replaced = gone and any(place in newer for place in of)
        kind = "resting" if resting and gone else "replaced" if replaced else "others"
        ended, named = ends[number]
        counts[f"{kind}, " + ("ended" if ended else "named" if named else "sure")] += 1
    return dict(counts)


def _openclaw(hits: Iterable[_Hit], threshold: float) -> list[_Kept]:
    """Return the turns that OpenClaw's rules promote: score, 3 recalls, 3 questions or days.

    The recall's rank stands for its relevance: 1 - (rank - 1) / 10. Words stand for concepts.
    """
    seen: dict[int, list[tuple[float, str, str]]] = defaultdict(list)
    kept: dict[int, _Kept] = {}
    for turn, rank, at, query, _ in hits:
        seen[turn].append((1 - (rank - 1) / 10, at, query))
        recalls = seen[turn]
        queries, days = {one[2] for one in recalls}, {one[1][:10] for one in recalls}
        if turn in kept or len(recalls) < 3 or max(len(queries), len(days)) < 3:
            continue
        concepts = min(1.0, len(set(content_words(query))) / 6)
        spread = _consolidated(days)
        score = (
            0.30 * sum(one[0] for one in recalls) / len(recalls)
            + 0.24 * min(1.0, log(1 + len(recalls)) / log(11))
            + 0.15 * min(1.0, max(len(queries), len(days)) / 5)
            + 0.15 * exp(-log(2) / 14 * 0.5)
            + 0.10 * spread
            + 0.06 * concepts
        )
        if score >= threshold:
            kept[turn] = _Kept(at, frozenset([turn]))
    return list(kept.values())


def _consolidated(days: set[str]) -> float:
    if len(days) == 1:
        return 0.2
    span = (datetime.fromisoformat(max(days)) - datetime.fromisoformat(min(days))).days
    return 0.55 * min(1.0, log(len(days)) / log(5)) + 0.45 * min(1.0, span / 7)


def _scored(kept: list[_Kept], turns: dict[int, Said], truths: list[Truth]) -> dict[str, Any]:
    """Return precision, recall, and their bootstrap intervals over topics."""
    found: set[int] = set()
    right: dict[str, int] = defaultdict(int)
    repeats = ended = noise = 0
    for one in sorted(kept, key=lambda one: one.at):
        said = {turns[turn].truth for turn in one.turns if turn in turns} - {-1}
        living = {truth for truth in said if truths[truth].holds(one.at)}
        if new := living - found:
            found |= new
            right[truths[min(new)].topic] += 1
        repeats += bool(living and not new)
        ended += bool(said and not living)
        noise += not said
    told = {one.truth for one in turns.values()} - {-1}
    topics = sorted({truth.topic for truth in truths})
    of_topic = {topic: [t for t in told if truths[t].topic == topic] for topic in topics}
    shares = []
    chance = random.Random(1)
    for _ in range(500):
        some = chance.choices(topics, k=len(topics))
        hit = sum(t in found for topic in some for t in of_topic[topic])
        shares.append(hit / max(1, sum(len(of_topic[topic]) for topic in some)))
    shares.sort()
    return {
        "P": round(sum(right.values()) / max(1, len(kept)), 3),
        "R": round(len(found) / max(1, len(told)), 3),
        "R 95 %": [round(shares[12], 3), round(shares[487], 3)],
        "kept": len(kept),
        "repeats": repeats,
        "ended": ended,
        "noise": noise,
    }
