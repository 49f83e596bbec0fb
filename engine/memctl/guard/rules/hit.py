"""What a rule found and where."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Hit"]


class Hit(NamedTuple):
    """A secret in a view: the name of the rule and the span of the secret itself."""

    rule: str
    start: int
    end: int
