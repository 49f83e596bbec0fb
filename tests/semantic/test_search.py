"""Relevance decides; importance orders equals; a budget is a hard cap."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memctl.base.errors import UsageError
from memctl.base.scope import Scope
from memctl.config.settings import Settings
from memctl.text.closed_words import query_words

if TYPE_CHECKING:
    from collections.abc import Callable

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
    assert [text.split()[-1] for text in texts(facts, "tea served")] == ["dusk", "dawn", "noon"]


def test_the_same_question_gives_the_same_order(facts: Facts) -> None:
    facts.store([f"Tea is served in room {i}" for i in range(50)])
    assert texts(facts, "tea room", limit=20) == texts(facts, "tea room", limit=20)


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
    assert [hit.fact.id for hit in facts_of(Scope(user="ann")).search("deadline")] == [mine]
    assert facts_of(Scope(user="ann")).search("deadline", filters={"user_id": "bob"}) == []


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


@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.text(max_size=60))
def test_any_text_is_a_query(facts: Facts, query: str) -> None:
    if not facts._store.exists:
        facts.store("Tea is served at noon")
    facts.search(query)


@pytest.mark.parametrize(
    "query", ['"', "a OR (", "tea NEAR/2 noon", "text:tea", "*", "^tea", "'; --"]
)
def test_search_operators_are_words(facts: Facts, query: str) -> None:
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


def test_words_of_grammar_are_left_out_unless_nothing_else_is_there() -> None:
    assert query_words("What is the deadline of it?") == ["deadline"]
    assert query_words("what is it") == ["what", "is", "it"]


def by_hand(store: Store, sql: str) -> None:
    connection = sqlite3.connect(store.path)
    connection.execute(sql)
    connection.commit()
    connection.execute("insert into memory_fts (memory_fts, rank) values ('integrity-check', 1)")
    connection.close()


def test_an_update_by_hand_is_found_and_recorded(facts: Facts, store: Store) -> None:
    (made,) = facts.store("Tea is served at noon").ids
    by_hand(store, "update fact set text = '咖啡 is served'")
    assert texts(facts, "tea") == []
    assert texts(facts, "咖啡") == ["咖啡 is served"]
    change = facts.history(made)[-1]
    assert (change.actor, change.old_text) == ("sqlite3", "Tea is served at noon")


def test_a_row_inserted_by_hand_is_a_fact(facts: Facts, store: Store) -> None:
    facts.store("Tea is served at noon")
    by_hand(store, "insert into fact (text) values ('Bread is baked at dawn')")
    assert texts(facts, "bread") == ["Bread is baked at dawn"]
    assert facts.store("bread is baked at dawn").written[0].event == "SKIP"


def test_what_was_edited_by_hand_is_known_by_its_new_text(facts: Facts, store: Store) -> None:
    facts.store("Tea is served at noon")
    by_hand(store, "update fact set text = 'Tea is served at dusk'")
    assert facts.store("Tea is served at dusk").written[0].event == "SKIP"
    assert facts.store("Tea is served at noon").written[0].event == "ADD"


def test_a_deletion_by_hand_is_gone_and_recorded(facts: Facts, store: Store) -> None:
    facts.store("Tea is served at noon")
    by_hand(store, "delete from fact")
    assert texts(facts, "tea") == []
    assert store.value("select event from fact_history order by id desc") == "DELETE"


def test_a_replacement_by_hand_leaves_no_old_word(facts: Facts, store: Store) -> None:
    facts.store("Tea is served at noon")
    by_hand(store, "insert or replace into fact (number, text) values (1, 'Milk')")
    assert texts(facts, "tea") == []
    assert texts(facts, "milk") == ["Milk"]


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
