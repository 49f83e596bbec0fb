from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from memctl.base.errors import UnusableInputError
from memctl.text.cleaning import text_of
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


def test_an_object_without_text_is_refused_by_its_type() -> None:
    with pytest.raises(UnusableInputError, match='type "object" holds no text'):
        text_of(object())


def test_a_message_that_contains_itself_is_refused() -> None:
    message: dict[str, Any] = {}
    message["content"] = [message]
    with pytest.raises(UnusableInputError, match="contains itself"):
        text_of(message)


def test_a_tool_call_that_contains_itself_is_refused() -> None:
    call: dict[str, Any] = {}
    call["arguments"] = call
    with pytest.raises(UnusableInputError, match="cannot be written as text"):
        text_of(call)
