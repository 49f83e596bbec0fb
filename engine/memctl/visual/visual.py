"""The visual memory of one store: learn a screenshot, match one, locate a component."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from memctl.base.arguments import checked_class, of_class
from memctl.base.clock import now
from memctl.config.settings import KNOWN
from memctl.guard import door
from memctl.store import statements
from memctl.store.sqlite_errors import UNWRITABLE
from memctl.visual.boxes import lies_in
from memctl.visual.comparing import compare_looks, compare_screens
from memctl.visual.frame import Frame
from memctl.visual.graph.components import Components
from memctl.visual.ignored_areas import areas_of, checked_areas, outermost
from memctl.visual.learning.known_boxes import without_erased_parts
from memctl.visual.learning.learn_screen import Learning
from memctl.visual.learning.recording import (
    count_seen,
    drop_screenshots,
    forget_missed,
    keep_screenshot,
    may_forget,
    record_look,
    window_text,
)
from memctl.visual.learning.state_updates import (
    Mending,
    keep_screen,
    mend_states,
    mending_of,
)
from memctl.visual.learning.template_cache import TemplateCache
from memctl.visual.locating import Locator
from memctl.visual.match_results import (
    Absent,
    ImageInfo,
    Learn,
    Location,
    Match,
    Sighting,
    Stopwatch,
    place_fields,
    rounded,
)
from memctl.visual.reading.boxes_file import GivenBox, read_boxes
from memctl.visual.reading.image import load_frame
from memctl.visual.reading.sifting import emptied, sift
from memctl.visual.recognition.expected import (
    SecondLook,
    expected_on,
    kept_areas,
    only_plain,
    surely_missed,
    with_covered,
)
from memctl.visual.recognition.page_labels import found_by_page, settled_by_labels
from memctl.visual.recognition.recognition import recognise, recognised_scale
from memctl.visual.recognition.shown_screen import shown_screen
from memctl.visual.recognition.sightings import Sightings
from memctl.visual.recognition.state_index import read_state_index

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memctl.config.settings import Settings
    from memctl.store.store import Store
    from memctl.visual.boxes import Box
    from memctl.visual.comparing import ComparedPictures
    from memctl.visual.ignored_areas import Area, IgnoredArea
    from memctl.visual.match_results import ForgottenComponent
    from memctl.visual.reading.boxes_file import BoxesSource
    from memctl.visual.reading.image import ImageSource
    from memctl.visual.recognition.state_index import StateIndex

COMPONENTS = statements.load("store/component")
OBSERVATIONS = statements.load("store/observation")
STORE = statements.load("store/store")

Window = tuple[int, int, int, int]
_VERSION = KNOWN["app_version"]
P = ParamSpec("P")
R = TypeVar("R")
_TRIES = 3  # comparisons while other processes write, before one that makes them wait


def _one_at_a_time(
    method: Callable[Concatenate[Visual, P], R],
) -> Callable[Concatenate[Visual, P], R]:
    """Let one thread at a time look at a screenshot: what is kept between looks is for one."""

    @functools.wraps(method)
    def look(self: Visual, /, *args: P.args, **named: P.kwargs) -> R:
        with self._looking:
            return method(self, *args, **named)

    return look


@checked_class
class Visual:
    """The screens and components of an app, and the ways between its states.

    Parameters
    ----------
    store, settings
        The open store and its settings.
    chrome
        The visual memory of the browser around a site: its components are matched first and
        kept out of the site's memory. ``None`` for an app.
    """

    def __init__(self, store: Store, settings: Settings, chrome: Visual | None = None) -> None:
        self._store = store
        self._settings = settings
        self._chrome = chrome
        self._looking = threading.RLock()
        self._cache = TemplateCache(store)
        self._known: tuple[tuple[int, int, int], StateIndex] | None = None

    @door.guarded("screen", unwritten=("image", "boxes", "check"))
    @_one_at_a_time
    def learn(
        self,
        image: ImageSource,
        boxes: BoxesSource | None = None,
        *,
        page: str | None = None,
        window: Window | None = None,
        ocr: bool = False,
        app_version: str | None = None,
        title: str | None = None,
        ignore: Sequence[Area] = (),
        check: Callable[[Frame], object] | None = None,
    ) -> Learn:
        """Learn a screenshot, as `memctl.Memory.learn` describes.

        `check` is called with the screenshot as it will be kept; what it raises ends the call.
        """
        watch = Stopwatch()
        with watch.stage("decode"):
            frame = self._frame(image)
        area = frame.window(window)
        page = None if page is None else door.clean(page, what="page", limit=door.MAX_NAME)
        title = None if title is None else self._title(title)
        version_seen = self._app_version(app_version)
        with watch.stage("propose"):
            given = self._boxes(frame, boxes, ocr=ocr)
            own = [(*one.box.xywh, self._title(one.label) or "") for one in given if one.ignored]
            ignored = checked_areas([*(a.given for a in areas_of(ignore)), *own], area)
            given = [one for one in given if not one.ignored]
            frame = emptied(frame, [one.box for one in given if one.field and not one.emptied])
            frame = replace(frame, ignored=tuple(each.box for each in ignored))
            if check is not None:
                check(frame)
            sifted = sift(frame, given, area, self._chrome_places(frame, area), self._secret)
        if not self._store.exists:
            with self._store.transaction():
                pass  # what is compared is read from the store

        def prepared() -> Learning:
            """Compare the screenshot with the store; return all that is to be written of it."""
            seen, index = self._look(frame, area, learning=True), self._state_index()
            about: dict[str, Any] = {"page": page, "title": title, "ignored": ignored}
            learning = Learning(self._store, self._settings, index, frame, seen, sifted, **about)
            with watch.stage("compare"):
                learning.compare()
            with watch.stage("name"):
                learning.name()
            return learning

        for _ in range(_TRIES):
            with self._store.snapshot():
                version, known = self._version(), self._all_known()
                learning = prepared()
            with self._store.transaction():
                # If another process wrote meanwhile, what it added is not new any more, and what
                # it deleted or renamed is not what was found.
                if self._version() == version or self._all_known() == known:
                    return self._written(learning, frame, page, version_seen, watch)
        with self._store.transaction():
            return self._written(prepared(), frame, page, version_seen, watch)

    def times_learned(
        self, frame: Frame, *, page: str | None, window: Window | None, since: str = ""
    ) -> int:
        """Return how often a screenshot, without what is in its fields, was learned since a time."""
        asked = {
            "img_sha256": of_class("frame", frame, Frame).sha256,
            "page": None if page is None else door.clean(page, what="page", limit=door.MAX_NAME),
            "window_box": window_text(frame.window(window), frame),
            "since": since,
        }
        return (
            int(self._store.value(OBSERVATIONS.times_learned, asked)) if self._store.exists else 0
        )

    def _written(
        self,
        learning: Learning,
        frame: Frame,
        page: str | None,
        app_version: str | None,
        watch: Stopwatch,
    ) -> Learn:
        """Write what was learned; return the answer. In a transaction."""
        at = now()
        with watch.stage("learn"):
            learning.write(at)
        # The miss that a component is forgotten for is a miss as well.
        gone = {one.component_id: one.name for one in learning.forgotten}
        names = {**gone, **self._names()}
        absent = _absent(learning.seen, learning.missed, names)
        seen = replace(learning.seen, ms={**watch.ms, **learning.seen.ms})
        about: dict[str, Any] = {
            "page": page,
            "state": learning.state,
            "app_version": app_version,
        }
        observation_id = record_look(
            self._store, frame, seen, "learn", at, absent=absent, learned=learning.learned, **about
        )
        self._cache.keep_rebuilt()
        self._keep(frame, learning.sifted.secrets, observation_id)
        return Learn(
            state=learning.state,
            sightings=_sightings(seen, names),
            absent=absent,
            image=ImageInfo(frame.width, frame.height, seen.scale),
            ms=rounded(seen.ms),
            observation_id=observation_id,
            learned=learning.learned,
            forgotten=learning.forgotten,
            refused=learning.refused,
            state_created=learning.state_created,
            states_merged=learning.states_merged,
            ignored=[left_out.given for left_out in learning.ignored],
        )

    @door.guarded("screen", unwritten=("image", "boxes"), by_the_way=True)
    @_one_at_a_time
    def match(
        self,
        image: ImageSource,
        *,
        window: Window | None = None,
        page: str | None = None,
        record: bool = True,
        app_version: str | None = None,
        boxes: BoxesSource | None = None,
        ocr: bool = False,
        as_learned: bool = False,
        ignore: Sequence[Area] = (),
    ) -> Match:
        """Find state and components of a screenshot, as `memctl.Memory.match` describes.

        A match that is recorded strengthens what it finds (seen_count, last_seen_at), and counts
        a miss of what it does not find where that must be (`surely_missed`).
        """
        watch = Stopwatch()
        with watch.stage("decode"):
            frame, area, ignored = self._windowed(image, window, ignore)
            given = self._boxes(frame, boxes, ocr=True) if ocr else self._given(frame, boxes)
        version = self._version()
        seen = self._look(frame, area)
        with watch.stage("identify"):
            index = self._state_index()
            seen = settled_by_labels(seen, index.labels, given)
            chrome = self._chrome_places(frame, seen.window)
            screen = shown_screen(frame, seen, chrome, given)
            recognition = recognise(self._settings, index, frame, seen, screen, page)
            found = recognition.found
            if found is not None:
                keys = self._cache.row_keys()
                look = SecondLook(self._store, index, found, frame, seen, screen.words, keys)
                seen = look.at(seen.misses)
            own = index.expected(found.state_id if found else None, page)
            seen = found_by_page(self._store, index.labels, frame, seen, given, own)
            seen = only_plain(seen) if as_learned else seen
            missed = expected_on(self._store, self._settings, index, seen, found, page)
            seen = with_covered(index, frame, seen, screen, missed, found)
            shown = (found, *found.also) if found else ()
            states = [
                replace(index.states[one.state_id], similarity=round(one.similarity, 4))
                for one in shown
            ]
            state = states[0] if states else None
        absent = _absent(seen, missed, index.names)
        seen = replace(seen, ms={**watch.ms, **seen.ms})
        observation_id, unrecorded = None, ""
        forgotten: list[ForgottenComponent] = []
        if record and not self._store.readonly:
            with watch.stage("record"):
                version_seen = self._app_version(app_version)
                try:
                    if found and not index.knows(found.state_id):
                        screen = without_erased_parts(self._store, frame, seen, found, screen)
                    at, gone = now(), surely_missed(self._settings, index, seen, found, missed)
                    with self._store.transaction(activity=self._is_activity(index, seen, gone)):
                        keep_screen(self._store, index, seen, screen, found)
                        count_seen(self._store, seen, at)
                        # Another process wrote meanwhile: perhaps it found what was missed here.
                        if gone and self._version() == version:
                            forgotten = forget_missed(self._store, self._settings, gone, at)
                        self._cache.keep_rebuilt()
                        about: dict[str, Any] = {
                            "page": page,
                            "state": state,
                            "app_version": version_seen,
                        }
                        observation_id = record_look(
                            self._store, frame, seen, "match", at, absent=absent, **about
                        )
                    self._cache.moved(seen)
                except UNWRITABLE as error:
                    unrecorded = f"this match was not recorded: {error.message}"
        return Match(
            state=state,
            sightings=_sightings(seen, index.names),
            absent=absent,
            image=ImageInfo(frame.width, frame.height, seen.scale),
            ms=rounded({**seen.ms, **watch.ms}),
            observation_id=observation_id,
            unrecorded=unrecorded,
            doubt=recognition.doubt,
            also=states[1:],
            forgotten=forgotten,
            ignored=[
                left_out.given
                for left_out in outermost([*ignored, *kept_areas(index, seen, found)])
            ],
        )

    @_one_at_a_time
    def locate(
        self,
        name: str | int,
        image: ImageSource,
        *,
        window: Window | None = None,
        beside: str | int | None = None,
        boxes: BoxesSource | None = None,
        as_learned: bool = False,
        ignore: Sequence[Area] = (),
    ) -> Location:
        """Locate one component on a screenshot, as `memctl.Memory.locate` describes."""
        fitting = Components(self._store).called(name)
        watch = Stopwatch()
        with watch.stage("decode"):
            frame, area, _ = self._windowed(image, window, ignore)
            given = self._given(frame, boxes)
        locator = Locator(
            store=self._store,
            settings=self._settings,
            cache=self._cache,
            index=self._state_index,
            frame=frame,
            area=area,
            given=given,
            as_learned=as_learned,
            watch=watch,
            search=partial(self._look, frame, area),
        )
        if beside is not None:
            return locator.find_beside(name, fitting, beside)
        return locator.find_called(name, fitting)

    @_one_at_a_time
    def compared(
        self, first: ImageSource, second: ImageSource, *, ignore: Sequence[Area] = ()
    ) -> ComparedPictures:
        """Compare two screenshots, as `memctl.Memory.diff` describes."""

        def look(frame: Frame) -> Sequence[Sighting]:
            return _sightings(self._look(frame, frame.part(None)), self._names())

        before, after = self._frame(first), self._windowed(second, None, ignore)[0]
        if not self._store.exists:
            return compare_screens(before, after)
        return compare_screens(self._without_kept(before), self._without_kept(after), look)

    def _without_kept(self, frame: Frame) -> Frame:
        """Return a screenshot on which the areas of its state do not count either."""
        index = self._state_index()
        if not any(layout.ignored for layout in index.layouts.values()):
            return frame
        seen = self._look(frame, frame.part(None))
        screen = shown_screen(frame, seen)
        found = recognise(self._settings, index, frame, seen, screen, None).found
        kept = (area.box for area in kept_areas(index, seen, found))
        return replace(frame, ignored=(*frame.ignored, *kept))

    def compared_looks(self, key: str | int) -> ComparedPictures:
        """Compare a component's first look with its last, as `memctl.Memory.diff` describes."""
        return compare_looks(self._store, key)

    @door.guarded("screen")
    def merge_states(self, *, apply: bool = False) -> Mending:
        """Merge the states that are one screen, and forget fragments of components on them.

        Parameters
        ----------
        apply
            False: nothing is written, and the answer says what would be.
        """
        if not apply:
            return mending_of(self._store, self._settings)
        with self._store.transaction():
            return mend_states(self._store, self._settings, now())

    # -- the parts -----------------------------------------------------------------------

    def _secret(self, text: str) -> bool:
        return door.find_rule(self._store, text) is not None

    def _frame(self, image: ImageSource) -> Frame:
        return load_frame(image, max_pixels=self._settings.integer("max_pixels"))

    def _windowed(
        self, image: ImageSource, window: Window | None, ignore: Sequence[Area]
    ) -> tuple[Frame, Box, list[IgnoredArea]]:
        """Return a screenshot, its window, and the areas that do not count for this call."""
        frame = self._frame(image)
        area = frame.window(window)
        ignored = checked_areas(ignore, area)
        return replace(frame, ignored=tuple(each.box for each in ignored)), area, ignored

    def _look(self, frame: Frame, area: Box, *, learning: bool = False) -> Sightings:
        if not self._store.exists and not self._store.readonly:
            return Sightings(area, {}, {}, ignored=frame.ignored)
        search = partial(self._cache.search, frame, area, learning=learning)
        seen = search()
        scale = recognised_scale(self._settings, self._state_index(), frame, seen)
        return seen if scale == seen.scale else search(scale=scale)

    def _given(
        self, frame: Frame, boxes: BoxesSource | None, *, ignored: bool = False
    ) -> Sequence[GivenBox]:
        if boxes is None:
            return ()
        most = self._settings.integer("max_boxes")
        read = read_boxes(boxes, width=frame.width, height=frame.height, max_boxes=most)
        if ignored:
            return read
        return [one for one in read if not (one.ignored or lies_in(one.box, frame.ignored))]

    def _boxes(self, frame: Frame, boxes: BoxesSource | None, *, ocr: bool) -> Sequence[GivenBox]:
        if boxes is not None:
            given = self._given(frame, boxes, ignored=True)
        else:
            from memctl.visual.reading.proposals import propose

            given = propose(frame)
        if not ocr:
            return given
        from memctl.visual.reading.ocr import with_text

        return with_text(frame, given)

    def _chrome_places(self, frame: Frame, area: Box) -> Sequence[Box]:
        """Return where the browser's own components are on a site's screenshot."""
        if self._chrome is None or not self._chrome._store.exists:  # noqa: SLF001  (its own kind)
            return ()
        return [hit.box for hit in self._chrome._look(frame, area).hits.values()]  # noqa: SLF001

    def _version(self) -> int:
        return int(self._store.value(STORE.data_version)) if self._store.exists else 0

    def _all_known(self) -> tuple[object, ...]:
        return tuple(self._store.rows(COMPONENTS.all_known)[0])

    def _app_version(self, given: str | None) -> str | None:
        setting = self._settings.get("app_version") if given is None else _VERSION.parse(given)
        version = str(setting).strip()
        door.refuse_secrets(self._store, "screen", "app_version", [version])
        return version or None

    def _title(self, given: str) -> str | None:
        title = door.clean(given[: door.MAX_LABEL], what="title").strip()
        return None if self._secret(title) else title or None

    def _names(self) -> Mapping[int, str]:
        return {row["id"]: row["name"] for row in self._store.rows(COMPONENTS.living)}

    def _keep(self, frame: Frame, secrets: Sequence[Box], observation_id: int) -> None:
        if not self._settings.integer("keep_screenshots"):
            drop_screenshots(self._store)  # kept before the setting said so
            return
        from memctl.visual.reading.image import encode_png

        pixels = frame.bgr.copy()
        for box in secrets:
            pixels[box.y : box.bottom, box.x : box.right] = 0
        keep_screenshot(self._store, self._settings, observation_id, encode_png(pixels))

    def _is_activity(self, index: StateIndex, seen: Sightings, missed: Sequence[int]) -> bool:
        """Return True if recording a match changes nothing that is kept between looks.

        Components seen for the second time define states from now on: the states are read anew
        then, and where those without words get theirs, or components may be forgotten.
        """
        known = index.young.isdisjoint(seen.hits) and index.complete
        return known and not (missed and may_forget(self._store, self._settings))

    def _state_index(self) -> StateIndex:
        """Return all states, read anew only when somebody has changed something."""
        key = self._store.version()
        if self._known is None or self._known[0] != key:
            self._known = key, read_state_index(self._store)
        return self._known[1]


def _sightings(seen: Sightings, names: Mapping[int, str]) -> list[Sighting]:
    return [
        Sighting(component_id=key, name=names[key], **place_fields(hit))
        for key, hit in sorted(seen.hits.items(), key=lambda item: (item[1].box.y, item[1].box.x))
        if key in names
    ]


def _absent(seen: Sightings, missed: Sequence[int], names: Mapping[int, str]) -> list[Absent]:
    return [
        Absent(key, names[key], one.best_score, one.x, one.y, one.why, one.counted, one.strangeness)
        for key in missed
        if key in names
        for one in [seen.misses[key]]
    ]
