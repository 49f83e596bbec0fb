"""The lists, made by other hands or before the rules met them: what is refused and what is let through."""

from __future__ import annotations

from functools import cache

import pytest

from memctl.guard.rules import find_secret, mask_secrets
from tests.guard.harmless_corpus import HARMLESS
from tests.guard.lists import LISTS, Text, ordinary, secrets
from tests.guard.secrets_corpus import secret_cases

EACH = pytest.mark.parametrize("name", LISTS)
# Several tests ask the same of the same texts.
rule_of = cache(find_secret)
texts_of = cache(secrets)

FIRST = [Text(case.format, case.text, case.secret_value) for case in secret_cases()]


def test_every_secret_of_the_first_list_is_refused() -> None:
    assert _missed(FIRST) == []


def test_every_ordinary_text_of_the_first_list_is_let_through() -> None:
    assert [text for _, text in HARMLESS if rule_of(text) is not None] == []


@EACH
def test_of_each_further_list_99_percent_or_all_but_two_are_refused(name: str) -> None:
    texts = texts_of(name)
    missed = _missed(texts)
    assert len(missed) <= max(len(texts) // 100, 2), missed


@EACH
def test_of_each_further_list_hardly_an_ordinary_text_is_refused(name: str) -> None:
    texts = ordinary(name)
    refused = [one.text for one in texts if rule_of(one.text) is not None]
    assert len(refused) <= len(texts) // 200, refused


@EACH
def test_masking_takes_every_refused_secret_out_of_its_text(name: str) -> None:
    assert _left(texts_of(name)) == []


def test_masking_takes_every_secret_of_the_first_list_out_of_its_text() -> None:
    assert _left(FIRST) == []


def test_the_name_of_a_rule_never_repeats_the_secret() -> None:
    texts = [*FIRST, *(one for name in LISTS for one in texts_of(name))]
    assert [one.text for one in texts if one.secret in (rule_of(one.text) or "")] == []


def _missed(texts: list[Text]) -> list[str]:
    return [one.text for one in texts if rule_of(one.text) is None]


def _left(texts: list[Text]) -> list[tuple[str, str]]:
    """Return the texts of refused secrets that still hold one when masked, and the masked text."""
    masked = [(one, mask_secrets(one.text)) for one in texts]
    return [(one.text, text) for one, text in masked if one.secret in text and rule_of(one.text)]
