from __future__ import annotations

import sqlite3
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memctl.search.index_words import IndexWords
from memctl.text.closed_words import FORMS, STOP_WORDS
from memctl.store import migrations, statements
from memctl.text.splitting import Token, is_unspaced

if TYPE_CHECKING:
    from memctl.episodic.episodic import Episodic
    from memctl.store.store import Store

PIECES = statements.load("store/episodic_words").pieces


def view_of_turns(text: str) -> str:
    """What the schema's view makes of a text, without its speaker and details."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrations.apply(connection)
    connection.execute(
        "insert into log (session, text, logged_at) values ('s', ?, '2026')", (text,)
    )
    return str(connection.execute("select words from memory_words").fetchone()[0])


@pytest.mark.parametrize("text", ["plain", "東京 tower", "あ" * 900, "가\u200b나", "ไทย", "々〇"])
def test_a_question_is_split_as_a_text_is(store: Store, memory: Episodic, text: str) -> None:
    memory.log("first")
    asked = store.value(PIECES, {"text": text})
    assert asked.split() == view_of_turns(text).split()


def test_sql_and_python_know_the_same_scripts_without_spaces() -> None:
    connection = sqlite3.connect(":memory:")
    characters = [chr(c) for c in range(0x20, sys.maxunicode, 7) if not 0xD800 <= c <= 0xDFFF]
    characters += [chr(c) for c in range(0xE00, 0x3200)]
    split = PIECES.replace(":text", "?")
    for start in range(0, len(characters), 2000):
        block = characters[start : start + 2000]
        for one in block[::40]:
            pieces = connection.execute(split, (f"x{one}x",)).fetchone()[0]
            assert (" " in pieces.replace(f"x{one}x", "", 1)) == is_unspaced(one), one


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=60))
def test_a_token_asked_for_is_a_token_found(memory: Episodic, store: Store, text: str) -> None:
    memory.log("anything")
    tokens = IndexWords(store).split([text])[0]
    again = IndexWords(store).split([token.surface for token in tokens])
    assert [found[0].surface for found in again] == [token.surface for token in tokens]


def test_words_are_folded_and_stemmed(memory: Episodic, store: Store) -> None:
    memory.log("anything")
    assert IndexWords(store).split(["Runs, CAFÉS!", ""]) == [
        [Token("runs", "run"), Token("cafes", "cafe")],
        [],
    ]


def test_the_temporary_tables_leave_nothing_in_the_file(memory: Episodic, store: Store) -> None:
    memory.log("ferry")
    memory.recall("ferry")
    names = {row["thing"] for row in store.rows(statements.load("store/store").schema_objects)}
    assert not any("memctl_" in name for name in names)


def test_irregular_forms_lead_to_each_other_and_are_no_stop_words() -> None:
    assert FORMS["won"] == FORMS["win"]
    assert {"bought", "children"}.isdisjoint(STOP_WORDS)
