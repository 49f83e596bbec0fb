"""What was said and what is true, as `Memory` offers it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from memctl.base.arguments import checked_class, hands_on
from memctl.base.clock import as_text
from memctl.face.open_store import OpenStore

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memctl.base.clock import When
    from memctl.episodic.episodes import Episodes
    from memctl.episodic.episodic import Episodic
    from memctl.episodic.log import Log
    from memctl.episodic.recall_records import Feedback
    from memctl.recall.recalls import Recalls
    from memctl.search.answer.explanation import WhyNot
    from memctl.search.recall_request import RecallRequest
    from memctl.search.recall_results import Recalled
    from memctl.semantic.facts import Facts
    from memctl.text.aliases import Aliases


@checked_class
class TextFace(OpenStore):
    """Turns, episodes and facts are kept and recalled."""

    @hands_on
    def log(
        self,
        text: Any,
        role: str = "user",
        speaker: str | None = None,
        session: str | None = None,
        logged_at: When | None = None,
        details: Any = "",
    ) -> int:
        """Add one raw turn at the end of its thread; return its id.

        Parameters
        ----------
        text
            The message: text, or an object as chat APIs have it.
        role
            ``user``, ``assistant``, ``system``, ``tool``, ...
        speaker
            The speaker's name.
        session
            The thread; a turn without one belongs to the thread of its day.
        logged_at
            When it was said: ISO-8601 text, a `datetime` or a `date`, without a zone of yours;
            now by default.
        details
            A caption, a tool's output; searched as well.

        Raises
        ------
        UnusableInputError
            When there is nothing in it, or too much.
        SecretRefusedError
            When it looks like a secret; nothing is written.
        """
        return self.turns.add(text, role, speaker, session, logged_at, details)

    @hands_on
    def remember(
        self,
        summary: Any,
        details: Any = "",
        tags: Iterable[str] = (),
        participants: Iterable[str] = (),
        happened_at: When | None = None,
        confidence: str = "medium",
        thread: str | None = None,
        *,
        source: str | None = None,
        turns: Iterable[int] = (),
    ) -> int:
        """Remember one episode; return its id.

        Parameters
        ----------
        summary, details
            One sentence, and all the rest; both are searched.
        tags, participants
            Its subjects, and who took part; searched as well.
        happened_at
            When: ISO-8601 text, a `datetime` or a `date`, without a zone of yours; now by default.
        confidence
            ``"low"``, ``"medium"`` or ``"high"``.
        thread
            The thread that it becomes the last episode of.
        source
            Where it comes from.
        turns
            Ids of the logged turns that it was made from.

        Raises
        ------
        UnusableInputError, UsageError
            When the summary is empty or too long, the confidence is none of the three, or a
            turn does not exist.
        SecretRefusedError
            When it looks like a secret; nothing is written.
        """
        return self.episodes.add(
            summary,
            details,
            tags,
            participants,
            happened_at,
            confidence,
            thread,
            source=source,
            turns=turns,
        )

    def recall(
        self,
        query: Any,
        limit: int | None = None,
        max_tokens: int | None = None,
        as_of: When | None = None,
        *,
        now: When | None = None,
        since: When | None = None,
        until: When | None = None,
        tags: Iterable[str] = (),
        participants: Iterable[str] = (),
        thread: str | None = None,
        status: str = "living",
        kinds: Iterable[str] = (),
        min_confidence: float = 0.0,
        min_worth: float | None = None,
        record: bool = True,
    ) -> Recalled:
        """Return the turns, episodes and facts that answer a question, best first, explained.

        Parameters
        ----------
        query
            A question or words, in any shape a message has. Nothing in it is an operator.
        limit
            Most rows, 1 to 1000; by default the setting ``recall_limit``, within a budget 200.
        max_tokens
            A hard cap on the (estimated) tokens of all rows together. Of a long row, the passages
            are packed that hold most of the question.
        as_of
            Only what had happened, and what held, by then. A time is ISO-8601 text, a
            `datetime`, a `date` (all of that day) or a `timedelta` from now, such as
            ``timedelta(days=-7)``; without a zone it is of yours (see the setting ``timezone``).
        now
            The time that "yesterday" is counted from; by default `as_of`, else the clock.
        since, until
            Only turns and episodes from then on, and up to and with then.
        tags
            All of these must be on an episode; turns have none.
        participants
            One of these must have said it or taken part, by any of the names that aliases give
            them, whatever the case.
        thread
            The session of a turn, or the thread of an episode.
        status
            ``"living"``, ``"archived"`` (archived turns and forgotten episodes) or ``"all"``.
            A fact has no time, tag, participant or thread of its own: it is left out where one
            of them is asked for, and from the archived.
        kinds
            Of ``"turn"``, ``"episode"``, ``"fact"`` and ``"state"`` only these; empty for all. States
            stand behind the rest: the screens whose description holds words of the question.
        min_confidence
            0 to 1: an answer that is less sure comes without rows, and says why.
        min_worth
            0 to 1: a row that is less likely to answer is left out; 0 gives all that share a word.
            By default the setting ``recall_min_worth``.
        record
            Whether the recall is kept, for `feedback`; never where the store is read-only.

        Returns
        -------
        Recalled
            A sequence of rows with ``kind``, ``id``, ``text``, ``happened_at``, ``score``,
            ``matched``, ``explain`` and ``fallback``; ``id`` is the recall's own, for
            `feedback`, and ``note`` says why nothing came back.

        Raises
        ------
        UsageError
            When a limit, a time, a status or a kind is not allowed.
        """
        from memctl.recall.tiers import recall_across

        request = self._request(
            query,
            limit,
            max_tokens,
            as_of=as_of,
            now=now,
            since=since,
            until=until,
            tags=tags,
            participants=participants,
            thread=thread,
            status=status,
            kinds=kinds,
            min_confidence=min_confidence,
            min_worth=min_worth,
            record=record,
        )
        return recall_across(lambda: self.facts, self.store, self.settings, request)

    def why_not(self, query: Any, row: str, limit: int | None = None, **narrowing: Any) -> WhyNot:
        """Return where a row stands for a question that it was expected to answer, and why.

        Parameters
        ----------
        query
            The question.
        row
            ``"turn:12"``, ``"episode:3"`` or a fact's id.
        limit, narrowing
            As for `recall`.

        Raises
        ------
        UsageError
            When `row` is no name of a row.
        NotFoundError
            When there is no such row.
        """
        from memctl.recall.tiers import why_not_across

        request = self._request(query, limit, **narrowing)
        return why_not_across(lambda: self.facts, self.store, self.settings, request, row)

    def _request(
        self, query: Any, limit: int | None, max_tokens: int | None = None, **asked: Any
    ) -> RecallRequest:
        from memctl.search.recall_request import RecallRequest

        times = {
            name: as_text(asked.pop(name, None)) for name in ("as_of", "now", "since", "until")
        }
        usual = self.settings.integer("recall_limit")
        zone = self.store.zone
        return RecallRequest(query, limit, max_tokens, **times, **asked, zone=zone, usual=usual)

    def feedback(
        self, recall: int, used: Iterable[int | str] = (), outcome: str | None = None
    ) -> Feedback:
        """Mark which rows of a recall helped, and how it went.

        Parameters
        ----------
        recall
            The recall's id.
        used
            Ids of its rows; ``"turn:3"`` where a turn and an episode have the same number.
        outcome
            ``"ok"`` or ``"failed"``.

        Raises
        ------
        NotFoundError
            When there is no such recall, or a row was not among its hits; nothing is marked.
        UsageError
            When the outcome is neither, or an id names no row or several.
        """
        return self.episodic.feedback(recall, used, outcome)

    @property
    def turns(self) -> Log:
        """The raw turns: add, list, get, archive, restore, erase."""
        return self.episodic.turns

    @property
    def episodes(self) -> Episodes:
        """The episodes: add, list, get, forget, restore, erase."""
        return self.episodic.episodes

    @property
    def aliases(self) -> Aliases:
        """Words that mean the same: add, list, get, remove."""
        return self.episodic.aliases

    @cached_property
    def recalls(self) -> Recalls:
        """The recalls that were kept: list, get, hits, forget, restore."""
        from memctl.recall.recalls import Recalls

        return Recalls(self.store, lambda: self.facts)

    @cached_property
    def episodic(self) -> Episodic:
        """The episodic memory: turns, episodes, aliases, vectors."""
        from memctl.episodic.episodic import Episodic

        return Episodic(self.store, self.settings)

    @cached_property
    def facts(self) -> Facts:
        """The facts: store, search, get, lookup, list, update, pin, unpin, forget, restore, ..."""
        from memctl.semantic.facts import Facts

        return Facts(self.store, self.settings, self._scope)
