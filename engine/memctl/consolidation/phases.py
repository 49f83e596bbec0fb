"""Phases of a dream: Light gathers, REM reflects, Deep alone promotes.

Each reads what the one before it left as rows, so that a killed run goes on where it was.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import asdict
from math import log, log1p
from typing import TYPE_CHECKING, Any, NamedTuple

from memctl.base import clock
from memctl.base.errors import RefusedError, UsageError
from memctl.consolidation.dream_results import Promotion
from memctl.consolidation.runs import facts_of
from memctl.consolidation.scoring import Evidence, Judged, Signal, distinct_days, judge
from memctl.store import statements
from memctl.text.closed_words import content_words
from memctl.text.normal import equal_key

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from memctl.config.dream_settings import ScoreSet
    from memctl.consolidation.candidate_table import CandidateTable
    from memctl.consolidation.runs import Work
    from memctl.semantic.facts import Facts
    from memctl.semantic.records import Written
    from memctl.store.store import Store

SQL = statements.load("store/candidate")
_LIGHT_DAYS, _REM_DAYS = 2, 7
_NEAREST = 3
# What was said longer ago is judged again when something new speaks for it.
_WINDOW_DAYS = 30
_COURTESY = frozenset(["please", "kindly"])
_NEAR = 0.88  # of all their words, shared by two lasting truths that are one
_LASTING = 0.45
_FEW = 3
# The columns of a `Signal`, in its order.
_SIGNAL = ("kind", "day", "question_key", "rank", "score", "heard_at", "cover")


class RankedCandidate(NamedTuple):
    """One candidate by its number, with all that its score reads, the score and the gates."""

    id: int
    evidence: Evidence
    judged: Judged

    @property
    def order(self) -> tuple[float, int, str]:
        """The key to sort by: score, recalls, then the text."""
        recalls = sum(signal.kind == "recall" for signal in self.evidence.signals)
        return (-self.judged.score, -recalls, self.evidence.text)


class Phases:
    """The three phases over the candidates of one store.

    Parameters
    ----------
    rows
        Its candidates.
    facts
        Where what is promoted goes.
    numbers
        Of the score and the gates.
    """

    def __init__(self, store: Store, rows: CandidateTable, facts: Facts, numbers: ScoreSet) -> None:
        self._store = store
        self._rows = rows
        self._facts = facts
        self.numbers = numbers

    def light(self, work: Work) -> None:
        """Stage the latest statements, and unite those of the same meaning; in one step."""
        with work.step():
            touched = self._touched("light", work.as_of, _LIGHT_DAYS)
            evidence = self.evidence(touched)
            merged = 0
            for numbers in self._by_owner(touched):
                for repeated, into in duplicates([evidence[number] for number in numbers]):
                    why = f"says the same as candidate {numbers[into]}"
                    self._rows.merge(numbers[repeated], numbers[into], why)
                    merged += 1
            for number in evidence:
                self._store.execute(SQL.take_up_light, {"id": number, "now": work.as_of})
            work.report["light"] = {"staged": len(touched) - merged, "merged": merged}

    def rem(self, work: Work) -> None:
        """Find what may last among what Light staged this week; in one step."""
        with work.step():
            evidence = self.evidence(self._touched("rem", work.as_of, _REM_DAYS))
            truths = lasting_truths(evidence, work.as_of)
            for number in truths:
                self._store.execute(SQL.take_up_rem, {"id": number, "now": work.as_of})
            for number in evidence:
                self._store.execute(SQL.seen_by_rem, {"id": number, "now": work.as_of})
            work.report["rem"] = {"found": len(truths)}
            work.shown["rem"] = {"truths": [evidence[number].text for number in truths]}

    def deep(self, work: Work) -> None:
        """Promote what passes every gate, the best first, each in a step of its own."""
        ranked = self.ranked(work.as_of)
        passed = [candidate for candidate in ranked if candidate.judged.stopped_by is None]
        if "deep" not in work.report:
            with work.step():
                work.report["deep"] = {**_counted(ranked), "promoted": 0, "tried": 0}
        room = int(self.numbers.limit) - work.report["deep"]["tried"]
        waiting = {candidate.id for candidate in passed[max(0, room) :]}
        shown = {"promotions": [], "waiting": len(waiting), "nearest": _nearest(ranked)}
        work.shown["deep"] = shown
        for candidate in passed[: max(0, room)]:
            ((_, known),) = self.evidence(self._rows.several([candidate.id]).values()).items()
            now = self.judge(candidate.id, known, work.as_of)
            if now.judged.stopped_by is None:  # an earlier promotion may speak for it no more
                self.promote(work, now)
        with work.step():  # what passed and found no room is due the next time
            judged = [candidate.id for candidate in ranked if candidate.id not in waiting]
            self._store.execute(SQL.judged, {"ids": json.dumps(judged)})

    def outlook(self, as_of: str) -> dict[str, Any]:
        """Return the counts of each gate and the nearest candidates; reads only."""
        ranked = self.ranked(as_of)
        return {**_counted(ranked), "promoted": 0, "nearest": _nearest(ranked)}

    def waits(self, phase: str, as_of: str) -> bool:
        """Return whether Light or REM has anything to take up."""
        return bool(self._touched(phase, as_of, _LIGHT_DAYS if phase == "light" else _REM_DAYS))

    def as_of(self, row: sqlite3.Row) -> str:
        """Return the moment to judge a candidate by: now, or when it was promoted."""
        return self._store.value(SQL.promoted_at, {"id": row["id"]}) or clock.now()

    def ranked(self, as_of: str) -> Sequence[RankedCandidate]:
        """Return the candidates that wait, scored, the best first; reads only."""
        since = clock.moved(as_of, days=-_WINDOW_DAYS)
        evidence = self.evidence(self._store.rows(SQL.staged, {"since": since}))
        ranked = [self.judge(number, candidate, as_of) for number, candidate in evidence.items()]
        return sorted(ranked, key=lambda candidate: candidate.order)

    def judge(self, number: int, evidence: Evidence, as_of: str) -> RankedCandidate:
        """Score one candidate and ask every gate."""
        return RankedCandidate(number, evidence, judge(evidence, self.numbers, as_of))

    def evidence(self, rows: Iterable[sqlite3.Row]) -> Mapping[int, Evidence]:
        """Return all that a score reads of some candidates, by their numbers."""
        result = list(rows)
        numbers = [row["id"] for row in result]
        signals, rivals = self._rows.signals(numbers), self._rows.rivals(numbers)
        known = self._rows.known(numbers)
        return {
            row["id"]: _evidence(
                row,
                signals.get(row["id"], []),
                rivals.get(row["id"], ""),
                promoted=row["status"] == "promoted" or row["id"] in known,
            )
            for row in result
        }

    def _by_owner(self, rows: Iterable[sqlite3.Row]) -> Collection[Sequence[int]]:
        """Return the numbers of candidates, those of one owner together."""
        result: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        for row in rows:
            result[tuple(row[column] for column in self._store.owner)].append(row["id"])
        return result.values()

    def _facts_of(self, candidate: int) -> Facts:
        """Return the facts to which a candidate would belong: those of its speaker."""
        row = self._store.row(SQL.one, {"id": candidate})
        owner = {column: row[column] for column in self._store.owner} if row else {}
        return self._facts if owner == self._store.owner else facts_of(self._store, owner)

    def _touched(self, phase: str, as_of: str, days: int) -> Sequence[sqlite3.Row]:
        since = clock.moved(as_of, days=-days)
        return self._store.rows(SQL.touched, {"phase": phase, "since": since, "now": as_of})

    def promote(self, work: Work, candidate: RankedCandidate) -> Promotion:
        """Make a fact of a candidate, in one step, and return the outcome."""
        with work.step():
            written, why = self._written(candidate)
            if written is None or written.id is None:
                self._store.execute(SQL.drop_it, {"id": candidate.id, "why": why})
                work.wrote("dropped", [candidate.id])
            else:
                self._record(work, candidate, written)
            fact, event, other = (
                (written.id, written.event, written.other) if written else (None, "", None)
            )
            done = Promotion(candidate.id, candidate.evidence.text, fact, event, other, why)
            counts = work.report.setdefault("deep", {"promoted": 0, "tried": 0})
            counts["tried"] += 1
            counts["promoted"] += fact is not None
            work.shown.setdefault("deep", {}).setdefault("promotions", []).append(asdict(done))
            return done

    def _written(self, candidate: RankedCandidate) -> tuple[Written | None, str]:
        """Store a candidate as a fact; return what became of it, and why it became none."""
        evidence = candidate.evidence
        try:
            (stored,) = (
                self._facts_of(candidate.id)
                .store(
                    [evidence.text],
                    category=evidence.category,
                    source=f"dream:candidate {candidate.id}",
                    valid_from=evidence.first_said_at,
                )
                .written
            )
        except (RefusedError, UsageError) as error:
            return None, str(error)[:200]
        return stored, "" if stored.id else stored.why

    def _record(self, work: Work, candidate: RankedCandidate, stored: Written) -> None:
        self._store.execute(SQL.promote, {"id": candidate.id, "fact": stored.id})
        promotion = {
            "run": work.id,
            "id": candidate.id,
            "fact": stored.id,
            "event": stored.event,
            "score": round(candidate.judged.score, 3),
            "parts": json.dumps(candidate.judged.shares),
            "lane": candidate.judged.gates[-1].name,  # the last gate that it passed
            "now": work.as_of,
        }
        self._store.execute(SQL.add_promotion, promotion)


def _evidence(
    row: sqlite3.Row, signals: Sequence[sqlite3.Row], rival: str, *, promoted: bool
) -> Evidence:
    return Evidence(
        text=row["text"],
        category=row["category"],
        keep_score=row["keep_score"],
        standing_order=bool(row["standing_order"]),
        stands_alone=not row["why"] or row["status"] == "dropped",  # then it says why it was
        rival=rival,
        boot_overlap=row["boot_overlap"],
        tags=tuple(json.loads(row["tags"])),
        first_said_at=row["first_said_at"],
        last_said_at=row["last_said_at"],
        signals=tuple(Signal(*(signal[name] for name in _SIGNAL)) for signal in signals),
        light_hits=row["light_hits"],
        light_at=row["light_at"],
        rem_hits=row["rem_hits"],
        rem_at=row["rem_at"],
        promoted=promoted,
    )


def _counted(ranked: Sequence[RankedCandidate]) -> dict[str, Any]:
    """Return how many passed, and how many each gate stopped."""
    gates = [candidate.judged.stopped_by for candidate in ranked]
    return {
        "ranked": len(ranked),
        "passed": gates.count(None),
        "stopped": dict(Counter(gate.name for gate in gates if gate is not None)),
    }


def _nearest(ranked: Sequence[RankedCandidate]) -> list[dict[str, Any]]:
    """Return those that came nearest of what a gate stopped."""
    stopped = [(each, gate) for each in ranked if (gate := each.judged.stopped_by) is not None]
    return [
        {
            "candidate": candidate.id,
            "text": candidate.evidence.text,
            "score": round(candidate.judged.score, 3),
            "gate": gate.name,
            "value": gate.value,
            "wanted": gate.wanted,
        }
        for candidate, gate in stopped[:_NEAREST]
    ]


def duplicates(statements: Sequence[Evidence]) -> tuple[tuple[int, int], ...]:
    """Return the places of statements that repeat another one, each with that one's place.

    The one that was said first is kept. Two are the same word for word, but for articles and
    courtesy: whether "tea over coffee" or "without sugar" repeats another sentence, no share of
    its words tells.
    """
    first = sorted(
        range(len(statements)), key=lambda place: (statements[place].first_said_at, place)
    )
    kept: dict[tuple[str, ...], int] = {}
    result = []
    for place in first:
        words = equal_key(statements[place].text).split()
        same = kept.setdefault(tuple(word for word in words if word not in _COURTESY), place)
        if same != place:
            result.append((place, same))
    return tuple(sorted(result))


def lasting_truths(statements: Mapping[int, Evidence], as_of: str) -> Sequence[int]:
    """Return the three statements that may last, the surest first, without near duplicates.

    The confidence is OpenClaw's: .45 average score + .25 ln(1 + recalls) / ln 7 + .20 days / 3 + .10
    tags / 6, each at most 1; from .45 on, and never what is a fact already.
    """
    sure = {
        number: _confidence(statement.until(as_of))
        for number, statement in statements.items()
        if not statement.promoted
    }
    chosen: dict[int, frozenset[str]] = {}
    for number in sorted(sure, key=lambda number: (-sure[number], statements[number].text)):
        if len(chosen) == _FEW or sure[number] < _LASTING:
            break
        words = frozenset(content_words(statements[number].text))
        if all(len(words & other) < _NEAR * len(words | other) for other in chosen.values()):
            chosen[number] = words
    return list(chosen)


def _confidence(known: Evidence) -> float:
    average = sum(one.score for one in known.signals) / max(1, len(known.signals))
    recalls = sum(signal.kind == "recall" for signal in known.signals)
    return (
        0.45 * min(1.0, average)
        + 0.25 * min(1.0, log1p(recalls) / log(7))
        + 0.20 * min(1.0, len(distinct_days(known.signals)) / 3)
        + 0.10 * min(1.0, len(known.tags) / 6)
    )
