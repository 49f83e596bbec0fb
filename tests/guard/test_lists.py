"""The further lists are large, repeatable, and hold no key in the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.guard.lists import LISTS, Text, ordinary, secrets

EACH = pytest.mark.parametrize("name", LISTS)


@EACH
def test_there_are_at_least_120_secrets_and_180_ordinary_texts(name: str) -> None:
    assert len(secrets(name)) >= 120
    assert len(ordinary(name)) >= 180


def test_together_they_have_over_6000_secrets_and_10000_ordinary_texts() -> None:
    assert sum(len(secrets(name)) for name in LISTS) > 6_000
    assert sum(len(ordinary(name)) for name in LISTS) > 10_000


@EACH
def test_every_call_gives_the_same_texts(name: str) -> None:
    assert secrets(name) == secrets(name)
    assert ordinary(name) == ordinary(name)


@EACH
def test_no_text_stands_twice(name: str) -> None:
    texts = [one.text for one in (*secrets(name), *ordinary(name))]
    assert len(set(texts)) == len(texts)


@EACH
@pytest.mark.parametrize("mark", ["⟦", "⟧", "<<d:", "<<an:", "⏎"])
def test_no_mark_of_the_files_is_left(name: str, mark: str) -> None:
    assert not [one for one in (*secrets(name), *ordinary(name)) if mark in one.text]


@EACH
def test_a_text_holds_its_secret(name: str) -> None:
    assert not [one for one in secrets(name) if not one.secret.strip()]


@EACH
def test_no_drawn_secret_is_written_in_the_files(name: str) -> None:
    folder = Path(__file__).with_name(name)
    written = "".join(file.read_text(encoding="utf-8") for file in folder.glob("*.txt"))
    assert not [one for one in secrets(name) if _is_a_key(one) and one.secret in written]


def _is_a_key(one: Text) -> bool:
    return len(one.secret) > 12 and any(letter.isdigit() for letter in one.secret)
