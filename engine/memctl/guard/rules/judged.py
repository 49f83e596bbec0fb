"""Remembers the surroundings that were judged, so that the same are judged once.

A text that says the same again and again costs what its different parts cost: a megabyte of one
line repeated is a few lines.
"""

from __future__ import annotations

__all__ = ["Judged"]

# No rule looks further than this from the name of a secret.
_BEFORE, _BEHIND = 200, 900  # characters
_LONG = 2_000  # a shorter text is judged as fast as it is remembered
_MOST_JUDGED = 20_000  # surroundings, a few megabytes


class Judged:
    """What stood around the places of one text that a rule has judged.

    Parameters
    ----------
    text
        The text that rules search.
    every
        Whether every hit is wanted, so that nothing may be skipped.
    """

    def __init__(self, text: str, *, every: bool) -> None:
        self._text = text
        self._off = every or len(text) < _LONG
        self._results: dict[tuple[str, int, int], int] = {}

    def get(self, rule: str, at: int) -> int | None:
        """Return what was kept for the same surroundings, None where they are new."""
        return None if self._off else self._results.get(self._key(rule, at))

    def keep(self, rule: str, at: int, result: int) -> None:
        """Keep a number that the rule needs when it meets the same surroundings again."""
        if not self._off and len(self._results) < _MOST_JUDGED:
            self._results[self._key(rule, at)] = result

    def is_new(self, rule: str, at: int) -> bool:
        """Whether the rule has not seen these surroundings; it has from now on."""
        if self.get(rule, at) is not None:
            return False
        self.keep(rule, at, 0)
        return True

    def _key(self, rule: str, at: int) -> tuple[str, int, int]:
        start = max(0, at - _BEFORE)
        return rule, at - start, hash(self._text[start : at + _BEHIND])
