"""A regular expression that is compiled when it is first asked.

A command needs a handful of the patterns in the modules that it loads, and a suspicious text
few of the rules' hundred: compiled together they would cost a tenth of a second.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from memctl.base.packaged import text_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Pattern:
    """A ``re.Pattern`` that is made on first use, with its methods.

    Parameters
    ----------
    source
        A regular expression.
    flags
        As for `re.compile`.
    """

    search: Callable[..., re.Match[str] | None]
    match: Callable[..., re.Match[str] | None]
    fullmatch: Callable[..., re.Match[str] | None]
    finditer: Callable[..., Iterator[re.Match[str]]]
    findall: Callable[..., list[str]]
    sub: Callable[..., str]
    subn: Callable[..., tuple[str, int]]
    split: Callable[..., list[str]]

    def __init__(self, source: str, flags: int = 0) -> None:
        self.source = source
        self.flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern as ``re`` runs it."""
        return re.compile(self.source, self.flags)

    def __getattr__(self, name: str) -> Any:
        if name not in Pattern.__annotations__:
            raise AttributeError(f"a pattern has no {name!r}")
        # The bound method is kept, so that from the second call on nothing stands between.
        method = self.__dict__[name] = getattr(self.compiled, name)
        return method


def patterns_in(package: str, name: str, flags: int = 0) -> dict[str, Pattern]:
    """Return the expressions of a file in a package, by name.

    A name, and below it, indented, its alternatives, one a line; ``<NAME>`` in them is the expression
    of that name above. ``#`` opens a comment. Flags of one expression alone stand before it: ``(?i)``.
    """
    lines: dict[str, list[str]] = {}
    for line in text_in(package, name).split("\n"):
        if line.startswith("    "):
            lines[next(reversed(lines))].append(line[4:])
        elif line and line[0] != "#":
            lines[line] = []
    known: dict[str, str] = {}
    for title, alternatives in lines.items():
        known[title] = re.sub("<([A-Z_]+)>", lambda part: known[part[1]], "|".join(alternatives))
    return {title: Pattern(expression, flags) for title, expression in known.items()}
