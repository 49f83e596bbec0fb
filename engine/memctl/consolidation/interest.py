"""Interest that people showed: recalls that brought a candidate up, and feedback that it helped."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from memctl.consolidation.candidate_table import CandidateTable
    from memctl.consolidation.running.runs import Work
    from memctl.store.store import Store

__all__ = ["Interest"]

SQL = statements.load("store/candidate")
_RANKS = 3  # what stands lower was hardly looked at
_MARK = "recall"
_HELPED = 1.0


class Interest:
    """Turns the recalls that were kept since the last run into signals.

    Parameters
    ----------
    store
        The open store.
    rows
        Where the signals go.
    """

    def __init__(self, store: Store, rows: CandidateTable) -> None:
        self._store = store
        self._rows = rows

    @property
    def waiting(self) -> int:
        """How many recalls no run has read."""
        return int(self._store.value(SQL.last_recall)) - self._upto()

    def read(self, work: Work) -> None:
        """Read them in one step."""
        with work.step():
            last = int(self._store.value(SQL.last_recall))
            asked = {"upto": self._upto(), "most": _RANKS}
            count = sum(self._recalled(row) for row in self._store.rows(SQL.recalls_since, asked))
            self._store.execute(SQL.set_mark, {"name": _MARK, "upto": last})
            work.add("read", signals=count + self._helped(work.as_of))

    def _upto(self) -> int:
        return int(self._store.value(SQL.mark, {"name": _MARK}) or 0)

    def _recalled(self, row: sqlite3.Row) -> int:
        # A score has no end; OpenClaw maps the rank of its index onto 0 to 1 in the same way.
        score = max(0.0, row["score"])
        found = set(self._candidates(row["kind"], row["item_id"]))
        shares = self._rows.cover(row["question"], found)
        for candidate, share in shares.items():
            self._rows.signal(
                candidate,
                "recall",
                at=row["asked_at"],
                source=f"recall:{row['id']}",
                score=round(score / (1 + score), 3),
                query=_hash(row["question"]),
                rank=row["rank"],
                cover=round(share, 3),
            )
        return len(found)

    def _helped(self, as_of: str) -> int:
        """Keep what helped; the same mention speaks once, however often it is read."""
        count = 0
        for row in self._store.rows(SQL.helped, {"since": as_of[:8] + "01T00:00:00Z"}):
            for candidate in self._candidates(row["kind"], row["item_id"]):
                self._rows.signal(
                    candidate,
                    "feedback",
                    at=row["used_at"],
                    source=f"recall:{row['recall_id']}",
                    score=_HELPED,
                    query=_hash(row["question"]),
                    rank=row["rank"],
                )
                count += 1
        return count

    def _candidates(self, kind: str, item: int) -> Iterable[int]:
        sql, name = (SQL.of_turn, "turn") if kind == "turn" else (SQL.of_fact_number, "number")
        return [row[0] for row in self._store.rows(sql, {name: item})]


def _hash(question: str) -> str:
    """Return the hash of a question: equal ones in other letters have the same (OpenClaw's)."""
    return hashlib.sha1(question.strip().lower().encode(), usedforsecurity=False).hexdigest()[:12]
