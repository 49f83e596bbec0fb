"""Named parameters are handed over by number, and mean the same."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.store.statements import bound

names = st.sampled_from(["a", "b", "c", "long_name", "a_2"])
pieces = st.one_of(
    names.map(lambda name: f":{name}"),
    st.sampled_from(["':a'", "'it''s :b'", '1 as ":a"', "2 -- :c\n", "/* :a */ 3", "'12:30:b'"]),
)
values = st.one_of(st.none(), st.integers(-9, 9), st.text("ab:'?", max_size=4))


@given(
    st.lists(pieces, min_size=1, max_size=6),
    st.fixed_dictionaries(dict.fromkeys(("a", "b", "c", "long_name", "a_2"), values)),
)
def test_a_statement_answers_the_same_as_with_its_names(
    selected: list[str], parameters: dict[str, Any]
) -> None:
    sql = "select " + ", ".join(selected)
    with closing(sqlite3.connect(":memory:")) as connection:
        named = connection.execute(sql, parameters).fetchall()
        assert connection.execute(*bound(sql, parameters)).fetchall() == named


def test_a_name_that_stands_twice_is_one_value() -> None:
    assert bound("select :a + :b + :a", {"b": 2, "a": 1}) == ("select ?1 + ?2 + ?1", (1, 2))


def test_a_statement_without_values_is_left_as_it_is() -> None:
    assert bound("select 1", None) == ("select 1", ())


def test_a_value_that_is_not_named_does_no_harm() -> None:
    assert bound("select :a", {"a": 1, "b": 2}) == ("select ?1", (1,))


def test_a_name_without_a_value_is_an_error() -> None:
    with pytest.raises(KeyError, match="b"):
        bound("select :a, :b", {"a": 1})
