"""The two lists, made by other hands than the rules: what is refused and what is let through."""

from __future__ import annotations

import pytest

from memctl.secret_rules import find_secret, mask_secrets
from tests.guard.harmless_corpus import HARMLESS
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
