"""The lists, made by other hands or before the rules met them: what is refused and what is let through."""

from __future__ import annotations

import pytest

from memctl.secret_rules import find_secret, mask_secrets
from tests.guard.harmless_corpus import HARMLESS
from tests.guard.lists import LISTS, ordinary, secrets
from tests.guard.secrets_corpus import SecretCase, secret_cases

SECRETS = secret_cases()


def _numbered(names: list[str]) -> list[str]:
    return [f"{name}-{at}" for at, name in enumerate(names)]


@pytest.mark.parametrize("case", SECRETS, ids=_numbered([case.format for case in SECRETS]))
def test_a_secret_is_refused(case: SecretCase) -> None:
    assert find_secret(case.text) is not None


@pytest.mark.parametrize(
    "text", [text for _, text in HARMLESS], ids=_numbered([kind for kind, _ in HARMLESS])
)
def test_an_ordinary_text_is_let_through(text: str) -> None:
    assert find_secret(text) is None


def test_the_name_of_a_rule_never_repeats_the_secret() -> None:
    assert not [case for case in SECRETS if case.secret_value in (find_secret(case.text) or "")]


def test_masking_takes_the_secret_out_of_nearly_every_text() -> None:
    left = [case for case in SECRETS if case.secret_value in mask_secrets(case.text)]
    assert len(left) <= len(SECRETS) // 500


@pytest.mark.parametrize("name", LISTS)
def test_of_each_further_list_99_percent_or_all_but_two_are_refused(name: str) -> None:
    texts = secrets(name)
    missed = [one.text for one in texts if find_secret(one.text) is None]
    assert len(missed) <= max(len(texts) // 100, 2)


@pytest.mark.parametrize("name", LISTS)
def test_of_each_further_list_hardly_an_ordinary_text_is_refused(name: str) -> None:
    texts = ordinary(name)
    refused = [one.text for one in texts if find_secret(one.text) is not None]
    assert len(refused) <= len(texts) // 200


@pytest.mark.parametrize("name", LISTS)
def test_no_rule_is_named_by_a_secret_of_a_further_list(name: str) -> None:
    assert not [one for one in secrets(name) if one.secret in (find_secret(one.text) or "")]
