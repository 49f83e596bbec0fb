from __future__ import annotations

import pytest

from memctl.guard.rules.shapes import (
    entropy,
    is_dense,
    is_measure,
    is_placeholder,
    is_random,
    is_scrambled,
)
from tests.guard.samples import drawn


@pytest.mark.parametrize(
    "value",
    ["<API_KEY>", "${X}", "****", "sk-...", "your_token_here", "xxxxxxxx", "{{ token }}", "None"],
)
def test_a_placeholder_is_recognised(value: str) -> None:
    assert is_placeholder(value)


@pytest.mark.parametrize(
    "value",
    [
        "my-app-config-file",
        "us-east-1-cluster",
        "claude-sonnet-4-20250514",
        "MyApplicationSettings",
    ],
)
def test_words_are_not_random(value: str) -> None:
    assert not is_random(value, minimum=10)


@pytest.mark.parametrize("value", ["12-character", "v2.3.1", "2024-01-31", "sha256", "30s", "8+"])
def test_a_quantity_or_technique_is_a_measure(value: str) -> None:
    assert is_measure(value)


def test_entropy_is_that_of_shannon() -> None:
    assert entropy("abab") == pytest.approx(1.0)
    assert entropy("abcd") == pytest.approx(2.0)


@pytest.mark.parametrize("seed", range(20))
def test_random_base_62_is_dense(seed: int) -> None:
    assert is_dense(drawn(40, seed=seed))


@pytest.mark.parametrize(
    "name",
    [
        "AbstractSingletonProxyFactoryBeanConfiguration2",
        "d3da65daf7ca0cb470b047d709573bf84f40da44",
        "MyVeryLongClassNameWithNumbers123AndMore456",
    ],
)
def test_names_and_digests_are_not_dense(name: str) -> None:
    assert not is_dense(name)


@pytest.mark.parametrize("word", ["KiA-QnNlDT", "zCcLetesC-", "iFyUwgCGUQ32c"])
def test_capitals_that_stand_as_in_no_word_are_scrambled(word: str) -> None:
    assert is_scrambled(word)


@pytest.mark.parametrize(
    "word",
    ["GitHub", "JavaScriptObjectNotation", "getURLFromDbApi", "PASSWORD_MIN", "prod/db-AbCdEf"],
)
def test_names_are_not_scrambled(word: str) -> None:
    assert not is_scrambled(word)


def test_a_dollar_before_random_letters_is_no_variable() -> None:
    assert is_placeholder("$dbUserPassword2")
    assert not is_placeholder("$iFyUwgCGUQ32c")
