"""Whatever is typed in the sqlite3 shell is reflected in search, with no Python in between."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memctl.episodic.log import Log
from memctl.store import statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.store.store import Store

TURN = (
    "insert or replace into log (id, session, seq, text, logged_at) values (?, 's', 1, ?, '2024')"
)
EPISODE = "insert or replace into episode (id, summary, happened_at) values (?, ?, '2024')"


@pytest.fixture
def shell(store: Store) -> Iterator[sqlite3.Connection]:
    """A plain connection: no settings, no functions, as the sqlite3 shell has it."""
    Log(store).add("first")
    connection = sqlite3.connect(store.path, isolation_level=None)
    yield connection
    connection.execute("insert into memory_fts (memory_fts) values ('integrity-check')")
    connection.close()


def found(shell: sqlite3.Connection, words: str) -> list[int]:
    query = "select rowid from memory_fts where memory_fts match ? order by rowid"
    return [row[0] for row in shell.execute(query, (words,))]


def test_a_deleted_row_is_not_found_and_takes_its_vectors_along(shell: sqlite3.Connection) -> None:
    shell.execute("insert into embedding_model values (1, 'm', 'f', 1, '2024')")
    shell.execute("insert into embedding values (1, 1, 'turn', 1, 0, x'')")
    shell.execute("delete from log where id = 1")
    assert found(shell, "first") == []
    assert shell.execute("select count(*) from embedding").fetchone() == (0,)


def test_tags_and_participants_are_words_too(shell: sqlite3.Connection) -> None:
    shell.execute(EPISODE, (7, "met"))
    shell.execute("update episode set tags = '[\"旅行\"]', participants = '[\"Ann\"]' where id = 7")
    assert found(shell, "旅行 AND ann") == [FIRST_EPISODE + 7]
    assert shell.execute("select name from participant").fetchall() == [("Ann",)]


def test_pairs_across_the_border_of_two_blocks_are_indexed(shell: sqlite3.Connection) -> None:
    shell.execute(TURN, (7, "あ" * 399 + "茶道"))
    assert found(shell, "茶道") == [7]


class _Edit:
    steps = st.lists(
        st.tuples(
            st.sampled_from(["add", "add", "insert", "update", "delete", "renumber", "episode"]),
            st.integers(1, 5),
            st.integers(1, 5),
            st.sampled_from(["red fox", "blue whale", "東京に行く", "茶 tea", ""]),
        ),
        max_size=14,
    )


ADD = statements.load("store/episodic").add_turn
NEW: dict[str, str | None] = dict.fromkeys(
    ("session", "role", "speaker", "details", "logged_at", "recorded_at"), ""
)
NEW |= {"utc_offset": None}
NEW |= dict.fromkeys(("user_id", "agent_id", "project"), "")
# What a row of the index adds to the id of an episode.
FIRST_EPISODE = 1 << 48

KEPT = "select rowid, words from memory_fts"
WAITING = "select index_row, words from memory_waiting_words"
FRESH = "select id + iif(kind = 'episode', 1 << 48, 0), words from memory_words order by 1"


@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=_Edit.steps)
def test_after_any_order_of_edits_each_row_is_in_the_index_or_waits(
    shell: sqlite3.Connection, steps: list[tuple[str, int, int, str]]
) -> None:
    shell.execute("delete from log")
    shell.execute("delete from episode")
    for verb, row, other, text in steps:
        if verb == "add":
            shell.execute(ADD, NEW | {"text": text, "later": 1})
        elif verb == "insert":
            shell.execute(TURN, (row, text))
        elif verb == "episode":
            shell.execute(EPISODE, (row, text))
        elif verb == "update":
            shell.execute("update log set text = ? where id = ?", (text, row))
        elif verb == "delete":
            shell.execute("delete from log where id = ?", (row,))
        else:
            shell.execute("update or replace log set id = ? where id = ?", (other, row))
        kept, waiting = shell.execute(KEPT).fetchall(), shell.execute(WAITING).fetchall()
        assert sorted(kept + waiting) == shell.execute(FRESH).fetchall()
        assert verb != "insert" or not waiting
