"""Every rule's own examples, and the ordinary labels that none of them may touch."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memctl.visual.reading.dynamic_text import RULES, DynamicRule, dynamic_rule

TAKES = [(rule.name, text) for rule in RULES for text in rule.takes]
LEAVES = [text for rule in RULES for text in rule.leaves]


@pytest.mark.parametrize(("name", "text"), TAKES)
def test_a_rule_takes_its_examples(name: str, text: str) -> None:
    assert dynamic_rule(text) == name


@pytest.mark.parametrize("text", LEAVES)
def test_no_rule_takes_an_ordinary_label(text: str) -> None:
    assert dynamic_rule(text) is None


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_explains_itself(rule: DynamicRule) -> None:
    assert rule.why
    assert len(rule.takes) >= 3
    assert len(rule.leaves) >= 3


def test_the_names_of_the_rules_differ() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)


@pytest.mark.parametrize("text", ["", "   ", "\n", "•", "-", "…"])
def test_a_text_without_words_is_nobodys(text: str) -> None:
    assert dynamic_rule(text) is None


def test_blanks_and_full_width_forms_make_no_difference() -> None:
    assert dynamic_rule("  12:30 \n") == "time"
    assert dynamic_rule("２０２４－０５－１２") == "date"  # noqa: RUF001 - the point of the test
    assert dynamic_rule("1\u201310 of 57") == "progress"


@given(st.text(max_size=300))
def test_any_text_gets_an_answer(text: str) -> None:
    assert dynamic_rule(text) in {None, *(rule.name for rule in RULES)}


@pytest.mark.parametrize("text", ["1 " * 99, "1," * 99, "1h " * 60, "12:30 " * 33, "a: " * 66])
def test_a_text_made_to_slow_a_rule_down_gets_an_answer(text: str) -> None:
    dynamic_rule(text + "!")
