"""CSV with a header, its delimiter found out as its encoding is: UTF-8 or UTF-16.

A row is a record as a line of JSON Lines is; ``columns`` says which of theirs is which of ours.
"""

from __future__ import annotations

import csv
import re
from typing import TYPE_CHECKING, Any

from memctl.base.errors import UnusableInputError
from memctl.guard.door import MAX_TEXT
from memctl.porting.foreign_records import UnreadRecord
from memctl.porting.formats.json_lines import check_columns, record_of
from memctl.porting.safe_files import opened_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from memctl.porting.foreign_records import ForeignRecord

_DELIMITERS = ",;\t|"
_QUOTED = re.compile(r'"[^"]*"')
_SAMPLE = 65_536  # characters by which the dialect is found out


def recognises(path: Path) -> bool:
    """Return whether a file is named as CSV is."""
    return path.is_file() and path.suffix.casefold() in {".csv", ".tsv"}


def read(path: Path, options: Mapping[str, Any]) -> Iterator[ForeignRecord | UnreadRecord]:
    """Yield the record of each row."""
    columns: Mapping[str, str] = options.get("columns", {})
    with opened_text(path, newline="") as text:
        dialect = _dialect(text.read(_SAMPLE))
    # The limit is the module's own; it is only ever raised to what a text may have here.
    csv.field_size_limit(max(csv.field_size_limit(), MAX_TEXT))
    with opened_text(path, newline="") as text:
        rows = csv.reader((line.replace("\0", "") for line in text), dialect)
        try:
            names = [name.strip() for name in next(rows, [])]
            if not any(names):
                return
            _check_header(names, columns, path)
            for row in rows:
                if any(cell.strip() for cell in row):
                    yield _record(row, names, columns, f"{path.name}:{rows.line_num}")
        except csv.Error as error:
            raise UnusableInputError(f'"{path}", line {rows.line_num}: {error}') from None


def _check_header(names: list[str], columns: Mapping[str, str], path: Path) -> None:
    twice = next((name for name in names if name and names.count(name) > 1), None)
    if twice is not None:
        raise UnusableInputError(f'"{path}" has two columns "{twice}"', hint="rename one")
    check_columns(names, columns, f'"{path}"')


def _record(
    row: list[str], names: list[str], columns: Mapping[str, str], where: str
) -> ForeignRecord | UnreadRecord:
    if len(row) > len(names) and any(row[len(names) :]):
        return UnreadRecord(where, f"{len(row)} cells below {len(names)} columns")
    given = {name: cell for name, cell in zip(names, row, strict=False) if name and cell.strip()}
    return record_of(given, where, columns)


def _dialect(sample: str) -> type[csv.Dialect]:
    """Return the dialect whose delimiter parts the most names of the header."""
    header = _QUOTED.sub("", sample.lstrip("\r\n").partition("\n")[0])

    class PartedByHeader(csv.excel):
        delimiter = max(_DELIMITERS, key=header.count)  # of none of them, the first

    return PartedByHeader
