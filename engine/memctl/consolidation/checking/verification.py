"""Verification: facts that may be wrong by now, each with a suggestion that is never applied by itself."""

from __future__ import annotations

import os
import re
import shlex
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from memctl.base.pattern import Pattern
from memctl.store import statements
from memctl.store.results import Result
from memctl.text.calendar.said_dates import with_days
from memctl.text.closed_words import word_heads

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

    from memctl.base.user_zone import UserZone
    from memctl.store.store import Store

SQL = statements.load("store/verification")
CHANGES = statements.load("store/turn_change")
_MOST_TURNS = 50
_GROUNDED = 0.5  # of a promoted text's words, that its turns hold
_NAMES = frozenset({"user"})
# A path is absolute, or its last part ends like a file: "CI/CD" and "km/h" are none. Code endings are in names
# of technology too ("Node.js"): a bare name with one counts only where it is quoted or has a "_" or "-".
_CODE = r"\.(?:py|js|ts|sh|html?|css|rs|go|java|c|h|cpp)"
_TEXT = r"\.(?:txt|md|toml|json|ya?ml|csv|ini|cfg|sql|ipynb|lock)"
_PATH = Pattern(
    r"(?<![\w/.:@~+-])(?:(?:file://|[A-Za-z]:\\)[^\s\"'<>]*[^\s\"'<>.,;:)]|"
    r"/(?:[\w.+-]+/)+[\w.+-]*\w|(?:~|\.\.?)/[\w.+/-]*\w|"
    rf"(?:\.?[a-z\d_][\w+-]*/)+[\w.+-]*(?:{_CODE}|{_TEXT})|[\w+-]+(?:\.[\w+-]+)*{_TEXT}|"
    rf"\w+[_-][\w+-]*{_CODE}|(?<=[`\"'])[\w+-]+{_CODE}(?=[`\"']))(?![\w/]|\.\w)",
    re.ASCII,
)


@dataclass(frozen=True, slots=True)
class FactFinding(Result):
    """Evidence against a fact as it is.

    Parameters
    ----------
    kind
        ``conflict``, ``doubt``, ``relative date``, ``stale path``, ``expired`` or ``not grounded``.
    fact_id, text
        The fact.
    what
        What was found.
    suggestion
        What a person could do: a command on each line. Nothing is done by itself.
    """

    kind: str
    fact_id: str
    text: str
    what: str
    suggestion: str


@dataclass(frozen=True, slots=True)
class TurnFinding(Result):
    """Two turns of which the later one contradicts the earlier.

    Parameters
    ----------
    turn, earlier
        Their numbers.
    kind
        ``update`` or ``contradiction``.
    what
        What the later turn says against the earlier one.
    """

    turn: int
    earlier: int
    kind: str
    what: str


@dataclass(frozen=True, slots=True)
class VerifiedFacts(Result):
    """A check of all valid facts.

    Parameters
    ----------
    checked
        How many facts were looked at.
    findings
        What speaks against some, in the order of the facts.
    consistency
        0 to 10: ten times the share of facts that nothing speaks against.
    verdict
        ``reliable`` from 9 on, else ``uncertain``; ``nothing to check`` where no fact holds.
    turns
        Turns that say otherwise than earlier ones, the newest first, at most 50.
    """

    checked: int
    findings: tuple[FactFinding, ...]
    consistency: float
    verdict: str
    turns: tuple[TurnFinding, ...] = ()


_RELIABLE = 9.0


def verify(store: Store, as_of: str, *, paths: Path | None = None) -> VerifiedFacts:
    """Check the valid facts; reads only.

    Parameters
    ----------
    as_of
        The moment that facts expire by.
    paths
        A folder below which the files that facts name are looked up; ``None``: they are not. No URL
        is asked: only ``file:`` ones are looked up.
    """
    rows = store.rows(SQL.facts) if store.exists else []
    findings = tuple(one for row in rows for one in _findings(row, as_of, paths, store.zone))
    against = len({finding.fact_id for finding in findings})
    consistency = round(10 * (1 - against / len(rows)), 1) if rows else 10.0
    verdict = "reliable" if consistency >= _RELIABLE else "uncertain"
    verdict = verdict if rows else "nothing to check"
    pairs = store.rows(CHANGES.newest, {"most": _MOST_TURNS}) if store.exists else []
    turns = tuple(
        TurnFinding(*(row[name] for name in ("new_id", "old_id", "kind", "why"))) for row in pairs
    )
    return VerifiedFacts(len(rows), findings, consistency, verdict, turns)


def _findings(
    row: sqlite3.Row, as_of: str, paths: Path | None, zone: UserZone
) -> Iterator[FactFinding]:
    fact_id, text = row["id"], row["text"]

    def finding(kind: str, what: str, suggestion: str) -> FactFinding:
        return FactFinding(kind, fact_id, text, what, suggestion)

    decide = f"memctl pending approve {fact_id}\nmemctl pending reject {fact_id}"
    forget = f"memctl memory forget {fact_id}"
    if row["may_replace"]:
        what = f"may replace {row['may_replace']}"
        yield finding("conflict", what, decide)
    if row["doubt"]:
        yield finding("doubt", row["doubt"], decide)
    if row["category"] == "operational" and row["expires_at"] and row["expires_at"] <= as_of:
        what = f"expired on {zone.day(row['expires_at'])}"
        yield finding("expired", what, forget)
    dated = with_days(text, zone.local(row["valid_from"]))
    if not dated.why_not and dated.text != text:
        what = f"said on {zone.day(row['valid_from'])}: {dated.text}"
        update = f"memctl memory update {fact_id} {shlex.quote(dated.text)}"
        yield finding("relative date", what, update)
    if row["promoted"] and not _grounded(text, row["said"] or ""):
        what = "no turn that it was promoted from says it any more"
        yield finding("not grounded", what, forget)
    if paths is not None:
        for path in sorted({match[0] for match in _PATH.finditer(text)}):
            if not _is_there(path, paths):
                yield finding("stale path", f'"{path}" is not there', forget)


def _grounded(text: str, said: str) -> bool:
    words, held = word_heads(text) - _NAMES, word_heads(said)
    return not words or len(words & held) >= _GROUNDED * len(words)


def _is_there(path: str, below: Path) -> bool:
    """Return whether a file that a fact names exists: by that path, or below a folder."""
    if PureWindowsPath(path).drive and os.name != "nt":
        return True  # nobody can tell
    named = unquote(urlsplit(path).path) if path.startswith("file:") else path
    try:
        return (below / Path(named).expanduser()).exists()
    except (OSError, ValueError, RuntimeError):
        return False
