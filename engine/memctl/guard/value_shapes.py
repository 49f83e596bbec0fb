"""The shapes of words: left to be filled in, something else than a secret, code, random."""

from __future__ import annotations

import re
from itertools import pairwise

from memctl.guard.tables.rule_tables import patterns, words

__all__ = ["is_code", "is_dense", "is_placeholder", "is_scrambled", "is_sequence", "is_something"]

_SAYS = patterns("value_shapes")

_LONGEST_WORDLIKE = 3.2  # mean length of the pieces between changes of case; words have five
_FEW = 3
_SHORTEST_SCRAMBLED = 8  # letters
_FEWEST_PIECES = 4
_LONGEST_SCRAMBLED = 2.7  # mean length of the pieces; in random letters it is about two
_SHORTEST_VARIABLE = 10  # a dollar and what only a generator makes is no variable
_LEAST_CHANGES = 0.36
_LEAST_OF_A_KIND = 0.04
_RUNS = ("01234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiopasdfghjklzxcvbnm", "9abcdef01")


def is_placeholder(value: str) -> bool:
    """Return whether the value was left for somebody to fill in, or was blacked out."""
    low = value.lower()
    variable = _SAYS.template.search(value) is not None
    if variable and value.startswith("$") and len(value) >= _SHORTEST_VARIABLE:
        # "$iFyUwgCGUQ32c": a dollar by chance, not the name of a variable
        variable = _SAYS.closed.search(value) is not None or not is_scrambled(value[1:])
    return (
        variable
        or (len(set(low)) <= 1 and not _SAYS.repeated.match(low))
        or low in words("stand-in")
        or _SAYS.masked.search(value) is not None
        or any(word in low for word in words("filler"))
    )


def is_something(value: str) -> bool:
    """Return whether the value is a hash, an address, an id, a date, a quantity or a version."""
    return _SAYS.something.match(value) is not None or "://" in value


def is_code(value: str) -> bool:
    """Return whether an unquoted value is an expression: a call, a reference, a path, a file."""
    return _SAYS.code.match(value) is not None or _SAYS.expression.search(value) is not None


def is_scrambled(word: str) -> bool:
    """Return whether capitals stand among the letters as in no word or name: "KiA-QnNlDT"."""
    pieces = _SAYS.camel.findall(word)
    letters = sum(map(str.isalpha, word))
    return (
        letters >= _SHORTEST_SCRAMBLED
        and len(pieces) >= _FEWEST_PIECES
        and letters < _LONGEST_SCRAMBLED * len(pieces)
        and word.upper() != word != word.lower()
        and "/" not in word
    )


def is_sequence(value: str) -> bool:
    """Return whether most of the value is a run along the digits, the alphabet or the keyboard."""
    low = re.sub(r"[^a-z0-9]", "", value.lower())
    along = sum(any(a + b in run for run in _RUNS) for a, b in pairwise(low))
    return len(low) > 1 and (along >= 0.6 * (len(low) - 1) or len(set(low)) <= _FEW)


def is_dense(value: str) -> bool:
    """Return whether capitals, small letters and digits are mixed as only a generator mixes them."""
    kinds = ["d" if c.isdigit() else "u" if c.isupper() else "l" for c in value if c.isalnum()]
    changes = sum(a != b for a, b in pairwise(kinds))
    return (
        min(kinds.count(kind) for kind in "dul") >= _LEAST_OF_A_KIND * len(kinds)
        and changes >= _LEAST_CHANGES * (len(kinds) - 1)
        and len(kinds) < _LONGEST_WORDLIKE * max(len(_SAYS.camel.findall(value)), 1)
    )
