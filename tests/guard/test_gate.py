# ruff: noqa: RUF001 - other scripts and their punctuation are what is tried
"""The gate is cheap and safe: whatever a rule finds, it lets through to the rules."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memctl.guard.door import secret_rule
from memctl.guard.rules.accounts import ACCOUNT_NEEDLES
from memctl.guard.rules.gate import may_hold_secret
from memctl.guard.rules.nouns import CODES, KEYS, PASSWORDS
from memctl.guard.rules.rules import FAMILIES, hits
from memctl.guard.rules.text_view import plain_view
from tests.guard.harmless_corpus import HARMLESS
from tests.guard.lists import LISTS, ordinary, secrets
from tests.guard.secrets_corpus import secret_cases

TALK = [
    "Let us move the launch to 3 March, Ann said that the printers need two more days.",
    "I think we should book the table for six people at half past seven.",
    "Great, thanks! I will bring the cake and Tom brings the drinks.",
    "明天下午三点在二楼开会，请准时参加。",
    "Wir treffen uns am Freitag um halb acht im Park.",
]
WORDS = [
    *("password", "pass", "pw", "p@ssw0rd", "pin", "密码", "パスワード", "пароль", "contraseña", "mot de passe", "passphrase"),
    *("api key", "key", "token", "secret", "session cookie", "wifi key", "clé", "ключ", "密钥", "licence"),
    *("code", "verification code", "your code", "otp", "puk", "TAN", "combination", "2fa", "验证码", "код", "door"),
    *("root", "admin", "user", "u:", "p:", "login", "creds", "SSID", "wifi", "netflix", "anna@example.org", "anna", "id"),
    *("mysql", "-p", "--password", "--token", "sshpass", "curl", "-u", "openssl", "-k", "zip", "-P", "net use", "docker login"),
    *("open it", "unlock", "with", "to", "for", "is", "are", "use", "enter", "verify", "sign in", "still", "the", "my", "what"),
    *("the safe", "caja fuerte", "door", "opens with", "pairing code was", "passphrase is", "tape", "puerta", "PAT", "Geheimzahl", "bitwarden master"),
    *("seed phrase", "wallet", "BEGIN PRIVATE KEY", "Private-Lines:", '"kty"', "Authorization: Basic", "bearer", "://"),
]  # fmt: skip
VALUES = [
    *("hunter2", "Fluffy12!", "R@in_1951", "#Rain1951", "4471", "482913", "482 913", "sunflower", "WDJB-MJHT", "GKSITJRZ"),
    *("x7pZSV8YsOGftkgM4UyG0R1Al670MiZJ", "c9b24865f48f1ef089894e2024beaf0d", "correct-horse-battery", "96-05-35", "0304A"),
    *("ocean vivid tomato rescue nephew oyster gospel famous double cradle lottery mimic", "e3hu ol7y jjr9 dtr2 fjsw wg3d"),
    *("31-07-64", "JXKKG9V2", "27B41", "1-9-7-4-star", '"Lanterns over Bergen 44"', "drei alte Igel trinken 7"),
    *("YW5uYTpodW50ZXIy", "'Fluffy12'", '"sunflower"', "anna:Fluffy12", "anna%Fluffy12", "pass:hunter2", "-pFluffy12"),
]  # fmt: skip
BETWEEN = [" ", " ", ": ", "=", ":", " / ", "\n", " - ", ", ", "：", "は", "是", "?", ""]


def found(text: str) -> bool:
    """Whether a rule finds something, asked past the gate."""
    return next(hits(plain_view(text)), None) is not None


def test_every_secret_of_every_list_passes_the_gate() -> None:
    texts = [case.text for case in secret_cases()]
    texts += [one.text for name in LISTS for one in secrets(name)]
    assert not [text for text in texts if found(text) and not may_hold_secret(text)]


def test_no_rule_finds_anything_in_an_ordinary_text_that_the_gate_stops() -> None:
    texts = [text for _, text in HARMLESS]
    texts += [one.text for name in LISTS for one in ordinary(name)]
    assert not [text for text in texts if not may_hold_secret(text) and found(text)]


@given(st.lists(st.tuples(st.sampled_from(WORDS + VALUES), st.sampled_from(BETWEEN)), max_size=7))
def test_whatever_a_rule_finds_passes_the_gate(parts: list[tuple[str, str]]) -> None:
    text = "".join(word + between for word, between in parts)
    assert may_hold_secret(text) or not found(text)


def hidden(text: str) -> list[object]:
    """Return what a family of rules finds in a text that holds none of its signs."""
    view = plain_view(text)
    passed_over = [find for find, signs in FAMILIES if signs is not None and not view.holds(signs)]
    return [hit for find in passed_over for hit in find(view)]


def test_no_family_of_rules_is_passed_over_that_would_find_a_secret() -> None:
    texts = [case.text for case in secret_cases()]
    texts += [one.text for name in LISTS for one in secrets(name)]
    assert not [text for text in texts if hidden(text)]


@given(st.lists(st.tuples(st.sampled_from(WORDS + VALUES), st.sampled_from(BETWEEN)), max_size=7))
def test_no_family_of_rules_is_passed_over_that_would_find_anything(
    parts: list[tuple[str, str]],
) -> None:
    assert not hidden("".join(word + between for word, between in parts))


@given(st.lists(st.tuples(st.sampled_from(VALUES), st.sampled_from(BETWEEN)), max_size=5))
def test_a_value_without_a_name_is_found_only_past_the_gate(parts: list[tuple[str, str]]) -> None:
    text = "".join(word + between for word, between in parts)
    assert may_hold_secret(text) or not found(text)


@given(st.text(max_size=200))
def test_any_text_that_the_gate_stops_holds_nothing(text: str) -> None:
    assert may_hold_secret(text) or not found(text)


@pytest.mark.parametrize("nouns", [PASSWORDS, KEYS, CODES])
def test_every_name_of_a_secret_passes_the_gate_with_a_number(nouns: object) -> None:
    assert not [one for one in nouns.needles if not may_hold_secret(f"the {one} 4471")]  # type: ignore[attr-defined]


def test_every_name_of_an_account_passes_the_gate_with_a_number() -> None:
    assert not [one for one in ACCOUNT_NEEDLES if not may_hold_secret(f"the {one} R@in1951")]


@pytest.mark.parametrize("text", TALK)
def test_talk_stops_at_the_gate(text: str) -> None:
    assert not may_hold_secret(text)


def test_the_rules_are_not_even_imported_for_talk() -> None:
    program = (
        "import sys; from memctl.guard.door import secret_rule; "
        f"assert secret_rule({TALK[0]!r}) is None; "
        "assert 'memctl.guard.rules.rules' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@given(
    st.lists(
        st.tuples(
            st.sampled_from([*WORDS, *VALUES, *TALK, "article ", "one", "times", "internet", "7"]),
            st.sampled_from([*BETWEEN, "\t", "\x1c"]),
        ),
        max_size=7,
    )
)
@example([("pin", ":")])
def test_words_that_were_looked_at_before_are_judged_as_in_a_text_of_several_lines(
    parts: list[tuple[str, str]],
) -> None:
    # A sign may end in a blank: both have one.
    line = "".join(word + between for word, between in parts).replace("\n", " ") + " "
    lines = f"{line}\n "  # whose words are not looked up
    assert may_hold_secret(line) == may_hold_secret(line) == may_hold_secret(lines)


@pytest.mark.parametrize("text", ["PİN KODU 4821", "ŞİFRE: hunter2xyz9", "密码是hunterxyz"])
def test_a_secret_in_capitals_and_scripts_of_others_passes_the_gate_each_time(text: str) -> None:
    assert may_hold_secret(text)
    assert may_hold_secret(text)  # its words are known now
    assert secret_rule(text) is not None


def test_a_tab_is_a_blank_to_the_gate_as_to_the_rules() -> None:
    assert may_hold_secret("openclaw\tpairing\tapprove\ttelegram\tJWRVFPFS")
