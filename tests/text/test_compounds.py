"""One word that texts write as two."""

from __future__ import annotations

import pytest

from memctl.text.compounds import parted

GRAMMAR = frozenset({"at", "the", "me"})


def parts(word: str, text: str) -> list[tuple[str, str]]:
    return list(parted(word, GRAMMAR, lambda _: [text]))


@pytest.mark.parametrize(
    ("word", "text", "both"),
    [
        ("timezone", "My Time zone is UTC", ("time", "zone")),
        ("timezones", "A time-zone is a zone", ("time", "zones")),
        ("email", "Send an e-mail", ("e", "mail")),
        ("nodejs", "It runs on Node.js", ("node", "js")),
    ],
)
def test_it_is_found_where_both_halves_stand_side_by_side(
    word: str, text: str, both: tuple[str, str]
) -> None:
    assert parts(word, text) == [both]


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("timezone", "the zone of that time"),
        ("timezone", "overtime zone"),
        ("email", "a plan e mail it"),
        ("goat", "they go at noon"),
        ("theme", "ask the me"),
        ("abc", "ab c"),
        ("時間", "時 間"),
    ],
)
def test_anything_else_is_another_word(word: str, text: str) -> None:
    assert parts(word, text) == []


def test_only_what_may_be_two_words_is_looked_up() -> None:
    asked: list[str] = []

    def texts_with(match: str) -> list[str]:
        asked.append(match)
        return []

    for word in ("goat", "abc", "atme"):
        assert list(parted(word, GRAMMAR, texts_with)) == []
    assert asked[0] == '("g" AND "oat") OR ("goa" AND "t")'
    assert len(asked) == 2
