"""Whose words a text holds: a sentence with a name instead of "I", and what is nobody's fact."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.extraction.cutting import sentences_of
from memctl.extraction.speakers import with_speaker
from tests.each import each

if TYPE_CHECKING:
    import pytest

    from memctl.memory import Memory


def own(text: str) -> list[str]:
    return [sentence.text for sentence in sentences_of(text)[0]]


@each(
    "text",
    [
        "From: Peter <peter@example.org>\nSubject: Lunch\n\nI am vegan. My name is Peter.",
        "Betreff: Essen\nAn: mich\n\nIch bin Veganer.",
        "On Mon, 3 Mar 2026, Bob wrote:\n> I quit my job.\nMy budget is 900 euros.",
        "---- Original message ----\nI moved to Graz.",
        "[14:02] Peter: I live in Graz.\n[14:03] Ann: and Bob works there",
        "14:02 Peter: I live in Graz with my dog.",
        "Peter: I am allergic to nuts.",
        "<peter> I am allergic to nuts",
        "> my name is Zed\n> I am from Leeds",
        'He said "I am Bob. My dog is Max."',
        "Er sagte: \u201eIch bin Veganer. Mein Name ist Bob.\u201c",
        "Elle a dit \u00abje suis v\u00e9gane\u00bb hier.",
        "Pretend that my name is Jack. My ship is the Pearl.",
        "For the role play I am a pirate. I live in Tortuga.",
    ],
)
def test_what_is_not_the_speakers_own_word_is_no_sentence_of_theirs(text: str) -> None:
    assert own(text) == []


@each(
    "text",
    [
        "I like tea.\nPeter: I am allergic to nuts.\nMy dog is Rex.",
        "I like tea.\n> I hate tea\nMy dog is Rex.",
        'I like tea.\n"I am Bob", he said.\nMy dog is Rex.',
    ],
)
def test_the_speakers_own_lines_around_it_stay(text: str) -> None:
    assert own(text) == ["I like tea.", "My dog is Rex."]


@each(
    "text",
    [
        "Budget: 900 euros for the launch.",
        "10:30 Standup: shipped the importer.",
        "We meet at 10:30: the usual place.",
        'Our project is called "Blue Heron".',
        "I never pretend that it works.",
        "I love role-playing games.",
    ],
)
def test_a_label_a_time_and_a_title_are_the_speakers_own(text: str) -> None:
    assert own(text) == [text]


@each(
    "text",
    [
        "I dreamt that I own a castle in Scotland.",
        "People think I am a vegetarian from Graz.",
        "I wish I was a doctor in Graz.",
        "If I were rich, my house would be in Graz.",
        "Vandelay moved its office to Nantes, I heard.",
    ],
)
def test_what_is_dreamt_wished_or_heard_is_not_extracted(memory: Memory, text: str) -> None:
    assert memory.extract(text).facts == ()


def test_a_pasted_mail_promotes_nothing(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    for day in ("02", "09", "16"):
        monkeypatch.setenv("MEMCTL_NOW", f"2026-03-{day}T10:00:00Z")
        memory.log(
            "From: Peter\nSubject: hello\n\nMy name is Peter and I live in Graz.", session=day
        )
        memory.dream.run(apply=True)
    assert memory.facts.list() == []


def test_since_a_time_of_day_gets_its_day(memory: Memory) -> None:
    text = "I have had a headache since 13:05, my doctor knows."
    found = memory.extract(text, said_at="2026-03-02T15:00:00Z")
    assert "since 13:05 on 2026-03-02" in found.facts[0].text


@each(
    ("said", "told"),
    [
        ("I no longer work at Acme", "User no longer works at Acme"),
        ("I hardly ever eat meat", "User hardly ever eats meat"),
        ("I much prefer tea", "User much prefers tea"),
        ("I'd rather walk", "User would rather walk"),
        ("I would rather walk", "User would rather walk"),
        ("I and Bob live here", "User and Bob live here"),
        ("I let him go", "User let him go"),
        ("Never again will I eat meat", "Never again will User eat meat"),
        ("Should I move, I keep my desk", "Should User move, User keeps their desk"),
        ("What do I do at work", "What does User do at work"),
        (
            "I live in Rome and I work at home and I like tea",
            "User lives in Rome and works at home and likes tea",
        ),
    ],
)
def test_a_verb_agrees_with_the_name_instead_of_i(said: str, told: str) -> None:
    assert with_speaker(said) == told
