from __future__ import annotations

import re

import pytest

from memctl.guard.rules import find_secret
from memctl.guard.rules.commands import commands
from memctl.guard.rules.formats import formats
from tests.guard.samples import CARRIED, KNOWN_FORMATS, PRIVATE_KEYS


@pytest.mark.parametrize("rule", KNOWN_FORMATS)
def test_a_key_of_a_known_format_is_named_by_its_rule(rule: str) -> None:
    assert find_secret(f"deploy with {KNOWN_FORMATS[rule]} on Friday") == rule


@pytest.mark.parametrize("rule", KNOWN_FORMATS)
def test_a_key_inside_a_longer_word_is_not_a_key(rule: str) -> None:
    assert find_secret(f"x{KNOWN_FORMATS[rule][:9]}") is None


@pytest.mark.parametrize("form", PRIVATE_KEYS)
def test_a_private_key_is_found_in_every_form(form: str) -> None:
    assert find_secret(PRIVATE_KEYS[form]) == "private-key"


@pytest.mark.parametrize("rule", CARRIED)
def test_a_secret_is_found_by_what_carries_it(rule: str) -> None:
    assert find_secret(CARRIED[rule]) == rule


def unbounded(source: str) -> bool:
    """Whether a repeat in a pattern has no upper bound."""
    bare = re.sub(r"\\.|\[[^]]*\]", "x", source)
    return re.search(r"[*+]|\{\d+,\}", bare) is not None


def test_every_repeat_of_the_format_table_is_bounded() -> None:
    assert not [known.rule for known in formats() if unbounded(known.source)]


def test_every_repeat_of_the_command_table_is_bounded() -> None:
    assert not [one.source for one in commands() if unbounded(one.pattern.pattern)]


def test_a_format_is_announced_by_its_needles() -> None:
    assert all(known.needles and all(known.needles) for known in formats())
