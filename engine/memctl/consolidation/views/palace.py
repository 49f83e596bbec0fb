"""The palace: views of the long-term memory as Markdown, generated, with the rows that each line cites.

So are the diary of the dreams and the report of a verification. The same store gives the same text.
A view is no place to write into: it is made anew, and what was erased is not in it.
"""

from __future__ import annotations

import json
import os
from itertools import groupby
from typing import TYPE_CHECKING

from memctl.base.categories import KINDS
from memctl.base.errors import FileAccessError, UnusableInputError, UsageError
from memctl.base.home import standing
from memctl.base.near_words import one_of
from memctl.base.pattern import Pattern
from memctl.base.whole_file import whole_file
from memctl.consolidation.summarising import tags_of
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from memctl.consolidation.checking.verification import VerifiedFacts
    from memctl.store.store import Store

SQL = statements.load("store/palace")
VIEWS = ("timeline", "projects", "technology", "custom")
"""The views; ``custom`` takes categories."""

MARK = "<!-- made by memctl: written anew, not to be edited -->"
"""The first line of a view that was written into a file."""

_TAGS = {"projects": "PROJ", "technology": "TECH"}
_SIGNS = Pattern(r"([\\`*_{}\[\]<>#+!|~])")
_MONTH = 7  # characters of '2026-11'
# Of a diary: runs, and for each what it promoted, what it told, and what that was about.
_RUNS, _PROMOTED, _TOLD, _THEMES = 100, 5, 12, 6
_WAITING = 50


def view_text(store: Store, view: str, as_of: str, *, categories: Sequence[str] = ()) -> str:
    """Return one view as Markdown.

    Parameters
    ----------
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
    return _page(f"{view.capitalize()}: {plain(str(store.address))}", list(lines))


def diary_text(store: Store) -> str:
    """Return the diary of the dreams as Markdown, the newest first: turns read, candidates promoted, remarks."""
    lines = []
    for run in store.rows(SQL.dreams, {"most": _RUNS}) if store.exists else []:
        promoted = store.rows(SQL.promoted_by, {"run": run["id"], "most": _PROMOTED})
        rows = store.rows(SQL.told_by, {"run": run["id"], "most": _TOLD})
        back = ", taken back" if run["status"] == "rolled back" else ""
        lines.append(f"\n## {store.zone.day(run['as_of'])}, {run['kind']} {run['id']}{back}\n")
        lines.append(f"{plain(run['diary'].partition(': ')[2]).capitalize()}.\n")
        themes = tags_of([row["text"] for row in (*promoted, *rows)], most=_THEMES)
        if themes:
            lines.append(f"It was about {', '.join(map(plain, themes))}.\n")
        lines += [
            f"- promoted: {plain(row['text'])} [{row['cited']}, {row['score']:.2f}]"
            for row in promoted
        ]
        lines += [f"- told: {plain(row['text'])} [episode:{row['cited']}]" for row in rows]
    return _page(f"Dreams: {plain(str(store.address))}", lines)


def verification_text(store: Store, facts: VerifiedFacts, day: str) -> str:
    """Return the report of a verification as Markdown: the last dream, what speaks against facts, the verdict."""
    run = next(iter(store.rows(SQL.dreams, {"most": 1})), None) if store.exists else None
    best = store.rows(SQL.promoted_by, {"run": run["id"], "most": _TOLD}) if run else []
    waiting = store.rows(SQL.waiting, {"most": _WAITING}) if store.exists else []
    lines = ["\n## The last dream\n"]
    lines.append(f"- {plain(run['diary'])}" if run else "- none yet")
    lines += [
        f"- promoted: {plain(row['text'])} [{row['cited']}, {row['score']:.2f}]" for row in best
    ]
    lines.append(f"- disputed: {len({one.fact_id for one in facts.findings})}")
    lines += [
        "\n## Conflicts\n",
        "| entry | memory | verification | difference |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {finding.fact_id} | {plain(finding.text)} | {plain(finding.what)} | {finding.kind} |"
        for finding in facts.findings
    ]
    lines += [
        f"| turn {turn.earlier} | | turn {turn.turn} {plain(turn.what)} | {turn.kind} |"
        for turn in facts.turns
    ]
    lines.append("\n## Needs a person\n")
    lines += [f"- {plain(row['text'])} [{row['cited']}]: {plain(row['why'])}" for row in waiting]
    lines += [] if waiting else ["- nothing"]
    lines += [
        "\n## Verdict\n",
        f"{facts.checked} checked, consistency {facts.consistency:g}/10: {facts.verdict}.",
    ]
    return _page(f"Verification of {day}: {plain(str(store.address))}", lines)


def checked_folder(folder: Path) -> Path:
    """Return a folder to write into, with ``~`` read; it need not be there yet.

    Raises
    ------
    UnusableInputError
        When something else has its name, or it cannot be written to.
    """
    path = folder.expanduser()
    nearest = next(parent for parent in (path, *path.parents) if parent.exists())
    if not nearest.is_dir():
        raise UnusableInputError(f'"{nearest}" is no folder', hint="name another folder")
    if not os.access(nearest, os.W_OK):
        raise UnusableInputError(f'"{nearest}" cannot be written to', hint="name another folder")
    return path


def _page(title: str, lines: Sequence[str]) -> str:
    return f"{MARK}\n# {title}\n" + ("\n".join(lines) or "\nNothing yet.") + "\n"


def write_view(path: Path, text: str) -> None:
    """Write a view into a file, whole or not at all.

    Raises
    ------
    FileAccessError
        When there is a file that memctl did not write, or it cannot be written.
    """
    try:
        if standing(path) and not path.read_text("utf-8", "replace").startswith(MARK):
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
