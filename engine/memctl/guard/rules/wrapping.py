"""Where a mail program or a terminal has broken a long word into lines."""

from __future__ import annotations

from memctl.base.pattern import Pattern

__all__ = ["BREAK"]

BREAK = Pattern(r"(?<=[\w+/=.-])\\?\r?\n[ \t>|]{0,16}(?=[\w+/=.-])")
"""A line's end inside a word, with the sign or blanks that the next line begins with."""
