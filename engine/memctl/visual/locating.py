"""Locating one component: by its pixels and what stands beside it, or by what a caller names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from memctl.base.errors import NotFoundError, UsageError
from memctl.visual.boxes import PlaceIndex
from memctl.visual.graph.components import Components
from memctl.visual.graph.naming import folded
from memctl.visual.identity.beside import places_beside
from memctl.visual.match_results import Location
from memctl.visual.matching import ComponentHit, Stopwatch, locate
from memctl.visual.recognition.sightings import places_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memctl.store.store import Store
    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame
    from memctl.visual.graph.components import Component
    from memctl.visual.learning.template_cache import TemplateCache
    from memctl.visual.reading.boxes_file import GivenBox
    from memctl.visual.recognition.sightings import Sightings

__all__ = ["Locator", "place_fields", "rounded"]

_AT_PLACE = 0.5  # IoU of a box and the place that it describes


@dataclass(frozen=True, eq=False)
class Locator:
    """Looks for single components on one screenshot.

    Parameters
    ----------
    store, cache
        Where components and their pictures are.
    frame, area
        The screenshot, and the part of it that is searched.
    watch
        Milliseconds by stage so far.
    effort
        As in `TemplateCache.search`.
    look
        Looks for all components of the store.
    """

    store: Store
    cache: TemplateCache
    frame: Frame
    area: Box
    watch: Stopwatch
    effort: str
    look: Callable[[], Sightings]

    def find(self, component: Component, settled: Callable[[Sightings], Sightings]) -> Location:
        """Find a component, or its best place and why that is refused.

        Parameters
        ----------
        settled
            Settles what the component's pixels do not: a filled field, a cut label.
        """
        seen = settled(self._look_for(component))
        hit = seen.hits.get(component.id)
        ms = {**self.watch.ms, **seen.ms}
        if hit is not None:
            fields = place_fields(hit)
            return Location(component.id, component.name, found=True, ms=rounded(ms), **fields)
        with self.watch.stage("exact"):
            return self._best_place(component, seen)

    def find_beside(
        self,
        alike: Sequence[Component],
        beside: str | int,
        given: Sequence[GivenBox],
        settled: Callable[[Component, Sightings], Sightings],
    ) -> Location:
        """Find the one of the equal places of some components that stands beside something.

        A component that is known to stand in that row or section is found by itself; else the
        boxes of the screen say which place does, or the layout does.

        Raises
        ------
        NotFoundError
            When nothing is known by that name or label, and no text can be read.
        """
        own = [one for one in alike if _stands_in(beside, one.row_text, one.section)]
        if len(own) == 1:
            return self.find(own[0], partial(settled, own[0]))
        seen = self.look()
        component = alike[0]
        twins = set[int]().union(*(self.cache.twins_of(one.id, self.area) for one in alike))
        twins &= seen.claims.keys()
        places: dict[Box, ComponentHit] = {}
        taken = PlaceIndex()
        for key in sorted(twins, key=lambda key: key != component.id):
            for place in places_of(seen.claims[key]):
                if taken.owner(place) is None:
                    taken.add(place, key)
                    places[place] = seen.claims[key]
        told = {place: [one for one in given if one.box.iou(place) > _AT_PLACE] for place in places}
        chosen = [
            place
            for place, boxes in told.items()
            if any(_stands_in(beside, one.row, one.section) for one in boxes)
        ]
        anchors = [] if chosen else self._anchors(seen, beside)
        chosen = chosen or places_beside(self.frame, list(places), anchors, self.area)
        if len(chosen) == 1:
            there = [one for one in alike if one.id in seen.hits]
            owner = next((one for one in there if seen.hits[one.id].box == chosen[0]), component)
            return self._at(owner, places[chosen[0]].placed(chosen[0]), seen)
        if not places:
            return self._absent(component, seen, "it is not on the screen")
        if not anchors:
            return self._absent(component, seen, f'"{beside}" is not on the screen')
        if not chosen:
            return self._absent(component, seen, f'none of its places stands beside "{beside}"')
        return self._absent(component, seen, f'{len(chosen)} of its places stand beside "{beside}"')

    def _look_for(self, component: Component) -> Sightings:
        """Look for a component among its look-alikes first: nearly always that settles it."""
        seen = self.cache.search_for(component.id, self.frame, self.area, effort=self.effort)
        if seen is None or component.id not in seen.hits:
            return self.look()
        return seen

    def _anchors(self, seen: Sightings, beside: str | int) -> list[Box]:
        """Return where a component, a label or a text stands on the screenshot."""
        components = Components(self.store)
        ids = set(components.labelled(beside)) if isinstance(beside, str) else set[int]()
        try:
            ids.add(components.living(beside).id)
        except NotFoundError as unknown:
            if not ids:
                return self._read(str(beside), unknown)
        settled = [seen.hits[key].box for key in sorted(ids & seen.hits.keys())]
        hits = [seen.claims[key] for key in sorted(ids & seen.claims.keys())]
        return settled or [place for hit in hits for place in places_of(hit)]

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

    def _at(self, component: Component, hit: ComponentHit, seen: Sightings) -> Location:
        fields = {**place_fields(hit), "how": "beside"}
        ms = rounded({**self.watch.ms, **seen.ms})
        return Location(component.id, component.name, found=True, ms=ms, **fields)

    def _absent(self, component: Component, seen: Sightings, how: str) -> Location:
        return Location(
            component_id=component.id,
            name=component.name,
            found=False,
            x=None,
            y=None,
            w=component.w,
            h=component.h,
            score=None,
            how=how,
            template_id=None,
            ms=rounded({**self.watch.ms, **seen.ms}),
        )

    def _best_place(self, component: Component, seen: Sightings) -> Location:
        """Compute the exact best place of a component that the search did not find."""
        templates = self.cache.variants_of(component.id, self.area)
        best, template = max(
            ((locate(self.frame, one, window=self.area), one) for one in templates),
            key=lambda pair: -1.0 if pair[0].score is None else pair[0].score,
        )
        # A forgotten component is not searched for, but it may be there all the same.
        found = best.why is None and component.forgotten_at is not None
        miss = seen.misses.get(component.id)
        refused = miss.why if miss is not None else "its place is a look-alike's"
        height, width = template.gray.shape
        return Location(
            component_id=component.id,
            name=component.name,
            found=found,
            x=best.box.x if best.box else None,
            y=best.box.y if best.box else None,
            w=int(width),
            h=int(height),
            score=best.score,
            how=best.why or ("exact" if found else refused),
            template_id=template.template_id,
            ms=rounded({**self.watch.ms, **seen.ms}),
        )


def _stands_in(beside: str | int, row: str | None, section: str | None) -> bool:
    return isinstance(beside, str) and folded(beside) in {folded(row or ""), folded(section or "")}


def rounded(ms: Mapping[str, float]) -> dict[str, float]:
    """Return milliseconds as answers show them."""
    return {stage: round(value, 3) for stage, value in ms.items()}


def place_fields(hit: ComponentHit) -> dict[str, Any]:
    """Return the fields of an answer that say where a component was found, and how."""
    return {
        **dict(zip("xywh", hit.box.xywh, strict=True)),
        "score": round(hit.score, 4),
        "how": hit.how,
        "template_id": hit.template_id,
        "also_at": list(hit.also_at),
        "strangeness": round(hit.strangeness, 4),
    }
