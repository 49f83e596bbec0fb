"""Filters narrow what is found, mean what they say, and cannot widen a scope."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memctl.base.errors import FilterError, OutOfScopeError, UsageError
from memctl.base.home import Address
from memctl.base.scope import Scope
from memctl.config.settings import Settings
from memctl.semantic.fact_filters import FIELDS, OPERATORS
from memctl.semantic.facts import Facts
from memctl.store.store import Store
from tests.each import each

if TYPE_CHECKING:
    from collections.abc import Callable

Filter = dict[str, Any]


@pytest.fixture
def stocked(facts: Facts, clock: Callable[[str], None]) -> Facts:
    for day, text, category, metadata in (
        (1, "Falcon ships on Monday", "project", {"tags": ["Ship", "week"], "size": 3}),
        (5, "User prefers dark mode", "preference", {"tags": ["ui"], "size": 7}),
        (9, "User decided on SQLite", "decision", {"team": "Core", "open": True}),
        (12, "Loading bay is at Dock 4", None, {}),
    ):
        clock(f"2026-11-{day:02d}T12:00:00Z")
        facts.store(text, category=category, metadata=metadata)
    clock("2026-11-20T12:00:00Z")
    return facts


def found(facts: Facts, filters: Filter) -> list[str]:
    return sorted(
        fact.text.split()[0] + fact.created_at[8:10] for fact in facts.list(filters=filters)
    )


FALCON, DARK, SQLITE, DOCK = "Falcon01", "User05", "User09", "Loading12"
ALL = sorted([FALCON, DARK, SQLITE, DOCK])


@each(
    ("filters", "expected"),
    [
        ({}, ALL),
        ({"category": "project"}, [FALCON]),
        ({"category": {"eq": "project"}}, [FALCON]),
        ({"category": {"ne": "project"}}, [DOCK, DARK, SQLITE]),
        ({"category": {"in": ["project", "decision"]}}, [FALCON, SQLITE]),
        ({"category": ["project", "decision"]}, [FALCON, SQLITE]),
        ({"category": {"nin": ["project", "decision"]}}, [DOCK, DARK]),
        ({"category": "*"}, [FALCON, DARK, SQLITE]),
        ({"category": None}, [DOCK]),
        ({"importance": {"gt": 0.5, "lt": 0.85}}, [FALCON, SQLITE]),
        ({"importance": {"gte": 0.75, "lte": 0.8}}, [FALCON, SQLITE]),
        ({"created_at": {"gte": "2026-11-05", "lte": "2026-11-09"}}, [DARK, SQLITE]),
        ({"created_at": {"gt": "2026-11-05", "lt": "2026-11-12"}}, [SQLITE]),
        ({"created_at": "2026-11-05"}, [DARK]),
        ({"created_at": {"gte": "2026-11-12T12:00:00Z"}}, [DOCK]),
        ({"text": {"contains": "dark"}}, [DARK]),
        ({"text": {"contains": "DARK"}}, []),
        ({"text": {"icontains": "DARK"}}, [DARK]),
        ({"keywords": {"icontains": "sqlite"}}, [SQLITE]),
        ({"metadata.size": 3}, [FALCON]),
        ({"metadata.size": {"gt": 3}}, [DARK]),
        ({"metadata.open": True}, [SQLITE]),
        ({"metadata": {"team": "Core"}}, [SQLITE]),
        ({"metadata.team": {"icontains": "core"}}, [SQLITE]),
        ({"metadata.tags": {"contains": "ui"}}, [DARK]),
        ({"metadata.tags": {"contains": "ship"}}, []),
        ({"metadata.tags": {"icontains": "ship"}}, [FALCON]),
        ({"metadata.tags": "week"}, [FALCON]),
        ({"metadata.tags": {"in": ["ui", "week"]}}, [FALCON, DARK]),
        ({"metadata.tags": "*"}, [FALCON, DARK]),
        ({"AND": [{"category": "*"}, {"importance": {"lt": 0.8}}]}, [FALCON]),
        ({"OR": [{"category": "project"}, {"category": "decision"}]}, [FALCON, SQLITE]),
        ({"NOT": [{"category": "project"}, {"category": "decision"}]}, [DOCK, DARK]),
        ({"NOT": [{"NOT": [{"category": "project"}]}]}, [FALCON]),
        (
            {"AND": [{"OR": [{"category": "project"}, {"NOT": [{"category": "*"}]}]}]},
            [FALCON, DOCK],
        ),
        ({"app_id": "agent"}, ALL),
        ({"app_id": "other"}, []),
        ({"user_id": "*"}, []),
    ],
)
def test_a_filter_means_what_it_says(stocked: Facts, filters: Filter, expected: list[str]) -> None:
    assert found(stocked, filters) == sorted(expected)


@each(
    "filters",
    [
        {"colour": "red"},
        {"category": {"like": "pro%"}},
        {"category": {"in": "project"}},
        {"category": 3},
        {"importance": "high"},
        {"importance": {"contains": 1}},
        {"created_at": "yesterday"},
        {"created_at": {"gt": 20261120}},
        {"created_at": {"gt": "2026-02-30"}},
        {"AND": "category"},
        {"AND": [3]},
        {"metadata.": 1},
        {'metadata.a"b': 1},
        {"metadata.a": {"eq": {"b": 1}}},
        {"importance": 10**30},
        {"OR": []},
        {"AND": []},
        {"NOT": []},
        {"NOT": [{}]},
        {"OR": [{"category": "project"}, {}]},
        {"category": []},
        {"category": {}},
        {"category": {"in": []}},
        {"category": {"nin": []}},
        {"metadata": {}},
        {'metadata."a.b': 1},
        {'metadata."a"b"': 1},
        {"category": "\ud800"},
    ],
)
def test_a_filter_that_cannot_be_read_is_refused(stocked: Facts, filters: Any) -> None:
    with pytest.raises(FilterError):
        stocked.list(filters=filters)
    with pytest.raises(FilterError):
        stocked.search("user", filters=filters)


@each("filters", [["category"], "category"])
def test_a_filter_that_is_no_object_is_refused(stocked: Facts, filters: Any) -> None:
    for call in (stocked.list, partial(stocked.search, "user")):
        with pytest.raises(UsageError, match='"filters"'):
            call(filters=filters)


def nested(leaf: Filter, *, depth: int, around: str = "NOT") -> Filter:
    for _ in range(depth):
        leaf = {around: [{"text": "*"}, leaf] if around == "AND" else [leaf]}
    return leaf


@each(
    ("filters", "words"),
    [
        ({"colour": "red"}, r'"colour".*category'),
        ({"OR": []}, r'"OR" is empty.*leave it out'),
        ({"text": {"contains": None}}, "not null"),
        ({"text": {"icontains": "x" * 4001}}, "at most 4000"),
        (nested({"category": "project"}, depth=30), "nested"),
        ({"AND": [{"text": None}] * 501}, "500 conditions"),
        ({"OR": [{"text": "*"}] * 501}, "500 conditions"),
        ({"NOT": [{"text": "*"}] * 501}, "500 conditions"),
        ({"text": {"in": ["*"] * 501}}, "500 conditions"),
    ],
)
def test_a_refused_filter_is_told_what_is_wrong_and_what_there_is(
    stocked: Facts, filters: Filter, words: str
) -> None:
    with pytest.raises(FilterError) as refused:
        stocked.list(filters=filters)
    assert re.search(words, f"{refused.value.message} {refused.value.hint}")


@each("leaf", [{"text": "*"}, {"metadata.tags": {"in": ["ui", "week"]}}])
def test_a_filter_nested_as_deep_as_it_may_be_is_answered(stocked: Facts, leaf: Filter) -> None:
    for around in ("AND", "OR", "NOT"):
        filters = nested(leaf, depth=19, around=around)
        assert set(found(stocked, filters)) <= set(ALL)
        stocked.search("dark mode", filters=filters, as_of="2026-11-20")


@each("call", [Facts.list, partial(Facts.search, query="user")])
def test_an_unknown_category_is_refused_as_it_is_when_stored(
    facts: Facts, call: Callable[..., object]
) -> None:
    with pytest.raises(UsageError, match='no category "nope"') as refused:
        call(facts, categories=["decision", "nope"])
    assert "decision" in refused.value.hint


@each(
    ("filters", "expected"),
    [
        ({"metadata.a.b": 1}, ["Dotted20", "Nested20"]),
        ({"metadata.a.b": {"gt": 1}}, ["Both20"]),
        ({"metadata": {"a.b": 2}}, ["Both20"]),
        ({'metadata."a.b"': 1}, ["Dotted20"]),
        ({'metadata."a"."b"': 1}, ["Nested20"]),
        ({'metadata.a."b"': {"ne": 1}}, ["Both20", "Dotted20", "Mixed20"]),
        ({'metadata."a.b".c': 3}, ["Mixed20"]),
        ({"metadata.a.b": "*"}, ["Both20", "Dotted20", "Mixed20", "Nested20"]),
        ({"metadata.tags.ui": {"contains": "x"}}, ["Dotted20"]),
        ({"metadata.tags.ui": {"icontains": "X"}}, ["Dotted20"]),
    ],
)
def test_a_dot_in_a_key_is_a_dot_or_a_step(
    facts: Facts, clock: Callable[[str], None], filters: Filter, expected: list[str]
) -> None:
    clock("2026-11-20T12:00:00Z")
    for text, metadata in (
        ("Dotted keys hang here", {"a.b": 1, "tags.ui": ["x", "y"]}),
        ("Nested keys hang here too", {"a": {"b": 1}}),
        ("Both kinds hang in this one", {"a.b": 2, "a": {"b": 9}}),
        ("Mixed ones are rare", {"a.b": {"c": 3}}),
    ):
        facts.store(text, metadata=metadata)
    assert found(facts, filters) == expected


@each("part", [{"text": "*"}, {"metadata.tags": {"icontains": "UI"}}, {"created_at": "2026-11-05"}])
def test_as_many_conditions_as_a_filter_may_hold_are_answered(stocked: Facts, part: Filter) -> None:
    filters: Filter = {"OR": [part] * 120}
    for _ in range(10):
        filters = {"AND": [filters, {"text": "*"}], "NOT": [{"text": None}]}
    assert set(found(stocked, filters)) <= set(ALL)


@each("said", ["über", "ÜBER", "Über alles", "ÉTÉ [*]?", "ёлка", "9"])
def test_icontains_knows_the_cases_of_every_script(facts: Facts, said: str) -> None:
    facts.store("Über alles steht: été [*]? und Ёлка 9", metadata={"tags": ["ÜBER", 9, "9"]})
    assert len(facts.list(filters={"text": {"icontains": said}})) == 1
    assert facts.list(filters={"text": {"icontains": f"{said}x"}}) == []
    assert facts.list(filters={"text": {"icontains": "*"}, "source": {"icontains": "*"}}) == []
    tagged = facts.list(filters={"metadata.tags": {"icontains": said}})
    assert bool(tagged) == (said in {"über", "ÜBER", "9"})


def test_a_value_with_sql_in_it_is_a_value(stocked: Facts) -> None:
    assert found(stocked, {"text": {"contains": "') or 1=1 --"}}) == []
    assert found(stocked, {"metadata.x') or 1=1 --": 1}) == []
    assert len(stocked.list()) == 4


# -- scope ---------------------------------------------------------------------------------

OWNERS = [
    (user, agent, session)
    for user in ("ann", "bob", "")
    for agent in ("", "kai")
    for session in ("", "s1", "s2")
]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with Store(tmp_path_factory.mktemp("scope") / "agent.db", Address("agent")) as store:
        for user, agent, session in OWNERS:
            scope = Scope(user=user, agent=agent, session=session or None)
            Facts(store, Settings(store), scope).store(
                f"User likes pears {session}", long_term=not session, metadata={"user_id": "ann"}
            )
        yield store


VALUES = st.one_of(
    st.sampled_from(["ann", "bob", "", "*", "kai", "s1", "s2", "agent", "2026-11-20", "active"]),
    st.none(),
    st.text(max_size=5).filter(lambda text: not any("\ud800" <= c <= "\udfff" for c in text)),
    st.integers(-3, 3),
    st.booleans(),
)
NAMES = st.sampled_from([*FIELDS, "metadata.user_id", "metadata.x"])
LEAVES = st.builds(
    lambda name, body: {name: body},
    NAMES,
    st.one_of(
        VALUES,
        st.dictionaries(
            st.sampled_from(OPERATORS), st.one_of(VALUES, st.lists(VALUES, max_size=3)), max_size=3
        ),
    ),
)
FILTERS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(
            lambda joiner, members: {joiner: members},
            st.sampled_from(["AND", "OR", "NOT", "and", "or", "not"]),
            st.lists(inner, max_size=3),
        ),
        st.builds(lambda one, other: one | other, inner, inner),
    ),
    max_leaves=6,
)
SCOPES = st.builds(
    Scope,
    user=st.sampled_from([None, "", "ann", "bob"]),
    agent=st.sampled_from([None, "", "kai"]),
    session=st.sampled_from([None, "s1", "s2"]),
)


def readable(facts: Facts, filters: Filter) -> set[str] | None:
    try:
        return {fact.id for fact in facts.list(filters=filters)}
    except FilterError:
        return None


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(scope=SCOPES, filters=FILTERS)
def test_no_filter_widens_a_scope(shared: Store, scope: Scope, filters: Filter) -> None:
    facts = Facts(shared, Settings(shared), scope)
    inside = {fact.id for fact in facts.list()}
    kept = readable(facts, filters)
    assert kept is None or kept <= inside
    if kept is not None:
        hits = facts.search("pears", limit=50, filters=filters)
        assert {hit.fact.id for hit in hits} == kept


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(filters=FILTERS)
def test_not_finds_exactly_the_rest(shared: Store, filters: Filter) -> None:
    facts = Facts(shared, Settings(shared))
    kept = readable(facts, filters)
    if kept is not None:
        assert readable(facts, {"NOT": [filters]}) == {fact.id for fact in facts.list()} - kept


@each(("user", "agent", "session"), OWNERS)
def test_a_scope_sees_its_own_rows_alone(
    shared: Store, user: str, agent: str, session: str
) -> None:
    facts = Facts(shared, Settings(shared), Scope(user, agent, session or None))
    rows = facts.list()
    assert {(row.user_id, row.agent_id) for row in rows} == {(user, agent)}
    if session:
        assert {row.session_id for row in rows} == {"", session}
        assert {row.session_id for row in facts.list(scope="session")} == {session}
    assert {row.session_id for row in facts.list(scope="long-term")} == {""}


def test_a_call_narrows_and_never_widens(shared: Store) -> None:
    owner = Facts(shared, Settings(shared))
    assert {row.user_id for row in owner.list(user_id="ann")} == {"ann"}
    anns = Facts(shared, Settings(shared), Scope(user="ann"))
    with pytest.raises(OutOfScopeError):
        anns.list(user_id="bob")
    with pytest.raises(OutOfScopeError):
        anns.search("pears", user_id="bob")
    assert anns.list(filters={"user_id": "bob"}) == []
    assert {row.user_id for row in anns.list(filters={"user_id": "*"})} == {"ann"}


@each(
    ("key", "agent", "subagent"),
    [
        ("agent:main:main", "", False),
        ("agent:kai:telegram:7", "kai", False),
        ("agent:main:subagent:1f2e", "", True),
    ],
)
def test_a_session_key_says_whose_scope(key: str, agent: str, *, subagent: bool) -> None:
    scope = Scope.of_session_key(key, user="ann")
    assert (scope.user, scope.agent, scope.subagent) == ("ann", agent, subagent)
