"""Repair of one or two wrong letters, whatever index the words are of."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memctl.home import Address
from memctl.store import Store
from memctl.wording.typos import is_repairable, repairs
from memctl.wording.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path


class Listed(Vocabulary):
    """A vocabulary that is a list of stems, each in so many rows."""

    def __init__(self, store: Store, rows: dict[str, int]) -> None:
        super().__init__(store)
        self.rows = rows

    def counts(self, stems: Collection[str]) -> dict[str, int]:
        return {stem: self.rows[stem] for stem in stems if stem in self.rows}

    def between(self, low: str, high: str, *, shortest: int, longest: int) -> dict[str, int]:
        return {
            stem: count
            for stem, count in self.rows.items()
            if low <= stem < high and shortest <= len(stem) <= longest
        }

    def _rows(self, sql: str, parameters: Mapping[str, Any]) -> list[Any]:
        raise AssertionError(f"the store is asked {sql} with {parameters}")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    path: Path = tmp_path_factory.mktemp("words") / "agent.db"
    with Store(path, Address("agent")) as opened, opened.transaction():
        pass
    with Store(path, Address("agent")) as opened:
        yield opened


def spellings(store: Store, word: str, **rows: int) -> list[str]:
    return [token.surface for token in repairs(word, Listed(store, rows))]


def test_the_commonest_word_comes_first(store: Store) -> None:
    assert spellings(store, "hern", heron=2, herb=9) == ["herb", "heron"]


def test_two_letters_come_behind_one_and_need_a_long_word(store: Store) -> None:
    assert spellings(store, "deadnile", deadlin=1) == ["deadlin"]
    assert spellings(store, "deadnile", deadlin=5, deadmil=1)[1:] == ["deadlin"]
    assert spellings(store, "hrnn", heron=1) == []


def test_forms_of_one_word_come_once(store: Store) -> None:
    assert spellings(store, "deadlins", deadlin=1) == ["deadlin"]


def test_a_short_word_keeps_its_first_letter(store: Store) -> None:
    assert spellings(store, "booked", cook=1) == []


@pytest.mark.parametrize("word", ["abc", "a" * 31, "heron2", "héron", "鷺鷺鷺鷺", ""])
def test_what_is_no_word_of_plain_letters_is_not_repaired(store: Store, word: str) -> None:
    assert not is_repairable(word)
    assert spellings(store, word, heron=1) == []


LETTERS = st.sampled_from(string.ascii_lowercase)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(place=st.integers(0, 5), letter=LETTERS, kind=st.sampled_from(["insert", "delete", "swap"]))
def test_any_one_edit_behind_the_first_letter_is_repaired(
    store: Store, place: int, letter: str, kind: str
) -> None:
    word = "falcon"
    at = max(1, place)
    typo = {
        "insert": word[:at] + letter + word[at:],
        "delete": word[:at] + word[at + 1 :],
        "swap": word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :],
    }[kind]
    stem = Listed(store, {}).split([word])[0][0].stem
    if typo != word:
        assert word in spellings(store, typo, **{stem: 1})
