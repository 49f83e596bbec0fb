"""Phases of a dream: Light gathers, REM reflects, Deep alone promotes.

Each reads what the one before it left as rows, so that a killed run goes on where it was.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from memctl.base import clock
from memctl.base.errors import RefusedError, UsageError
from memctl.base.scope import Scope
from memctl.config.settings import Settings
from memctl.consolidation.dream_results import Promotion
from memctl.consolidation.running.rehearsal import rehearsal
from memctl.consolidation.running.runs import Runs
from memctl.consolidation.scoring.evidence import Evidence, Signal
from memctl.consolidation.scoring.staging import duplicates, lasting_truths, themes
from memctl.semantic.facts import Facts
from memctl.store import statements

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from memctl.consolidation.candidate_table import CandidateTable
    from memctl.consolidation.running.runs import Work
    from memctl.consolidation.scoring.flips import Flip
    from memctl.consolidation.scoring.profiles import DeepGate, DeepScore, Profile
    from memctl.semantic.records import Written
    from memctl.store.store import Store

__all__ = ["Phases", "RankedCandidate"]

SQL = statements.load("store/candidate")
_LIGHT_DAYS, _REM_DAYS = 2, 7
_NEAREST = 3
# What was said longer ago is judged again when something new speaks for it.
_WINDOW_DAYS = 30


@dataclass(frozen=True, slots=True)
class RankedCandidate:
    """One candidate with its score, and the gates that it was asked at.

    Parameters
    ----------
    id
        Its number.
    evidence
        All that its score reads.
    score
        The parts and their sum.
    gates
        In the order in which they are asked.
    """

    id: int
    evidence: Evidence
    score: DeepScore
    gates: tuple[DeepGate, ...]

    @property
    def stopped_by(self) -> DeepGate | None:
        """The first gate that it does not pass; ``None`` where it passes all."""
        return next((gate for gate in self.gates if not gate.passed), None)


class Phases:
    """The three phases over the candidates of one store.

    Parameters
    ----------
    store
        The open store.
    rows
        Its candidates.
    facts
        Where what is promoted goes.
    profile
        Whose formula and thresholds.
    """

    def __init__(self, store: Store, rows: CandidateTable, facts: Facts, profile: Profile) -> None:
        self._store = store
        self._rows = rows
        self._facts = facts
        self.profile = profile

    def light(self, work: Work) -> None:
        """Stage what was said lately, and let the same in other words be one; in one step."""
        with work.step():
            found = self._touched("light", work.as_of, _LIGHT_DAYS)
            evidence = self.evidence(found)
            merged = 0
            for numbers in self._by_owner(found):
                for one, into in duplicates([evidence[number] for number in numbers]):
                    why = f"says the same as candidate {numbers[into]}"
                    self._rows.merge(numbers[one], numbers[into], why)
                    merged += 1
            for number in evidence:
                self._store.execute(SQL.take_up_light, {"id": number, "now": work.as_of})
            work.report["light"] = {"staged": len(found) - merged, "merged": merged}

    def rem(self, work: Work) -> None:
        """Find themes and lasting truths among what Light staged this week; in one step."""
        with work.step():
            evidence = self.evidence(self._touched("rem", work.as_of, _REM_DAYS))
            truths = lasting_truths(list(evidence.values()), work.as_of)
            number_of = {id(one): number for number, one in evidence.items()}
            for truth in truths:
                taken = {"id": number_of[id(truth.evidence)], "now": work.as_of}
                self._store.execute(SQL.take_up_rem, taken)
            for number in evidence:
                self._store.execute(SQL.seen_by_rem, {"id": number, "now": work.as_of})
            found = [theme.tag for theme in themes(list(evidence.values())) if theme.count > 1]
            told = [truth.evidence.text for truth in truths]
            work.report["rem"] = {"found": len(found) + len(told)}
            work.shown["rem"] = {"themes": found, "truths": told}

    def deep(self, work: Work) -> None:
        """Promote what passes every gate, the best first, each in a step of its own."""
        ranked = self.ranked(work.as_of)
        passed = [one for one in ranked if one.stopped_by is None]
        if "deep" not in work.report:
            with work.step():
                work.report["deep"] = {**_counted(ranked), "promoted": 0, "tried": 0}
        room = self.profile.limit - work.report["deep"]["tried"]
        waiting = {one.id for one in passed[max(0, room) :]}
        shown = {"promotions": [], "waiting": len(waiting), "nearest": _nearest(ranked)}
        work.shown["deep"] = shown
        for one in passed[: max(0, room)]:
            now = self._again(one.id, work.as_of)
            if now.stopped_by is None:  # an earlier promotion may speak for it no more
                self.promote(work, now)
        with work.step():  # what passed and found no room is due the next time
            judged = [one.id for one in ranked if one.id not in waiting]
            self._store.execute(SQL.judged, {"ids": json.dumps(judged)})

    def _again(self, number: int, as_of: str) -> RankedCandidate:
        ((_, evidence),) = self.evidence(self._rows.several([number]).values()).items()
        return self.judge(number, evidence, as_of)

    def outlook(self, as_of: str) -> dict[str, Any]:
        """Return the counts of each gate and the nearest candidates; reads only."""
        ranked = self.ranked(as_of)
        return {**_counted(ranked), "promoted": 0, "nearest": _nearest(ranked)}

    def waits(self, phase: str, as_of: str) -> bool:
        """Return whether Light or REM has anything to take up."""
        return bool(self._touched(phase, as_of, _LIGHT_DAYS if phase == "light" else _REM_DAYS))

    def proves(self, number: int, change: Flip) -> bool:
        """Return whether Deep, run again on a copy of the store, turns its answer with a change."""
        with rehearsal(self._store) as copy:
            rows = self._rows.on(copy)
            facts = Facts(copy, Settings(copy, dict(copy.flags)))
            phases = Phases(copy, rows, facts, change.profile)
            with Runs(copy).work("dream", profile=change.profile.name) as work:
                work.as_of = change.as_of
                with work.step():
                    rows.put(number, change.evidence)
                ranked = (one for one in phases.ranked(change.as_of) if one.id == number)
                found = next((one for one in ranked if one.stopped_by is None), None)
                made = phases.promote(work, found) if found else None
        return (made is not None and made.fact is not None) == change.promotes

    def as_of(self, row: sqlite3.Row) -> str:
        """Return the moment to judge a candidate by: now, or when it was promoted."""
        return self._store.value(SQL.promoted_at, {"id": row["id"]}) or clock.now()

    def ranked(self, as_of: str) -> Sequence[RankedCandidate]:
        """Return the candidates that wait, scored, the best first; reads only."""
        since = _days_before(as_of, _WINDOW_DAYS)
        evidence = self.evidence(self._store.rows(SQL.staged, {"since": since}))
        ranked = [self.judge(number, one, as_of) for number, one in evidence.items()]
        return sorted(ranked, key=lambda one: self.profile.order(one.evidence, one.score))

    def judge(self, number: int, evidence: Evidence, as_of: str) -> RankedCandidate:
        """Score one candidate and ask every gate."""
        score = self.profile.score(evidence, as_of)
        return RankedCandidate(number, evidence, score, self.profile.gates(evidence, score, as_of))

    def evidence(self, rows: Iterable[sqlite3.Row]) -> Mapping[int, Evidence]:
        """Return all that a score reads of some candidates, by their numbers."""
        found = list(rows)
        numbers = [row["id"] for row in found]
        kin = self.profile.formula.reads_near
        signals, rivals = self._rows.signals(numbers, kin=kin), self._rows.rivals(numbers)
        return {
            row["id"]: _evidence(row, signals.get(row["id"], []), rivals.get(row["id"], ""))
            for row in found
        }

    def _by_owner(self, rows: Iterable[sqlite3.Row]) -> Collection[Sequence[int]]:
        """Return the numbers of candidates, those of one owner together."""
        found: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        for row in rows:
            found[tuple(row[column] for column in self._store.owner)].append(row["id"])
        return found.values()

    def _facts_of(self, candidate: int) -> Facts:
        """Return the facts among which a candidate goes: those of whoever said it."""
        row = self._store.row(SQL.one, {"id": candidate})
        owner = {column: row[column] for column in self._store.owner} if row else {}
        if owner == self._store.owner:
            return self._facts
        scope = Scope(owner["user_id"], owner["agent_id"], project=owner["project"])
        return Facts(self._store, Settings(self._store, dict(self._store.flags)), scope)

    def _touched(self, phase: str, as_of: str, days: int) -> Sequence[sqlite3.Row]:
        since = _days_before(as_of, days)
        return self._store.rows(SQL.touched, {"phase": phase, "since": since, "now": as_of})

    def promote(self, work: Work, one: RankedCandidate) -> Promotion:
        """Make a fact of a candidate, in one step, and tell what became of it."""
        with work.step():
            lane = self.profile.lane(one.evidence, one.score, work.as_of).name
            written, why = self._written(one)
            if written is None or written.id is None:
                self._store.execute(SQL.drop_it, {"id": one.id, "why": why})
            else:
                self._record(work, one, written, lane)
            fact, event, other = (
                (written.id, written.event, written.other) if written else (None, "", None)
            )
            done = Promotion(one.id, one.evidence.text, fact, event, other, lane, why)
            counts = work.report.setdefault("deep", {"promoted": 0, "tried": 0})
            counts["tried"] += 1
            counts["promoted"] += fact is not None
            work.shown.setdefault("deep", {}).setdefault("promotions", []).append(asdict(done))
            return done

    def _written(self, one: RankedCandidate) -> tuple[Written | None, str]:
        """Store a candidate as a fact; return what became of it, and why it became none."""
        evidence = one.evidence
        try:
            stored = (
                self._facts_of(one.id)
                .store(
                    [evidence.text],
                    category=evidence.category,
                    source=f"dream:candidate {one.id}",
                    valid_from=evidence.first_said_at,
                )
                .written[0]
            )
        except (RefusedError, UsageError) as error:
            return None, str(error)[:200]
        return stored, "" if stored.id else stored.why

    def _record(self, work: Work, one: RankedCandidate, stored: Written, lane: str) -> None:
        self._store.execute(SQL.promote, {"id": one.id, "fact": stored.id})
        promotion = {
            "run": work.id,
            "id": one.id,
            "fact": stored.id,
            "event": stored.event,
            "score": round(one.score.total, 3),
            "parts": json.dumps(one.score.shares),
            "lane": lane,
            "now": work.as_of,
        }
        self._store.execute(SQL.add_promotion, promotion)


def _evidence(row: sqlite3.Row, signals: Sequence[sqlite3.Row], rival: str) -> Evidence:
    return Evidence(
        text=row["text"],
        category=row["category"],
        keep_score=row["keep_score"],
        standing_order=bool(row["standing_order"]),
        stands_alone=not row["why"] or row["status"] == "dropped",  # then it says why it was
        grounded=bool(row["grounded"]),
        rival=rival,
        boot_overlap=row["boot_overlap"],
        tags=tuple(json.loads(row["tags"])),
        first_said_at=row["first_said_at"],
        last_said_at=row["last_said_at"],
        signals=tuple(
            Signal(
                one["kind"],
                one["day"],
                one["question_key"],
                one["rank"],
                one["score"],
                one["heard_at"],
                one["cover"],
            )
            for one in signals
        ),
        light_hits=row["light_hits"],
        light_at=row["light_at"],
        rem_hits=row["rem_hits"],
        rem_at=row["rem_at"],
        promoted=row["status"] == "promoted",
    )


def _counted(ranked: Sequence[RankedCandidate]) -> dict[str, Any]:
    """Return how many passed, and how many each gate stopped."""
    gates = [one.stopped_by for one in ranked]
    return {
        "ranked": len(ranked),
        "passed": gates.count(None),
        "stopped": dict(Counter(gate.name for gate in gates if gate is not None)),
    }


def _nearest(ranked: Sequence[RankedCandidate]) -> list[dict[str, Any]]:
    """Return those that came nearest of what a gate stopped."""
    return [_told(one) for one in ranked if one.stopped_by is not None][:_NEAREST]


def _told(one: RankedCandidate) -> dict[str, Any]:
    gate = one.stopped_by
    return {
        "candidate": one.id,
        "text": one.evidence.text,
        "score": round(one.score.total, 3),
        "gate": gate.name if gate else "",
        "value": gate.value if gate else None,
        "wanted": gate.wanted if gate else None,
    }


def _days_before(moment: str, days: float) -> str:
    return clock.parse_time(datetime.fromisoformat(moment) - timedelta(days=days))
