"""The index and a question fold, part and name characters alike: the view against Python."""

from __future__ import annotations

import sqlite3
import unicodedata
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import memctl
from memctl.store import migrations
from memctl.text.splitting import Splitter, fold, is_unspaced, parted_scripts
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from memctl.memory import Memory

WORDS_OF = "select words from memory_words where kind = 'turn' and id = ?"
# Letters that fold, marks, emoji, and scripts without spaces.
TEXTS = st.text(
    "ab1 -\u0142\u0141\u00f8\u00df\u00fe\u00c6\u0153\u0131\u0130\u00e9\u0301\u2764\ufe0f\u200d"
    "\U0001f44d\U0001f3fd\U0001f1e9\u6771\u4eac\u0e02\uc11c"
    "\u0386\u03ac\u03c2\u0451\u0401\u0623\u064e\u0640\u05d3\u05b8C+#.net",
    max_size=30,
)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with memctl.open("agent", tmp_path) as opened:
        opened.log("a first turn")
        yield opened


@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=TEXTS)
@example(text="C#\u00c6")
def test_the_index_has_each_word_of_a_text_that_a_question_has(memory: Memory, text: str) -> None:
    turn = memory.log(f"x {unicodedata.normalize('NFC', text)}")
    splitter = Splitter(memory.store)
    connection = memory.store.connection()
    held = connection.execute("select text from log where id = ?", (turn,)).fetchone()[0]
    indexed = connection.execute(WORDS_OF, (turn,)).fetchone()[0]
    words = [w for w in splitter.split([parted_scripts(held)])[0] if not is_unspaced(w.surface)]
    asked = {token.stem for token in (*words, *splitter.pieces(held))}
    assert asked <= {token.stem for token in splitter.split([indexed])[0]}


@each("question", ["\u0301", "plain \u0301", "\u0301 \u0301 text", "\ufe0f"])
def test_a_mark_that_stands_on_no_letter_is_no_word(memory: Memory, question: str) -> None:
    memory.log("plain text")
    assert memory.recall(question) is not None
    tokens = Splitter(memory.store).split([question])[0]
    assert all(token.surface and token.stem for token in tokens)


def test_sql_and_python_fold_every_letter_alike() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrations.apply(connection)
    letters = [
        chr(c) for c in (*range(0xA0, 0x700), *range(0xFB00, 0xFB50), *range(0x200B, 0x2010))
    ]
    connection.executemany(
        "insert into log (session, text, logged_at) values ('s', ?, '2026')",
        [(f"x{letter}y",) for letter in letters],
    )
    indexed = connection.execute("select words from memory_words order by id").fetchall()
    for letter, (words,) in zip(letters, indexed, strict=True):
        assert words.strip() == fold(f"x{letter}y"), letter


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (
            "\u0397 \u0391\u03b8\u03ae\u03bd\u03b1 \u03b5\u03af\u03bd\u03b1\u03b9 \u03b6\u03b5\u03c3\u03c4\u03ae",
            "\u0391\u0398\u0397\u039d\u0391",
        ),
        (
            "\u041f\u0451\u0442\u0440 \u043e\u043f\u043b\u0430\u0442\u0438\u043b",
            "\u043f\u0435\u0442\u0440",
        ),
        (
            "\u043f\u0435\u0442\u0440 \u043e\u043f\u043b\u0430\u0442\u0438\u043b",
            "\u041f\u0451\u0442\u0440",
        ),
        (
            "\u0627\u0644\u062a\u0642\u064a\u062a\u064f \u0628\u0623\u062d\u0645\u062f",
            "\u0627\u0644\u062a\u0642\u064a\u062a",
        ),
        ("\u05d3\u05bc\u05b8\u05d5\u05b4\u05d3 \u05e0\u05d3\u05d7\u05d4", "\u05d3\u05d5\u05d3"),
        ("Herr M\u00fcller unterschrieb", "Mueller"),
        ("Herr Mueller unterschrieb", "M\u00fcller"),
        ("F\u00fchrungskr\u00e4fte tagen", "Fuehrungskraefte"),
        ("Notepad++ is installed", "notepad"),
        ("the gear is .NET", "dotnet"),
    ],
)
def test_a_word_is_found_however_its_letters_are_written(
    memory: Memory, text: str, question: str
) -> None:
    memory.log(text)
    found = memory.recall(question, limit=1).rows
    assert [row.text for row in found] == [unicodedata.normalize("NFC", text)]


def test_an_e_after_a_vowel_is_no_umlaut_where_no_row_has_one(memory: Memory) -> None:
    memory.log("the pom file")
    assert not memory.recall("poem").rows


def test_names_with_signs_are_told_apart(memory: Memory) -> None:
    written = [f"The parser is written in {name}" for name in ("C", "C++", "C#", "F#")]
    for text in written:
        memory.log(text)
    asked = [memory.recall(f"{name} parser", limit=1).rows[0] for name in ("C++", "C#", "F#")]
    assert [row.text for row in asked] == written[1:]
    assert [row.matched[0] for row in asked] == ["c++", "c#", "f#"]
