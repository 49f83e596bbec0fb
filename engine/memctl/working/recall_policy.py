"""Recall policy: whether a prompt is answered from memory unasked, and how much it asks of it.

A prompt that asks for something said earlier ("which port did we pick?", "the usual style") is
answered with what memory has of it. Any other order gets only what it clearly names, and what no
person wrote, or what is too short to mean anything, gets nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from memctl.base.errors import UsageError
from memctl.base.near_words import one_of
from memctl.base.pattern import patterns_in
from memctl.text.own_words import own_words
from memctl.text.sentence_kinds import is_talk
from memctl.text.splitting import is_unspaced

STRATEGIES = ("smart", "always", "manual", "off")

# Letters of a prompt that could mean a memory; what a character of Chinese, Japanese or Korean
# says takes so many letters more.
_SHORT = 5
_MORE_LETTERS = 2
# A longer prompt is a file that was pasted.
_MOST = 2_000
_SHAPES = patterns_in("memctl.working", "prompt_words.txt")


@dataclass(frozen=True, slots=True)
class PromptReading:
    """A prompt as the policy reads it."""

    text: str  # its author's own words, 2,000 characters at most
    asks: bool = False  # for something said before, or refers to it
    past: bool = False  # asks how something was
    recollects: bool = False  # asks what was said, wherever: other projects are searched, too
    skipped: str = ""  # why nothing is looked for


def read_prompt(prompt: str, strategy: str = "smart", *, trigger: str = "") -> PromptReading:
    """Read from a prompt how it is to be answered from memory; refuse an unknown strategy.

    Parameters
    ----------
    prompt
        The user's message, as a host hands it in.
    strategy
        ``smart``: as the prompt asks; ``always``: any prompt is taken for a question; ``manual`` and
        ``off``: nothing is looked for.
    trigger
        What started the turn: a session's key, or a word such as ``cron``; empty for a person.
    """
    if strategy not in STRATEGIES:
        raise UsageError(f'strategy "{strategy}" is unknown', hint=one_of(strategy, STRATEGIES))
    text = own_words(prompt).text.strip()[:_MOST]
    wants = strategy == "always" or asks_memory(text)
    past = wants and bool(_SHAPES["past"].search(text))
    recollects = wants and bool(_SHAPES["recollects"].search(text))
    skipped = _why_skipped(text, strategy, trigger)
    if not skipped and not wants and is_talk(text):
        skipped = "the prompt is small talk"
    return PromptReading(text, wants, past, recollects, skipped)


def asks(text: str) -> bool:
    """Return whether a text begins as a question, whatever it ends with."""
    return bool(_SHAPES["question"].match(text) or _SHAPES["yes or no"].search(text))


def asks_memory(text: str) -> bool:
    """Return whether a text asks for an earlier statement, or refers to it as known."""
    return bool(_SHAPES["known"].search(text) or _SHAPES["yes or no"].search(text))


def _why_skipped(text: str, strategy: str, trigger: str) -> str:
    # A character of Chinese is a word.
    letters = len(text) + _MORE_LETTERS * sum(map(is_unspaced, text[:_SHORT]))
    reasons = {
        "recall is off": strategy == "off",
        "recall is manual: search when it is needed": strategy == "manual",
        f'no person started this turn: "{trigger}"': bool(_SHAPES["machine"].search(trigger)),
        "the prompt is too short to mean a memory": letters < _SHORT,
        "the prompt starts a session": bool(_SHAPES["bootstrap"].search(text)),
    }
    return next((reason for reason, holds in reasons.items() if holds), "")
