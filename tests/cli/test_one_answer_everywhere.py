"""One question has one answer: in Python, in the shell, as JSON, over MCP and before a turn."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

import memctl
from tests.cli.test_mcp import talking_at_home

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memctl.memory import Memory
    from tests.cli.calling import Answer

TURNS = (
    ("The ferry to Bornholm was late again", "Bo", "2026-05-03"),
    ("Where will you sleep?", "Ann", "2026-05-03"),
    ("In a tent behind the lighthouse of Bornholm", "Bo", "2026-05-04"),
    ("Falcon ships when the deadline of the audit has passed", "Ann", "2026-08-01"),
    ("My budget for Falcon is 4,000 dollars", None, "2026-08-01"),
    ("The budget for Falcon is 5,500 dollars now", None, "2026-09-01"),
    ("The ferry in the evening is cheaper", "Ann", "2026-09-02"),
)
FACTS = (
    "Falcon's deadline is 1 December",
    "Falcon's budget is 5,500 dollars",
    "Falcon's owner is Ann",
    "User's timezone is Europe/Berlin",
    "Ann prefers the evening ferry",
)
QUESTIONS = (
    "What is the budget of Falcon?",
    "When is the deadline of Falcon?",
    "When was the ferry late?",
    "Where did Bo sleep in May?",
    "Which fery does Ann prefer?",
    "Who owns Falcon?",
)
# The columns of the shell's table: a row's name, then the day.
_NAMED = re.compile(r"^\W*(turn:\d+|episode:\d+|f_\w+)\s+\d{4}-\d\d-\d\d", re.MULTILINE)
# A line of the block that is put before a turn.
_LINE = re.compile(r"^- \[(f_\w+)\]", re.MULTILINE)


@pytest.fixture
def full(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home whose store "agent" holds turns, episodes and facts."""
    monkeypatch.setenv("MEMCTL_NOW", "2026-11-20T12:00:00Z")
    with memctl.open("agent", home) as memory:
        for text, speaker, day in TURNS:
            memory.log(text, speaker=speaker, session=day, logged_at=f"{day}T10:00:00Z")
        memory.remember("Bo slept in a tent on Bornholm", participants=["Bo"], tags=["trip"])
        memory.remember("Ann moved the deadline of Falcon by a week", participants=["Ann"])
        memory.facts.store(FACTS)
    return home


def in_python(home: Path, question: str, **limits: Any) -> list[str]:
    with memctl.open("agent", home) as memory:
        return [row.name for row in memory.recall(question, **limits)]


def in_json(rows: list[dict[str, Any]]) -> list[str]:
    return [row["id"] if row["kind"] == "fact" else f"{row['kind']}:{row['id']}" for row in rows]


def facts_before_a_turn(memory: Memory, question: str) -> list[str]:
    """Return the facts of the block that answer the question, and not those of every turn."""
    turn = memory.facts.for_turn(question)
    standing = {hit.fact.id for hit in turn.hits if not hit.matched}
    assert _LINE.findall(turn.text) == [hit.fact.id for hit in turn.hits]
    return [hit.fact.id for hit in turn.hits if hit.fact.id not in standing]


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_shell_and_its_json_answer_as_python_does(
    full: Path, run: Callable[..., Answer], question: str
) -> None:
    expected = in_python(full, question)
    assert len(expected) > 1
    assert _NAMED.findall(run("--app", "agent", "recall", question).out) == expected
    assert in_json(run("--app", "agent", "--json", "recall", question).data) == expected


def test_mcp_answers_as_python_does(full: Path) -> None:
    with talking_at_home(full) as talk:
        for question in QUESTIONS:
            answered = in_json(talk.data("recall", query=question)["rows"])
            assert answered == in_python(full, question), question


@pytest.mark.parametrize(
    ("limits", "words", "named"),
    [
        ({"limit": 2}, ("--limit", "2"), {"limit": 2}),
        ({"max_tokens": 60}, ("--max-tokens", "60"), None),
        ({"kinds": ["turn"]}, ("--kind", "turn"), {"kinds": ["turn"]}),
        ({"until": "2026-08-01"}, ("--until", "2026-08-01"), {"until": "2026-08-01"}),
        ({"participants": ["Ann"]}, ("--participant", "Ann"), {"participants": ["Ann"]}),
    ],
)
def test_limits_and_filters_mean_the_same_everywhere(
    full: Path,
    run: Callable[..., Answer],
    limits: dict[str, Any],
    words: tuple[str, ...],
    named: dict[str, Any] | None,
) -> None:
    with talking_at_home(full) as talk:
        for question in QUESTIONS:
            expected = in_python(full, question, **limits)
            shell = run("--app", "agent", "--json", "recall", question, *words)
            assert in_json(shell.data) == expected
            if named is not None:  # a budget of MCP is for the whole text, fence included
                assert in_json(talk.data("recall", query=question, **named)["rows"]) == expected


@pytest.mark.parametrize("question", [q for q in QUESTIONS if "fery" not in q])
def test_the_facts_before_a_turn_are_those_of_recall(full: Path, question: str) -> None:
    with memctl.open("agent", full) as memory:
        recalled = [row.name for row in memory.recall(question, 50, kinds=["fact"])]
        among_all = [row.name for row in memory.recall(question, 50) if row.kind == "fact"]
        assert facts_before_a_turn(memory, question) == recalled
        assert among_all == recalled
