"""A recall of one user tells nothing of another user's facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import memctl

if TYPE_CHECKING:
    from pathlib import Path

    from memctl.memory import Memory
    from memctl.search.recall_results import Recalled


def kinds(found: Recalled) -> list[str]:
    return [row.kind for row in found]


def test_facts_of_another_scope_are_not_recalled(memory: Memory, home: Path) -> None:
    memory.facts.store(["Bob likes pelicans"], user_id="bob")
    with memctl.open("harbor", home, user="ann") as anns:
        assert not anns.recall("pelicans")
        assert anns.recall("pelicans").unknown == ("pelicans",)
    with memctl.open("harbor", home, user="bob") as bobs:
        assert kinds(bobs.recall("pelicans")) == ["fact"]


def test_a_word_that_only_anothers_fact_holds_is_neither_told_nor_known(
    memory: Memory, home: Path
) -> None:
    memory.facts.store("The kookba is a dance; the bandicoot dances it", user_id="bob")
    with memctl.open("harbor", home, user="ann") as opened:
        opened.log("The kookka is a drink")
        assert opened.recall("kookba").corrected == {"kookba": "kookka"}
        found = opened.recall("bandicot")
        assert (found.corrected, found.unknown) == ({}, ("bandicot",))


@pytest.mark.parametrize("said", ["Rob called", "The ferry is late"])
@pytest.mark.parametrize("kinds_asked", [(), ("turn", "episode"), ("fact",)])
def test_an_alias_that_only_anothers_fact_holds_is_not_told(
    memory: Memory, home: Path, said: str, kinds_asked: tuple[str, ...]
) -> None:
    memory.log(said)
    memory.facts.store("Robert Miller owns the bandicoot", user_id="bob")
    memory.aliases.add("Rob", "Robert Miller")
    with memctl.open("harbor", home, user="ann") as opened:
        found = opened.recall("Who is Rob?", kinds=kinds_asked)
        assert found.aliases == {}
        assert "Miller" not in str(found)
    assert memory.recall("Who is Rob?", kinds=["fact"]).aliases == {"Rob": "Robert Miller"}


def test_an_alias_that_a_turn_of_ones_own_holds_is_told(memory: Memory, home: Path) -> None:
    memory.facts.store("Robert Miller owns the bandicoot", user_id="bob")
    memory.aliases.add("Rob", "Robert Miller")
    with memctl.open("harbor", home, user="ann") as opened:
        opened.log("Robert Miller called")
        found = opened.recall("Rob")
        assert (kinds(found), found.aliases) == (["turn"], {"Rob": "Robert Miller"})
