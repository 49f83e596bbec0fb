"""The pieces of expressions that sentences with codes and keys are recognised by: ``sayings.txt``."""

from __future__ import annotations

import re
from functools import cache

from memctl.base.packaged import text_in
from memctl.base.pattern import Pattern
from memctl.guard.rules.literals import literals
from memctl.guard.rules.signs import Signs

__all__ = ["Saying", "signs_of"]

_HEADING = re.compile(r"\[([a-z-]+)\]")
_SECTION = re.compile(r"(?<!P)<([a-z-]+)>")


class Saying(Pattern):
    """An expression in which ``<door>`` stands for any of the alternatives of a section.

    Parameters
    ----------
    source
        The expression; case does not matter in it.
    """

    def __init__(self, source: str) -> None:
        super().__init__(
            _SECTION.sub(lambda found: _alternatives()[found[1]], source), re.IGNORECASE
        )


def signs_of(*sections: str) -> Signs:
    """Return pieces of text of which one stands wherever one of some sections matches."""
    return Signs(
        literal
        for section in sections
        for piece in _pieces()[section]
        for literal in literals(piece)
    )


@cache
def _alternatives() -> dict[str, str]:
    return {name: f"(?:{'|'.join(pieces)})" for name, pieces in _pieces().items()}


@cache
def _pieces() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    section: list[str] = []
    for line in text_in("memctl.guard.rules", "sayings.txt").splitlines():
        if heading := _HEADING.fullmatch(line):
            section = found.setdefault(heading[1], [])
        elif not line.startswith("#"):
            section += line.split()
    return found
