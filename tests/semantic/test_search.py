"""Relevance decides; importance orders equals; a budget is a hard cap; an empty answer says why."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

import memctl
from memctl.base.errors import UsageError
from memctl.base.scope import Scope
from memctl.config.settings import Settings
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl.semantic.facts import Facts
    from memctl.store.store import Store


def texts(facts: Facts, query: str, **options: int) -> list[str]:
    return [hit.fact.text for hit in facts.search(query, **options)]  # type: ignore[arg-type]


def test_the_right_fact_is_not_evicted_by_important_ones(facts: Facts) -> None:
    for i in range(20):
        facts.store(f"User spoke of a deadline number {i} once", category="identity")
    facts.store("Falcon's launch deadline is 1 May", category="project")
    assert texts(facts, "What is the launch deadline of Falcon?")[0] == (
        "Falcon's launch deadline is 1 May"
    )


def test_importance_orders_equals(facts: Facts) -> None:
    facts.store("Tea is served at noon", importance=0.2, keep_both=True, related=0)
    facts.store("Tea is served at dusk", importance=0.9, keep_both=True, related=0)
    facts.store("Tea is served at dawn", importance=0.5, keep_both=True, related=0)
    for _ in range(2):
        found = texts(facts, "tea served")
        assert [text.split()[-1] for text in found] == ["dusk", "dawn", "noon"]


def test_a_query_that_names_a_subject_prefers_its_facts(facts: Facts) -> None:
    facts.store(["Osprey's deadline is 2 May", "Falcon's deadline is 1 May"])
    hits = facts.search("Falcon deadline")
    assert hits[0].fact.subject == "Falcon"
    assert [term.term for term in hits[0].explain][-1] == "subject"


def test_one_projects_deadline_is_never_anothers(facts: Facts) -> None:
    facts.store(["Osprey's deadline is 2 May", "Falcon's lead is Maria"])
    assert facts.lookup("Falcon", "deadline") == []
    assert [fact.value for fact in facts.lookup("falcon")] == ["Maria"]
    assert [fact.value for fact in facts.lookup("OSPREY", "Deadline")] == ["2 May"]


def test_ones_own_old_fact_is_found_behind_thousands_of_anothers(
    store: Store, facts_of: Callable[[Scope], Facts]
) -> None:
    (mine,) = facts_of(Scope(user="ann")).store("Falcon's deadline is 1 May").ids
    others = facts_of(Scope(user="bob"))
    with store.transaction():
        for start in (0, 700):
            others.store(
                [f"A deadline of part {start + i} is near" for i in range(700)],
                keep_both=True,
                related=0,
            )
    ann = facts_of(Scope(user="ann"))
    for query in ("deadline", "deadlin", "deadlnie"):
        assert [hit.fact.id for hit in ann.search(query)] == [mine]
    assert ann.search("deadlnie").corrected == {"deadlnie": "deadline"}
    assert ann.search("deadline", filters={"user_id": "bob"}) == []


def test_every_number_of_a_score_is_explained(facts: Facts) -> None:
    facts.store(["Falcon's deadline is 1 May", "Tea is served at noon"])
    (hit,) = facts.search("when is the deadline of Falcon")
    assert sum(term.value for term in hit.explain) == pytest.approx(hit.score, abs=0.002)
    assert hit.matched == ("falcon", "deadline") or set(hit.matched) == {"falcon", "deadline"}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("绿茶", "用户住在北京，喜欢喝绿茶。"),
        ("他住在哪里？北京吗", "用户住在北京，喜欢喝绿茶。"),
        ("誕生日", "山田さんの誕生日は5月1日です"),
        ("서울", "사용자는 서울에 산다"),
        ("muller cafe", "Müller trifft sich im Café"),
        ("deadlines", "The deadline slipped"),
        ("ABC", "ユーザーはＡＢＣが好き"),
    ],
)
def test_any_script_is_found(facts: Facts, query: str, expected: str) -> None:
    facts.store(
        [
            "用户住在北京，喜欢喝绿茶。",
            "山田さんの誕生日は5月1日です",
            "사용자는 서울에 산다",
            "Müller trifft sich im Café",
            "The deadline slipped",
            "ユーザーはＡＢＣが好き",
        ]
    )
    assert texts(facts, query)[0] == expected


def test_a_budget_is_a_hard_cap(facts: Facts) -> None:
    facts.store([f"Tea is served in room {i} on the long corridor" for i in range(40)])
    hits = facts.search("tea room", limit=40, max_tokens=50)
    assert 0 < sum(hit.tokens for hit in hits) <= 50
    assert facts.search("tea room", max_tokens=0) == []


def test_a_fact_too_large_leaves_room_for_the_next(facts: Facts) -> None:
    facts.store(["Tea " * 100 + "ceremony", "Tea is served"])
    assert texts(facts, "tea", max_tokens=20) == ["Tea is served"]


def test_a_threshold_cuts_what_is_hardly_meant(facts: Facts) -> None:
    facts.store(["Falcon's deadline is 1 May", "Osprey's deadline is 2 May"])
    hits = facts.search("Falcon deadline", threshold=0.5)
    assert [hit.fact.subject for hit in hits] == ["Falcon"]


@each(
    "query",
    ['"', "a OR (", "tea NEAR/2 noon", "text:tea", "*", "^tea", "'; --", "\0", "\ud800", "\u0301 a", "🍣" * 60],
)  # fmt: skip
def test_any_text_is_a_query_and_its_operators_are_words(facts: Facts, query: str) -> None:
    facts.store("Tea is served at noon")
    assert texts(facts, query) in ([], ["Tea is served at noon"])


def test_a_sign_that_only_the_index_cuts_finds_nothing_and_breaks_nothing(facts: Facts) -> None:
    facts.store("Tea is served at noon")
    assert texts(facts, "a\u19b0b") == []
    assert texts(facts, "a\u19b0b tea") == ["Tea is served at noon"]


def test_a_store_that_is_not_there_holds_nothing(facts: Facts) -> None:
    assert facts.search("tea") == []
    assert facts.list() == []
    assert not facts._store.exists


def test_a_limit_below_one_is_refused(facts: Facts) -> None:
    with pytest.raises(UsageError, match="limit"):
        facts.search("tea", limit=0)


def test_list_does_not_stop_at_twenty(facts: Facts) -> None:
    facts.store([f"Tea is served in room {i}" for i in range(137)], keep_both=True, related=0)
    assert len(facts.list()) == 137
    assert facts.count() == 137
    pages = [fact.id for start in range(0, 137, 50) for fact in facts.list(limit=50, offset=start)]
    assert pages == [fact.id for fact in facts.list()]


@pytest.mark.parametrize(
    ("query", "options", "note"),
    [
        ("tea", {"max_tokens": 0}, "what matches does not fit: the shortest fact takes 5 tokens"),
        ("tea xyzzy", {"threshold": 0.9}, "what matches scores"),
        ("tea", {"categories": ["rule"]}, "no fact that matches passes the filters"),
        ("xyzzy plugh", {}, 'no fact holds "xyzzy", "plugh"'),
        ("", {}, "the question is empty: ask with a word, a name or a date"),
        ("?!", {}, "there is no word to look for: ask with a word, a name or a date"),
    ],
)
def test_an_empty_answer_says_why(
    facts: Facts, query: str, options: dict[str, Any], note: str
) -> None:
    facts.store("Tea is served at noon")
    found = facts.search(query, **options)
    assert found == []
    assert found.note.startswith(note)


def by_hand(store: Store, sql: str) -> None:
    connection = sqlite3.connect(store.path)
    connection.execute(sql)
    connection.commit()
    connection.execute("insert into memory_fts (memory_fts, rank) values ('integrity-check', 1)")
    connection.close()


@pytest.mark.parametrize(
    ("sql", "held"),
    [
        ("update fact set text = '咖啡 is served'", ["咖啡 is served"]),
        ("delete from fact", []),
        ("insert or replace into fact (number, text) values (1, 'Milk is warm')", ["Milk is warm"]),
        ("insert into fact (text) values ('Bread is baked')", ["Tea is served at noon", "Bread is baked"]),
    ],
)  # fmt: skip
def test_what_is_changed_by_hand_is_found_by_its_new_words_alone(
    facts: Facts, store: Store, sql: str, held: list[str]
) -> None:
    facts.store("Tea is served at noon")
    by_hand(store, sql)
    assert sorted(fact.text for fact in facts.list()) == sorted(held)
    assert bool(texts(facts, "tea")) is ("Tea is served at noon" in held)
    for text in held:
        assert texts(facts, text.split()[0]) == [text]
        assert facts.store(text).written[0].event == "SKIP"


def test_a_change_by_hand_is_recorded(facts: Facts, store: Store) -> None:
    (made,) = facts.store("Tea is served at noon").ids
    by_hand(store, "update fact set text = 'Tea is served at dusk'")
    change = facts.history(made)[-1]
    assert (change.actor, change.old_text) == ("sqlite3", "Tea is served at noon")
    by_hand(store, "delete from fact")
    assert store.value("select event from fact_history order by id desc") == "DELETE"


def test_the_views_answer_what_people_type(facts: Facts, store: Store) -> None:
    facts.store("User's name is Chris", category="identity")
    facts.store("User's name is Robin", category="identity", confidence="low")
    assert [row["text"] for row in store.rows("select * from fact_current")] == [
        "User's name is Chris"
    ]
    (waiting,) = store.rows("select * from fact_pending")
    assert (waiting["text"], waiting["known_text"]) == (
        "User's name is Robin",
        "User's name is Chris",
    )


@pytest.mark.parametrize("column", ["created_at", "updated_at", "valid_from", "expires_at"])
def test_a_time_of_another_shape_is_refused_by_the_file(
    facts: Facts, store: Store, column: str
) -> None:
    facts.store("Tea is served at noon")
    with pytest.raises(sqlite3.IntegrityError):
        by_hand(store, f"update fact set {column} = 'yesterday', expires_by = 'given'")


def test_a_search_without_a_limit_has_as_many_facts_as_the_setting_says(
    facts: Facts, store: Store
) -> None:
    facts.store([f"Falcon's {door} door is red" for door in ("front", "back", "garden")])
    Settings(store).set("recall_limit", 2)
    assert len(facts.search("falcon door")) == 2


NOW = 'what holds "falcon" does not hold now: it was replaced, has expired or waits'
THEN = 'what holds "falcon" does not hold at 2020-01-01T23:59:59Z: ask for another time'


@pytest.mark.parametrize(
    ("stored", "asked", "note"),
    [
        ({}, {"as_of": "2020-01-01"}, THEN),
        ({"expires_at": "2026-11-01"}, {}, NOW),
        ({"confidence": "low"}, {}, NOW),
        ({"category": "project"}, {"categories": ["rule"]}, "no fact that matches passes the filters"),
    ],
)  # fmt: skip
def test_an_answer_that_withholds_what_is_there_says_so(
    facts: Facts, stored: dict[str, Any], asked: dict[str, Any], note: str
) -> None:
    facts.store("Falcon flies", **stored)
    found = facts.search("falcon", **asked)
    assert (list(found), found.note, found.withheld) == ([], note, note in {NOW, THEN})
    assert '"falcon"' in note or note == facts.search("falcon xyzzy", **asked).note


def test_what_was_forgotten_is_not_told_of(facts: Facts) -> None:
    facts.forget(facts.store("Falcon flies").ids[0])
    found = facts.search("falcon")
    assert (found.note, found.withheld) == ('no fact holds "falcon"', False)


@pytest.mark.parametrize("older", [0, 200])
def test_what_others_know_is_not_told_of(facts_of: Callable[[Scope], Facts], older: int) -> None:
    bobs = facts_of(Scope(user="bob"))
    bobs.store("Falcon's deadline is 1 December")
    if older:  # the first of them stands in the index, not beside it
        bobs.store([f"Filler number {i}" for i in range(older)])
    mine = facts_of(Scope(user="ann"))
    assert mine.search("falcon", as_of="2020-01-01").note == 'no fact holds "falcon"'
    found = bobs.search("falcon", as_of="2020-01-01")
    assert found.withheld


def test_a_recall_gives_the_same_reason(tmp_path: Path) -> None:
    with memctl.open("agent", tmp_path) as memory:
        memory.facts.store("Falcon's deadline is 1 December")
        found = memory.recall("falcon", as_of="2020-01-01")
        assert (list(found), found.unknown) == ([], ())
        assert "does not hold at 2020-01-01" in found.note
        assert memory.recall("xyzzy", as_of="2020-01-01").note == 'no row holds "xyzzy"'


def test_a_picture_is_found_and_missed_by_name(facts_of: Callable[[Scope], Facts]) -> None:
    facts_of(Scope(user="bob")).store("Bob likes 🍕")
    facts = facts_of(Scope(user="ann"))
    facts.store(["User likes 🍣 and 🍜", "Tea is served at noon"])
    assert [hit.fact.text for hit in facts.search("🍣")] == ["User likes 🍣 and 🍜"]
    assert [hit.fact.text for hit in facts.search("tea or 🍜", limit=9)] == [
        "Tea is served at noon",
        "User likes 🍣 and 🍜",
    ]
    found = facts.search("🍕")
    assert (list(found), found.note) == ([], 'no fact holds "🍕"')
