from __future__ import annotations

import pytest

from memctl.base.errors import UsageError
from memctl.guard.secret_search import CustomRule, find_secret, mask_secrets
from tests.each import each


def test_a_custom_rule_is_asked_after_the_built_in_ones() -> None:
    rule = CustomRule("staff-number", r"\bEMP\d{6}\b")
    assert find_secret("badge EMP123456", extra=[rule]) == "staff-number"
    assert find_secret("badge EMP123456") is None


def test_a_custom_rule_masks_too() -> None:
    rule = CustomRule("staff-number", r"\bEMP\d{6}\b")
    assert mask_secrets("badge EMP123456 lost", [rule]) == "badge [secret:staff-number] lost"


def test_a_custom_rule_sees_the_whole_of_a_long_text() -> None:
    rule = CustomRule("staff-number", r"EMP\d{6}")
    for at in range(100, 600, 37):
        assert find_secret(" " * at + "EMP123456", extra=[rule]) == "staff-number"


@each("pattern", ["(", "[a-", "*a", r"\p{L}", "(?P<a>x)(?P<a>y)"])
def test_a_broken_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(UsageError, match="cannot be used"):
        CustomRule("mine", pattern)


@each("pattern", ["", "a*", "x?", "(?:a|b){0,3}", "^"])
def test_a_pattern_that_matches_everything_is_refused(pattern: str) -> None:
    with pytest.raises(UsageError, match="empty"):
        CustomRule("mine", pattern)


@each("pattern", ["(a+)+$", "(a|aa)+$", "(?:a*)*b", "((ab?)*c)+d", "(x+x+)+y", "([a-z]+){2,}!"])
def test_a_repeat_inside_a_repeat_is_refused(pattern: str) -> None:
    with pytest.raises(UsageError, match="repeat"):
        CustomRule("mine", pattern)


def test_a_third_open_repeat_is_refused() -> None:
    with pytest.raises(UsageError, match="3 open repeats"):
        CustomRule("mine", ".*a.*b.*c")


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
