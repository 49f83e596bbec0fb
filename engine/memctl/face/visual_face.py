"""What an app looks like, as `Memory` offers it."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from memctl.base.arguments import checked_class
from memctl.base.errors import UsageError
from memctl.face.open_store import OpenStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from playwright.sync_api import Page

    from memctl.drivers.browser_driver import BrowserDriver
    from memctl.drivers.look import Eyes, Look
    from memctl.visual.comparing import Difference
    from memctl.visual.graph.components import Components
    from memctl.visual.graph.states import States
    from memctl.visual.graph.transitions import Transitions
    from memctl.visual.match_results import Learn, Location, Match, ScreenPicture
    from memctl.visual.reading.boxes_file import BoxesSource
    from memctl.visual.reading.image import ImageSource
    from memctl.visual.visual import Visual
    from memctl.visual.waiting import Waited

    Source = ImageSource | Look | Eyes | Page

Window = tuple[int, int, int, int]


@checked_class
class VisualFace(OpenStore):
    """Screens are learned, matched, compared and waited for."""

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
        ignore: Sequence[Window] = (),
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
            ``screen``), a driver that is open, its `Look`, or a page of Playwright's sync API.
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
        ignore
            Areas ``(x, y, w, h)`` in image pixels that nothing is learned of and that are not
            compared, such as a clock or a video; kept with the state, beside those it has.

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
            ignore=ignore,
        )
        return replace(answer, note=picture.note) if picture.note else answer

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
    ) -> Match:
        """Find the state and the components of a screenshot, and say what is absent and why.

        Parameters
        ----------
        image, window, page, channels, app_version
            As for `learn`.
        record
            Keep what was found, for reports, and count as a miss what should be there and is
            not; a read-only store keeps and counts nothing.
        ocr
            Read the texts on it too, which tell look-alikes apart; needs the extra ``ocr``.
        as_learned
            Only what looks as it was learned. What stands at its place in another dress (other
            colours, a caret in it, another icon beside its label) is absent then; else it is a
            sighting whose ``changed`` says what differs.

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
            record=record,
            app_version=app_version,
            boxes=picture.boxes,
            ocr=ocr,
            as_learned=as_learned,
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
        as_learned: bool = False,
    ) -> Location:
        """Find one component on a screenshot, or its best place there and why that is refused.

        Parameters
        ----------
        name
            The component's name, label or id. A name or a label means what the state or page on
            the screen has of it, and only then another; capitals make no difference, nor do
            blanks and underscores.
        image, window, channels
            As for `learn`.
        beside
            Chooses one of equal places, such as a button in each row of a table. On a page, any
            text in the same row; on a screenshot, a component's name, label or id, or a text
            (which needs the extra ``ocr``), in the same row, on the same card or in the same
            group.
        as_learned
            As for `match`.

        Returns
        -------
        Location
            The box and its ``center`` in image pixels, ``score`` of 0 to 1, and ``how`` it was
            found or why it was not: then it is false and has no place.

        Raises
        ------
        NotFoundError
            When there is no such component, or it is forgotten; on a screenshot, when nothing
            is known by what `beside` says and no text can be read.
        UsageError
            When several that fit equally well stand on the screen.
        UnusableInputError
            When the image cannot be used.
        """
        picture = self._picture(image, channels)
        answer = self.visual.locate(
            name,
            picture.image,
            window=window,
            beside=beside,
            boxes=picture.boxes,
            as_learned=as_learned,
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
        from memctl.visual.match_results import ScreenPicture
        from memctl.visual.reading.image import as_bgr

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

        path = str(self.settings.get("browser_path"))
        return BrowserDriver(**{"browser_path": path, **options})

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
