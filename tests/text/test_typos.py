"""Repairs of words that occur nowhere: wrong letters, and two words written as one."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memctl.base.home import Address
from memctl.search.question.typos import as_written, is_repairable, longer_names, parted, repairs
from memctl.store.store import Store
from memctl.text.splitting import Token, Vocabulary
from tests.each import each

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
    assert spellings(store, "hern", heron=2, hernia=9, hers=9) == ["heron"]
    assert spellings(store, "falcn", falcon=2, falcan=9) == ["falcan", "falcon"]


@each(
    ("word", "other"),
    [("wifi", "wife"), ("boot", "book"), ("horse", "hous"), ("flag", "flat"), ("like", "live")],
)
def test_a_short_word_with_another_letter_is_another_word(
    store: Store, word: str, other: str
) -> None:
    assert spellings(store, word, **{other: 3}) == []


def test_a_short_word_with_another_letter_is_taken_where_it_fits_what_else_is_asked(
    store: Store,
) -> None:
    taken = repairs("rote", Listed(store, {"rome": 1}), fits=lambda spelling: spelling == "rome")
    assert [token.surface for token in taken] == ["rome"]


def test_a_word_of_three_letters_is_found_in_one_that_doubles_a_letter_alone(
    store: Store,
) -> None:
    assert spellings(store, "maxx", max=1) == ["max"]
    assert spellings(store, "bern", ben=1) == []


def written(store: Store, word: str, *texts: str, **rows: int) -> str | None:
    words = Listed(store, rows)
    return as_written(word, next(repairs(word, words)), texts, words)


def test_a_repair_is_told_as_a_text_writes_it(store: Store) -> None:
    assert written(store, "deadnile", "Deadlines slip", deadlin=1) == "deadlines"
    assert written(store, "deadlins", "The deadline", "Deadlines slip", deadlin=1) == "deadline"
    assert written(store, "meetng", "The team meets", meet=1) == "meets"


def test_what_no_text_writes_is_no_repair(store: Store) -> None:
    words = Listed(store, {})
    per = as_written("pets", Token("pers", "per"), ["60 requests per minute"], words)
    called = as_written("cable", Token("calle", "call"), ["It is called Atlas"], words)
    assert (per, called) == (None, None)


@each("word", ["postgres", "Postg"])
def test_a_name_cut_short_has_longer_ones(store: Store, word: str) -> None:
    words = Listed(store, {"postgresql": 1, "post": 2, "postgr": 1, "postmortem": 3})
    assert longer_names(word.lower(), words) in (["postgresql"], ["postgr", "postgresql"])


def test_a_short_beginning_is_no_name(store: Store) -> None:
    assert longer_names("post", Listed(store, {"postgresql": 1})) == []


def test_two_letters_come_behind_one_and_need_a_long_word(store: Store) -> None:
    assert spellings(store, "deadnile", deadlin=1) == ["deadlin"]
    assert spellings(store, "deadnile", deadlin=5, deadmil=1)[1:] == ["deadlin"]
    assert spellings(store, "hrnn", heron=1) == []


def test_forms_of_one_word_come_once(store: Store) -> None:
    assert spellings(store, "deadlins", deadlin=1) == ["deadlin"]


def test_a_short_word_keeps_its_first_letter(store: Store) -> None:
    assert spellings(store, "booked", cook=1) == []


@each("word", ["abc", "a" * 31, "heron2", "héron", "鷺鷺鷺鷺", ""])
def test_what_is_no_word_of_plain_letters_is_not_repaired(store: Store, word: str) -> None:
    assert not is_repairable(word)
    assert spellings(store, word, heron=1) == []


LETTERS = st.sampled_from(string.ascii_lowercase)


@settings(
    max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
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


# -- two words written as one ---------------------------------------------------------------

GRAMMAR = frozenset({"at", "the", "me"})


def parts(word: str, text: str) -> list[tuple[str, str]]:
    return list(parted(word, GRAMMAR, lambda _: [text]))


@each(
    ("word", "text", "both"),
    [
        ("timezone", "My Time zone is UTC", ("time", "zone")),
        ("timezones", "A time-zone is a zone", ("time", "zones")),
        ("email", "Send an e-mail", ("e", "mail")),
        ("nodejs", "It runs on Node.js", ("node", "js")),
    ],
)
def test_it_is_found_where_both_halves_stand_side_by_side(
    word: str, text: str, both: tuple[str, str]
) -> None:
    assert parts(word, text) == [both]


@each(
    ("word", "text"),
    [
        ("timezone", "the zone of that time"),
        ("timezone", "overtime zone"),
        ("email", "a plan e mail it"),
        ("goat", "they go at noon"),
        ("theme", "ask the me"),
        ("abc", "ab c"),
        ("時間", "時 間"),
    ],
)
def test_anything_else_is_another_word(word: str, text: str) -> None:
    assert parts(word, text) == []


def test_only_what_may_be_two_words_is_looked_up() -> None:
    asked: list[str] = []

    def texts_with(match: str) -> list[str]:
        asked.append(match)
        return []

    for word in ("goat", "abc", "atme"):
        assert list(parted(word, GRAMMAR, texts_with)) == []
    assert asked[0] == '("g" AND "oat") OR ("goa" AND "t")'
    assert len(asked) == 2
