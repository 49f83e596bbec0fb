"""Explanations: why a candidate is promoted or not, with the smallest change that turns the answer.

The change is no guess: the Deep phase is run again with it, on a copy of the store.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from memctl.base.errors import NotFoundError
from memctl.consolidation.dream_results import CandidateSource, Explanation
from memctl.consolidation.scoring.flips import smallest_change
from memctl.semantic.sentences.normal import same_key
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3

    from memctl.consolidation.candidate_table import CandidateTable
    from memctl.consolidation.phases import Phases
    from memctl.store.store import Store

__all__ = ["explain"]

SQL = statements.load("store/candidate")
_DIGITS = 19  # SQLite counts no further


def explain(store: Store, rows: CandidateTable, phases: Phases, what: str | int) -> Explanation:
    """Return the score and the gates of one candidate, and its certificate; reads only.

    Raises
    ------
    NotFoundError
        When there is no such candidate.
    """
    row = _found(store, rows, what)
    ((number, evidence),) = phases.evidence([row]).items()
    as_of = phases.as_of(row)
    judged = phases.judge(number, evidence, as_of)
    change = smallest_change(evidence, phases.profile, as_of)
    stopped = judged.stopped_by
    return Explanation(
        candidate=number,
        text=evidence.text,
        status=row["status"],
        why=row["why"],
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
    )


def _found(store: Store, rows: CandidateTable, what: str | int) -> sqlite3.Row:
    """Return the row of a candidate by its number, its fact's id or its words."""
    text = str(what).strip()
    row = None
    if text.isdecimal() and len(text) < _DIGITS:
        row = store.row(SQL.one, {"id": int(text)})
    elif text.startswith("f_"):
        row = store.row(SQL.of_fact, {"fact": text})
    else:
        row = store.row(SQL.equal, {"equal_key": same_key(text)})
        nearest = None if row is not None else rows.nearest(text)
        row = row if nearest is None else store.row(SQL.one, {"id": nearest})
    if row is None:
        raise NotFoundError(
            f'there is no candidate "{text:.40}"', hint="memctl dream status lists the nearest"
        )
    return row


def _source(row: sqlite3.Row) -> CandidateSource:
    return CandidateSource(
        row["log_id"],
        row["session"],
        row["speaker"],
        row["logged_at"],
        row["start_at"],
        row["end_at"],
        row["said"],
    )
