"""What is refused as noise, and which rules and numbers only look like it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import AllNoiseError
from memctl.semantic.noise import noise
from tests.each import each

if TYPE_CHECKING:
    from memctl.semantic.facts import Facts


@pytest.mark.parametrize(
    "rule",
    [
        "Never store this repository's build output in git because CI rebuilds it",
        "Never save it to the Downloads folder because that is shared",
        "Do not store this information in git",
        "Never store that token list in the repository",
        "User does not remember that meeting",
    ],
)
def test_a_rule_about_storing_something_else_is_kept(facts: Facts, rule: str) -> None:
    assert facts.store(rule, category="rule").written[0].event == "ADD"


@each(
    "text",
    [
        "Never store it.",
        "Don't remember this",
        "My salary is a private matter, don't save that!",
        "Please do not save that conversation",
        "Don't store this in your memory: I slept badly",
        "Do not remember that I slept badly",
    ],
)
def test_what_was_not_to_be_remembered_is_not(text: str) -> None:
    assert noise(text) == "a message that was not to be remembered"


@each("number", ["555-1234", "+49 30 123-45", "030/1234567", "2026-11"])
def test_a_number_to_call_is_no_arithmetic(number: str) -> None:
    assert noise(number) == ""


@each("reckoning", ["10 - 4", "10/2", "5*3=15", "5-3=2", "2 x -4", "(1+2)/3"])
def test_arithmetic_is_noise(reckoning: str) -> None:
    assert noise(reckoning) == "arithmetic"


@each(
    "question",
    [
        "What is my name?",
        "Is Falcon late?",
        "我叫什么名字？",
        "¿Cuándo es el plazo?",
        "Wie heisst du?",
    ],
)
def test_a_question_alone_is_no_fact(facts: Facts, question: str) -> None:
    with pytest.raises(AllNoiseError, match="a question"):
        facts.store(question)


@each(
    "text",
    [
        "Can you remember that I like tea?",
        "The user always asks: is it safe?",
        "User prefers tea. Why not?",
        "What is decided on Mondays holds for the week",
    ],
)
def test_a_question_that_tells_something_is_kept(text: str) -> None:
    assert noise(text) == ""


def test_a_request_of_the_moment_is_no_fact(facts: Facts) -> None:
    with pytest.raises(AllNoiseError, match="a request of the moment"):
        facts.store("Please open the file")


@each(
    "rule",
    [
        "Please run the tests before every push",
        "Please write the dates as year-month-day",
        "Run the linter first",
    ],
)
def test_a_request_that_lasts_is_a_rule(rule: str) -> None:
    assert noise(rule) == ""


def test_an_impression_is_left_to_triage(facts: Facts) -> None:
    assert facts.store("Maybe Ann likes jazz").written[0].event == "ADD"
    assert facts.triage("Maybe Bob likes jazz").failed == ("factual",)
