"""Replays of recalls: a thousand on a store that only grows, and again after all kinds of changes.

An unequal replay counts as named where it says what was changed: something of the last step where
it was equal before, and the row itself where a row of the answer is lost or reads otherwise. An
equal one counts as false where the rows that were kept when it was asked are not those of now.
"""

from __future__ import annotations

import random
import re
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import memctl
from benchmarks.retrieval.recorded_answers import recorded, while_growing
from benchmarks.retrieval.store_changes import CHANGES, Picked
from memctl.base.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.retrieval.conversations import Conversation
    from benchmarks.retrieval.recorded_answers import RecordedAnswer
    from benchmarks.retrieval.store_changes import Changed
    from memctl.memory import Memory
    from memctl.recall.replays import Replay

__all__ = ["Outcome", "run_replays"]

_SEED = 16
_ROWS = 30  # that a step changes of a kind: as many again that no recall brought
_OUTCOMES = ("equal", "named", "unnamed", "false", "refused")
_ROW_CHANGE = re.compile(r"(turn|episode|fact|row) \S+ (?:of its answer )?was (\w+)")


@dataclass
class Outcome:
    """The replays of all recalls after one step.

    Parameters
    ----------
    title
        The step.
    counts
        How many were equal, unequal and named, and so on.
    equal
        The recalls whose replays were equal.
    causes
        How many unequal replays name each kind of change.
    unnamed
        Those that name too little, or are equal and should not be: the recall, and why.
    seconds
        How long the replays took.
    """

    title: str
    counts: Counter[str] = field(default_factory=Counter)
    equal: set[int] = field(default_factory=set)
    causes: Counter[str] = field(default_factory=Counter)
    unnamed: list[tuple[int, str]] = field(default_factory=list)
    seconds: float = 0.0

    def raw(self) -> dict[str, Any]:
        """Return the figures for the results file."""
        return {
            "after": self.title,
            **{name: self.counts[name] for name in _OUTCOMES},
            "causes": dict(self.causes.most_common()),
            "unnamed or false": self.unnamed,
            "seconds": round(self.seconds, 1),
        }


class Replays:
    """All recalls of a store, replayed after each step."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._changed: list[tuple[int, Changed]] = []
        self._last = 0
        self._before: set[int] = set()

    def after(
        self,
        title: str,
        answers: Sequence[RecordedAnswer],
        changed: Changed,
        causes: Sequence[str] = (),
    ) -> Outcome:
        """Replay all recalls, and judge each by what is known to have been changed."""
        self._changed.append((self._last, changed))
        self._last = answers[-1].recall
        outcome, started = Outcome(title), time.perf_counter()
        for answer in answers:
            try:
                again = self._memory.recalls.replay(answer.recall)
            except UsageError:  # a name or a word in it was erased, and it says so
                outcome.counts["refused"] += 1
                continue
            self._judge(outcome, answer, again, causes)
        outcome.seconds = time.perf_counter() - started
        self._before = outcome.equal
        return outcome

    def _judge(
        self, outcome: Outcome, answer: RecordedAnswer, again: Replay, causes: Sequence[str]
    ) -> None:
        kinds = {_cause(one) for one in again.differences}
        if again.equal:
            outcome.equal.add(answer.recall)
            fault, name = self._false(answer, again), "equal"
        else:
            newly = answer.recall in self._before
            fault = self._missing(answer, again, newly and kinds.isdisjoint(causes))
            name = "unnamed" if fault else "named"
            outcome.causes.update(kinds)
        if fault:
            outcome.unnamed.append((answer.recall, fault))
        outcome.counts["false" if again.equal and fault else name] += 1

    def _false(self, answer: RecordedAnswer, again: Replay) -> str:
        """Return why a replay that says "equal" is wrong; empty where it is right."""
        now = tuple((h.name, h.text, h.score) for h in self._memory.recalls.hits(again.recall))
        if again.now != answer.names:
            return "other rows"
        return "" if now == answer.rows else "other texts"

    def _missing(self, answer: RecordedAnswer, again: Replay, unexplained: bool) -> str:
        """Return what an unequal replay does not name; empty where it names enough.

        Of an erased row the place is named, since its id is gone.
        """
        if not again.differences:
            return "nothing is named"
        if unexplained:
            return "nothing of the last step is named"
        texts = {h.name: h.text for h in self._memory.recalls.hits(again.recall)}
        for place, (name, text, _) in enumerate(answer.rows, 1):
            said = self._said(answer.recall, name)
            if name not in texts:
                said = f"row {place} of its answer was erased"
            elif texts[name] != text:
                said = f"{said} edited"
            elif name in again.now:
                continue
            if not any(one.startswith(said) for one in again.differences):
                return f"{name} is not named"
        return ""

    def _said(self, recall: int, name: str) -> str:
        """Return how the last change of a row since a recall is named; empty for none."""
        since = (changed for last, changed in reversed(self._changed) if recall <= last)
        return next((changed[name] for changed in since if name in changed), "")


def run_replays(conversations: Sequence[Conversation], recalls: int = 1000) -> dict[str, Any]:
    """Record recalls while a store grows, replay them after each step, print and return counts."""
    generator = random.Random(_SEED)
    chosen = [one for one in conversations if not one.fitted] or conversations
    with tempfile.TemporaryDirectory() as folder, memctl.open("agent", folder) as memory:
        asked = list(while_growing(memory, chosen, recalls, generator))
        answers = [answer for _, answer in asked]
        replays = Replays(memory)
        outcomes = [replays.after("the store only grew", answers, {})]
        for change in CHANGES:
            changed = change.make(memory, _picked(answers, generator))
            again = [one for one, _ in generator.sample(asked, min(change.asks, len(asked)))]
            answers += [recorded(memory, one) for one in again]
            outcomes.append(replays.after(change.title, answers, changed, change.causes))
        figures = {
            "rows": len(memory.turns) + len(memory.episodes) + len(memory.facts),
            "recalls": recalls,
            "steps": [one.raw() for one in outcomes],
        }
    print(_table(outcomes))
    return figures


def _picked(answers: Sequence[RecordedAnswer], generator: random.Random) -> Picked:
    brought = [name for answer in answers for name in answer.names]
    return Picked(brought, _ROWS, generator)


def _cause(difference: str) -> str:
    """Return the kind of a difference: "turn edited", "setting", "aliases"."""
    row = _ROW_CHANGE.match(difference)
    if row:
        return " ".join(row.groups())
    return re.split("[: ]", difference.removeprefix("the "))[0]


def _table(outcomes: Sequence[Outcome]) -> str:
    """Return the table that is printed: a line a step, each after all before it."""
    lines = [f"{'replays after':30}" + "".join(f"{name:>10}" for name in _OUTCOMES)]
    for outcome in outcomes:
        cells = (f"{outcome.counts[name]:10}" for name in _OUTCOMES)
        lines.append(f"{outcome.title:30}" + "".join(cells))
    named = outcomes[-1].causes.most_common()
    lines += ["", "unequal replays at the end that name a change of a kind"]
    lines += [f"{kind:30}{count:10}" for kind, count in named]
    return "\n".join(lines)
