"""What a trial of trust returns: its counts, and each promise that was broken."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence


class Verdict(NamedTuple):
    """The table of a trial, and what broke: the number of each trial, with what is wrong in words."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[object]]
    broken: Sequence[tuple[int, str]]
    caption: str = ""
