"""Quality on LoCoMo: turns and sessions, by category, every engine in one run."""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from benchmarks.retrieval.locomo import CATEGORIES, Conversation
from benchmarks.retrieval.measures import Score, mean, percentile, score

if TYPE_CHECKING:
    from benchmarks.retrieval.engines import Engine

__all__ = ["FITTED", "Run", "measure", "tables"]

# The constants of the ranking were fitted on these; they are shown apart.
FITTED = ("26", "42")
# Sessions are ranked by their best turn among so many.
_TURNS_FOR_SESSIONS = 100
_HEADER = ("R@1", "R@5", "R@10", "all@10", "MRR", "nDCG@10")
_ADVERSARIAL = 5


@dataclass
class Run:
    """The scores of one engine, question by question."""

    engine: str
    turns: dict[tuple[str, int], list[Score]] = field(default_factory=lambda: defaultdict(list))
    sessions: dict[tuple[str, int], list[Score]] = field(default_factory=lambda: defaultdict(list))
    ms: list[float] = field(default_factory=list)

    def pick(self, level: str, names: set[str], categories: set[int]) -> list[Score]:
        """Return the scores of some conversations and categories."""
        scores = self.turns if level == "turn" else self.sessions
        return [
            s for (n, c), found in scores.items() if n in names and c in categories for s in found
        ]

    def raw(self) -> dict[str, Any]:
        """Return everything that was measured, for the results file."""
        return {
            "engine": self.engine,
            "ms": [round(ms, 3) for ms in self.ms],
            **{
                level: {
                    f"{name}/{category}": [asdict(s) for s in found]
                    for (name, category), found in scores.items()
                }
                for level, scores in (("turns", self.turns), ("sessions", self.sessions))
            },
        }


def measure(kind: type[Engine], conversations: list[Conversation]) -> Run:
    """Ask one engine every question of every conversation; only the first ten are timed."""
    run = Run(kind.name)
    for conversation in conversations:
        engine = kind(conversation)
        session_of = {turn.name: turn.session for turn in conversation.turns}
        for question in conversation.questions:
            key = (conversation.name, question.category)
            started = time.perf_counter()
            ranked = engine.search(question.text, 10)
            run.ms.append((time.perf_counter() - started) * 1000)
            run.turns[key].append(score(ranked, question.evidence))
            more = engine.search(question.text, _TURNS_FOR_SESSIONS)
            sessions = list(dict.fromkeys(session_of[name] for name in more))
            right = frozenset(session_of[name] for name in question.evidence)
            run.sessions[key].append(score(sessions, right))
        engine.close()
    return run


def tables(runs: list[Run], conversations: list[Conversation]) -> str:
    """Return the tables that are printed."""
    names = {conversation.name for conversation in conversations}
    plain = set(CATEGORIES) - {_ADVERSARIAL}
    parts = []
    for title, chosen in (
        ("conversations not used for fitting", names - set(FITTED)),
        ("conversations used for fitting", names & set(FITTED)),
        ("all conversations given", names),
    ):
        if chosen and (chosen != names or title.startswith("all")):
            parts += [
                _table(f"{level} level, categories 1-4, {title}", runs, level, chosen, plain)
                for level in ("turn", "session")
            ]
    for category, label in CATEGORIES.items():
        chosen = names - set(FITTED) or names
        title = f"turn level, category {category} ({label}), {', '.join(sorted(chosen))}"
        parts.append(_table(title, runs, "turn", chosen, {category}))
    return "\n\n".join(parts)


def _table(title: str, runs: list[Run], level: str, names: set[str], categories: set[int]) -> str:
    count = len(runs[0].pick(level, names, categories))
    lines = [f"{title}: {count} questions, {', '.join(sorted(names))}"]
    lines.append(f"{'':28}" + "".join(f"{head:>9}" for head in (*_HEADER, "p50 ms", "p95 ms")))
    for run in runs:
        cells = mean(run.pick(level, names, categories)).percents()
        cells += [f"{percentile(run.ms, share):.2f}" for share in (0.5, 0.95)]
        lines.append(f"{run.engine:28}" + "".join(f"{cell:>9}" for cell in cells))
    return "\n".join(lines)
