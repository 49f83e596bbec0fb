"""Answers over MCP stay small where no cap is named; what does not fit is on the next page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

import memctl
from memctl.base.tokens import estimate_tokens
from tests.cli.test_mcp import Talk, lines_of, talking_at_home
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# Characters of a whole answer.
MOST = 30_000
FACTS = 32


@pytest.fixture(scope="module")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Talk, str]]:
    """A store of long facts, one of which was changed often."""
    home: Path = tmp_path_factory.mktemp("sizes")
    with memctl.open("agent", home, settings={"max_fact": "100000"}) as memory:
        memory.facts.store([f"Shelf {i} holds " + f"part{i} " * 450 for i in range(FACTS)])
        memory.facts.store("The longest shelf holds " + "rope " * 3_000)
        often = memory.facts.store("The often changed shelf holds nothing").ids[0]
        for i in range(15):
            memory.facts.update(often, f"The often changed shelf holds {i} " + "nails " * 500)
        memory.log("harbour " + "noise " * 3_000)
        memory.remember("The harbour was closed", details="fog " * 3_000)
    with talking_at_home(home) as opened:
        yield opened, often


@pytest.fixture
def talk(changed: tuple[Talk, str]) -> Talk:
    return changed[0]


def size(talk: Talk, tool: str, **arguments: Any) -> int:
    return len(talk.text(tool, **arguments))


def pages(talk: Talk, tool: str, **arguments: Any) -> Iterator[str]:
    """Return the pages of an answer, each by the offset that the one before names."""
    offset = "0"
    while offset:
        page = talk.text(tool, offset=int(offset), **arguments)
        yield page
        offset = "".join(re.findall(r"; next offset (\d+)$", page))


@each(
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
    seen = [[row.id for row in lines_of(page)] for page in pages(talk, "memory_list")]
    assert len(seen) > 1
    assert all(seen), "every page goes on"
    ids = [id_ for page in seen for id_ in page]
    assert len(ids) == len(set(ids)) == FACTS + 2


def test_every_change_is_on_one_page_of_the_history(changed: tuple[Talk, str]) -> None:
    talk, often = changed
    events: list[str] = []
    for page in pages(talk, "memory_history", memoryId=often):
        assert len(page) < MOST
        events += re.findall(r"Z ([A-Z]+) by", page)
    assert events == ["ADD", *["UPDATE"] * 15]


def test_a_text_that_is_cut_says_how_much_of_it_is_missing(talk: Talk) -> None:
    assert "more characters)" in talk.text("memory_search", query="longest rope")
    assert "more characters)" in talk.text("recall", query="harbour")
    (hit,) = talk.rows("memory_search", query="longest rope", limit=1)
    whole = talk.text("memory_get", memoryId=hit.id)
    assert hit.said.split("…")[0] in whole
    assert len(whole) > 15_000


def test_hits_that_are_left_out_are_told_and_a_cap_makes_room_for_them(talk: Talk) -> None:
    usual = talk.text("memory_search", query="shelf holds", limit=30)
    wide = talk.rows("memory_search", query="shelf holds", limit=30, maxTokens=200_000)
    shown = len(lines_of(usual))
    assert 0 < shown < len(wide) == 30
    assert f"{30 - shown} more rows match" in usual
    assert estimate_tokens(usual) < 4_200
