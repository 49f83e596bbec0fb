"""A standing order that begins as another one, and goes on otherwise, may replace it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memctl.memory import Memory


def test_another_language_to_answer_in_may_replace_the_first(memory: Memory) -> None:
    first = memory.facts.store("Always answer User in German, please.").written[0]
    second = memory.facts.store("From now on, answer User in English, please.").written[0]
    assert [near.id for near in second.related if near.may_replace] == [first.id]


def test_another_order_replaces_nothing(memory: Memory) -> None:
    memory.facts.store("Always answer User in German, please.")
    second = memory.facts.store("Always keep answers short, please.").written[0]
    assert not any(near.may_replace for near in second.related)
