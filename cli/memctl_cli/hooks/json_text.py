"""JSON as people keep it in configurations: edited in place, comments and formatting as they were.

Hosts read JSON, JSON with comments, or JSON5; all of them are read here.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_TOKEN = re.compile(
    r"(?P<blank>\s+|//[^\n]*|/\*.*?\*/)"
    r'|(?P<text>"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')'
    r"|(?P<mark>[{}\[\]:,])"
    r"|(?P<word>[^\s{}\[\]:,\"'/]+)",
    re.DOTALL,
)
_NUMBER = re.compile(r"[+-]?(?:0[xX][\da-fA-F]+|Infinity|NaN|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")
_PLAIN = {"true": True, "false": False, "null": None}
_CLOSING = {"{": "}", "[": "]"}


@dataclass(slots=True)
class _Value:
    """A value and its place in a text; `parts` are the members or items of a container."""

    start: int
    end: int
    plain: Any
    parts: list[_Part] = field(default_factory=list)


@dataclass(slots=True)
class _Part:
    """A member or item: where it begins, and the place of the comma behind it, if any."""

    name: str | int
    start: int
    value: _Value
    comma: int | None = None


class JsonText:
    """A text of JSON that is edited.

    Parameters
    ----------
    text
        The text; blank for an object without members.

    Raises
    ------
    ValueError
        When it is no JSON object, not even with comments.
    """

    def __init__(self, text: str) -> None:
        self.text = text if text.strip() else "{}\n"
        self._read()

    def get(self, path: Iterable[str | int]) -> Any:
        """Return the value at a path of names and numbers; ``None`` where there is none."""
        found = self._at(path)
        return None if found is None else found.plain

    def has(self, path: Iterable[str | int]) -> bool:
        """Return whether there is a value at a path."""
        return self._at(path) is not None

    def put(self, path: Sequence[str], value: Any) -> None:
        """Put a value at a path of names; objects on the way are made.

        Raises
        ------
        ValueError
            When something on the way is no object.
        """
        found = self._at(path)
        if found is not None:
            self._replace(found.start, found.end, self._shown(value, self._pad(found.start)))
            return
        above = self._at(path[:-1])
        if above is None:
            self.put(path[:-1], {path[-1]: value})
            return
        if not isinstance(above.plain, dict):
            raise ValueError(f"{'.'.join(path[:-1])} is no object")  # noqa: TRY004
        self._insert(above, f"{json.dumps(path[-1])}: ", value)

    def add(self, path: Sequence[str], item: Any) -> None:
        """Add an item to the end of the list at a path, which is made where it is missing.

        Raises
        ------
        ValueError
            When something else is there.
        """
        found = self._at(path)
        if found is None:
            self.put(path, [item])
        elif isinstance(found.plain, list):
            self._insert(found, "", item)
        else:
            raise ValueError(f"{'.'.join(path)} is no list")

    def remove(self, path: Sequence[str | int]) -> None:
        """Remove the value at a path, with its comma."""
        above = self._at(path[:-1])
        assert above is not None  # noqa: S101  (whoever removes has looked)
        at = max(i for i, part in enumerate(above.parts) if part.name == path[-1])
        part = above.parts[at]
        begin = len(self.text[: part.start].rstrip())
        end = part.value.end if part.comma is None else part.comma + 1
        if not self.text[above.start + 1 : begin].strip() and len(above.parts) == 1:
            end += len(self.text[end:]) - len(self.text[end:].lstrip())
        self._replace(begin, end, "", read=False)
        if part.comma is None and at and (comma := above.parts[at - 1].comma) is not None:
            self._replace(comma, comma + 1, "", read=False)
        self._read()

    def _insert(self, above: _Value, name: str, value: Any) -> None:
        """Insert a part at the end of a container."""
        end = above.end - 1
        inner = len(self.text[:end].rstrip())
        outer = self._pad(above.start)
        if not above.parts:
            pad = outer + self._unit()
            made = f"\n{pad}{name}{self._shown(value, pad)}\n{outer}"
            self._replace(inner, end, made)
            return
        first, last = above.parts[0], above.parts[-1]
        pad = self._pad(first.start)
        several = "\n" in self.text[above.start : first.start]
        shown = self._shown(value, pad) if several else json.dumps(value, ensure_ascii=False)
        comma = "" if last.comma is None else ","
        begin = f"\n{pad}" if several else " "
        self._replace(inner, inner, f"{begin}{name}{shown}{comma}", read=False)
        if last.comma is None:
            self._replace(last.value.end, last.value.end, ",", read=False)
        self._read()

    def _replace(self, begin: int, end: int, made: str, *, read: bool = True) -> None:
        newline = "\r\n" if "\r\n" in self.text else "\n"
        self.text = self.text[:begin] + made.replace("\n", newline) + self.text[end:]
        if read:
            self._read()

    def _shown(self, value: Any, pad: str) -> str:
        shown = json.dumps(value, indent=self._unit(), ensure_ascii=False)
        return shown.replace("\n", f"\n{pad}")

    def _unit(self) -> str:
        """Return the indentation of a level: that of the first member of all."""
        return (self._pad(self._root.parts[0].start) if self._root.parts else "") or "  "

    def _pad(self, at: int) -> str:
        """Return the indentation of the line around a place."""
        line = self.text[self.text.rfind("\n", 0, at) + 1 : at]
        return line[: len(line) - len(line.lstrip())]

    def _at(self, path: Iterable[str | int]) -> _Value | None:
        found: _Value | None = self._root
        for name in path:
            assert found is not None  # noqa: S101  (the loop ends with it)
            named = [part.value for part in found.parts if part.name == name]
            if not named:
                return None
            found = named[-1]
        return found

    def _read(self) -> None:
        tokens, at = [], 0
        while at < len(self.text):
            match = _TOKEN.match(self.text, at)
            if match is None:
                raise ValueError(f"line {self._line(at)} cannot be read")
            if match.lastgroup != "blank":
                tokens.append(match)
            at = match.end()
        self._left = tokens[::-1]
        self._root = self._value()
        if self._left or not isinstance(self._root.plain, dict):
            raise ValueError("it is no JSON object")

    def _value(self) -> _Value:
        token = self._next()
        if token[0] in _CLOSING:
            return self._container(token)
        plain = self._scalar(token)
        return _Value(token.start(), token.end(), plain)

    def _container(self, opening: re.Match[str]) -> _Value:
        made = _Value(opening.start(), 0, {} if opening[0] == "{" else [])
        while (token := self._next())[0] != _CLOSING[opening[0]]:
            if made.parts and made.parts[-1].comma is None:
                raise ValueError(f"line {self._line(token.start())} lacks a comma")
            if isinstance(made.plain, dict):
                name = self._name(token)
                if self._next()[0] != ":":
                    raise ValueError(f"line {self._line(token.start())} lacks a colon")
                value = self._value()
                made.plain[name] = value.plain
                made.parts.append(_Part(name, token.start(), value))
            else:
                self._left.append(token)
                value = self._value()
                made.parts.append(_Part(len(made.plain), value.start, value))
                made.plain.append(value.plain)
            if self._left and self._left[-1][0] == ",":
                made.parts[-1].comma = self._next().start()
        made.end = token.end()
        return made

    def _name(self, token: re.Match[str]) -> str:
        if token.lastgroup == "word":
            return token[0]
        name = self._scalar(token)
        if not isinstance(name, str):
            raise ValueError(f"line {self._line(token.start())} cannot be read")  # noqa: TRY004
        return name

    def _scalar(self, token: re.Match[str]) -> Any:
        said = token[0]
        if token.lastgroup == "text":
            inner = said[1:-1]
            if said[0] == "'":
                inner = inner.replace("\\'", "'").replace('"', '\\"')
            return json.loads(f'"{inner}"', strict=False)
        if said in _PLAIN:
            return _PLAIN[said]
        if token.lastgroup == "word" and _NUMBER.fullmatch(said):
            try:
                return json.loads(said)
            except ValueError:  # as JSON5 writes it: nobody here counts with it
                return said
        raise ValueError(f"line {self._line(token.start())} cannot be read")

    def _next(self) -> re.Match[str]:
        if not self._left:
            raise ValueError("it ends too early")
        return self._left.pop()

    def _line(self, at: int) -> int:
        return self.text.count("\n", 0, at) + 1
