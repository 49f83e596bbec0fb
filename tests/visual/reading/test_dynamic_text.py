"""Texts that change by themselves, by rule, and ordinary labels that no rule may touch."""

from __future__ import annotations

import tomllib
from pathlib import Path

from memctl.visual.reading.sifting import dynamic_rule
from tests.each import each

EXAMPLES = tomllib.loads(Path(__file__).with_name("dynamic_texts.toml").read_text("utf-8"))
TAKES = [(name, text) for name, texts in EXAMPLES["takes"].items() for text in texts]


@each(("name", "text"), TAKES)
def test_a_rule_takes_its_examples(name: str, text: str) -> None:
    assert dynamic_rule(text) == name


@each("text", EXAMPLES["ordinary"]["labels"])
def test_no_rule_takes_an_ordinary_label(text: str) -> None:
    assert dynamic_rule(text) is None


@each("text", ["", "   ", "\n", "•", "-", "…"])
def test_a_text_without_words_is_nobodys(text: str) -> None:
    assert dynamic_rule(text) is None


def test_blanks_and_full_width_forms_make_no_difference() -> None:
    assert dynamic_rule("  12:30 \n") == "time"
    assert dynamic_rule("２０２４－０５－１２") == "date"  # noqa: RUF001 - the point of the test
    assert dynamic_rule("1\u201310 of 57") == "progress"


def test_a_text_longer_than_any_label_is_prose() -> None:
    assert dynamic_rule("x" * 201) == "prose"


@each("text", ["1 " * 99, "1," * 99, "1h " * 60, "12:30 " * 33, "a: " * 66])
def test_a_text_made_to_slow_a_rule_down_gets_an_answer(text: str) -> None:
    dynamic_rule(text + "!")
