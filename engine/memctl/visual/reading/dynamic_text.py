"""Texts that come and go: times, counters, progress, messages; by the rules of dynamic_text.txt.

A clock learned as a component is missed on the next screenshot, and its digits turn up in the
names of states. Whoever knows more than the text (a digit on a calculator's button is no counter)
need not ask.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from memctl.base.packaged import text_in

if TYPE_CHECKING:
    from collections.abc import Mapping

_KEPT = 4096  # texts: one is asked about again and again while its box is learned

_LONGEST_LABEL = 200
"""Characters; what is longer is prose, and no pattern is tried on it."""


@lru_cache(maxsize=_KEPT)
def dynamic_rule(text: str) -> str | None:
    """Return the name of the first rule that a text falls under, or None for an ordinary label.

    Case, full-width forms and kinds of dashes make no difference.
    """
    normal = re.sub(r"[\u2010-\u2015\u2212]", "-", unicodedata.normalize("NFKC", text))
    normal = " ".join(normal.replace("\u2019", "'").split())
    if len(normal) > _LONGEST_LABEL:
        return "prose"
    return next((name for name, rule in _rules().items() if rule.fullmatch(normal)), None)


@cache
def _rules() -> Mapping[str, re.Pattern[str]]:
    """Return the rules by their names, in the order in which they are asked."""
    known: dict[str, str] = {}
    lines: dict[str, list[str]] = {}
    for line in text_in("memctl.visual.reading", "dynamic_text.txt").splitlines():
        if line.startswith("    "):
            lines[next(reversed(lines))].append(line[4:])
        elif line and not line.startswith("#"):
            lines[line] = []
    for header, alternatives in lines.items():
        name, _, words = header.partition(" ")
        listed = re.split(r"(?<!\\) ", " ".join(alternatives)) if words else alternatives
        pattern = "|".join(f"(?i:{word})" for word in listed) if words else "|".join(listed)
        pattern = re.sub(r"<([A-Z_]+)>", lambda found: known[found[1]], pattern)
        known[name] = f"(?:{pattern})"
    return {name: re.compile(pattern) for name, pattern in known.items() if name.islower()}
