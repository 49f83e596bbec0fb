"""The list of secrets is large, repeatable, and holds no key in the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.guard.secrets_corpus import SecretCase, counts_by_format, secret_cases

CASES = secret_cases()


def test_there_are_at_least_400_cases_in_30_formats() -> None:
    assert len(CASES) >= 400
    assert len(counts_by_format()) >= 30


def test_no_text_stands_twice() -> None:
    assert len({case.text for case in CASES}) == len(CASES)


@pytest.mark.parametrize("mark", ["⟦", "⟧"])
def test_no_mark_of_the_templates_is_left(mark: str) -> None:
    assert not [case for case in CASES if mark in case.text]


def test_the_text_holds_its_secret() -> None:
    assert not [case for case in CASES if not _holds_its_secret(case)]


def test_no_drawn_value_is_written_in_the_data_files() -> None:
    folder = Path(__file__).parent
    written = "".join(path.read_text(encoding="utf-8") for path in folder.glob("secret_*.toml"))
    assert not [case for case in CASES if _is_a_key(case) and case.secret_value in written]


def _holds_its_secret(case: SecretCase) -> bool:
    return bool(case.secret_value.strip()) and case.secret_value in case.text


def _is_a_key(case: SecretCase) -> bool:
    return any(letter.isdigit() for letter in case.secret_value)
