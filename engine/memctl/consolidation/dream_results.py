"""Records of a dream: what a run did, and why a candidate is promoted or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memctl.consolidation.checking.decay import Fading
from memctl.consolidation.runs import DreamRun
from memctl.consolidation.scoring import DeepGate
from memctl.consolidation.views.sublimation import Proposed
from memctl.store.results import Result


@dataclass(frozen=True, slots=True)
class DreamReport(Result):
    """What a run did, or would do.

    Parameters
    ----------
    run
        Its number; ``None`` where nothing was written.
    applied
        Whether it wrote.
    why
        Why it did nothing; empty where it worked.
    phases
        Counts of each phase that ran: ``read``, ``light``, ``rem``, ``deep``, ``tidy``.
    diary
        One line for people.
    """

    run: int | None
    applied: bool
    why: str
    as_of: str
    profile: str
    phases: Mapping[str, Any]
    diary: str = ""


@dataclass(frozen=True, slots=True)
class DecayReport(Result):
    """What was archived, or would be.

    Parameters
    ----------
    run
        The run's number; ``None`` where nothing was written.
    applied
        Whether it wrote.
    fading
        Facts first, then turns, the oldest first.
    """

    run: int | None
    applied: bool
    fading: tuple[Fading, ...]


@dataclass(frozen=True, slots=True)
class SublimationReport(Result):
    """What entries of knowledge were made, or would be; a `run` of ``None``: nothing was written."""

    run: int | None
    applied: bool
    proposed: tuple[Proposed, ...]


@dataclass(frozen=True, slots=True)
class DreamStatus(Result):
    """What waits for the next run, and what the last ones did.

    Parameters
    ----------
    due, why
        Whether a run is due, and the gate that says so.
    unread_turns, unread_recalls
        What no run has read.
    candidates
        How many there are, by status.
    failures
        Threads whose reading failed, with the time of the next attempt.
    runs
        The last ones, the newest first.
    """

    due: bool
    why: str
    unread_turns: int
    unread_recalls: int
    candidates: Mapping[str, int]
    failures: tuple[Mapping[str, Any], ...]
    runs: tuple[DreamRun, ...]


@dataclass(frozen=True, slots=True)
class Promotion:
    """What became of a candidate that was to be promoted.

    Parameters
    ----------
    candidate, text
        Its number and words.
    fact
        The fact that it became; ``None`` where it became none, and in a preview.
    event
        What the store of facts made of it: ``ADD``, ``SUPERSEDE``, ``PENDING``, ``SKIP``; empty
        where it was refused.
    other
        The fact that it replaced, or that it contradicts and waits for.
    why
        Why it became no fact; empty where it did.
    """

    candidate: int
    text: str
    fact: str | None
    event: str
    other: str | None
    why: str


@dataclass(frozen=True, slots=True)
class ListedCandidate(Result):
    """One candidate in a list: its score now, the first gate that stops it, and its last day."""

    id: int
    status: str
    score: float
    stopped_by: str
    last_said_at: str
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class CandidateSource(Result):
    """A place where a candidate was stated: characters `start` to `end` of a turn."""

    turn: int
    session: str
    speaker: str | None
    said_at: str
    start: int
    end: int
    text: str
    utc_offset: int | None = None


@dataclass(frozen=True, slots=True)
class Explanation(Result):
    """Why a candidate is promoted or not.

    Parameters
    ----------
    candidate, text, status, fact
        Its number, words, status, and the fact that it became.
    score, parts
        The sum, and each signal's share of it.
    gates
        All of them; the first that is not passed stops it.
    stopped_by
        Its name; empty where all are passed.
    nearest
        What is missing at the gates that stop it; where all are passed, the one it passed by least.
    exact
        Whether it says what was asked for; else it is the nearest that could mean it.
    """

    candidate: int
    text: str
    status: str
    why: str
    fact: str | None
    profile: str
    score: float
    parts: Mapping[str, float]
    gates: tuple[DeepGate, ...]
    stopped_by: str
    nearest: str
    signals: Mapping[str, int]
    sources: tuple[CandidateSource, ...]
    exact: bool = True
