"""Turkish texts that differ in capitals alone are one fact."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from memctl.semantic.facts import Facts

WAYS = [
    ("Işık mutfakta yanıyor", "ışık mutfakta yanıyor", "IŞIK MUTFAKTA YANIYOR"),
    ("İzmir'de tatil yapar", "izmir'de tatil yapar", "İZMİR'DE TATİL YAPAR"),
]


@pytest.mark.parametrize("ways", WAYS)
def test_however_it_is_written_it_is_added_once(facts: Facts, ways: tuple[str, ...]) -> None:
    events = [facts.store(unicodedata.normalize("NFC", text)).written[0].event for text in ways]
    assert events == ["ADD", "SKIP", "SKIP"]


def test_a_thing_has_one_name_however_it_is_written(facts: Facts) -> None:
    facts.store("Işık's owner is Ann")
    assert [fact.value for fact in facts.lookup("IŞIK", "owner")] == ["Ann"]
