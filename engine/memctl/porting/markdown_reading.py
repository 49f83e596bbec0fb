"""Markdown as people and programs write it: front matter, items, paragraphs, and the headings above them.

YAML of strangers holds plain values: anchors, aliases and tags are refused, and so is what is too large.
Front matter of plain words and JSON needs no PyYAML, and memctl writes no other.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Any

from memctl.base.errors import UnusableInputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

# --- front matter

_LARGEST = 1_000_000  # characters of YAML
_FENCED = re.compile(r"\A---[ \t]*\n(.*?)(?<=\n)---[ \t]*(?:\n|\Z)", re.DOTALL)
_OF_YAML = re.compile(
    r"(?:[ \t]*(?:#|- ).*|[ \t]+\S.*|[\w.-][\w .-]{0,60}:(?:[ \t].*)?|[ \t]*|[\]}][ \t]*)"
)
_PAIR = re.compile(r"([\w-]+)[ \t]*:[ \t]*(.*)")
_QUOTES = "\"'"
# Words that need no quotes in YAML, but for those that it reads as something else.
_WORDS = re.compile(r"[A-Za-z][\w./@-]*(?: [\w./@()-]+)*")
_NO_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def front_text(properties: Mapping[str, Any]) -> str:
    """Return properties as the front matter of a file."""
    return f"---\n{yaml_text(properties)}---\n"


def yaml_text(properties: Mapping[str, Any]) -> str:
    """Return properties as YAML, a line each: plain words, or JSON."""
    return "".join(
        f"{_value_text(key)}: {_value_text(value)}\n" for key, value in properties.items()
    )


def _value_text(value: Any) -> str:
    return value if _is_word(value) else json.dumps(value, ensure_ascii=False)


def _is_word(value: Any) -> bool:
    return (
        isinstance(value, str)
        and value.casefold() not in _NO_WORDS
        and bool(_WORDS.fullmatch(value))
    )


def front_matter(text: str, where: str) -> tuple[dict[str, Any], str]:
    """Return the properties that a Markdown text begins with, and the rest of it.

    Where prose stands between two rulers, nothing is a property.
    """
    fenced = _FENCED.match(text)
    if fenced is None or not are_properties(fenced[1].split("\n")):
        return {}, text
    return properties_of(fenced[1], where), text[fenced.end() :]


def are_properties(lines: Iterable[str]) -> bool:
    """Return whether every line could be one of YAML; prose is none."""
    return all(map(_OF_YAML.fullmatch, lines))


def properties_of(text: str, where: str) -> dict[str, Any]:
    """Return the properties of front matter, the lines between its rulers.

    What is no YAML, as programs write that put a text behind a colon as it is, is read line by line.
    """
    lines = [line for line in text.split("\n") if line.strip()]
    properties: Any = {}
    try:
        for line in lines:
            key, _, value = line.partition(": ")
            properties[key if _is_word(key) else json.loads(key)] = (
                value if _is_word(value) else json.loads(value)
            )
    except (ValueError, TypeError, RecursionError):
        try:
            properties = yaml_of(text, where)
        except _BrokenYamlError:
            properties = _by_lines(lines)
    return properties if isinstance(properties, dict) else {}


class _BrokenYamlError(UnusableInputError):
    """A text is no YAML."""


def yaml_of(text: str, where: str) -> Any:
    """Return the value of a YAML text."""
    try:
        import yaml
    except ImportError:
        raise UsageError(
            f'"{where}" is YAML, and PyYAML is not installed',
            hint="pip install 'memctl-engine[imports]'",
        ) from None
    if len(text) > _LARGEST:
        raise UnusableInputError(f'"{where}" is too much YAML', hint="split it")
    try:
        return yaml.load(text, _loader())  # noqa: S506  (a SafeLoader that takes less)
    except _RefusedYamlError as error:
        raise UnusableInputError(f'"{where}" holds {error}', hint="write the values out") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise _BrokenYamlError(f'"{where}" is no YAML: {" ".join(str(error).split())}') from None


def plain_text(value: Any) -> str:
    """Return a YAML value as text: a time as ISO-8601, nothing for null."""
    if value is None:
        return ""
    return value.isoformat() if isinstance(value, date) else str(value)


def texts_of(value: Any) -> tuple[str, ...]:
    """Return a list of YAML values, or texts parted by commas, as texts; those that are empty not."""
    parts = value if isinstance(value, list) else plain_text(value).split(",")
    return tuple(text for part in parts if (text := plain_text(part).strip()))


class _RefusedYamlError(Exception):
    """An anchor, an alias or a tag was met."""


@cache
def _loader() -> Any:
    import yaml

    class PlainLoader(yaml.SafeLoader):
        """Reads values, no anchors, aliases and tags."""

        def compose_node(self, parent: Any, index: Any) -> Any:
            event: Any = self.peek_event()  # type: ignore[no-untyped-call]
            for what in ("anchor", "tag"):
                if getattr(event, what, None) is not None:
                    raise _RefusedYamlError(f"an {what}" if what == "anchor" else f"a {what}")
            return super().compose_node(parent, index)

    return PlainLoader


def _by_lines(lines: Iterable[str]) -> dict[str, Any]:
    properties: dict[str, Any] = {}
    for pair in filter(None, map(_PAIR.match, lines)):
        value = pair[2].strip()
        listed = value.startswith("[") and value.endswith("]")
        parts = [part.strip().strip(_QUOTES) for part in value[1:-1].split(",")]
        properties[pair[1]] = parts if listed else value.strip(_QUOTES)
    return properties


# --- items and paragraphs

_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)[ \t#]*")
_ITEM = re.compile(r"([ \t]*)(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[([ xX])\][ \t]+)?(.*)")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_RULE = re.compile(r"[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*")
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
    """The headings, items and lines that are open between two lines."""

    def __init__(self) -> None:
        self.headings: list[tuple[int, str]] = []
        self.items: list[tuple[int, str]] = []  # indentations and texts
        self.line = 0
        self.lines: list[str] = []
        self.size = 0
        self.item = False
        self.done: bool | None = None
        self.fence = ""
        self.within = -1  # indentation of the item that the fence stands in

    def add(self, number: int, text: str) -> None:
        """Add a line to the part; the first begins it."""
        self.line = number if not self.lines else self.line
        self.lines.append(text)
        self.size += len(text) + 1

    def end(self) -> Iterator[NotePart]:
        """Yield the part that ends here."""
        text = "\n".join(self.lines).strip()
        if text:
            above = tuple(text for _, text in (self.items[:-1] if self.item else self.items))
            headings = tuple(text for _, text in self.headings)
            yield NotePart(self.line, text, headings, above, self.item, self.done)
            if self.item:
                self.items[-1] = (self.items[-1][0], text)
        self.lines, self.size, self.item, self.done = [], 0, False, None

    def code(self, number: int, line: str, mark: str) -> None:
        """Read a line of code between fences, or a fence."""
        self.add(number, line)
        if not self.fence:
            self.fence = mark
            above = (depth for depth, _ in self.items if depth < _depth(line))
            self.within = max(above, default=-1)
        elif mark.startswith(self.fence):
            self.fence = ""

    def text(self, number: int, line: str) -> Iterator[NotePart]:
        """Read a line that is no code."""
        heading, item = _HEADING.fullmatch(line), _ITEM.fullmatch(line)
        if heading or item or not line.strip() or _RULE.fullmatch(line):
            yield from self.end()
        if not line.strip() or _RULE.fullmatch(line):
            return
        if heading:
            level = len(heading[1])
            self.headings = [above for above in self.headings if above[0] < level]
            self.headings.append((level, heading[2].strip()))
            self.items = []
        elif item:
            depth = len(item[1].replace("\t", _TAB))
            self.items = [*(above for above in self.items if above[0] < depth), (depth, item[3])]
            self.item, self.done = True, None if item[2] is None else item[2] != " "
            self.add(number, item[3])
        else:
            if not self.lines and line == line.lstrip():
                self.items = []
            self.add(number, line.strip())


def note_parts(lines: Iterable[tuple[int, str]]) -> Iterator[NotePart]:
    """Yield the items and paragraphs of numbered lines; code between fences is part of a paragraph."""
    at = _Reader()
    for number, line in lines:
        fence = _FENCE.match(line)
        if at.fence and line.strip() and _depth(line) <= at.within:
            at.fence = ""  # code that nobody has closed ends with its item
        if at.fence or fence is not None:
            at.code(number, line, fence[1] if fence else "")
        else:
            yield from at.text(number, line)
        if at.size > _LONGEST:
            yield from at.end()
    yield from at.end()


def _depth(line: str) -> int:
    line = line.replace("\t", _TAB)
    return len(line) - len(line.lstrip())
