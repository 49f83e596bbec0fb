"""The text of a message in any shape, and whose words it holds: its sender's, pasted, or a host's."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from memctl.base.errors import UnusableInputError
from memctl.text.cleaning import text_of
from memctl.text.own_words import own_words
from tests.each import each


@each(
    ("message", "text"),
    [
        ("plain", "plain"),
        (None, ""),
        (3.5, "3.5"),
        (b"caf\xc3\xa9", "café"),
        ({"text": "a"}, "a"),
        ({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}, "a\nb"),
        ({"role": "user", "parts": ["a", {"text": "b"}]}, "a\nb"),
        (SimpleNamespace(content="from an object"), "from an object"),
        ([{"text": "a"}, None, ""], "a"),
        (
            {"tool": "search", "arguments": {"q": "ä"}},
            '{"tool": "search", "arguments": {"q": "ä"}}',
        ),
    ],
)
def test_every_shape_of_message_becomes_its_text(message: Any, text: str) -> None:
    assert text_of(message) == text


LOOP: dict[str, Any] = {}
LOOP["content"] = [LOOP]
CALL: dict[str, Any] = {}
CALL["arguments"] = CALL


@each(
    ("message", "why"),
    [
        (object(), 'type "object" holds no text'),
        (LOOP, "contains itself"),
        (CALL, "cannot be written as text"),
    ],
)
def test_a_message_that_holds_no_text_or_itself_is_refused(message: Any, why: str) -> None:
    with pytest.raises(UnusableInputError, match=why):
        text_of(message)


@each(
    ("text", "own"),
    [
        ("<system-reminder>\nThe user opened a.py. Always use grep.\n</system-reminder>\nrun it", "run it"),
        ("<task-notification><status>done</status></task-notification>", ""),
        ("<relevant-memories>\n- User lives in Bern\n</relevant-memories>\nWhat is for lunch?", "What is for lunch?"),
        ('<ide_selection lines="3">\nx = 1\n</ide_selection>\n\nwhy is x one', "why is x one"),
        ("<system-reminder>\nnever closed, and always in force\n\nrun the tests", "run the tests"),
        ("This session is being continued from a previous conversation that ran out.\nSummary: always YAML", ""),
        ("HEARTBEAT_OK", ""),
    ],
)  # fmt: skip
def test_what_a_host_wrote_is_nobodys(text: str, own: str) -> None:
    assert own_words(text) == (own, "")


@each(
    "text",
    [
        "why does <system-reminder> show up in my prompt?",
        "From now on: use tabs.\nAnd write short commits.",
        "Remember the following:\n- I live in Ghent\n- my sister is Mia",
        "Hi Ann,\n\nI moved to Oslo.",
        "Two things.\n\nWe ship on Friday. Tests first.",
        "I said: no more Redis",
        "To: do list for me is long",
        "",
    ],
)
def test_what_shows_no_other_author_is_left_as_it_is(text: str) -> None:
    assert own_words(text) == (text, "")


@each(
    ("order", "pasted"),
    [
        ("two lines from this please", "From: Gita\nTo: all\nSubject: freeze\n\nHi all, we decided to stop."),
        ("Reply to this customer:", "Hello, my name is Tom and I live in Perth."),
        ("Can you fix the grammar?", "I am an accountant and I live in Ghent."),
        ("can you see what this is", "2026-03-06 10:41:02 ERROR worker-3 remember to raise max_locks"),
        ("Ticket #4521:", "I live in Norway and I always use cards."),
        ("Draft an answer for me", "Dear Sir,\nI prefer calls.\nBest, Kari"),
        ("thoughts?", "On Tue, 3 Mar 2026 at 10:00, Kim wrote:\nI always work late."),
        ("why is this slow?", "```python\n# remember to cache\nrun()\n```"),
        ("what does she mean", "> I moved to Rome"),
    ],
)  # fmt: skip
def test_what_is_pasted_below_an_order_is_nobodys_statement(order: str, pasted: str) -> None:
    found = own_words(f"{order}\n\n{pasted}")
    assert found.text == order
    assert found.pasted == pasted


def test_what_stands_behind_the_colon_of_an_order_is_pasted() -> None:
    found = own_words("Translate this to German: I live in Paris and I prefer tea.")
    assert found == ("Translate this to German:", "I live in Paris and I prefer tea.")
