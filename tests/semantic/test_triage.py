"""What is worth keeping, what is noise, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memctl.base.errors import AllNoiseError, RecalledTextError, UsageError
from memctl.base.tokens import estimate_tokens
from memctl.semantic.triage import noise
from memctl.text.fences import block
from memctl.text.own_words import without_host_blocks
from memctl_cli.mcp.answers import line
from tests.each import each

if TYPE_CHECKING:
    from memctl.config.settings import Settings
    from memctl.semantic.facts import Facts


FACTS = [
    "run: pytest",
    "Session: Thursdays",
    "Agent: Maria",
    "42",
    "Loading bay is at Dock 4",
    "Port 8080 serves the staging site",
    "User says ok to weekly calls",
    "Heartbeat interval is 30 seconds",
    "Time zone: Europe/Berlin",
    "System: SAP S/4HANA",
    "User thanks people in French",
    "好的习惯：每天跑步",
    "3 children: Ann, Bo, Cy",
    "Meeting at 10:30 on Mondays",
    "[tag] keep the brackets",
    "<b>bold</b> headings (untrusted) stay",
]
NOISE = {
    "thanks!": "small talk",
    "OK": "small talk",
    "hello, how are you doing today?": "small talk",
    "谢谢！": "small talk",
    "HEARTBEAT_OK": "a heartbeat",
    "2026-11-20T10:00:00Z": "a bare time",
    "17 * 23 = 391": "arithmetic",
    "2+2": "arithmetic",
    '{"status": "ok"}': "raw JSON",
    "2026-11-20 10:00:00 ERROR worker died": "a log line",
    "I'd be happy to help with that!": "an assistant's opening",
    "Don't remember this: I slept badly": "a message that was not to be remembered",
    "...": "small talk",
    "Please open the file": "a request of the moment",
    **dict.fromkeys(("10 - 4", "10/2", "5*3=15", "5-3=2", "2 x -4", "(1+2)/3"), "arithmetic"),
    **dict.fromkeys(
        (
            "What is my name?",
            "Is Falcon late?",
            "我叫什么名字？",
            "¿Cuándo es el plazo?",
            "Wie heisst du?",
        ),
        "a question",
    ),
    **dict.fromkeys(
        (
            "Never store it.",
            "Don't remember this",
            "My salary is a private matter, don't save that!",
            "Please do not save that conversation",
            "Don't store this in your memory: I slept badly",
            "Do not remember that I slept badly",
        ),
        "a message that was not to be remembered",
    ),
}
KEPT = [
    *("555-1234", "+49 30 123-45", "030/1234567", "2026-11"),
    "Can you remember that I like tea?",
    "The user always asks: is it safe?",
    "User prefers tea. Why not?",
    "What is decided on Mondays holds for the week",
    "Please run the tests before every push",
    "Please write the dates as year-month-day",
    "Run the linter first",
]
PROMPT = (
    'Conversation info (untrusted metadata):\n```json\n{"sender": "Ann"}\n```\n\n'
    "[Fri 2026-11-20 10:22 GMT+1] When is the Falcon deadline?\n[message_id: 77]"
)


@each("text", FACTS)
def test_a_kept_fact_is_kept_as_it_was(facts: Facts, text: str) -> None:
    (made,) = facts.store(text).ids
    assert facts.get(made).text == text


@each(("text", "why"), NOISE.items())
def test_noise_is_refused_whole_and_named(facts: Facts, text: str, why: str) -> None:
    assert noise(text) == why
    with pytest.raises(AllNoiseError, match=why):
        facts.store(text)
    assert facts.list() == []


@each("text", KEPT)
def test_a_number_a_question_that_tells_and_a_lasting_request_are_no_noise(text: str) -> None:
    assert noise(text) == ""


def test_noise_among_facts_is_left_out_and_said(facts: Facts) -> None:
    stored = facts.store(["thanks!", "User owns a red bicycle"])
    assert [one.event for one in stored.written] == ["NOISE", "ADD"]
    assert len(facts.list()) == 1


def test_host_blocks_are_stripped_from_a_prompt() -> None:
    assert without_host_blocks(PROMPT) == "When is the Falcon deadline?"


BLOCK = 'Conversation info (untrusted metadata):\n```json\n{"sender": "Ann"}\n```\n'


@pytest.mark.parametrize(
    "text",
    [
        f"{BLOCK}User likes tea",
        f"{BLOCK}\n[Fri 2026-11-20 10:22 GMT+1] User likes tea\n[message_id: 77]",
        f"{BLOCK}\n{BLOCK}\nUser likes tea\n",
        f"{BLOCK}User likes tea".replace("\n", "\r\n"),
        BLOCK.replace("untrusted metadata", "untrusted, for context") + "User likes tea",
    ],
)
def test_a_block_of_the_host_is_no_part_of_the_fact_behind_it(facts: Facts, text: str) -> None:
    assert facts.triage(text).passed
    (made,) = facts.store(text).ids
    assert facts.get(made).text == "User likes tea"
    assert facts.triage(text).failed == facts.triage("User likes tea").failed == ("novelty",)
    assert [one.event for one in facts.store("User likes tea").written] == ["SKIP"]
    assert [one.event for one in facts.store(text).written] == ["SKIP"]


def test_a_block_of_the_host_alone_is_noise(facts: Facts) -> None:
    assert facts.triage(BLOCK).failed == ("future utility",)
    stored = facts.store([BLOCK, "User likes tea"])
    assert [(one.event, one.why) for one in stored.written] == [
        ("NOISE", "metadata of the host"),
        ("ADD", ""),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "[Fri 2026-11-20 10:22 GMT+1] is how the host stamps a message",
        "[message_id: 77]\nis a line of its own in the logs of the host",
        "Sender (untrusted metadata): is a heading that the host uses",
        'Settings (trusted by the team):\n```json\n{"tabs": 4}\n```',
        f"The host sends this:\n{BLOCK}and the text behind it",
        "Conversation info (untrusted metadata):\n```json\n{}",
    ],
)
def test_what_only_looks_like_a_block_of_the_host_is_kept_whole(facts: Facts, text: str) -> None:
    (made,) = facts.store(text).ids
    assert facts.get(made).text == text
    assert facts.triage(text).failed == ("novelty",)


def test_recalled_text_is_refused_by_triage_as_by_the_store(facts: Facts) -> None:
    made = facts.store("User likes tea")
    recalled = block([line(facts.get(made.ids[0]))]) + "\nUser likes coffee"
    assert made.ids[0] in recalled
    assert facts.triage(recalled).failed == ("safe",)
    with pytest.raises(RecalledTextError):
        facts.store(recalled)


@each(
    ("text", "gate"),
    [
        ("thanks a lot!", "future utility"),
        ("17 * 23 = 391", "future utility"),
        ("please run the tests again", "future utility"),
        ("which timezone am I in", "factual"),
        ("When is the deadline?", "factual"),
        ("用户住在哪里？", "factual"),
        ("User maybe likes jazz", "factual"),
        ("My password is sunflower42x", "safe"),
    ],
)
def test_a_failing_gate_is_named(facts: Facts, text: str, gate: str) -> None:
    verdict = facts.triage(text)
    assert not verdict.passed
    assert gate in verdict.failed


@each(
    "text",
    [
        "User prefers dark mode because glare hurts",
        "When deploying, run the migrations first",
        "What matters to the team is speed of review",
        "Will Smith is the contact at Contoso",
        "May is the month of the launch",
        "The API key is set up in the vault since 2026-11-20",
    ],
)
def test_a_fact_passes_all_four_gates(facts: Facts, text: str) -> None:
    verdict = facts.triage(text)
    assert verdict.failed == ()
    assert [gate.gate for gate in verdict.gates] == ["future utility", "novelty", "factual", "safe"]
    assert all(gate.why for gate in verdict.gates)


def test_the_novelty_gate_knows_what_is_known_and_what_changes(facts: Facts) -> None:
    (made,) = facts.store("Falcon's deadline is May 1").ids
    known = facts.triage("falcon's deadline is May 1.")
    assert known.failed == ("novelty",)
    changed = facts.triage("Falcon's deadline is May 8")
    assert changed.passed
    assert made in changed.gates[1].why


def test_triage_writes_nothing(facts: Facts) -> None:
    facts.triage("User owns a red bicycle")
    assert not facts._store.exists


def test_the_stores_own_rules_decide(facts: Facts, settings: Settings) -> None:
    settings.set("exclude_rules", "salary; health")
    settings.set("include_rules", "feels")
    with pytest.raises(AllNoiseError, match="salary"):
        facts.store("User's Salary is a topic on Fridays")
    settings.set("importance_threshold", "0.7")
    with pytest.raises(AllNoiseError, match="threshold"):
        facts.store("The build is red", category="operational")
    assert facts.store("User feels well", category="operational").ids


def test_a_pattern_of_the_stores_own_is_a_secret(facts: Facts, settings: Settings) -> None:
    settings.set("secret_patterns", r"BADGE-\d{6}")
    assert facts.triage("User carries BADGE-123456").failed == ("safe",)
    with pytest.raises(UsageError, match="secret_patterns"):
        settings.set("secret_patterns", "([a-z")


def test_the_guide_is_short_and_names_every_category(facts: Facts, settings: Settings) -> None:
    text = facts.guide()
    assert estimate_tokens(text) < 600
    assert "operational" in text
    assert "{" not in text
    settings.set("domain", "companion")
    settings.set("exclude_rules", "salary")
    assert "pets" in facts.guide()
    assert "salary" in facts.guide()


@each(
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


def test_an_impression_is_left_to_triage(facts: Facts) -> None:
    assert facts.store("Maybe Ann likes jazz").written[0].event == "ADD"
    assert facts.triage("Maybe Bob likes jazz").failed == ("factual",)
