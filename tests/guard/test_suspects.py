"""A sentence that names a password is judged by its oddest word, whatever its syntax."""

from __future__ import annotations

import pytest

from memctl.guard.rules import find_secret
from memctl.guard.rules.oddness import oddness

ODD = (
    "Winter6008",
    "kzZT!WJQ^&Nm",
    "dragon_falcon_mango",
    "PumpkinVelvet!",
    "C0ff33-pot",
    "qjfk2768",
)
SAID = (
    "« {} » est le mot de passe du portail",
    '"{}" ist das Passwort für die Cloud',
    "We use {} for the guest wifi password",
    "if it asks for a password, type {}",
    "the wifi password? {}",
    "Mum's laptop: {}  <- password",
    "it's {} (netflix password)",
    "password [{}]",
    "typed {} into the Password field",
    "I changed my password from {} to something else",
    "usa {} como contraseña",
    "WiFi密码改成{}了",
    "le nouveau mot de passe sera {}",
    "der Router hat {} als WLAN-Passwort",
)


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("word", ODD)
def test_an_odd_word_is_a_password_however_it_is_said(said: str, word: str) -> None:
    assert find_secret(said.format(word)) is not None


@pytest.mark.parametrize(
    "text",
    [
        "User jsmith_88 reset the password at 10:42",
        "Passwords such as Summer2024 are easy to guess",
        "the password prompt in Windows11 looks different",
        "Benutzer mmueller83 hat sein Passwort vergessen",
        "ユーザーtanaka88がパスワードを変更しました",
        "Ticket OPS-4312: password reset mail arrives late",
        "rename user_password_field to passwordField",
        "the test test_password_reset_expired is flaky",
        "A good password is not Welcome1!",
        "use LaTeX-BibTeX for the password chapter",
        "I use Bitwarden as my password manager",
        "Never use a birthday as your password",
        "the password hash is argon2id with m=65536,t=3,p=4",
        '"required": ["username", "password"], "additionalProperties": false',
        "![the login page](data:image/webp;base64,UklGRij2K1g4uZKuJuafEcBTS24mXkQRHcvok0HE6DQr)",
    ],
)
def test_the_names_of_people_and_things_near_a_password_are_let_through(text: str) -> None:
    assert find_secret(text) is None


def test_a_plain_word_is_a_password_where_it_is_used_as_one() -> None:
    assert find_secret("I always use walrus as my password") is not None


def test_a_noun_that_ends_as_a_remark_does_is_a_password() -> None:
    assert find_secret("my password is dragonfly") is not None
    assert find_secret("my password is weekly") is None


@pytest.mark.parametrize("word", ["gravel_otter_saddle", "canoe-meadow-ginger"])
def test_joined_words_of_no_program_are_a_password_after_a_sign(word: str) -> None:
    assert find_secret(f"DB_PASS={word}") is not None


@pytest.mark.parametrize("name", ["user_name_field", "default-value-string", "new_admin_input"])
def test_joined_words_of_programs_are_a_name(name: str) -> None:
    assert find_secret(f"password = {name}") is None


@pytest.mark.parametrize(
    ("odder", "word"),
    [
        ("xR7M4fK5Wc7", "Winter6008"),
        ("Winter6008", "winter08"),
        ("winter08", "winter8"),
        ("winter8", "winter"),
        ("PumpkinVelvet!", "PumpkinVelvet"),
        ("PumpkinVelvet", "PowerShell"),
    ],
)
def test_what_looks_less_like_a_word_is_odder(odder: str, word: str) -> None:
    assert oddness(odder) > oddness(word)


@pytest.mark.parametrize(
    "word",
    [
        "password", "Bitwarden", "2025-03-14", "v2.14.3", "argon2id", "sha256", "web03", "Windows11", "anna@example.org",
        "checkout-page-v2.html", "/etc/passwd2", "process.env.PASS", "9fceb02d0ae598e9", "****", "<password1>", "https://example.org/a1b2",
    ],
)  # fmt: skip
def test_words_names_measures_and_code_are_not_odd(word: str) -> None:
    assert oddness(word) == 0
