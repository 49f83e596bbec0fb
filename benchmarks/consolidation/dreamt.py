"""Updates of BEAM after a dream: whether the old statement is named, or ranked below the new one.

Each chat is logged, dreamt of once a session, and its update questions are asked. An answer counts
where the turn of the old statement is not among the first ten, stands below the new one's, or
is shown with what says otherwise since.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import memctl
from benchmarks.retrieval.sets import UPDATE, halves, read_beam
from benchmarks.running import wilson
from memctl.base.errors import SecretRefusedError

if TYPE_CHECKING:
    from benchmarks.retrieval.sets import Conversation
    from memctl.memory import Memory

_ROWS = 10
_NAMED = "select new_id, old_id from turn_change"


def dreamt(folder: Path) -> dict[str, Any]:
    """Return the shares by half; folder holds BEAM."""
    found = {}
    for half, some in halves(read_beam(folder)).items():
        seen: Counter[str] = Counter()
        for one in some:
            seen += _asked(one)
        good = seen["named"] + seen["below"] + seen["absent"]
        found[half] = {
            **seen,
            "named or below": round(good / seen["questions"], 3),
            "95 %": wilson(good, seen["questions"]),
            "named wrongly": round(seen["other turns named"] / seen["other turns"], 4),
        }
    return found


def _asked(chat: Conversation) -> Counter[str]:
    seen: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="memctl-beam-") as home:
        numbers = {}
        sessions = list(dict.fromkeys(turn.session for turn in chat.turns))
        for session in sessions:
            some = [turn for turn in chat.turns if turn.session == session]
            with memctl.open("agent", Path(home)) as memory:
                for turn in some:
                    with suppress(SecretRefusedError):  # some chats tell a password
                        numbers[turn.name] = memory.log(
                            turn.text, turn.role, session=str(session), logged_at=turn.said_at
                        )
                memory.dream.run(apply=True)
        with memctl.open("agent", Path(home)) as memory:
            pairs = {(row[0], row[1]) for row in memory.store.rows(_NAMED)}
            for question in chat.questions:
                if question.label == UPDATE and question.older and question.newer:
                    older, newer = (
                        {numbers[name] for name in some if name in numbers}
                        for some in (question.older, question.newer)
                    )
                    seen["questions"] += 1
                    seen["linked"] += any((new, old) in pairs for new in newer for old in older)
                    seen[_place(memory, question.text, older, newer)] += 1
    old = {numbers.get(name, 0) for q in chat.questions for name in q.evidence}
    others = {numbers.get(turn.name, 0) for turn in chat.turns if turn.role == "user"} - old
    seen["other turns"] = len(others)
    seen["other turns named"] = len({one for _, one in pairs} & others)
    return seen


def _place(memory: Memory, question: str, older: set[int], newer: set[int]) -> str:
    """Return how the old turn is shown: ``absent``, ``named``, ``below`` the new one or ``above``."""
    found = [
        row for row in memory.recall(question, limit=_ROWS, record=False) if row.kind == "turn"
    ]
    places = {int(row.id): place for place, row in enumerate(found)}
    if not older & places.keys():
        return "absent"
    if any(row.doubt for row in found if row.id in older):
        return "named"
    best_new = min((places[one] for one in newer if one in places), default=_ROWS)
    return "below" if best_new < min(places[one] for one in older if one in places) else "above"
