"""Recalled lines as an answer of an MCP tool: fenced, and within a cap of the whole text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.semantic.fences import block, escaped, fitting
from memctl.tokens import estimate_tokens
from memctl_cli.remarks import reading_remarks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Fenced", "fenced_within", "within"]


@dataclass(frozen=True, slots=True)
class Fenced:
    """The text of an answer, and the places of the lines that it holds."""

    text: str
    kept: tuple[int, ...]


def fenced_within(
    lines: Sequence[str],
    corrected: Mapping[str, str],
    aliases: Mapping[str, str],
    *,
    most: int,
    max_tokens: int | None,
) -> Fenced:
    """Return the first `most` lines that fit, fenced, and how the question was read.

    Parameters
    ----------
    max_tokens
        A hard cap on the whole text (estimated): its tags, ids and remarks too. Where no line
        fits, the text says so, or is empty where not even that fits.
    """
    remarks = [escaped(remark) for remark in reading_remarks(corrected, aliases)]
    taken = fitting(lines, max_tokens=max_tokens, most=most)
    if not taken:
        least = min(estimate_tokens(block([line])) for line in lines)
        told = f"Nothing fits within {max_tokens} tokens: the shortest row takes {least}."
        return Fenced(within(told, max_tokens), ())
    shown = [lines[i] for i in taken]
    every = fitting([*shown, *remarks], max_tokens=max_tokens, most=len(shown) + len(remarks))
    return Fenced(block([[*shown, *remarks][i] for i in every]), tuple(taken))


def within(text: str, max_tokens: int | None) -> str:
    """Return a text where a cap has room for it, else nothing."""
    return text if max_tokens is None or estimate_tokens(text) <= max_tokens else ""
