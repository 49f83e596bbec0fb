"""Candidates as rows: a statement, the turns that it rests on, and the same said in other words."""

from __future__ import annotations

import json
from collections import defaultdict
from math import log
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.semantic.sentences.normal import same_key
from memctl.semantic.sentences.opposites import denies, figures_in
from memctl.store import statements
from memctl.text.content_words import word_heads

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Mapping, Sequence

    from memctl.consolidation.scoring.evidence import Evidence
    from memctl.store.store import Store

__all__ = ["CandidateTable", "Heading", "Statement"]

SQL = statements.load("store/candidate")

# Letters that forms of one word share.
_STEM = 6
# Looks for the same in other words: lists of the rarest words, rows of each, texts compared.
_TELLING, _NEWEST, _COMPARED = 5, 30, 12


class Heading(NamedTuple):
    """Where and when something was said: a turn, characters `start` to `end` of it, and the moment."""

    turn: int
    start: int
    end: int
    at: str


class Statement(NamedTuple):
    """A sentence that is worth keeping, as it would be kept.

    Parameters
    ----------
    text
        Names stand for "I", dates for "tomorrow".
    speaker, category
        Who said it, and the kind that its words speak for.
    keep_score
        Points.
    boot_overlap
        Share of its words that the assistant's instructions hold, 0 to 1.
    tags
        Its concepts.
    why
        Why it cannot stand alone; empty where it can.
    """

    text: str
    speaker: str
    category: str | None
    keep_score: float
    standing_order: bool
    boot_overlap: float
    tags: Sequence[str]
    why: str


class CandidateTable:
    """The candidates of one store; whoever writes is inside a step of a run.

    Parameters
    ----------
    store
        The open store.
    alike
        From which share of their words, weighed by rareness, two statements are the same, 0 to 1.
    """

    def __init__(self, store: Store, *, alike: float) -> None:
        self._store = store
        self._alike = alike

    def stage(self, one: Statement, heading: Heading) -> int:
        """Keep a statement, or that one which is known was said once more; return its id."""
        key = same_key(one.text)
        row: dict[str, Any] = {
            **one._asdict(),
            "equal_key": key,
            "standing_order": int(one.standing_order),
            "tags": json.dumps(list(one.tags), ensure_ascii=False),
            "said_at": heading.at,
        }
        known = self._store.row(SQL.equal, {"equal_key": key})
        found = known["id"] if known is not None else self._same(one.text)
        if found is None:
            found = self._store.insert(SQL.add, row)
            words = [{"word": word, "id": found} for word in sorted(_stems(one.text))]
            self._store.execute_many(SQL.add_word, words)
        else:
            self._store.execute(SQL.say_again, {**row, "id": found})
        place = {"id": found, "turn": heading.turn, "start": heading.start, "end": heading.end}
        self._store.execute(SQL.add_source, place)
        return found

    def signal(
        self,
        candidate: int,
        kind: str,
        *,
        at: str,
        source: str,
        score: float,
        query: str = "",
        rank: int | None = None,
    ) -> None:
        """Keep what speaks for a candidate; the same source speaks once."""
        given = {"id": candidate, "kind": kind, "at": at, "source": source, "score": score}
        if self._store.execute(SQL.add_signal, {**given, "query": query, "rank": rank}):
            self._store.execute(SQL.make_due, {"id": candidate})

    def merge(self, candidate: int, into: int, why: str) -> None:
        """Let a candidate be the same statement as another, which takes over what it rests on."""
        both = {"id": candidate, "into": into, "why": why}
        self._store.execute(SQL.hand_on_sources, both)
        self._store.execute(SQL.hand_on_signals, both)
        self._store.execute(SQL.merge, both)

    def several(self, ids: Collection[int]) -> Mapping[int, sqlite3.Row]:
        """Return the rows of some candidates, with their words."""
        rows = self._store.rows(SQL.several, {"ids": json.dumps(sorted(ids))})
        return {row["id"]: row for row in rows}

    def signals(self, ids: Collection[int]) -> Mapping[int, list[sqlite3.Row]]:
        """Return what speaks for some candidates, in the order of its time."""
        found: defaultdict[int, list[sqlite3.Row]] = defaultdict(list)
        for row in self._store.rows(SQL.signals, {"ids": json.dumps(sorted(ids))}):
            found[row["candidate_id"]].append(row)
        return found

    def on(self, store: Store) -> CandidateTable:
        """Return the candidates of a copy of the store."""
        return CandidateTable(store, alike=self._alike)

    def put(self, candidate: int, evidence: Evidence) -> None:
        """Let a candidate that waits have other evidence, for a rehearsal."""
        row = {
            "id": candidate,
            "keep_score": evidence.keep_score,
            "standing_order": int(evidence.standing_order),
            "boot_overlap": evidence.boot_overlap,
            "first_said_at": evidence.first_said_at,
            "last_said_at": evidence.last_said_at,
        }
        self._store.execute(SQL.put, row)
        self._store.execute(SQL.put_no_signals, {"id": candidate})
        for number, one in enumerate(evidence.signals):
            self.signal(
                candidate,
                one.kind,
                at=one.at,
                source=f"rehearsal:{number}",
                score=one.score,
                query=one.query,
                rank=one.rank,
            )

    def nearest(self, text: str) -> int | None:
        """Return the candidate that shares most words with a text; ``None`` where none shares any."""
        found = self._likely(_stems(text), text)
        return found[0][1] if found else None

    def _same(self, text: str) -> int | None:
        """Return the candidate that says the same in other words; ``None`` where there is none.

        "Port 8080" is not "port 9090", and what is denied is not what is said.
        """
        stems = _stems(text)
        found = self._likely(stems, text, same=True) if len(stems) > 1 else []
        return found[0][1] if found and found[0][0] >= self._alike else None

    def _likely(
        self, stems: set[str], text: str, *, same: bool = False
    ) -> Sequence[tuple[float, int]]:
        """Return likeness and number of the candidates that share rare words, the likest first."""
        if not stems:
            return []
        total = int(self._store.value(SQL.size))
        counts = {
            row["word"]: row["count"]
            for row in self._store.rows(SQL.word_counts, {"words": json.dumps(sorted(stems))})
        }
        telling = sorted(stems, key=lambda word: (counts[word], word))[:_TELLING]
        weight = {word: log((total + 1) / (counts[word] + 0.5)) for word in stems}
        shares: defaultdict[int, float] = defaultdict(float)
        for word in telling:
            for (other,) in self._store.rows(SQL.newest_with, {"word": word, "most": _NEWEST}):
                shares[other] += weight[word]
        likely = sorted(shares, key=lambda one: (-shares[one], -one))[:_COMPARED]
        found = (
            (_likeness(stems, set(json.loads(row["words"])), weight), row["id"])
            for row in self.several(likely).values()
            if not same or _may_be_same(text, row["text"])
        )
        return sorted(found, key=lambda one: (-one[0], one[1]))


def _likeness(mine: set[str], its: set[str], weight: Mapping[str, float]) -> float:
    """Return the Jaccard index of two sets of words, weighed by rareness; a strange word weighs most."""
    most = max(weight.values())
    shared = sum(max(0.0, weight[word]) for word in mine & its)
    whole = shared + sum(max(0.0, weight.get(word, most)) for word in mine ^ its)
    return shared / whole if whole > 0 else 0.0


def _may_be_same(text: str, other: str) -> bool:
    """Return whether no figure and no denial tells two texts apart; one may tell more than the other."""
    mine, its = (figures_in(one) for one in (text, other))
    return (mine <= its or its <= mine) and denies(text) == denies(other)


def _stems(text: str) -> set[str]:
    return word_heads(text, _STEM)
