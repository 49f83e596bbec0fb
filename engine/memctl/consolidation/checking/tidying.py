"""Tidying: Mem0's phases of a dream on facts that are there, as proposals, or applied by a run.

The order is Mem0's: purge (secrets, noise), merge (into the fullest), rewrite (dates, voice,
category), expire. Pinned and immutable facts are left alone. A run merges, rewrites dates and voice,
and expires; what is purged or classified, a person decides.
"""

from __future__ import annotations

import shlex
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from memctl.base import clock
from memctl.base.errors import RefusedError, UsageError
from memctl.base.pattern import Pattern
from memctl.consolidation.runs import facts_of
from memctl.extraction.speakers import with_speaker
from memctl.guard import door
from memctl.semantic.fact_rows import record_change
from memctl.semantic.noise import noise
from memctl.store import statements
from memctl.store.results import Result
from memctl.text.calendar.said_dates import with_days
from memctl.text.closed_words import content_words
from memctl.text.relation import relation

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence

    from memctl.base.user_zone import UserZone
    from memctl.consolidation.runs import Work
    from memctl.store.store import Store

SQL = statements.load("store/tidying")
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
        rows = store.rows(SQL.facts) if store.exists else []
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
                owner = dict(self._store.row(SQL.owner, {"id": proposal.fact_id}) or {})
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
