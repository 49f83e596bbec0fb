"""A password that is only named for its reset, its policy or its field states none."""

from __future__ import annotations

import pytest

from memctl.guard.rules import find_secret


@pytest.mark.parametrize(
    "text",
    [
        "password validation moved to Otter_Lamp58", "password strength checked by Otter_Lamp58 now", "Passwortwechsel in Otter_Lamp58 erledigt",
        "la validación de contraseña a Otter_Lamp58 pasó", "la récupération de mot de passe par Otter_Lamp58", "パスワード変更のOtter_Lamp58",
        "password change requested, mail queued as 988EB99993F",
    ],
)  # fmt: skip
def test_an_odd_word_near_the_thing_is_let_through(text: str) -> None:
    assert find_secret(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "password reset to Otter_Lamp58", "password change: Otter_Lamp58", "the password hint says Otter_Lamp58", "cambio de contraseña a Otter_Lamp58!",
        "type Otter_Lamp58 into the password field", "after the password reset the password is Otter_Lamp58", "Passwortänderung: Otter_Lamp58",
    ],
)  # fmt: skip
def test_a_word_that_is_given_with_the_thing_is_refused(text: str) -> None:
    assert find_secret(text) is not None


@pytest.mark.parametrize(
    "word", ["PasswordPolicy", "tokenStore", "LoginSecretInput", "VaultClient3"]
)
def test_a_name_of_programs_is_no_password(word: str) -> None:
    assert find_secret(f"the password check moved into {word}, see the notes") is None
