"""Explanations: why a candidate is promoted or not, with the smallest change that turns the answer.

The change is no guess: the Deep phase is run again with it, on a copy of the store.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from memctl.base.errors import NotFoundError
from memctl.consolidation.dream_results import CandidateSource, Explanation, ListedCandidate
from memctl.consolidation.scoring.flips import smallest_change
from memctl.extraction.speakers import with_speaker
from memctl.store import statements
from memctl.store.pages import ListPage, read_page
from memctl.text.normal import same_key

if TYPE_CHECKING:
    import sqlite3

    from memctl.consolidation.candidate_table import CandidateTable
    from memctl.consolidation.phases import Phases
    from memctl.store.store import Store

__all__ = ["explain", "listed"]

SQL = statements.load("store/candidate")
_DIGITS = 19  # SQLite counts no further


def explain(store: Store, rows: CandidateTable, phases: Phases, what: str | int) -> Explanation:
    """Return the score and the gates of one candidate, and its certificate; reads only.

    Raises
    ------
    NotFoundError
        When there is no such candidate.
    """
    row, exact = _found(store, rows, what)
    ((number, evidence),) = phases.evidence([row]).items()
    as_of = phases.as_of(row)
    judged = phases.judge(number, evidence, as_of)
    change = smallest_change(evidence, phases.profile, as_of)
    stopped = judged.stopped_by
    why = row["why"]
    if row["status"] == "staged" and stopped is None:
        why = f"the next run promotes it: at most {phases.profile.limit} in a run"
    return Explanation(
        candidate=number,
        text=evidence.text,
        status=row["status"],
        why=why,
        fact=row["fact_id"],
        profile=phases.profile.name,
        score=round(judged.score.total, 3),
        parts=judged.score.shares,
        gates=judged.gates,
        stopped_by=stopped.name if stopped else "",
        certificate=change.words if change else "",
        proven=change is not None and phases.proves(number, change),
        signals=dict(Counter(signal.kind for signal in evidence.signals)),
        sources=tuple(_source(one) for one in store.rows(SQL.sources, {"id": number})),
        exact=exact,
    )


def listed(
    store: Store, phases: Phases, status: str, limit: int | None
) -> ListPage[ListedCandidate]:
    """Return the candidates of a status, what was said last first; reads only."""
    if not store.exists:
        return ListPage()
    rows = read_page(store, SQL.listed, {"status": status}, lambda row: row, limit)
    row_of = {row["id"]: row for row in rows}
    found = []
    for number, evidence in phases.evidence(rows).items():
        row = row_of[number]
        judged = phases.judge(number, evidence, phases.as_of(row))
        stopped = judged.stopped_by.name if judged.stopped_by and status == "staged" else ""
        score = round(judged.score.total, 3)
        told = (row["last_said_at"], evidence.text, row["why"])
        found.append(ListedCandidate(number, row["status"], score, stopped, *told))
    return ListPage(found, total=rows.total)


def _found(store: Store, rows: CandidateTable, what: str | int) -> tuple[sqlite3.Row, bool]:
    """Return the row of a candidate by its number, its fact's id or its words, and whether it has them."""
    text = str(what).strip()
    row, exact = None, True
    if text.isdecimal() and len(text) < _DIGITS:
        row = store.row(SQL.one, {"id": int(text)})
    elif text.startswith("f_"):
        row = store.row(SQL.of_fact, {"fact": text})
    else:
        row = store.row(SQL.equal, {"equal_key": same_key(with_speaker(text)), **store.owner})
        nearest = None if row is not None else rows.nearest(text)
        if nearest is not None:
            row, exact = store.row(SQL.one, {"id": nearest}), False
    if row is None:
        raise NotFoundError(
            f'there is no candidate "{text:.40}"', hint="memctl dream candidates lists them"
        )
    return row, exact


def _source(row: sqlite3.Row) -> CandidateSource:
    return CandidateSource(
        row["log_id"],
        row["session"],
        row["speaker"],
        row["logged_at"],
        row["start_at"],
        row["end_at"],
        row["said"],
        row["utc_offset"],
    )
