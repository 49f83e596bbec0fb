# ruff: noqa: RUF001 - other scripts and their punctuation are what is searched
"""Reads the value that the name of a secret leads to, and how firmly the value stands there."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memctl.guard.tables.rule_tables import patterns

__all__ = ["Value", "read_value", "spaced_digits"]

_SAYS = patterns("value_reading")

_CLOSING = dict(
    zip("“‘«„‹「『《【[", ("”“", "’‘", "»", "“”", "›", "」", "』", "》", "】", "]"), strict=True)
)
_TAIL = ".,:;)]}>*_|\\"


@dataclass(frozen=True)
class Value:
    """A value as it stands in the text.

    ``text`` is without quotes and the punctuation of the sentence, ``run`` goes to the next
    blank; ``ends_clause`` says that the sentence, the line or the field ends behind it.
    """

    text: str
    start: int
    end: int
    quoted: bool
    ends_clause: bool
    run: str
    on_next_line: bool = False


def read_value(text: str, at: int, *, since: int, ascii_only: bool = False) -> Value | None:
    """Read the value that begins at ``at``; None where there is none."""
    opening = _SAYS.opening.match(text, at)
    start = opening.end() if opening else at
    quote = opening.group().strip(" \t\r\n\\*~bBrRuUfF") if opening else ""
    value = _quoted(text, start, quote) or _bare(text, start, ascii_only=ascii_only)
    if value is None or "\n" not in text[since : value.start]:
        return value
    return replace(value, on_next_line=True)


def spaced_digits(text: str, at: int) -> Value | None:
    """Read digits in groups ("482 913") as one value; None where there are none."""
    found = _SAYS.digit_groups.match(text, at)
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
    leading = _SAYS.leading.match(text, start)
    start = leading.end() if leading else start
    found = (_SAYS.ascii if ascii_only else _SAYS.bare).match(text, start)
    if found is None or (found.group().isdigit() and _SAYS.counter.match(text, found.end())):
        return None
    run = found.group()
    if ascii_only and not text[found.end() : found.end() + 1].isascii():
        run = run.rstrip("([{<")  # "Rain1951(으)로": the bracket belongs to the other script
    cut = _SAYS.cut.search(run)
    word = run[: cut.start()] if cut else run
    word = word.rstrip(_TAIL).rstrip("!?") if word.rstrip(_TAIL + "!?") else word
    ends = _SAYS.clause_end.match(text, start + len(word)) is not None
    return Value(
        word,
        start,
        found.end() - (len(run) - len(run.rstrip(_TAIL))),
        quoted=False,
        ends_clause=ends,
        run=run,
    )
