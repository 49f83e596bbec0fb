r"""Items as Markdown that people edit: a list item of the text, its properties in a comment below.

::

    - Ann likes green tea
      <!-- {"id": "f_3a4b5c6d7e8f", "category": "preference", "importance": 0.85} -->

Below the comment stand the changes of a fact, each a comment, and the details of a turn or an episode.
Further lines are indented by two spaces. A backslash takes from what follows its meaning; ``\s`` and
``\t`` are a blank and a tab where an editor would take them away, and a backslash at the end of a line
is nothing: so every text comes back as it was, to the byte.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memctl.base.pattern import Pattern

if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["TEXTS", "ItemText", "item_texts", "text_of_item"]

# The text that people read of each kind, and what stands below its properties.
TEXTS: Mapping[str, tuple[str, str]] = {
    "turn": ("text", "details"),
    "episode": ("summary", "details"),
    "fact": ("text", ""),
    "alias": ("term", ""),
    "knowledge": ("body", ""),
}
_INDENT = "  "
_LONGEST = 8_000_000  # characters of an item: a text and its details of 1,000,000, and a history
_BLANK = " \t"
_COMMENT = "<!-- {"
_ENDS = {" ": "\\s", "\t": "\\t"}
_SIGNS = {"\\s": " ", "\\t": "\t", "\\": ""}
_ESCAPED = Pattern(r"\\.?")


@dataclass(frozen=True, slots=True)
class ItemText:
    """What stands in a file where an item does.

    Parameters
    ----------
    line
        The number of its first line.
    heading
        The last heading above it.
    text, details
        What it says.
    properties
        The object of its first comment; ``None``: somebody has added it.
    history
        The objects of the comments behind that.
    wrong
        Why it cannot be read; empty where it can.
    """

    line: int
    heading: str
    text: str
    details: str = ""
    properties: dict[str, Any] | None = None
    history: tuple[dict[str, Any], ...] = ()
    wrong: str = ""

    def item(self, kind: str) -> dict[str, Any]:
        """Return the item that it is one of, with the texts of a kind."""
        head, below = TEXTS[kind]
        found = {**(self.properties or {}), head: self.text}
        if below and self.details:
            found[below] = self.details
        if self.history:
            found["history"] = list(self.history)
        return found


def text_of_item(kind: str, item: Mapping[str, Any]) -> str:
    """Return an item as the lines of a file, the last one ended."""
    head, below = TEXTS[kind]
    properties = {key: value for key, value in item.items() if key not in {head, below, "history"}}
    comments = [_comment(one) for one in (properties, *item.get("history", ()))]
    details = _encoded(item[below]) if item.get(below) else []
    first, *rest = [*_encoded(item[head]), *comments, *details]
    return "\n".join([f"- {first}", *(f"{_INDENT}{line}" if line else "" for line in rest), ""])


def item_texts(lines: Iterable[tuple[int, str]]) -> Iterator[ItemText]:
    """Yield the items of a file's numbered lines; what belongs to none is one that is wrong."""
    begun, heading, kept, blanks, size = 0, "", list[str](), 0, 0
    for number, line in lines:
        if kept and not line.strip(_BLANK):
            blanks += 1
            continue
        if kept and line.startswith(_INDENT):
            size += blanks + len(line)
            if size <= _LONGEST:  # what is longer is refused as it is
                kept += [*[""] * blanks, line.removeprefix(_INDENT)]
            blanks = 0
            continue
        if kept:
            yield _read(begun, heading, kept, size)
        kept, blanks, size = [], 0, 0
        if line.startswith("- ") or line == "-":
            begun, kept = number, [line[2:]]
        elif line.startswith("#"):
            heading = line.lstrip("#").strip()
        elif line.strip(_BLANK):
            yield ItemText(
                number, heading, line, wrong="it belongs to no item: indent it, or add -"
            )
    if kept:
        yield _read(begun, heading, kept, size)


def _read(line: int, heading: str, kept: list[str], size: int) -> ItemText:
    if size > _LONGEST:
        return ItemText(line, heading, kept[0], wrong=f"it has more than {_LONGEST:,} characters")
    marks = [place for place, one in enumerate(kept) if one.startswith(_COMMENT)]
    if not marks:
        return ItemText(line, heading, _decoded(kept))
    first, last = marks[0], marks[0]
    while last + 1 in marks:
        last += 1
    try:
        properties, *history = (_object(one) for one in kept[first : last + 1])
    except (ValueError, RecursionError) as error:
        return ItemText(line, heading, kept[0], wrong=f"its properties are no JSON: {error}")
    text, details = _decoded(kept[:first]), _decoded(_below(kept[last + 1 :]))
    return ItemText(line, heading, text, details, properties, tuple(history))


def _below(lines: list[str]) -> list[str]:
    """Return details without the blank lines above them, which somebody has added."""
    while lines and not lines[0]:
        lines = lines[1:]
    return lines


def _comment(told: Mapping[str, Any]) -> str:
    # No text ends the comment, or begins another line.
    plain = json.dumps(told, ensure_ascii=False).replace(">", "\\u003e")
    return f"<!-- {plain} -->"


def _object(comment: str) -> dict[str, Any]:
    plain = comment.strip().removeprefix("<!--").removesuffix("-->")
    found = json.loads(plain)
    if not isinstance(found, dict):
        raise ValueError("no object")  # noqa: TRY004  (told as one that is no JSON)
    return found


def _encoded(text: str) -> list[str]:
    lines = [_line(line) for line in text.split("\n")]
    for end in (0, -1):
        lines[end] = lines[end] or "\\"
    return lines


def _line(line: str) -> str:
    plain = line.replace("\\", "\\\\")
    if plain.startswith(_COMMENT):
        plain = f"\\{plain}"
    if plain and plain[-1] in _ENDS:
        plain = plain[:-1] + _ENDS[plain[-1]]
    return _ENDS[plain[0]] + plain[1:] if plain and plain[0] in _ENDS else plain


def _decoded(lines: list[str]) -> str:
    return "\n".join(_ESCAPED.sub(_meant, line) for line in lines)


def _meant(sign: re.Match[str]) -> str:
    return _SIGNS.get(sign[0], sign[0][1:])
