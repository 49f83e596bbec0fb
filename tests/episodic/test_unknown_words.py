"""A word that no turn holds: written otherwise, misspelt, cut short, or simply another word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with memctl.open("agent", tmp_path) as opened:
        opened.log("Your wife called at noon", speaker="Ann")
        opened.log("60 requests per minute is the limit", speaker="Ben")
        opened.log("We went to Rome in spring", speaker="Ann")
        opened.log("The database is PostgreSQL", speaker="Ben")
        opened.log("My time zone is Lisbon's; write me an e-mail", speaker="Ann")
        yield opened


@each("word", ["wifi", "pets", "ware", "limb"])
def test_a_real_word_is_not_taken_for_another(memory: Memory, word: str) -> None:
    found = memory.recall(word)
    assert (list(found), found.corrected, found.unknown) == ([], {}, (word,))


def test_a_short_word_is_repaired_where_a_row_holds_what_else_is_asked(memory: Memory) -> None:
    found = memory.recall("who went to Romk?")
    assert found.corrected == {"romk": "rome"}
    assert memory.recall("what about Romk and the limit?").corrected == {}


def test_what_a_word_was_taken_for_is_told_as_a_turn_writes_it(memory: Memory) -> None:
    assert memory.recall("reqeusts").corrected == {"reqeusts": "requests"}
    assert memory.recall("minutse").corrected == {"minutse": "minute"}


def test_a_name_cut_short_is_taken_for_the_whole(memory: Memory) -> None:
    found = memory.recall("why postgres?")
    assert found.corrected == {"postgres": "postgresql"}
    assert found[0].text == "The database is PostgreSQL"
    memory.log("PostgresPro is another")
    assert memory.recall("why postgres?").corrected == {}


@each(("query", "apart"), [("which timezone am I in?", "time zone"), ("email", "e mail")])
def test_one_word_finds_what_is_written_as_two(memory: Memory, query: str, apart: str) -> None:
    found = memory.recall(query)
    assert found[0].text == "My time zone is Lisbon's; write me an e-mail"
    assert (set(found.aliases.values()), found.corrected) == ({apart}, {})
