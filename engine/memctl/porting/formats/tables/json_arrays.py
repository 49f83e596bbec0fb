"""JSON: an array of objects, or an object with one array of them.

An object is a record as a line of JSON Lines is; ``columns`` says which of its keys is which of ours.
Where an object holds several arrays, the option ``table`` names one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memctl.base.errors import UnusableInputError, UsageError
from memctl.porting.formats.json_lines import record_of
from memctl.porting.safe_files import arrays_in, head_of, json_items

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from memctl.porting.foreign_records import ForeignRecord, UnreadRecord


def recognises(path: Path) -> bool:
    """Return whether a file is named as JSON is, and begins with an array or an object."""
    head = head_of(path).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] if path.suffix == ".json" else b""
    return head in {b"[", b"{"}


def read(path: Path, options: Mapping[str, Any]) -> Iterator[ForeignRecord | UnreadRecord]:
    """Yield the record of each object in the array."""
    columns = options.get("columns", {})
    for number, row in enumerate(json_items(path, at=_array(path, options.get("table")))):
        yield record_of(row, f"{path.name}[{number}]", columns)


def _array(path: Path, named: str | None) -> str:
    there = arrays_in(path)
    if "" in there:
        return "item"
    if named in there or (named is None and len(there) == 1):
        return f"{named or there[0]}.item"
    if not there:
        raise UnusableInputError(f'"{path}" holds no array', hint="an array of objects is read")
    raise UsageError(
        f'"{path}" holds {len(there)} arrays' if named is None else f'it has no array "{named}"',
        hint=f"--table with one of: {', '.join(there)}",
    )
