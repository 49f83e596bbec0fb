# ruff: noqa: RUF001 - other scripts are what is tried
"""Codes, keys and phrases in sentences that say what they open, whatever stands between."""

from __future__ import annotations

import pytest

from memctl.guard.rules import find_secret, mask_secrets

KEY = "7Kq2vXbT9mWzR4nLpY8sJd3GhF6cAeQu"
HEXADECIMAL = "8bebcd0fa73ce284" + "a41745ca7fb77d58"


@pytest.mark.parametrize(
    "text",
    [
        "The safe opens with 31-07-64.", "Door keypad: 1-9-7-4-star", "¿La clave de la caja fuerte? 22-61-09.",
        "Omas iPad entsperrt man mit 140352", "Pour déverrouiller la tablette, tape 180264.", "金庫の番号は 18-44-09",
        "キャッシュカードの暗証番号、6093だから覚えといて", "微信支付密码我设的是 907315，别告诉别人", "Entsperrcode: 904417",
        "Code de la porte d'entrée : 27B41", "the device pairing code she read to me was JXKKG9V2",
        "HomeKit pairing code of the bridge 858-47-484",
        "Zugangscode fürs Büro 60418", "the parking barrier code is 7714.",
    ],
)  # fmt: skip
def test_a_number_in_a_sentence_that_says_what_it_opens_is_a_code(text: str) -> None:
    assert find_secret(text) is not None


@pytest.mark.parametrize(
    "text",
    ["Zip code of the office is 94107.", "the article code is 858-47-484", "The dialling code of the office is 0211", "le code couleur de la porte est 7016"],
)  # fmt: skip
def test_another_kind_of_code_near_a_door_is_none(text: str) -> None:
    assert find_secret(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "The safe arrived on 31-07-64", "triangles of 3-4-5 and the combination of colours", "Door 4471 is on the left",
        "PIN 560001, Bangalore", "Error code E4471 at the door", "the door code changed in 2024", "PIN has 4 digits",
        "The Da Vinci Code was published in 2003.", "She unlocks level 12 with 20455 points",
    ],
)  # fmt: skip
def test_a_number_that_counts_or_dates_something_is_none(text: str) -> None:
    assert find_secret(text) is None


@pytest.mark.parametrize(
    "said",
    [
        "Here's the key for the translation API, {}, valid through March.", "le secret client OAuth est {}",
        "Azure: endpoint https://eu.example.org key {}", "Der Schlüssel für die Karten ist {}", "翻译接口的 key 给你：{}",
    ],
)  # fmt: skip
@pytest.mark.parametrize("key", [KEY, HEXADECIMAL])
def test_a_generated_word_in_a_sentence_about_a_key_is_one(said: str, key: str) -> None:
    assert find_secret(said.format(key)) is not None


@pytest.mark.parametrize(
    "said",
    ["cache key {} was evicted", "the public key's fingerprint is {}", "commit {} rotates the key"],
)
def test_what_a_checksum_is_of_is_let_through(said: str) -> None:
    assert find_secret(said.format(HEXADECIMAL)) is None


@pytest.mark.parametrize(
    "text",
    [
        'we agreed on the passphrase "Lanterns over Tromsø 44" for it', "wallet unlock phrase: amber tunnel gossip river olive",
        "Meine Passphrase: drei müde Igel trinken Tee 7", 'Le mot de passe maître est "Horloge Cassis Tambour 12"',
        "主密码（KeePass）：qiu tian de feng 88!", 'La frase de contraseña es "cuatro gatos bajo la lluvia 9"',
        "The passphrase of my backup disk is fennel.gossip.desert.river", 'master password: "fennel.gossip.desert.river"',
    ],
)  # fmt: skip
def test_words_behind_the_name_of_a_phrase_are_the_phrase(text: str) -> None:
    masked = mask_secrets(text)
    assert "[secret:" in masked
    assert not any(
        word in masked for word in ("Tromsø", "gossip", "Igel", "Cassis", "feng", "lluvia")
    )


@pytest.mark.parametrize(
    "text",
    [
        "The passphrase is longer than a password", 'the message: passphrase "is too short"', "Recovery phrase: write it down",
        "La frase secreta se muestra una sola vez", "Masterpasswort vergessen: dann hilft nur der Bogen", "主密码忘了就无法恢复",
        "The passphrase is settings.vault.backup.phrase", "The passphrase is read by crypto.keyring.example.com",
    ],
)  # fmt: skip
def test_a_remark_about_a_phrase_is_none(text: str) -> None:
    assert find_secret(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "all tests pass: 1284 passed, 3 skipped", "5903 passed in 200.1s", "pass 1037 of 1040 tests", "pass 12, fail 3",
        "PASS tests/unit/login_password2.test.ts (5.1 s)", "--- PASS: TestPasswordReset2 (0.02s)", "checks pass: 88/88",
        "passing 212 tests now", "lint pass (3.2 s), unit pass: 5903 passed", "PASS src/auth4.spec.ts", "pass: 98.7%",
    ],
)  # fmt: skip
def test_what_a_run_of_tests_prints_is_let_through(text: str) -> None:
    assert find_secret(text) is None
