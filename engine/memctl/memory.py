"""The memory of one app or site: the face that Python and the command line share."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from memctl.base.arguments import checked, checked_class, hands_on
from memctl.base.home import Address, default_home, parse_address
from memctl.base.scope import Scope
from memctl.config.settings import Settings
from memctl.store.store import Store

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping
    from types import TracebackType

    from memctl.episodic.episodic import Episodic
    from memctl.episodic.recall_records import Feedback
    from memctl.episodic.recall_results import Recalled
    from memctl.reports import Report
    from memctl.semantic.fact_finder import FactFinder
    from memctl.semantic.facts import Facts
    from memctl.visual.graph.components import Components
    from memctl.visual.graph.states import States
    from memctl.visual.graph.transitions import Transitions
    from memctl.visual.match_results import Learn, Location, Match
    from memctl.visual.reading.boxes_file import BoxesSource
    from memctl.visual.reading.image import ImageSource
    from memctl.visual.visual import Visual

__all__ = ["Memory", "open_memory", "report_stores"]

Window = tuple[int, int, int, int]


@checked_class
class Memory:
    """One open store. ``memctl.open`` makes it; ``with`` closes it.

    Image libraries are loaded by the first call that needs them.

    Parameters
    ----------
    store
        The file.
    flags
        Settings that win over the environment and the store.
    chrome
        The memory of the browser around a site, ``None`` for an app.
    scope
        Whose facts are read and written; everybody's where nothing is said.
    """

    def __init__(
        self,
        store: Store,
        *,
        flags: Mapping[str, str] | None = None,
        chrome: Memory | None = None,
        scope: Scope | None = None,
    ) -> None:
        self.store = store
        self._scope = scope
        self._flags = dict(flags or {})
        self.settings = Settings(store, flags)
        self._chrome = chrome

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the files."""
        self.store.close()
        if self._chrome is not None:
            self._chrome.close()

    @property
    def address(self) -> Address:
        """What this is the memory of."""
        return self.store.address

    # -- visual memory -------------------------------------------------------------------

    def learn(
        self,
        image: ImageSource,
        boxes: BoxesSource | None = None,
        page: str | None = None,
        window: Window | None = None,
        *,
        ocr: bool = False,
    ) -> Learn:
        """Learn a screenshot; see `memctl.visual.visual.Visual.learn`."""
        return self.visual.learn(image, boxes, page=page, window=window, ocr=ocr)

    def match(
        self,
        image: ImageSource,
        window: Window | None = None,
        *,
        page: str | None = None,
        exhaustive: bool = False,
        record: bool = True,
    ) -> Match:
        """Say what is known of a screenshot; see `memctl.visual.visual.Visual.match`."""
        return self.visual.match(
            image, window=window, page=page, exhaustive=exhaustive, record=record
        )

    def locate(self, name: str | int, image: ImageSource, window: Window | None = None) -> Location:
        """Say where one component is; see `memctl.visual.visual.Visual.locate`."""
        return self.visual.locate(name, image, window=window)

    @cached_property
    def visual(self) -> Visual:
        """The visual memory; loads the image libraries."""
        from memctl.visual.visual import Visual

        return Visual(self.store, self.settings, self._chrome.visual if self._chrome else None)

    @cached_property
    def components(self) -> Components:
        """What can be seen: list, get, rename, pin, delete, restore."""
        from memctl.visual.graph.components import Components

        return Components(self.store)

    @cached_property
    def states(self) -> States:
        """The screens: list, get, rename, merge, restore."""
        from memctl.visual.graph.states import States

        return States(self.store)

    @cached_property
    def transitions(self) -> Transitions:
        """Where acts lead: record, pending, commit, discard, list, path."""
        from memctl.visual.graph.transitions import Transitions

        return Transitions(self.store)

    # -- episodic memory -----------------------------------------------------------------

    @hands_on
    def log(
        self,
        text: Any,
        role: str = "user",
        speaker: str | None = None,
        session: str | None = None,
        logged_at: str | None = None,
        details: Any = "",
    ) -> int:
        """Add one raw turn to its thread; see `memctl.episodic.episodic.Episodic.log`."""
        return self.episodic.log(text, role, speaker, session, logged_at, details)

    @hands_on
    def remember(
        self,
        summary: Any,
        details: Any = "",
        tags: Iterable[str] = (),
        participants: Iterable[str] = (),
        happened_at: str | None = None,
        confidence: str = "medium",
        thread: str | None = None,
        *,
        source: str | None = None,
        turns: Iterable[int] = (),
    ) -> int:
        """Remember one episode; see `memctl.episodic.episodic.Episodic.remember`."""
        return self.episodic.remember(
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
        limit: int = 5,
        max_tokens: int | None = None,
        as_of: str | None = None,
        *,
        now: str | None = None,
        since: str | None = None,
        until: str | None = None,
        tags: Iterable[str] = (),
        participants: Iterable[str] = (),
        thread: str | None = None,
        status: str = "living",
        kinds: Iterable[str] = (),
        record: bool = True,
    ) -> Recalled:
        """Return the turns, episodes and facts that answer, best first, each explained.

        Parameters
        ----------
        query
            A question or words, in any shape a message has. Nothing in it is an operator.
        limit
            Most rows, 1 to 1000.
        max_tokens
            A hard cap on the (estimated) tokens of all rows together; whole rows only.
        as_of
            Only what had happened, and what held, by then.
        now
            The time that "yesterday" is counted from; by default `as_of`, else the clock.
        since, until
            When a row happened, ISO-8601, both included.
        tags, participants
            All of the tags that an episode must bear; one of those who must have said it or
            taken part, whatever the case.
        thread
            The session or thread that a row must belong to.
        status
            ``"living"``, ``"archived"`` or ``"all"``. A fact has no time, tag, participant or
            thread of its own: it is left out where one of them is asked for, and from the
            archived.
        kinds
            Of ``"turn"``, ``"episode"`` and ``"fact"`` only these; empty for all.
        record
            Whether the recall is kept, for `feedback`; never where the store is read-only.

        Raises
        ------
        UsageError
            When a limit, a time, a kind or the status is none.
        """
        from memctl.episodic.recall_request import RecallRequest
        from memctl.recall.tiers import recall_across

        request = RecallRequest(
            query,
            limit,
            max_tokens,
            as_of,
            now=now,
            since=since,
            until=until,
            tags=tags,
            participants=participants,
            thread=thread,
            status=status,
            kinds=kinds,
            record=record,
        )
        return recall_across(self._fact_finder, self.store, self.settings, request)

    def feedback(
        self, recall: int, used: Iterable[int | str] = (), outcome: str | None = None
    ) -> Feedback:
        """Mark the rows of a recall that helped; see `memctl.episodic.recall_records.give_feedback`."""
        return self.episodic.feedback(recall, used, outcome)

    @cached_property
    def episodic(self) -> Episodic:
        """Turns and episodes: list, show, archive, erase, aliases, vectors."""
        from memctl.episodic.episodic import Episodic

        return Episodic(self.store, self.settings)

    # -- semantic memory -----------------------------------------------------------------

    @cached_property
    def facts(self) -> Facts:
        """What is true: store, search, get, list, update, forget, delete_all, history."""
        from memctl.semantic.facts import Facts

        return Facts(self.store, self.settings, self._scope, known_words=self.episodic)

    def _fact_finder(self) -> FactFinder:
        """Return the finder of facts alone: a recall does not need the classes that write them."""
        from memctl.semantic.fact_finder import FactFinder

        return FactFinder(self.store, self.settings, self._scope, known_words=self.episodic)

    # -- reports -------------------------------------------------------------------------

    def report(self, name: str, *, since: str | None = None, until: str | None = None) -> Report:
        """Answer questions about this store; see `memctl.reports.report.make_reports`."""
        from memctl.reports import make_report, source_of

        source = source_of(self.store)
        return make_report(name, source, since=since, until=until, settings=self._flags)


@checked
def open_memory(
    address: str = "agent",
    home: str | os.PathLike[str] | None = None,
    *,
    readonly: bool = False,
    settings: Mapping[str, str] | None = None,
    user: str | None = None,
    agent: str | None = None,
    session: str | None = None,
    subagent: bool = False,
) -> Memory:
    """Open the memory of an app or site; the first write creates its file.

    Parameters
    ----------
    address
        ``"agent"``, an app, or ``"browser/site"``; the site may be a URL.
    home
        Folder of all stores; else ``MEMCTL_HOME``, else the platform's data folder.
    readonly
        Let SQLite refuse every write.
    settings
        Values that win over the environment and the store, for this memory only.
    user, agent, session
        Whose facts: set here, narrowed by calls, widened by none.
    subagent
        Opens read-only; whatever changes something answers ``subagent_blocked``.

    Raises
    ------
    UsageError
        When the address or a setting is not allowed.

    Examples
    --------
    >>> with open_memory("chromium/https://www.united.com/en", home="/tmp/m") as memory:
    ...     print(memory.address)
    chromium/united.com
    """
    where = parse_address(address)
    folder = default_home(home)
    browser = where.browser
    chrome = Memory(Store(browser.path(folder), browser, readonly=True)) if browser else None
    store = Store(where.path(folder), where, readonly=readonly, subagent=subagent)
    scope = Scope(user, agent, session, subagent)
    return Memory(store, flags=settings, chrome=chrome, scope=scope)


def report_stores(
    name: str,
    home: str | os.PathLike[str] | None = None,
    *,
    folder: str | os.PathLike[str] | None = None,
    since: str | None = None,
    until: str | None = None,
) -> Report:
    """Answer questions about all stores of a home, or about all files in a folder.

    Parameters
    ----------
    name
        ``health``, ``decay``, ``recall``, ``matching`` or ``growth``.
    home
        Folder of all stores; else ``MEMCTL_HOME``, else the platform's data folder.
    folder
        Any folder with ``.db`` files, asked instead of a home.
    since, until
        ISO-8601: what happened from `since`, up to and without `until`.

    Returns
    -------
    Report
        Its ``answers`` hold the name of the store in their first column; stores that cannot
        be read are listed in ``skipped``.

    Raises
    ------
    UsageError
        When there is no such report or folder, or the times are none or backwards.
    """
    from memctl.reports import files_in, make_report, stores_at

    sources = stores_at(home) if folder is None else files_in(folder)
    return make_report(name, sources, since=since, until=until)
