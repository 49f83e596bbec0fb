"""The page as witness: its boxes decide at each place what pixels leave open.

"report-13..." looks the same for two files, and a check box is a check box: where a box says what
stands at a place, a component of another label is not there. And where pixels have changed (a switch
was toggled, the app is another version), the box that is called as a component is, says where it is.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np

from memctl.store import statements
from memctl.visual.box_arrays import as_array, ious, shared_pixels
from memctl.visual.graph.naming import folded
from memctl.visual.match_results import ComponentHit
from memctl.visual.reading.image import decode_png
from memctl.visual.reading.sifting import dynamic_rule

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from memctl.store.store import Store
    from memctl.visual.boxes import Box
    from memctl.visual.frame import Frame
    from memctl.visual.reading.boxes_file import GivenBox
    from memctl.visual.recognition.sightings import Sightings

TEMPLATES = statements.load("store/template")

BY_PAGE = "by the page"
CHANGED = "its pixels; the page calls it as before"
CUT = "its label is cut: what the screen shows of it does not tell it from others"

OTHER = "same look, another {} where it stands"
NOTHING = "the page shows nothing there: it is covered, or drawn by something else"
SEVERAL = "the page calls several things so, and nothing says which is meant"
MOST_COVERED = 0.2
HEADING = "heading"

_AT_PLACE = 0.5  # IoU of a box and the place that it names
_WITHIN = 0.8  # share of a place that lies in a box it is a part of: lines differ by two pixels
_ELLIPSES = ("...", "\u2026")

PageLabel = tuple[str, str, str]
"""A source, a label without case, and ``heading`` for one: two sources have two words for a thing."""

_PARTS = frozenset({"text", HEADING, "icon", "image", "element"})
_Called = tuple[str, str, str, str, str]


@dataclass(frozen=True, slots=True)
class RememberedLabel:
    """The name that a source gave a component: label, which may be cut, kind, row and section.

    What has no label is called by its row: a switch beside "Wi-Fi".
    """

    label: str
    source: str
    cut: bool
    row: str = ""
    kind: str = ""
    section: str = ""

    @classmethod
    def of(cls, row: sqlite3.Row) -> RememberedLabel:
        """Read the label of a row of ``component``."""
        texts = row["row_text"] or "", row["type"], row["section"] or ""
        return cls(row["label"] or "", row["source"], bool(row["cut"]), *texts)


def page_labels(said: Iterable[RememberedLabel | GivenBox]) -> frozenset[PageLabel]:
    """Return the labels of a page that stay: of boxes that are in no row and name none."""
    said = list(said)
    rows = {folded(one.row) for one in said if one.row}
    return frozenset(
        (one.source, label, HEADING if one.kind == HEADING else "")
        for one in said
        if one.label and not one.row and not dynamic_rule(one.label)
        for label in [folded(one.label)]
        if label not in rows
    )


def settled_by_labels(
    seen: Sightings, labels: Mapping[int, RememberedLabel], given: Sequence[GivenBox] = ()
) -> Sightings:
    """Return the sightings without components that the boxes of the screen contradict.

    A place is contradicted by a box there of another label, kind, row or section, by no box at all
    where the source sees others (a sheet of glass covers it), and by a box of another
    label around it where the source sees nothing of its own: it is a part of that. A component
    whose label is cut is left only where a box says the whole label. Sources are not compared with
    each other: they may have two words for one thing.

    ``labels``: component id to its label. ``given``: boxes of the screenshot from a source that
    knows texts.
    """
    hits, misses = dict(seen.hits), dict(seen.misses)
    boxes = as_array(one.box for one in given)
    sections = frozenset(folded(one.section) for one in given if one.section)
    for key in labels.keys() & hits.keys():
        hit, known = hits[key], labels[key]
        if not (given or known.cut):
            continue
        why = _contradicted(hit.box, known, given, boxes, sections)
        if why:
            misses[key] = hit.missed(why)
            del hits[key]
    return replace(seen, hits=hits, misses=misses)


def _contradicted(
    place: Box,
    known: RememberedLabel,
    given: Sequence[GivenBox],
    boxes: NDArray[np.int64],
    sections: frozenset[str],
) -> str:
    """Return the reason why a component is not at a place, empty for none.

    ``sections``: those of the whole screen: a component stays in its own as long as that is there.
    """
    alike, shared = ious(place, boxes), shared_pixels(place, boxes)
    if len(given) and not shared.any() and all(_same(one, known) for one in given):
        return NOTHING
    near = np.flatnonzero(alike > _AT_PLACE).tolist()
    own = [given[at] for at in near if _same(given[at], known)]
    whole = folded(known.label)
    there: GivenBox | None
    if own:
        there = max(own, key=lambda one: (_agrees(one, known), one.box.iou(place)))
        rows = {there.row}
    else:
        around = np.flatnonzero(shared >= _WITHIN * place.area).tolist()
        within = np.flatnonzero(shared >= _WITHIN * boxes[:, 2] * boxes[:, 3]).tolist()
        outer = [given[at] for at in around if _same(given[at], known)]
        there = min(outer, key=lambda one: one.box.area, default=None)
        rows = {given[at].row for at in within if _same(given[at], known)}
    told = "" if there is None else folded(there.label)
    if known.cut and (not own or told != whole or whole.endswith(_ELLIPSES)):
        return CUT
    # In a line of text nothing else stands; in a card or a tab something may.
    alone = own or (there is not None and there.kind in {"text", HEADING})
    if told and whole and (told != whole if alone else whole not in told):
        return OTHER.format("label")
    # A part of a tab may bear its label; a button is not what the page calls a tab there.
    asked = own or (told and known.kind not in _PARTS)
    if asked and there is not None and there.kind != known.kind:
        return OTHER.format("kind of thing")
    named = {folded(row) for row in rows if row and not dynamic_rule(row)}
    if named and known.row and folded(known.row) not in named:
        return OTHER.format("row")
    section = folded(there.section) if own and there is not None else ""
    moved = section and folded(known.section) in sections - {section}
    return OTHER.format("section") if moved else ""


def _agrees(box: GivenBox, known: RememberedLabel) -> bool:
    return (folded(box.label), box.kind) == (folded(known.label), known.kind)


def _same(box: GivenBox, known: RememberedLabel) -> bool:
    return box.source == known.source


def found_by_page(
    store: Store,
    labels: Mapping[int, RememberedLabel],
    frame: Frame,
    seen: Sightings,
    given: Sequence[GivenBox],
    expected: Iterable[int],
) -> Sightings:
    """Return the sightings with missed components that the page names, and names only once.

    A box is a component whose pixels have changed where source, label, kind, row and section are
    the same, and no other box and no other component that is expected here has all of them. What
    was found in another dress where the page contradicts it goes.

    ``given``: boxes of the screenshot from a source that knows texts. ``expected``: the components
    of the state that the screen shows, or of its page, found or not.
    """
    # The second look came after the page was asked: under a sheet of glass things look pale.
    again = {key for key, hit in seen.hits.items() if hit.changed or hit.how == "emptied"}
    seen = settled_by_labels(seen, {k: labels[k] for k in again & labels.keys()}, given)
    shown: dict[_Called, list[GivenBox]] = defaultdict(list)
    for one in given:
        if one.label or one.row:
            shown[_called(one.source, one.kind, one.label, one.row, one.section)].append(one)
    if not shown:
        return seen
    called: dict[_Called, list[int]] = defaultdict(list)
    for key in sorted(expected):
        if (known := labels.get(key)) is not None:
            about = known.source, known.kind, known.label, known.row, known.section
            called[_called(*about)].append(key)
    hits, misses = dict(seen.hits), dict(seen.misses)
    taken = as_array(hit.box for hit in hits.values())
    for name, keys in called.items():
        missed, boxes = misses.keys() & keys, shown.get(name, ())
        if len(boxes) == len(keys) == 1:
            free = (
                boxes[0].covered <= MOST_COVERED and (ious(boxes[0].box, taken) <= _AT_PLACE).all()
            )
            if missed and free:
                hits[keys[0]] = _hit(store, frame, seen, keys[0], boxes[0].box)
                del misses[keys[0]]
        elif boxes:
            misses |= {k: replace(misses[k], why=SEVERAL, counted=False) for k in missed}
    return replace(seen, hits=hits, misses=misses)


def _called(source: str, kind: str, label: str, row: str, section: str) -> _Called:
    """Return a source's name for a box; a row or section named after a time has none."""
    row, section = ("" if dynamic_rule(text) else folded(text) for text in (row, section))
    return source, kind, folded(label), row, section


def _hit(store: Store, frame: Frame, seen: Sightings, key: int, place: Box) -> ComponentHit:
    """Return a component at a place; its score is how alike the pixels still are, 0 to 1."""
    claim = seen.claims.get(key)
    if claim is not None:
        for spot in claim.places:
            if spot.iou(place) > _AT_PLACE:
                return replace(claim.placed(spot), how=BY_PAGE)
    row = store.rows(TEMPLATES.templates_of, {"component_id": key})[0]
    own = decode_png(store.value(TEMPLATES.pixels, {"id": row["id"]}))
    there = cv2.resize(frame.crop(place), own.shape[1::-1], interpolation=cv2.INTER_AREA)
    alike = float(cv2.matchTemplate(there, own, cv2.TM_CCOEFF_NORMED)[0, 0])
    about = row["id"], key, place, round(min(max(alike, 0.0), 1.0), 4)
    return ComponentHit(*about, identical=False, how=BY_PAGE, changed=CHANGED)
