"""The lists: so much is refused, so little by mistake.

No failure prints a text: whoever makes the rules has not read them.
"""

from __future__ import annotations

from functools import cache

import pytest

from memctl.guard.secret_search import find_secret, mask_secrets
from tests.each import each
from tests.guard.lists import HARMLESS, SECRETS, Text, texts

LEAST_REFUSED = {"keys": 0.94, "assignments": 0.93, "told_passwords": 0.76, "house_secrets": 0.96}
MOST_BY_MISTAKE = 0.003
rule_of = cache(find_secret)


def held(name: str) -> list[Text]:
    return texts(name) or pytest.skip(f"there is no list of {name}")


@each("name", SECRETS)
def test_secrets_are_refused(name: str) -> None:
    secrets = held(name)
    missed = sum(rule_of(one.text) is None for one in secrets)
    share = 1 - missed / max(len(secrets), 1)
    assert share >= LEAST_REFUSED[name]


def test_hardly_a_harmless_text_is_refused() -> None:
    harmless = [one.text for name in HARMLESS for one in held(name)]
    share = sum(rule_of(text) is not None for text in harmless) / max(len(harmless), 1)
    assert share <= MOST_BY_MISTAKE


def test_no_line_of_the_house_is_refused() -> None:
    assert [one.text for one in held("house_harmless") if rule_of(one.text) is not None] == []


@each("name", SECRETS)
def test_masking_takes_every_refused_secret_out_of_its_text(name: str) -> None:
    refused = [one for one in held(name) if rule_of(one.text) is not None]
    assert [one.text for one in refused if rule_of(mask_secrets(one.text)) is not None] == []


@each("name", SECRETS)
def test_the_name_of_a_rule_never_repeats_the_secret(name: str) -> None:
    assert [one.text for one in held(name) if one.secret in (rule_of(one.text) or "")] == []


@each("name", [*SECRETS, *HARMLESS])
def test_no_mark_of_the_files_is_left(name: str) -> None:
    marks = ("⟦", "⟧", "<<d:", "<<an:", "⏎")
    assert not [one.text for one in held(name) for mark in marks if mark in one.text]
