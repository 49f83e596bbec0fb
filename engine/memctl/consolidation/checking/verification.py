"""Facts that may be wrong by now, each with a suggestion that is never applied by itself; and tidying.

Tidying is Mem0's phases of a dream on facts that are there, in its order: purge (secrets, noise),
merge (into the fullest), rewrite (dates, voice, category), expire. Pinned and immutable facts are
left alone. A run merges, rewrites dates and voice, and expires; what is purged or classified, a
person decides.
"""

from __future__ import annotations

import os
import re
import shlex
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path, PureWindowsPath
from typing import TYPE_CHECKING, Literal
from urllib.parse import unquote, urlsplit

from memctl.base import clock
from memctl.base.errors import RefusedError, UsageError
from memctl.base.pattern import Pattern
from memctl.consolidation.runs import facts_of
from memctl.extraction.speakers import with_speaker
from memctl.guard import door
from memctl.semantic.fact_rows import record_change
from memctl.semantic.triage import noise
from memctl.store import statements
from memctl.store.results import Result
from memctl.text.calendar.said_dates import with_days
from memctl.text.closed_words import content_words, word_heads
from memctl.text.relation import relation

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence

    from memctl.base.user_zone import UserZone
    from memctl.consolidation.runs import Work
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


# -- Tidying -------------------------------------------------------------------------------


TIDYING = statements.load("store/tidying")
RUNS = statements.load("store/dream_runs")
_WORDS = 50  # of a merged fact: Mem0's most
_FIRST_PERSON = Pattern(r"\b(?:I|I'm|I've|[Mm]y|[Mm]e|[Mm]ine|[Ww]e|[Oo]ur)\b")

Phase = Literal["purge", "merge", "rewrite", "expire"]
_ORDER: tuple[Phase, ...] = ("purge", "merge", "rewrite", "expire")
_DONE = {"merge": "merged", "rewrite": "rewritten", "expire": "expired"}


@dataclass(frozen=True, slots=True)
class TidyProposal(Result):
    """A change of a fact that a person may want.

    Parameters
    ----------
    phase
        ``purge``, ``merge``, ``rewrite`` or ``expire``.
    fact_id, text
        The fact; a secret in its text is masked.
    why
        The reason.
    suggestion
        The command of ``memctl`` that does it.
    becomes
        The new text of a rewrite; empty where a person has to find it.
    """

    phase: Phase
    fact_id: str
    text: str
    why: str
    suggestion: str
    becomes: str = ""


class Tidying:
    """Finds what could be tidied among the facts of one store, and does it inside a run."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def proposals(self, as_of: str) -> tuple[TidyProposal, ...]:
        """Return the changes that would tidy the facts at a moment, in the order of the phases; reads only."""
        store, zone = self._store, self._store.zone
        rows = store.rows(TIDYING.facts) if store.exists else []
        purged = list(_purged(store, rows))
        gone = {proposal.fact_id for proposal in purged}
        kept = [row for row in rows if row["id"] not in gone]
        result = [*purged, *_merged(kept), *_rewritten(kept, zone), *_expired(kept, as_of, zone)]
        return tuple(sorted(result, key=lambda proposal: _ORDER.index(proposal.phase)))

    def applicable(self, as_of: str) -> Sequence[TidyProposal]:
        """Return those that a run may apply: one a fact, since what is merged is not rewritten."""
        result: dict[str, TidyProposal] = {}
        for proposal in self.proposals(as_of):
            if proposal.phase in {"merge", "expire"} or proposal.becomes:
                result.setdefault(proposal.fact_id, proposal)
        return list(result.values())

    def apply(self, work: Work) -> None:
        """Merge, rewrite and expire, each in a step; the report counts them, and what was refused."""
        shown: list[dict[str, str]] = work.shown.setdefault("tidy", {}).setdefault("changes", [])
        for proposal in self.applicable(work.as_of):
            with work.step():
                refused = self._do(proposal)
                work.add("tidy", **{"refused" if refused else _DONE[proposal.phase]: 1})
            change = {"phase": proposal.phase, "fact": proposal.fact_id, "text": proposal.text}
            shown.append({**change, "why": refused or proposal.why, "becomes": proposal.becomes})

    def _do(self, proposal: TidyProposal) -> str:
        """Apply a proposal; return why it was refused, empty where it was not."""
        if proposal.becomes:
            try:
                owner = dict(self._store.row(TIDYING.owner, {"id": proposal.fact_id}) or {})
                facts_of(self._store, owner).update(proposal.fact_id, proposal.becomes)
            except (RefusedError, UsageError) as error:
                return str(error)[:200]
            return ""
        now = clock.now()
        self._store.execute(
            RUNS.forget_fact, {"id": proposal.fact_id, "why": proposal.why, "now": now}
        )
        record_change(
            self._store, proposal.fact_id, "DELETE", proposal.text, None, proposal.why, "dream", now
        )
        return ""


def _purged(store: Store, rows: Sequence[sqlite3.Row]) -> Iterator[TidyProposal]:
    for row in rows:
        rule = door.find_rule(store, row["text"])
        if rule:
            text = door.masked(store, row["text"])
            yield TidyProposal(
                "purge", row["id"], text, f"holds a secret ({rule})", f"memory forget {row['id']}"
            )
        elif why := noise(row["text"]):
            yield _forgotten("purge", row, why)


def _merged(rows: Sequence[sqlite3.Row]) -> Iterator[TidyProposal]:
    """Yield the facts whose words a fuller one has; their rarest word finds it."""
    words = [frozenset(content_words(row["text"])) for row in rows]
    often = Counter(word for held in words for word in held)
    holders: dict[str, list[int]] = defaultdict(list)
    for at, held in enumerate(words):
        for word in held:
            holders[word].append(at)
    for at, held in enumerate(words):
        rarest = min(held, key=lambda word: (often[word], word), default="")
        fuller = (i for i in holders[rarest] if i != at and _says_as_much(rows[i], rows[at]))
        best = max(fuller, key=lambda i: (len(words[i]), -i), default=at)
        # Of two with the same words the first stays.
        if (len(words[best]), -best) > (len(held), -at):
            yield _forgotten("merge", rows[at], f"{rows[best]['id']} says as much")


def _says_as_much(row: sqlite3.Row, other: sqlite3.Row) -> bool:
    """Return whether a fact includes another of the same person."""
    return (
        len(row["text"].split()) <= _WORDS
        and all(row[column] == other[column] for column in ("user_id", "agent_id", "project"))
        and relation(row["text"], other["text"]).kind in {"same", "adds"}
    )


def _rewritten(rows: Sequence[sqlite3.Row], zone: UserZone) -> Iterator[TidyProposal]:
    for row in rows:
        fact_id, text = row["id"], row["text"]
        whys, becomes = [], text
        dated = with_days(text, zone.local(row["valid_from"]))
        if not dated.why_not and dated.text != text:
            whys.append(f"said on {zone.day(row['valid_from'])}: {dated.text}")
            becomes = dated.text
        if _FIRST_PERSON.search(text):
            whys.append("speaks in the first person")
            becomes = with_speaker(becomes)
        if whys:
            becomes = becomes if becomes != text and not _FIRST_PERSON.search(becomes) else ""
            command = f"memory update {fact_id} {shlex.quote(becomes)}".rstrip(" '")
            yield TidyProposal("rewrite", fact_id, text, "; ".join(whys), command, becomes)
        if row["category"] is None:
            why = "has no category"
            yield TidyProposal("rewrite", fact_id, text, why, "classify --apply")


def _expired(rows: Sequence[sqlite3.Row], as_of: str, zone: UserZone) -> Iterator[TidyProposal]:
    for row in rows:
        if row["expires_at"] and row["expires_at"] <= as_of:
            yield _forgotten("expire", row, f"expired on {zone.day(row['expires_at'])}")


def _forgotten(phase: Phase, row: sqlite3.Row, why: str) -> TidyProposal:
    return TidyProposal(phase, row["id"], row["text"], why, f"memory forget {row['id']}")
