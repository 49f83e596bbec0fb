"""Items as Markdown that people edit: a list item of the text, its properties in a comment below.

::

    - Ann likes green tea
      <!-- {"id": "f_3a4b5c6d7e8f", "category": "preference", "importance": 0.85} -->

Below the comment stand the changes of a fact, each a comment, and the details of a turn or an episode.
Further lines are indented by two spaces. A text that does not come back from its lines as it was (blanks
at an end, what looks like a comment) stands in the properties too, and counts until its lines are edited.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

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
_NO_COMMENT = "< !-- {"  # how a line of a text is shown that begins as a comment


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
        found = dict(self.properties or {})
        for name, shown in zip(TEXTS[kind], (self.text, self.details), strict=True):
            if name and _shown(str(found.get(name, ""))) != shown:
                found[name] = shown  # else it is as it was
        found.setdefault(TEXTS[kind][0], "")
        if self.history:
            found["history"] = list(self.history)
        return {name: value for name, value in found.items() if name != TEXTS[kind][1] or value}


def text_of_item(kind: str, item: Mapping[str, Any]) -> str:
    """Return an item as the lines of a file, the last one ended."""
    names = TEXTS[kind]
    head, below = (_shown(str(item.get(name, ""))) for name in names)
    exact = {name for name in names if item.get(name) in {head, below}} | {"history"}
    properties = {key: value for key, value in item.items() if key not in exact}
    comments = [_comment(one) for one in (properties, *item.get("history", ()))]
    first, *rest = [*head.split("\n"), *comments, *(below.split("\n") if below else [])]
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
        return ItemText(line, heading, "\n".join(kept))
    first, last = marks[0], marks[0]
    while last + 1 in marks:
        last += 1
    try:
        properties, *history = (_object(one) for one in kept[first : last + 1])
    except (ValueError, RecursionError) as error:
        return ItemText(line, heading, kept[0], wrong=f"its properties are no JSON: {error}")
    text, details = "\n".join(kept[:first]), "\n".join(kept[last + 1 :]).strip("\n")
    return ItemText(line, heading, text, details, properties, tuple(history))


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


def _shown(text: str) -> str:
    """Return a text as its lines in a file say it."""
    lines = (line.rstrip(_BLANK) for line in text.strip("\n").split("\n"))
    return "\n".join(
        _NO_COMMENT + line.removeprefix(_COMMENT) if line.startswith(_COMMENT) else line
        for line in lines
    ).strip("\n")
