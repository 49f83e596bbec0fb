"""Takes over screens that another memory knows: its components with their pictures, its states.

What is here already is joined, and of two counts the larger is kept: taking over twice changes
nothing. In a transaction of the caller's, who has looked at the texts.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import cv2

from memctl.base.errors import UsageError
from memctl.store import statements
from memctl.visual.boxes import Box
from memctl.visual.frame import is_learnable
from memctl.visual.graph.naming import NamesInUse, folded
from memctl.visual.graph.states import States
from memctl.visual.learning.known_boxes import erased_pixels_on
from memctl.visual.learning.recording import add_picture, taken
from memctl.visual.learning.state_updates import free_id
from memctl.visual.reading.image import decode_png, pixels_digest
from memctl.visual.recognition.shown_screen import packed_look, shown_screen
from memctl.visual.recognition.sightings import Sightings

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Sequence

    from memctl.store.store import Store
    from memctl.visual.frame import Frame
    from memctl.visual.graph.foreign_screens import ForeignComponent, ForeignState

SQL = statements.load("store/adopting")
COMPONENTS = statements.load("store/component")
STATES = statements.load("store/state")
STORE = statements.load("store/store")
TEMPLATES = statements.load("store/template")

_SAME_PLACE = 15  # pixels at scale 1 between the middles of one component seen twice
_SHOWN = 0.95  # least correlation with what stands at its place
_OFF = 4  # pixels that a picture may stand beside where its middle says
_STATE_ID = re.compile(r"s_[0-9a-f]{6,64}")


def adopt_component(
    store: Store,
    about: ForeignComponent,
    looks: Sequence[tuple[Frame, float]],
    names: NamesInUse,
) -> int:
    """Write a component with its pictures, or join it to the one that has them; return its id.

    The same pixels at the same place are the same component; elsewhere they are another one.

    ``looks``: its pictures, each a frame of its own with its device-pixel ratio; the first is the
    one that its place is told by. ``names``: of the living components; the new one's is added.
    Raises UsageError when a picture cannot be found again on a screen, or shows what a person
    erased.
    """
    for frame, _ in looks:
        why = is_learnable(frame.bgr)
        if why is not None:
            raise UsageError(f'the picture of "{about.name}" is {why}')
        if erased_pixels_on(store, frame):
            raise UsageError(f'"{about.name}" shows what was erased', hint="memctl components lift")
    (picture, scale), *_ = looks
    component_id = _known(store, about, picture, scale)
    if component_id is None:
        component_id = _insert(store, about, picture, scale, names)
    for frame, ratio in looks:
        look = taken(frame, frame.part(None), ratio, alone=True)
        add_picture(store, component_id, look, about.learned_at)
    counted = {"seen_count": about.seen_count, "misses": about.misses, "pinned": int(about.pinned)}
    times = {"learned_at": about.learned_at, "last_seen_at": about.last_seen_at}
    store.execute(SQL.raise_component, {"id": component_id, **counted, **times})
    store.execute(STORE.raise_learn_count, {"count": about.screens_learned})
    return component_id


def _known(store: Store, about: ForeignComponent, picture: Frame, scale: float) -> int | None:
    """Return the component that has this picture at this place, or by this name without one."""
    rows = store.rows(SQL.with_pixels, {"sha256": pixels_digest(picture.bgr)})
    for row in rows:
        if about.middle is None:
            same = folded(about.name) == folded(row["name"]) or len(rows) == 1
        else:
            apart = (
                abs(here - there / scale)
                for here, there in zip(
                    (row["middle_x"], row["middle_y"]), about.middle, strict=True
                )
            )
            same = max(apart) < _SAME_PLACE
        if same:
            return int(row["id"])
    return None


def _insert(
    store: Store, about: ForeignComponent, picture: Frame, scale: float, names: NamesInUse
) -> int:
    x, y = about.middle or (picture.width // 2, picture.height // 2)
    row = {
        "id": None,
        "name": names.claim(about.name),
        "type": about.type,
        "source": about.source,
        "label": about.label,
        "page": about.page,
        "scale": scale,
        "rel_x": round(x) - picture.width // 2,
        "rel_y": round(y) - picture.height // 2,
        "w": picture.width,
        "h": picture.height,
        "confidence": about.confidence,
        "row_text": about.row,
        "section": about.section,
        "cut": int(about.cut),
        "field": int(about.field),
        "changing_at": None,
        "seen_at": about.learned_at,
    }
    return store.insert(COMPONENTS.insert_component, row)


def adopt_state(
    store: Store,
    about: ForeignState,
    components: Collection[int],
    *,
    before: Collection[str],
    screen: Frame | None = None,
) -> str:
    """Write a state that components define, or join it to one that is here; return its id.

    It is joined to the state of its own id, or to one of `before`, where these are defined by the
    same components and nothing tells them apart.

    ``components``: ids; forgotten ones are left out. ``before``: the states that were here before
    the other memory was taken over. ``screen``: a screenshot that may show it: where all its
    components stand on it, it tells the words. Raises UsageError when no living component defines
    it.
    """
    rows = store.rows(SQL.places, {"ids": json.dumps(sorted(set(components)))})
    if not rows:
        raise UsageError(
            f'no component that is here defines the state "{about.id}"',
            hint="its components were refused, or have no picture",
        )
    state_id = _joined(store, about, rows, before) or _insert_state(store, about, rows)
    states = {one.id: one for one in States(store).list()}
    taken = NamesInUse(
        state.name for state in states.values() if state.name and state.id != state_id
    )
    named = states[state_id].name if state_id in states else None
    name = named or (taken.claim(about.name) if about.name else None)
    counted = {
        "confirmed": int(about.visits > 1 and all(row["seen_count"] > 1 for row in rows)),
        "visits": about.visits,
        "first_seen_at": about.first_seen_at,
        "last_seen_at": about.last_seen_at,
    }
    told = {"name": name, "title": about.title, "page": about.page}
    store.execute(SQL.raise_state, {"id": state_id, **told, **counted})
    if screen is not None and _shows_all(store, screen, rows):
        hidden = [one.box for one in erased_pixels_on(store, screen)]
        shown = shown_screen(screen, Sightings(screen.part(None), {}, {}), hidden)
        kept = {"words": shown.words.tobytes(), "look": packed_look(shown.look)}
        store.execute(STATES.set_words, {"id": state_id, "whole": 1, **kept})
    texts = [{"state_id": state_id, "text": text} for text in about.texts]
    store.execute_many(STATES.insert_state_text, texts)
    return state_id


def _joined(
    store: Store, about: ForeignState, rows: Sequence[sqlite3.Row], before: Collection[str]
) -> str | None:
    """Return the living state that this one is."""
    wanted = {row["id"] for row in rows}
    for state in States(store).list():
        if state.id != about.id and state.id not in before:
            continue
        told = ((about.page, state.page), (about.name, state.name))
        if any(one and other and one != other for one, other in told):
            continue
        defining = store.rows(STATES.definition, {"id": state.id})
        if {row["component_id"] for row in defining} == wanted:
            return state.id
    return None


def _shows_all(store: Store, screen: Frame, rows: Sequence[sqlite3.Row]) -> bool:
    """Return True if a screenshot shows every component where it was last seen, at scale 1."""
    for row in rows:
        looks = store.rows(TEMPLATES.templates_of, {"component_id": row["id"]})
        picture = (
            decode_png(store.value(TEMPLATES.pixels, {"id": looks[0]["id"]})) if looks else None
        )
        if picture is None:
            return False
        height, width = picture.shape[:2]
        # A middle was rounded, or is that of the component and not of its cut picture.
        near = Box(row["x"] - _OFF, row["y"] - _OFF, width + 2 * _OFF, height + 2 * _OFF)
        part = screen.crop(near.clipped(screen.width, screen.height))
        if min(part.shape[0] - height, part.shape[1] - width) < 0:
            return False
        if float(cv2.matchTemplate(part, picture, cv2.TM_CCOEFF_NORMED).max()) < _SHOWN:
            return False
    return True


def _insert_state(store: Store, about: ForeignState, rows: Sequence[sqlite3.Row]) -> str:
    taken = not _STATE_ID.fullmatch(about.id) or store.row(STATES.any_state, {"id": about.id})
    state_id = free_id(store, [row["name"] for row in rows]) if taken else about.id
    needed = (max(row[edge] for row in rows) for edge in ("right_edge", "bottom_edge"))
    width, height = about.size or (max(one, 1) for one in needed)
    # Its words are not known: they are read from the pictures of its components.
    made: dict[str, Any] = {
        "words": None,
        "look": None,
        "known_by": "components",
        "page": about.page,
    }
    seen = {"seen_at": about.first_seen_at, "img_w": width, "img_h": height}
    store.execute(STATES.insert_state, {"id": state_id, **made, **seen})
    places = [
        {
            "state_id": state_id,
            "component_id": row["id"],
            "defining": 1,
            "x": row["x"],
            "y": row["y"],
        }
        for row in rows
    ]
    store.execute_many(STATES.insert_state_component, places)
    return state_id
