"""The index and a question fold, part and name characters alike: the view against Python."""

from __future__ import annotations

import sqlite3
import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import memctl
from memctl.text.splitting import Splitter, fold, is_unspaced, parted_scripts, piece_words

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory

WORDS_OF = "select words from memory_words where kind = 'turn' and id = ?"
# Letters that fold, marks, emoji, and scripts without spaces.
TEXTS = st.text(
    "ab1 -\u0142\u0141\u00f8\u00df\u00fe\u00c6\u0153\u0131\u0130\u00e9\u0301\u2764\ufe0f\u200d"
    "\U0001f44d\U0001f3fd\U0001f1e9\u6771\u4eac\u0e02\uc11c",
    max_size=30,
)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with memctl.open("agent", tmp_path) as opened:
        opened.log("a first turn")
        yield opened


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=TEXTS)
def test_the_index_has_each_word_of_a_text_that_a_question_has(memory: Memory, text: str) -> None:
    turn = memory.log(f"x {unicodedata.normalize('NFC', text)}")
    splitter = Splitter(memory.store)
    connection = memory.store.connection()
    held = connection.execute("select text from log where id = ?", (turn,)).fetchone()[0]
    indexed = connection.execute(WORDS_OF, (turn,)).fetchone()[0]
    words = [w for w in splitter.split([parted_scripts(held)])[0] if not is_unspaced(w.surface)]
    asked = {token.stem for token in (*words, *splitter.pieces(held))}
    assert asked <= {token.stem for token in splitter.split([indexed])[0]}


@pytest.mark.parametrize("question", ["\u0301", "plain \u0301", "\u0301 \u0301 text", "\ufe0f"])
def test_a_mark_that_stands_on_no_letter_is_no_word(memory: Memory, question: str) -> None:
    memory.log("plain text")
    assert memory.recall(question) is not None
    tokens = Splitter(memory.store).split([question])[0]
    assert all(token.surface and token.stem for token in tokens)


def test_sqlite_names_an_emoji_as_a_question_does() -> None:
    connection = sqlite3.connect(":memory:")
    named = "select case when :c glob '[\u2190-\u2bff\U0001f000-\U0001faff]' and not :c glob '[\U0001f3fb-\U0001f3ff]' then printf('emoji%x', unicode(:c)) end"
    for code in (*range(0x2180, 0x2C10), *range(0x1EFF0, 0x1FB10)):
        words = [word for word in piece_words(chr(code)) if word.startswith("emoji")]
        assert connection.execute(named, {"c": chr(code)}).fetchone()[0] == (
            words[0] if words else None
        )


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        *(
            ("\u0141\u00f3d\u017a", "l\u00f3d\u017a"),
            ("\u00d8l", "ol"),
            ("\u00d0or\u0111e", "dorde"),
        ),
        *(("Stra\u00dfe", "Strasse"), ("c\u0153ur", "coeur"), ("\u00c6gir", "aegir")),
        *(("\u0131\u015f\u0131k", "i\u015fik"), ("\u00feing", "thing"), ("plain", "plain")),
    ],
)
def test_letters_fold_that_the_tokenizer_leaves(text: str, folded: str) -> None:
    assert fold(text) == folded
