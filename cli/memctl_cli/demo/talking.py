"""Turns, episodes, facts and recalls of the fortnight of the demo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memctl.memory import Memory
    from memctl_cli.demo.calendar import Calendar


@dataclass(frozen=True, slots=True)
class Talk:
    """One conversation: when in the fortnight, who said what, and what came of it."""

    when: float
    thread: str
    turns: tuple[tuple[str, str], ...]
    episode: str
    facts: tuple[tuple[str, str], ...] = ()


TALKS = (
    Talk(
        0.02,
        "first day",
        (
            ("Mara", "Let us keep all invoices of the studio in Harbor from now on."),
            ("Leo", "Then the reminders go out on Mondays, as before."),
            ("Mara", "Yes, and nobody deletes an invoice without asking me."),
        ),
        "Mara and Leo moved the studio's invoices to Harbor",
        (
            ("Reminders go out on Mondays", "preference"),
            ("Harbor's company name is Marrow & Co", "configuration"),
            ("Nobody deletes an invoice without asking Mara", "rule"),
        ),
    ),
    Talk(
        0.25,
        "Atlas",
        (
            ("Leo", "Atlas Print says that the March invoice never arrived."),
            ("Mara", "Send it again to their new address in Porto."),
        ),
        "The March invoice was sent to Atlas Print again",
        (("Atlas Print moved to Porto", "relationship"),),
    ),
    Talk(
        0.55,
        "settings",
        (
            ("Mara", "The company name on the invoices still says Marrow & Co."),
            ("Leo", "I changed it to Marrow Studio in the settings."),
        ),
        "Leo changed the company name to Marrow Studio",
        (("Harbor's company name is Marrow Studio", "configuration"),),
    ),
    Talk(
        0.85,
        "update",
        (
            ("Leo", "Since the update the statement import is gone from the dashboard."),
            ("Mara", "Then we enter statements by hand until it is back."),
        ),
        "The import of statements disappeared with an update",
        (("Statements are entered by hand until the import is back", "decision"),),
    ),
)
SAID = ("turn", "episode", "fact")
QUESTIONS = (
    "Who may delete an invoice?",
    "When do reminders go out?",
    "What is the address of Atlas Print?",
    "Which parking permit does Leo have?",
    "What is Harbor's company name?",
    "What happened to the statement import?",
)
ROUNDS = 5  # how often each question is asked, over the fortnight


def talk(memory: Memory, calendar: Calendar) -> None:
    """Write the talks into a memory, and ask it about them day by day."""
    asked = [(place + 1) / (ROUNDS * len(QUESTIONS)) for place in range(ROUNDS * len(QUESTIONS))]
    talks = iter(TALKS)
    coming = next(talks, None)
    for number, when in enumerate(asked):
        while coming is not None and coming.when <= when:
            _hold(memory, calendar, coming)
            coming = next(talks, None)
        with calendar.at(when):
            found = memory.recall(QUESTIONS[number % len(QUESTIONS)], limit=3, kinds=SAID)
            if found and found.id is not None and number % 2 == 0:
                memory.feedback(found.id, used=[found[0].id], outcome="ok")


def _hold(memory: Memory, calendar: Calendar, held: Talk) -> None:
    with calendar.at(held.when):
        for speaker, said in held.turns:
            memory.log(said, speaker=speaker, session=held.thread)
        people = sorted({speaker for speaker, _ in held.turns})
        memory.remember(held.episode, participants=people, thread=held.thread)
        for fact, category in held.facts:
            memory.facts.store([fact], category=category)
