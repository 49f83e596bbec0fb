"""Learning a screenshot: what is new is added, what is known is updated, the screen is named.

Everything here runs in one transaction of the caller's, after the screenshot was looked at.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from memctl import queries
from memctl.visual.activity import count_misses, count_seen, forget_missed
from memctl.visual.adding import add_components, add_look, label_known, learn_scale
from memctl.visual.boxes import Box
from memctl.visual.identification import create_state, merge_alike, read_atlas, state_match
from memctl.visual.ink import uncovered_ink
from memctl.visual.matching import Hit
from memctl.visual.naming import folded
from memctl.visual.place_index import PlaceIndex
from memctl.visual.similarity import Screen, Thing, layout_move

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Mapping, Sequence

    from memctl.settings import Settings
    from memctl.store import Store
    from memctl.visual.frame import Frame
    from memctl.visual.identification import Atlas
    from memctl.visual.ink import Drawing
    from memctl.visual.looking import Look
    from memctl.visual.results import Forgotten, Learned, Merged, StateMatch
    from memctl.visual.sifting import Candidate, Sifted

__all__ = ["Lesson", "expected_on", "learn_screen", "recognise"]

COMPONENTS = queries.load("store/component")
STATES = queries.load("store/state")
STORE = queries.load("store/store")


@dataclass(frozen=True, slots=True)
class Lesson:
    """What learning a screenshot changed.

    Parameters
    ----------
    look
        The look, completed by looks that were added to known components.
    missed
        Components that were expected on this screen and are not on it.
    """

    look: Look
    state: StateMatch | None
    missed: list[int]
    learned: list[Learned] = field(default_factory=list)
    forgotten: list[Forgotten] = field(default_factory=list)
    state_created: bool = False
    states_merged: list[Merged] = field(default_factory=list)


def learn_screen(
    store: Store,
    settings: Settings,
    frame: Frame,
    look: Look,
    sifted: Sifted,
    *,
    page: str | None,
    at: str,
) -> Lesson:
    """Learn one screenshot from what was found on it and the boxes that may be learned."""
    candidates = sifted.candidates
    atlas = read_atlas(store, settings)
    known, new = _split(candidates, look)
    recognised = recognise(settings, atlas, frame, look, new, page)
    looks = _new_looks(store, atlas, look, new, recognised, page)
    added_looks = [
        add_look(store, frame, candidate, component_id, scale=look.scale, at=at)
        for component_id, candidate in looks.items()
    ]
    look = _with_looks(look, looks, added_looks)
    claimed = set(looks.values())
    new = [one for one in new if one not in claimed]
    if recognised is None and looks:
        recognised = recognise(settings, atlas, frame, look, new, page)
    label_known(store, known)
    added = add_components(
        store,
        frame,
        new,
        look=look,
        page=page,
        seen_at=at,
    )
    learn_scale(store, frame, look, sifted.secrets, at)
    missed = expected_on(store, settings, atlas, look, recognised, page)
    count_seen(store, look, at)
    count_misses(store, missed)
    learns = int(store.value(STORE.count_learn))
    state_id, similarity = recognised or (None, 1.0)
    if state_id is None:
        state_id = _create(store, frame, look, added, candidates, page, at)
    else:
        _revisit(store, atlas, look, added, state_id, page, at)
    forgotten = forget_missed(store, settings, learns, at)
    merged = _merge(store, settings, state_id) if recognised and state_id else []
    shown = _living(store, state_id, merged)
    return Lesson(
        look=look,
        state=state_match(store, shown, similarity) if shown else None,
        missed=missed,
        learned=added_looks + added,
        forgotten=forgotten,
        state_created=recognised is None and state_id is not None,
        states_merged=merged,
    )


def recognise(
    settings: Settings,
    atlas: Atlas,
    frame: Frame,
    look: Look,
    unknown: Sequence[Candidate],
    page: str | None,
) -> tuple[str, float] | None:
    """Return the known state that a look shows and the similarity, or ``None``."""
    size = look.at_scale_one(look.window)
    screen = Screen(
        found=_found(look),
        unknown=[
            Thing(look.at_scale_one(one.box), folded(one.label or ""), one.kind) for one in unknown
        ],
        width=size.w,
        height=size.h,
        ink=_ink(frame, look, unknown),
    )
    threshold = settings.number(f"state_match_{atlas.kind}")
    return atlas.identify(screen, page=page, threshold=threshold)


def expected_on(
    store: Store,
    settings: Settings,
    atlas: Atlas,
    look: Look,
    recognised: tuple[str, float] | None,
    page: str | None,
) -> list[int]:
    """Return the components that should be on this screen and were not found.

    Under ``forgetting = expected`` those are the recognised state's, except what a scroll
    moved off the screen, and those learned on the named page; under ``everywhere`` all.
    """
    everything = set(look.misses)
    if settings.get("forgetting") == "everywhere":
        return sorted(everything)
    expected: set[int] = set()
    if recognised is not None:
        expected |= _of_state(atlas, look, recognised[0])
    elif page is not None:
        expected |= {row["id"] for row in store.rows(COMPONENTS.learned_on, {"page": page})}
    return sorted(expected & everything)


def _ink(frame: Frame, look: Look, boxes: Iterable[Candidate]) -> Drawing:
    covered = [hit.box for hit in look.hits.values()] + [one.box for one in boxes]
    return uncovered_ink(frame, look.window, covered, scale=look.scale)


def _found(look: Look) -> dict[int, Box]:
    """Return where components are, from the window's corner, at scale 1."""
    return {key: look.at_scale_one(hit.box) for key, hit in look.hits.items()}


def _split(
    candidates: Sequence[Candidate], look: Look
) -> tuple[dict[int, Candidate], list[Candidate]]:
    """Part the boxes that known components explain from the new ones."""
    places = PlaceIndex()
    for component_id, hit in look.hits.items():
        places.add(hit.box, component_id)
    known: dict[int, Candidate] = {}
    new = []
    for candidate in candidates:
        owner = places.owner(candidate.box)
        if owner is None:
            new.append(candidate)
        else:
            known[owner] = candidate
    return known, new


def _new_looks(
    store: Store,
    atlas: Atlas,
    look: Look,
    new: Sequence[Candidate],
    recognised: tuple[str, float] | None,
    page: str | None,
) -> dict[int, Candidate]:
    """Return the new boxes that are known components in another look (hover, theme, disabled).

    On a screen that is known, by its state or by the name that the caller gave its page, a
    box with the label, the type and the place of a component that is missing there is that
    component. Anywhere else an equal label proves nothing.
    """
    missing = set(look.misses)
    if recognised is not None:
        missing &= _of_state(atlas, look, recognised[0])
    elif page is not None:
        missing &= {row["id"] for row in store.rows(COMPONENTS.learned_on, {"page": page})}
    else:
        return {}
    wanted = [row for row in store.rows(COMPONENTS.living) if row["id"] in missing and row["label"]]
    labelled: dict[str, list[Candidate]] = {}
    for candidate in new:
        labelled.setdefault(folded(candidate.label or ""), []).append(candidate)
    looks: dict[int, Candidate] = {}
    for row in wanted:
        for candidate in labelled.get(folded(row["label"]), ()):
            if _same_thing(row, candidate, look):
                looks.setdefault(row["id"], candidate)
    # One box cannot be the new look of two components.
    claims = Counter(looks.values())
    return {key: one for key, one in looks.items() if claims[one] == 1}


def _same_thing(row: sqlite3.Row, candidate: Candidate, look: Look) -> bool:
    sides = (round(row[key] / row["scale"]) for key in ("rel_x", "rel_y", "w", "h"))
    known = Thing(Box(*sides), folded(row["label"]), row["type"])
    box = look.at_scale_one(candidate.box)
    return Thing(box, folded(candidate.label or ""), candidate.kind).renews(known)


def _with_looks(look: Look, looks: Mapping[int, Candidate], added: Sequence[Learned]) -> Look:
    hits, misses = dict(look.hits), dict(look.misses)
    for learned in added:
        box = looks[learned.component_id].box
        hits[learned.component_id] = Hit(
            learned.template_id, learned.component_id, box, 1.0, identical=True, how="learned"
        )
        del misses[learned.component_id]
    return replace(look, hits=hits, misses=misses)


def _of_state(atlas: Atlas, look: Look, state_id: str) -> set[int]:
    """Return the state's components whose place, moved by the scroll, is on the screen."""
    size = look.at_scale_one(look.window)
    move = layout_move(_found(look), atlas.layouts[state_id], size.w, size.h)
    return atlas.expected(state_id, move, size.w, size.h)


def _create(
    store: Store,
    frame: Frame,
    look: Look,
    added: Sequence[Learned],
    candidates: Sequence[Candidate],
    page: str | None,
    at: str,
) -> str | None:
    """Write the provisional state of a screen seen for the first time, if anything is on it."""
    places = {key: (box.x, box.y) for key, box in _found(look).items()}
    for one in added:
        box = look.at_scale_one(Box(one.x, one.y, one.w, one.h))
        places[one.component_id] = box.x, box.y
    if not places:
        return None
    names = [row["name"] for row in store.rows(COMPONENTS.living) if row["id"] in places]
    size = look.at_scale_one(look.window)
    state_id = create_state(
        store,
        places,
        names,
        page=page,
        size=(size.w, size.h),
        ink=_ink(frame, look, candidates).ink,
        seen_at=at,
    )
    store.execute_many(
        STATES.insert_state_text,
        [{"state_id": state_id, "text": one.label} for one in candidates if one.label],
    )
    return state_id


def _revisit(
    store: Store,
    atlas: Atlas,
    look: Look,
    added: Sequence[Learned],
    state_id: str,
    page: str | None,
    at: str,
) -> None:
    """Note another visit; what was new on it belongs to the state without defining it."""
    size = look.at_scale_one(look.window)
    dx, dy = layout_move(_found(look), atlas.layouts[state_id], size.w, size.h)
    store.execute(STATES.visit, {"id": state_id, "seen_at": at})
    store.execute(STATES.set_page, {"id": state_id, "page": page})
    store.execute(STATES.confirm, {"id": state_id})
    places = [
        (one.component_id, look.at_scale_one(Box(one.x, one.y, one.w, one.h)))
        for one in added
        if not one.new_look
    ]
    store.execute_many(
        STATES.insert_state_component,
        [
            {
                "state_id": state_id,
                "component_id": key,
                "defining": 0,
                "x": place.x - dx,
                "y": place.y - dy,
            }
            for key, place in places
        ],
    )


def _merge(store: Store, settings: Settings, state_id: str) -> list[Merged]:
    kind = settings.get("state_similarity")
    return merge_alike(store, settings, state_id, settings.number(f"state_merge_{kind}"))


def _living(store: Store, state_id: str | None, merged: Sequence[Merged]) -> str | None:
    """Return where a state is after merging and forgetting, ``None`` if it is gone."""
    for one in merged:
        if one.merged == state_id:
            state_id = one.into
    row = store.row(STATES.any_state, {"id": state_id})
    return None if row is None or row["forgotten_at"] else state_id
