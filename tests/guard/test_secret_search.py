# ruff: noqa: RUF001 - other scripts and their punctuation are what is tried
"""The search for secrets: a cheap gate, bounded work, rules of one's own, and how much of the lists is refused.

No failure prints a text of a list: whoever makes the rules has not read them.
"""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from itertools import product

import pytest

from memctl.base.errors import UsageError
from memctl.guard.secret_search import CustomRule, find_secret, mask_secrets, may_hold_secret
from memctl.guard.tables import heads
from tests.each import each
from tests.guard.lists import HARMLESS, SECRETS, Text, texts

TALK = [
    "Let us move the launch to 3 March, Ann said that the printers need two more days.",
    "I think we should book the table for six people at half past seven.",
    "Great, thanks! I will bring the cake and Tom brings the drinks.",
    "明天下午三点在二楼开会，请准时参加。",
]


@each("name", sorted(heads("password")))
def test_every_name_of_a_password_passes_the_gate_with_one(name: str) -> None:
    assert may_hold_secret(f"the {name} R@in4471")


@each("odd", ["R@in4471", "sunflower42", "4471", "482913", "x7pZSV8YsOGf"])
def test_a_word_or_number_as_no_talk_has_passes_the_gate(odd: str) -> None:
    assert may_hold_secret(f"you get in with {odd}")


@each("text", TALK)
def test_talk_stops_at_the_gate_each_time(text: str) -> None:
    assert not may_hold_secret(text)
    assert not may_hold_secret(text)  # its words are known now


def test_a_number_leads_to_the_rules_only_beside_what_makes_it_a_secret() -> None:
    assert not may_hold_secret("Ann of berth 48213 moved to Graz.")
    for beside in (
        "4556 7375 8689 9855",
        "Xy?4821",
        "ann@example.org 4821",
        "The words of 2024: zoo",
    ):
        assert may_hold_secret(f"Note {beside}")


def test_the_rules_are_not_even_imported_for_talk() -> None:
    program = (
        "import sys; from memctl.guard.door import secret_rule; "
        f"assert secret_rule({TALK[0]!r}) is None; "
        "assert 'memctl.guard.told' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


# What repeats, so that rules begin again and again and come to nothing.
HOSTILE = {
    "one letter": "a",
    "prefixes": "sk-",
    "headers": "-----BEGIN PRIVATE KEY-----",
    "addresses": "://a:",
    "names": "password ",
    "assignments": "pwd=x;",
    "open quotes": 'password="',
    "hexadecimal": "0123456789abcdef",
    "lines": "a\n",
    "flags": "--pass ",
    "mails": "a@b.cc 1 ",
    "logins": "login 1 as ",
    "codes": "your code for the 1 ",
    "requests": "curl -u ",
    "users": "user: a pass 1 ",
    "locks": "open it with 1 ",
    "dashes": "a-1_",
    "headings of a table": "|pass|\n",
    "settings": "token=",
    "key headers": "BEGIN RSA PRIVATE KEY ",
    "escapes": "\\\\npassword",
    "another script": "密码是 ",
    "one variable": "ID_",
    "variables": "A_ID= ",
    "statements": "into a (password) values (",
    "brackets": "password (",
    "keys in brackets": "api key (",
    "requests to pair": "pair: enter 1 ",
    "what was changed": "password was changed to ",
    "percent signs": "%3D",
    "entities": "&#61;",
    "tables": "a|pass|b|",
    "headings between lines": "password,x\nsmall talk\n",
    "base64": "cGFzc3dvcmQgaXM= ",
    "numbers of cards": "4111 1111 1111 ",
    "adverbs": "password is now so very ",
    "names of many parts": f"key: a{'_51' * 90} ",
}


# The same, with something else in every row: what was judged cannot be remembered.
VARIED = {
    "rows of a table": "|pass|{}|\n",
    "assignments": "pwd={};",
    "tokens": "token {} ",
    "codes": "your code for the 1 {} ",
    "logs": "user {} login failed: wrong password\n",
}


LENGTH = 2_000  # characters: what grew with a power of the text would not come back for minutes


@each("kind", HOSTILE)
def test_what_repeats_is_answered_without_a_secret(kind: str) -> None:
    unit = HOSTILE[kind]
    assert find_secret(unit * (LENGTH // len(unit))) is None


def test_a_long_text_is_answered_and_masked_whole() -> None:
    assert find_secret("a\n" * 500_000) is None
    assert "hunter2" not in mask_secrets("my password is hunter2. " * 150)


@each("kind", VARIED)
def test_a_text_that_never_says_the_same_is_answered(kind: str) -> None:
    words = ["".join(letters) for letters in product("bcdfghklmnprst", repeat=3)]
    # The first line leads past the gate: the rules are what is asked.
    rows = "password\n" + "".join(VARIED[kind].format(word) for word in words)
    assert find_secret(rows[:LENGTH]) is None


def test_a_custom_rule_is_asked_beside_the_built_in_ones() -> None:
    rule = CustomRule("staff-number", r"\bEMP\d{6}\b")
    assert find_secret("badge EMP123456") is None
    for spaces in (1, *range(100, 600, 37)):
        assert find_secret("badge" + " " * spaces + "EMP123456", extra=[rule]) == "staff-number"
    assert mask_secrets("badge EMP123456 lost", [rule]) == "badge [secret:staff-number] lost"


@each(
    ("why", "patterns"),
    [
        ("cannot be used", ["(", "[a-", "*a", r"\p{L}", "(?P<a>x)(?P<a>y)"]),
        ("empty", ["", "a*", "x?", "(?:a|b){0,3}", "^"]),
        ("repeat", ["(a+)+$", "(a|aa)+$", "(?:a*)*b", "((ab?)*c)+d", "(x+x+)+y", "([a-z]+){2,}!"]),
        ("3 open repeats", [".*a.*b.*c"]),
    ],
)
def test_a_pattern_that_is_broken_matches_everything_or_never_ends_is_refused(
    why: str, patterns: list[str]
) -> None:
    for pattern in patterns:
        with pytest.raises(UsageError, match=why):
            CustomRule("mine", pattern)


@each(
    "pattern",
    [
        r"ACME-[A-Z0-9]{8,40}",
        r"(?i)project\s{1,3}falcon",
        r"(?:ab|cd)\d+",
        r"corp_[a-z]+_\d+",
        r"[*+]x\*+",
        r"(a+)b",
    ],
)
def test_a_sound_pattern_is_taken(pattern: str) -> None:
    assert CustomRule("mine", pattern).pattern == pattern


@each("name", ["", "With Space", "ÄRA", "a" * 41, "-x"])
def test_a_bad_rule_name_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="rule name"):
        CustomRule(name, "abc")


def test_a_pattern_that_backtracks_is_stopped_by_its_window() -> None:
    rule = CustomRule("mine", "a+a+b")
    assert find_secret("a" * 2_000, extra=[rule]) is None


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
def test_a_refused_secret_is_masked_and_no_rule_is_named_after_it(name: str) -> None:
    refused = [one for one in held(name) if rule_of(one.text) is not None]
    assert [one.text for one in refused if rule_of(mask_secrets(one.text)) is not None] == []
    assert [one.text for one in refused if one.secret in (rule_of(one.text) or "")] == []


@each("name", [*SECRETS, *HARMLESS])
def test_no_mark_of_the_files_is_left(name: str) -> None:
    marks = ("⟦", "⟧", "<<d:", "<<an:", "⏎")
    assert not [one.text for one in held(name) for mark in marks if mark in one.text]
