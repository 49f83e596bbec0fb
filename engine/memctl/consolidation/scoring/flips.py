"""Flip certificates: the smallest single change that turns a promotion into none, or none into one.

Each is found by judging changed evidence, or changed thresholds, with the same score and gates; it
holds what was judged, so that anybody can judge it again.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import chain, islice, product
from math import floor
from typing import TYPE_CHECKING, Any

from memctl.consolidation.scoring.evidence import Signal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memctl.consolidation.scoring.evidence import Evidence
    from memctl.consolidation.scoring.profiles import DeepGate, Profile

__all__ = ["Flip", "flips", "smallest_change"]

_MOST = 10  # signals that are tried to be added
_GAPS = 7  # days between them
_RECALLED = 0.75  # score of a recall, where it has none to go by
_STATED = 0.58  # score of a statement, as OpenClaw gives it to those of sessions
_NOUNS = {"session": "statement", "daily": "note", "grounded": "find in an old log"}


@dataclass(frozen=True, slots=True)
class Flip:
    """One change that flips the verdict.

    Parameters
    ----------
    words
        What changes, for people.
    promotes
        Whether the changed candidate is promoted.
    evidence, profile, as_of
        What was judged, and when.
    """

    words: str
    promotes: bool
    evidence: Evidence
    profile: Profile
    as_of: str

    @property
    def holds(self) -> bool:
        """Whether judging it again gives what it says."""
        return self.profile.passes(self.evidence, self.as_of) is self.promotes


def smallest_change(evidence: Evidence, profile: Profile, as_of: str) -> Flip | None:
    """Return the smallest single change that flips the verdict; None where no single one does."""
    return next(flips(evidence, profile, as_of), None)


def flips(evidence: Evidence, profile: Profile, as_of: str) -> Iterator[Flip]:
    """Yield the single changes that flip the verdict: of evidence, the smallest first, then of thresholds.

    Of what was promoted, the verdict is the one before: whether it would be.
    """
    judged = replace(evidence.until(as_of), promoted=False)
    promotes = not profile.passes(judged, as_of)
    tried = _additions if promotes else _removals
    found = chain(
        tried(judged, profile, as_of), _thresholds(judged, profile, as_of, promotes=promotes)
    )
    yield from (flip for flip in found if flip.holds)


def _additions(evidence: Evidence, profile: Profile, as_of: str) -> Iterator[Flip]:
    cured: tuple[tuple[str, dict[str, Any]], ...] = (
        ("if a person had said it", {"own": False}),
        ("if a source row said it", {"grounded": True}),
        ("if the boot files did not say it", {"boot_overlap": 0.0}),
    )
    for words, changed in cured:
        yield Flip(
            words,
            promotes=True,
            evidence=replace(evidence, **changed),
            profile=profile,
            as_of=as_of,
        )
    for number, kind in product(range(1, _MOST + 1), ("recall", "session")):
        # The first gap that is enough: it comes true the soonest.
        later = (
            _with_more(evidence, profile, as_of, kind, number, gap) for gap in range(1, _GAPS + 1)
        )
        yield from islice((flip for flip in later if flip.holds), 1)


def _with_more(
    evidence: Evidence, profile: Profile, as_of: str, kind: str, number: int, gap: int
) -> Flip:
    """Return the candidate with some more signals, each on a day of its own, judged on the last."""
    begun = datetime.fromisoformat(as_of)
    times = [begun + timedelta(days=gap * step) for step in range(1, number + 1)]
    added = [_signal(evidence, kind, place, time) for place, time in enumerate(times)]
    last = added[-1]
    changed = replace(evidence, signals=(*evidence.signals, *added))
    if kind == "session":
        changed = replace(changed, last_said_at=last.at, rival="")
    what, other = _NOUNS.get(kind, kind), "by another question" if kind == "recall" else ""
    words = f"1 more {what} {other}".rstrip() + f", on {last.day}"
    if number > 1:
        apart = "a day apart" if gap == 1 else f"{gap} days apart"
        each = f", each {other}" if other else ""
        words = f"{number} more {what}s{each}, {apart}, the last on {last.day}"
    words = f"{words} (score {last.score:.2f})"
    return Flip(words, promotes=True, evidence=changed, profile=profile, as_of=last.at)


def _signal(evidence: Evidence, kind: str, place: int, time: datetime) -> Signal:
    scores = [one.score for one in evidence.signals if one.kind == kind]
    score = sum(scores) / len(scores) if scores else _RECALLED if kind == "recall" else _STATED
    at = time.isoformat(timespec="seconds").replace("+00:00", "Z")
    query, rank = (f"flip{place:08x}", 1) if kind == "recall" else ("", None)
    return Signal(kind, at[:10], query, rank, score, at)


def _removals(evidence: Evidence, profile: Profile, as_of: str) -> Iterator[Flip]:
    """Yield the candidate without one signal, one question, one day or one kind, the fewest first."""
    groups: defaultdict[str, set[Signal]] = defaultdict(set)
    for one in evidence.signals:
        noun = _NOUNS.get(one.kind, one.kind)
        groups[f"the {noun} of {one.day}"].add(one)
        groups[f"what was said or asked on {one.day}"].add(one)
        groups[f"every {noun}"].add(one)
        if one.query:
            groups[f"the question {one.query}"].add(one)
    ordered = sorted(groups.items(), key=lambda group: len(group[1]))
    for words, gone in ordered:
        left = tuple(one for one in evidence.signals if one not in gone)
        changed = replace(evidence, signals=left)
        yield Flip(
            f"without {words}", promotes=False, evidence=changed, profile=profile, as_of=as_of
        )
    changed = replace(evidence, standing_order=False)
    words = "if it were no standing order"
    yield Flip(words, promotes=False, evidence=changed, profile=profile, as_of=as_of)


def _thresholds(
    evidence: Evidence, profile: Profile, as_of: str, *, promotes: bool
) -> Iterator[Flip]:
    """Yield the profile with one threshold moved just so far that the gate it belongs to flips."""
    gates = profile.gates(evidence, profile.score(evidence, as_of), as_of)
    for gate in gates:
        if gate.setting and gate.passed is not promotes:
            value = _just(gate, promotes)
            changed: dict[str, Any] = {gate.setting: value}
            moved = replace(profile, thresholds=replace(profile.thresholds, **changed))
            words = f"with dream_{gate.setting} = {value:g} instead of {gate.wanted:g}"
            yield Flip(words, promotes, evidence, moved, as_of)


def _just(gate: DeepGate, promotes: bool) -> float:
    """Return the threshold next to a gate's value, on the side that lets it pass or stops it."""
    step = 0.001 if gate.setting in {"min_score", "max_boot_overlap"} else 1.0
    sign = -1 if gate.setting == "max_age_days" else 1  # an age must stay below its threshold
    reached = promotes is not (gate.setting == "max_boot_overlap")
    steps = floor(sign * gate.value / step + 1e-6) + (not reached)
    return max(0.0, round(sign * steps * step, 3))
