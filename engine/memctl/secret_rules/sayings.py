"""The pieces of expressions that sentences with codes and keys are recognised by: ``sayings.txt``."""

from __future__ import annotations

import re
from functools import cache

from memctl.packaged import text_in
from memctl.pattern import Pattern

__all__ = ["Saying"]

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


@cache
def _alternatives() -> dict[str, str]:
    found: dict[str, list[str]] = {}
    section: list[str] = []
    for line in text_in("memctl.secret_rules", "sayings.txt").splitlines():
        if heading := _HEADING.fullmatch(line):
            section = found.setdefault(heading[1], [])
        elif not line.startswith("#"):
            section += line.split()
    return {name: f"(?:{'|'.join(pieces)})" for name, pieces in found.items()}
