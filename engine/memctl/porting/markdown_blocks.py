"""Blocks of Markdown, as notes are made of them: paragraphs and the points of lists."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["MarkdownBlock", "markdown_blocks"]

_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*")
_POINT = re.compile(r"\s{0,3}(?:[-*+]|\d{1,3}[.)])\s+(.*)")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_RULE = re.compile(r"\s*(?:-{3,}|\*{3,}|_{3,})\s*")


class MarkdownBlock(NamedTuple):
    """A paragraph, or a point of a list with what is indented below it.

    Parameters
    ----------
    line
        Where it begins, from 1.
    heading
        What stands above it; empty below the title alone.
    text
        Without the mark of a point, its lines as they are.
    is_point
        Whether it is a point of a list.
    """

    line: int
    heading: str
    text: str
    is_point: bool


def markdown_blocks(text: str, first: int = 1) -> Iterator[MarkdownBlock]:
    """Yield the blocks of a note below its front matter; `first` is the number of its first line."""
    heading = ""
    begun, lines, is_point, fenced = first, list[str](), False, False
    for number, line in enumerate([*text.split("\n"), ""], first):
        fenced ^= bool(_FENCE.match(line))
        title = None if fenced else _HEADING.fullmatch(line)
        point = None if fenced else _POINT.fullmatch(line)
        ends = not fenced and (not line.strip() or title or point or _RULE.fullmatch(line))
        if ends and lines:
            yield MarkdownBlock(begun, heading, "\n".join(lines).strip(), is_point)
            lines = []
        if title:
            heading = title[2] if len(title[1]) > 1 else ""
        elif point:
            begun, lines, is_point = number, [point[1]], True
        elif not ends:
            if not lines:
                begun, is_point = number, False
            lines.append(line)
    if lines:  # of a fence that nothing ends
        yield MarkdownBlock(begun, heading, "\n".join(lines).strip(), is_point)
