"""Recalled lines as an answer of an MCP tool: fenced, and within a cap of the whole text.

Where a call names no cap, an answer takes what an agent's context has room for: long texts are
cut, and what comes behind is told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memctl.base.tokens import estimate_tokens
from memctl.text.fences import block, escaped, fitting
from memctl_cli.output.words import reading_remarks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

# Tokens of an answer where the call names no cap.
_BUDGET = 4_000
# Characters of one text: a turn may be a whole log file.
_LONGEST = 4_000


def fenced_within(
    lines: Sequence[str],
    corrected: Mapping[str, str],
    aliases: Mapping[str, str],
    *,
    most: int,
    max_tokens: int | None,
    remarks: Sequence[str] = (),
) -> str:
    """Return the first `most` lines that fit, fenced, and how the question was read.

    Parameters
    ----------
    remarks
        What else is told of the answer, where there is room.
    max_tokens
        A hard cap on the whole text (estimated): its tags, ids and remarks too. Where no line
        fits, the text says so, or is empty where not even that fits. ``None``: as much as an
        answer usually takes, and a remark on what was left out.
    """
    told = [escaped(remark) for remark in (*remarks, *reading_remarks(corrected, aliases))]
    taken = fitting(lines, max_tokens=_BUDGET if max_tokens is None else max_tokens, most=most)
    left_out = min(most, len(lines)) - len(taken)
    if max_tokens is None and left_out > 0:
        told.append(f"{left_out} more rows match; maxTokens makes room for them")
    if not taken:
        least = min(estimate_tokens(block([line])) for line in lines)
        empty = f"Nothing fits within {max_tokens} tokens: the shortest row takes {least}."
        return within(empty, max_tokens)
    every = [*(lines[i] for i in taken), *told]
    kept = fitting(every, max_tokens=max_tokens, most=len(every))
    return block(every[i] for i in kept)


class Page(NamedTuple):
    """The rows of a page that an answer has room for, and a remark on the others.

    Parameters
    ----------
    shown
        How many of the lines, from the first on; one at least, where there is one.
    next_offset
        Where the next page begins; ``None`` where nothing follows.
    remark
        The same for the reader; empty where nothing follows.
    """

    shown: int
    next_offset: int | None
    remark: str


def page_of(
    lines: Sequence[str], *, offset: int, total: int, max_tokens: int | None = None
) -> Page:
    """Return the part of a page that an answer has room for, and the offset of the next."""
    left = min(_BUDGET, _BUDGET if max_tokens is None else max_tokens) - estimate_tokens(block([]))
    shown = 0
    for text in lines:
        left -= estimate_tokens(text + "\n")
        if left < 0 < shown:
            break
        shown += 1
    end = offset + shown
    if not shown or end >= total:
        return Page(shown, None, "")
    return Page(shown, end, f"\n{offset + 1}-{end} of {total}; next offset {end}")


def paged(lines: Sequence[str], max_tokens: int | None = None) -> str:
    """Return lines of data, fenced, as many as an answer has room for, and how many are left out."""
    plain = [escaped(line) for line in lines if line]
    page = page_of(plain, offset=0, total=len(plain), max_tokens=max_tokens)
    left = len(plain) - page.shown
    return block(plain[: page.shown]) + (f"\n{left} more lines are left out" if left else "")


def cut(text: str) -> str:
    """Return a text cut to what an agent's context has room for."""
    more = len(text) - _LONGEST
    return text if more <= 0 else f"{text[:_LONGEST]}… ({more:,} more characters)"


def within(text: str, max_tokens: int | None) -> str:
    """Return a text where a cap has room for it, else nothing."""
    return text if max_tokens is None or estimate_tokens(text) <= max_tokens else ""
