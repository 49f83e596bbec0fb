"""Generates a year of one user and one assistant, with the truth of what deserves to be kept.

Statements and their paraphrases are templates of one hand, in English: a system that fits them says
little of people. The rates are assumed (``rates_easy.toml``, ``rates_hard.toml``).
"""

from __future__ import annotations

import random
import re
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

_FOLDER = Path(__file__).parent
# Kinds of lines that a session may hold, and the rates that say how often.
_SOMETIMES = (("one_off", "one_offs"), ("near", "near_duplicates"), ("expiring", "expiring"))
# Lines that nobody says on two days: a one-off that is said again is none.
_ONCE, _TRIES = frozenset(["one_off", "near"]), 50
_PEOPLE = ("Ana", "Tom", "Ruth")
_BEGINS = datetime(2026, 1, 1, 8, tzinfo=UTC)


class Said(NamedTuple):
    """One turn; `truth` is the place of the durable statement that it says, -1 for none."""

    at: str
    session: str
    role: str
    text: str
    truth: int
    speaker: str = ""


class Asked(NamedTuple):
    """One recall: when, with which words, and whether a ``person``, ``assistant`` or ``hook`` asked."""

    at: str
    query: str
    by: str


class Truth(NamedTuple):
    """One durable statement: its topic, its words, and the times in which it holds.

    `rests_on` is the place of the statement that it rests on, `replaces` of the one whose value it
    changes; -1 for none.
    """

    topic: str
    text: str
    spans: list[tuple[str, str]]
    rests_on: int = -1
    replaces: int = -1

    def holds(self, at: str) -> bool:
        """Return whether it holds at a moment."""
        return any(begins <= at < ends for begins, ends in self.spans)


class Year(NamedTuple):
    """Turns and recalls in the order of time, and the durable statements among them."""

    said: list[Said]
    asked: list[Asked]
    truths: list[Truth]


class Frame(NamedTuple):
    """A statement with a place for its value, in two wordings, and one that rests on it."""

    topic: str
    first: str
    again: str
    pool: str
    dependent: str = ""


def rates_of(setting: str) -> dict[str, float]:
    """Return the rates of a setting, ``easy`` or ``hard``."""
    return tomllib.loads((_FOLDER / f"rates_{setting}.toml").read_text("utf-8"))


def lines_of(kind: str) -> list[str]:
    """Return what is said of a kind, ``boot`` for one, with the places of its values open."""
    lines: list[str] = tomllib.loads((_FOLDER / "fillers.toml").read_text("utf-8"))["said"][kind]
    return lines


def values() -> dict[str, list[str]]:
    """Return the values of each kind of place."""
    found: dict[str, list[str]] = tomllib.loads((_FOLDER / "fillers.toml").read_text("utf-8"))[
        "values"
    ]
    return found


def generate(rates: dict[str, float], seed: int, *, told: bool = False) -> Year:
    """Return the year of a seed; the same seed gives the same year.

    With `told`, the statements are those of another hand (``statements_told.txt``), three people
    share the store, weekdays are said in other ways, and nobody writes twice in the same way.
    """
    return _Generator(rates, seed, told=told).year()


class _Generator:
    def __init__(self, rates: dict[str, float], seed: int, *, told: bool) -> None:
        self._rates = rates
        self._random = random.Random(seed)
        self._is_told = told
        words = tomllib.loads((_FOLDER / "fillers.toml").read_text("utf-8"))
        self._values: dict[str, list[str]] = words["values"] | (words["told"] if told else {})
        self._lines: dict[str, list[str]] = words["said"] | (words["said_told"] if told else {})
        self._told: set[str] = set()
        self._said: list[Said] = []
        self._asked: list[Asked] = []
        self._truths: list[Truth] = []

    def year(self) -> Year:
        for frame in frames("statements_told.txt" if self._is_told else "statements.txt"):
            self._durable(frame)
        for number in range(int(self._rates["sessions"])):
            self._session(number)
        return Year(sorted(self._said), sorted(self._asked), self._truths)

    def _durable(self, frame: Frame) -> None:
        """Say a statement, and give it another value for some; a few get the first one back."""
        days, chance = int(self._rates["days"]), self._random
        old, new = chance.sample(self._values[frame.pool], 2)
        begins = chance.uniform(0, days * 0.6)
        first = self._truth(frame.topic, frame.first.format(old))
        if chance.random() >= self._rates["changed"]:
            self._stretch(frame, first, old, begins, days)
            return
        ends = chance.uniform(begins + 30, days * 0.8)
        returns = chance.random() < self._rates["recurs"]
        last = chance.uniform(ends + 30, days) if returns and ends + 30 < days else days
        self._stretch(frame, first, old, begins, ends)
        second = self._truth(frame.topic, frame.first.format(new), replaces=first)
        self._stretch(frame, second, new, ends, last)
        if last < days:
            self._stretch(frame, first, old, last, days, leaves=False)

    def _truth(self, topic: str, text: str, *, rests_on: int = -1, replaces: int = -1) -> int:
        self._truths.append(Truth(topic, text, [], rests_on, replaces))
        return len(self._truths) - 1

    def _stretch(
        self,
        frame: Frame,
        truth: int,
        value: str,
        begins: float,
        ends: float,
        *,
        leaves: bool = True,
    ) -> None:
        """Say a statement, restate it and ask for it in the time in which it holds."""
        self._spread(truth, frame.again.format(value), begins, ends)
        chance = self._random
        recalls = chance.expovariate(1) * self._rates["recalls_a_month"] * (ends - begins) / 30
        for _ in range(round(recalls)):
            query = chance.choice([frame.first, frame.again]).format("").rstrip(". ")
            self._asked.append(Asked(self._at(chance.uniform(begins, ends)), query, "person"))
        if frame.dependent and leaves and chance.random() < self._rates["dependents"]:
            text = frame.dependent.format(value)
            resting = self._truth(f"{frame.topic}, resting", text, rests_on=truth)
            self._spread(resting, text, chance.uniform(begins, ends), ends)

    def _spread(self, truth: int, again: str, begins: float, ends: float) -> None:
        chance, text = self._random, self._truths[truth].text
        self._truths[truth].spans.append((self._at(begins), self._at(ends)))
        self._tell(begins, text, truth)
        if chance.random() < self._rates["restated_share"]:
            for _ in range(1 + round(chance.expovariate(1 / (self._rates["restatings"] - 1)))):
                other = chance.random() < self._rates["paraphrased"]
                self._tell(chance.uniform(begins, ends), again if other else text, truth)

    def _tell(self, day: float, text: str, truth: int) -> None:
        session = f"t{truth}-{len(self._said)}"
        who = _PEOPLE[truth % len(_PEOPLE)] if self._is_told else ""
        self._said.append(Said(self._at(day), session, "user", self._worded(text), truth, who))

    def _worded(self, text: str) -> str:
        """Return a text as somebody writes it in a hurry: with a lead, without a full stop."""
        if not self._is_told:
            return text
        lead, end = self._random.choice(self._lines["lead"]), self._random.choice(["", ".", "!"])
        first = (
            text
            if lead == "" or text.startswith(("I ", "I'", "I can"))
            else text[0].lower() + text[1:]
        )
        return f"{lead}{first.rstrip('.')}{end}"

    def _session(self, number: int) -> None:
        chance, rates = self._random, self._rates
        day = chance.uniform(0, rates["days"])
        turns: list[tuple[str, str]] = []
        if chance.random() < rates["cron"]:
            turns = [("user", self._lines["cron"][0]), ("assistant", "Nothing is new.")]
            self._asked.append(Asked(self._at(day), self._lines["cron"][0], "assistant"))
        else:
            turns = [("user", self._line("filler")), ("assistant", self._line("reply"))]
            for kind, rate in _SOMETIMES:
                if chance.random() < rates[rate]:
                    turns.append(("user", self._line(kind)))
            if chance.random() < rates["code"]:
                turns.append(("user", self._line("code")))
            if chance.random() < rates["user_echo"]:
                turns.append(("user", self._line("boot")))
        if chance.random() < rates["assistant_echo"]:
            known = chance.choice(self._truths).text if chance.random() < 0.5 else ""
            turns.append(("assistant", known or self._line("boot")))
        if chance.random() < rates["chance_recalls"]:
            by = "hook" if chance.random() < rates["by_hook"] else "assistant"
            self._asked.append(Asked(self._at(day), self._line("one_off"), by))
        for place, (role, text) in enumerate(turns):
            at = self._at(day + place / 1440)
            who = _PEOPLE[number % len(_PEOPLE)] if self._is_told and role == "user" else ""
            self._said.append(Said(at, f"s{number}", role, text, -1, who))

    def _line(self, kind: str) -> str:
        """Return a line of a kind; what happens once is told once."""
        chance, line = self._random, ""
        for _ in range(_TRIES):
            chosen = chance.choice(self._lines[kind])
            line = re.sub(r"\{(\w+)\}", lambda at: chance.choice(self._values[at[1]]), chosen)
            if kind not in _ONCE or line not in self._told:
                break
        self._told.add(line)
        return line

    def _at(self, day: float) -> str:
        return (_BEGINS + timedelta(days=day)).strftime("%Y-%m-%dT%H:%M:%SZ")


def frames(name: str = "statements.txt") -> list[Frame]:
    """Return the statements of a file."""
    topic, found = "", []
    for line in (_FOLDER / name).read_text("utf-8").splitlines():
        if line.startswith("# "):
            topic = line[2:]
        else:
            parts: Any = line.split(" ~ ")
            found.append(Frame(topic, *parts))
    return found
