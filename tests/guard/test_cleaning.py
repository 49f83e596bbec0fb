"""What every text passes before it is written: no control characters, no lone surrogates."""

from __future__ import annotations

import sqlite3
import warnings
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.base.errors import UnusableInputError
from memctl.guard.door import MAX_LABEL, clean
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable

    from memctl.memory import Memory


def cleaned(text: str) -> str:
    return clean(text, what="label")


anything = st.text(alphabet=st.characters(exclude_categories=[]))


@each(
    ("text", "kept"),
    [
        *((text, text) for text in ("", "a\tb\nc", "naïve café", "請求書 ✓ 👩‍👩‍👧", "a | b .. c")),
        ("\x1b[31mred\x1b[0m\x07", "[31mred[0m"),
        ("a\r\nb", "a\nb"),
        ("a\ud800b\udfffc", "a\ufffdb\ufffdc"),
        ("".join(map(chr, range(0xA0))), "\t\n" + "".join(map(chr, range(0x20, 0x7F)))),
    ],
)
def test_a_text_loses_control_characters_and_lone_surrogates_alone(text: str, kept: str) -> None:
    assert cleaned(text).replace("\n\n", "\n") == kept


def test_a_letter_that_was_lost_is_said_wherever_it_is_stored(memory: Memory) -> None:
    calls: list[Callable[[], object]] = [
        lambda: memory.log("Zo\ufffd owns the dock"),
        lambda: memory.log("Zo\ud800 owns the pier"),
        lambda: memory.log([{"text": b"Zo\xeb owns the ferry"}]),
        lambda: memory.remember("Zo\ufffd owns the boat"),
        lambda: memory.facts.store(text="Zo\ufffd lives in Porto"),
        lambda: memory.journal.task("Ask Zo\ufffd"),
        lambda: memory.aliases.add("quay", "wharf\ufffd"),
    ]
    for call in calls:
        with pytest.warns(UserWarning, match="a letter was lost"):
            call()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        memory.log("Zo\xeb owns the dock")
        memory.recall("what does Zo\ufffd own?")


def test_a_text_at_the_limit_is_taken_and_one_character_more_is_refused() -> None:
    assert clean("x" * MAX_LABEL, what="label", limit=MAX_LABEL) == "x" * MAX_LABEL
    with pytest.raises(UnusableInputError, match="label has 1001 characters") as raised:
        clean("x" * (MAX_LABEL + 1), what="label", limit=MAX_LABEL)
    assert raised.value.hint == "at most 1000 are kept"
    assert "x" * 20 not in raised.value.message


@given(anything)
def test_any_text_can_be_stored_and_read_back_once_cleaned(text: str) -> None:
    ready = cleaned(text)
    assert cleaned(ready) == ready
    with closing(sqlite3.connect(":memory:")) as connection:
        assert connection.execute("select ?", (ready,)).fetchone()[0] == ready


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs"])))
def test_text_without_control_characters_is_never_changed(text: str) -> None:
    assert cleaned(text) == text
