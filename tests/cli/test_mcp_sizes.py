"""Answers over MCP stay small where no cap is named; what does not fit is on the next page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import memctl
from memctl.base.tokens import estimate_tokens
from tests.cli.test_mcp import Talk, talking_at_home

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Characters of a whole answer: its text, and the same as data.
MOST = 40_000
FACTS = 60


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Talk, str]]:
    """A store of long facts, one of which was changed often."""
    home: Path = tmp_path_factory.mktemp("sizes")
    with memctl.open("agent", home, settings={"max_fact": "100000"}) as memory:
        memory.facts.store([f"Shelf {i} holds " + f"part{i} " * 450 for i in range(FACTS)])
        memory.facts.store("The longest shelf holds " + "rope " * 15_000)
        often = memory.facts.store("The often changed shelf holds nothing").ids[0]
        for i in range(30):
            memory.facts.update(often, f"The often changed shelf holds {i} " + "nails " * 500)
        memory.log("harbour " + "noise " * 100_000)
        memory.remember("The harbour was closed", details="fog " * 100_000)
    with talking_at_home(home) as opened:
        yield opened, often


@pytest.fixture
def talk(changed: tuple[Talk, str]) -> Talk:
    return changed[0]


def size(talk: Talk, tool: str, **arguments: Any) -> int:
    answer = talk.call(tool, **arguments)
    assert not answer.is_error, answer.content
    return len(str(answer.content)) + len(str(answer.structured_content))


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("memory_list", {}),
        ("memory_list", {"limit": 500}),
        ("memory_search", {"query": "shelf holds", "limit": 100}),
        ("memory_search", {"query": "longest rope"}),
        ("recall", {"query": "shelf holds", "limit": 100}),
        ("recall", {"query": "harbour"}),
    ],
)
def test_an_answer_is_small_without_a_cap(talk: Talk, tool: str, arguments: dict[str, Any]) -> None:
    assert size(talk, tool, **arguments) < MOST


def test_every_fact_is_on_one_page_and_the_text_tells_the_next(talk: Talk) -> None:
    seen: list[str] = []
    offset: int | None = 0
    while offset is not None:
        answer = talk.call("memory_list", offset=offset)
        page, text = answer.structured_content or {}, str(answer.content)
        assert page["count"] == FACTS + 2
        assert page["memories"], "every page goes on"
        assert all(f"[{one['id']}]" in text for one in page["memories"])
        seen += [one["id"] for one in page["memories"]]
        offset = page["next_offset"]
        assert offset is None or f"next offset {offset}" in text
    assert len(seen) == len(set(seen)) == FACTS + 2


def test_every_change_is_on_one_page_of_the_history(changed: tuple[Talk, str]) -> None:
    talk, often = changed
    events: list[str] = []
    offset: int | None = 0
    while offset is not None:
        page = talk.data("memory_history", memoryId=often, offset=offset)
        assert page["count"] == 31
        assert size(talk, "memory_history", memoryId=often, offset=offset) < MOST
        events += [one["event"] for one in page["history"]]
        offset = page["next_offset"]
    assert events == ["ADD", *["UPDATE"] * 30]


def test_a_text_that_is_cut_says_how_much_of_it_is_missing(talk: Talk) -> None:
    assert "more characters)" in talk.text("memory_search", query="longest rope")
    assert "more characters)" in talk.text("recall", query="harbour")
    (hit,) = talk.data("memory_search", query="longest rope", limit=1)["memories"]
    whole = talk.data("memory_get", memoryId=hit["id"])["memory"]["text"]
    assert whole.startswith(hit["memory"].split("…")[0])


def test_hits_that_are_left_out_are_told_and_a_cap_makes_room_for_them(talk: Talk) -> None:
    usual = talk.call("memory_search", query="shelf holds", limit=30)
    wide = talk.data("memory_search", query="shelf holds", limit=30, maxTokens=200_000)
    shown = len((usual.structured_content or {})["memories"])
    assert 0 < shown < wide["count"] == 30
    assert f"{30 - shown} more rows match" in str(usual.content)
    assert estimate_tokens(talk.text("memory_search", query="shelf holds", limit=30)) < 4_200
