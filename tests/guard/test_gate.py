# ruff: noqa: RUF001 - other scripts and their punctuation are what is tried
"""The gate is cheap and safe: whatever a rule finds, it lets through to the rules."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.guard.credential_nouns import beginnings
from memctl.guard.decoding import plain_view
from memctl.guard.rule_order import built_in_spans
from memctl.guard.secret_search import may_hold_secret
from tests.guard.lists import HARMLESS, SECRETS, texts

TALK = [
    "Let us move the launch to 3 March, Ann said that the printers need two more days.",
    "I think we should book the table for six people at half past seven.",
    "Great, thanks! I will bring the cake and Tom brings the drinks.",
    "明天下午三点在二楼开会，请准时参加。",
]
WORDS = [
    *("password", "pw", "pin", "密码", "パスワード", "пароль", "contraseña", "mot de passe"),
    *("api key", "token", "secret", "wifi key", "clé", "ключ", "密钥", "verification code"),
    *("your code", "otp", "TAN", "door", "root", "admin", "user", "login", "creds", "SSID", "anna"),
    *("mysql", "-p", "--password", "sshpass", "curl", "-u", "unlock", "with", "is", "my", "use"),
    *("seed phrase", "wallet", "BEGIN PRIVATE KEY", '"kty"', "Authorization: Basic", "://"),
]
VALUES = [
    *(
        "hunter2",
        "Fluffy12!",
        "R@in_1951",
        "#Rain1951",
        "4471",
        "482 913",
        "sunflower",
        "WDJB-MJHT",
    ),
    *("x7pZSV8YsOGftkgM4UyG0R1Al670MiZJ", "c9b24865f48f1ef089894e2024beaf0d", "31-07-64"),
    *(
        "ocean vivid tomato rescue nephew oyster gospel famous double cradle lottery mimic",
        "JXKKG9V2",
    ),
    *("YW5uYTpodW50ZXIy", "'Fluffy12'", "anna:Fluffy12", "pass:hunter2", "otter-lamp-river"),
]
BETWEEN = [" ", ": ", "=", " / ", "\n", " - ", ", ", "：", "は", "是", ""]


def found(text: str) -> bool:
    """Whether a rule finds something, asked past the gate."""
    return next(built_in_spans(plain_view(text)), None) is not None


def test_no_rule_finds_anything_in_a_text_of_the_lists_that_the_gate_stops() -> None:
    listed = [one.text for name in (*SECRETS, *HARMLESS) for one in texts(name)]
    assert not [text for text in listed if not may_hold_secret(text) and found(text)]


@given(st.lists(st.tuples(st.sampled_from(WORDS + VALUES), st.sampled_from(BETWEEN)), max_size=7))
def test_whatever_a_rule_finds_passes_the_gate(parts: list[tuple[str, str]]) -> None:
    text = "".join(word + between for word, between in parts)
    assert may_hold_secret(text) or not found(text)


@given(st.text(max_size=200))
def test_any_text_that_the_gate_stops_holds_nothing(text: str) -> None:
    assert may_hold_secret(text) or not found(text)


@pytest.mark.parametrize("role", ["password", "pin", "key", "code"])
def test_every_name_of_a_secret_passes_the_gate_with_a_number(role: str) -> None:
    stopped = [one for one in beginnings(role) if not may_hold_secret(f"the {one} R@in4471")]
    assert stopped == []


@pytest.mark.parametrize("text", TALK)
def test_talk_stops_at_the_gate_each_time(text: str) -> None:
    assert not may_hold_secret(text)
    assert not may_hold_secret(text)  # its words are known now


def test_the_rules_are_not_even_imported_for_talk() -> None:
    program = (
        "import sys; from memctl.guard.door import secret_rule; "
        f"assert secret_rule({TALK[0]!r}) is None; "
        "assert 'memctl.guard.rule_order' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
