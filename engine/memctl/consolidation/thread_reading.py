"""Threads of the log, read once: an episode of each, and the statements in it that are worth keeping.

What is no person's word stays outside: an assistant's replies, recalled memory, what a schedule says
in each of its threads, and what the system's turns or the boot files say already.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from memctl.consolidation.candidate_rows import CandidateRows, Heading, Statement
from memctl.consolidation.summarising import summary_of, tags_of
from memctl.extraction.cutting import sentences_of
from memctl.extraction.extracted import Said
from memctl.extraction.extractor import judged
from memctl.extraction.keep_score import KEEP
from memctl.store import statements
from memctl.text.content_words import content_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memctl.config.settings import Settings
    from memctl.consolidation.runs import Work
    from memctl.episodic.episodic import Episodic
    from memctl.episodic.log import Turn
    from memctl.extraction.extractor import Extractor, Piece
    from memctl.store.store import Store

__all__ = ["ThreadReading"]

SQL = statements.load("store/candidate")
_TURNS = 400  # of one thread, in one step
_SUMMARY = 300  # characters
_TAGS = 5
# Threads that the very same words open, from so many on: a schedule speaks there.
_SCHEDULED = 3
_MACHINE = ("cron", "heartbeat", "dream", "subagent")
# What a statement of a thread, a note of a day and one of an old log count as (OpenClaw's values).
_SCORES = {"session": 0.58, "daily": 0.62, "grounded": 0.58}
_OLD_DAYS = 30
_DAY = 10  # characters of '2026-11-20'


class ThreadReading:
    """Reads the turns that no run has read, a thread at a time.

    Parameters
    ----------
    store, settings
        The open store and its settings.
    episodic
        Where the episodes go.
    extractor
        Cuts and judges sentences.
    rows
        Where the candidates go.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        episodic: Episodic,
        extractor: Extractor,
        rows: CandidateRows,
    ) -> None:
        self._store = store
        self._episodic = episodic
        self._extractor = extractor
        self._rows = rows
        self._boot = _words_of_files(str(settings.get("boot_files")))

    def waiting(self, now: str) -> Sequence[str]:
        """Return the threads with turns to read, the oldest first."""
        return [row["session"] for row in self._store.rows(SQL.unread_sessions, {"now": now})]

    def read(self, work: Work, session: str) -> dict[str, int]:
        """Read the next turns of a thread in one step; return counts, all 0 where none is left."""
        with work.step():
            turns = self._unread(session)
            counts = {"turns": len(turns), "episodes": 0, "statements": 0, "excluded": 0}
            if not turns:
                return counts
            if self._is_machine(turns):
                counts["excluded"] = len(turns)
            else:
                counts["episodes"] = self._add_episode(session, turns)
                counts["statements"] = self._add_statements(work, session, turns)
            done = [turn.id for turn in turns]
            self._episodic.turns.mark_processed(done)
            self._store.execute(SQL.forget_failure, {"session": session})
            return counts

    def _unread(self, session: str) -> Sequence[Turn]:
        from memctl.episodic.log import Turn

        rows = self._store.rows(SQL.unread, {"session": session, "most": _TURNS})
        return [Turn(**dict(row)) for row in rows]

    def _is_machine(self, turns: Sequence[Turn]) -> bool:
        """Return whether a schedule speaks: by the thread's name, or by its opening words."""
        first = turns[0]
        if any(part in _MACHINE for part in first.session.lower().replace("-", ":").split(":")):
            return True
        asked = {"text": first.text, "session": first.session}
        alike = int(self._store.value(SQL.openings_like, asked)) if first.seq == 1 else 0
        return alike + 1 >= _SCHEDULED and len(content_words(first.text)) > 1

    def _add_episode(self, session: str, turns: Sequence[Turn]) -> int:
        said = [turn for turn in turns if turn.role in {"user", "assistant"}]
        texts = [one.text for turn in said for one in sentences_of(turn.text)[0]]
        people = [one.text for t in said if t.role == "user" for one in sentences_of(t.text)[0]]
        summary = summary_of(people or texts, most=_SUMMARY)
        if not summary:
            return 0
        names = dict.fromkeys(turn.speaker for turn in said if turn.speaker)
        self._episodic.episodes.add(
            summary,
            tags=tags_of(people or texts, most=_TAGS),
            participants=list(names),
            happened_at=turns[0].logged_at,
            confidence="medium" if people else "low",
            thread=session,
            source=f"dream:{session}",
            turns=[turn.id for turn in said],
        )
        return 1

    def _add_statements(self, work: Work, session: str, turns: Sequence[Turn]) -> int:
        boot = self._boot | _words(t[0] for t in self._store.rows(SQL.boot_texts, _named(session)))
        said = [Said(t.text, t.logged_at, t.role, t.speaker, t.id) for t in turns]
        seqs = {turn.id: turn for turn in turns}
        count = 0
        for piece in self._extractor.pieces(said, []):
            found = _statement(piece, boot)
            turn = seqs[piece.said.turn or 0]
            if found is None:
                continue
            heading = Heading(turn.id, piece.place.start, piece.place.end, turn.logged_at)
            candidate = self._rows.stage(found, heading)
            kind = _kind(turn, work.as_of)
            self._rows.signal(
                candidate,
                kind,
                at=turn.logged_at,
                source=f"turn:{turn.id}",
                score=_SCORES[kind],
            )
            count += 1
        return count


def _statement(piece: Piece, boot: set[str]) -> Statement | None:
    """Return a sentence as a statement; ``None`` where too little speaks for it."""
    found = judged(piece)
    if found.points < KEEP:
        return None
    words = set(content_words(piece.sentence.text))
    return Statement(
        text=found.text,
        speaker=piece.said.speaker or "",
        category=found.category,
        keep_score=round(found.points, 2),
        standing_order=found.standing_order,
        boot_overlap=round(len(words & boot) / len(words), 2) if words else 0.0,
        tags=tags_of([found.text], most=_TAGS),
        why=found.why_not,
    )


def _kind(turn: Turn, as_of: str) -> str:
    """Return the kind of signal that a turn gives: a note of a day has a day for a thread."""
    from datetime import datetime

    age = datetime.fromisoformat(as_of) - datetime.fromisoformat(turn.logged_at)
    if age.days >= _OLD_DAYS:
        return "grounded"
    return "daily" if turn.session == turn.logged_at[:_DAY] else "session"


def _named(session: str) -> dict[str, Any]:
    return {"session": session}


def _words_of_files(paths: str) -> set[str]:
    """Return the words of the boot files that are there."""
    named = [Path(path.strip()).expanduser() for path in paths.splitlines() if path.strip()]
    return _words(path.read_text("utf-8", "replace") for path in named if path.is_file())


def _words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in content_words(text)}
