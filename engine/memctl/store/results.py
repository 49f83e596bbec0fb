"""Base of what the public methods return: plain frozen dataclasses, shown short, with a table in a notebook."""

from __future__ import annotations

import html
import reprlib
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import MISSING, Field, fields
from typing import Any

from memctl.base.arguments import resolve_members

_WIDEST = 100  # characters of a repr
_LONGEST = 200  # characters of a cell
MOST_ROWS = 20
MOST_BYTES = 200_000  # of the pictures of one table: notebooks keep what they show
_MANY = 3  # members of a list that are counted, not shown

_short = reprlib.Repr()
_short.maxstring = _short.maxother = 40
_short.maxlevel = 2


class Result:
    """An answer or a row: a frozen dataclass that can be copied, pickled and put into a data frame.

    It holds no open store.
    """

    __slots__ = ()

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.__repr__ = Result.__repr__  # type: ignore[method-assign]  # else dataclass makes another
        resolve_members(cls)

    def __repr__(self) -> str:
        """Return the fields that are not empty, as many as fit into a line."""
        name, text = type(self).__name__, ""
        for key, value in self._telling():
            part = f"{', ' if text else ''}{key}={_shortly(value)}"
            if len(name) + len(text) + len(part) > _WIDEST - 5:
                return f"{name}({text}, …)"
            text += part
        return f"{name}({text})"

    def _telling(self) -> Iterator[tuple[str, Any]]:
        """Yield the fields that differ from their defaults and are not empty."""
        for field in fields(self):  # type: ignore[arg-type]  # each subclass is a dataclass
            value = getattr(self, field.name)
            if field.repr and value is not None and not _is_default(field, value):
                yield field.name, value

    def _picture_html(self) -> str:
        """Return a picture of it; empty where it has none."""
        return ""

    def _repr_html_(self) -> str:
        """Return a table of its fields, for notebooks."""
        lines = (
            f"<tr><th>{html.escape(key)}</th><td>{_cell(value)}</td></tr>"
            for key, value in self._telling()
        )
        name = html.escape(type(self).__name__)
        return f"<b>{name}</b> {self._picture_html()}<table>{''.join(lines)}</table>"


def _is_default(field: Field[Any], value: object) -> bool:
    if isinstance(value, (str, bytes, list, tuple, Mapping, AbstractSet)):
        return not value
    return field.default is not MISSING and bool(value == field.default)


def _shortly(value: object) -> str:
    if isinstance(value, Result):
        first = next(value._telling(), None)  # noqa: SLF001  (of this file)
        return f"{type(value).__name__}({first[0]}={_shortly(first[1])})" if first else "..."
    if isinstance(value, bytes):
        return f"<{len(value):,} bytes>"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (list, tuple, Mapping, AbstractSet)) and len(value) > _MANY:
        return f"<{len(value)}>"
    if isinstance(value, (list, tuple)) and any(isinstance(part, Result) for part in value):
        return f"<{len(value)}>"
    return " ".join(_short.repr(value).split())


def rows_html(rows: Sequence[object], total: int | None = None) -> str:
    """Return a table of some results for a notebook; the columns are the fields that are not empty."""
    shown = [row for row in rows[:MOST_ROWS] if isinstance(row, Result)]
    told = [dict(row._telling()) for row in shown]  # noqa: SLF001  (of this file)
    names = list(dict.fromkeys(name for values in told for name in values))
    pictures, room = [], MOST_BYTES
    for row in shown:
        picture = row._picture_html() if room > 0 else ""  # noqa: SLF001
        room -= len(picture)
        pictures.append(picture if room > 0 else "")
    pictured = any(pictures)
    head = "".join(f"<th>{html.escape(name)}</th>" for name in [*[""] * pictured, *names])
    lines = []
    for picture, values in zip(pictures, told, strict=True):
        cells = [*[picture] * pictured, *(_cell(values.get(name, "")) for name in names)]
        lines.append("".join(f"<td>{cell}</td>" for cell in cells))
    body = "".join(f"<tr>{line}</tr>" for line in [head, *lines])
    left = max(len(rows), total or 0) - len(shown)
    more = f"<p>… and {left:,} more</p>" if left else ""
    return f"<table>{body}</table>{more}"


def _cell(value: object) -> str:
    if isinstance(value, (list, tuple)) and value and all(isinstance(row, Result) for row in value):
        return rows_html(value)
    if isinstance(value, (bytes, Result)):
        return html.escape(_shortly(value))
    text = str(value)
    return html.escape(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")
