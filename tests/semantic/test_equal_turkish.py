"""Turkish texts that differ in capitals alone are one fact, in old stores too."""

from __future__ import annotations

import hashlib
import unicodedata
from typing import TYPE_CHECKING

import pytest

from memctl.semantic.normal import equal_key, former_keys, same_key

if TYPE_CHECKING:
    from memctl.semantic.facts import Facts
    from memctl.store import Store

WAYS = [
    ("Işık mutfakta yanıyor", "ışık mutfakta yanıyor", "IŞIK MUTFAKTA YANIYOR"),
    ("İzmir'de tatil yapar", "izmir'de tatil yapar", "İZMİR'DE TATİL YAPAR"),
]


def former_key(text: str) -> str:
    """Return the key that texts had while a dotless i was another letter."""
    return hashlib.blake2b(equal_key(text).encode(), digest_size=10).hexdigest()


@pytest.mark.parametrize("ways", WAYS)
def test_however_it_is_written_it_is_added_once(facts: Facts, ways: tuple[str, ...]) -> None:
    events = [facts.store(unicodedata.normalize("NFC", text)).written[0].event for text in ways]
    assert events == ["ADD", "SKIP", "SKIP"]


@pytest.mark.parametrize("ways", WAYS)
@pytest.mark.parametrize("first", [0, 1, 2])
def test_a_row_of_an_older_memctl_is_known_too(
    facts: Facts, store: Store, ways: tuple[str, ...], first: int
) -> None:
    (known,) = facts.store(ways[first]).ids
    with store.transaction():
        store.execute("update fact set equal_key = :key", {"key": former_key(ways[first])})
    assert not facts.triage(ways[first]).passed
    again = (ways[first], *ways)
    assert [facts.store(text).written[0].id for text in again] == [known] * 4
    assert store.value("select equal_key from fact") == same_key(ways[0])


@pytest.mark.parametrize("text", WAYS[0])
@pytest.mark.parametrize("known", WAYS[0])
def test_a_row_of_an_older_memctl_is_known_by_other_capitals(
    facts: Facts, store: Store, known: str, text: str
) -> None:
    (first,) = facts.store(known).ids
    with store.transaction():
        store.execute("update fact set equal_key = :key", {"key": former_key(known)})
    assert facts.store(text).written[0].id == first


def test_an_update_to_what_an_older_row_says_is_refused(facts: Facts, store: Store) -> None:
    from memctl.errors import RefusedError

    (known,) = facts.store("Işık mutfakta yanıyor").ids
    with store.transaction():
        key = {"key": former_key("Işık mutfakta yanıyor")}
        store.execute("update fact set equal_key = :key", key)
    (other,) = facts.store("Tea is served at noon").ids
    with pytest.raises(RefusedError, match=known):
        facts.update(other, "ışık mutfakta yanıyor")


@pytest.mark.parametrize("text", ["User likes tea", "Größe ist 42", "用户住在北京", "INDIGO"])
def test_other_texts_have_the_key_that_they_always_had(text: str) -> None:
    assert (same_key(text), former_keys(text)) == (former_key(text), [])
