"""The text of a message of any shape: strings, lists of blocks, objects."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from memctl.base.errors import UnusableInputError

_KEYS = ("text", "content", "parts")
# Blocks inside blocks: messages have three or four levels; more is a loop.
_MAX_DEPTH = 32


def text_of(message: Any) -> str:
    r"""Return the text of a message of any shape.

    Parameters
    ----------
    message
        A string, a number, ``None``, a list of blocks, a mapping or an object that has
        ``text``, ``content`` or ``parts``. A mapping with none of them becomes JSON, so
        that a tool's arguments stay readable.

    Raises
    ------
    UnusableInputError
        When it contains itself, or is an object that holds no text.

    Examples
    --------
    >>> text_of([{"type": "text", "text": "Hello"}, {"content": ["there", 2]}])
    'Hello\\nthere\\n2'
    """
    return message if type(message) is str else _text(message, depth=0)


def _text(message: Any, *, depth: int) -> str:  # noqa: PLR0911  (one return a shape)
    if depth > _MAX_DEPTH:
        raise UnusableInputError("the message contains itself", hint="pass its text")
    if message is None:
        return ""
    if isinstance(message, str):
        return message
    if isinstance(message, (bytes, bytearray)):
        return bytes(message).decode("utf-8", errors="replace")
    if isinstance(message, (bool, int, float)):
        return str(message)
    inner = _inner(message)
    if inner is not None:
        return _text(inner, depth=depth + 1)
    if isinstance(message, Mapping):
        return _as_json(message)
    if isinstance(message, Iterable):
        parts = (_text(part, depth=depth + 1) for part in message)
        return "\n".join(part for part in parts if part)
    raise UnusableInputError(
        f'a message of type "{type(message).__name__}" holds no text',
        hint="pass a string, a list of blocks, or an object with text, content or parts",
    )


def _inner(message: Any) -> Any:
    """Return the value of the first of the known keys or attributes."""
    for key in _KEYS:
        held = message.get(key) if isinstance(message, Mapping) else getattr(message, key, None)
        if held is not None and not callable(held):
            return held
    return None


def _as_json(message: Mapping[Any, Any]) -> str:
    try:
        return json.dumps(message, ensure_ascii=False, default=str)
    except (TypeError, ValueError) as error:
        raise UnusableInputError(
            f"the message cannot be written as text: {error}", hint="pass its text"
        ) from error
