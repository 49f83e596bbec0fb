# ruff: noqa: RUF001 - other scripts and their punctuation are what is searched
"""Reads the value that a name or a sentence points at, and how firmly it stands there."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from memctl.base.pattern import Pattern

__all__ = ["Value", "read_value", "spaced_digits"]

_OPENING = Pattern(
    r"[\s*~]{0,6}(?:[bBrRuUfF]{1,2}(?=[\"']))?(?:\\?[\"'`]{1,3}|[“‘«„‹「『《【]\s?|\[(?=\d{4,8}\])|\*\*)?"
)
_LEADING = Pattern(r"[*~\s]{0,6}")
_CLOSING = {
    "“": "”“",
    "‘": "’‘",
    "«": "»",
    "„": "“”",
    "‹": "›",
    "「": "」",
    "『": "』",
    "《": "》",
    "【": "】",
    "[": "]",
}
_BARE = Pattern(
    r"[^\s\"'`<>“”‘’«»「」『』、。，；！？…\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7af]{1,256}"
)
_ASCII = Pattern(r"[!-~]{1,256}")
# What follows a number that counts or dates something: 8位, 2024年, 12文字, 8자.
_COUNTER = Pattern(r"\s?[年月日号位个個字文桁回次天分秒時时时자글회년월일]")
_DIGIT_GROUPS = Pattern(r"[\s\"'`*]{0,3}(\d{2,4}(?:[ -]\d{2,4}){1,3})(?![\w-])")
_CUT = Pattern(r"[,;&](?=\w+=)|[,;](?=\s|$)|(?<=\w)[\"'`<]")
_TAIL = ".,:;)]}>*_|\\"
_CLAUSE_END = Pattern(
    r"[\"'`”’»*)\]}_]{0,4}(?:\s{0,3}(?:[.,;:!?)|。，、；！？(—–]|$|\n|//|</|#|and\b|but\b|or\b|for\b|so\b|y\b|und\b|et\b|e\b|и\b|в\b|на\b|für\b|pour\b|para\b|per\b|on\b|at\b|if\b|lol\b|btw\b|by\sthe\sway|today\b|yesterday\b|now\b|instead\b|already\b|heute\b|gestern\b|jetzt\b|hoy\b|ayer\b|ahora\b|aujourd|hier\b|maintenant\b|hoje\b|ontem\b|agora\b|oggi\b|ieri\b|adesso\b|сегодня\b|вчера\b|сейчас\b|until\b|till\b|since\b|because\b|everywhere\b|thx\b|haha|:\)|wenn\b|si\b)|[,;&])",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Value:
    """A value as it stands in the text.

    Attributes
    ----------
    text
        The value without quotes and without the punctuation of the sentence.
    start, end
        Its span; the end takes in punctuation that may belong to it.
    on_next_line
        Whether a line break stands before it.
    quoted
        Whether quotes or back-ticks enclose it.
    ends_clause
        Whether the sentence, the line or the field ends behind it.
    run
        What stands there up to the next space, punctuation and brackets included.
    """

    text: str
    start: int
    end: int
    quoted: bool
    ends_clause: bool
    run: str
    on_next_line: bool = False


def read_value(text: str, at: int, *, since: int, ascii_only: bool = False) -> Value | None:
    """Read the value that begins at ``at``; None where there is none.

    Parameters
    ----------
    text
        The text that is searched.
    at
        Where the connector (a colon, "is") ends.
    since
        Where the name ends; a line break from here on counts.
    ascii_only
        Whether an unquoted value ends at the first character outside ASCII, as in a script
        that writes no spaces.
    """
    opening = _OPENING.match(text, at)
    start = opening.end() if opening else at
    quote = opening.group().strip(" \t\r\n\\*~bBrRuUfF") if opening else ""
    value = _quoted(text, start, quote) or _bare(text, start, ascii_only=ascii_only)
    if value is None or "\n" not in text[since : value.start]:
        return value
    return replace(value, on_next_line=True)


def spaced_digits(text: str, at: int) -> Value | None:
    """Read digits in groups ("482 913") as one value; None where there are none."""
    found = _DIGIT_GROUPS.match(text, at)
    if found is None:
        return None
    return Value(found[1], *found.span(1), quoted=False, ends_clause=True, run=found[1])


def _quoted(text: str, start: int, quote: str) -> Value | None:
    if not quote:
        return None
    ends = [text.find(mark, start, start + 160) for mark in _CLOSING.get(quote, quote)]
    end = min((found for found in ends if found > start), default=-1)
    inside = text[start:end] if end > 0 else ""
    if not inside.strip() or "\n" in inside.strip():
        return None
    word = inside.strip().rstrip("\\")
    return Value(word, start, end, quoted=True, ends_clause=True, run=word)


def _bare(text: str, start: int, *, ascii_only: bool) -> Value | None:
    leading = _LEADING.match(text, start)
    start = leading.end() if leading else start
    found = (_ASCII if ascii_only else _BARE).match(text, start)
    if found is None or (found.group().isdigit() and _COUNTER.match(text, found.end())):
        return None
    run = found.group()
    if ascii_only and not text[found.end() : found.end() + 1].isascii():
        run = run.rstrip("([{<")  # "Rain1951(으)로": the bracket belongs to the other script
    cut = _CUT.search(run)
    word = run[: cut.start()] if cut else run
    word = word.rstrip(_TAIL).rstrip("!?") if word.rstrip(_TAIL + "!?") else word
    ends = _CLAUSE_END.match(text, start + len(word)) is not None
    return Value(
        word,
        start,
        found.end() - (len(run) - len(run.rstrip(_TAIL))),
        quoted=False,
        ends_clause=ends,
        run=run,
    )
