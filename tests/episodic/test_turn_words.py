from __future__ import annotations

import sqlite3
import sys
from typing import TYPE_CHECKING

import pytest

from memctl.search.index.index_words import IndexWords
from memctl.store import migrations, statements
from memctl.text.closed_words import FORMS, STOP_WORDS
from memctl.text.splitting import is_unspaced, parted_scripts

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl.store.store import Store


def index_words(text: str) -> str:
    """What the schema's view makes of a turn."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrations.apply(connection)
    connection.execute(
        "insert into log (session, text, logged_at) values ('s', ?, '2026')", (text,)
    )
    return str(connection.execute("select words from memory_words").fetchone()[0])


@pytest.mark.parametrize(
    "text",
    [
        "plain",
        "東京 tower",
        "東京tower",
        "あ" * 900,
        "가\u200b나",
        "ไทย",
        "々〇",
        "well👍done",
        "Łódź",
    ],
)
def test_a_question_is_split_as_a_text_is(store: Store, memory: Memory, text: str) -> None:
    memory.log("first")
    words = IndexWords(store)
    held = {token.surface for token in words.split([index_words(text)])[0]}
    asked = [token.surface for token in words.pieces(text)]
    asked += [t.surface for t in words.split([parted_scripts(text)])[0] if t.surface.isascii()]
    assert set(asked) <= held


def test_sql_and_python_know_the_same_scripts_without_spaces() -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrations.apply(connection)
    characters = [chr(c) for c in range(0x20, sys.maxunicode, 7) if not 0xD800 <= c <= 0xDFFF]
    characters += [chr(c) for c in range(0xE00, 0x3200)]
    chosen = characters[::40]
    connection.executemany(
        "insert into log (session, text, logged_at) values ('s', ?, '2026')",
        [(f"x{one}x",) for one in chosen],
    )
    words = connection.execute("select words from memory_words order by id").fetchall()
    for one, (held,) in zip(chosen, words, strict=True):
        assert (f" {one} " in held) == is_unspaced(one), one


def test_the_temporary_tables_leave_nothing_in_the_file(memory: Memory, store: Store) -> None:
    memory.log("ferry")
    memory.recall("ferry")
    names = {row["thing"] for row in store.rows(statements.load("store/store").schema_objects)}
    assert not any("memctl_" in name for name in names)


def test_irregular_forms_lead_to_each_other_and_are_no_stop_words() -> None:
    assert FORMS["won"] == FORMS["win"]
    assert {"bought", "children"}.isdisjoint(STOP_WORDS)
