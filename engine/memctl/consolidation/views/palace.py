"""The palace: views of the long-term memory as Markdown, generated, with the rows that each line cites.

The same store gives the same text. A view is no place to write into: it is made anew.
"""

from __future__ import annotations

import json
from itertools import groupby
from typing import TYPE_CHECKING

from memctl.base.categories import KINDS
from memctl.base.errors import FileAccessError, UsageError
from memctl.base.near_words import one_of
from memctl.base.pattern import Pattern
from memctl.base.whole_file import whole_file
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from memctl.store.store import Store

__all__ = ["VIEWS", "doubted", "plain", "view_text", "write_view"]

SQL = statements.load("store/palace")
VIEWS = ("timeline", "projects", "technology", "custom")
"""The views; ``custom`` takes categories."""

MARK = "<!-- made by memctl: written anew, not to be edited -->"
"""The first line of a view that was written into a file."""

_TAGS = {"projects": "PROJ", "technology": "TECH"}
_SIGNS = Pattern(r"([\\`*_{}\[\]<>#+!|~])")
_MONTH = 7  # characters of '2026-11'


def view_text(store: Store, view: str, as_of: str, *, categories: Sequence[str] = ()) -> str:
    """Return one view as Markdown.

    Parameters
    ----------
    store
        The open store.
    view
        One of `VIEWS`.
    as_of
        The moment that facts expire by.
    categories
        Of the view ``custom``: those of the table of kinds.

    Raises
    ------
    UsageError
        When there is no such view or category, or a custom view names none.
    """
    if view not in VIEWS:
        raise UsageError(f'there is no view "{view}"', hint=one_of(view, VIEWS))
    for category in categories:
        if category not in KINDS:
            raise UsageError(f'there is no category "{category}"', hint=one_of(category, KINDS))
    if view == "custom" and not categories:
        raise UsageError("a custom view names categories", hint="--category lesson")
    if view != "custom" and categories:
        raise UsageError(f'the view "{view}" takes no categories', hint="name the view custom")
    if view == "timeline":
        lines = _timeline(store)
    else:
        tag = _TAGS.get(view)
        chosen = [kind.category for kind in KINDS.values() if kind.tag == tag]
        lines = _by_subject(store, list(categories) or chosen, as_of)
    body = "\n".join(lines) or "\nNothing yet."
    return f"{MARK}\n# {view.capitalize()}: {plain(str(store.address))}\n{body}\n"


def write_view(path: Path, text: str) -> None:
    """Write a view into a file, whole or not at all.

    Raises
    ------
    FileAccessError
        When there is a file that memctl did not write, or it cannot be written.
    """
    try:
        if path.exists() and not path.read_text("utf-8", "replace").startswith(MARK):
            raise FileAccessError(
                f'"{path}" was not made by memctl', hint="name another folder, or move it away"
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path, text=True) as file:
            file.write(text)
    except OSError as error:
        if isinstance(error, FileAccessError):
            raise
        raise FileAccessError(f'"{path}" cannot be written: {error.strerror}') from error


def _timeline(store: Store) -> Iterator[str]:
    rows = store.rows(SQL.happenings) if store.exists else []
    zone = store.zone
    dated = ((zone.day(row["at_time"], row["utc_offset"]), row) for row in rows)
    for month, some in groupby(dated, lambda pair: pair[0][:_MONTH]):
        yield f"\n## {month}\n"
        for day, row in some:
            yield f"- {day}: {plain(row['text'])} [{row['cited']}]"


def _by_subject(store: Store, categories: Sequence[str], as_of: str) -> Iterator[str]:
    asked = {"categories": json.dumps(list(categories)), "now": as_of}
    rows = store.rows(SQL.facts_of, asked) if store.exists else []
    for _, group in groupby(rows, lambda row: row["subject_key"]):
        some = list(group)
        yield f"\n## {plain(some[-1]['subject']) or 'More'}\n"
        for row in some:
            yield f"- {plain(row['text'])}{doubted(row)} [{row['cited']}, {row['category']}]"


def doubted(row: sqlite3.Row) -> str:
    """Return the remark that follows a fact which is to be checked, else nothing."""
    return " (to be checked)" if row["doubt"] else ""


def plain(text: str) -> str:
    """Return a text as one line in which nothing is Markdown."""
    return _SIGNS.sub(r"\\\1", " ".join(text.split()))
