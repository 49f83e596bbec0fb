"""Compare recall that the routing index leads to few stores with recall over all, and over one store.

    python -m benchmarks.fleet_recall --locomo DIR [--questions 100] [--stores 5,20]

Each session of a conversation is a store. Every question is asked of the stores that the index
names, of all of them, and of one store that holds all sessions.
"""

from __future__ import annotations

import tempfile
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import memctl
from benchmarks.retrieval.quality import mean, score
from benchmarks.retrieval.sets import read_locomo
from benchmarks.running import arguments, keep, percentile, print_table, timed
from memctl.base.errors import SecretRefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from benchmarks.retrieval.quality import Score
    from benchmarks.retrieval.sets import Conversation, Question, Turn

_ROWS = 10
Name = tuple[str, int | str]


@dataclass(frozen=True)
class Way:
    """One way to ask: the share of right rows it finds, the stores it asks, and how long it takes."""

    name: str
    r5: float
    r10: float
    stores: float
    ms: float


def compare(
    conversations: Sequence[Conversation], folder: Path, questions: int, most: Sequence[int]
) -> list[Way]:
    """Ask some questions of the sessions' stores in each way, and of one store of all."""
    names: dict[Name, str] = {}
    for conversation in conversations:
        for session, turns in groupby(conversation.turns, key=lambda turn: turn.session):
            store = f"locomo{conversation.name}-{session.replace('_', '-')}"
            names |= _logged(store, folder / "stores", conversation, turns)
            names |= _logged("one", folder / "one", conversation, _apart(conversation, session))
    memctl.fleet.run("index", folder / "stores", index=folder)
    every = [(c, q) for c in conversations for q in c.questions if q.answerable]
    asked = every[:: max(1, len(every) // questions)][:questions]

    def of_fleet(**how: Any) -> Callable[[Question, str], tuple[list[str], int]]:
        def ask(question: Question, now: str) -> tuple[list[str], int]:
            rows = memctl.fleet.recall(question.text, limit=_ROWS, now=now, min_worth=0.0, **how)
            return [names.get((row.store, row.row.id), "") for row in rows], rows.asked

        return ask

    ways = {f"{n} routed": of_fleet(index=folder, most_stores=n) for n in most}
    ways["all"] = of_fleet(stores=folder / "stores")
    with memctl.open("one", folder / "one", readonly=True) as memory:

        def of_one(question: Question, now: str) -> tuple[list[str], int]:
            rows = memory.recall(question.text, _ROWS, now=now, min_worth=0.0, record=False)
            return [names.get(("one", row.id), "") for row in rows], 1

        ways["all in one store"] = of_one
        return [_measured(name, ask, asked) for name, ask in ways.items()]


def _measured(
    name: str,
    ask: Callable[[Question, str], tuple[list[str], int]],
    asked: Sequence[tuple[Conversation, Question]],
) -> Way:
    scores: list[Score] = []
    times, stores = [], 0
    for conversation, question in asked:
        took, (ranked, number) = timed(partial(ask, question, conversation.last_at))
        right = frozenset(f"{conversation.name}/{turn}" for turn in question.evidence)
        scores.append(score(ranked, right))
        times.append(took.wall)
        stores += number
    average = mean(scores)
    return Way(name, average.r5, average.r10, stores / len(asked), percentile(times, 0.5))


def _logged(
    store: str, home: Path, conversation: Conversation, turns: Iterable[Turn]
) -> dict[Name, str]:
    """Log turns into a store; return the name of each by its store and id."""
    names: dict[Name, str] = {}
    with memctl.open(store, home) as memory, memory.store.transaction():
        for turn in turns:
            with suppress(SecretRefusedError):  # then it is not found, and that is counted
                added = memory.log(
                    turn.text,
                    role=turn.role,
                    speaker=turn.speaker or None,
                    session=f"{conversation.name} {turn.session}",
                    logged_at=turn.said_at,
                    details=turn.caption,
                )
                names[store, added] = f"{conversation.name}/{turn.name}"
    return names


def _apart(conversation: Conversation, session: str) -> list[Turn]:
    return [turn for turn in conversation.turns if turn.session == session]


def main(words: Sequence[str] | None = None) -> None:
    """Ask in each way, print the table, keep the figures."""
    parser = arguments(__doc__, "fleet_recall")
    parser.add_argument("--locomo", type=Path, required=True, help="folder of LoCoMo conversations")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--stores", default="5,20", help="how many stores are asked")
    options = parser.parse_args(words)
    most = [int(number) for number in options.stores.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        ways = compare(read_locomo(options.locomo), Path(folder), options.questions, most)
    rows = [
        (way.name, f"{way.r5:.3f}", f"{way.r10:.3f}", f"{way.stores:.0f}", f"{way.ms:.0f}")
        for way in ways
    ]
    print_table("Recall over many stores", ("asked", "R@5", "R@10", "stores", "ms"), rows)
    keep("fleet_recall", [asdict(way) for way in ways], options.out)


if __name__ == "__main__":
    main()
