"""What of a regular expression stands in every text that it matches, so that it is asked in vain less often."""

from __future__ import annotations

import re

__all__ = ["literals"]

_TOKEN = re.compile(r"\\.|\[[^\]]*\]|\(\?(?::|=|!|<=|<!|-i:)|\{\d*,?\d*\}|.", re.DOTALL)
# The dotless i matches an i where case does not matter, and is none in lower case.
_NO_LITERALS = "^$.()[]{}?*+|\u0131"
_OPENED = {"(?:", "(?-i:"}  # groups that match something
_OPTIONAL = re.compile(r"[?*]|\{0?,")
_REPEATED = re.compile(r"\+|\{\d")


def literals(source: str) -> set[str]:
    r"""Return pieces of text of which each match of an expression holds one.

    Parameters
    ----------
    source
        A regular expression of literals, classes, groups without capture and assertions.

    Raises
    ------
    ValueError
        When a match may hold no certain piece, as of ``\w+``.
    """
    found: set[str] = set()
    for branch in _branches(_TOKEN.findall(source)):
        found |= _of_branch(branch)
    return found


def _of_branch(tokens: list[str]) -> set[str]:
    """Return the longest run of literals, or what the first group or class that must match holds."""
    runs, groups = [""], []
    at = 0
    while at < len(tokens):
        end = _end_of_group(tokens, at) if tokens[at].startswith("(") else at + 1
        after = tokens[end] if end < len(tokens) else ""
        optional, repeated = _OPTIONAL.match(after), _REPEATED.match(after)
        char = _literal(tokens[at])
        if char and not optional:
            runs[-1] += char
        if not char or optional or repeated:
            runs.append("")
        if not char and not optional and (tokens[at] in _OPENED or tokens[at].startswith("[")):
            groups.append(tokens[at:end])
        at = end + (1 if optional or repeated else 0)
    longest = max(reversed(runs), key=len)  # of "por sms", the noun
    if longest:
        return {longest.lower()}
    for group in groups:
        try:
            return _of_group(group)
        except ValueError:
            continue
    raise ValueError("".join(tokens))


def _of_group(tokens: list[str]) -> set[str]:
    if tokens[0].startswith("["):
        return _of_class(tokens[0])
    return set().union(*map(_of_branch, _branches(tokens[1:-1])))


def _of_class(said: str) -> set[str]:
    if said.startswith("[^") or "-" in said or "\\" in said:
        raise ValueError(said)
    return set(said[1:-1].lower())


def _branches(tokens: list[str]) -> list[list[str]]:
    """Return the alternatives of an expression."""
    branches: list[list[str]] = [[]]
    at = 0
    while at < len(tokens):
        end = _end_of_group(tokens, at) if tokens[at].startswith("(") else at + 1
        if tokens[at] == "|":
            branches.append([])
        else:
            branches[-1] += tokens[at:end]
        at = end
    return branches


def _end_of_group(tokens: list[str], at: int) -> int:
    """Return where a group that begins at a place has ended."""
    depth = 0
    for place in range(at, len(tokens)):
        depth += tokens[place].startswith("(") - (tokens[place] == ")")
        if depth == 0:
            return place + 1
    raise ValueError("".join(tokens))


def _literal(part: str) -> str:
    """Return the character that a part stands for, nothing where it stands for several or none."""
    if len(part) == 1:
        return "" if part in _NO_LITERALS else part
    return part[1] if part[0] == "\\" and not part[1].isalnum() else ""
