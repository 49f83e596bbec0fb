"""The lists of texts hold each text once, and no key in the repository."""

from __future__ import annotations

from pathlib import Path

from tests.guard.lists import LISTS, Text, ordinary, secrets


def test_no_text_stands_twice_in_a_list() -> None:
    for name in LISTS:
        texts = [one.text for one in (*secrets(name), *ordinary(name))]
        assert len(set(texts)) == len(texts), name


def test_no_drawn_secret_is_written_in_the_files() -> None:
    for name in LISTS:
        folder = Path(__file__).with_name(name)
        written = "".join(file.read_text(encoding="utf-8") for file in folder.glob("*.txt"))
        assert not [one for one in secrets(name) if _is_a_key(one) and one.secret in written], name


def _is_a_key(one: Text) -> bool:
    return len(one.secret) > 12 and any(letter.isdigit() for letter in one.secret)
