"""Request of Active Memory: a message, what of the conversation is looked at, and the style."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memctl.base.errors import UsageError, WrongTypeError
from memctl.base.near_words import one_of
from memctl.text.own_words import own_words, without_host_blocks

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

MODES: Mapping[str, str] = {"message": "strict", "recent": "balanced", "full": "contextual"}
"""What is looked at (the message, its last turns, all of them), and the style that goes with it."""

_CHARS, _SECONDS = (40, 1_000), (0.25, 120.0)
_QUERY, _SHORT, _BORROWED = 480, 12, 120
# Of the recent conversation: how many turns of whom, and how much of each.
_RECENT = {"user": (2, 220), "assistant": (1, 180)}
_CONVERSATION = 25_000


@dataclass(frozen=True, slots=True)
class Style:
    """The demands on a memory before it is told.

    Parameters
    ----------
    covers
        0 to 1: the least share of the message's weight (idf) that its words have.
    rows
        Most memories in the line.
    told
        The same demand in words, for a model.
    follows
        Whether a message that finds nothing is searched for along with the turns before it.
    tag
        Only facts of this tag; empty for facts, episodes and turns.
    """

    covers: float
    rows: int
    told: str
    follows: bool = False
    tag: str = ""


STYLES: Mapping[str, Style] = {
    "strict": Style(0.4, 2, "Only what clearly answers or clearly changes the answer."),
    "balanced": Style(0.2, 3, "What is likely to matter for the answer."),
    "contextual": Style(
        0.15, 4, "What is likely to matter, the whole conversation considered.", follows=True
    ),
    "recall-heavy": Style(0.05, 6, "Whatever may matter, weak connections too.", follows=True),
    "precision-heavy": Style(0.6, 1, "The one thing that matters for certain, or NONE."),
    "preference-only": Style(
        0.2, 3, "Only lasting preferences, habits and rules of the user.", tag="PREF"
    ),
}


@dataclass(frozen=True, slots=True)
class ActiveRequest:
    """One request, its ranges clamped.

    Parameters
    ----------
    message
        The user's message; a host's blocks and recalled memory are taken out of it.
    mode, style
        One of `MODES` and of `STYLES`; without a style that of the mode.
    max_chars
        Characters of the line, clamped to 40 to 1,000.
    timeout
        Seconds, clamped to 0.25 to 120.
    turns
        The conversation before the message, oldest first: pairs of role and text.

    Raises
    ------
    UsageError
        When mode or style is unknown.
    WrongTypeError
        When a turn is no pair of texts.
    """

    message: str
    mode: str
    style: str | None
    max_chars: int
    timeout: float
    turns: Iterable[tuple[str, str]]
    said: tuple[tuple[str, str], ...] = field(init=False)

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise UsageError(f'mode "{self.mode:.40}" is unknown', hint=one_of(self.mode, MODES))
        style = self.style or MODES[self.mode]
        if style not in STYLES:
            raise UsageError(f'style "{style:.40}" is unknown', hint=one_of(style, STYLES))
        own = object.__setattr__
        own(self, "message", own_words(self.message).text.strip())
        own(self, "style", style)
        own(self, "max_chars", min(max(_CHARS[0], self.max_chars), _CHARS[1]))
        own(self, "timeout", min(max(_SECONDS[0], self.timeout), _SECONDS[1]))
        own(self, "said", tuple(self._looked_at(_pairs(self.turns))))

    @property
    def queries(self) -> Sequence[str]:
        """The questions to search with, one after the other until one is answered."""
        users = [text for role, text in self.said if role == "user"]
        borrowed = users[-1][:_BORROWED] if users and len(self.message) < _SHORT else ""
        queries = [f"{borrowed} {self.message}".strip()[-_QUERY:] if borrowed else self.message]
        if users and STYLES[str(self.style)].follows:
            queries.append(" ".join([self.message, *(text for _, text in self.said[::-1])]))
        return [query[:_QUERY] for query in queries]

    @property
    def conversation(self) -> Sequence[str]:
        """The turns that are looked at, and the message last, one line each."""
        lines = [f"{role}: {text}" for role, text in self.said]
        return [*lines, f"user: {self.message[:_CONVERSATION]}"]

    def _looked_at(self, turns: Sequence[tuple[str, str]]) -> Iterable[tuple[str, str]]:
        """Return the turns of the mode, oldest first, each cut."""
        if self.mode == "message":
            return ()
        kept, left = [], {role: count for role, (count, _) in _RECENT.items()}
        room = _CONVERSATION
        for role, text in reversed(turns):
            plain = without_host_blocks(text).strip()
            if plain == self.message:
                continue  # logged already
            if self.mode == "recent":
                left[role] -= 1
                plain = plain[: _RECENT[role][1]]
            room -= len(plain)
            if plain and left[role] >= 0 and room >= 0:
                kept.append((role, plain))
        return kept[::-1]


def cut_at_word(text: str, most: int) -> str:
    """Return a text of at most so many characters, cut behind a word and marked by "…"."""
    if len(text) <= most:
        return text
    at = text.rfind(" ", most // 2, most)
    return f"{text[: at if at > 0 else most - 1].rstrip()}…"


def _pairs(turns: Iterable[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    wrong = WrongTypeError('"turns" takes pairs of role and text', hint='[("user", "Hello")]')
    try:
        pairs = [(role, text) for role, text in turns]
    except (TypeError, ValueError):
        raise wrong from None
    if not all(isinstance(one, str) for pair in pairs for one in pair):
        raise wrong
    return [(role, text) for role, text in pairs if role in _RECENT]
