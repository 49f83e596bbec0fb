"""A store of an older memctl keeps every fact, and what refers to it, when the table is made anew."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from memctl.base.home import Address
from memctl.config.settings import Settings
from memctl.semantic.facts import Facts
from memctl.store import migrations
from memctl.store.store import Store

if TYPE_CHECKING:
    from pathlib import Path

ADDRESS = Address("agent")
BEFORE = 8  # the last step before the table of facts was made anew
BEFORE_TIMES = 9  # the last step before a fact could hold from a later day on
DERIVED = ("equal_key", "subject_key", "attribute_key", "folded", "claim_key", "ended_key")


def rows(connection: sqlite3.Connection, table: str) -> list[dict[str, object]]:
    connection.row_factory = sqlite3.Row
    found = connection.execute(f"select * from {table} order by 1, 2").fetchall()
    return [{k: row[k] for k in row.keys() if k not in DERIVED} for row in found]  # noqa: SIM118


@pytest.fixture
def older(tmp_path: Path) -> Path:
    """Facts of every kind, more than the index takes at once, one with a second source."""
    path = tmp_path / "older.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as made:
        migrations.apply(made, upto=BEFORE)
        made.execute(
            "insert into store (id, address, created_at) values (1, 'agent', '2026-01-01')"
        )
        made.executemany(
            "insert into fact (text, user_id) values (?, 'bulk')",
            [(f"Tea is served in room {i}",) for i in range(70)],
        )
        made.execute(
            "insert into fact (id, text, subject, attribute, value, category, importance, status,"
            " status_why, immutable, pinned, expires_at, expires_by, valid_from, valid_to,"
            " superseded_by, metadata, revision)"
            " values ('f_1', 'Falcon is due', 'Falcon', 'deadline', 'May', 'project', 0.7,"
            " 'superseded', 'changed', 1, 1, '2027-01-01T00:00:00Z', 'given',"
            " '2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z', 'f_2', '{\"a\": 1}', 4)"
        )
        made.execute("insert into fact (id, text) values ('f_2', 'User switched from npm to pnpm')")
        made.execute("insert into fact_support values ('f_2', 'mail:2', '2026-01-02T00:00:00Z')")
        made.execute("update fact set text = 'Milk is served' where number = 7")
    return path


def test_nothing_of_a_fact_is_lost_but_what_is_derived_anew(older: Path) -> None:
    tables = ("fact", "fact_support", "fact_history")
    with closing(sqlite3.connect(older)) as before:
        kept = {table: rows(before, table) for table in tables}
    with Store(older, ADDRESS) as store:
        assert {table: rows(store.connection(), table) for table in tables} == kept
        assert store.rows("pragma foreign_key_check") == []


def test_its_facts_are_found_and_compared_as_new_ones(older: Path) -> None:
    with Store(older, ADDRESS) as store:
        facts = Facts(store, Settings(store))
        assert len(facts.search("tea", limit=100)) == 69
        assert [hit.fact.text for hit in facts.search("milk")] == ["Milk is served"]
        assert facts.store("tea is served in room 3.", user_id="bulk").written[0].event == "SKIP"
        assert facts.store("User uses npm").written[0].event == "PENDING"
        with store.transaction():
            store.execute("insert into fact_fts (fact_fts, rank) values ('integrity-check', 1)")


def test_what_a_hand_left_of_facts_that_are_gone_does_not_stand_in_the_way(older: Path) -> None:
    with closing(sqlite3.connect(older)) as by_hand, by_hand:
        # Foreign keys are off here, as they are in sqlite3.
        by_hand.execute("insert into fact_support values ('f_0', 'mail:9', '2026-01-02')")
        by_hand.execute("insert into fact_index values (500, 'orphan')")
    with Store(older, ADDRESS) as store:
        assert store.value("select count(*) from fact_support where fact_id = 'f_0'") == 0
        assert store.value("select count(*) from fact_index where number = 500") == 0
        assert store.rows("select rowid from fact_fts where fact_fts match 'orphan'") == []
        assert store.rows("pragma foreign_key_check") == []


def test_dated_facts_and_properties_of_two_names_are_compared_as_new_ones(tmp_path: Path) -> None:
    path = tmp_path / "older.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as made:
        migrations.apply(made, upto=BEFORE_TIMES)
        made.execute(
            "insert into store (id, address, created_at) values (1, 'agent', '2026-01-01')"
        )
        made.execute(
            "insert into fact (text, equal_key, claim_key)"
            " values ('As of 2026-01-02, tea is served', 'of the whole text', null)"
        )
        made.execute(
            "insert into fact (text, subject, attribute, value, subject_key, attribute_key)"
            " values ('Ann''s time zone is UTC', 'Ann', 'time zone', 'UTC', 'ann', 'time zone')"
        )
    with Store(path, ADDRESS) as store:
        facts = Facts(store, Settings(store))
        assert facts.store("Tea is served").written[0].event == "SKIP"
        assert facts.store("Ann's timezone is Europe/Riga").written[0].event == "SUPERSEDE"
