"""Values that stand near a name without a sign between them: said before, after, or in a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern
from memctl.guard.rules.hit import Hit
from memctl.guard.rules.judge import is_camel, is_password, is_strong, is_unmistakable
from memctl.guard.rules.nouns import PASSWORDS, Nouns, is_no_password
from memctl.guard.rules.odd_words import odd_words
from memctl.guard.rules.values import Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.guard.rules.text_view import TextView

__all__ = ["nearby_hits"]

_SHORTEST_NAME = 4
_NEAR = 80  # characters; about a sentence
_TABLE = 1_000  # characters; a heading and some rows
_MOST_HEADINGS = 8  # in so many characters; what names itself in every row is no table
# INSERT INTO users (name, password) VALUES ('anna', 'Rain1951')
_INSERT = Pattern(
    r"(?i)\binto\s\S{1,60}?\s?\(([^()\n]{1,300})\)\s{0,4}values\s{0,4}\(([^()\n]{1,400})\)"
)
# A form as a page shows it: each label on a line of its own, and what was typed below it.
_FORM = Pattern(
    r"(?im)^(?:user\s?name|user|login|e-?mail|id|benutzername|usuario|identifiant)[:*]?\n[^\n]{2,64}\n(?:pass(?:word|wort)|contraseña|mot\sde\spasse)[:*]?\n(?P<value>\S{5,64})(?:\n|$)"
)
_LABEL = Pattern(r"(?i)show|forgot|log|sign|pass|reset|remember|submit|next")
# No line of a program is the heading of a table.
_OF_PROGRAM = Pattern(r"[(\[{}=]|[)\]]\s*[:;,]|->|\.\w+\(")
_GIVEN = Pattern(r"\s{0,4}('[^'\n]{0,128}'|\"[^\"\n]{0,128}\"|[^,'\"]{1,80})\s{0,4}(?:,|$)")


def nearby_hits(view: TextView) -> Iterator[Hit]:
    """Yield what can only be the secret that a name nearby speaks of."""
    text = view.text
    if "into" in view.lowered and "values" in view.lowered:
        yield from _inserted(text)
    if "\n" in text and ("pass" in view.lowered or "contrase" in view.lowered):
        for found in _FORM.finditer(text):
            if is_camel(found["value"]) and not _LABEL.search(found["value"]):
                yield Hit("password-in-prose", *found.span("value"))
    odd = odd_words(text)
    table_start, headings = -_TABLE, 0
    for at in _names(PASSWORDS, view):
        # Whatever is found here has a digit or a mark.
        if not odd.is_near(at, at + _TABLE) or not view.judged.is_new("nearby", at):
            continue
        if at - table_start > _TABLE:
            table_start, headings = at, 0
        headings += 1
        if headings <= _MOST_HEADINGS or view.mapped:
            yield from _in_column(text, at)


def _names(nouns: Nouns, view: TextView) -> Iterator[int]:
    """Yield where names begin, each stretch of the text only once."""
    last = -_NEAR
    for at in nouns.spots(view):
        is_pin = view.lowered.startswith("pin", at)
        if is_pin or at - last < _SHORTEST_NAME:
            continue
        name = nouns.match(view.text, at)
        if name is not None and not is_no_password(view.text, name.group(), at):
            last = at
            yield at


def _inserted(text: str) -> Iterator[Hit]:
    """Yield what a statement of SQL writes into a column of passwords."""
    for found in _INSERT.finditer(text):
        columns = [column.strip(' `"[]') for column in found[1].split(",")]
        for column, given in zip(columns, _GIVEN.finditer(found[2]), strict=False):
            word = given[1].strip("'\"")
            if word == given[1] or not PASSWORDS.name_at(column, 0):
                continue
            start = found.start(2) + given.start(1) + 1
            value = Value(word, start, start + len(word), quoted=True, ends_clause=True, run=word)
            if is_password(value, copula=False):
                yield Hit("sql-password", value.start, value.end)


def _in_column(text: str, at: int) -> Iterator[Hit]:
    """Yield the cells below a heading of a table in Markdown, CSV or TSV."""
    head_start = text.rfind("\n", max(0, at - 200), at) + 1
    head_end = text.find("\n", at, at + 200)
    if head_end < 0:
        return
    mark = next((mark for mark in "|\t;," if mark in text[head_start:head_end]), "")
    if not mark or (mark in ";," and _OF_PROGRAM.search(text, head_start, head_end)):
        return
    column = text.count(mark, head_start, at)
    start = head_end + 1
    for line in text[start : start + 600].split("\n"):
        cells = line.split(mark)
        aligned = text[head_start:head_end].count(mark) == line.count(mark)
        columns = [column] if aligned else range(len(cells))
        for which in columns:
            yield from _cell(cells, which, start, mark, sure=aligned)
        start += len(line) + 1


def _cell(cells: list[str], column: int, start: int, mark: str, *, sure: bool) -> Iterator[Hit]:
    cell = cells[column]
    word = cell.strip(" \"'`*")
    offset = start + sum(len(before) + len(mark) for before in cells[:column])
    offset += cell.find(word)
    value = Value(word, offset, offset + len(word), quoted=False, ends_clause=True, run=word)
    if " " not in word and word.isascii() and (is_strong(value) if sure else is_unmistakable(word)):
        yield Hit("password-in-prose", value.start, value.end)
