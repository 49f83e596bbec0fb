# ruff: noqa: RUF001 - full-width signs are under test
from __future__ import annotations

import pytest

from memctl.guard.rules import find_secret
from tests.guard.samples import HEXADECIMAL, STATED, drawn


@pytest.mark.parametrize("text", STATED)
def test_a_stated_secret_is_found(text: str) -> None:
    assert find_secret(text) is not None


HARMLESS = [
    "max token: 4096",
    "Secret: Santa",
    "password must be at least 12 characters",
    "forgot your password?",
    "the password is required",
    "the password is stored in the vault",
    "password: string",
    "Password: ********",
    "password: see the vault",
    "password = getpass()",
    'key = os.environ["API_KEY"]',
    "api_key = <YOUR_API_KEY>",
    "token: ${TOKEN}",
    "sk-...",
    "Authorization: Bearer $TOKEN",
    "Bearer of bad news",
    "postgres://user:password@localhost/db",
    f"commit {drawn(40, HEXADECIMAL)}",
    "run 550e8400-e29b-41d4-a716-446655440000",
    f"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA{drawn(80)}",
    f"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{drawn(80)} bob@laptop",
    f"-----BEGIN CERTIFICATE-----\nMIIDdzCCAl{drawn(54)}\n-----END CERTIFICATE-----",
    f"-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A{drawn(30)}",
    "A key file starts with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----",
    "密码必须至少8位",
    "密码：至少8个字符",
    "忘记密码？",
    "パスワードは8文字以上です",
    "비밀번호를 잊으셨나요?",
    "la contraseña es obligatoria",
    "das Passwort ist falsch",
    "le mot de passe est incorrect",
    "пароль неверный",
    "PASSWORD_MIN_LENGTH=12",
    "primary key: customer_id",
    "error code: 404404",
    "verification code must be 6 digits",
    "Password1 is a terrible password",
    "boarding pass: A12B34",
    "Enter the password with passwd(1) on ubuntu22.04",
    'button "Show password" #btn-pw-toggle2 was pressed',
    "account with user_id=42/role=admin1",
    "PIN code 560034 is a part of the town",
    "next page token: 7f3k9d8s7f6g5h4j3k2l",
    "pins: 5665",
    "Das Kennwort ist seit gestern abgelaufen",
    "le mot de passe a été modifié en 2024",
    "la password è stata cambiata in fretta",
    "Losung des Tages: Mut",
    "User wants password prompts to be hidden",
    "use LaTeX-BibTeX for the password chapter",
    "blocks 11111-22222-33333-44444-55555",
    "wine-pairing code: RIESLING",
    "the key (9f86d081884c7d659a2feaa0c55ad015) is that of the cache",
    "INSERT INTO users (name, password) VALUES (?, ?)",
    "os.getenv('DB_PASSWORD', '')",
    "password = $dbUserPassword2",
    "page.locator('#password').fill(process.env.PASSWORD)",
    f"BUILD_ID={drawn(32)}",
    f"GIT_COMMIT={drawn(40, HEXADECIMAL)}",
]


@pytest.mark.parametrize("text", HARMLESS)
def test_a_harmless_text_is_left_alone(text: str) -> None:
    assert find_secret(text) is None
