"""The dream of a store: logs become episodes and facts, with a reason for each, and can be undone."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from memctl.base import clock
from memctl.base.arguments import checked_class
from memctl.base.counting import counted
from memctl.base.errors import (
    EndpointError,
    NotFoundError,
    RefusedError,
    UnusableInputError,
    UsageError,
)
from memctl.base.near_words import one_of
from memctl.base.steps import step
from memctl.config.dream_settings import score_set
from memctl.config.settings import Settings
from memctl.consolidation.candidate_table import CandidateTable
from memctl.consolidation.checking.decay import Decay
from memctl.consolidation.checking.verification import Tidying, verify
from memctl.consolidation.dream_results import (
    CandidateSource,
    DecayReport,
    DreamReport,
    DreamStatus,
    Explanation,
    ListedCandidate,
    SublimationReport,
)
from memctl.consolidation.phases import Phases
from memctl.consolidation.runs import Runs, is_due, unread_turns, wait_after
from memctl.consolidation.thread_reading import Interest, ThreadReading
from memctl.consolidation.views.palace import diary_text, verification_text, view_text
from memctl.consolidation.views.sublimation import Sublimation
from memctl.episodic.episodes import Episodes
from memctl.episodic.log import Log
from memctl.extraction.extractor import Extractor
from memctl.extraction.speakers import with_speaker
from memctl.guard import door
from memctl.search.vectors.embed import embed_new
from memctl.semantic.facts import Facts
from memctl.store import statements
from memctl.store.pages import ListPage, read_page
from memctl.text.normal import same_key
from memctl.upkeep.store_copies import rehearsal

if TYPE_CHECKING:
    import os
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

    from memctl.base.scope import Scope
    from memctl.config.dream_settings import ScoreSet
    from memctl.consolidation.checking.verification import TidyProposal, VerifiedFacts
    from memctl.consolidation.runs import DreamRun, RolledBack, Work
    from memctl.consolidation.views.sublimation import KnowledgeEntry
    from memctl.store.store import Store

SQL = statements.load("store/candidate")
RUNS = statements.load("store/dream_runs")

Phase = Literal["light", "rem", "deep"]
_PHASES: tuple[Phase, ...] = ("light", "rem", "deep")
CandidateStatus = Literal["staged", "promoted", "dropped"]
_STATUSES: tuple[CandidateStatus, ...] = ("staged", "promoted", "dropped")
_DIGITS = 19  # SQLite counts no further
# The columns of a `CandidateSource`, in its order.
_SOURCE = (
    *("log_id", "session", "speaker", "logged_at", "start_at", "end_at", "said", "utc_offset"),
)


@checked_class
class Dream:
    """The consolidation of one open store.

    Parameters
    ----------
    store, settings, scope
        The store, its settings, and whose facts are written.
    """

    def __init__(self, store: Store, settings: Settings, scope: Scope | None = None) -> None:
        self._store = store
        self._settings = settings
        self._scope = scope
        self._facts = Facts(store, settings, scope)
        self._turns = Log(store)
        self._episodes = Episodes(store)
        self._rows = CandidateTable(store)
        self._runs = Runs(store)

    @door.guarded("dream", by_the_way=True)
    def run(
        self,
        *,
        phase: Phase | None = None,
        apply: bool = False,
        if_due: bool = False,
        again: str | None = None,
        profile: str | None = None,
        tidy: bool = False,
    ) -> DreamReport:
        """Read new turns and run the phases on them; without `apply`, only show what would change.

        Parameters
        ----------
        phase
            That one alone; all of them, in their order, by default. Turns are read before Light.
        apply
            Whether anything is written. Without it, the run works on a copy of the store.
        if_due
            Do nothing unless the gates of time and amount say that a run is due.
        again
            A session whose turns are read once more.
        profile
            ``memctl``, ``openclaw`` or ``never-forget``, with the numbers that differ; else the setting's.
        tidy
            Merge, rewrite and expire facts, too, as `tidy` proposes it.

        Raises
        ------
        BusyError
            When another process is at work on a run.
        NotFoundError, UsageError
            When there is no such session, phase or profile.
        """
        if phase is not None and phase not in _PHASES:
            raise UsageError(f'there is no phase "{phase}"', hint=one_of(phase, _PHASES))
        profile, numbers = self._numbers(profile)
        if if_due and (why := self._not_due()):
            return _idle(why, profile)
        if not self._store.exists:
            raise NotFoundError(
                f'there is no store "{self._store.address}"', hint="log a turn first"
            )
        if not apply:
            return self._rehearsed(phase=phase, again=again, profile=profile, tidy=tidy)
        self._store.refuse_readonly()
        phases = _PHASES if phase is None else (phase,)
        steps = self._phases(numbers)
        going = self._store.row(RUNS.going)
        embed_new(self._store, self._settings)
        if going is None and again is None and not self._anything_to_do(steps, phases, tidy=tidy):
            why = "nothing is new since the last run"
            return _idle(why, profile, {"deep": steps.outlook(clock.now())})
        with ExitStack() as running:
            with self._store.transaction():
                # Asked again where nobody else can begin one: another process may have run since.
                if if_due and (why := self._not_due()):
                    return _idle(why, profile)
                work = running.enter_context(self._runs.work("dream", profile=profile))
            if again is not None and not work.resumed:
                self._read_again(work, again)
            self._work(work, steps, phases)
            if tidy:
                self._tidying.apply(work)
            work.diary = _diary(work)
        return _told(work)

    def _numbers(self, profile: str | None) -> tuple[str, ScoreSet]:
        """Return a profile, else the setting's, and its numbers."""
        text = " ".join((profile or str(self._settings.get("dream_profile"))).split())
        try:
            return text, score_set(text)
        except ValueError as error:
            raise UsageError(str(error)) from None

    def _not_due(self) -> str:
        """Return why no run is due; nothing where one is."""
        due, why = is_due(self._store, self._settings, self._runs)
        return "" if due else why

    def status(self, *, limit: int = 5) -> DreamStatus:
        """Return the work that waits for the next run, and the last runs."""
        if not self._store.exists:
            why = "there is no store yet"
            return DreamStatus(
                due=False,
                why=why,
                unread_turns=0,
                unread_recalls=0,
                candidates={},
                failures=(),
                runs=(),
            )
        due, why = is_due(self._store, self._settings, self._runs)
        counts = {row["status"]: row["count"] for row in self._store.rows(SQL.counts)}
        failures = tuple(dict(row) for row in self._store.rows(SQL.failures))
        recalls = Interest(self._store, self._rows).waiting
        runs = tuple(self._runs.list(limit))
        return DreamStatus(due, why, unread_turns(self._store), recalls, counts, failures, runs)

    def explain(self, what: str | int, *, profile: str | None = None) -> Explanation:
        """Return why a candidate is promoted or not, and what is missing at the gates that stop it.

        Parameters
        ----------
        what
            Its number, the id of the fact that it became, or its words.
        profile
            Whose formula; else that of the settings.

        Raises
        ------
        NotFoundError
            When there is no such candidate.
        """
        if not self._store.exists:
            raise NotFoundError(
                f'there is no store "{self._store.address}"', hint="log a turn first"
            )
        name, numbers = self._numbers(profile)
        steps = self._phases(numbers)
        row, exact = self._found(what)
        ((number, evidence),) = steps.evidence([row]).items()
        judged = steps.judge(number, evidence, steps.as_of(row)).judged
        why = row["why"]
        if row["status"] == "staged" and judged.stopped_by is None:
            why = f"the next run promotes it: at most {numbers.limit:g} in a run"
        return Explanation(
            candidate=number,
            text=evidence.text,
            status=row["status"],
            why=why,
            fact=row["fact_id"],
            profile=name,
            score=round(judged.score, 3),
            parts=judged.shares,
            gates=judged.gates,
            stopped_by=judged.stopped_by.name if judged.stopped_by else "",
            nearest=judged.nearest,
            signals=dict(Counter(signal.kind for signal in evidence.signals)),
            sources=tuple(
                CandidateSource(*(source[name] for name in _SOURCE))
                for source in self._store.rows(SQL.sources, {"id": number})
            ),
            exact=exact,
        )

    def _found(self, what: str | int) -> tuple[sqlite3.Row, bool]:
        """Return the row of a candidate by its number, fact or words, and whether the words are just its own."""
        text = str(what).strip()
        row, exact = None, True
        if text.isdecimal() and len(text) < _DIGITS:
            row = self._store.row(SQL.one, {"id": int(text)})
        elif text.startswith("f_"):
            row = self._store.row(SQL.of_fact, {"fact": text})
        else:
            asked = {"equal_key": same_key(with_speaker(text)), **self._store.owner}
            row = self._store.row(SQL.equal, asked)
            nearest = None if row is not None else self._rows.nearest(text)
            if nearest is not None:
                row, exact = self._store.row(SQL.one, {"id": nearest}), False
        if row is None:
            raise NotFoundError(
                f'there is no candidate "{text:.40}"', hint="memctl dream candidates lists them"
            )
        return row, exact

    @door.guarded("dream")
    def promote(self, candidate: int) -> DreamReport:
        """Promote one candidate by a person's decision, whatever its score.

        Raises
        ------
        NotFoundError, UsageError
            When there is no such candidate, or it is a fact already.
        RefusedError
            When it becomes no fact, and why.
        """
        name, numbers = self._numbers(None)
        phases = self._phases(numbers)
        row = self._store.row(SQL.one, {"id": candidate}) if self._store.exists else None
        if row is None:
            raise NotFoundError(
                f"there is no candidate {candidate}", hint="memctl dream candidates lists them"
            )
        if row["status"] in {"promoted", "merged"}:
            other = row["fact_id"] or f"candidate {row['merged_into']}"
            raise UsageError(f"candidate {candidate} is {other} already")
        with self._runs.work("promotion", profile=name) as work:
            ((number, evidence),) = phases.evidence([row]).items()
            done = phases.promote(work, phases.judge(number, evidence, work.as_of))
            work.diary = _diary(work)
        if done.fact is None:
            raise RefusedError(f"candidate {candidate} became no fact: {done.why}")
        return _told(work)

    def candidates(
        self, *, status: CandidateStatus = "staged", limit: int | None = None
    ) -> ListPage[ListedCandidate]:
        """Return statements that wait, or became facts, or were dropped, the latest first.

        Parameters
        ----------
        status
            ``staged``, ``promoted`` or ``dropped``.
        limit
            Most statements; ``None`` for all.
        """
        if status not in _STATUSES:
            raise UsageError(f'there is no status "{status}"', hint=one_of(status, _STATUSES))
        if not self._store.exists:
            return ListPage()
        steps = self._phases(self._numbers(None)[1])
        rows = read_page(self._store, SQL.listed, {"status": status}, lambda row: row, limit)
        evidence = steps.evidence(rows)
        result = []
        for row in rows:
            judged = steps.judge(row["id"], evidence[row["id"]], steps.as_of(row)).judged
            stopped = judged.stopped_by.name if judged.stopped_by and status == "staged" else ""
            last = (row["last_said_at"], row["text"], row["why"])
            score = round(judged.score, 3)
            result.append(ListedCandidate(row["id"], row["status"], score, stopped, *last))
        return ListPage(result, total=rows.total)

    @door.guarded("dream", by_the_way=True)
    def decay(self, *, apply: bool = False) -> DecayReport:
        """Archive what nobody needs any more; without `apply`, only show what would be.

        Facts that nobody used for as long as their kind lasts, those of projects that are
        complete, and turns that were read and are old. Each is restored by its own ``restore``.

        Raises
        ------
        BusyError
            When another process is at work on a run.
        """
        decay = Decay(self._store, self._settings)
        proposals = decay.proposals(clock.now())
        if not apply or not proposals:
            return DecayReport(None, applied=False, fading=proposals)
        self._store.refuse_readonly()
        with self._runs.work("decay") as work:
            count = decay.apply(work)
            work.report = {"archived": count}
            work.diary = f"{work.day}: archived {count}"
        return DecayReport(work.id, applied=True, fading=proposals)

    def verify(self, *, paths: str | os.PathLike[str] | None = None) -> VerifiedFacts:
        """Check the valid facts, and suggest; nothing is changed.

        Pairs that wait, facts to be checked, relative dates, expired ones, what no turn says any
        more; and, with `paths`, files that are not there.

        Parameters
        ----------
        paths
            A folder below which the files that facts name are looked up.

        Raises
        ------
        UnusableInputError
            When it is no folder.
        """
        folder = None if paths is None else Path(paths).expanduser()
        if folder is not None and not folder.is_dir():
            raise UnusableInputError(
                f'"{folder}" is no folder', hint="name the folder of the files"
            )
        return verify(self._store, clock.now(), paths=folder)

    def diary(self) -> str:
        """Return the diary of the runs as Markdown, the newest first; what was erased is not in it."""
        return diary_text(self._store)

    def verification_report(self, *, paths: str | os.PathLike[str] | None = None) -> str:
        """Return the findings of `verify` as Markdown, with the last dream and what waits for a person.

        Raises
        ------
        UnusableInputError
            When `paths` is no folder.
        """
        day = self._store.zone.day(clock.now())
        return verification_text(self._store, self.verify(paths=paths), day)

    @property
    def knowledge(self) -> Sequence[KnowledgeEntry]:
        """The present entries of knowledge, the newest first."""
        entries = Sublimation(self._store).entries()
        return sorted(entries, key=lambda entry: (entry.made_at, entry.id), reverse=True)

    @door.guarded("dream", by_the_way=True)
    def sublimate(self, *, apply: bool = False) -> SublimationReport:
        """Make entries of knowledge of related facts; without `apply`, only list them.

        Raises
        ------
        BusyError
            When another process is at work on a run.
        """
        sublimation = Sublimation(self._store)
        proposals = sublimation.proposals(clock.now())
        if not apply or all(proposal.kind == "dense" for proposal in proposals):
            return SublimationReport(None, applied=False, proposed=proposals)
        self._store.refuse_readonly()
        with self._runs.work("sublimation") as work:
            count = sublimation.apply(work)
            work.report = {"entries": count}
            entries = counted(count, "entry")
            work.diary = f"{work.day}: made {entries} of knowledge"
        return SublimationReport(work.id, applied=True, proposed=proposals)

    def palace(self, view: str, *, categories: Iterable[str] = ()) -> str:
        """Return a view of the long-term memory as Markdown: timeline, projects, technology, custom.

        Parameters
        ----------
        view
            Its name.
        categories
            Of a custom view: those of the table of kinds.

        Raises
        ------
        UsageError
            When there is no such view or category, or a custom view names none.
        """
        return view_text(self._store, view, clock.now(), categories=list(categories))

    def tidy(self) -> Sequence[TidyProposal]:
        """Return facts to purge, merge, rewrite or let go, with reasons; nothing is changed.

        ``run(apply=True, tidy=True)`` merges, rewrites and lets go.
        """
        return self._tidying.proposals(clock.now())

    def runs(self, limit: int | None = None) -> ListPage[DreamRun]:
        """Return the runs, the newest first; all where there is no `limit`."""
        return self._runs.list(limit)

    @door.guarded("dream")
    def rollback(self, run: int) -> RolledBack:
        """Take back what a run concluded, and later runs that changed the same facts.

        Its facts are forgotten, and those that they replaced hold again; its episodes are archived,
        what it archived comes back, its candidates wait, and the turns that it read are read anew.
        What somebody has changed since is left as it is, and named.

        Raises
        ------
        NotFoundError, UsageError
            When there is no such run, or it was taken back already.
        """
        return self._runs.rollback(run)

    def to_roll_back(self, run: int) -> Sequence[int]:
        """Return the runs that `rollback` would take back."""
        return self._runs.to_roll_back(run)

    # -- at work -------------------------------------------------------------------------

    def _work(self, work: Work, steps: Phases, phases: Iterable[Phase]) -> None:
        """Let each phase do its part; one that an earlier process ended is not begun again."""
        for phase in phases:
            step(phase)
            if phase == "deep":
                steps.deep(work)
            elif phase not in work.report:
                if phase == "light":
                    self._read(work)
                    steps.light(work)
                else:
                    steps.rem(work)

    def _read(self, work: Work) -> None:
        """Read the threads that wait; where nobody answers at all, one failure speaks for the rest."""
        reading = self._reading()
        waiting = list(reading.waiting(work.as_of))
        while waiting:
            session = waiting.pop(0)
            step(f"reading, {len(waiting)} threads left")
            try:
                while reading.read(work, session):
                    pass
            except (EndpointError, RefusedError, UsageError) as error:
                away = isinstance(error, EndpointError) and error.status == "unavailable"
                self._put_off(work, session, str(error), unread=len(waiting) if away else 0)
                if away:
                    break
        Interest(self._store, self._rows).read(work)

    def _put_off(self, work: Work, session: str, error: str, *, unread: int) -> None:
        """Let a thread that cannot be read wait: twice as long after each failure.

        `unread` is how many threads are left to the next run because of it.
        """
        with work.step():
            attempts = int(self._store.value(SQL.attempts, {"session": session}) or 0)
            again = clock.moved(work.as_of, hours=wait_after(attempts))
            failure = {"session": session, "error": error[:200], "next_at": again}
            self._store.execute(SQL.fail, failure)
            work.add("read", failed=1, **({"unread": unread} if unread else {}))

    def _read_again(self, work: Work, session: str) -> None:
        with work.step():
            if not self._store.execute(SQL.read_again, {"session": session}):
                raise NotFoundError(
                    f'there is no thread "{session:.40}"', hint="memctl turns list shows them"
                )
            with suppress(NotFoundError):
                kept = [
                    e.id for e in self._episodes.list(limit=-1) if e.source == f"dream:{session}"
                ]
                self._episodes.forget(kept, why="read again")

    def _rehearsed(self, **asked: Any) -> DreamReport:
        """Return the result of a run on a copy of the store."""
        with rehearsal(self._store) as copy:
            # No model is loaded for what is thrown away.
            settings = Settings(copy, {**self._store.flags, "fallback": "none"})
            made = Dream(copy, settings, self._scope).run(apply=True, **asked)
        for promotion in made.phases.get("deep", {}).get("promotions", []):
            promotion["fact"] = None  # the copy's is nobody's
        return replace(made, run=None, applied=False)

    # -- by the way ----------------------------------------------------------------------

    def _phases(self, numbers: ScoreSet) -> Phases:
        return Phases(self._store, self._rows, self._facts, numbers)

    @property
    def _tidying(self) -> Tidying:
        return Tidying(self._store)

    def _reading(self) -> ThreadReading:
        extractor = Extractor(self._store, self._facts)
        return ThreadReading(
            self._store,
            self._settings,
            self._turns,
            self._episodes,
            extractor,
            self._rows,
            self._facts,
        )

    def _anything_to_do(self, steps: Phases, phases: Iterable[Phase], *, tidy: bool) -> bool:
        """Return whether a run would write anything: a second run writes nothing new."""
        if "light" in phases and (
            unread_turns(self._store) or Interest(self._store, self._rows).waiting
        ):
            return True
        now = clock.now()
        if tidy and self._tidying.applicable(now):
            return True
        if any(steps.waits(phase, now) for phase in phases if phase != "deep"):
            return True
        return "deep" in phases and any(
            candidate.judged.stopped_by is None for candidate in steps.ranked(now)
        )


def _idle(why: str, profile: str, phases: Mapping[str, Any] | None = None) -> DreamReport:
    """Return the report of a run that did nothing."""
    return DreamReport(
        run=None, applied=False, why=why, as_of=clock.now(), profile=profile, phases=phases or {}
    )


def _told(work: Work) -> DreamReport:
    """Return the report of a run that has ended."""
    return DreamReport(
        run=work.id,
        applied=True,
        why="",
        as_of=work.as_of,
        profile=work.profile,
        phases={
            name: {**counts, **work.shown.get(name, {})} for name, counts in work.report.items()
        },
        diary=work.diary,
    )


def _diary(work: Work) -> str:
    """Return a run in one sentence."""
    read, deep = work.report.get("read", {}), work.report.get("deep", {})
    parts = []
    if read.get("turns"):
        turns, kept = (counted(read[name], name[:-1]) for name in ("turns", "statements"))
        parts.append(f"read {turns} and kept {kept}")
    if read.get("unread"):
        threads = counted(read["unread"], "thread")
        parts.append(f"left {threads} unread, as the endpoint is paused or not reached")
    if "deep" in work.report:
        promoted = deep.get("promoted", 0)
        parts.append(
            f"promoted {promoted or 'none'}"
            + (f" of {deep['ranked']}" if deep.get("ranked") else "")
        )
    parts += [f"{name} {count}" for name, count in work.report.get("tidy", {}).items() if count]
    return f"{work.day}: " + (", ".join(parts) or "nothing was new")
