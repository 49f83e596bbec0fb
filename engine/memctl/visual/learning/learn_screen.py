"""Learning a screenshot: new components are added, known ones updated, the screen is named.

Everything that takes long (the search, the comparison, pictures, names) happens before the write,
so that other processes wait for the rows alone.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from memctl.store import statements
from memctl.visual.boxes import Box, lies_in
from memctl.visual.identity.row_check import told_by_rows, write_row_keys
from memctl.visual.identity.row_keys import found_keys
from memctl.visual.ignored_areas import outermost
from memctl.visual.learning.known_boxes import (
    CHANGES,
    GUESSED,
    changes_on,
    cut_by_better,
    erased_on,
    is_guessed,
    part_known,
    without_erased,
)
from memctl.visual.learning.new_names import Namer
from memctl.visual.learning.recording import (
    add_components,
    add_picture,
    component_rows,
    count_seen,
    forget_missed,
    new_labels,
    new_templates,
    pictures_at_scale,
    taken,
)
from memctl.visual.learning.state_updates import (
    create_state,
    keep_ignored,
    keep_screen,
    living_state,
    merge_alike,
    state_match,
    visit_state,
)
from memctl.visual.match_results import ComponentHit, Learned, Refused
from memctl.visual.reading.sifting import CONTENTS, IGNORED, emptied, in_field
from memctl.visual.recognition.expected import (
    SecondLook,
    expected_on,
    kept_areas,
    only_plain,
    remembered_places,
    with_covered,
)
from memctl.visual.recognition.page_labels import settled_by_labels
from memctl.visual.recognition.recognition import recognise
from memctl.visual.recognition.shown_screen import shown_screen
from memctl.visual.recognition.views import on_screen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memctl.config.settings import Settings
    from memctl.store.store import Store
    from memctl.visual.frame import Frame
    from memctl.visual.ignored_areas import IgnoredArea
    from memctl.visual.match_results import ForgottenComponent, Merged, StateMatch
    from memctl.visual.reading.boxes_file import GivenBox
    from memctl.visual.reading.sifting import Sifted
    from memctl.visual.recognition.recognition import Recognised
    from memctl.visual.recognition.shown_screen import ShownScreen
    from memctl.visual.recognition.sightings import Sightings
    from memctl.visual.recognition.state_index import StateIndex

COMPONENTS = statements.load("store/component")
STATES = statements.load("store/state")
STORE = statements.load("store/store")


class Learning:
    """One screenshot that is learned: `compare`, `name`, then, in a transaction, `write`.

    The first two steps only read; what they found holds as long as nobody else has written.

    ``index``: the states of the store. ``frame``, ``seen``: the screenshot, and the known
    components found on it. ``sifted``: the boxes that may be learned. ``page``, ``title``,
    ``ignored``: as the caller of `memctl.Memory.learn` gave them.
    """

    def __init__(
        self,
        store: Store,
        settings: Settings,
        index: StateIndex,
        frame: Frame,
        seen: Sightings,
        sifted: Sifted,
        *,
        page: str | None,
        title: str | None,
        ignored: Sequence[IgnoredArea] = (),
    ) -> None:
        self._store, self._settings, self._index = store, settings, index
        self._frame, self.seen, self.sifted = frame, seen, sifted
        self._page, self._title, self._ignored = page, title, ignored
        self.ignored = list(ignored)  # and, once it is recognised, those of its state
        self._recognised: Recognised | None = None
        self._new: list[GivenBox] = []
        self._refused: list[Refused] = []
        self._dressed: dict[int, GivenBox] = {}
        self._changed: list[int] = []
        self.missed: list[int] = []
        self.learned: list[Learned] = []
        self.forgotten: list[ForgottenComponent] = []
        self.state: StateMatch | None = None
        self.state_created = False
        self.states_merged: list[Merged] = []

    @property
    def refused(self) -> list[Refused]:
        """The boxes that are not learned, and why."""
        return [*self.sifted.refused, *self._refused]

    # -- compare: what is new on the screenshot, missing, or another value -----------------

    def compare(self) -> None:
        """Compare the screenshot with the store."""
        self._about = {row["id"]: row for row in self._store.rows(COMPONENTS.living)}
        self.seen = settled_by_labels(self.seen, self._index.labels, self.sifted.candidates)
        self._screen = self._shown()
        self._recognise(self._screen)
        erased = erased_on(self._store, self._frame, self.seen, self._recognised, self._page)
        if erased:
            self.sifted, self._title = without_erased(
                self.sifted, erased, self.seen.scale, self._title
            )
            self._screen = self._shown()
        places = {key: hit.box for key, hit in self.seen.hits.items()}
        self._known, self._new, self._refused = part_known(
            self.sifted.candidates, places, self._about
        )
        self._find_new_templates()
        seen = self.seen
        if self._recognised is not None:
            self._look_again(self._recognised)
        self.missed = expected_on(
            self._store, self._settings, self._index, self.seen, self._recognised, self._page
        )
        self.seen = with_covered(
            self._index, self._frame, self.seen, self._screen, self.missed, self._recognised
        )
        if self._recognised is not None:
            # A second look may also take a hit away: that one was no miss before.
            uncovered = [
                key for key in self.missed if self.seen.misses[key] is seen.misses.get(key)
            ]
            changing = self._index.layouts[self._recognised.state_id].changing
            self._changed, values = changes_on(
                self.seen, self._places, uncovered, changing, self._about, self._new
            )
            self._leave_out(lambda one: one in values, CHANGES)
            self.missed = sorted(set(self.missed).difference(self._changed))

    def _shown(self) -> ShownScreen:
        return shown_screen(self._frame, self.seen, self.sifted.hidden, self.sifted.candidates)

    def _recognise(self, screen: ShownScreen) -> None:
        self._recognised = recognise(
            self._settings, self._index, self._frame, self.seen, screen, self._page
        ).found

    def _find_new_templates(self) -> None:
        """Take the new boxes that are another look of a known component for that component."""
        self._dressed = new_templates(
            self._store, self._index, self.seen, self._new, self._recognised, self._page
        )
        hits, misses = dict(self.seen.hits), dict(self.seen.misses)
        for key, given in self._dressed.items():
            hits[key] = ComponentHit(-key, key, given.box, 1.0, identical=True, how="learned")
            del misses[key]
        self.seen = replace(self.seen, hits=hits, misses=misses)
        if self._recognised is None and self._dressed:
            self._recognise(self._screen)
        claimed = set(self._dressed.values())
        self._new = [one for one in self._new if one not in claimed]

    def _look_again(self, recognised: Recognised) -> None:
        """Find components at their places in another dress; leave out boxes that are no components."""
        index, layout = self._index, self._index.layouts[recognised.state_id]
        self._places = places = remembered_places(index, self.seen, recognised)
        look = SecondLook(
            self._store, index, recognised, self._frame, self.seen, self._screen.words
        )
        self.seen = only_plain(look.at(self.seen.misses.keys() & places.keys()))
        fields = [places[key] for key in sorted(index.fields & places.keys())]
        self._frame = emptied(self._frame, fields)
        self._leave_out(lambda one: in_field(one.box, fields), CONTENTS)
        sources = (self._about[key]["source"] for key in (*layout.defining, *layout.optional))
        if cut_by_better(sources):
            remembered = on_screen(self.seen, Box(*recognised.move, *layout.size))
            self._leave_out(
                lambda one: remembered.holds_middle(one.box) and is_guessed(one.source), GUESSED
            )
        kept = kept_areas(index, self.seen, recognised)
        self.ignored = outermost([*self._ignored, *kept])
        self._leave_out(lambda one: lies_in(one.box, [area.box for area in kept]), IGNORED)

    def _leave_out(self, applies: Callable[[GivenBox], bool], why: str) -> None:
        """Refuse the new boxes that a test applies to."""
        self._refused += [Refused(one.box.xywh, why) for one in self._new if applies(one)]
        self._new = [one for one in self._new if not applies(one)]

    # -- name: everything that is written, but for its ids ---------------------------------

    def name(self) -> None:
        """Make names, pictures and row keys of what is new. New boxes are numbered -1, -2, ..."""
        frame, seen, scale = self._frame, self.seen, self.seen.scale
        namer = self._namer()
        self._labels = new_labels(namer, self._known, self._about)
        self._rows = component_rows(self._new, namer.names(self._new), seen, self._page)
        self._pictures = [taken(frame, one.box, scale) for one in self._new]
        self._looks = {key: taken(frame, one.box, scale) for key, one in self._dressed.items()}
        self._rescaled = pictures_at_scale(frame, seen, self.sifted.secrets)
        shown = {key: hit.template_id for key, hit in seen.hits.items()}
        places = {key: hit.box for key, hit in seen.hits.items()}
        places |= {-1 - at: one.box for at, one in enumerate(self._new)}
        self._keys = found_keys(
            frame,
            places,
            seen.window,
            scale=scale,
            told=told_by_rows(self._store, shown),
            hidden=self.sifted.secrets,
        )

    def _namer(self) -> Namer:
        """Return the namer of what is new, among all that is labelled on the screenshot."""
        hits, about = self.seen.hits, self._about
        texts = {hit.box: about[key]["label"] for key, hit in hits.items() if key in about}
        texts |= {one.box: one.label for one in self._new}
        result = sorted((box.y, box.x, box, text) for box, text in texts.items() if text)
        names = [row["name"] for row in about.values()]
        return Namer(
            self._frame, self.seen.window, [(box, text) for *_, box, text in result], names
        )

    # -- write: in a transaction, as quickly as may be --------------------------------------

    def write(self, at: str) -> None:
        """Write what is new, what was seen and what was missed. In a transaction."""
        store, seen, recognised = self._store, self.seen, self._recognised
        store.execute_many(COMPONENTS.set_label, self._labels)
        self._write_looks(at)
        added = add_components(store, self._rows, self._pictures, [b.box for b in self._new], at)
        ids = {-1 - number: one.component_id for number, one in enumerate(added)}
        shown = {key: hit.template_id for key, hit in self.seen.hits.items()}
        shown |= {one.component_id: one.template_id for one in added}
        write_row_keys(store, {ids.get(k, k): one for k, one in self._keys.items()}, shown, at)
        changed = [{"id": key, "at": at} for key in self._changed]
        store.execute_many(COMPONENTS.set_changing, changed)
        count_seen(store, seen, at)
        store.value(STORE.count_learn)
        state_id = self._write_state(added, at)
        keep_screen(store, self._index, seen, self._screen, recognised)
        counted = [key for key in self.missed if seen.misses[key].counted]
        self.forgotten = forget_missed(store, self._settings, counted, at)
        if recognised is not None and state_id:
            self.states_merged = merge_alike(store, self._settings, self._index, state_id)
        living = living_state(store, state_id, self.states_merged)
        similarity = recognised.similarity if recognised else 1.0
        self.state = state_match(store, living, similarity) if living else None
        self.learned += added

    def _write_looks(self, at: str) -> None:
        """Write further pictures of known components."""
        hits = dict(self.seen.hits)
        for key, picture in self._rescaled.items():
            add_picture(self._store, key, picture, at)
        for key, picture in self._looks.items():
            template_id = add_picture(self._store, key, picture, at)
            hits[key] = replace(hits[key], template_id=template_id)
            about, box = self._about[key], hits[key].box
            told = about["name"], about["type"], about["label"]
            self.learned.append(Learned(key, *told, *box.xywh, template_id, new_look=True))
        self.seen = replace(self.seen, hits=hits)

    def _write_state(self, added: Sequence[Learned], at: str) -> str | None:
        """Write the state that the screenshot shows, a new one or another visit; return its id."""
        store, recognised = self._store, self._recognised
        if recognised is None:
            boxes = self.sifted.candidates
            state_id = create_state(store, self._screen, self.seen, added, boxes, self._page, at)
            if state_id is None:
                return None
            self.state_created = True
        else:
            state_id = recognised.state_id
            visit_state(store, self.seen, added, recognised, self._page, at)
        keep_ignored(store, self._index, state_id, self.seen, recognised, self._ignored)
        if self._title is not None:
            store.execute(STATES.set_title, {"id": state_id, "title": self._title})
        return state_id
