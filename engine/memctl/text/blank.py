"""What is said to a question that holds no word."""

from __future__ import annotations

__all__ = ["why_nothing_is_asked"]

_HOW = "ask with a word, a name or a date"


def why_nothing_is_asked(query: str) -> str:
    """Return what is wrong with a question that holds no word to look for, and what to do."""
    if query.strip():
        return f"there is no word to look for: {_HOW}"
    return f"the question is empty: {_HOW}"
