"""What is new, read once: of threads an episode and the statements worth keeping, of recalls the interest.

What is no person's word stays outside: an assistant's replies, recalled memory, the words that a
schedule opens its threads with, and what the system's turns or the boot files say already.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memctl.base import clock
from memctl.base.errors import SecretRefusedError
from memctl.consolidation.candidate_table import CandidateTable, Heading, Statement
from memctl.consolidation.runs import unread_sessions
from memctl.consolidation.summarising import asked_summary, summary_of, tags_of
from memctl.endpoint.endpoint import Endpoint
from memctl.extraction.cutting import sentences_of
from memctl.extraction.extracted import said_in
from memctl.extraction.extractor import judged
from memctl.extraction.speakers import USER, with_speaker
from memctl.guard.door import masked
from memctl.semantic.deciding.doubts import mark_doubtful
from memctl.store import statements
from memctl.text.closed_words import content_words
from memctl.text.relation import relation
from memctl.text.sentence_kinds import judge

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memctl.config.settings import Settings
    from memctl.consolidation.runs import Work
    from memctl.episodic.episodes import Episodes
    from memctl.episodic.log import Log, Turn
    from memctl.extraction.extracted import FactCandidate, Said, SourcePlace
    from memctl.extraction.extractor import Extractor, Piece
    from memctl.semantic.facts import Facts
    from memctl.store.store import Store

SQL = statements.load("store/candidate")
_TURNS = 400  # of one thread, in one step
_SUMMARY = 300  # characters
_TAGS = 5
# Threads within so many days that the very same words open, from so many on: a schedule speaks.
_SCHEDULED, _SCHEDULED_DAYS = 3, 15
_MACHINE = ("cron", "heartbeat", "dream", "subagent")
# What a statement of a thread, a note of a day and one of an old log count as (OpenClaw's values).
_SCORES = {"session": 0.58, "daily": 0.62, "grounded": 0.58}
_OLD_DAYS = 30
# Points from which on a statement is a candidate: less than `extract` keeps, for saying it again counts.
_STAGE = 3.0
_SURE = 10.0  # points of full confidence
_SAME = 0.7  # of a sentence's words, in the fact that was made of it
_LEAST = 0.1  # of a statement's words by idf, from where on a fact is compared
_ACTOR = "dream"
_DAY = 10  # characters of '2026-11-20'
_RANKS = 3  # of a recall's hits: what stands lower was hardly looked at
_MARK = "recall"
_HELPED = 1.0


class ThreadReading:
    """Reads the turns that no run has read, a thread at a time.

    Parameters
    ----------
    turns, episodes, rows
        The log, and where the episodes and the candidates go.
    extractor
        Cuts and judges sentences.
    facts
        The facts that a turn may speak against.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        turns: Log,
        episodes: Episodes,
        extractor: Extractor,
        rows: CandidateTable,
        facts: Facts,
    ) -> None:
        self._store = store
        self._settings = settings
        self._turns = turns
        self._episodes = episodes
        self._extractor = extractor
        self._rows = rows
        self._facts = facts
        self._boot = _words_of_files(str(settings.get("boot_files")))

    def waiting(self, now: str) -> Sequence[str]:
        """Return the threads with turns to read, the oldest first."""
        return [row["session"] for row in unread_sessions(self._store, now)]

    def read(self, work: Work, session: str) -> int:
        """Read the next turns of a thread, and keep their statements in one step.

        Sentences are judged before the step begins: nobody waits for a long message, or for a
        model, with the store locked.

        Returns
        -------
        int
            How many turns were read; 0 where none is left.

        Raises
        ------
        EndpointError, UnusableInputError
            When an endpoint is named and gives no usable answer: nothing of the thread is kept.
        """
        turns = self._turns.unprocessed(session=session, limit=_TURNS)
        if not turns:
            return 0
        # A thread may hold the words of several people: those of one are read in one step.
        owner = self._owner(turns[0])
        turns = [turn for turn in turns if self._owner(turn) == owner]
        heard = self._heard(turns)
        statements = list(self._statements(session, heard)) if heard else []
        summary = self._summary(heard) if heard else ""
        with work.step(), self._store.writing_as(owner):
            counts = {
                "turns": len(turns),
                "episodes": self._add_episode(session, heard, summary) if summary else 0,
                "statements": len(statements),
                "excluded": len(turns) - len(heard),
            }
            doubted = [
                self._keep(work, session, statement, heading) for statement, heading in statements
            ]
            counts["changed"] = sum(doubted)
            self._turns.mark_processed([turn.id for turn in turns])
            work.wrote("read", [turn.id for turn in turns])
            self._store.execute(SQL.forget_failure, {"session": session})
            work.add("read", **counts)
        return len(turns)

    def _owner(self, turn: Turn) -> dict[str, str]:
        return {column: getattr(turn, column) for column in self._store.owner}

    def _heard(self, turns: Sequence[Turn]) -> Sequence[Turn]:
        """Return the turns without those of schedules: no thread of one, no repeated opening.

        Who says "Good morning!" in each thread goes on to say something: that is heard.
        """
        first = turns[0]
        if any(part in _MACHINE for part in first.session.lower().replace("-", ":").split(":")):
            return []
        asked = {
            "text": first.text,
            "session": first.session,
            "since": clock.moved(first.logged_at, days=-_SCHEDULED_DAYS),
            "until": clock.moved(first.logged_at, days=_SCHEDULED_DAYS),
        }
        alike = int(self._store.value(SQL.openings_like, asked)) if first.seq == 1 else 0
        repeated = alike + 1 >= _SCHEDULED and len(content_words(first.text)) > 1
        return turns[1:] if repeated else turns

    def _summary(self, turns: Sequence[Turn]) -> str:
        """Return the summary of a thread: a model's where one is named and right, else sentences of it."""
        texts = self._told(turns)
        endpoint = Endpoint(self._store, self._settings)
        asked = asked_summary(endpoint.json, texts, most=_SUMMARY) if endpoint.on else ""
        return asked or summary_of(texts, most=_SUMMARY)

    def _told(self, turns: Sequence[Turn]) -> list[str]:
        """Return the sentences of people; the assistant's where there are none."""
        said = [turn for turn in turns if turn.role in {"user", "assistant"}]
        return self._sentences(t for t in said if t.role == "user") or self._sentences(said)

    def _add_episode(self, session: str, turns: Sequence[Turn], summary: str) -> int:
        said = [turn for turn in turns if turn.role in {"user", "assistant"}]
        names = dict.fromkeys(turn.speaker for turn in said if turn.speaker)
        # Sentences that pass alone can look like a secret together: then there is no episode, but
        # the statements are kept all the same.
        with suppress(SecretRefusedError):
            self._episodes.add(
                summary,
                tags=tags_of(self._told(turns), most=_TAGS),
                participants=list(names),
                happened_at=self._store.zone.local(turns[0].logged_at, turns[0].utc_offset),
                confidence="medium" if any(t.role == "user" for t in said) else "low",
                thread=session,
                source=f"dream:{session}",
                turns=[turn.id for turn in said],
            )
            return 1
        return 0

    def _sentences(self, turns: Iterable[Turn]) -> list[str]:
        """Return the sentences of turns with names for "I", and without today's secrets."""
        texts = [
            with_speaker(sentence.text, turn.speaker or USER)
            if turn.role == "user"
            else sentence.text
            for turn in turns
            for sentence in sentences_of(turn.text)[0]
        ]
        return [text for text in texts if masked(self._store, text) == text]

    def _statements(
        self, session: str, turns: Sequence[Turn]
    ) -> Iterator[tuple[Statement, Heading]]:
        """Yield what is worth keeping in some turns, by the rules or, where one is named, by a model."""
        asked = self._store.rows(SQL.boot_texts, {"session": session})
        boot = self._boot | _words(row[0] for row in asked)
        said = said_in(turns, self._store.zone)
        pieces = list(self._extractor.pieces(said, []))
        endpoint = Endpoint(self._store, self._settings)
        if endpoint.on:
            for one in self._extractor.asked(pieces, endpoint.json, []):
                yield _proposed(one, boot), _heading(one.source, said)
            return
        kept = self._kept(turns)
        pieces = [one for one in pieces if not _is_kept(one, kept.get(one.place.name, []))]
        once = {(piece.place.turn, piece.sentence.text): piece for piece in reversed(pieces)}
        for piece in reversed(once.values()):  # a turn that repeats a sentence says it once
            statement = _statement(piece, boot)
            if statement is not None:
                yield statement, _heading(piece.place, said)

    def _kept(self, turns: Sequence[Turn]) -> Mapping[str, list[set[str]]]:
        """Return the words of each fact that was made of a turn when it was written, by source."""
        sources = json.dumps([f"turn:{turn.id}" for turn in turns])
        result: defaultdict[str, list[set[str]]] = defaultdict(list)
        for row in self._store.rows(SQL.facts_of_turns, {"sources": sources}):
            result[row["source"]].append(set(content_words(row["text"])))
        return result

    def _keep(self, work: Work, session: str, statement: Statement, heading: Heading) -> int:
        """Stage a statement; return how many facts it speaks against."""
        candidate = self._rows.stage(statement, heading)
        kind = _kind(session, heading, work.as_of)
        self._rows.signal(
            candidate,
            kind,
            at=heading.at,
            day=heading.day,
            source=f"turn:{heading.turn}",
            score=_SCORES[kind],
        )
        return self._doubt(work, statement.text, heading)

    def _doubt(self, work: Work, text: str, heading: Heading) -> int:
        """Mark earlier facts of the same person that a statement changes as to be checked."""
        changed = [
            fact
            for fact, _ in self._facts.reading().nearest(text, least=_LEAST)
            if fact.valid_from < heading.at
            and all(getattr(fact, name) == whose for name, whose in self._store.owner.items())
            and relation(text, fact.text).changes
        ]
        why, by = (
            f'is earlier than turn {heading.turn}, which says "{text}"',
            f"turn:{heading.turn}",
        )
        for fact in changed:
            mark_doubtful(self._store, fact.id, fact.text, why, by, actor=_ACTOR, now=work.as_of)
        return len(changed)


def _is_kept(piece: Piece, facts: Iterable[set[str]]) -> bool:
    """Return whether a fact of its turn includes a sentence; days are written as dates there."""
    words = set(content_words(piece.verdict.text))
    return any(len(words & known) >= _SAME * len(words) for known in facts)


def _heading(place: SourcePlace, said: Iterable[Said]) -> Heading:
    at = next(turn_said.said_at for turn_said in said if turn_said.turn == place.turn)
    return Heading(place.turn or 0, place.start, place.end, clock.parse_time(at), at[:_DAY])


def _proposed(candidate: FactCandidate, boot: set[str]) -> Statement:
    """Return a model's proposal as a statement: its confidence counts as a keep score."""
    return Statement(
        text=candidate.text,
        speaker="",
        category=candidate.category,
        keep_score=round(_SURE * candidate.confidence, 2),
        standing_order=judge(candidate.said).kind == "standing",
        boot_overlap=_overlap(candidate.said, boot),
        tags=tags_of([candidate.text], most=_TAGS),
        why="",
    )


def _statement(piece: Piece, boot: set[str]) -> Statement | None:
    """Return a sentence as a statement; ``None`` where too little speaks for it."""
    verdict = judged(piece)
    if verdict.points < _STAGE:
        return None
    return Statement(
        text=verdict.text,
        speaker=piece.said.speaker or "",
        category=verdict.category,
        keep_score=round(verdict.points, 2),
        standing_order=verdict.standing_order,
        boot_overlap=_overlap(piece.sentence.text, boot),
        tags=tags_of([verdict.text], most=_TAGS),
        why=verdict.why_not,
    )


def _overlap(text: str, boot: set[str]) -> float:
    """Return the share of a text's words that are in the boot text, 0 to 1."""
    words = set(content_words(text))
    return round(len(words & boot) / len(words), 2) if words else 0.0


def _kind(session: str, heading: Heading, as_of: str) -> str:
    """Return the kind of signal that a turn gives: a note of a day has a day for a thread."""
    age = datetime.fromisoformat(as_of) - datetime.fromisoformat(heading.at)
    if age.days >= _OLD_DAYS:
        return "grounded"
    return "daily" if session == heading.day else "session"


def _words_of_files(paths: str) -> set[str]:
    """Return the words of the boot files that are there."""
    named = [Path(path.strip()).expanduser() for path in paths.splitlines() if path.strip()]
    return _words(path.read_text("utf-8", "replace") for path in named if path.is_file())


def _words(texts: Iterable[str]) -> set[str]:
    return {word for text in texts for word in content_words(text)}


class Interest:
    """Turns the recalls that were kept since the last run into signals.

    Parameters
    ----------
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
            work.wrote(_MARK, [self._upto()])
            self._store.execute(SQL.set_mark, {"name": _MARK, "upto": last})
            work.add("read", signals=count + self._helped(work.as_of))

    def _upto(self) -> int:
        return int(self._store.value(SQL.mark, {"name": _MARK}) or 0)

    def _recalled(self, row: sqlite3.Row) -> int:
        # A score has no end; OpenClaw maps the rank of its index onto 0 to 1 in the same way.
        score = max(0.0, row["score"])
        result = set(self._candidates(row["kind"], row["item_id"]))
        shares = self._rows.cover(row["question"], result)
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
        return len(result)

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
