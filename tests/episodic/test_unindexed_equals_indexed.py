"""Who may not write ranks the turns that wait exactly as if they were in the index."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from hypothesis import given, settings
from hypothesis import strategies as st

from memctl.base.home import parse_address
from memctl.memory import Memory
from memctl.store.store import Store

if TYPE_CHECKING:
    from memctl.search.recall_results import Recalled

WORDS = "ferry lighthouse saffron paella cooked cooking harbour Ann Bo when Friday 3 March 2026 icecream ice cream"
words = st.sampled_from([*WORDS.split(), "昨日東京に", "我喜欢喝茶", "tokyo", "?"])
texts = st.lists(words, min_size=1, max_size=9).map(" ".join)
turns = st.lists(
    st.tuples(texts, st.sampled_from([None, "Ann", "Bo"]), st.sampled_from(["a", "b"])),
    max_size=12,
)
questions = st.lists(
    st.sampled_from(
        [*WORDS.split(), "lighthose", "safron", "東京", "喝茶", "harbor", "boat", "who", "did"]
    ),
    min_size=1,
    max_size=6,
).map(" ".join)
filters = st.fixed_dictionaries(
    {},
    optional={
        "thread": st.just("a"),
        "participants": st.just(("Ann",)),
        "limit": st.integers(1, 9),
        "max_tokens": st.integers(5, 60),
        "since": st.just("2026-01-02"),
    },
)
ADDRESS = parse_address("agent")


def log(memory: Memory, said: list[tuple[str, str | None, str]], day: int) -> None:
    for text, speaker, session in said:
        memory.log(text, speaker=speaker, session=session, logged_at=f"2026-01-0{day}")


def recalled(path: Path, asked: list[tuple[str, dict[str, Any]]], fallback: str) -> list[Recalled]:
    """Return what a subagent recalls: every row with its whole explanation."""
    with Store(path, ADDRESS, readonly=True) as store:
        memory = Memory(store, flags={"fallback": fallback})
        found = [memory.recall(question, now="2026-02-01", **given) for question, given in asked]
    return [replace(one, duration_ms=0.0) for one in found]


def waiting(store: Store) -> int:
    return int(store.value("select count(*) from memory_waiting"))


@settings(max_examples=10, deadline=None)
@given(
    before=turns,
    after=turns,
    episode=st.none() | texts,
    asked=st.lists(st.tuples(questions, filters), min_size=1, max_size=6),
    fallback=st.sampled_from(["none", "store"]),
)
def test_recall_beside_the_index_equals_recall_of_the_index(
    before: list[tuple[str, str | None, str]],
    after: list[tuple[str, str | None, str]],
    episode: str | None,
    asked: list[tuple[str, dict[str, Any]]],
    fallback: str,
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "agent.db"
        store = Store(path, ADDRESS)
        memory = Memory(store, flags={"fallback": fallback})
        memory.aliases.add("boat", "ferry")
        log(memory, before, day=1)
        if episode is not None:
            memory.remember(episode, participants=["Ann"], happened_at="2026-01-01")
        memory.recall("ferry")  # what waits reaches the index, and the vectors are learned
        log(memory, after, day=2)
        assert waiting(store) == len(after)
        beside = recalled(path, asked, fallback)
        store.close()
        with Store(path, ADDRESS) as again:
            assert waiting(again) == 0
        assert recalled(path, asked, fallback) == beside
