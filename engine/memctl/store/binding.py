"""Hands the values of a statement over in their order, which costs SQLite's module a third."""

from __future__ import annotations

import re
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["bound"]

# A parameter, or what only looks like one: in a comment, a text or a quoted name.
_PARAMETER = re.compile(
    r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|:(?P<name>[A-Za-z_]\w*)", re.DOTALL
)
_MOST_KEPT = 1024  # statements; those that are made of filters come in any number


def bound(sql: str, parameters: Mapping[str, Any] | None) -> tuple[str, tuple[Any, ...]]:
    """Return a statement with numbered parameters, and their values in that order.

    Python's sqlite3 asks SQLite for the name of each named parameter and makes a text of it,
    each time the statement runs: 15 of the 50 microseconds of an insert of 30 columns.

    Parameters
    ----------
    sql
        A statement whose parameters are written ``:name``.
    parameters
        Their values; more than it names do no harm.

    Raises
    ------
    KeyError
        When one that it names is not given.

    Examples
    --------
    >>> bound("select :a + :b + :a", {"b": 2, "a": 1})
    ('select ?1 + ?2 + ?1', (1, 2))
    """
    if not parameters:
        return sql, ()
    numbered, values = _numbered(sql)
    return numbered, values(parameters)


@lru_cache(maxsize=_MOST_KEPT)
def _numbered(sql: str) -> tuple[str, Callable[[Mapping[str, Any]], tuple[Any, ...]]]:
    numbers: dict[str, int] = {}

    def number(found: re.Match[str]) -> str:
        name = found["name"]
        if name is None:
            return found[0]
        return f"?{numbers.setdefault(name, len(numbers) + 1)}"

    numbered = _PARAMETER.sub(number, sql)
    names = list(numbers)
    if len(names) > 1:
        return numbered, itemgetter(*names)
    return numbered, lambda given: tuple(given[name] for name in names)
