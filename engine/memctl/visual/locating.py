"""Locating one component: by its pixels and its row, or by a name of the caller's."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

from memctl.base.errors import NotFoundError, UsageError
from memctl.visual.boxes import PlaceIndex, lies_in
from memctl.visual.graph.components import Components
from memctl.visual.graph.naming import cut, fit, folded
from memctl.visual.identity.cells import Edges, cells_of, in_line
from memctl.visual.ignored_areas import IGNORED
from memctl.visual.match_results import Location, place_fields, rounded
from memctl.visual.matching.find import locate
from memctl.visual.recognition.expected import (
    DIMMED,
    DISABLED,
    DRESSES,
    SecondLook,
    likeliest,
    only_plain,
)
from memctl.visual.recognition.page_labels import found_by_page, settled_by_labels
from memctl.visual.recognition.recognition import components_of, recognise
from memctl.visual.recognition.shown_screen import shown_screen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from memctl.config.settings import Settings
    from memctl.store.store import Store
    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame
    from memctl.visual.graph.components import Component
    from memctl.visual.learning.template_cache import TemplateCache
    from memctl.visual.match_results import ComponentHit, Stopwatch
    from memctl.visual.reading.boxes_file import GivenBox
    from memctl.visual.recognition.recognition import Recognised
    from memctl.visual.recognition.shown_screen import ShownScreen
    from memctl.visual.recognition.sightings import Sightings
    from memctl.visual.recognition.state_index import StateIndex

_AT_PLACE = 0.5  # IoU of a box and the place that it describes
_AROUND_WORDS = ".,;:!?()[]{}\"'\u2018\u2019\u201c\u201d\u00ab\u00bb"
_LONGEST, _MOST_TEXTS, _MOST_ROWS = 40, 4, 8  # of rows in a message
_MOST_NAMED = 8  # components in the hint of an ambiguous name


class Rows:
    """The rows of some equal places, and every text in them.

    Rows are those that the source of the boxes names. Where it names none, or several by one
    name, a row is as high as the place in it, and as wide as its panel or, of places side by
    side, as its cell: what stands lower may be a row without such a place. Without any boxes a
    row is a cell.
    """

    def __init__(
        self, frame: Frame, places: Sequence[Box], given: Sequence[GivenBox], window: Box
    ) -> None:
        self._frame, self._window, self._given = frame, window, given
        self._at = {place: self._box_at(place) for place in places}
        self._named = {folded(one.row) for one in given if one.row}
        self._owners = Counter(folded(one.row) for one in self._at.values() if one)

    def saying(self, text: str) -> list[Box]:
        """Return the places whose row has a text.

        A text is a whole box ("Ann Berg" is not "Ann Bergman"). Only where no box of the screen is
        just that text, it may be some whole words of one.
        """
        wanted = folded(text)
        whole = [one for one in self._given if wanted and folded(one.label) == wanted]
        chosen = [
            place
            for place, own in self._at.items()
            if (own and wanted and wanted in {folded(own.row), folded(own.section)})
            or self._any_in_row(place, whole)
        ]
        if chosen or whole:
            return chosen
        words = [one for one in self._given if _in_words(text, one.label)]
        return [place for place in self._at if self._any_in_row(place, words)]

    def holding(self, anchors: Iterable[Box]) -> list[Box]:
        """Return the places whose row has one of some other places."""
        if not self._given:
            anchors = list(anchors)
            return [at for at, cell in self._cells.items() if any(map(cell.holds_middle, anchors))]
        there = [one for one in map(self._box_at, anchors) if one]
        return [place for place in self._at if self._any_in_row(place, there)]

    def text(self, place: Box) -> str:
        """Return the texts of a place's row, from left to right: ``"Ann Berg, 12.50"``."""
        mine = [one for one in self._given if one.label and self._in_row(place, one)]
        mine.sort(key=lambda one: (one.box.x, one.box.y))
        texts = dict.fromkeys(cut(" ".join(one.label.split()), _LONGEST) for one in mine)
        own = self._at[place]
        return ", ".join([*texts][:_MOST_TEXTS]) or (own.section if own else "")

    def texts(self, places: Iterable[Box]) -> str:
        """Return the texts of several rows: ``"Ann Berg, 12.50; Bob Cole, 8.00"``."""
        ordered = sorted(places, key=lambda place: (place.y, place.x))
        rows = [text for text in map(self.text, ordered) if text]
        more = f" and {len(rows) - _MOST_ROWS} more" if len(rows) > _MOST_ROWS else ""
        return "; ".join(rows[:_MOST_ROWS]) + more

    def _any_in_row(self, place: Box, boxes: Iterable[GivenBox]) -> bool:
        return any(self._in_row(place, box) for box in boxes)

    def _in_row(self, place: Box, other: GivenBox) -> bool:
        own = self._at[place]
        if other is own or place.holds_middle(other.box):
            return False
        row = folded(own.row) if own else ""
        # What names a row has no row itself.
        named = folded(other.row) or (folded(other.label) if not other.row else "")
        if (named if named in self._named else "") != row:
            return False
        if row and self._owners[row] == 1:
            return True
        if len(self._at) == 1:
            left, right = self._edges.panel(place)
        else:
            left, right = self._cells[place].x, self._cells[place].right
        x, y = other.box.center
        return left <= x < right and place.y <= y < place.bottom

    @cached_property
    def _cells(self) -> Mapping[Box, Box]:
        cells = cells_of(self._edges, dict(enumerate(self._at)), self._window)
        return dict(zip(self._at, cells.values(), strict=True))

    @cached_property
    def _edges(self) -> Edges:
        return Edges(self._frame.gray)

    def _box_at(self, place: Box) -> GivenBox | None:
        nearest = max(self._given, key=lambda one: one.box.iou(place), default=None)
        return nearest if nearest and nearest.box.iou(place) > _AT_PLACE else None


def _in_words(text: str, label: str) -> bool:
    """Return True if a text is some whole words of a label, in their order."""
    wanted, words = (
        [word.strip(_AROUND_WORDS) for word in folded(one).split()] for one in (text, label)
    )
    ends = range(len(wanted), len(words) + 1) if wanted else ()
    return any(words[end - len(wanted) : end] == wanted for end in ends)


@dataclass(eq=False)
class Locator:
    """A search for single components on one screenshot."""

    store: Store
    settings: Settings
    cache: TemplateCache
    index: Callable[[], StateIndex]
    frame: Frame
    area: Box  # the part of the screenshot that is searched
    given: Sequence[GivenBox]  # the boxes of the screenshot, where its source knows any
    as_learned: bool  # whether what looks otherwise than it was learned is refused
    watch: Stopwatch
    search: Callable[[], Sightings]  # looks for all components of the store
    _shown_screen: ShownScreen | None = None
    _recognised: dict[str | None, Recognised | None] = field(default_factory=dict)

    @cached_property
    def _all(self) -> Sightings:
        """The sightings of all components of the store."""
        return self.search()

    def _screen(self, seen: Sightings) -> ShownScreen:
        if self._shown_screen is None:
            self._shown_screen = shown_screen(self.frame, seen, given=self.given)
        return self._shown_screen

    def _settled(self, component: Component, seen: Sightings) -> Sightings:
        """Settle by labels, state and page what pixels alone leave open about one component."""
        key, index = component.id, self.index()
        if (label := index.labels.get(key)) is not None:
            seen = settled_by_labels(seen, {key: label}, self.given)
        if key in seen.hits or (key in seen.claims and not self.given):
            return seen
        state = self._shown(seen)
        if state is None or key not in components_of(index, seen, state):
            state = self._shown(seen, component.page) or likeliest(index, seen, key, state) or state
        if state is not None:
            keys, words = self.cache.row_keys(), self._screen(seen).words
            look = SecondLook(self.store, index, state, self.frame, seen, words, keys)
            seen = look.at(seen.misses, key)
        own = index.expected(state.state_id if state else None, component.page)
        seen = found_by_page(self.store, index.labels, self.frame, seen, self.given, own)
        return only_plain(seen) if self.as_learned else seen

    def _shown(self, seen: Sightings, page: str | None = None) -> Recognised | None:
        """Return the state that the screen shows; recognised once."""
        if page not in self._recognised:
            screen = self._screen(seen)
            found = recognise(self.settings, self.index(), self.frame, seen, screen, page).found
            self._recognised[page] = found
        return self._recognised[page]

    def _nearest(
        self, fitting: Sequence[Component], seen: Sightings
    ) -> Sequence[Sequence[Component]]:
        """Group components: of the state that the screen shows, of its page, the rest."""
        index, state = self.index(), self._shown(seen)
        shown = [one.state_id for one in (state, *state.also)] if state else []
        layouts = [index.layouts[key] for key in shown]
        own = {
            key
            for layout in layouts
            for key in (*layout.defining, *layout.optional, *layout.changing)
        }
        pages = {index.states[key].page for key in shown} - {None}
        return [
            [one for one in fitting if one.id in own],
            [one for one in fitting if one.id not in own and one.page in pages],
            [one for one in fitting if one.id not in own and one.page not in pages],
        ]

    def find(self, component: Component) -> Location:
        """Find a component, or its best place and why that is refused."""
        # Its look-alikes are searched for first: nearly always that settles it.
        seen = self.cache.search_for(component.id, self.frame, self.area)
        if seen is None or component.id not in seen.hits:
            seen = self._all
        seen = self._settled(component, seen)
        if component.id in seen.hits:
            return self._found(component, seen.hits[component.id], seen)
        with self.watch.stage("exact"):
            return self._best_place(component, seen)

    def find_called(self, key: str | int, fitting: Sequence[Component]) -> Location:
        """Find the component on the screen of those that somebody may mean.

        What the screen's own state or page has goes before the rest of the store. ``fitting`` is
        what fits the key, the best first. Several that stand there and fit equally well are a
        UsageError.
        """
        if len(fitting) == 1:
            return self.find(fitting[0])
        seen = self._all
        for one in fitting:
            seen = self._settled(one, seen)
        own, *others = self._nearest(fitting, seen)
        # Where a "Delete" of its own is hidden, another that is merely labelled so is not meant.
        groups = [group for group in (_best(own, key), *others) if group]
        for group in groups:
            standing = _best([one for one in group if one.id in seen.hits], key)
            if len(standing) > 1:
                raise self._ambiguous(key, standing, seen)
            if standing:
                return self._found(standing[0], seen.hits[standing[0].id], seen)
        if len(groups[0]) == 1:
            return self.find(groups[0][0])
        how = f"none of the {len(groups[0])} that are called so is there"
        return self._absent(groups[0], seen, how, key)

    def find_beside(
        self, key: str | int, fitting: Sequence[Component], beside: str | int
    ) -> Location:
        """Find the one of several equal places that is beside something.

        The boxes of the screen say which does. Without any, a component that is known to stand
        in that row or section is found by itself, or the layout says which place it is. Without
        boxes, what is not known by that name or label and cannot be read is a NotFoundError.
        """
        labelled = any(one.label for one in self.given)
        groups: Sequence[Sequence[Component]] = [fitting]
        if len(fitting) > 1:
            groups = [group for group in self._nearest(fitting, self._all) if group]
        own = [one for one in groups[0] if _stands_in(beside, one)]
        if len(own) == 1 and not labelled:
            return self.find(own[0])
        seen = self._all
        for group in groups:
            if places := self._equal_places(group, seen):
                break
        else:
            return self._absent(groups[0], seen, "it is not on the screen", key)
        if labelled:
            chosen, how = self._by_boxes(list(places), group, seen, beside)
        else:
            chosen, how = self._by_layout(list(places), seen, beside)
        if len(chosen) != 1:
            return self._absent(group, seen, how, key)
        hit = places[chosen[0]].placed(chosen[0])
        # It is the component that is settled there, if any is.
        settled = (one for one in group if one.id in seen.hits)
        owner = next((one for one in settled if seen.hits[one.id].box == hit.box), None)
        if owner is not None and _stands_in(beside, owner):
            return self._found(owner, seen.hits[owner.id], seen)
        place = self._found(owner or group[0], hit, seen)
        return replace(place, name=owner.name if owner else _asked(key, group[0]), how="beside")

    def _by_boxes(
        self,
        places: Sequence[Box],
        alike: Sequence[Component],
        seen: Sightings,
        beside: str | int,
    ) -> tuple[Sequence[Box], str]:
        """Return the places beside something, by the boxes of the screen, and why not one.

        A place that bears the label but looks otherwise is not given out, but its row counts.
        """
        labels = {folded(one.label) for one in alike if one.label}
        bearing = [one.box for one in self.given if folded(one.label) in labels]
        others = [one for one in bearing if all(one.iou(place) <= _AT_PLACE for place in places)]
        rows = Rows(self.frame, [*places, *others], self.given, self.area)
        text = beside if isinstance(beside, str) else ""
        chosen = rows.saying(text)
        # On a page, "7" is what a row says; the component of that id is #7.
        if not chosen and not text.isdecimal():
            chosen = rows.holding(self._settled_anchors(seen, beside))
        if len(chosen) > 1:
            return chosen, f'{len(chosen)} rows say "{beside}": {rows.texts(chosen)}'
        if chosen:
            known = [one for one in chosen if one in places]
            return known, f'in the row that says "{beside}" it looks otherwise'
        return (), f'no row says "{beside}"; they say: {rows.texts(places) or "nothing"}'

    def _by_layout(
        self, places: Sequence[Box], seen: Sightings, beside: str | int
    ) -> tuple[Sequence[Box], str]:
        """Return the places beside something, as the screenshot shows them, and why not one."""
        anchors = self._anchors(seen, beside)
        # A row also ends where that of a control of this size begins that looks otherwise.
        own = PlaceIndex(_AT_PLACE)
        for place in places:
            own.add(place, 0)
        taken = {place: place for hit in seen.claims.values() for place in hit.places}
        others = [one for one in in_line(taken, places) if own.owner(one) is None]
        rows = Rows(self.frame, [*places, *others], (), self.area)
        chosen = [place for place in rows.holding(anchors) if place in places]
        if not anchors:
            return (), f'"{beside}" is not on the screen'
        count = f"{len(chosen)} of its places stand" if chosen else "none of its places stands"
        return chosen, f'{count} beside "{beside}"'

    def _equal_places(
        self, alike: Sequence[Component], seen: Sightings
    ) -> Mapping[Box, ComponentHit]:
        """Return every place that looks like one of some components; none that a box denies."""
        twins = set[int]().union(*(self.cache.twins_of(one.id, self.area) for one in alike))
        places: dict[Box, ComponentHit] = {}
        taken = PlaceIndex()
        for key in sorted(twins & seen.claims.keys(), key=lambda key: key != alike[0].id):
            for place in seen.claims[key].places:
                if taken.owner(place) is None:
                    taken.add(place, key)
                    places[place] = seen.claims[key]
        labels = {folded(one.label) if one.label else "" for one in alike}
        sources = {one.source for one in alike}
        named = [one for one in self.given if one.label and one.source in sources]

        def denied(place: Box) -> bool:
            there = [one for one in named if one.box.iou(place) > _AT_PLACE]
            nearest = max(there, key=lambda one: one.box.iou(place), default=None)
            return nearest is not None and folded(nearest.label) not in labels

        return {place: hit for place, hit in places.items() if "" in labels or not denied(place)}

    def _ambiguous(
        self, key: str | int, standing: Sequence[Component], seen: Sightings
    ) -> UsageError:
        """Return an error that names components with the text beside each."""
        places = [seen.hits[one.id].box for one in standing]
        rows = Rows(self.frame, places, self.given, self.area)
        named = [
            f"{one.name} (beside {row})" if row else one.name
            for one, place in zip(standing[:_MOST_NAMED], places, strict=False)
            for row in [rows.text(place) or one.row_text or one.section]
        ]
        more = f" and {len(standing) - len(named)} more" if len(standing) > len(named) else ""
        return UsageError(
            f'{len(standing)} components on this screen are called "{key}"',
            hint=f"choose one: {', '.join(named)}{more}; or say what stands beside it",
        )

    def _settled_anchors(self, seen: Sightings, beside: str | int) -> list[Box]:
        """Return the places of a component that no box of the screen denies."""
        try:
            named = Components(self.store).called(beside)
        except NotFoundError:
            return []
        settled = [self._settled(one, seen).hits.get(one.id) for one in named]
        return [hit.box for hit in settled if hit is not None]

    def _anchors(self, seen: Sightings, beside: str | int) -> list[Box]:
        """Return the places of a component, a label or a text on the screenshot."""
        try:
            ids = {one.id for one in Components(self.store).called(beside)}
        except NotFoundError as unknown:
            return self._read(str(beside), unknown)
        settled = [seen.hits[key].box for key in sorted(ids & seen.hits.keys())]
        return settled or [
            place for key in sorted(ids & seen.claims.keys()) for place in seen.claims[key].places
        ]

    def _read(self, text: str, unknown: NotFoundError) -> list[Box]:
        from memctl.visual.reading.ocr import read_text

        try:
            runs = read_text(self.frame)
        except UsageError as no_reader:
            raise NotFoundError(
                f'no component is named or labelled "{text}", and no text can be read',
                hint=no_reader.hint or unknown.hint,
            ) from unknown
        return [run.box for run in runs if folded(text) == folded(run.text)]

    def _ms(self, seen: Sightings) -> dict[str, float]:
        return rounded({**self.watch.ms, **seen.ms})

    def _found(self, component: Component, hit: ComponentHit, seen: Sightings) -> Location:
        fields = place_fields(hit)
        return Location(component.id, component.name, found=True, ms=self._ms(seen), **fields)

    def _absent(
        self, alike: Sequence[Component], seen: Sightings, how: str, key: str | int
    ) -> Location:
        component = alike[0]
        return Location(
            component_id=component.id,
            name=_asked(key, component),
            found=False,
            x=None,
            y=None,
            w=component.w,
            h=component.h,
            score=None,
            how=how,
            template_id=None,
            ms=self._ms(seen),
        )

    def _best_place(self, component: Component, seen: Sightings) -> Location:
        """Compute the exact best place of a component that the search did not find."""
        templates = self.cache.templates_of(component.id, self.area)
        best, template = max(
            ((locate(self.frame, one, window=self.area), one) for one in templates),
            key=lambda pair: -1.0 if pair[0].score is None else pair[0].score,
        )
        left_out = best.box is not None and lies_in(best.box, self.frame.ignored)
        # A forgotten component is not searched for, but it may be there all the same.
        found = best.why is None and component.forgotten_at is not None and not left_out
        miss = seen.misses.get(component.id)
        refused = miss.why if miss is not None else "its place is a look-alike's"
        dressed = miss is not None and miss.why.startswith((DISABLED, DIMMED, *DRESSES))
        height, width = template.gray.shape
        corner = (best.box.x, best.box.y) if best.box else None
        x, y = corner if found and corner else (None, None)
        return Location(
            component_id=component.id,
            name=component.name,
            found=found,
            x=x,
            y=y,
            w=int(width),
            h=int(height),
            score=best.score,
            how=IGNORED
            if left_out
            else refused
            if dressed
            else best.why or ("exact" if found else refused),
            template_id=template.template_id,
            ms=self._ms(seen),
            refused_at=None if found else corner,
        )


def _best(standing: Sequence[Component], key: str | int) -> Sequence[Component]:
    """Return those of some components that fit what somebody calls them best."""
    how = [fit(str(key), one.name, one.label) or 0 for one in standing]
    return [one for one, rank in zip(standing, how, strict=True) if rank == min(how)]


def _asked(key: str | int, component: Component) -> str:
    """Return the key as a name: of an id, the component's."""
    by_id = isinstance(key, int) or key.removeprefix("#").isdecimal()
    return component.name if by_id else str(key)


def _stands_in(beside: str | int, component: Component) -> bool:
    around = {folded(text) for text in (component.row_text, component.section) if text}
    return isinstance(beside, str) and folded(beside) in around
