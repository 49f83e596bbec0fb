"""Planted candidates of known worth, drawn by a seed: the table of docs/dreaming.md.

``python -m tests.consolidation.planted`` prints it.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from random import Random

from memctl.config.dream_settings import SCORE_SETS
from memctl.consolidation.scoring import Evidence, Signal, judge

NOW = "2026-11-20T03:00:00Z"
EACH = 200
# Kind: days stated, recalls, their scores, keep score, more of the evidence. Ranges, both ends drawn.
KINDS: dict[str, tuple[tuple[int, int], tuple[int, int], tuple[float, float], tuple[int, int]]] = {
    "durable, restated": ((2, 4), (0, 1), (0.4, 0.8), (6, 10)),
    "durable, asked for again": ((1, 2), (2, 4), (0.4, 0.9), (4, 8)),
    "standing order": ((1, 1), (0, 1), (0.4, 0.8), (11, 14)),
    "one-off": ((1, 1), (0, 1), (0.6, 0.95), (4, 8)),
    "filler, said often": ((4, 10), (0, 2), (0.2, 0.5), (0, 2)),
    "boot file, restated": ((6, 12), (0, 2), (0.4, 0.8), (6, 10)),
}
MORE: dict[str, dict[str, object]] = {
    "standing order": {"standing_order": True},
    "boot file, restated": {"boot_overlap": 0.9},
}


def planted(kind: str) -> list[Evidence]:
    """Return the candidates of one kind, all of the four weeks before `NOW`."""
    chosen = Random(kind)  # noqa: S311  (drawn alike each time)
    return [_one(kind, chosen) for _ in range(EACH)]


def _one(kind: str, chosen: Random) -> Evidence:
    days, recalls, scores, keep = KINDS[kind]
    stated = sorted(chosen.sample(range(28), chosen.randint(*days)))
    signals = [Signal("session", _at(day)[:10], "", None, 0.58, _at(day)) for day in stated]
    for number in range(chosen.randint(*recalls)):
        at = _at(chosen.randint(0, stated[-1]))  # after it was said first
        score = round(chosen.uniform(*scores), 2)
        rank = chosen.randint(1, 3) if score > 0.5 else chosen.randint(1, 9)
        signals.append(Signal("recall", at[:10], f"{number:012x}", rank, score, at))
    hits = min(3, len({one.day for one in signals}))
    return replace(
        Evidence(
            kind,
            chosen.randint(*keep),
            tags=("a", "b", "c", "d")[: chosen.randint(2, 4)],
            first_said_at=_at(stated[-1]),
            last_said_at=_at(stated[0]),
            signals=tuple(signals),
            light_hits=hits,
            light_at=NOW,
            rem_hits=hits,
            rem_at=NOW,
        ),
        **MORE.get(kind, {}),  # type: ignore[arg-type]
    )


def _at(days_ago: int) -> str:
    moment = datetime.fromisoformat(NOW) - timedelta(days=days_ago)
    return moment.isoformat().replace("+00:00", "Z")


def table() -> str:
    """Return the table: scores and promotions of each kind under each profile."""
    lines = [f"| planted, {EACH} each | score, memctl | " + " | ".join(SCORE_SETS) + " |"]
    lines.append("|" + "---|" * (2 + len(SCORE_SETS)))
    for kind in KINDS:
        held = planted(kind)
        scores = sorted(judge(one, SCORE_SETS["memctl"], NOW).score for one in held)
        promoted = [
            f"{sum(judge(one, numbers, NOW).stopped_by is None for one in held) / EACH:.0%}"
            for numbers in SCORE_SETS.values()
        ]
        middle = f"{scores[EACH // 10]:.2f}-{scores[-EACH // 10]:.2f}"
        lines.append(f"| {kind} | {middle} | " + " | ".join(promoted) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())  # noqa: T201
