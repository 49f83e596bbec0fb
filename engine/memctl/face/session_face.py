"""What is going on now, as `Memory` offers it."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from memctl.base.arguments import checked_class
from memctl.base.errors import UsageError, WrongTypeError
from memctl.face.text_face import TextFace
from memctl.store import statements
from memctl.text.own_words import own_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from memctl.base.clock import When
    from memctl.extraction.extracted import Extracted
    from memctl.search.recall_results import Recalled
    from memctl.semantic.facts import Facts
    from memctl.semantic.records import Written
    from memctl.store.store import Store
    from memctl.working.active import ActiveMemory
    from memctl.working.assembler import Occasion
    from memctl.working.context import Context
    from memctl.working.journal import Journal
    from memctl.working.live_sessions import Sessions
    from memctl.working.session_cache import SessionCache
    from memctl.working.tool_calls import ToolCalls

SKILLS = statements.load("store/skill")

_EXTRACTED_TURNS = 200  # of the log, that `extract` reads
_FOUND = 12  # rows, of which those that a prompt is told are chosen
_FOUND_TOKENS = 600  # of them together: of a long row its passages
_LONGEST_STATED = 4_000  # characters of a prompt; a longer one is a file that was pasted
_BEFORE = 7  # turns before a prompt, that say what it is about
_SAID = 200  # turns of the session that Active Memory looks at, the newest


@checked_class
class SessionFace(TextFace):
    """A session has a journal, a cache, and a context for its next prompt."""

    @property
    def _session(self) -> str | None:
        """The session that the store was opened for."""
        return self._scope.session if self._scope else None

    @cached_property
    def journal(self) -> Journal:
        """The journal of the session that the store was opened for: what it is at."""
        from memctl.working.journal import Journal

        return Journal(self.store, self.settings, self._session)

    @cached_property
    def sessions(self) -> Sessions:
        """The sessions: start, end, list, get."""
        from memctl.base.scope import Scope
        from memctl.working.live_sessions import Sessions

        scope = self._scope or Scope()

        def facts_of(session: str) -> Facts:
            from memctl.semantic.facts import Facts  # a third of a hook, and few of them write any

            return Facts(self.store, self.settings, replace(scope, session=session))

        return Sessions(self.store, self.settings, self.episodic, facts_of)

    def take_part(self) -> str:
        """Take part in the session that a host has begun here; return its name.

        What belongs to a session is read from it and written to it from now on: the journal, the
        cache, passing facts. Where no host has begun one, that is the unnamed session.
        """
        from memctl.base.scope import Scope

        scope = self._scope or Scope()
        name = self.sessions.current(scope.session)
        if name != scope.session:
            self._scope = replace(scope, session=name)
            for part in ("journal", "sessions", "cache", "facts"):
                self.__dict__.pop(part, None)
        return name

    @cached_property
    def tool_calls(self) -> ToolCalls:
        """The calls of tools that hosts have told of: add, list."""
        from memctl.working.tool_calls import ToolCalls

        return ToolCalls(self.store)

    @cached_property
    def cache(self) -> SessionCache:
        """The cache of that session: values at hand for a while."""
        from memctl.working.session_cache import SessionCache

        return SessionCache(self.store, self._session)

    def context(
        self,
        query: str | None = None,
        max_tokens: int | None = None,
        *,
        occasion: Occasion = "asked",
        trigger: str = "",
        also: TextFace | None = None,
    ) -> Context:
        """Return what a prompt should be answered with: journal, facts and recall in one block.

        What the session itself said is left out, unless its host has compacted it since.

        Parameters
        ----------
        query
            The user's message; without one nothing is recalled.
        max_tokens
            A hard cap on the block, fence included; the setting ``context_max_tokens`` by default.
        occasion
            ``asked``: all of it; ``start``: what holds whatever is asked, what stood open, and what
            was told lately; ``prompt``: the rows alone that the message asks for and that none of
            the session's prompts was told, as ``recall_strategy`` says.
        trigger
            What started the turn: a session's key, or a word such as ``cron``.
        also
            Another memory whose facts are read along: an assistant's, in an app's session.

        Raises
        ------
        UsageError
            When the cap is out of range, or the occasion is unknown.
        """
        from memctl.working.assembler import Sources, assembled

        if also is not None and not isinstance(also, TextFace):
            raise WrongTypeError('"also" takes a memory', hint='memctl.open("agent")')
        cap = self.settings.integer("context_max_tokens") if max_tokens is None else max_tokens
        read = [self, *([also] if also is not None else [])]
        read = [one for one in read if one.store.exists]
        sources = Sources(
            self.store,
            self.settings,
            self.journal,
            self._session,
            [one.facts for one in read],
            [partial(_rows_of, one, own=one is self) for one in read],
            frozenset(self._told()),
            self._skills_told,
            self._elsewhere if self.store.exists and self.store.scope.project else None,
        )
        made = assembled(sources, query, occasion=occasion, max_tokens=cap, trigger=trigger)
        for one in read:
            _note_served(one.store, made.rows)
        return made

    def extract(
        self,
        text: str | None = None,
        *,
        said_at: When | None = None,
        speaker: str | None = None,
        thread: str | None = None,
        store: bool = False,
        ask: Callable[[str, str], Any] | None = None,
    ) -> Extracted:
        """Return the facts of a text, or of the log, that are worth keeping: at most ten.

        Parameters
        ----------
        text
            Prose, notes or a transcript; without one the last 200 turns of the log are read.
        said_at, speaker
            When the text was said, and who says "I" in it; now and ``User`` by default.
        thread
            Only this thread of the log.
        store
            Store them as well, one batch for each category and source.
        ask
            A language model instead of the rules that choose: it takes a system prompt and a text,
            and returns the object that its JSON answer is. What it proposes is checked.

        Raises
        ------
        UsageError
            When a text and a thread are given, or `said_at` is no time.
        UnusableInputError
            When the text is too long, or the model's answer cannot be used.
        """
        from memctl.extraction.extractor import Extractor

        if text is not None and thread is not None:
            raise UsageError("a text belongs to no thread", hint="give the text or the thread")
        extractor = Extractor(self.store, self.facts)
        if text is None:
            found = (
                self.turns.list(session=thread, limit=_EXTRACTED_TURNS) if self.store.exists else []
            )
            made = extractor.from_turns(found[::-1], ask=ask)
        else:
            made = extractor.from_text(text, said_at=said_at, speaker=speaker, ask=ask)
        return extractor.keep(made) if store else made

    def at_once(
        self,
        text: str,
        *,
        turn: int | None = None,
        session: str | None = None,
        before: Sequence[tuple[str, str]] | None = None,
    ) -> tuple[Written, ...]:
        """Store what a prompt states outright, and return what became of each statement.

        Decisions, corrections, standing orders, "remember that ...", and what a person says of
        themselves are kept; questions, orders of the moment, small talk, guesses and what was
        pasted are not. No model is asked.

        Parameters
        ----------
        text
            The prompt, as the host hands it in.
        turn
            The turn of the log that holds it: the facts' source.
        session
            Its thread: "make it 450" is understood by the turns before it there.
        before
            Those turns, oldest first, as pairs of role and text, where the caller knows them.
        """
        from memctl.text.sentence_kinds import may_state

        own = own_words(text).text[:_LONGEST_STATED]
        if not own or not may_state(own):
            return ()
        from memctl.extraction.extracted import Said
        from memctl.extraction.extractor import Extractor

        zone = self.store.zone
        at = zone.local(*zone.told(zone.now(), what="now"))
        if before is None and session is not None and self.store.exists:
            turns = self.turns.list(session=session, limit=_BEFORE)
            before = [(one.role, one.text) for one in reversed(turns) if one.id != turn]
        said = [Said(words, at, role) for role, words in before or ()]
        return Extractor(self.store, self.facts).at_once(Said(own, at, turn=turn), said)

    def active(
        self,
        message: str,
        *,
        mode: str = "recent",
        style: str | None = None,
        max_chars: int = 220,
        turns: Iterable[tuple[str, str]] | None = None,
        timeout: float | None = None,
    ) -> ActiveMemory:
        """Return the one line of memory that a message should be answered with, or none.

        Recall answers; a model does where ``endpoint_url`` names one and recall is unsure.

        Parameters
        ----------
        message
            The user's message.
        mode
            ``message``, ``recent`` (with the last two turns of the user and one of the assistant)
            or ``full`` (with the whole conversation).
        style
            ``strict``, ``balanced``, ``contextual``, ``recall-heavy``, ``precision-heavy`` or
            ``preference-only``; by default the first three for the three modes.
        max_chars
            Characters of the line, clamped to 40 to 1,000.
        turns
            The conversation before the message, oldest first, as pairs of role (``user``,
            ``assistant``) and text; by default that of the session that the store was opened for.
        timeout
            Seconds, clamped to 0.25 to 120; ``endpoint_timeout_seconds`` by default.

        Returns
        -------
        ActiveMemory
            ``text``, ``status``, ``mode``, ``style`` and ``rows``.

        Raises
        ------
        UsageError
            When the mode or the style is unknown.
        """
        from memctl.working.active import active_memory
        from memctl.working.active_request import ActiveRequest
        from memctl.working.prompt_rows import SessionView

        seconds = self.settings.number("endpoint_timeout_seconds") if timeout is None else timeout
        said = self._said() if turns is None else turns
        made = active_memory(
            self.store,
            self.settings,
            partial(_rows_of, self, own=True),
            ActiveRequest(message, mode, style, max_chars, seconds, said),
            SessionView(self.store, self._session),
        )
        _note_served(self.store, made.rows)
        return made

    def _told(self) -> set[str]:
        """Return the names of the rows that the session's prompts were told."""
        from memctl.recall.injected import told_in

        session = self._session
        return told_in(self.store, session, hook="prompt") if session is not None else set()

    def injected(self, made: Context, hook: str) -> bool:
        """Record that a context was put into a prompt; return whether it could be.

        A prompt of the session is not told the same rows again, until the session is compacted.

        Parameters
        ----------
        made
            The context.
        hook
            What put it there: ``prompt``, ``start``, ...
        """
        from memctl.recall.injected import record_injected

        if self._session is None or not made.text:
            return False
        return record_injected(self.store, self._session, hook, made.rows, made.tokens)

    def compacted(self) -> None:
        """Take note that a host compacts the session: what it was told may be told again."""
        from memctl.recall.injected import forget_told
        from memctl.working.prompt_rows import COMPACTION

        self.journal.snapshot(COMPACTION)
        if self._session is not None:
            forget_told(self.store, self._session)

    def _elsewhere(self, question: str) -> tuple[Recalled, Mapping[str, str]]:
        """Return what a question finds in other projects, and the project of each row."""
        from memctl.recall.tiers import recall_across
        from memctl.search.recall_request import RecallRequest
        from memctl.semantic.facts import Facts

        store, own = self.store, self.store.scope.project
        request = RecallRequest(
            question,
            limit=_FOUND,
            max_tokens=_FOUND_TOKENS,
            kinds=("turn", "fact"),
            record=False,
            zone=store.zone,
        )
        finder = Facts(store, self.settings, replace(store.scope, project=None))
        with store.across_projects():
            found = recall_across(lambda: finder, store, self.settings, request)
            projects = {
                row.name: finder.get(str(row.id)).project
                if row.kind == "fact"
                else self.turns.get(int(row.id)).project
                for row in found
            }
        others = tuple(row for row in found if projects[row.name] not in {"", own})
        return replace(found, rows=others), projects

    def _skills_told(self, question: str) -> Sequence[str]:
        if not (self.store.exists and self.store.value(SKILLS.any_active)):
            return []
        from memctl.procedural.skills import Skills  # half as much to read as all the rest

        return Skills(self.store).told(question)

    def _said(self) -> list[tuple[str, str]]:
        """Return what was said in the session, oldest first; nothing where none is named."""
        session = self._session
        if session is None or not self.store.exists:
            return []
        turns = self.turns.list(session=session, limit=_SAID)
        return [(turn.role, turn.text) for turn in reversed(turns)]


def _rows_of(memory: TextFace, question: str, *, own: bool) -> Recalled:
    """Return the rows that a question finds in a memory; in another than the own, its facts.

    A prompt waits for no model to load: its vectors are asked where this process has loaded it.
    """
    from memctl.recall.tiers import recall_across
    from memctl.search.recall_request import RecallRequest

    request = RecallRequest(
        question,
        _FOUND,
        _FOUND_TOKENS,
        kinds=("turn", "episode", "fact") if own else ("fact",),
        min_worth=memory.settings.number("context_min_worth"),
        patient=False,
        record=False,
        zone=memory.store.zone,
    )
    return recall_across(lambda: memory.facts, memory.store, memory.settings, request)


def _note_served(store: Store, rows: Iterable[str]) -> None:
    """Note that the facts among some rows were served, so that decay leaves them alone."""
    from memctl.semantic.finding import note_served

    facts = [row for row in rows if row.startswith("f_")]
    if facts:
        note_served(store, facts)
