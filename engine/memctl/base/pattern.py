"""A regular expression that is compiled when it is first asked.

A command needs a handful of the patterns in the modules that it loads, and a suspicious text
few of the rules' hundred: compiled together they would cost a tenth of a second.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Pattern"]


class Pattern:
    """What `re.compile` returns, made on first use; the methods are those of ``re.Pattern``.

    Parameters
    ----------
    source
        A regular expression.
    flags
        As for `re.compile`.
    """

    def __init__(self, source: str, flags: int = 0) -> None:
        self.source = source
        self.flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern as ``re`` runs it."""
        return re.compile(self.source, self.flags)

    # The bound methods are kept, so that from the second call on nothing stands between.
    @cached_property
    def search(self) -> Callable[..., re.Match[str] | None]:
        """The first match anywhere."""
        return self.compiled.search

    @cached_property
    def match(self) -> Callable[..., re.Match[str] | None]:
        """The match that begins at the given place."""
        return self.compiled.match

    @cached_property
    def fullmatch(self) -> Callable[..., re.Match[str] | None]:
        """The match of the whole text."""
        return self.compiled.fullmatch

    @cached_property
    def finditer(self) -> Callable[..., Iterator[re.Match[str]]]:
        """Every match, from left to right."""
        return self.compiled.finditer

    @cached_property
    def findall(self) -> Callable[..., list[str]]:
        """What every match holds, from left to right."""
        return self.compiled.findall

    @cached_property
    def sub(self) -> Callable[..., str]:
        """The text with every match replaced."""
        return self.compiled.sub

    @cached_property
    def subn(self) -> Callable[..., tuple[str, int]]:
        """The text with every match replaced, and how many there were."""
        return self.compiled.subn

    @cached_property
    def split(self) -> Callable[..., list[str]]:
        """The text between the matches."""
        return self.compiled.split
