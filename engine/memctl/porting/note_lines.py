"""Markdown notes of people and agents, read line by line: items, paragraphs, and the headings above them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.base.pattern import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_HEADING = Pattern(r"(#{1,6})[ \t]+(.*?)[ \t#]*")
_ITEM = Pattern(r"([ \t]*)(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[([ xX])\][ \t]+)?(.*)")
_FENCE = Pattern(r"[ \t]*(`{3,}|~{3,})")
_RULE = Pattern(r"[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*")
_TAB = "    "
_LONGEST = 100_000  # characters of a part


@dataclass(frozen=True, slots=True)
class NotePart:
    """An item or a paragraph.

    Parameters
    ----------
    line
        The number of its first line.
    text
        Its lines, without the sign of an item and its indentation.
    headings
        The headings above it, from the outermost.
    parents
        The items above it that it belongs to, from the outermost.
    is_item
        Whether it is an item.
    done
        Whether its box is ticked; ``None`` without a box.
    """

    line: int
    text: str
    headings: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    is_item: bool = False
    done: bool | None = None

    @property
    def heading(self) -> str:
        """The nearest heading; empty where there is none."""
        return self.headings[-1] if self.headings else ""


class _Reader:
    """The state between two lines."""

    def __init__(self) -> None:
        self.headings: list[tuple[int, str]] = []
        self.items: list[tuple[int, str]] = []  # indentations and texts of the items that are open
        self.line = 0
        self.lines: list[str] = []
        self.size = 0
        self.item = False
        self.done: bool | None = None
        self.fence = ""
        self.within = -1  # indentation of the item that the fence stands in

    def end(self) -> Iterator[NotePart]:
        """Yield the part that ends here."""
        text = "\n".join(self.lines).strip()
        if text:
            above = [told for _, told in (self.items[:-1] if self.item else self.items)]
            headings = tuple(told for _, told in self.headings)
            yield NotePart(self.line, text, headings, tuple(above), self.item, self.done)
            if self.item:
                self.items[-1] = (self.items[-1][0], text)
        self.lines, self.size, self.item, self.done = [], 0, False, None

    def begin(self, number: int, text: str) -> None:
        self.line = number
        self.add(text)

    def add(self, text: str) -> None:
        self.lines.append(text)
        self.size += len(text) + 1

    def heading(self, level: int, told: str) -> None:
        self.headings = [one for one in self.headings if one[0] < level]
        self.headings.append((level, told))
        self.items = []

    def begin_item(self, number: int, depth: int, ticked: str | None, text: str) -> None:
        self.items = [one for one in self.items if one[0] < depth]
        self.items.append((depth, text))
        self.item, self.done = True, None if ticked is None else ticked != " "
        self.begin(number, text)


def note_parts(lines: Iterable[tuple[int, str]]) -> Iterator[NotePart]:
    """Yield the items and paragraphs of numbered lines; code between fences is part of a paragraph."""
    at = _Reader()
    for number, line in lines:
        fence = _FENCE.match(line)
        if at.fence and line.strip() and _depth(line) <= at.within:
            at.fence = ""  # code that nobody has closed ends with its item
        if at.fence or fence is not None:
            if not at.lines:
                at.begin(number, line)
            else:
                at.add(line)
            if not at.fence and fence is not None:
                at.fence = fence[1]
                above = [depth for depth, _ in at.items if depth < _depth(line)]
                at.within = max(above, default=-1)
            elif fence is not None and fence[1].startswith(at.fence):
                at.fence = ""
        else:
            yield from _outside(at, number, line)
        if at.size > _LONGEST:
            yield from at.end()
    yield from at.end()


def _depth(line: str) -> int:
    line = line.replace("\t", _TAB)
    return len(line) - len(line.lstrip())


def _outside(at: _Reader, number: int, line: str) -> Iterator[NotePart]:
    """Read a line that is no code."""
    heading, item = _HEADING.fullmatch(line), _ITEM.fullmatch(line)
    if not line.strip() or _RULE.fullmatch(line):
        yield from at.end()
    elif heading is not None:
        yield from at.end()
        at.heading(len(heading[1]), heading[2].strip())
    elif item is not None:
        yield from at.end()
        at.begin_item(number, len(item[1].replace("\t", _TAB)), item[2], item[3])
    elif at.lines:
        at.add(line.strip())
    else:
        if line == line.lstrip():
            at.items = []
        at.begin(number, line.strip())
