"""The memory of one app or site: the face that Python and the command line share."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from memctl.base.arguments import checked_class, hands_on
from memctl.base.clock import as_text
from memctl.base.errors import MemctlError, UsageError, WrongTypeError
from memctl.config.settings import Settings

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from types import TracebackType

    from memctl.base.clock import When
    from memctl.base.home import Address
    from memctl.base.scope import Scope
    from memctl.config.setting import Value
    from memctl.consolidation.dream import Dream
    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.drivers.look import Eyes, Look
    from memctl.episodic.episodes import Episodes
    from memctl.episodic.episodic import Episodic
    from memctl.episodic.log import Log
    from memctl.episodic.recall_records import Feedback
    from memctl.extraction.extracted import Extracted
    from memctl.porting.import_results import Imported
    from memctl.porting.packs.packs import Packs
    from memctl.procedural.skill_book import SkillBook
    from memctl.recall.recalls import Recalls
    from memctl.reports import Report
    from memctl.search.recall_results import Recalled
    from memctl.search.why_not import WhyNot
    from memctl.semantic.fact_finder import FactFinder
    from memctl.semantic.facts import Facts
    from memctl.store.store import Store
    from memctl.text.aliases import Aliases
    from memctl.upkeep.doctor import CheckResult
    from memctl.upkeep.erasing.erasure_receipt import Erasure
    from memctl.upkeep.status import Status
    from memctl.upkeep.store_copies import StoreCopy
    from memctl.upkeep.vacuum import Vacuumed
    from memctl.visual.differences.diff_results import Difference
    from memctl.visual.graph.components import Components
    from memctl.visual.graph.states import States
    from memctl.visual.graph.transitions import Transitions
    from memctl.visual.match_results import Learn, Location, Match
    from memctl.visual.reading.boxes_file import BoxesSource
    from memctl.visual.reading.image import ImageSource
    from memctl.visual.reading.screen_picture import ScreenPicture
    from memctl.visual.visual import Visual
    from memctl.visual.waiting import Waited
    from memctl.working.active import ActiveMemory
    from memctl.working.context import Context
    from memctl.working.journal import Journal
    from memctl.working.live_sessions import Sessions
    from memctl.working.session_cache import SessionCache
    from memctl.working.tool_calls import ToolCalls

    Source = ImageSource | Look | Eyes

__all__ = ["Memory"]

Window = tuple[int, int, int, int]
_EXTRACTED_TURNS = 200  # of the log, that `extract` reads
_SAID = 200  # turns of the session that Active Memory looks at, the newest
# The collections that a memory's repr counts.
_COUNTED = ("components", "states", "turns", "episodes", "facts")


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
        flags: Mapping[str, Value] | None = None,
        chrome: Memory | None = None,
        scope: Scope | None = None,
    ) -> None:
        self.store = store
        self._scope = scope
        self._flags = dict(flags or {})
        self.settings = Settings(store, flags)
        self._chrome = chrome

    def __enter__(self) -> Self:
        self.store.refuse_closed()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if error is not None:
                self._refuse_damage(error)
        finally:
            self.close()

    def _refuse_damage(self, error: BaseException) -> None:
        """Raise `StoreDamagedError` where an error of the engine comes from a damaged file."""
        from memctl.upkeep.damage import damage_behind

        stores = [one.store for one in (self, self._chrome) if one is not None]
        for damage in (damage_behind(error, store) for store in stores if not store.closed):
            if damage is not None:
                raise damage from error

    def close(self) -> None:
        """Close the files."""
        self.store.close()
        if self._chrome is not None:
            self._chrome.close()

    @property
    def address(self) -> Address:
        """The app or site that this is the memory of."""
        return self.store.address

    def __repr__(self) -> str:
        """Return the address and the sizes of the collections; never raises."""
        try:
            sizes = (
                {name: len(getattr(self, name)) for name in _COUNTED} if self.store.exists else {}
            )
            told = ", ".join(f"{size} {name}" for name, size in sizes.items() if size) or "empty"
        except (MemctlError, OSError) as error:
            told = type(error).__name__
        return f"<memctl.Memory {self.address}, {told}>"

    # -- visual memory -------------------------------------------------------------------

    def learn(
        self,
        image: Source,
        boxes: BoxesSource | None = None,
        page: str | None = None,
        window: Window | None = None,
        *,
        ocr: bool = False,
        channels: str = "bgr",
        app_version: str | None = None,
        title: str | None = None,
    ) -> Learn:
        """Learn a screenshot in one transaction: add what is new, update what is known.

        Parameters
        ----------
        image
            A path, the bytes or an open binary file of a picture (PNG, JPEG, WebP, BMP, GIF,
            TIFF, PPM), a PIL image, or a uint8 array of shape ``(H, W)`` grey, ``(H, W, 3)`` or
            ``(H, W, 4)`` with transparency. An array is BGR, as in OpenCV, unless `channels`
            says otherwise. Or a live screen: an ``http`` or ``https`` URL, which is opened in an
            installed browser (the extra ``browser``), ``"screen"`` for the desktop (the extra
            ``screen``), a driver that is open, or its `Look`.
        boxes
            The places of components, from a DOM, an accessibility tree or a detector: the path
            of a JSON file, or any iterable of ``{"x", "y", "w", "h", "label"?, "type"?}`` or
            ``(x, y, w, h[, label])``, in image pixels. Without them a page's own are taken, and
            else the engine proposes some.
        page
            The caller's name of this page; pages of different names are never one state.
        window
            ``(x, y, w, h)`` of the app's window, in image pixels; else the whole image.
        ocr
            Read texts (the extra ``ocr``), and name components by them.
        channels
            ``"rgb"`` for an array whose first channel is red.
        app_version
            The version of the app on the screenshot, for reports; else the setting of that name.
        title
            The title of the window or document, kept with the state; else the page's own.

        Returns
        -------
        Learn
            The answer of `match`, and ``learned``, ``refused``, ``state_created`` and
            ``states_merged``.

        Raises
        ------
        UnusableInputError
            When the image or a box cannot be used; the store is unchanged.
        """
        picture = self._picture(image, channels)
        answer = self.visual.learn(
            picture.image,
            picture.boxes if boxes is None else boxes,
            page=page,
            window=window,
            ocr=ocr,
            app_version=app_version,
            title=picture.title if title is None else title,
        )
        return replace(answer, note=picture.note) if picture.note else answer

    def match(
        self,
        image: Source,
        window: Window | None = None,
        *,
        page: str | None = None,
        exhaustive: bool = False,
        record: bool = True,
        channels: str = "bgr",
        app_version: str | None = None,
    ) -> Match:
        """Find the state and the components of a screenshot, and say what is absent and why.

        Parameters
        ----------
        image, window, page, channels, app_version
            As for `learn`.
        exhaustive
            Search by brute force: slow, and right by definition.
        record
            Keep what was found, for reports, and count as a miss what should be there and is
            not; a read-only store keeps and counts nothing.

        Returns
        -------
        Match
            ``state`` (``None`` if unknown), ``sightings`` with their boxes in image pixels and
            scores of 0 to 1, ``absent`` components that were expected, those ``forgotten``
            because they were missed too often, ``ms`` by stage, and in ``unrecorded`` why
            nothing could be kept.

        Raises
        ------
        UnusableInputError
            When the image cannot be used.
        """
        picture = self._picture(image, channels)
        answer = self.visual.match(
            picture.image,
            window=window,
            page=page,
            exhaustive=exhaustive,
            record=record,
            app_version=app_version,
            boxes=picture.boxes,
        )
        return replace(answer, note=picture.note) if picture.note else answer

    def locate(
        self,
        name: str | int,
        image: Source,
        window: Window | None = None,
        *,
        beside: str | int | None = None,
        channels: str = "bgr",
    ) -> Location:
        """Find one component on a screenshot, or its best place there and why that is refused.

        Parameters
        ----------
        name
            The component's name or id.
        image, window, channels
            As for `learn`.
        beside
            Chooses one of equal places, such as a button in each row of a table: a component's
            name, label or id, or a text (which needs the extra ``ocr``), in the same row, on
            the same card or in the same group.

        Returns
        -------
        Location
            ``found``, the box in image pixels, ``score`` of 0 to 1, and ``how`` it was found or
            why it was not.

        Raises
        ------
        NotFoundError
            When there is no such component, or it is forgotten; when nothing is known by what
            `beside` says and no text can be read.
        UnusableInputError
            When the image cannot be used.
        """
        picture = self._picture(image, channels)
        answer = self.visual.locate(
            name, picture.image, window=window, beside=beside, boxes=picture.boxes
        )
        return replace(answer, note=picture.note) if picture.note else answer

    def diff(
        self, first: Source | int, second: Source | None = None, *, channels: str = "bgr"
    ) -> Difference:
        """Compare two screenshots, or the first look of a component with its last.

        Parameters
        ----------
        first, second
            Images as for `learn`; or only the name, label or id of a component.
        channels
            As for `learn`.

        Returns
        -------
        Difference
            ``changes``: what appeared, went, moved, scrolled or changed, with boxes in image
            pixels, named by the components that stand there; ``similarity`` of 0 to 1.

        Raises
        ------
        UsageError
            When the sizes of the pictures differ by more than their scale.
        NotFoundError
            When there is no such component.
        UnusableInputError
            When an image cannot be used.
        """
        if second is not None and not isinstance(first, int):
            pictures = [self._picture(one, channels).image for one in (first, second)]
            return self.visual.compared(*pictures).difference
        if second is None and isinstance(first, (str, int)):
            return self.visual.compared_looks(first).difference
        raise UsageError(
            "diff compares two images, or the looks of one component",
            hint='m.diff("a.png", "b.png") or m.diff("Save")',
        )

    def wait(
        self,
        name: str | int,
        image: Source,
        window: Window | None = None,
        *,
        timeout: float = 10.0,
        interval: float = 0.5,
        record: bool = True,
        **options: Any,
    ) -> Waited:
        """Look until a state is recognised or a component is located, or the time is over.

        Parameters
        ----------
        name
            The id, name or page of a state, else the name or id of a component.
        image, window
            As for `learn`; a file is read anew each time.
        timeout
            Seconds after which no further look is taken.
        interval
            Seconds between two looks.
        record
            Keep the last look, for reports; a read-only store keeps nothing.
        options
            Those of `browser`, for a URL.

        Returns
        -------
        Waited
            ``found``, ``match`` of the last look, for a component its ``location``, ``looks``
            and ``seconds``.

        Raises
        ------
        NotFoundError
            When there is neither such a state nor such a component.
        UnusableInputError
            When the image cannot be used.
        """
        from memctl.visual.waiting import wait_for

        with self._looks(image, options) as look:
            return wait_for(
                self.store,
                self.visual,
                name,
                look,
                window=window,
                timeout=timeout,
                interval=interval,
                record=record,
            )

    def look(self, image: Source, **options: Any) -> Look | None:
        """Return a look at a live screen; ``None`` for what is a screenshot already.

        Parameters
        ----------
        image
            As for `learn`.
        options
            Those of `browser`, for a URL.

        Raises
        ------
        UnusableInputError
            When the screen or page cannot be looked at.
        """
        from memctl.drivers.live_sources import is_live
        from memctl.drivers.look import Look

        if isinstance(image, Look):
            return image
        if not is_live(image):
            return None
        with self._live(image, **options) as looked:
            return looked()

    def _picture(self, image: Source, channels: str) -> ScreenPicture:
        """Return a screenshot as it is given, or taken now of a live screen."""
        from memctl.visual.reading.image import as_bgr
        from memctl.visual.reading.screen_picture import ScreenPicture

        seen = self.look(image)
        if seen is None:
            return ScreenPicture(as_bgr(image, channels))  # type: ignore[arg-type]
        return ScreenPicture(seen.png, seen.learnable(), seen.title or None, seen.note)

    @contextmanager
    def _looks(
        self, image: Source, options: dict[str, Any]
    ) -> Iterator[Callable[[], ScreenPicture]]:
        """Yield a function that returns the screenshot as it is now."""
        from memctl.drivers.live_sources import is_live

        if not is_live(image):
            yield lambda: self._picture(image, "bgr")
            return
        with self._live(image, **options) as looked:
            yield lambda: self._picture(looked(), "bgr")

    @contextmanager
    def _live(self, source: object, **options: Any) -> Iterator[Callable[[], Look]]:
        from memctl.drivers.live_sources import is_url, looking

        with looking(source, self.browser(**options) if is_url(source) else None) as look:
            yield look

    def browser(self, **options: Any) -> BrowserDriver:
        """Return a browser driver, not yet open, with the browser that the settings name.

        Parameters
        ----------
        options
            Those of `memctl.drivers.browser_driver.BrowserDriver`: ``viewport``, ``scale``,
            ``dark``, ``profile``, ``timeout``, ``headless``.

        Raises
        ------
        UsageError
            When the store names a browser: a program is named by a person, not by a file.
        """
        from memctl.drivers.browser_driver import BrowserDriver

        path = self.settings.describe("browser_path")
        if path.source == "store":
            raise UsageError(
                'a store may not set "browser_path": it names a program that is started',
                hint='run "memctl config unset browser_path"; set MEMCTL_BROWSER_PATH instead',
            )
        return BrowserDriver(**{"browser_path": str(path.value), **options})

    @cached_property
    def visual(self) -> Visual:
        """The visual memory; loads the image libraries."""
        from memctl.visual.visual import Visual

        return Visual(self.store, self.settings, self._chrome.visual if self._chrome else None)

    @cached_property
    def components(self) -> Components:
        """The components on screens: list, get, rename, pin, unpin, forget, restore, erase."""
        from memctl.visual.graph.components import Components

        return Components(self.store)

    @cached_property
    def states(self) -> States:
        """The screens: list, get, rename, merge, restore."""
        from memctl.visual.graph.states import States

        return States(self.store)

    @cached_property
    def transitions(self) -> Transitions:
        """The ways between states: record, pending, commit, discard, list, path."""
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
            When it was said: ISO-8601 text, a `datetime` or a `date`, without a zone in UTC;
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
            When: ISO-8601 text, a `datetime` or a `date`, without a zone in UTC; now by default.
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
        record: bool = True,
    ) -> Recalled:
        """Return the turns, episodes and facts that answer a question, best first, explained.

        Parameters
        ----------
        query
            A question or words, in any shape a message has. Nothing in it is an operator.
        limit
            Most rows, 1 to 1000; by default 5, within a budget 200.
        max_tokens
            A hard cap on the (estimated) tokens of all rows together. Of a long row, the passages
            are packed that hold most of the question.
        as_of
            Only what had happened, and what held, by then. A time is ISO-8601 text, a
            `datetime`, a `date` (all of that day) or a `timedelta` from now, such as
            ``timedelta(days=-7)``; without a zone it is UTC.
        now
            The time that "yesterday" is counted from; by default `as_of`, else the clock.
        since, until
            Only turns and episodes from then on, and up to and with then.
        tags
            All of these must be on an episode; turns have none.
        participants
            One of these must have said it or taken part, whatever the case.
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
        from memctl.search.recall_request import RecallRequest

        request = RecallRequest(
            query,
            limit,
            max_tokens,
            as_text(as_of),
            now=as_text(now),
            since=as_text(since),
            until=as_text(until),
            tags=tags,
            participants=participants,
            thread=thread,
            status=status,
            kinds=kinds,
            min_confidence=min_confidence,
            record=record,
        )
        return recall_across(self._fact_finder, self.store, self.settings, request)

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
        from memctl.search.recall_request import RecallRequest

        request = RecallRequest(query, limit, **narrowing)
        return why_not_across(self._fact_finder, self.store, self.settings, request, row)

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
        """The recalls that were kept: list, get, hits, replay, forget, restore."""
        from memctl.recall.recalls import Recalls

        return Recalls(self.store, self.settings, self._fact_finder)

    @cached_property
    def episodic(self) -> Episodic:
        """The episodic memory: turns, episodes, aliases, vectors."""
        from memctl.episodic.episodic import Episodic

        return Episodic(self.store, self.settings)

    # -- semantic memory -----------------------------------------------------------------

    @cached_property
    def facts(self) -> Facts:
        """The facts: store, search, get, lookup, list, update, pin, unpin, forget, restore, ..."""
        from memctl.semantic.facts import Facts

        return Facts(self.store, self.settings, self._scope)

    def _fact_finder(self) -> FactFinder:
        """Return the finder of facts alone: a recall does not need the classes that write them."""
        from memctl.semantic.fact_finder import FactFinder

        return FactFinder(self.store, self.settings, self._scope)

    # -- working memory ------------------------------------------------------------------

    @cached_property
    def journal(self) -> Journal:
        """The journal of the session that the store was opened for: what it is at."""
        from memctl.working.journal import Journal

        return Journal(self.store, self.settings, self._scope.session if self._scope else None)

    @cached_property
    def sessions(self) -> Sessions:
        """The sessions: start, end, list, get."""
        from memctl.base.scope import Scope
        from memctl.semantic.facts import Facts
        from memctl.working.live_sessions import Sessions

        scope = self._scope or Scope()
        return Sessions(
            self.store,
            self.settings,
            self.episodic,
            lambda session: Facts(self.store, self.settings, replace(scope, session=session)),
        )

    @cached_property
    def tool_calls(self) -> ToolCalls:
        """The calls of tools that hosts have told of: add, list."""
        from memctl.working.tool_calls import ToolCalls

        return ToolCalls(self.store)

    @cached_property
    def cache(self) -> SessionCache:
        """The cache of that session: values at hand for a while."""
        from memctl.working.session_cache import SessionCache

        return SessionCache(self.store, self._scope.session if self._scope else None)

    def context(
        self,
        query: str | None = None,
        max_tokens: int | None = None,
        *,
        also: Memory | None = None,
    ) -> Context:
        """Return what a prompt should be answered with: journal, facts and recall in one block.

        Parameters
        ----------
        query
            The user's message; without one nothing is recalled.
        max_tokens
            A hard cap on the block, fence included; the setting ``context_max_tokens`` by default.
        also
            Another memory whose facts are read along: an assistant's, in an app's session.

        Raises
        ------
        UsageError
            When the cap is out of range.
        """
        from memctl.working.payload import payload

        if also is not None and not isinstance(also, Memory):
            raise WrongTypeError('"also" takes a memory', hint='memctl.open("agent")')
        asked = self.settings.several("context_max_tokens", "context_min_confidence")
        cap = int(asked["context_max_tokens"]) if max_tokens is None else max_tokens
        finders = [self._fact_finder()] if self.store.exists else []
        if also is not None and also.store.exists:
            finders.append(also.facts)
        return payload(
            self.journal,
            finders,
            lambda question: self.recall(
                question, max_tokens=cap, kinds=("turn", "episode"), record=False
            ),
            query,
            max_tokens=cap,
            min_confidence=float(asked["context_min_confidence"]),
            skills=self._skills_told,
        )

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

        seconds = self.settings.number("endpoint_timeout_seconds") if timeout is None else timeout
        said = self._said() if turns is None else turns
        return active_memory(
            self.store,
            self.settings,
            self._fact_finder(),
            self._recall_without_model,
            ActiveRequest(message, mode, style, max_chars, seconds, said),
        )

    def _recall_without_model(self, question: str) -> Recalled:
        """Return turns and episodes, found by words or the store's own vectors, unrecorded."""
        from memctl.recall.tiers import recall_across
        from memctl.search.recall_request import RecallRequest

        settings = self.settings
        if settings.get("fallback") in {"model", "endpoint"}:
            settings = Settings(self.store, {**self._flags, "fallback": "none"})
        request = RecallRequest(question, kinds=("turn", "episode"), record=False)
        return recall_across(self._fact_finder, self.store, settings, request)

    def _said(self) -> list[tuple[str, str]]:
        """Return what was said in the session, oldest first; nothing where none is named."""
        session = self._scope.session if self._scope else None
        if session is None or not self.store.exists:
            return []
        turns = self.turns.list(session=session, limit=_SAID)
        return [(turn.role, turn.text) for turn in reversed(turns)]

    # -- consolidation -------------------------------------------------------------------

    @cached_property
    def dream(self) -> Dream:
        """The consolidation of the log: run, status, explain, promote, rollback."""
        from memctl.consolidation.dream import Dream

        return Dream(self.store, self.settings, self._scope)

    # -- how things are done -------------------------------------------------------------

    @cached_property
    def skills(self) -> SkillBook:
        """How things are done: skills that are recorded, mined, foreseen and run."""
        from memctl.procedural.skill_book import SkillBook

        return SkillBook(self.store, self.settings, self.visual, self._is_known, self.look)

    def _skills_told(self, question: str) -> Sequence[str]:
        from memctl.procedural.skills import Skills

        return Skills(self.store).told(question)

    def _is_known(self, text: str) -> bool:
        return any(hit.fact.text == text for hit in self.facts.search(text, record=False))

    # -- other stores --------------------------------------------------------------------

    @cached_property
    def packs(self) -> Packs:
        """Packs of what is known of the app, and other stores of it: given, taken, merged."""
        from memctl.porting.packs.packs import Packs

        return Packs(self.store, self.settings)

    # -- in and out ----------------------------------------------------------------------

    @hands_on
    def import_from(
        self,
        path: str | os.PathLike[str],
        source: str | None = None,
        *,
        dry_run: bool = False,
        options: Mapping[str, Any] | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> Imported:
        """Take what another system holds, as `memctl.porting.importer.Importer.take` describes."""
        from memctl.porting.importer import Importer

        importer = Importer(self.store, self.settings, self._scope)
        return importer.take(path, source, dry_run=dry_run, options=options, progress=progress)

    # -- reports -------------------------------------------------------------------------

    def report(self, name: str, *, since: When | None = None, until: When | None = None) -> Report:
        """Answer questions about this store.

        Parameters
        ----------
        name
            ``health``, ``decay``, ``recall``, ``matching``, ``growth`` or ``lift``.
        since, until
            What happened from `since`, up to and without `until`: ISO-8601 text, a `datetime`,
            a `date` or a `timedelta` from now.

        Returns
        -------
        Report
            ``answers``, tables with their columns, and ``findings`` with the command that mends
            each.

        Raises
        ------
        UsageError
            When there is no such report, or the times are not allowed or backwards.
        NotFoundError
            When nothing was written yet.
        """
        from memctl.reports import make_report, source_of

        self.store.refuse_closed()  # a report opens the file by itself
        source = source_of(self.store)
        return make_report(name, source, since=since, until=until, settings=self._flags)

    # -- upkeep --------------------------------------------------------------------------

    def status(self) -> Status:
        """Return the store's file, its size in bytes, its age and its rows by table.

        Raises
        ------
        NotFoundError
            When nothing was written yet.
        """
        from memctl.upkeep.status import status_of

        return status_of(self.store, self.settings)

    def erase(
        self,
        *ids: str,
        query: str | None = None,
        component: str | None = None,
        state: str | None = None,
        participant: str | None = None,
        before: When | None = None,
        why: str = "asked for",
        confirm: bool = False,
        dry_run: bool = False,
        finish: bool = False,
    ) -> Erasure:
        """Erase rows, what quotes them anywhere, and every byte of both; and prove it.

        Parameters
        ----------
        ids
            As recall and the lists print them: ``"turn:12"``, ``"episode:3"``, ``"f_..."``,
            ``"s_..."``, ``"recall:7"``, ``"journal:3"``, ``"snapshot:1"``, ``"call:5"``,
            ``"k_..."``; else the name of a component.
        query
            Turns, episodes and facts that hold every word of it, archived ones too.
        component, state
            A thing on a screen, or a whole screen with what stands on no other, by name or id.
        participant
            All turns that somebody said, the episodes with him, and the facts about or of him.
        before
            Turns, episodes, facts, recalls, journal and tool calls from before a time; with
            `participant` only his.
        why
            Kept beside the ids of turns and episodes; never a word of them.
        confirm
            Say so: it cannot be undone.
        dry_run
            Return what would go, and leave it.
        finish
            Write the files anew where an earlier erasure could not; nothing else is erased.

        Raises
        ------
        ConfirmationRequiredError
            Without `confirm`, `dry_run` or `finish`.
        NotFoundError
            When one of them is not there; nothing is erased.
        UsageError
            When nothing says what to erase, or several things do.
        """
        from memctl.upkeep.erasing.eraser import Eraser

        eraser = Eraser(self.store, self.settings, self._scope)
        if finish:
            return eraser.finish()
        return eraser.erase(
            ids,
            query=query,
            component=component,
            state=state,
            participant=participant,
            before=before,
            why=why,
            confirm=confirm,
            dry_run=dry_run,
        )

    def doctor(self, *, fix: bool = False) -> list[CheckResult]:
        """Examine the store: its pages, references, texts, pictures, word index and permissions.

        Parameters
        ----------
        fix
            Mend what can be mended, and examine it then. Before anything broken is taken away,
            the store is backed up.

        Raises
        ------
        NotFoundError
            When nothing was written yet.
        """
        from memctl.upkeep.doctor import examine, mend

        return (mend if fix else examine)(self.store, self.settings)

    def backup(
        self, path: str | os.PathLike[str] | None = None, *, force: bool = False
    ) -> StoreCopy:
        """Copy the store, while others write, into one file that is checked before it is named.

        Parameters
        ----------
        path
            The file; by default ``backups/ADDRESS/TIME.db`` in the home.
        force
            Replace a file that is there.

        Raises
        ------
        NotFoundError
            When nothing was written yet.
        RefusedError
            When the file is the store itself, or there already.
        StoreDamagedError
            When the store is damaged; nothing is kept.
        DiskFullError, FileAccessError
            When the file cannot be written; nothing is left of it.
        """
        from memctl.upkeep.backup import back_up

        return back_up(self.store, path, force=force)

    def vacuum(self) -> Vacuumed:
        """Write the store anew without empty pages, and say its bytes before and after.

        Raises
        ------
        NotFoundError
            When nothing was written yet.
        BusyError
            When another process is at it.
        """
        from memctl.upkeep.vacuum import vacuum

        return vacuum(self.store)
