"""Comparison of a screenshot with what a store knows: what is new on it, missing or another value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memctl.store import statements
from memctl.visual.boxes import Box
from memctl.visual.learning.adding import add_variant, new_variants, with_variants
from memctl.visual.learning.changing_places import changes_on
from memctl.visual.learning.erased_boxes import erased_on, without_erased
from memctl.visual.learning.known_boxes import GUESSED, cut_by_better, is_guess, part_known
from memctl.visual.match_results import Refused
from memctl.visual.reading.field_contents import emptied, in_field
from memctl.visual.reading.sifting import CONTENTS
from memctl.visual.recognition.covering import on_screen
from memctl.visual.recognition.expected import expected_on, remembered_places, with_covered
from memctl.visual.recognition.recognition import recognise
from memctl.visual.recognition.second_look import SecondLook, only_plain
from memctl.visual.recognition.shown_screen import shown_screen
from memctl.visual.recognition.told_labels import settled_by_labels

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Mapping, Sequence

    from memctl.config.settings import Settings
    from memctl.store.store import Store
    from memctl.visual.frame import Frame
    from memctl.visual.match_results import Learned
    from memctl.visual.reading.boxes_file import GivenBox
    from memctl.visual.reading.sifting import Sifted
    from memctl.visual.recognition.recognition import Recognised
    from memctl.visual.recognition.shown_screen import ShownScreen
    from memctl.visual.recognition.sightings import Sightings
    from memctl.visual.recognition.state_index import StateIndex

COMPONENTS = statements.load("store/component")


@dataclass(frozen=True, slots=True)
class Comparison:
    """A screenshot compared with the store.

    Parameters
    ----------
    frame
        The screenshot without the contents of fields.
    seen
        The components found, also by variants that were added now.
    sifted, title
        The boxes and the title, without what a person erased.
    screen
        Its words and its look.
    about
        Living component id to its row of ``component``, as it was before.
    recognised
        The state that it shows, ``None`` for a new one.
    variants
        The variants that were added.
    known
        Component id to the box that it explains.
    new
        The boxes of new components.
    refused
        Boxes that are a part, or the next value, of what is known.
    missed
        Components that should be on it and are not.
    changed
        Components whose places were seen to change now.
    """

    frame: Frame
    seen: Sightings
    sifted: Sifted
    title: str | None
    screen: ShownScreen
    about: Mapping[int, sqlite3.Row]
    recognised: Recognised | None
    variants: list[Learned]
    known: dict[int, GivenBox]
    new: list[GivenBox]
    refused: list[Refused]
    missed: list[int]
    changed: list[int]


def compare(
    store: Store,
    settings: Settings,
    index: StateIndex,
    frame: Frame,
    seen: Sightings,
    sifted: Sifted,
    *,
    page: str | None,
    title: str | None,
    at: str,
) -> Comparison:
    """Compare a screenshot with the store; variants of known components are written.

    In a transaction.
    """
    about = {row["id"]: row for row in store.rows(COMPONENTS.living)}
    seen = settled_by_labels(seen, index.labels, sifted.candidates)
    sources = {key: row["source"] for key, row in about.items()}
    found = {key: hit.box for key, hit in seen.hits.items()}
    names = {key: row["name"] for key, row in about.items()}
    parted = part_known(sifted.candidates, found, sources, names)
    screen = shown_screen(frame, seen, sifted.hidden, sifted.candidates)
    recognised = recognise(settings, index, frame, seen, screen, page).found
    erased = erased_on(store, frame, seen, recognised, page)
    if erased:
        sifted, title = without_erased(sifted, erased, seen.scale, title)
        parted = part_known(sifted.candidates, found, sources, names)
        screen = shown_screen(frame, seen, sifted.hidden, sifted.candidates)
    new, refused = parted.new, parted.refused
    variants = new_variants(store, index, seen, new, recognised, page)
    added = [
        add_variant(store, frame, candidate, component_id, scale=seen.scale, at=at)
        for component_id, candidate in variants.items()
    ]
    seen = with_variants(seen, variants, added)
    if recognised is None and variants:
        recognised = recognise(settings, index, frame, seen, screen, page).found
    claimed = set(variants.values())
    new = [one for one in new if one not in claimed]
    places: dict[int, Box] = {}
    uncovered = seen
    if recognised is not None:
        places = remembered_places(index, seen, recognised)
        look = SecondLook(store, index, recognised, frame, seen, screen.words)
        seen = only_plain(look.at(seen.misses.keys() & places.keys()))
        fields = [places[key] for key in sorted(index.fields & places.keys())]
        frame = emptied(frame, fields)
        new = _refusing(new, lambda one: in_field(one.box, fields), CONTENTS, refused)
        layout = index.layouts[recognised.state_id]
        if cut_by_better(sources[key] for key in (*layout.defining, *layout.optional)):
            remembered = on_screen(seen, Box(*recognised.move, *layout.size))
            new = _refusing(new, lambda one: is_guess(one, remembered), GUESSED, refused)
    missed = expected_on(store, settings, index, seen, recognised, page)
    seen = with_covered(index, frame, seen, screen, missed, recognised)
    changed: list[int] = []
    if recognised is not None:
        missing = [key for key in missed if seen.misses[key] is uncovered.misses[key]]
        changing = index.layouts[recognised.state_id].changing
        changes = changes_on(seen, places, missing, changing, about, new)
        new, changed = changes.new, changes.components
        refused += changes.refused
        missed = sorted(set(missed).difference(changed))
    return Comparison(
        frame=frame,
        seen=seen,
        sifted=sifted,
        title=title,
        screen=screen,
        about=about,
        recognised=recognised,
        variants=added,
        known=parted.known,
        new=new,
        refused=refused,
        missed=missed,
        changed=changed,
    )


def _refusing(
    boxes: Sequence[GivenBox],
    applies: Callable[[GivenBox], bool],
    why: str,
    refused: list[Refused],
) -> list[GivenBox]:
    """Return the boxes that a test does not apply to; note the others as refused."""
    refused += [Refused(one.box.xywh, why) for one in boxes if applies(one)]
    return [one for one in boxes if not applies(one)]
