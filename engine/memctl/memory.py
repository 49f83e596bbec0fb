"""The memory of one app or site, as Python and the command line have it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from memctl.base.arguments import checked_class
from memctl.base.clock import When, as_text
from memctl.base.errors import MemctlError, UsageError, WrongTypeError
from memctl.base.scope import Scope
from memctl.config.settings import Settings
from memctl.text.own_words import own_words

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from memctl.base.home import Address
    from memctl.config.setting import Value
    from memctl.consolidation.dream import Dream
    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.drivers.look import Eyes, Look
    from memctl.episodic.episodes import Episodes
    from memctl.episodic.log import Log, Turn
    from memctl.extraction.extracted import Extracted
    from memctl.porting.exports.exporter import Exported
    from memctl.porting.importer import Imported
    from memctl.porting.packs.packs import Packs
    from memctl.procedural.skills import Skills
    from memctl.recall.recalls import Feedback, Recalls
    from memctl.reports.answers import Report
    from memctl.search.answer.explanation import WhyNot
    from memctl.search.recall_request import RecallRequest
    from memctl.search.recall_results import Recalled
    from memctl.search.vectors.embed import Reembedded
    from memctl.semantic.facts import Facts
    from memctl.semantic.records import Written
    from memctl.store.store import Store
    from memctl.text.aliases import Aliases
    from memctl.upkeep.doctor import CheckResult
    from memctl.upkeep.eraser import Erasure
    from memctl.upkeep.status import Status
    from memctl.upkeep.store_copies import StoreCopy, Vacuumed
    from memctl.visual.comparing import Difference
    from memctl.visual.graph.components import Components
    from memctl.visual.graph.states import States
    from memctl.visual.graph.transitions import Transitions
    from memctl.visual.ignored_areas import Area
    from memctl.visual.match_results import Learn, Location, Match, ScreenPicture
    from memctl.visual.reading.boxes_file import BoxesSource
    from memctl.visual.reading.image import ImageSource
    from memctl.visual.screenshots import Screenshots
    from memctl.visual.visual import Visual
    from memctl.visual.waiting import Waited
    from memctl.working.active import ActiveMemory
    from memctl.working.context import Context, Occasion
    from memctl.working.journal import Journal
    from memctl.working.live_sessions import Sessions
    from memctl.working.session_cache import SessionCache
    from memctl.working.tool_calls import ToolCalls

    Source = ImageSource | Look | Eyes | Page

Window = tuple[int, int, int, int]

# The collections that a memory's repr counts.
_COUNTED = ("components", "states", "turns", "episodes", "facts")
_EXTRACTED_TURNS = 200  # of the log, that `extract` reads
_LONGEST_STATED = 4_000  # characters of a prompt; a longer one is a file that was pasted
_BEFORE = 7  # turns before a prompt, that decide what "it" is
_SAID = 200  # turns of the session that Active Memory looks at, the newest


@checked_class
class Memory:
    """One open store. ``memctl.open`` makes it; ``with`` closes it.

    Image libraries are loaded by the first call that needs them. What reads the whole store
    (`status`, `doctor`, `backup`, ...) raises NotFoundError where nothing was written yet; what
    takes an image raises UnusableInputError where it cannot be used.
    """

    def __init__(
        self,
        store: Store,
        *,
        flags: Mapping[str, Value] | None = None,
        chrome: Memory | None = None,
        scope: Scope | None = None,
    ) -> None:
        # `flags` win over the environment and the store; `chrome` is the memory of the browser
        # around a site.
        self.store = store
        self._scope = scope
        self._flags = dict(flags or {})
        self.settings = Settings(store, flags)
        self._chrome = chrome

    def __enter__(self) -> Self:
        self.store.refuse_closed()
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        try:
            if error is not None:
                self._refuse_damage(error)
        finally:
            self.close()

    def _refuse_damage(self, error: BaseException) -> None:
        """Raise `StoreDamagedError` where an error of the engine comes from a damaged file."""
        from memctl.upkeep.doctor import damage_behind

        for memory in filter(None, (self, self._chrome)):
            if not memory.store.closed and (damage := damage_behind(error, memory.store)):
                raise damage from error

    def close(self) -> None:
        """Close the files."""
        self.store.close()
        if self._chrome is not None:
            self._chrome.close()

    @property
    def address(self) -> Address:
        """The app or site."""
        return self.store.address

    def __repr__(self) -> str:
        """Return the address and the sizes of the collections; never raises."""
        try:
            counted = _COUNTED if self.store.exists else ()
            sizes = {name: len(getattr(self, name)) for name in counted}
            held = ", ".join(f"{size} {name}" for name, size in sizes.items() if size) or "empty"
        except (MemctlError, OSError) as error:
            held = type(error).__name__
        return f"<memctl.Memory {self.address}, {held}>"

    # -- screens -------------------------------------------------------------------------

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
        ignore: Sequence[Area] = (),
    ) -> Learn:
        """Learn a screenshot in one transaction: add what is new, update what is known.

        Parameters
        ----------
        image
            A path, the bytes or an open binary file of a picture (PNG, JPEG, WebP, BMP, GIF,
            TIFF, PPM), a PIL image, or a uint8 array of shape ``(H, W)`` grey, ``(H, W, 3)`` or
            ``(H, W, 4)`` with transparency. Or a live screen: an ``http`` or ``https`` URL, which
            is opened in an installed browser (the extra ``browser``), ``"screen"`` for the desktop
            (the extra ``screen``), an open driver, its `Look`, or a page of Playwright's sync API.
        boxes
            The boxes of components, from a DOM, an accessibility tree or a detector: the path of a
            JSON file, or any iterable of ``{"x", "y", "w", "h", "label"?, "type"?}`` or
            ``(x, y, w, h[, label])``, in image pixels. By default those of a live page, else the
            engine proposes some.
        page
            The caller's name of this page; pages of different names are never one state.
        window
            ``(x, y, w, h)`` of the app's window, in image pixels; else the whole image.
        ocr
            Read texts (the extra ``ocr``), and name components by them.
        channels
            ``"rgb"`` for an array whose first channel is red; else it is BGR, as in OpenCV.
        app_version
            The version of the app on the screenshot, for reports; else the setting of that name.
        title
            The title of the window or document, kept with the state; else the page's own.
        ignore
            Areas ``(x, y, w, h[, label])`` in image pixels that do not count, such as a clock:
            nothing there is learned, missed or compared. Kept with the state, beside its others.

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
        seen = self._picture(image, channels)
        answer = self.visual.learn(
            seen.image,
            seen.boxes if boxes is None else boxes,
            page=page,
            window=window,
            ocr=ocr,
            app_version=app_version,
            title=seen.title if title is None else title,
            ignore=ignore,
        )
        return replace(answer, note=seen.note).with_pictures(self.store)

    def match(
        self,
        image: Source,
        window: Window | None = None,
        *,
        page: str | None = None,
        record: bool = True,
        channels: str = "bgr",
        app_version: str | None = None,
        ocr: bool = False,
        as_learned: bool = False,
        ignore: Sequence[Area] = (),
    ) -> Match:
        """Find the state and the components of a screenshot, and why others are absent.

        Parameters
        ----------
        image, window, page, channels, app_version, ignore
            As for `learn`; what lies in an ignored area is no sighting either.
        record
            Keep what was found, for reports, and count as a miss what should be there and is
            not; a read-only store keeps and counts nothing.
        ocr
            Read the texts as well, to distinguish look-alikes; needs the extra ``ocr``.
        as_learned
            Only what looks as it was learned: what is at its place in other colours, with a caret
            in it or beside another icon is absent then, and no sighting with ``changed``.

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
        seen = self._picture(image, channels)
        answer = self.visual.match(
            seen.image,
            window=window,
            page=page,
            record=record,
            app_version=app_version,
            boxes=seen.boxes,
            ocr=ocr,
            as_learned=as_learned,
            ignore=ignore,
        )
        return replace(answer, note=seen.note).with_pictures(self.store)

    def locate(
        self,
        name: str | int,
        image: Source,
        window: Window | None = None,
        *,
        beside: str | int | None = None,
        channels: str = "bgr",
        as_learned: bool = False,
        ignore: Sequence[Area] = (),
    ) -> Location:
        """Find one component on a screenshot, or its best place there and why that is refused.

        Parameters
        ----------
        name
            The component's name, label or id: of the state or page on the screen first. Capitals,
            blanks and underscores make no difference.
        image, window, channels, as_learned, ignore
            As for `match`.
        beside
            Chooses one of equal places, such as a button in each row of a table. On a page, any
            text in the same row; on a screenshot, a component's name, label or id, or a text
            (which needs the extra ``ocr``), in the same row, on the same card or in the same
            group.

        Returns
        -------
        Location
            The box and its ``center`` in image pixels, ``score`` of 0 to 1, and ``how`` it was
            found or why it was not: then it is false and has no place.

        Raises
        ------
        NotFoundError
            When there is no such component, or it is forgotten; on a screenshot, when nothing is
            known that `beside` names and no text can be read.
        UsageError
            When several that fit equally well are on the screen.
        """
        seen = self._picture(image, channels)
        answer = self.visual.locate(
            name,
            seen.image,
            window=window,
            beside=beside,
            boxes=seen.boxes,
            as_learned=as_learned,
            ignore=ignore,
        )
        return replace(answer, note=seen.note).with_pictures(self.store)

    def diff(
        self,
        first: Source | int,
        second: Source | None = None,
        *,
        channels: str = "bgr",
        ignore: Sequence[Area] = (),
    ) -> Difference:
        """Compare two screenshots, or the first look of a component with its last.

        Parameters
        ----------
        first, second
            Images as for `learn`; or only the name, label or id of a component.
        channels, ignore
            As for `learn`; the areas are of the second image.

        Returns
        -------
        Difference
            ``changes``: what appeared, went, moved, scrolled or changed, with boxes in image
            pixels, named by the components there; ``similarity`` of 0 to 1.

        Raises
        ------
        UsageError
            When the sizes of the pictures differ by more than their scale.
        NotFoundError
            When there is no such component.
        """
        if second is not None and not isinstance(first, int):
            pictures = [self._picture(source, channels).image for source in (first, second)]
            return self.visual.compared(*pictures, ignore=ignore).difference
        if second is None and isinstance(first, (str, int)) and not ignore:
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
        ignore: Sequence[Area] = (),
        **options: Any,
    ) -> Waited:
        """Look until a state is recognised or a component is located, or the time is over.

        Parameters
        ----------
        name
            The id, name or page of a state, else the name or id of a component.
        image, window, ignore
            As for `match`; a file is read anew each time.
        timeout, interval
            Seconds after which no further look is taken, and between two looks.
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
        """
        from memctl.visual.waiting import wait_for

        with self._looking(image, **options) as look:
            return wait_for(
                self.store,
                self.visual,
                name,
                lambda: self._picture(image if look is None else look(), "bgr"),
                window=window,
                timeout=timeout,
                interval=interval,
                record=record,
                ignore=ignore,
            )

    def look(self, image: Source, **options: Any) -> Look | None:
        """Take a look at a live screen; return ``None`` for what is a screenshot already.

        Parameters
        ----------
        image
            As for `learn`.
        options
            Those of `browser`, for a URL.
        """
        from memctl.drivers.look import Look

        if isinstance(image, Look):
            return image
        with self._looking(image, **options) as look:
            return look() if look is not None else None

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

        return BrowserDriver(**{"browser_path": str(self.settings["browser_path"]), **options})

    def _picture(self, image: Source, channels: str) -> ScreenPicture:
        """Return a screenshot as it is given, or taken now of a live screen."""
        from memctl.visual.match_results import ScreenPicture
        from memctl.visual.reading.image import as_bgr

        seen = self.look(image)
        if seen is None:
            return ScreenPicture(as_bgr(image, channels))  # type: ignore[arg-type]
        return ScreenPicture(seen.png, seen.learnable(), seen.title or None, seen.note)

    @contextmanager
    def _looking(self, source: object, **options: Any) -> Iterator[Callable[[], Look] | None]:
        """Open a live screen to look at it again and again; ``None`` for a screenshot."""
        from memctl.drivers.live_sources import is_live, is_url, looking

        if not is_live(source):
            yield None
            return
        with looking(source, self.browser(**options) if is_url(source) else None) as look:
            yield look

    # -- what was said and what is true ---------------------------------------------------

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
        """Find the turns, episodes and facts that answer a question, best first, explained.

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
            Of ``"turn"``, ``"episode"``, ``"fact"`` and ``"state"`` only these; empty for all.
            States come behind the rest: screens whose description has words of the question.
        min_confidence
            0 to 1: an answer that is less sure comes without rows, and a note of that.
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
            `feedback`, and ``note`` is the reason why nothing came back.

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
        """Find out why a row is not the answer to a question, and where it ranks.

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

        for name in {"as_of", "now", "since", "until"} & asked.keys():
            asked[name] = as_text(asked[name])
        asked |= {"zone": self.store.zone, "usual": self.settings.integer("recall_limit")}
        return RecallRequest(query, limit, max_tokens, **asked)

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
        from memctl.recall.recalls import give_feedback

        return give_feedback(self.store, recall, used=used, outcome=outcome)

    def reembed(self) -> Reembedded:
        """Compute the vectors of all turns and episodes again, after the model was changed."""
        from memctl.search.vectors.embed import Embedder

        return Embedder(self.store, self.settings).reembed()

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
        """Find the facts of a text, or of the log, that are worth keeping: at most ten.

        Parameters
        ----------
        text
            Prose, notes or a transcript; without one the last 200 turns of the log are read.
        said_at, speaker
            When the text was said, and whom "I" means in it; now and ``User`` by default.
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
            made = extractor.from_turns(self._newest_turns(thread, _EXTRACTED_TURNS), ask=ask)
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
        """Store what a prompt states outright; return what became of each statement.

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

        if not (own := own_words(text).text[:_LONGEST_STATED]) or not may_state(own):
            return ()
        from memctl.extraction.extracted import Said
        from memctl.extraction.extractor import Extractor

        zone = self.store.zone
        at = zone.local(*zone.told(zone.now(), what="now"))
        if before is None:
            turns = self._newest_turns(session, _BEFORE) if session is not None else ()
            before = [(said.role, said.text) for said in turns if said.id != turn]
        earlier = [Said(words, at, role) for role, words in before]
        return Extractor(self.store, self.facts).at_once(Said(own, at, turn=turn), earlier)

    # -- what is going on now -------------------------------------------------------------

    def context(
        self,
        query: str | None = None,
        max_tokens: int | None = None,
        *,
        occasion: Occasion = "asked",
        trigger: str = "",
        also: Memory | None = None,
    ) -> Context:
        """Assemble what a prompt should be answered with: journal, facts and recall in one block.

        What the session itself said is left out, unless its host has compacted it since.

        Parameters
        ----------
        query
            The user's message; without one nothing is recalled.
        max_tokens
            A hard cap on the block, fence included; the setting ``context_max_tokens`` by default.
        occasion
            ``asked``: all of it; ``start``: what holds whatever is asked, what is open, and what
            was said lately; ``prompt``: only the rows that the message asks for and that no prompt
            of the session was given, as ``recall_strategy`` has it.
        trigger
            What started the turn: a session's key, or a word such as ``cron``.
        also
            Another memory whose facts are read along: an assistant's, in an app's session.

        Raises
        ------
        UsageError
            When the cap is out of range, or the occasion is unknown.
        """
        from memctl.working.context import context_of

        if also is not None and not isinstance(also, Memory):
            raise WrongTypeError('"also" takes a memory', hint='memctl.open("agent")')
        return context_of(
            self, query, occasion=occasion, max_tokens=max_tokens, trigger=trigger, also=also
        )

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
        """Find the one line of memory that a message should be answered with, or none.

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
        from memctl.working.active import ActiveRequest, active_memory

        seconds = self.settings.number("endpoint_timeout_seconds") if timeout is None else timeout
        if turns is None:
            said = () if self.session is None else self._newest_turns(self.session, _SAID)
            turns = [(turn.role, turn.text) for turn in said]
        return active_memory(
            self, ActiveRequest.of(message, mode, style, max_chars, seconds, turns)
        )

    def injected(self, made: Context, hook: str) -> bool:
        """Record that a context was put into a prompt; return whether it could be.

        A prompt of the session is not given the same rows again, until the session is compacted.

        Parameters
        ----------
        made
            The context.
        hook
            What put it there: ``prompt``, ``start``, ...
        """
        from memctl.recall.recalls import record_injected

        if self.session is None or not made.text:
            return False
        return record_injected(self.store, self.session, hook, made.rows, made.tokens)

    def compacted(self) -> None:
        """Take note that a host compacts the session: its prompts may be given the same rows again."""
        from memctl.recall.recalls import forget_told
        from memctl.working.prompt_rows import COMPACTION

        self.journal.snapshot(COMPACTION)
        if self.session is not None:
            forget_told(self.store, self.session)

    def take_part(self) -> str:
        """Take part in the session that a host has begun here; return its name.

        What belongs to a session is read from it and written to it from now on: the journal, the
        cache, passing facts. Where no host has begun one, that is the unnamed session.
        """
        scope = self._scope or Scope()
        name = self.sessions.current(scope.session)
        if name != scope.session:
            self._scope = replace(scope, session=name)
            for part in ("journal", "sessions", "cache", "facts"):
                self.__dict__.pop(part, None)
        return name

    @property
    def session(self) -> str | None:
        """The session that the store was opened for."""
        return self._scope.session if self._scope else None

    def _newest_turns(self, session: str | None, limit: int) -> Sequence[Turn]:
        """Return the newest turns of a session, or of all, oldest first."""
        return self.turns.list(session=session, limit=limit)[::-1] if self.store.exists else ()

    # -- the store as a whole -------------------------------------------------------------

    def import_from(
        self,
        path: str | os.PathLike[str],
        source: str | None = None,
        *,
        dry_run: bool = False,
        options: Mapping[str, Any] | None = None,
        progress: Callable[[int], object] | None = None,
    ) -> Imported:
        """Import the data of another system, or an export of memctl; return what was taken and refused.

        Parameters
        ----------
        path
            The file or folder.
        source
            Its format; recognised by default.
        dry_run
            Count what would be taken; write nothing.
        options
            What a format asks for: ``table`` of a database, ``columns`` of a table; ``prune``
            forgets what was taken out of memctl's own Markdown since its export.
        progress
            Called with the number of records that were met, after each batch.

        Raises
        ------
        FileAccessError, UsageError
            When it cannot be read, or its format is not known.
        UnusableInputError
            When it is broken, or holds no record of its format; nothing is written.
        """
        from memctl.porting.importer import Importer

        importer = Importer(self.store, self.settings, self._scope)
        return importer.take(path, source, dry_run=dry_run, options=options, progress=progress)

    def export_to(
        self,
        path: str | os.PathLike[str],
        layout: str = "markdown",
        *,
        tiers: Sequence[str] = (),
        since: When | None = None,
        until: When | None = None,
        tags: Sequence[str] = (),
        states: Sequence[str] = (),
        profile: str | None = None,
        force: bool = False,
        progress: Callable[[int], object] | None = None,
    ) -> Exported:
        """Write the rows of this store into files, as `memctl.porting.exports.exporter` describes.

        Parameters
        ----------
        path
            The folder; of ``jsonl``, the file.
        layout
            ``markdown``, ``jsonl``, ``parquet``, ``openclaw``, ``memoryclaw`` or, of screens,
            ``gui-memory``.
        tiers
            Of ``turns``, ``episodes``, ``facts``, ``aliases``, ``knowledge``, ``skills``; else all.
        since, until
            What was said, happened or began to hold from `since`, up to and without `until`.
        tags
            Tags of episodes; categories and tags of facts. What has none is left out.
        states
            Of ``active``, ``pending``, ``superseded``, ``forgotten``; else all.
        profile
            A named selection of the setting ``export_profiles``, instead of all these.
        force
            Write over what is no earlier export, or was edited since.
        progress
            Called with the number of rows that were read, now and then.

        Raises
        ------
        UsageError
            When a word or a time is not allowed, or a profile is named beside a selection.
        RefusedError, FileAccessError
            When something is in the way, or it cannot be written.
        """
        from memctl.porting.exports.exporter import ExportSelection, ExportSource

        chosen = ExportSelection.of(tiers, since, until, tags, states, zone=self.store.zone)
        if profile is not None:
            if chosen.as_json:
                raise UsageError("a profile is a selection", hint="leave out the other options")
            chosen = ExportSelection.profile(
                profile, str(self.settings["export_profiles"]), self.store.zone
            )
        source = ExportSource(self.store, self.settings, self._scope, chosen, progress)
        return source.write(path, layout, force=force)

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
        """
        from memctl.reports.report import make_report
        from memctl.reports.sources import source_of

        self.store.refuse_closed()  # a report opens the file by itself
        source = source_of(self.store)
        return make_report(name, source, since=since, until=until, settings=self._flags)

    def status(self) -> Status:
        """Return the store's file, its size in bytes, its age and its rows by table."""
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
        """Erase rows, what is linked with them, and every byte of both; and prove it.

        Recalls that returned a row lose their question. Rows that quote one are listed.

        Parameters
        ----------
        ids
            As recall and the lists print them: ``"turn:12"``, ``"episode:3"``, ``"f_..."``,
            ``"s_..."``, ``"recall:7"``, ``"journal:3"``, ``"snapshot:1"``, ``"call:5"``,
            ``"k_..."``, or as a receipt lists them; else the name of a component.
        query
            Turns, episodes and facts that hold every word of it, archived ones too.
        component, state
            A component, or a whole screen with what is on no other, by name or id.
        participant
            All turns that somebody said, the episodes with him, and the facts about or of him.
        before
            Turns, episodes, facts, recalls, journal and tool calls from before a time; with
            `participant` only his.
        why
            Kept beside the ids of turns and episodes; never a word of them.
        confirm
            Needed: an erasure cannot be undone.
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
            When none or several of the arguments choose what to erase.
        """
        from memctl.upkeep.eraser import Eraser

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
        RefusedError
            When the file is the store itself, or there already.
        StoreDamagedError
            When the store is damaged; nothing is kept.
        DiskFullError, FileAccessError
            When the file cannot be written; nothing is left of it.
        """
        from memctl.upkeep.store_copies import back_up

        return back_up(self.store, path, force=force)

    def vacuum(self) -> Vacuumed:
        """Write the store anew without empty pages; return its bytes before and after.

        Raises BusyError when another process is at it.
        """
        from memctl.upkeep.store_copies import vacuum

        return vacuum(self.store)

    # -- collections ----------------------------------------------------------------------

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

    @cached_property
    def visual(self) -> Visual:
        """The visual memory; loads the image libraries."""
        from memctl.visual.visual import Visual

        return Visual(self.store, self.settings, self._chrome.visual if self._chrome else None)

    @cached_property
    def screenshots(self) -> Screenshots:
        """The files of screenshots: learn many of them, watch a folder."""
        from memctl.visual.screenshots import Screenshots

        return Screenshots(lambda: self.visual)

    @cached_property
    def turns(self) -> Log:
        """The raw turns: add, list, get, archive, restore, erase."""
        from memctl.episodic.log import Log

        return Log(self.store)

    @cached_property
    def episodes(self) -> Episodes:
        """The episodes: add, list, get, forget, restore, erase."""
        from memctl.episodic.episodes import Episodes

        return Episodes(self.store)

    @cached_property
    def aliases(self) -> Aliases:
        """Words of one meaning: add, list, get, remove."""
        from memctl.text.aliases import Aliases

        return Aliases(self.store)

    @cached_property
    def recalls(self) -> Recalls:
        """The recalls that were kept: list, get, hits, forget, restore."""
        from memctl.recall.recalls import Recalls

        return Recalls(self.store, lambda: self.facts)

    @cached_property
    def facts(self) -> Facts:
        """The facts: store, search, get, lookup, list, update, pin, unpin, forget, restore, ..."""
        from memctl.semantic.facts import Facts

        return Facts(self.store, self.settings, self._scope)

    @cached_property
    def journal(self) -> Journal:
        """The journal of the session that the store was opened for."""
        from memctl.working.journal import Journal

        return Journal(self.store, self.session)

    @cached_property
    def sessions(self) -> Sessions:
        """The sessions: start, end, list, get."""
        from memctl.working.live_sessions import Sessions

        def facts_of(session: str) -> Facts:
            from memctl.semantic.facts import Facts  # a third of a hook, and few of them write any

            return Facts(
                self.store, self.settings, replace(self._scope or Scope(), session=session)
            )

        return Sessions(self.store, self.settings, self.turns, self.episodes, facts_of)

    @cached_property
    def cache(self) -> SessionCache:
        """The cache of that session: values at hand for a while."""
        from memctl.working.session_cache import SessionCache

        return SessionCache(self.store, self.session)

    @cached_property
    def tool_calls(self) -> ToolCalls:
        """The calls of tools that hosts have reported: add, list."""
        from memctl.working.tool_calls import ToolCalls

        return ToolCalls(self.store)

    @cached_property
    def skills(self) -> Skills:
        """The skills, recorded, mined, foreseen and run."""
        from memctl.procedural.skills import Skills

        def is_known(text: str) -> bool:
            return any(hit.fact.text == text for hit in self.facts.search(text, record=False))

        return Skills(self.store, self.settings, lambda: self.visual, is_known, self.look)

    @cached_property
    def dream(self) -> Dream:
        """The consolidation of the log: run, status, explain, promote, rollback."""
        from memctl.consolidation.dream import Dream

        return Dream(self.store, self.settings, self._scope)

    @cached_property
    def packs(self) -> Packs:
        """The packs of this app, and its other stores: contents, export_pack, import_pack, ..."""
        from memctl.porting.packs.packs import Packs

        return Packs(self.store, self.settings, (self._scope or Scope()).project)
